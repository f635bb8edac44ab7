// grid.c: cells, the sort, and the search of the half or the whole neighbourhood with cursors that only go forward.
#include "collide/grid.h"

enum
{
    PART = 1024, // particles that one hand takes at a time
};

typedef struct work
{
    grid *g;
    const crowd *c;
    double inverse;
} work;

static int32_t coordinate(const work *w, int32_t slot, int axis)
{
    return cell_at(w->c->x[4 * (size_t)slot + (size_t)axis], w->inverse);
}

static void find_bounds(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    for (int64_t part = begin; part < end; part++)
    {
        int32_t *out = w->g->part + 6 * part;
        for (int a = 0; a < 3; a++)
        {
            out[a] = INT32_MAX;
            out[3 + a] = INT32_MIN;
        }
        for (int64_t i = part * PART; i < (part + 1) * PART && i < w->c->count; i++)
            for (int a = 0; a < 3; a++)
            {
                int32_t cell = coordinate(w, w->c->slot[i], a);
                out[a] = cell < out[a] ? cell : out[a];
                out[3 + a] = cell > out[3 + a] ? cell : out[3 + a];
            }
    }
}

static pl_result join_bounds(grid *g, const crowd *c)
{
    int64_t parts = (c->count + PART - 1) / PART;
    int32_t high[3];
    for (int a = 0; a < 3; a++)
    {
        g->low[a] = INT32_MAX;
        high[a] = INT32_MIN;
        for (int64_t p = 0; p < parts; p++)
        {
            g->low[a] = g->part[6 * p + a] < g->low[a] ? g->part[6 * p + a] : g->low[a];
            high[a] = g->part[6 * p + 3 + a] > high[a] ? g->part[6 * p + 3 + a] : high[a];
        }
        if (high[a] == CELL_MOST)
            return fail(PL_ERROR_DIVERGED,
                        "a colliding particle is more than %.6g m from the origin, where the grid of %.6g m cells "
                        "ends; move the scene nearer to the origin, or give particles that may fly away the radius 0",
                        (double)CELL_MOST * (double)g->cell, (double)g->cell);
        g->low[a] -= 1; // a row of cells on either side stays free, so that neighbours of a cell never wrap around
        g->bits[a] = cell_bits((int64_t)high[a] - g->low[a] + 1);
    }
    if (g->bits[0] + g->bits[1] + g->bits[2] > KEY_BITS)
        return fail(PL_ERROR_DIVERGED,
                    "colliding particles are spread over 2^%d x 2^%d x 2^%d cells of %.6g m; make the scene more "
                    "compact, or give particles that may fly away the radius 0",
                    g->bits[0], g->bits[1], g->bits[2], (double)g->cell);
    return PL_OK;
}

static void make_keys(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    const grid *g = w->g;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = coordinate(w, w->c->slot[i], a) - g->low[a];
        g->sorted.key[i] = key_of_cell(cell, g->bits);
        g->sorted.value[i] = w->c->slot[i];
    }
}

static void copy_spots(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t slot = w->g->sorted.value[i];
        memcpy(w->g->spot + 4 * i, w->c->x + 4 * (size_t)slot, 3 * sizeof(float));
        w->g->spot[4 * i + 3] = w->c->grain[4 * (size_t)slot];
    }
}

// ---- the search ----------------------------------------------------------------------------------------------------

// For the cell under way the stretches of the sorted order that its particles look at.
typedef struct cursors
{
    int64_t from[CELL_ROWS_AROUND], to[CELL_ROWS_AROUND];
} cursors;

// The first of the rows that are looked at; the last is CELL_ROWS - 1.
static int first_row(const grid *g) { return g->whole ? 1 - CELL_ROWS : 0; }

static void cursors_open(const grid *g, cursors *c, uint64_t key)
{
    for (int row = first_row(g), k = 0; row < CELL_ROWS; row++, k++)
        c->from[k] = c->to[k] = first_key(g->sorted.key, 0, g->count, row_key_around(g->bits, key, row) - 1);
}

