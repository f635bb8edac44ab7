// contact_blocks.h: contacts that must be visited one after the other are a block; 16 blocks run side by side in a group, each in its
// lane. A group is as long as its longest block, so blocks are sorted by length (longest first, ties in order), but only within
// windows of 64: farther, neighbours in memory would be torn apart. Blocks come in sections, of one colour each, and no group has
// blocks of two.
#pragma once
#include "core/parallel_for.h"
#include "core/memory.h"

enum
{
    BLOCK_LANES = 16,
    BLOCK_WINDOW = 64,
};

typedef struct blocks
{
    int32_t count;
    int32_t *start; // for each block its first contact in the sorted order, and one more
    int32_t sections;
    int32_t *section; // for each its first block, and one more
    int32_t *group;   // for each section its first group, and one more
    int32_t groups;
    int32_t *member; // for each group and lane a block, or -1
    int32_t *row;    // for each group its first row, and one more
    int32_t *part;   // scratch: for each part of the keys its first block
    int64_t part_capacity, start_capacity, section_capacity, group_capacity, member_capacity, row_capacity;
} blocks;

// Blocks are stretches of equal keys; a key's section is its bits from `section_at` up.
pl_result blocks_find(blocks *b, memory *m, const uint64_t *key, int64_t count, int section_at, int32_t sections,
                      const parallel *hands);
pl_result blocks_group(blocks *b, memory *m, const parallel *hands);
void blocks_free(blocks *b, memory *m);
