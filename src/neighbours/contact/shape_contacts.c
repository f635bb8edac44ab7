// shape_contacts.c: finds the particles near each shape and packs these contacts so that a lane takes one particle and
// visits its shapes in order.
#include "core/arena.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"
#include "stages/list_validity.h"

#include <string.h>

// ---- keeping multipliers -------------------------------------------------------------------------------------------

static void keep_one(kept_list *list, int32_t particle, int32_t key, float *const *from, int count, size_t row)
{
    kept k = {particle, key, {0}};
    for (int l = 0; l < count; l++)
        k.lambda[l] = from[l][row];
    list->items[list->count++] = k;
}

// The first part of each shape contact is kept even when it carries no force: a world read from a snapshot must build
// the same list again.
pl_result shape_contacts_keep(pl_world *w)
{
    contacts *t = &w->contacts;
    const packed_shape_contacts *p = &w->state.shape_contacts;
    pl_result result = array_reserve(&w->memory, &t->kept_shape_contacts.items, &t->kept_shape_contacts.capacity,
                                     2 * t->shape_contacts, sizeof(kept));
    if (result != PL_OK)
        return result;
    t->kept_shape_contacts.count = 0;
    for (int32_t slot = 0; slot < w->state.particles && t->shape_contacts; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            size_t row = (size_t)t->near_row[i];
            int32_t particle = w->number_of[slot], part = p->part[row];
            uint32_t id_entry = t->shapes[t->near_shape[i]].id_entry;
            if (particle < 0 || (part > 0 && p->lambda[0][row] == 0.0f))
                continue;
            keep_one(&t->kept_shape_contacts, particle, shape_contact_key(id_entry, part, false), p->lambda, 4, row);
            if (p->lambda[0][row] != 0.0f && solid_parts(&w->state.solids[t->near_shape[i]]) > 1)
                keep_one(&t->kept_shape_contacts, particle, shape_contact_key(id_entry, part, true), p->plane, 3, row);
        }
    return PL_OK;
}

// ---- the search ----------------------------------------------------------------------------------------------------

typedef struct shape_contact_search
{
    pl_world *w;
    int substep;
    float fall;
    bool fill;
} shape_contact_search;

// When a saved world resumes, its shape contacts come from the snapshot instead of a search.
static bool is_wanted(const shape_contact_search *s, int32_t slot, int32_t number)
{
    const contacts *t = &s->w->contacts;
    return t->resume
               ? carry_find(&t->shape_contact_carry, slot, shape_contact_key(t->shapes[number].id_entry, 0, false)) !=
                     NULL
               : is_near(&s->w->state, slot, number, s->substep, s->fall, t->shape_contact_margin, t->stride[number]);
}

enum
{
    BUNCH = 16, // slots tested together: neighbours in memory are mostly neighbours in space
    // Shapes for which the counting pass stores the nearby slots in near_bits, so that the filling pass does not test
    // them again.
    REMEMBERED = 64,
};

typedef struct bunch
{
    vec centre;
    float reach; // radius around the centre of all that any of them could be near
} bunch;

static bunch bunch_of(const shape_contact_search *s, int64_t begin, int64_t end)
{
    float *const *slot = s->w->state.slot, low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f},
                 sight = 0.0f, speed_squared = 0.0f;
    for (int64_t i = begin; i < end; i++)
    {
        const float *x = slot[SLOT_X] + 4 * i, *v = slot[SLOT_V] + 4 * i;
        float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], own = shape_sight(&s->w->state, (int32_t)i);
        speed_squared = square > speed_squared ? square : speed_squared;
        sight = own > sight ? own : sight;
        for (int c = 0; c < 3; c++)
        {
            low[c] = x[c] < low[c] ? x[c] : low[c];
            high[c] = x[c] > high[c] ? x[c] : high[c];
        }
    }
    float most = sight + way_of(&s->w->state, speed_squared, s->fall) + s->w->contacts.shape_contact_margin;
    vec half = vec_of(0.5f * (high[0] - low[0]), 0.5f * (high[1] - low[1]), 0.5f * (high[2] - low[2]));
    vec centre = vec_of(low[0] + half.x, low[1] + half.y, low[2] + half.z);
    // The error of distances is assumed to be at most 1e-5 of the coordinates.
    return (bunch){centre, 1.01f * (length(half) + most) + 1e-5f * length(centre)};
}

