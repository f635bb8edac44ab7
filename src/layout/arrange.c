// arrange.c: sorts loose particles in memory by cell. Loose: no row, face or group names the particle.
//
// Slots are assigned when particles are added or removed (order.c), but loose particles move, and a list of pairs that
// jumps about in memory costs several times as much as one that is read in order. So every 64th frame the loose
// particles are sorted by cell. If too many neighbours in that order are far apart in memory, the particles swap slots:
// the slots of all loose particles are assigned again, by (cell, slot). All other particles keep their slots, so only
// the contact lists become stale. The decision depends on the scene alone: frame, positions, slots.
#include "groups/group.h"
#include "layout/compile.h"
#include "layout/packing.h"
#include "model/particle_lists.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/surface/surfaces.h"
#include "stages/neighbour_validity.h"

#include <string.h>

enum
{
    ARRANGE_EVERY = 64, // frames
    NEAR_SLOTS = 64,    // slots this far apart are a few cache lines apart
    FEW_JUMPS = 16,     // one in this many neighbours may be farther apart
};

// Marks the slots that rows, faces or groups name.
static void mark_held(pl_world *w)
{
    uint8_t *held = w->contacts.held;
    memset(held, 0, (size_t)w->state.particles);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &w->rows[kind];
        for (int64_t i = 0; i < r->count * facts_of(kind)->info.arity; i++)
            held[w->numbers.slot_of[r->index[i]]] = 1;
    }
    for (int64_t i = 0; i < 3 * w->faces.count; i++)
        held[w->numbers.slot_of[w->faces.index[i]]] = 1;
    for (int k = 0; k < GROUP_KINDS; k++)
    {
        group_members all = all_members(w, group_kinds[k]);
        for (int64_t i = 0; i < all.count; i++)
            held[w->numbers.slot_of[all.number[i]]] = 1;
    }
}

// Finds the slots of loose particles that have a radius, and their largest radius.
static pl_result find_loose(pl_world *w, neighbour_query *q)
{
    contacts *t = &w->contacts;
    pl_result result = array_reserve(&w->memory, &t->held, &t->held_capacity, w->state.particles, sizeof *t->held);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->loose, &t->loose_capacity, w->state.particles, sizeof *t->loose);
    if (result != PL_OK || w->state.particles == 0)
        return result;
    mark_held(w);
    for (int32_t slot = 0; slot < w->state.particles; slot++)
    {
        float radius = q->collision[4 * (size_t)slot];
        if (radius <= 0.0f || t->held[slot])
            continue;
        t->loose[q->count++] = slot;
        q->reach = radius > q->reach ? radius : q->reach;
    }
    q->slot = t->loose;
    q->margin = MARGIN_LEAST * q->reach; // the cell size of a pile at rest
    return PL_OK;
}

// Are too many neighbours in the sorted order far apart in memory?
static bool is_scattered(const neighbour_list *g)
{
    int64_t jumps = 0;
    for (int32_t i = 1; i < g->count; i++)
    {
        int32_t far = g->sorted.value[i] - g->sorted.value[i - 1];
        jumps += far > NEAR_SLOTS || far < -NEAR_SLOTS;
    }
    return jumps * FEW_JUMPS > g->count;
}

typedef struct move
{
    const contacts *t;
    float *array;
} move;

// Gathers one slot array into scratch memory, in the sorted order.
static void gather_array(void *arg, int64_t begin, int64_t end)
{
    const move *m = arg;
    for (int64_t i = begin; i < end; i++)
        memcpy(m->t->moving + 16 * i, m->array + 4 * (size_t)m->t->order.sorted.value[i], 16);
}

// Scatters it back to the loose slots.
static void scatter_array(void *arg, int64_t begin, int64_t end)
{
    const move *m = arg;
    for (int64_t i = begin; i < end; i++)
        memcpy(m->array + 4 * (size_t)m->t->loose[i], m->t->moving + 16 * i, 16);
}

// Moves the i-th particle of the sorted order to the i-th loose slot.
static void swap_arrays(pl_world *w, int32_t count, const parallel *threads)
{
    contacts *t = &w->contacts;
    for (int a = 0; a < SLOT_ARRAYS; a++)
    {
        move m = {t, w->state.slot[a]};
        parallel_for(threads, gather_array, &m, count, 4096);
        parallel_for(threads, scatter_array, &m, count, 4096);
    }
    int32_t *number = (int32_t *)(void *)t->moving;
    for (int32_t i = 0; i < count; i++)
        number[i] = w->number_of[t->order.sorted.value[i]];
    for (int32_t i = 0; i < count; i++)
    {
        w->number_of[t->loose[i]] = number[i];
        w->numbers.slot_of[number[i]] = t->loose[i];
    }
    w->numbers.moves++;
}

pl_result arrange(pl_world *w, bool *moved)
{
    contacts *t = &w->contacts;
    parallel threads = cpu_parallel(&w->cpu);
    neighbour_query q = {.x = w->state.slot[SLOT_X], .collision = w->state.slot[SLOT_COLLISION], .scale = 1.0f};
    *moved = false;
    pl_result result = find_loose(w, &q);
    if (result != PL_OK || q.count == 0)
        return result;
    result = neighbours_sort(&t->order, &w->memory, &q, &threads);
    if (result == PL_ERROR_DIVERGED)
        return PL_OK; // too far away for such cells: the contact search reports it if it needs them
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->moving, &t->moving_capacity, 16 * (int64_t)q.count, 1);
    if (result != PL_OK || !is_scattered(&t->order))
        return result;
    result = contacts_keep(w); // stored by particle number, as slots are about to change
    if (result == PL_OK)
        result = surface_keep(w); // surface lists contain free particles too
    if (result == PL_OK)
        result = pull(w, ALL_ARRAYS);
    if (result != PL_OK)
        return result;
    swap_arrays(w, q.count, &threads);
    t->listed = t->resume = false;
    w->surfaces.listed = w->surfaces.resume = false;
    t->stale = true;
    *moved = true;
    return PL_OK;
}

pl_result arrange_now_and_then(pl_world *w)
{
    if (w->frame % ARRANGE_EVERY || w->contacts.colliders == 0)
        return PL_OK;
    bool moved;
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_COLLISION));
    if (result == PL_OK)
        result = arrange(w, &moved);
    if (result != PL_OK || !moved)
        return result;
    w->hole = 0;
    if (w->settings.internal_damping > 0.0f)
        list_objects(w); // compile.c has reserved the memory
    w->objects_stale = w->settings.internal_damping <= 0.0f;
    return w->backend->structure(w);
}
