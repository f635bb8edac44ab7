// pairs.c: packs neighbouring particles into contact rows, in the order in which they are solved.
//
//   carry multipliers -> cells, sort, neighbours (neighbours/) -> sort pairs by block -> groups (contact_blocks.c)
//   -> rows
//
// A pair belongs to the 2 x 2 x 2 block of cells whose corner is the component-wise minimum of its two cells. Blocks
// whose corners have the same parity share no cell, hence no particle: eight colours, although both particles of a pair
// move. The order in which pairs are solved is part of the scene (docs/architecture.md): colours in order; inside a
// block by the sorted index of the first particle, then of the second, in the order of (cell, slot).
#include "core/arena.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"

#include <string.h>

// ---- sorting by block ----------------------------------------------------------------------------------------------

// Among the blocks with an even z, only those at the same z share cells; the same holds for odd z. So a layer of them
// may run through its four colours before the next layer begins. A slab is a few such layers, small enough that its
// particles stay in a core's cache through all four colours. Slabs run in a wave, so that a substep passes through
// memory once (backend/cpu/wave.h). Blocks are sorted by (parity of z, slab, colour, z, y, x). The number of layers in
// a slab changes only the running time.
enum
{
    SLAB_PAIRS = 16384, // fewest pairs in a slab: about 130 KiB of positions
    SLABS_EACH = 8,     // fewest slabs for each worker, or the load is too uneven
};

static int32_t layers_of(const neighbour_list *g)
{
    return g->count ? (int32_t)((g->sorted.key[g->count - 1] >> (g->bits[0] + g->bits[1])) / 2) + 1 : 1;
}

static void choose_slabs(pl_world *w)
{
    contacts *t = &w->contacts;
    int32_t layers = layers_of(&t->neighbours);
    t->slab_bits = 0;
    while (t->neighbours.pairs << t->slab_bits < (int64_t)layers * SLAB_PAIRS && layers >> t->slab_bits)
        t->slab_bits++;
    if (layers >> t->slab_bits < SLABS_EACH * cpu_shares(&w->cpu))
        t->slab_bits = t->neighbours.bits[2]; // a single slab
    t->slabs = (layers - 1) / (1 << t->slab_bits) + 1;
}

// The keys of the blocks that pairs of a particle in this cell belong to. The other particle's cell comes later in the
// order of z, y, x, so only along x and y may it be the lower one: bit 0 and bit 1 of the index.
typedef struct cell_blocks
{
    uint64_t key[4];
} cell_blocks;

static cell_blocks blocks_of_cell(const contacts *t, uint64_t cell)
{
    const neighbour_list *g = &t->neighbours;
    const uint64_t in_slab = ((uint64_t)1 << t->slab_bits) - 1;
    cell_blocks b;
    for (int i = 0; i < 4; i++)
    {
        int32_t corner[3];
        cell_of_key(cell, g->bits, corner);
        uint64_t x = (uint64_t)(corner[0] - (i & 1)), y = (uint64_t)(corner[1] - (i >> 1)), z = (uint64_t)corner[2];
        uint64_t layer = z >> 1, key = (z & 1) * (uint64_t)t->slabs + (layer >> t->slab_bits);
        key = key << 2 | (y & 1) << 1 | (x & 1);
        key = key << t->slab_bits | (layer & in_slab);
        key = key << g->bits[1] | y >> 1;
        b.key[i] = key << g->bits[0] | x >> 1;
    }
    return b;
}

static void make_block_keys(void *arg, int64_t begin, int64_t end)
{
    contacts *t = arg;
    const neighbour_list *g = &t->neighbours;
    const uint64_t *cell = g->sorted.key, in_x = ((uint64_t)1 << g->bits[0]) - 1,
                   in_y = (((uint64_t)1 << g->bits[1]) - 1) << g->bits[0];
    uint64_t here = cell[g->owner[begin]];
    cell_blocks b = blocks_of_cell(t, here);
    for (int64_t p = begin; p < end; p++)
    {
        uint64_t one = cell[g->owner[p]], other = cell[g->neighbour[p]];
        if (one != here)
            b = blocks_of_cell(t, here = one);
        t->sorted.key[p] = b.key[((other & in_x) < (one & in_x)) + 2 * ((other & in_y) < (one & in_y))];
        t->sorted.value[p] = (int32_t)p;
    }
}

