// surface_pack.c: packs surface pairs in the order in which they are solved: blocks of cells in eight colours, as in
// contact/pairs.c. A cell is as wide as the widest pair, so that all four corners of a pair lie within two cells along
// each axis.
#include "core/arena.h"
#include "kernels/surface_contact.h"
#include "model/world.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

// ---- cells ---------------------------------------------------------------------------------------------------------

static float widest_pair(const pl_world *w)
{
    const surfaces *k = &w->surfaces;
    float widest = k->thickness;
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        int32_t corner[4];
        surface_corners(k, &k->pairs.items[i], corner);
        float width = pair_width(w->state.slot[SLOT_SURFACE], corner);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static pl_result find_cells(pl_world *w)
{
    surfaces *k = &w->surfaces;
    pl_result r = array_reserve(&w->memory, &k->cell, &k->cell_capacity, 3 * (int64_t)w->state.slots, sizeof(int32_t));
    if (r != PL_OK)
        return r;
    k->cell_size = surface_cell_size(widest_pair(w));
    double inverse = 1.0 / (double)k->cell_size;
    for (int c = 0; c < 3; c++)
    {
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (int32_t i = 0; i < k->vertices + k->particles; i++)
        {
            size_t slot = (size_t)(i < k->vertices ? k->vertex[i] : k->particle[i - k->vertices]);
            int32_t cell = cell_at(w->state.slot[SLOT_SURFACE][4 * slot + (size_t)c], inverse);
            if (cell == CELL_MOST)
                return fail(PL_ERROR_DIVERGED,
                            "particle %d, near a surface, is more than %.6g m from the origin, where the grid of cells "
                            "ends; if it was thrown there, use more substeps or smaller forces; if it belongs there, "
                            "build the scene nearer to the origin",
                            w->number_of[slot], (double)CELL_MOST * (double)k->cell_size);
            k->cell[3 * slot + (size_t)c] = cell;
            low = cell < low ? cell : low;
            high = cell > high ? cell : high;
        }
        k->low[c] = low;
        k->bits[c] = cell_bits((int64_t)high - low);
    }
    if (k->bits[0] + k->bits[1] + k->bits[2] > KEY_BITS)
        return fail(PL_ERROR_DIVERGED, "surfaces are spread over too many cells of %.6g m; make the scene more compact",
                    (double)k->cell_size);
    return PL_OK;
}

static void make_keys(void *arg, int64_t begin, int64_t end)
{
    surfaces *k = arg;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t corner[4];
        surface_corners(k, &k->pairs.items[i], corner);
        k->sorted.key[i] = surface_block_key(k->cell, corner, k->low, k->bits);
        k->sorted.value[i] = (int32_t)i;
    }
}

