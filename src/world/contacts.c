// contacts.c: looking for particles near each other, and packing them into the order in which they are visited.
//
//   carry the multipliers over -> cells, sort, neighbours (collide/grid.c) -> sort pairs by block -> groups (collide/blocks.c) -> rows
//
// A pair belongs to the 2 x 2 x 2 block of cells whose corner is the component-wise minimum of its two cells. Blocks whose corners
// have the same parity share no cell, hence no particle: eight colours, although both particles move. The order in which pairs
// meet is part of the scene (docs/architecture.md): colours in order; inside a block by the places of the first particle, then of
// the second, in the order of (cell, slot).
#include "core/arena.h"
#include "world/world.h"

#include <string.h>

static crew hands_of(pl_world *w) { return cpu_crew(&w->cpu); }

// ---- carrying ------------------------------------------------------------------------------------------------------

pl_result carry_open(carry *c, memory *m, int32_t slots, int64_t entries)
{
    pl_result r = array_reserve(m, &c->first, &c->first_capacity, slots, sizeof *c->first);
    if (r == PL_OK)
        r = array_reserve(m, &c->count, &c->count_capacity, slots, sizeof *c->count);
    if (r == PL_OK)
        r = array_reserve(m, &c->other, &c->other_capacity, entries, sizeof *c->other);
    if (r == PL_OK)
        r = array_reserve(m, &c->lambda, &c->lambda_capacity, 4 * entries, sizeof *c->lambda);
    if (r == PL_OK && slots)
        memset(c->count, 0, (size_t)slots * sizeof *c->count);
    c->entries = 0;
    return r;
}

void carry_free(carry *c, memory *m)
{
    array_free(m, &c->first, &c->first_capacity, sizeof *c->first);
    array_free(m, &c->count, &c->count_capacity, sizeof *c->count);
    array_free(m, &c->other, &c->other_capacity, sizeof *c->other);
    array_free(m, &c->lambda, &c->lambda_capacity, sizeof *c->lambda);
}

const float *carry_find(const carry *c, int32_t slot, int32_t other)
{
    for (int32_t i = c->first[slot]; i < c->first[slot] + c->count[slot]; i++)
        if (c->other[i] == other)
            return c->lambda + 4 * (size_t)i;
    return NULL;
}

static pl_result carry_list(pl_world *w)
{
    contacts *t = &w->contacts;
    const grid *g = &t->grid;
    carry *c = &t->carry;
    pl_result result = carry_open(c, &w->memory, w->state.slots, g->pairs);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; i < g->count; i++)
    {
        int32_t slot = g->sorted.value[i];
        c->first[slot] = (int32_t)c->entries;
        for (int32_t p = g->first[i]; p < g->first[i + 1]; p++)
        {
            size_t row = (size_t)t->place[p];
            if (w->state.pairs.lambda[0][row] == 0.0f)
                continue;
            c->other[c->entries] = g->sorted.value[g->other[p]];
            for (int l = 0; l < 4; l++)
                c->lambda[4 * c->entries + l] = w->state.pairs.lambda[l][row];
            c->entries++;
        }
        c->count[slot] = (int32_t)c->entries - c->first[slot];
    }
    return PL_OK;
}

pl_result carry_kept(pl_world *w, carry *c, const kept_list *list, bool pairs)
{
    pl_result result = carry_open(c, &w->memory, w->state.slots, list->count);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < list->count; i++)
    {
        int32_t slot = slot_of(w, list->items[i].a);
        if (slot >= 0 && (!pairs || slot_of(w, list->items[i].b) >= 0))
            c->count[slot]++;
    }
    for (int32_t slot = 0; slot < w->state.slots; slot++)
    {
        c->first[slot] = (int32_t)c->entries;
        c->entries += c->count[slot];
        c->count[slot] = 0;
    }
    for (int64_t i = 0; i < list->count; i++)
    {
        int32_t slot = slot_of(w, list->items[i].a);
        int32_t other = pairs ? slot_of(w, list->items[i].b) : list->items[i].b;
        if (slot < 0 || other < 0)
            continue;
        int32_t at = c->first[slot] + c->count[slot]++;
        c->other[at] = other;
        memcpy(c->lambda + 4 * (size_t)at, list->items[i].lambda, sizeof list->items[i].lambda);
    }
    return PL_OK;
}