static int bits_below(int64_t end)
{
    int bits = 0;
    while (end > (int64_t)1 << bits)
        bits++;
    return bits;
}

static pl_result sort_pairs(pl_world *w, const parallel *threads)
{
    contacts *t = &w->contacts;
    int64_t n = t->neighbours.pairs;
    pl_result r = sortable_reserve(&w->memory, &t->sorted, t->sorted_capacity, n);
    if (r != PL_OK)
        return r;
    choose_slabs(w);
    int bits = t->neighbours.bits[0] + t->neighbours.bits[1] + t->slab_bits;
    int32_t sections = 8 * t->slabs;
    parallel_for(threads, make_block_keys, t, n, 4096);
    radix_sort(&t->sorted, n, n ? bits + bits_below(sections) : 0, threads);
    r = blocks_find(&t->blocks, &w->memory, t->sorted.key, n, bits, sections, threads);
    return r == PL_OK ? blocks_group(&t->blocks, &w->memory, threads) : r;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

enum
{
    // Two indices, reach, four multipliers
    PAIR_COLUMNS = 7,
    PAIR_MATERIAL = 3, // where the material differs from row to row
};

static void lay_out_pairs(pl_world *w, arena *a)
{
    contacts *t = &w->contacts;
    packed_pairs *p = &w->state.pairs;
    bool bouncy = any_bounce(w);
    int32_t columns = PAIR_COLUMNS + (p->material_step ? PAIR_MATERIAL : 0);
    p->step = (columns + bouncy) * PAD;
    float *row = arena_take(a, (int64_t)t->blocks.row[t->blocks.groups] * p->step, sizeof(float)), *same = NULL;
    if (!p->material_step)
        same = arena_take(a, 3 * PAD, sizeof(float));
    if (!row)
        return; // this pass only measures the size
    for (int i = 0; i < 2; i++)
        p->index[i] = (uint32_t *)(void *)(row + i * PAD);
    p->reach = row + 2 * PAD;
    for (int i = 0; i < 4; i++)
        p->lambda[i] = row + (3 + i) * PAD;
    p->carried = bouncy ? row + columns * PAD : NULL;
    same = same ? same : row + PAIR_COLUMNS * PAD;
    p->stick = same, p->slide = same + PAD, p->bounce = same + 2 * PAD;
}

pl_material between_free_particles(pl_material m)
{
    float left = rolling_share(m.rolling);
    m.static_friction *= left;
    m.kinetic_friction *= left;
    return m;
}

static void put_material(packed_pairs *p, int64_t row, pl_material m)
{
    m = between_free_particles(m);
    p->stick[row] = m.static_friction;
    p->slide[row] = m.kinetic_friction;
    p->bounce[row] = m.restitution;
}

static void put_pair(pl_world *w, int64_t pair, int64_t row)
{
    const contacts *t = &w->contacts;
    const neighbour_list *g = &t->neighbours;
    packed_pairs *p = &w->state.pairs;
    const float *collision = w->state.slot[SLOT_COLLISION];
    int32_t one = g->owner[pair], other = g->neighbour[pair], a = g->sorted.value[one], b = g->sorted.value[other];
    t->row[pair] = (int32_t)row;
    p->index[0][row] = 4 * (uint32_t)a;
    p->index[1][row] = 4 * (uint32_t)b;
    p->reach[row] = g->sphere[4 * (size_t)one + 3] + g->sphere[4 * (size_t)other + 3]; // their radii: pairs_query
    if (p->material_step)
        put_material(p, row, material_between(w, material_of(collision, a), material_of(collision, b)));
    float sign = 1.0f; // the tangential multiplier acts on the first particle
    const carry *c = &t->carry;
    const float *old = c->count[a] ? carry_find(c, a, b) : NULL;
    if (!old && c->count[b])
    {
        old = carry_find(c, b, a);
        sign = -1.0f;
    }
    old = old && (p->carried || old[0] > 0.0f) ? old : NULL; // without restitution there are no impacts
    p->lambda[0][row] = old ? old[0] : 0.0f;
    for (int l = 1; l < 4; l++)
        p->lambda[l][row] = old ? sign * old[l] : 0.0f;
    if (p->carried)
        p->carried[row] = 0.0f;
}

// Padding repeats the lane's own last pair, which no other lane or worker uses at the same time, with a reach that
// makes it inactive.
static void put_nothing(pl_world *w, int64_t row, int64_t last)
{
    packed_pairs *p = &w->state.pairs;
    uint32_t dummy = 4 * (uint32_t)(w->dummy + w->order.tiles);
    for (int i = 0; i < 2; i++)
        p->index[i][row] = last < 0 ? dummy : p->index[i][last];
    p->reach[row] = -1e30f;
    for (int l = 0; l < 4; l++)
        p->lambda[l][row] = 0.0f;
    if (p->carried)
        p->carried[row] = 0.0f;
    if (p->material_step)
        put_material(p, row, (pl_material){0});
}

static void fill_groups(void *arg, int64_t begin, int64_t end)
{
    pl_world *w = arg;
    const contacts *t = &w->contacts;
    const blocks *b = &t->blocks;
    const int64_t step = w->state.pairs.step;
    for (int64_t g = begin; g < end; g++)
        for (int lane = 0; lane < BLOCK_LANES; lane++)
        {
            int32_t block = b->member[g * BLOCK_LANES + lane],
                    count = block < 0 ? 0 : b->start[block + 1] - b->start[block];
            int64_t row = (int64_t)b->row[g] * step + lane, last = -1, end_row = (int64_t)b->row[g + 1] * step;
            for (int32_t k = 0; k < count; k++, last = row, row += step)
                put_pair(w, t->sorted.value[b->start[block] + k], row);
            for (; row < end_row; row += step)
                put_nothing(w, row, last);
        }
}

// With one slab, each colour is a stage that can be divided anywhere. With several slabs, the first stage has all even
// layers and the fifth all odd layers.
static void choose_stages(const contacts *t, packed_pairs *p)
{
    const blocks *b = &t->blocks;
    bool slabs = t->slabs > 1;
    for (int c = 0; c <= PAIR_COLOURS; c++)
        p->colour[c] = b->group[!slabs ? c : c == 0 ? 0 : c <= PAIR_COLOURS / 2 ? b->sections / 2 : b->sections];
    p->slab = slabs ? b->group : NULL;
    p->slabs = 2 * t->slabs;
}

static pl_result pack_pairs(pl_world *w, const parallel *threads)
{
    contacts *t = &w->contacts;
    packed_pairs *p = &w->state.pairs;
    p->material_step = !t->one_material;
    arena a = {0};
    lay_out_pairs(w, &a);
    if (t->blocks.row[t->blocks.groups] > t->row_most / p->step)
        return fail(PL_ERROR_MEMORY, "%lld pairs of particles are near each other, more than fit; use smaller radii",
                    (long long)t->neighbours.pairs);
    pl_result result = array_reserve(&w->memory, &t->packing, &t->packing_capacity, (int64_t)a.used + 64, 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->row, &t->row_capacity, t->neighbours.pairs, sizeof *t->row);
    if (result != PL_OK)
        return result;
    a = (arena){t->packing, 0};
    lay_out_pairs(w, &a);
    p->groups.row = t->blocks.row;
    choose_stages(t, p);
    p->all[0] = 0;
    p->all[1] = t->blocks.groups;
    if (t->one_material && t->colliders)
    {
        int m = material_of(w->state.slot[SLOT_COLLISION], t->collider[0]);
        for (int i = 0; i < PAD; i++)
            put_material(p, i, material_between(w, m, m));
    }
    parallel_for(threads, fill_groups, w, t->blocks.groups, 4);
    return PL_OK;
}

// Finds the unit (even slab) of each slot.
static void find_units(void *arg, int64_t begin, int64_t end)
{
    const contacts *t = arg;
    const neighbour_list *g = &t->neighbours;
    for (int64_t i = begin; i < end; i++)
        t->unit[g->sorted.value[i]] = (int32_t)(g->sorted.key[i] >> (g->bits[0] + g->bits[1]) >> 1 >> t->slab_bits);
}

// Finds the lowest and the highest unit of the slots in each stretch.
static void find_stretches(void *arg, int64_t begin, int64_t end)
{
    pl_world *w = arg;
    const contacts *t = &w->contacts;
    const packed_stretches *p = &w->state.stretches;
    for (int64_t i = begin; i < end; i++)
    {
        int64_t from = i * SLOT_STRETCH,
                to = from + SLOT_STRETCH < w->state.particles ? from + SLOT_STRETCH : w->state.particles;
        int32_t low = from < to ? t->slabs : 0, high = from < to ? 0 : t->slabs;
        for (int64_t slot = from; slot < to; slot++)
        {
            low = t->unit[slot] < low ? t->unit[slot] : low;
            high = t->unit[slot] > high ? t->unit[slot] : high;
        }
        p->low[i] = high == t->slabs ? 0 : low;
        p->high[i] = high;
    }
}

// Counting sort of the stretches by unit: `item` lists them, `start` has the first of each unit.
static void sort_stretches(const int32_t *by, int32_t count, int32_t units, int32_t *start, int32_t *item)
{
    memset(start, 0, (size_t)(units + 2) * sizeof *start);
    for (int32_t i = 0; i < count; i++)
        start[by[i] + 1]++;
    for (int32_t u = 0; u <= units; u++)
        start[u + 1] += start[u];
    for (int32_t i = 0; i < count; i++)
        item[start[by[i]]++] = i;
    memmove(start + 1, start, (size_t)(units + 1) * sizeof *start);
    start[0] = 0;
}

static pl_result list_stretches(pl_world *w, const parallel *threads)
{
    contacts *t = &w->contacts;
    packed_stretches *p = &w->state.stretches;
    int32_t n = (w->state.slots + SLOT_STRETCH - 1) / SLOT_STRETCH, starts = t->slabs + 2;
    pl_result result = array_reserve(&w->memory, &t->stretches, &t->stretch_capacity, 4 * (int64_t)n + 2 * starts,
                                     sizeof *t->stretches);
    if (result != PL_OK)
        return result;
    int32_t *m = t->stretches;
    *p = (packed_stretches){n, m, m + n, m + 4 * n, m + 2 * n, m + 4 * n + starts, m + 3 * n};
    parallel_for(threads, find_stretches, w, n, 4);
    sort_stretches(p->low, n, t->slabs, p->low_start, p->low_item);
    sort_stretches(p->high, n, t->slabs, p->high_start, p->high_item);
    return PL_OK;
}

// When pairs lie in slabs, lists which slots are in which unit (even slab) of cells.
static pl_result list_units(pl_world *w, const parallel *threads)
{
    contacts *t = &w->contacts;
    w->state.stretches.count = 0;
    if (t->slabs <= 1)
        return PL_OK;
    pl_result result = array_reserve(&w->memory, &t->unit, &t->unit_capacity, w->state.slots, sizeof *t->unit);
    for (int32_t slot = 0; result == PL_OK && slot < w->state.slots && t->colliders < w->state.particles; slot++)
        t->unit[slot] = t->slabs;
    if (result != PL_OK)
        return result;
    parallel_for(threads, find_units, t, t->neighbours.count, 4096);
    return list_stretches(w, threads);
}

neighbour_query pairs_query(const pl_world *w, const float *from, float margin)
{
    const contacts *t = &w->contacts;
    return (neighbour_query){.x = from,
                             .mass = w->state.slot[SLOT_D],
                             .collision = w->state.slot[SLOT_COLLISION],
                             .rest = w->state.slot[SLOT_REST],
                             .slot = t->collider,
                             .count = t->colliders,
                             .scale = 1.0f,
                             .reach = t->radius,
                             .margin = margin,
                             .filter = NEIGHBOURS_CONTACT};
}

pl_result pairs_build(pl_world *w, const float *from)
{
    contacts *t = &w->contacts;
    parallel threads = cpu_parallel(&w->cpu);
    pl_result result = t->listed ? carry_list(w, &threads) : carry_kept(w, &t->carry, &t->kept, true);
    if (result != PL_OK)
        return result;
    // The old list is overwritten from here on: after a failure the multipliers start at 0.
    t->listed = false;
    t->kept.count = 0;
    neighbour_query q = pairs_query(w, from, t->margin);
    result = neighbours_build(&t->neighbours, &w->memory, &q, &threads);
    if (result == PL_OK)
        result = sort_pairs(w, &threads);
    if (result == PL_OK)
        result = list_units(w, &threads);
    return result == PL_OK ? pack_pairs(w, &threads) : result;
}