static void cursors_forward(const grid *g, cursors *c, uint64_t key)
{
    const uint64_t *keys = g->sorted.key;
    for (int row = first_row(g), k = 0; row < CELL_ROWS; row++, k++)
    {
        uint64_t middle = row_key_around(g->bits, key, row);
        int64_t from = c->from[k], to = c->to[k];
        while (from < g->count && keys[from] < middle - 1)
            from++;
        to = to < from ? from : to;
        while (to < g->count && keys[to] <= middle + 1)
            to++;
        c->from[k] = from, c->to[k] = to;
    }
}

// The neighbours of a particle, all or those that come after it, as far as there is room for them; returns how many there are.
static int32_t find_neighbours(const work *w, const cursors *c, int64_t i, int32_t *out, int64_t room)
{
    const grid *g = w->g;
    const float *me = g->spot + 4 * i;
    float reach = me[3] + w->c->margin;
    int32_t found = 0;
    for (int row = first_row(g), k = 0; row < CELL_ROWS; row++, k++)
        for (int64_t j = row == 0 && !g->whole ? i + 1 : c->from[k]; j < c->to[k]; j++)
        {
            const float *you = g->spot + 4 * j;
            if (spots_near(me, you, reach) && j != i &&
                (!w->c->rest || may_touch(w->c, g->sorted.value[i], g->sorted.value[j])))
            {
                if (found < room)
                    out[found] = (int32_t)j;
                found++;
            }
        }
    return found;
}

static int64_t part_end(const grid *g, int64_t part)
{
    int64_t end = (part + 1) * PART;
    return end < g->count ? end : g->count;
}

// Each part writes what it finds into room of its own. `first` holds how many each particle has found.
static void search_parts(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    grid *g = w->g;
    cursors c;
    uint64_t cell = g->sorted.key[begin * PART];
    cursors_open(g, &c, cell);
    cursors_forward(g, &c, cell);
    for (int64_t part = begin; part < end; part++)
    {
        int64_t all = 0;
        for (int64_t i = part * PART; i < part_end(g, part); i++)
        {
            if (g->sorted.key[i] != cell)
                cursors_forward(g, &c, cell = g->sorted.key[i]);
            int64_t room = g->room > all ? g->room - all : 0;
            g->first[i] = find_neighbours(w, &c, i, g->found + part * g->room + (room ? all : 0), room);
            all += g->first[i];
        }
        g->part[part] = (int32_t)(all < INT32_MAX ? all : INT32_MAX);
    }
}

// Where each part's pairs begin, or the room that they would have needed.
static pl_result sum_parts(grid *g, int64_t parts)
{
    int64_t sum = 0, most = 0;
    for (int64_t p = 0; p < parts; p++)
    {
        int32_t here = g->part[p];
        g->part[p] = (int32_t)sum;
        most = here > most ? here : most;
        sum += here;
        if (sum > INT32_MAX / 8)
            return fail(PL_ERROR_MEMORY, "more than %d pairs of particles are near each other; use smaller radii",
                        INT32_MAX / 8);
    }
    g->pairs = sum;
    g->fits = most <= g->room;
    g->room = g->fits ? g->room : most + most / 4;
    return PL_OK;
}

static void join_parts(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    grid *g = w->g;
    for (int64_t part = begin; part < end; part++)
    {
        int32_t at = g->part[part];
        const int32_t *from = g->found + part * g->room;
        for (int64_t i = part * PART; i < part_end(g, part); i++)
        {
            int32_t here = g->first[i];
            g->first[i] = at;
            for (int32_t k = 0; k < here; k++)
            {
                g->one[at + k] = (int32_t)i;
                g->other[at + k] = from[k];
            }
            at += here;
            from += here;
        }
    }
}