pl_result contacts_keep(pl_world *w)
{
    contacts *t = &w->contacts;
    if (!t->listed)
        return PL_OK; // what is kept already is all there is
    const grid *g = &t->grid;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_CONTACTS));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->kept.items, &t->kept.capacity, g->pairs, sizeof(kept));
    if (result != PL_OK)
        return result;
    t->kept.count = 0;
    for (int64_t p = 0; p < g->pairs; p++)
    {
        size_t row = (size_t)t->place[p];
        kept k = {w->number_of[g->sorted.value[g->one[p]]], w->number_of[g->sorted.value[g->other[p]]], {0}};
        for (int l = 0; l < 4; l++)
            k.lambda[l] = w->state.pairs.lambda[l][row];
        if (k.lambda[0] != 0.0f && k.a >= 0 && k.b >= 0)
            t->kept.items[t->kept.count++] = k;
    }
    return touches_keep(w);
}

void contacts_forget(pl_world *w)
{
    contacts *t = &w->contacts;
    skin_forget(w);
    t->kept.count = t->kept_touches.count = 0;
    t->listed = false;
    t->stale = true;
    t->resume = false;
}

// ---- which particles collide ---------------------------------------------------------------------------------------

static pl_result find_crowd(pl_world *w)
{
    contacts *t = &w->contacts;
    const float *grain = w->state.slot[SLOT_GRAIN];
    pl_result result = array_reserve(&w->memory, &t->collider, &t->collider_capacity, w->live, sizeof *t->collider);
    if (result != PL_OK)
        return result;
    t->colliders = 0;
    t->radius = 0.0f;
    t->one_material = true;
    for (int32_t slot = 0; slot < w->live; slot++)
    {
        float radius = grain[4 * (size_t)slot];
        if (!is_grain(grain, slot)) // skins are met as surfaces
            continue;
        t->collider[t->colliders++] = slot;
        t->radius = radius > t->radius ? radius : t->radius;
        t->one_material &= material_of(phase_of(grain, slot)) == material_of(phase_of(grain, t->collider[0]));
    }
    t->crowd_stale = false;
    t->crowds++;
    return PL_OK;
}

pl_result contacts_compile(pl_world *w)
{
    contacts *t = &w->contacts;
    int32_t before = t->colliders;
    pl_result result = t->crowd_stale ? find_crowd(w) : PL_OK;
    if (!before != !t->colliders)
        w->plan_stale = true;
    return result == PL_OK ? skin_compile(w) : result;
}

// ---- sorting by block ----------------------------------------------------------------------------------------------

// Blocks with an even z share no cell with each other but those at the same z, and so do those with an odd z: a layer of them
// may run through its four colours before the next layer begins. A slab is a few such layers, so that its particles stay in a
// core's cache through all four: in large scenes the eight colours then walk through memory twice and not eight times. Blocks are
// sorted by (parity of z, slab, colour, z, y, x). How many layers make a slab decides nothing but the time.
enum
{
    SLAB_PAIRS = 16384, // at the least: about 130 KiB of positions
    SLABS_EACH = 8,     // for each worker, or shares would be too uneven
};

static int32_t layers_of(const grid *g)
{
    return g->count ? (int32_t)((g->sorted.key[g->count - 1] >> (g->bits[0] + g->bits[1])) / 2) + 1 : 1;
}

static void choose_slabs(pl_world *w)
{
    contacts *t = &w->contacts;
    int32_t layers = layers_of(&t->grid);
    t->slab_bits = 0;
    while (t->grid.pairs << t->slab_bits < (int64_t)layers * SLAB_PAIRS && layers >> t->slab_bits)
        t->slab_bits++;
    if (layers >> t->slab_bits < SLABS_EACH * w->cpu.pieces)
        t->slab_bits = t->grid.bits[2]; // all in one
    t->slabs = (layers - 1) / (1 << t->slab_bits) + 1;
}