// Are all of them too far away? Answers true only for shapes whose distance function is 1-Lipschitz: it grows no faster
// than the distance travelled.
static bool bunch_is_far(const shape_contact_search *s, const bunch *b, int32_t number)
{
    const state *from = &s->w->state;
    const solid *solid = &from->solids[number];
    if (solid->kind >= SOLID_MESH || s->w->contacts.resume)
        return false;
    const placement *pose = from->placements + (size_t)number * (size_t)from->placement_step + s->substep;
    vec p = into_frame(pose, b->centre);
    float reach = b->reach + 1.01f * s->w->contacts.stride[number] + 1e-5f * length(p);
    return probe_solid(from->shape_data, solid, p, reach).distance > reach;
}

// Finds the contacts of shape i with the slots [begin, end). `found` counts the contacts of each slot so far.
static void search_shape(const shape_contact_search *s, int64_t begin, int64_t end, int32_t i, int32_t *found)
{
    contacts *t = &s->w->contacts;
    uint64_t bit = i < REMEMBERED ? (uint64_t)1 << i : 0;
    for (int64_t slot = begin; slot < end; slot++)
    {
        bool wanted = s->fill && bit ? (t->near_bits[slot] & bit) != 0 : is_wanted(s, (int32_t)slot, i);
        if (!wanted)
            continue;
        t->near_bits[slot] |= bit;
        for (int part = 0; part < solid_parts(&s->w->state.solids[i]); part++, found[slot - begin]++)
            if (s->fill)
                t->near_shape[t->near_first[slot] + found[slot - begin]] = i;
    }
}

// The first pass (fill = false) counts the shape contacts of each slot, the second writes them.
static void search_slots(void *arg, int64_t begin, int64_t end)
{
    const shape_contact_search *s = arg;
    contacts *t = &s->w->contacts;
    for (int64_t from = begin; from < end; from += BUNCH)
    {
        int64_t to = from + BUNCH < end ? from + BUNCH : end;
        int32_t found[BUNCH] = {0};
        bunch b = bunch_of(s, from, to);
        for (int64_t slot = from; slot < to && !s->fill; slot++)
            t->near_bits[slot] = 0;
        for (int32_t i = 0; i < t->shape_count; i++)
            if ((s->fill && i < REMEMBERED) || !bunch_is_far(s, &b, i))
                search_shape(s, from, to, i, found);
        for (int64_t slot = from; slot < to && !s->fill; slot++)
            t->near_first[slot] = found[slot - from];
    }
}

// Computes how far each shape moves in the substep.
static pl_result find_strides(pl_world *w, int substep)
{
    contacts *t = &w->contacts;
    pl_result result = array_reserve(&w->memory, &t->stride, &t->stride_capacity, t->shape_count, sizeof *t->stride);
    for (int32_t i = 0; i < t->shape_count && result == PL_OK; i++)
    {
        const placement *from = w->state.placements + (size_t)i * (size_t)w->state.placement_step + substep;
        t->stride[i] = placement_moved(from, from + 1, w->state.solids[i].reach);
    }
    return result;
}