static pl_result find_pairs(work *w, memory *m, const crew *hands)
{
    grid *g = w->g;
    int64_t parts = (g->count + PART - 1) / PART;
    pl_result result = PL_OK;
    g->room = g->room > PART ? g->room : 8 * PART;
    for (g->fits = false; result == PL_OK && !g->fits;)
    {
        result = array_reserve(m, &g->found, &g->found_capacity, parts * g->room, sizeof(int32_t));
        if (result != PL_OK)
            return result;
        crew_run(hands, search_parts, w, parts, 1);
        result = sum_parts(g, parts);
    }
    if (result == PL_OK)
        result = array_reserve(m, &g->other, &g->other_capacity, g->pairs, sizeof(int32_t));
    if (result == PL_OK)
        result = array_reserve(m, &g->one, &g->one_capacity, g->pairs, sizeof(int32_t));
    if (result != PL_OK)
        return result;
    crew_run(hands, join_parts, w, parts, 1);
    g->first[g->count] = (int32_t)g->pairs;
    return PL_OK;
}

static pl_result reserve_sort(grid *g, memory *m, int64_t count)
{
    pl_result r = array_reserve(m, &g->sorted.key, &g->key_capacity[0], count, sizeof(uint64_t));
    if (r == PL_OK)
        r = array_reserve(m, &g->sorted.value, &g->value_capacity[0], count, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &g->sorted.spare_key, &g->key_capacity[1], g->key_capacity[0], sizeof(uint64_t));
    if (r == PL_OK)
        r = array_reserve(m, &g->sorted.spare_value, &g->value_capacity[1], g->value_capacity[0], sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &g->sorted.counts, &g->counts_capacity, radix_chunks(count) * RADIX_DIGITS,
                          sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &g->part, &g->part_capacity, 6 * (count / PART + 1), sizeof(int32_t));
    return r;
}

pl_result grid_sort(grid *g, memory *m, const crowd *c, const crew *hands)
{
    pl_result result = reserve_sort(g, m, c->count);
    g->count = c->count;
    g->cell = cell_size(c->radius, c->margin);
    if (result != PL_OK || c->count == 0)
        return result;
    work w = {g, c, 1.0 / (double)g->cell};
    crew_run(hands, find_bounds, &w, (c->count + PART - 1) / PART, 1);
    result = join_bounds(g, c);
    if (result != PL_OK)
        return result;
    crew_run(hands, make_keys, &w, c->count, PART);
    radix_sort(&g->sorted, c->count, g->bits[0] + g->bits[1] + g->bits[2], hands);
    return PL_OK;
}

pl_result grid_build(grid *g, memory *m, const crowd *c, const crew *hands)
{
    g->pairs = 0;
    pl_result result = grid_sort(g, m, c, hands);
    if (result == PL_OK)
        result = array_reserve(m, &g->spot, &g->spot_capacity, 4 * (int64_t)c->count, sizeof(float));
    if (result == PL_OK)
        result = array_reserve(m, &g->first, &g->first_capacity, (int64_t)c->count + 1, sizeof(int32_t));
    if (result != PL_OK)
        return result;
    g->first[0] = 0;
    if (c->count == 0)
        return PL_OK;
    work w = {g, c, 0.0};
    crew_run(hands, copy_spots, &w, c->count, PART);
    return find_pairs(&w, m, hands);
}

void grid_free(grid *g, memory *m)
{
    array_free(m, &g->sorted.key, &g->key_capacity[0], sizeof(uint64_t));
    array_free(m, &g->sorted.value, &g->value_capacity[0], sizeof(int32_t));
    array_free(m, &g->sorted.spare_key, &g->key_capacity[1], sizeof(uint64_t));
    array_free(m, &g->sorted.spare_value, &g->value_capacity[1], sizeof(int32_t));
    array_free(m, &g->sorted.counts, &g->counts_capacity, sizeof(int32_t));
    array_free(m, &g->spot, &g->spot_capacity, sizeof(float));
    array_free(m, &g->first, &g->first_capacity, sizeof(int32_t));
    array_free(m, &g->other, &g->other_capacity, sizeof(int32_t));
    array_free(m, &g->one, &g->one_capacity, sizeof(int32_t));
    array_free(m, &g->found, &g->found_capacity, sizeof(int32_t));
    array_free(m, &g->part, &g->part_capacity, sizeof(int32_t));
}