static void make_block_keys(void *arg, int64_t begin, int64_t end)
{
    contacts *t = arg;
    const grid *g = &t->grid;
    uint64_t in_slab = ((uint64_t)1 << t->slab_bits) - 1;
    for (int64_t p = begin; p < end; p++)
    {
        uint64_t corner[3];
        block_corner(g->sorted.key[g->one[p]], g->sorted.key[g->other[p]], g->bits, corner);
        uint64_t layer = corner[2] >> 1;
        uint64_t key = (corner[2] & 1) * (uint64_t)t->slabs + (layer >> t->slab_bits);
        key = key << 2 | (corner[1] & 1) << 1 | (corner[0] & 1);
        key = key << t->slab_bits | (layer & in_slab);
        key = key << g->bits[1] | corner[1] >> 1;
        t->sorted.key[p] = key << g->bits[0] | corner[0] >> 1;
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

static pl_result sort_pairs(pl_world *w, const crew *hands)
{
    contacts *t = &w->contacts;
    int64_t n = t->grid.pairs, *room = t->sorted_capacity;
    pl_result r = array_reserve(&w->memory, &t->sorted.key, &room[0], n, sizeof(uint64_t));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &t->sorted.value, &room[1], n, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &t->sorted.spare_key, &room[2], room[0], sizeof(uint64_t));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &t->sorted.spare_value, &room[3], room[1], sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &t->sorted.counts, &room[4], radix_chunks(n) * RADIX_DIGITS, sizeof(int32_t));
    if (r != PL_OK)
        return r;
    choose_slabs(w);
    int bits = t->grid.bits[0] + t->grid.bits[1] + t->slab_bits;
    int32_t sections = 8 * t->slabs;
    crew_run(hands, make_block_keys, t, n, 4096);
    radix_sort(&t->sorted, n, n ? bits + bits_below(sections) : 0, hands);
    r = blocks_find(&t->blocks, &w->memory, t->sorted.key, n, bits, sections);
    return r == PL_OK ? blocks_group(&t->blocks, &w->memory, hands) : r;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static void lay_out_pairs(pl_world *w, arena *a)
{
    contacts *t = &w->contacts;
    packed_pairs *p = &w->state.pairs;
    int64_t rows = (int64_t)t->blocks.row[t->blocks.groups] * PAD, materials = p->material_step ? rows : PAD;
    for (int i = 0; i < 2; i++)
        p->index[i] = arena_take(a, rows, sizeof(uint32_t));
    p->reach = arena_take(a, rows, sizeof(float));
    p->stick = arena_take(a, materials, sizeof(float));
    p->slide = arena_take(a, materials, sizeof(float));
    p->bounce = arena_take(a, materials, sizeof(float));
    for (int i = 0; i < 4; i++)
        p->lambda[i] = arena_take(a, rows, sizeof(float));
}

pl_material between_grains(pl_material m)
{
    float left = ROLLING_LEAVES + (1.0f - ROLLING_LEAVES) * m.rolling;
    m.static_friction *= left;
    m.kinetic_friction *= left;
    return m;
}

static void put_material(packed_pairs *p, int64_t row, pl_material m)
{
    m = between_grains(m);
    p->stick[row] = m.static_friction;
    p->slide[row] = m.kinetic_friction;
    p->bounce[row] = m.restitution;
}

static void put_pair(pl_world *w, int64_t pair, int64_t row)
{
    const contacts *t = &w->contacts;
    const grid *g = &t->grid;
    packed_pairs *p = &w->state.pairs;
    const float *grain = w->state.slot[SLOT_GRAIN];
    int32_t a = g->sorted.value[g->one[pair]], b = g->sorted.value[g->other[pair]];
    t->place[pair] = (int32_t)row;
    p->index[0][row] = 4 * (uint32_t)a;
    p->index[1][row] = 4 * (uint32_t)b;
    p->reach[row] = grain[4 * (size_t)a] + grain[4 * (size_t)b];
    if (p->material_step)
        put_material(p, row, material_between(w, material_of(phase_of(grain, a)), material_of(phase_of(grain, b))));
    float sign = 1.0f; // the tangential multiplier is seen from the first particle
    const float *old = carry_find(&t->carry, a, b);
    if (!old)
    {
        old = carry_find(&t->carry, b, a);
        sign = -1.0f;
    }
    p->lambda[0][row] = old ? old[0] : 0.0f;
    for (int l = 1; l < 4; l++)
        p->lambda[l][row] = old ? sign * old[l] : 0.0f;
}

// Padding repeats the lane's own last pair, which no other lane or worker touches meanwhile, out of reach.
static void put_nothing(pl_world *w, int64_t row, int64_t last)
{
    packed_pairs *p = &w->state.pairs;
    uint32_t dummy = 4 * (uint32_t)(w->dummy + w->order.tiles);
    for (int i = 0; i < 2; i++)
        p->index[i][row] = last < 0 ? dummy : p->index[i][last];
    p->reach[row] = -1e30f;
    for (int l = 0; l < 4; l++)
        p->lambda[l][row] = 0.0f;
    if (p->material_step)
        put_material(p, row, (pl_material){0});
}

static void fill_groups(void *arg, int64_t begin, int64_t end)
{
    pl_world *w = arg;
    const contacts *t = &w->contacts;
    const blocks *b = &t->blocks;
    for (int64_t g = begin; g < end; g++)
        for (int lane = 0; lane < BLOCK_LANES; lane++)
        {
            int32_t block = b->member[g * BLOCK_LANES + lane],
                    count = block < 0 ? 0 : b->start[block + 1] - b->start[block];
            int64_t row = (int64_t)b->row[g] * PAD + lane, last = -1, end_row = (int64_t)b->row[g + 1] * PAD;
            for (int32_t k = 0; k < count; k++, last = row, row += PAD)
                put_pair(w, t->sorted.value[b->start[block] + k], row);
            for (; row < end_row; row += PAD)
                put_nothing(w, row, last);
        }
}

// One slab: a stage a colour, cut anywhere. Several: all even layers in the first stage, all odd ones in the fifth.
static void choose_stages(const contacts *t, packed_pairs *p)
{
    const blocks *b = &t->blocks;
    bool slabs = t->slabs > 1;
    for (int c = 0; c <= PAIR_COLOURS; c++)
        p->colour[c] = b->group[!slabs ? c : c == 0 ? 0 : c <= PAIR_COLOURS / 2 ? b->sections / 2 : b->sections];
    p->slab = slabs ? b->group : NULL;
    p->slabs = 2 * t->slabs;
}

static pl_result pack_pairs(pl_world *w, const crew *hands)
{
    contacts *t = &w->contacts;
    packed_pairs *p = &w->state.pairs;
    p->material_step = !t->one_material;
    arena a = {0};
    lay_out_pairs(w, &a);
    pl_result result = array_reserve(&w->memory, &t->packing, &t->packing_capacity, (int64_t)a.used + 64, 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->place, &t->place_capacity, t->grid.pairs, sizeof *t->place);
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
        int m = material_of(phase_of(w->state.slot[SLOT_GRAIN], t->collider[0]));
        for (int i = 0; i < PAD; i++)
            put_material(p, i, material_between(w, m, m));
    }
    crew_run(hands, fill_groups, w, t->blocks.groups, 4);
    return PL_OK;
}