static pl_result find_shape_contacts(pl_world *w, int substep, const parallel *threads)
{
    contacts *t = &w->contacts;
    shape_contact_search s = {w, substep, fall_of(&w->state), false};
    pl_result result = find_strides(w, substep);
    if (result == PL_OK)
        result =
            array_reserve(&w->memory, &t->near_first, &t->near_first_capacity, w->state.particles + 1, sizeof(int32_t));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->near_bits, &t->near_bits_capacity, w->state.particles, sizeof(uint64_t));
    if (result != PL_OK)
        return result;
    parallel_for(threads, search_slots, &s, w->state.particles, 1024);
    t->shape_contacts = 0;
    for (int32_t slot = 0; slot < w->state.particles; slot++)
    {
        int32_t here = t->near_first[slot];
        t->near_first[slot] = (int32_t)t->shape_contacts;
        t->shape_contacts += here;
    }
    t->near_first[w->state.particles] = (int32_t)t->shape_contacts;
    if (t->shape_contacts > INT32_MAX / 64)
        return fail(PL_ERROR_MEMORY, "more than %d particles are near shapes; use fewer particles or shapes",
                    INT32_MAX / 64);
    result = array_reserve(&w->memory, &t->near_shape, &t->near_shape_capacity, t->shape_contacts, sizeof(int32_t));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->near_row, &t->near_row_capacity, t->shape_contacts, sizeof(int32_t));
    s.fill = true;
    if (result == PL_OK)
        parallel_for(threads, search_slots, &s, w->state.particles, 1024);
    return result;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static void lay_out_shape_contacts(pl_world *w, arena *a)
{
    packed_shape_contacts *p = &w->state.shape_contacts;
    int64_t rows = (int64_t)w->contacts.shape_contact_blocks.row[w->contacts.shape_contact_blocks.groups] * PAD;
    p->index = arena_take(a, rows, sizeof(uint32_t));
    p->shape = arena_take(a, rows, sizeof(int32_t));
    p->part = arena_take(a, rows, sizeof(int32_t));
    float **const columns[] = {&p->plane[0],  &p->plane[1],  &p->plane[2],  &p->plane[3],  &p->drift[0],
                               &p->drift[1],  &p->drift[2],  &p->stick,     &p->slide,     &p->bounce,
                               &p->lambda[0], &p->lambda[1], &p->lambda[2], &p->lambda[3], &p->carried};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *columns[i] = arena_take(a, rows, sizeof(float));
}

// Returns the part of a shape contact: the parts of one shape follow each other in the list.
static int part_of(const contacts *t, int32_t at, int32_t slot)
{
    int part = 0;
    while (at - part > t->near_first[slot] && t->near_shape[at - part - 1] == t->near_shape[at])
        part++;
    return part;
}

static void put_shape_contact(pl_world *w, int32_t at, int32_t slot, int64_t row)
{
    contacts *t = &w->contacts;
    packed_shape_contacts *p = &w->state.shape_contacts;
    int32_t number = t->near_shape[at], part = part_of(t, at, slot);
    uint32_t id_entry = t->shapes[number].id_entry;
    pl_material m =
        material_between(w, material_of(w->state.slot[SLOT_COLLISION], slot), w->state.solids[number].material);
    const float *old = carry_find(&t->shape_contact_carry, slot, shape_contact_key(id_entry, part, false));
    const float *normal = carry_find(&t->shape_contact_carry, slot, shape_contact_key(id_entry, part, true));
    t->near_row[at] = (int32_t)row;
    p->index[row] = 4 * (uint32_t)slot;
    p->shape[row] = number;
    p->part[row] = part;
    for (int i = 0; i < 3; i++)
        p->plane[i][row] = normal ? normal[i] : 0.0f;
    p->stick[row] = m.static_friction;
    p->slide[row] = m.kinetic_friction;
    p->bounce[row] = m.restitution;
    old = old && (any_bounce(w) || old[0] > 0.0f) ? old : NULL; // without restitution there are no impacts
    for (int l = 0; l < 4; l++)
        p->lambda[l][row] = old ? old[l] : 0.0f;
    p->carried[row] = 0.0f;
}

static void put_no_shape_contact(pl_world *w, int64_t row, int64_t last)
{
    packed_shape_contacts *p = &w->state.shape_contacts;
    p->index[row] = last < 0 ? 4 * (uint32_t)(w->dummy + w->order.tiles) : p->index[last];
    p->shape[row] = -1;
    p->part[row] = 0;
    p->plane[0][row] = p->plane[1][row] = p->plane[2][row] = 0.0f;
    p->plane[3][row] = -1e30f; // no particle is behind this plane
    p->drift[0][row] = p->drift[1][row] = p->drift[2][row] = 0.0f;
    p->stick[row] = p->slide[row] = p->bounce[row] = 0.0f;
    for (int l = 0; l < 4; l++)
        p->lambda[l][row] = 0.0f;
    p->carried[row] = 0.0f;
}

