// contact_blocks.h: blocks of contacts for SIMD lanes. A block is a set of contacts that must be solved one after the
// other. 16 blocks run side by side in a group, one in each lane. A group is as long as its longest block, so blocks
// are sorted by length (longest first, ties in order), but only within windows of 64 blocks: sorting over longer
// distances would separate neighbours in memory. Blocks come in sections of one colour each, and a group never mixes
// sections.
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
    int32_t *start; // for each block its first contact in the sorted order; count + 1 entries
    int32_t sections;
    int32_t *section; // for each section its first block; sections + 1 entries
    int32_t *group;   // for each section its first group; sections + 1 entries
    int32_t groups;
    int32_t *member; // for each group and lane its block, or -1
    int32_t *row;    // for each group its first row; groups + 1 entries
    int32_t *part;   // scratch: for each part of the keys its first block
    int64_t part_capacity, start_capacity, section_capacity, group_capacity, member_capacity, row_capacity;
} blocks;

// Finds the blocks: runs of equal keys. A key's section is its bits from `section_at` upwards.
pl_result blocks_find(blocks *b, memory *m, const uint64_t *key, int64_t count, int section_at, int32_t sections,
                      const parallel *threads);
// Assigns the blocks to groups of lanes, and the groups to rows.
pl_result blocks_group(blocks *b, memory *m, const parallel *threads);
void blocks_free(blocks *b, memory *m);