static pl_result build_pairs(pl_world *w, const float *from)
{
    contacts *t = &w->contacts;
    crew hands = hands_of(w);
    pl_result result = t->listed ? carry_list(w) : carry_kept(w, &t->carry, &t->kept, true);
    if (result != PL_OK)
        return result;
    // From here on the old list is gone: after a failure the multipliers start at 0.
    t->listed = false;
    t->kept.count = 0;
    crowd c = {from,     w->state.slot[SLOT_GRAIN], w->state.slot[SLOT_REST], t->collider, t->colliders, t->radius,
               t->margin};
    result = grid_build(&t->grid, &w->memory, &c, &hands);
    if (result == PL_OK)
        result = sort_pairs(w, &hands);
    return result == PL_OK ? pack_pairs(w, &hands) : result;
}

// ---- when ----------------------------------------------------------------------------------------------------------

static void measure_speed(pl_world *w)
{
    float most = 0.0f;
    for (int32_t i = 0; i < w->live; i++)
    {
        const float *v = w->state.slot[SLOT_V] + 4 * (size_t)i;
        float speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        most = speed > most ? speed : most;
    }
    w->flow.speed = most;
}

// How far a particle may come in the substep to come.
static float stride_of(const pl_world *w) { return way_of(&w->state, w->flow.speed, fall_of(&w->state)); }

