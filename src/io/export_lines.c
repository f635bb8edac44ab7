// export_lines.c: the strands of hair for exports.
#include "export_lines.h"

#include "core/error.h"

#include <stdlib.h>

// Lists the strands of a block, or, if there is no memory for them yet, counts them and their points.
static pl_result take_block(struct strand_lines *l, const pl_world *world, pl_id block, int *points)
{
    pl_strands_state state;
    pl_result result = pl_get_strands(world, block, &state);
    for (int i = 0; result == PL_OK && i < state.count; i++, l->count++)
    {
        int capacity = l->point ? pl_strand_points(world, block, i, NULL, 0) : 0;
        *points += pl_strand_points(world, block, i, l->point ? l->point + *points : NULL, capacity);
        if (l->start)
        {
            l->start[l->count + 1] = *points;
        }
    }
    return result;
}

static pl_result take_blocks(struct strand_lines *l, const pl_world *world, const pl_id *ids, int blocks, int *points)
{
    pl_result result = PL_OK;
    l->count = *points = 0;
    for (int i = 0; i < blocks && result == PL_OK; i++)
    {
        result = take_block(l, world, ids[i], points);
    }
    return result;
}

pl_result strand_lines_take(struct strand_lines *l, const pl_world *world)
{
    int blocks = pl_world_strands(world, NULL, 0), points = 0;
    strand_lines_free(l);
    if (blocks == 0)
    {
        return PL_OK;
    }
    pl_id *ids = malloc((size_t)blocks * sizeof *ids);
    pl_result result = ids ? PL_OK : fail(PL_ERROR_MEMORY, "no memory for the strands of an export; try again");
    if (result == PL_OK)
    {
        pl_world_strands(world, ids, blocks);
        result = take_blocks(l, world, ids, blocks, &points);
    }
    if (result == PL_OK)
    {
        l->start = calloc((size_t)l->count + 1, sizeof *l->start);
        l->point = malloc(((size_t)points + 1) * sizeof *l->point);
        result = l->start && l->point ? take_blocks(l, world, ids, blocks, &points)
                                      : fail(PL_ERROR_MEMORY, "no memory for the strands of an export; try again");
    }
    if (result != PL_OK)
    {
        strand_lines_free(l);
    }
    free(ids);
    return result;
}

int strand_lines_points(const struct strand_lines *l) { return l->count ? l->start[l->count] : 0; }

void strand_lines_free(struct strand_lines *l)
{
    free(l->start);
    free(l->point);
    *l = (struct strand_lines){0};
}
