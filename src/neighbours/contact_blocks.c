// contact_blocks.c: finds the blocks in sorted keys and assigns them to groups of lanes.
#include "neighbours/contact_blocks.h"

enum
{
    PART = 4096, // keys in one part; a thread processes one part at a time
};

// The search for heads: the first key of each block is its head.
typedef struct heads
{
    blocks *b;
    const uint64_t *key;
    int64_t count;
    int section_at;
} heads;

static bool is_head(const heads *h, int64_t i) { return i == 0 || h->key[i] != h->key[i - 1]; }

static int64_t part_end(const heads *h, int64_t part)
{
    int64_t end = (part + 1) * PART;
    return end < h->count ? end : h->count;
}

static void count_heads(void *arg, int64_t begin, int64_t end)
{
    const heads *h = arg;
    for (int64_t part = begin; part < end; part++)
    {
        const uint64_t *key = h->key;
        int32_t found = part == 0;
        for (int64_t i = part ? part * PART : 1; i < part_end(h, part); i++)
            found += key[i] != key[i - 1];
        h->b->part[part] = found;
    }
}

static void put_heads(void *arg, int64_t begin, int64_t end)
{
    const heads *h = arg;
    for (int64_t part = begin; part < end; part++)
    {
        int32_t block = h->b->part[part];
        for (int64_t i = part * PART; i < part_end(h, part); i++)
        {
            if (!is_head(h, i))
                continue;
            int32_t from = i ? (int32_t)(h->key[i - 1] >> h->section_at) + 1 : 0,
                    to = (int32_t)(h->key[i] >> h->section_at);
            for (int32_t section = from; section <= to; section++) // sections between the two keys are empty
                h->b->section[section] = block;
            h->b->start[block++] = (int32_t)i;
        }
    }
}

pl_result blocks_find(blocks *b, memory *m, const uint64_t *key, int64_t count, int section_at, int32_t sections,
                      const parallel *threads)
{
    heads h = {b, key, count, section_at};
    int64_t parts = (count + PART - 1) / PART, found = 0;
    pl_result result = array_reserve(m, &b->part, &b->part_capacity, parts, sizeof *b->part);
    if (result != PL_OK)
        return result;
    parallel_for(threads, count_heads, &h, parts, 1);
    for (int64_t p = 0; p < parts; p++)
    {
        int32_t here = b->part[p];
        b->part[p] = (int32_t)found;
        found += here;
    }
    result = array_reserve(m, &b->start, &b->start_capacity, found + 1, sizeof *b->start);
    if (result == PL_OK)
        result = array_reserve(m, &b->section, &b->section_capacity, (int64_t)sections + 1, sizeof *b->section);
    if (result == PL_OK)
        result = array_reserve(m, &b->group, &b->group_capacity, (int64_t)sections + 1, sizeof *b->group);
    if (result != PL_OK)
        return result;
    b->count = (int32_t)found;
    b->sections = sections;
    parallel_for(threads, put_heads, &h, parts, 1);
    for (int32_t section = count ? (int32_t)(key[count - 1] >> section_at) + 1 : 0; section <= sections; section++)
        b->section[section] = b->count;
    b->start[b->count] = (int32_t)count;
    return PL_OK;
}

static int32_t length_of(const blocks *b, int32_t block) { return b->start[block + 1] - b->start[block]; }

// Sorts the blocks of one window by length and assigns them to the groups of the window.
static void group_window(blocks *b, int32_t first, int32_t count, int32_t group)
{
    int32_t *out = b->member + (int64_t)group * BLOCK_LANES;
    for (int32_t i = 0; i < count; i++)
    {
        int32_t block = first + i, at = i;
        for (; at > 0 && length_of(b, out[at - 1]) < length_of(b, block); at--)
            out[at] = out[at - 1];
        out[at] = block;
    }
    for (int32_t i = count; i % BLOCK_LANES; i++)
        out[i] = -1;
    for (int32_t i = 0; i < count; i += BLOCK_LANES)
        b->row[group + i / BLOCK_LANES] = length_of(b, out[i]);
}

static void group_sections(void *arg, int64_t begin, int64_t end)
{
    blocks *b = arg;
    for (int64_t s = begin; s < end; s++)
        for (int32_t from = b->section[s], group = b->group[s]; from < b->section[s + 1];
             from += BLOCK_WINDOW, group += BLOCK_WINDOW / BLOCK_LANES)
        {
            int32_t left = b->section[s + 1] - from;
            group_window(b, from, left < BLOCK_WINDOW ? left : BLOCK_WINDOW, group);
        }
}

pl_result blocks_group(blocks *b, memory *m, const parallel *threads)
{
    b->groups = 0;
    for (int32_t s = 0; s < b->sections; s++)
    {
        b->group[s] = b->groups;
        b->groups += (b->section[s + 1] - b->section[s] + BLOCK_LANES - 1) / BLOCK_LANES;
    }
    b->group[b->sections] = b->groups;
    pl_result result =
        array_reserve(m, &b->member, &b->member_capacity, (int64_t)b->groups * BLOCK_LANES, sizeof *b->member);
    if (result == PL_OK)
        result = array_reserve(m, &b->row, &b->row_capacity, (int64_t)b->groups + 1, sizeof *b->row);
    if (result != PL_OK)
        return result;
    parallel_for(threads, group_sections, b, b->sections, 1);
    int64_t rows = 0;
    for (int32_t g = 0; g < b->groups; g++)
    {
        int32_t here = b->row[g];
        b->row[g] = (int32_t)rows;
        rows += here;
        if (rows > INT32_MAX / (16 * BLOCK_LANES)) // the columns of a row are interleaved
            return fail(PL_ERROR_MEMORY, "too many contacts for one world; use smaller radii");
    }
    b->row[b->groups] = (int32_t)rows;
    return PL_OK;
}

void blocks_free(blocks *b, memory *m)
{
    array_free(m, &b->part, &b->part_capacity, sizeof *b->part);
    array_free(m, &b->start, &b->start_capacity, sizeof *b->start);
    array_free(m, &b->section, &b->section_capacity, sizeof *b->section);
    array_free(m, &b->group, &b->group_capacity, sizeof *b->group);
    array_free(m, &b->member, &b->member_capacity, sizeof *b->member);
    array_free(m, &b->row, &b->row_capacity, sizeof *b->row);
}