static bool still_holds(const pl_world *w, int substep)
{
    const contacts *t = &w->contacts;
    if (t->stale || !t->listed)
        return false;
    float stride = stride_of(w), come = root(w->flow.moved) + stride;
    margins m = {t->margin, t->touch_margin};
    return lists_hold(come, t->colliders > 0, t->shape_count > 0, m, margins_for(stride, t->radius),
                      shapes_moved(w, substep));
}

static void choose_margins(pl_world *w)
{
    contacts *t = &w->contacts;
    margins m = margins_for(stride_of(w), t->radius);
    t->margin = m.pairs;
    t->touch_margin = m.touches;
}

static pl_result build_lists(pl_world *w, int substep)
{
    contacts *t = &w->contacts;
    pl_result result = events_flush(w);
    if (result == PL_OK)
        result = touches_build(w, substep);
    if (result == PL_OK)
        result = build_pairs(w, w->state.slot[SLOT_BUILD]);
    t->listed = result == PL_OK;
    t->resume = false;
    return result;
}

pl_result contacts_refresh(pl_world *w, int substep)
{
    contacts *t = &w->contacts;
    pl_result result = PL_OK;
    bool stale = t->stale;
    if (t->resume)
        result =
            build_lists(w, substep); // the lists that the saved world had, from the positions at which it made them
    if (result == PL_OK && t->stale)
        measure_speed(w);
    if (result == PL_OK && !still_holds(w, substep))
    {
        choose_margins(w);
        memcpy(w->state.slot[SLOT_BUILD], w->state.slot[SLOT_X], 16 * (size_t)w->state.slots);
        result = build_lists(w, substep);
        t->stale = false;
    }
    w->flow.moved = w->flow.speed = 0.0f;
    return result == PL_OK ? skin_refresh(w, stale) : result;
}

void contacts_free(pl_world *w)
{
    contacts *t = &w->contacts;
    memory *m = &w->memory;
    skin_free(w);
    shapes_free(w);
    array_free(m, &w->state.solids, &t->solid_capacity, sizeof(solid));
    array_free(m, &w->state.placements, &t->placement_capacity, sizeof(placement));
    array_free(m, &t->built, &t->built_capacity, sizeof(placement));
    array_free(m, &t->stride, &t->stride_capacity, sizeof(float));
    array_free(m, &t->collider, &t->collider_capacity, sizeof(int32_t));
    grid_free(&t->grid, m);
    grid_free(&t->order, m);
    array_free(m, &t->held, &t->held_capacity, sizeof *t->held);
    array_free(m, &t->loose, &t->loose_capacity, sizeof *t->loose);
    array_free(m, &t->moving, &t->moving_capacity, 1);
    blocks_free(&t->blocks, m);
    array_free(m, &t->sorted.key, &t->sorted_capacity[0], sizeof(uint64_t));
    array_free(m, &t->sorted.value, &t->sorted_capacity[1], sizeof(int32_t));
    array_free(m, &t->sorted.spare_key, &t->sorted_capacity[2], sizeof(uint64_t));
    array_free(m, &t->sorted.spare_value, &t->sorted_capacity[3], sizeof(int32_t));
    array_free(m, &t->sorted.counts, &t->sorted_capacity[4], sizeof(int32_t));
    array_free(m, &t->place, &t->place_capacity, sizeof(int32_t));
    array_free(m, &t->packing, &t->packing_capacity, 1);
    carry_free(&t->carry, m);
    array_free(m, &t->kept.items, &t->kept.capacity, sizeof(kept));
    array_free(m, &t->near_first, &t->near_first_capacity, sizeof(int32_t));
    array_free(m, &t->near_shape, &t->near_shape_capacity, sizeof(int32_t));
    array_free(m, &t->near_place, &t->near_place_capacity, sizeof(int32_t));
    blocks_free(&t->touch_blocks, m);
    array_free(m, &t->touch_sorted.key, &t->touch_sorted_capacity, sizeof(uint64_t));
    array_free(m, &t->touch_packing, &t->touch_packing_capacity, 1);
    carry_free(&t->touch_carry, m);
    array_free(m, &t->kept_touches.items, &t->kept_touches.capacity, sizeof(kept));
}