static pl_result sort_pairs(pl_world *w, const parallel *threads)
{
    surfaces *k = &w->surfaces;
    int64_t n = k->pairs.count;
    pl_result r = sortable_reserve(&w->memory, &k->sorted, k->sorted_capacity, n);
    if (r != PL_OK)
        return r;
    int bits = k->bits[0] + k->bits[1] + k->bits[2];
    parallel_for(threads, make_keys, k, n, 4096);
    radix_sort(&k->sorted, n, n ? bits + 3 : 0, threads);
    r = blocks_find(&k->blocks, &w->memory, k->sorted.key, n, bits, PAIR_COLOURS, threads);
    return r == PL_OK ? blocks_group(&k->blocks, &w->memory, threads) : r;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static void lay_out(pl_world *w, arena *a)
{
    const surfaces *k = &w->surfaces;
    packed_surface *p = &w->state.surfaces;
    int64_t rows = (int64_t)k->blocks.row[k->blocks.groups] * PAD;
    for (int i = 0; i < 4; i++)
        p->index[i] = arena_take(a, rows, sizeof(uint32_t));
    float **const columns[] = {&p->mode,      &p->reach,     &p->normal[0], &p->normal[1], &p->normal[2],
                               &p->weight[0], &p->weight[1], &p->weight[2], &p->weight[3], &p->gap,
                               &p->aim,       &p->limit,     &p->stick,     &p->slide,     &p->bounce,
                               &p->lambda[0], &p->lambda[1], &p->lambda[2], &p->lambda[3]};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *columns[i] = arena_take(a, rows, sizeof(float));
    p->push = arena_take(a, rows, 4 * sizeof(float));
    p->slot_start = arena_take(a, w->state.slots + 1, sizeof(int32_t));
    p->slot_entry = arena_take(a, 4 * k->pairs.count, sizeof(int32_t));
}

// Writes an inactive row, which put_pair then fills in.
static void put_nothing(packed_surface *p, int64_t row)
{
    float *const columns[] = {p->reach,     p->normal[0], p->normal[1], p->normal[2], p->weight[0], p->weight[1],
                              p->weight[2], p->weight[3], p->gap,       p->stick,     p->slide,     p->bounce,
                              p->lambda[0], p->lambda[1], p->lambda[2], p->lambda[3]};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        columns[i][row] = 0.0f;
    p->mode[row] = (float)SURFACE_NOTHING;
    p->aim[row] = CONTACT_NOTHING;
    p->limit[row] = SURFACE_FREE;
}

static void put_pull(packed_surface *p, int64_t row, const surface_pull *pull)
{
    p->weight[0][row] = 1.0f;
    for (int c = 0; c < 3; c++)
    {
        p->normal[c][row] = pull->normal[c];
        p->weight[1 + c][row] = -pull->weight[c];
    }
}

static void put_pair(pl_world *w, int64_t number, int64_t row)
{
    surfaces *k = &w->surfaces;
    packed_surface *p = &w->state.surfaces;
    const surface_pair *pair = &k->pairs.items[number];
    int32_t corner[4];
    surface_corners(k, pair, corner);
    k->row[number] = (int32_t)row;
    put_nothing(p, row);
    for (int i = 0; i < 4; i++)
        p->index[i][row] = 4 * (uint32_t)corner[i];
    p->mode[row] = (float)(pair->off ? SURFACE_NOTHING : pair->mode);
    p->reach[row] = pair->reach;
    if (pair->mode == SURFACE_UNTANGLE)
        put_pull(p, row, &k->pulls[pair->b]);
    if (pair->mode > SURFACE_EDGES || pair->off)
        return;
    const float *particle = w->state.slot[SLOT_COLLISION];
    pl_material m = material_between(w, material_of(particle, corner[0]), material_of(particle, corner[3]));
    p->stick[row] = m.static_friction;
    p->slide[row] = m.kinetic_friction;
    p->bounce[row] = m.restitution;
    int32_t key = pair->mode == SURFACE_VERTEX ? pair->a : w->state.slots + pair->a;
    const float *old = carry_find(&k->carry, key, pair->b);
    for (int l = 0; old && l < 4; l++)
        p->lambda[l][row] = old[l];
}

// Padding repeats the corners of the lane's own last pair, which no other lane or worker uses at the same time.
static void put_padding(pl_world *w, int64_t row, int64_t last)
{
    packed_surface *p = &w->state.surfaces;
    put_nothing(p, row);
    for (int i = 0; i < 4; i++)
        p->index[i][row] = last < 0 ? 4 * (uint32_t)(w->dummy + w->order.tiles) : p->index[i][last];
}

static void fill_groups(void *arg, int64_t begin, int64_t end)
{
    pl_world *w = arg;
    const surfaces *k = &w->surfaces;
    const blocks *b = &k->blocks;
    for (int64_t g = begin; g < end; g++)
        for (int lane = 0; lane < BLOCK_LANES; lane++)
        {
            int32_t block = b->member[g * BLOCK_LANES + lane],
                    count = block < 0 ? 0 : b->start[block + 1] - b->start[block];
            int64_t row = (int64_t)b->row[g] * PAD + lane, last = -1, end_row = (int64_t)b->row[g + 1] * PAD;
            for (int32_t i = 0; i < count; i++, last = row, row += PAD)
                put_pair(w, k->sorted.value[b->start[block] + i], row);
            for (; row < end_row; row += PAD)
                put_padding(w, row, last);
        }
}

// Lists the rows of each slot, in the order of the pairs.
static void list_by_slot(pl_world *w)
{
    const surfaces *k = &w->surfaces;
    packed_surface *p = &w->state.surfaces;
    int32_t *start = p->slot_start, corner[4];
    memset(start, 0, (size_t)(w->state.slots + 1) * sizeof *start);
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        surface_corners(k, &k->pairs.items[i], corner);
        for (int c = 0; c < 4; c++)
            start[corner[c] + 1]++;
    }
    for (int32_t i = 0; i < w->state.slots; i++)
        start[i + 1] += start[i];
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        surface_corners(k, &k->pairs.items[i], corner);
        for (int c = 0; c < 4; c++)
            p->slot_entry[start[corner[c]]++] = 4 * k->row[i] + c;
    }
    memmove(start + 1, start, (size_t)w->state.slots * sizeof *start);
    start[0] = 0;
}

pl_result surface_pack(pl_world *w, const parallel *threads)
{
    surfaces *k = &w->surfaces;
    packed_surface *p = &w->state.surfaces;
    pl_result r = find_cells(w);
    if (r == PL_OK)
        r = sort_pairs(w, threads);
    if (r != PL_OK)
        return r;
    arena a = {0};
    lay_out(w, &a);
    r = array_reserve(&w->memory, &k->packing, &k->packing_capacity, (int64_t)a.used + 64, 1);
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->row, &k->row_capacity, k->pairs.count, sizeof *k->row);
    if (r != PL_OK)
        return r;
    a = (arena){k->packing, 0};
    lay_out(w, &a);
    p->groups.row = k->blocks.row;
    memcpy(p->colour, k->blocks.group, sizeof p->colour);
    p->all[0] = 0;
    p->all[1] = k->blocks.groups;
    parallel_for(threads, fill_groups, w, k->blocks.groups, 4);
    list_by_slot(w);
    return PL_OK;
}
