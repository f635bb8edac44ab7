// particle_lists.c: implements particle_lists.h.
#include "model/particle_lists.h"

static int32_t shares(int64_t count, int64_t each) { return (int32_t)((count + each - 1) / each); }

void lists_count(lists_size *size, int64_t count)
{
    int32_t chunks = shares(count, MOTION_CHUNK);
    size->lists++;
    size->chunks += chunks;
    size->blocks += shares(chunks, MOTION_BLOCK);
    size->members += (int64_t)shares(count, MOTION_SUMS) * MOTION_SUMS;
}

bool lists_fit(const packed_lists *l, lists_size size)
{
    return size.lists <= l->room && size.blocks <= l->block_room && size.chunks <= l->chunk_room &&
           size.members <= l->member_room;
}

void lists_reserve(packed_lists *l, lists_size size)
{
    l->room = (int32_t)size.lists, l->block_room = (int32_t)size.blocks;
    l->chunk_room = (int32_t)size.chunks, l->member_room = (int32_t)size.members;
}

void lists_begin(packed_lists *l)
{
    l->count = l->blocks = l->chunks = 0;
    l->start[0] = 0;
}

uint32_t *lists_add(const pl_world *w, packed_lists *l, int32_t count)
{
    int32_t first = l->start[l->count], end = first + shares(count, MOTION_SUMS) * MOTION_SUMS;
    for (int32_t k = first + count; k < end; k++)
        l->member[k] = 4 * (uint32_t)(w->dummy + w->order.tiles); // a slot without a mass
    l->list_block[l->count] = l->blocks;
    for (int32_t k = first, n = 0; k < end; k += MOTION_CHUNK, n++)
    {
        if (n % MOTION_BLOCK == 0)
            l->block_start[l->blocks++] = l->chunks;
        l->chunk_list[l->chunks] = l->count;
        l->chunk_start[l->chunks++] = k;
    }
    l->start[++l->count] = end;
    return l->member + first;
}

void lists_end(const pl_world *w, packed_lists *l)
{
    l->list_block[l->count] = l->blocks;
    l->block_start[l->blocks] = l->chunks;
    l->chunk_start[l->chunks] = l->start[l->count];
    for (int32_t slot = 0; l->room && slot < w->state.slots; slot++)
        l->of_slot[slot] = -1;
    for (int32_t i = 0; i < l->count; i++)
        for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
            if (l->member[k] < 4 * (uint32_t)w->dummy)
                l->of_slot[l->member[k] / 4] = i;
}

void lists_patch(pl_world *w, const packed_lists *l)
{
    patch_packed(w, l->start, (size_t)(l->count + 1) * sizeof *l->start);
    patch_packed(w, l->member, (size_t)l->start[l->count] * sizeof *l->member);
    patch_packed(w, l->of_slot, l->room ? (size_t)w->state.slots * sizeof *l->of_slot : 0);
    patch_packed(w, l->origin, (size_t)l->count * sizeof *l->origin);
    patch_packed(w, l->chunk_list, (size_t)l->chunks * sizeof *l->chunk_list);
    patch_packed(w, l->chunk_start, (size_t)(l->chunks + 1) * sizeof *l->chunk_start);
    patch_packed(w, l->block_start, (size_t)(l->blocks + 1) * sizeof *l->block_start);
    patch_packed(w, l->list_block, (size_t)(l->count + 1) * sizeof *l->list_block);
}
