// deep_cells.c: finds where a fluid is certainly inside, so that the field need not be evaluated there.
//
// The cells are those in which the particles are sorted (2.5 spacings wide, about 16 particles). A cell is deep if it and
// all 26 around it have at least CELL_FULL particles: half of what fits, so that a surface, which leaves a cell beside it
// empty, is at least a cell away. Whether a node of the grid is deep depends on its position alone, so that all blocks
// agree and the mesh stays closed. A bubble that is much smaller than a cell may be lost.
#include "query/fluid_surface/surface_work.h"

enum
{
    CELL_FULL = 8,
};

static int32_t find_cell(const surface_work *s, uint64_t key)
{
    int32_t at = first_key(s->cell_key, 0, s->cell_count, key);
    return at < s->cell_count && s->cell_key[at] == key ? at : -1;
}

// Whether all cells within `around` of a cell have at least the rank.
static bool all_around(const surface_work *s, uint64_t key, int around, uint8_t rank)
{
    const int64_t y = (int64_t)1 << s->list.bits[0], z = y << s->list.bits[1];
    for (int64_t k = -around; k <= around; k++)
        for (int64_t j = -around; j <= around; j++)
        {
            int32_t at = find_cell(s, key + (uint64_t)(j * y + k * z) - (uint64_t)around);
            if (at < 0 || at + 2 * around >= s->cell_count ||
                s->cell_key[at + 2 * around] != s->cell_key[at] + 2 * (uint64_t)around)
                return false;
            for (int32_t i = at; i <= at + 2 * around; i++)
                if (s->cell_rank[i] < rank)
                    return false;
        }
    return true;
}

static void find_deep(void *arg, int64_t begin, int64_t end)
{
    surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
        s->cell_deep[i] = s->cell_rank[i] >= 1 && all_around(s, s->cell_key[i], 1, 1) ? CELL_DEEP : 0;
}

static void find_deeper(void *arg, int64_t begin, int64_t end)
{
    surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
        if (s->cell_rank[i] == CELL_DEEP && all_around(s, s->cell_key[i], 2, CELL_DEEP))
            s->cell_deep[i] = CELL_DEEPER;
}

static pl_result reserve_cells(surface_work *s)
{
    int64_t *c = s->cell_capacity, n = s->list.count;
    pl_result result = array_reserve(&s->m, &s->cell_key, &c[0], n, sizeof *s->cell_key);
    if (result == PL_OK)
        result = array_reserve(&s->m, &s->cell_rank, &c[1], n, sizeof *s->cell_rank);
    return result == PL_OK ? array_reserve(&s->m, &s->cell_deep, &c[2], n, sizeof *s->cell_deep) : result;
}

pl_result surface_find_deep_cells(surface_work *s)
{
    const uint64_t *key = s->list.sorted.key;
    pl_result result = reserve_cells(s);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0, first = 0; i < s->list.count; i++)
    {
        if (i + 1 < s->list.count && key[i + 1] == key[i])
            continue;
        s->cell_key[s->cell_count] = key[i];
        s->cell_rank[s->cell_count++] = i + 1 - first >= CELL_FULL;
        first = i + 1;
    }
    parallel_for(&s->threads, find_deep, s, s->cell_count, 64);
    for (int32_t i = 0; i < s->cell_count; i++)
        s->cell_rank[i] = s->cell_deep[i];
    parallel_for(&s->threads, find_deeper, s, s->cell_count, 64);
    return PL_OK;
}

int surface_depth(const surface_work *s, uint64_t key)
{
    int32_t at = find_cell(s, key);
    return at < 0 ? 0 : s->cell_deep[at];
}