static void fill_shape_contact_groups(void *arg, int64_t begin, int64_t end)
{
    pl_world *w = arg;
    const contacts *t = &w->contacts;
    const blocks *b = &t->shape_contact_blocks;
    for (int64_t g = begin; g < end; g++)
        for (int lane = 0; lane < BLOCK_LANES; lane++)
        {
            int32_t block = b->member[g * BLOCK_LANES + lane],
                    count = block < 0 ? 0 : b->start[block + 1] - b->start[block];
            int64_t row = (int64_t)b->row[g] * PAD + lane, last = -1, end_row = (int64_t)b->row[g + 1] * PAD;
            int32_t at = block < 0 ? 0 : t->shape_contact_sorted.value[b->start[block]];
            for (int32_t k = 0; k < count; k++, last = row, row += PAD)
                put_shape_contact(w, at + k, (int32_t)(uint32_t)t->shape_contact_sorted.key[b->start[block]], row);
            for (; row < end_row; row += PAD)
                put_no_shape_contact(w, row, last);
        }
}

static void make_shape_contact_keys(void *arg, int64_t begin, int64_t end)
{
    const contacts *t = arg;
    for (int64_t slot = begin; slot < end; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            t->shape_contact_sorted.key[i] = (uint64_t)(t->slabs > 1 ? t->unit[slot] : 0) << 32 | (uint64_t)slot;
            t->shape_contact_sorted.value[i] = i;
        }
}

// A block holds the shape contacts of one particle. When pairs lie in slabs, the blocks are sorted by unit.
static pl_result group_shape_contacts(pl_world *w, const parallel *threads)
{
    contacts *t = &w->contacts;
    pl_result result =
        sortable_reserve(&w->memory, &t->shape_contact_sorted, t->shape_contact_sorted_capacity, t->shape_contacts);
    if (result != PL_OK)
        return result;
    parallel_for(threads, make_shape_contact_keys, t, w->state.particles, 4096);
    int32_t sections = t->slabs > 1 ? t->slabs + 1 : 1;
    if (t->slabs > 1) // slots are already in order
        radix_sort_from(&t->shape_contact_sorted, t->shape_contacts, 32, 32 + cell_bits(t->slabs), threads);
    result = blocks_find(&t->shape_contact_blocks, &w->memory, t->shape_contact_sorted.key, t->shape_contacts, 32,
                         sections, threads);
    if (result == PL_OK)
        result = blocks_group(&t->shape_contact_blocks, &w->memory, threads);
    w->state.shape_contacts.unit = t->slabs > 1 ? t->shape_contact_blocks.group : NULL;
    return result;
}

pl_result shape_contacts_build(pl_world *w, int substep)
{
    contacts *t = &w->contacts;
    parallel threads = cpu_parallel(&w->cpu);
    pl_result result = carry_kept(w, &t->shape_contact_carry, &t->kept_shape_contacts, false);
    if (result == PL_OK)
        result = find_shape_contacts(w, substep, &threads);
    if (result == PL_OK)
        result = group_shape_contacts(w, &threads);
    if (result != PL_OK)
        return result;
    t->kept_shape_contacts.count = 0;
    arena a = {0};
    lay_out_shape_contacts(w, &a);
    result = array_reserve(&w->memory, &t->shape_contact_packing, &t->shape_contact_packing_capacity,
                           (int64_t)a.used + 64, 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->built, &t->built_capacity, t->shape_count, sizeof *t->built);
    if (result != PL_OK)
        return result;
    a = (arena){t->shape_contact_packing, 0};
    lay_out_shape_contacts(w, &a);
    w->state.shape_contacts.groups.row = t->shape_contact_blocks.row;
    w->state.shape_contacts.near_first = t->shape_count ? t->near_first : NULL;
    w->state.shape_contacts.near_row = t->near_row;
    w->state.shape_contacts.range[0] = 0;
    w->state.shape_contacts.range[1] = t->shape_contact_blocks.groups;
    parallel_for(&threads, fill_shape_contact_groups, w, t->shape_contact_blocks.groups, 4);
    for (int32_t i = 0; i < t->shape_count && !t->resume; i++)
        t->built[i] = w->state.placements[(size_t)i * (size_t)w->state.placement_step + (size_t)substep];
    return PL_OK;
}
