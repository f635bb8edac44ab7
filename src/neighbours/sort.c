// sort.c: sorts particles by (cell, slot): finds the bounds of the cells, computes keys, and runs a stable radix sort.
#include "neighbours/list.h"

enum
{
    PART = 1024, // particles in one part; a thread processes one part at a time
};

typedef struct work
{
    neighbour_list *l;
    const neighbour_query *q;
    double inverse; // 1 / side of a cell
} work;

static int32_t coordinate(const work *w, int32_t slot, int axis)
{
    return cell_at(w->q->x[4 * (size_t)slot + (size_t)axis], w->inverse);
}

static void find_bounds(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    for (int64_t part = begin; part < end; part++)
    {
        int32_t *out = w->l->part + 6 * part;
        for (int a = 0; a < 3; a++)
        {
            out[a] = INT32_MAX;
            out[3 + a] = INT32_MIN;
        }
        for (int64_t i = part * PART; i < (part + 1) * PART && i < w->q->count; i++)
            for (int a = 0; a < 3; a++)
            {
                int32_t cell = coordinate(w, w->q->slot[i], a);
                out[a] = cell < out[a] ? cell : out[a];
                out[3 + a] = cell > out[3 + a] ? cell : out[3 + a];
            }
    }
}

pl_result neighbours_too_far(float cell)
{
    return fail(PL_ERROR_DIVERGED,
                "a colliding particle is more than %.6g m from the origin, where the grid of %.6g m cells "
                "ends; if it was thrown there, use more substeps or smaller forces; if it belongs there, build the "
                "scene nearer to the origin, or give it the radius 0, so that it does not collide",
                (double)CELL_MOST * (double)cell, (double)cell);
}

pl_result neighbours_too_wide(const int *bits, float cell)
{
    return fail(PL_ERROR_DIVERGED,
                "colliding particles are spread over 2^%d x 2^%d x 2^%d cells of %.6g m; make the scene more "
                "compact, or give particles that may fly away the radius 0",
                bits[0], bits[1], bits[2], (double)cell);
}

static pl_result join_bounds(neighbour_list *l, const neighbour_query *q)
{
    int64_t parts = (q->count + PART - 1) / PART;
    int32_t high[3];
    for (int a = 0; a < 3; a++)
    {
        l->low[a] = INT32_MAX;
        high[a] = INT32_MIN;
        for (int64_t p = 0; p < parts; p++)
        {
            l->low[a] = l->part[6 * p + a] < l->low[a] ? l->part[6 * p + a] : l->low[a];
            high[a] = l->part[6 * p + 3 + a] > high[a] ? l->part[6 * p + 3 + a] : high[a];
        }
        if (high[a] == CELL_MOST)
            return neighbours_too_far(l->cell);
        l->low[a] -= 1; // one empty row of cells on either side, so that a cell's neighbours never wrap around
        l->bits[a] = cell_bits((int64_t)high[a] - l->low[a] + 1);
    }
    bool fits = l->bits[0] + l->bits[1] + l->bits[2] <= KEY_BITS;
    return fits ? PL_OK : neighbours_too_wide(l->bits, l->cell);
}

static void make_keys(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    const neighbour_list *l = w->l;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = coordinate(w, w->q->slot[i], a) - l->low[a];
        l->sorted.key[i] = key_of_cell(cell, l->bits);
        l->sorted.value[i] = w->q->slot[i];
    }
}

pl_result neighbours_sort(neighbour_list *l, memory *m, const neighbour_query *q, const parallel *threads)
{
    pl_result result = sortable_reserve(m, &l->sorted, l->sorted_capacity, q->count);
    if (result == PL_OK)
        result = array_reserve(m, &l->part, &l->part_capacity, 6 * ((int64_t)q->count / PART + 1), sizeof *l->part);
    l->count = q->count;
    l->cell = cell_size(q->reach, q->margin);
    if (result != PL_OK || q->count == 0)
        return result;
    work w = {l, q, 1.0 / (double)l->cell};
    parallel_for(threads, find_bounds, &w, (q->count + PART - 1) / PART, 1);
    result = join_bounds(l, q);
    if (result != PL_OK)
        return result;
    parallel_for(threads, make_keys, &w, q->count, PART);
    radix_sort(&l->sorted, q->count, l->bits[0] + l->bits[1] + l->bits[2], threads);
    return PL_OK;
}
