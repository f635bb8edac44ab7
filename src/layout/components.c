// components.c: finds the components of a world: the free particles that rows and volumes connect. They keep their
// momentum and angular momentum (stages/component_stages.h) if nothing outside holds them. What is held can exchange
// both with what holds it, so it is not listed and costs nothing.
//
// A particle of infinite mass, the target of a pin and the fixed end of a tether hold what they are connected with;
// they do not connect it with each other. So does the lock of a rigid body. A particle with a frame has a spin of its
// own, with which constraints exchange angular momentum: what contains one (an oriented particle, a rigid body) is
// listed only if something is attached to it.
#include "core/union_find.h"
#include "layout/colour.h"
#include "layout/components.h"

#include <string.h>

static bool is_free(const pl_world *w, int32_t slot) { return inverse_mass(w, slot) > 0.0f; }

static void mark(components *c, int32_t slot, int bits)
{
    uint8_t *held = &c->held[union_find(c->set, slot)];
    *held = (uint8_t)(*held | bits);
}

static void hold(components *c, int32_t slot) { mark(c, slot, COMPONENT_HELD); }

// Connects the first `moved` slots, as far as they are free.
static void connect(const pl_world *w, components *c, const int32_t *slots, int moved)
{
    int32_t first = -1;
    for (int i = 0; i < moved; i++)
        if (is_free(w, slots[i]))
        {
            if (first >= 0)
                union_join(c->set, first, slots[i]);
            first = slots[i];
        }
}

// Marks the component of the first `moved` slots as held if one of them is not free, or if there are others.
static void hold_by(const pl_world *w, components *c, const int32_t *slots, int moved, int count)
{
    int32_t free_slot = -1;
    bool held = count > moved;
    for (int i = 0; i < moved; i++)
        if (is_free(w, slots[i]))
            free_slot = slots[i];
        else
            held = true;
    if (held && free_slot >= 0)
        hold(c, free_slot);
}

// Finds the slots of a row's particles, without those that only fill up a patch (elements/patch_volume.h); returns how
// many there are.
static int find_row_slots(const pl_world *w, int kind, int64_t row, int32_t *slots)
{
    const kind_facts *k = facts_of(kind);
    int count = 0;
    row_slots(w, kind, row, slots);
    for (int i = 0; i < k->info.arity; i++)
    {
        bool acts = true;
        if (k->rule == PARAM_PATCH && i > 0)
        {
            const float *b = w->rows[kind].param + row * k->info.params + 3 * (i - 1);
            acts = b[0] != 0.0f || b[1] != 0.0f || b[2] != 0.0f;
        }
        if (acts)
            slots[count++] = slots[i];
    }
    return count;
}

// Gears, racks and pulleys have axes and points in the world.
static bool pushes_world(int kind) { return kind == PL_KIND_GEAR || kind == PL_KIND_RACK || kind == PL_KIND_PULLEY; }

static void visit_rows(const pl_world *w, components *c, int kind, bool holds)
{
    const rows *r = &w->rows[kind];
    const kind_facts *k = facts_of(kind);
    for (int64_t row = 0; row < r->count; row++)
    {
        int32_t slots[PL_MAX_ARITY];
        if (row_broken(r, row))
            continue;
        int count = find_row_slots(w, kind, row, slots), moved = count - (k->info.arity - k->writes);
        if (!holds)
            connect(w, c, slots, moved);
        else if (kind == PL_KIND_PIN)
            hold(c, slots[0]);
        else if (pushes_world(kind))
            hold(c, slots[0]), hold(c, slots[1]);
        else
            hold_by(w, c, slots, moved, count);
        for (int i = 0; holds && k->frames && i < k->info.arity; i++)
            mark(c, slots[i], COMPONENT_FRAMED | (k->rule == PARAM_ATTACH ? COMPONENT_ATTACHED : 0));
    }
}

static void visit_frames(const pl_world *w, components *c)
{
    for (int64_t i = 0; i < w->oriented.count; i++)
        mark(c, w->numbers.slot_of[w->oriented.member[i]], COMPONENT_FRAMED);
    for (int64_t i = 0; i < w->rigids.count; i++)
        if (w->rigids.form[i].locks)
            hold(c, w->numbers.slot_of[w->rigids.member[w->rigids.start[i]]]);
}

// A component with frames is listed only if it has attachments: each joint keeps both momenta by itself, but the cloth
// on a body does not.
static bool is_listed(int bits)
{
    return !(bits & COMPONENT_HELD) && (!(bits & COMPONENT_FRAMED) || bits & COMPONENT_ATTACHED);
}

static void visit_volumes(const pl_world *w, components *c, bool holds)
{
    const volumes *v = &w->volumes;
    for (int64_t i = 0; i < v->count; i++)
    {
        int32_t last = -1;
        for (int64_t k = 3 * (int64_t)v->start[i]; k < 3 * (int64_t)v->start[i + 1]; k++)
        {
            int32_t slots[2] = {w->numbers.slot_of[v->triangle[k]], last};
            bool moves = is_free(w, slots[0]);
            if (!holds && moves && last >= 0)
                connect(w, c, slots, 2);
            last = moves ? slots[0] : last;
        }
        for (int64_t k = 3 * (int64_t)v->start[i]; holds && last >= 0 && k < 3 * (int64_t)v->start[i + 1]; k++)
            if (!is_free(w, w->numbers.slot_of[v->triangle[k]]))
                hold(c, last);
    }
}

// Numbers the components in the order of their first slots. Single particles and what is held are none. From now
// on `size` is that of each component.
static lists_size number_components(const pl_world *w, components *c)
{
    lists_size size = {0};
    memset(c->size, 0, (size_t)w->used * sizeof *c->size);
    for (int32_t slot = 0; slot < w->used; slot++)
        c->size[union_find(c->set, slot)]++;
    c->count = 0;
    c->frames = false;
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        int32_t root = union_find(c->set, slot), all = c->size[slot]; // root: the lowest slot, so it has been numbered
        c->of[slot] = root != slot ? c->of[root] : -1;
        if (root != slot || all < 2 || !is_listed(c->held[slot]))
            continue;
        c->frames |= (c->held[slot] & COMPONENT_FRAMED) != 0;
        lists_count(&size, all);
        c->size[c->count] = all; // the count is at most the slot: what is overwritten has been read
        c->of[slot] = c->count++;
    }
    return size;
}

pl_result components_find(pl_world *w, lists_size *size)
{
    components *c = &w->components;
    pl_result result = array_reserve(&w->memory, &c->set, &c->capacity, w->used + 1, sizeof *c->set);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->held, &c->held_capacity, w->used + 1, sizeof *c->held);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->size, &c->size_capacity, w->used + 1, sizeof *c->size);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->of, &c->of_capacity, w->used + 1, sizeof *c->of);
    if (result != PL_OK)
        return result;
    for (int32_t slot = 0; slot < w->used; slot++)
        c->set[slot] = slot, c->held[slot] = 0;
    for (int holds = 0; holds < 2; holds++)
    {
        for (int kind = 0; kind < PL_KIND_COUNT; kind++)
            visit_rows(w, c, kind, holds);
        visit_volumes(w, c, holds);
    }
    visit_frames(w, c);
    *size = number_components(w, c);
    return PL_OK;
}

void components_free(pl_world *w)
{
    components *c = &w->components;
    array_free(&w->memory, &c->set, &c->capacity, sizeof *c->set);
    array_free(&w->memory, &c->held, &c->held_capacity, sizeof *c->held);
    array_free(&w->memory, &c->size, &c->size_capacity, sizeof *c->size);
    array_free(&w->memory, &c->of, &c->of_capacity, sizeof *c->of);
}

void components_list(pl_world *w)
{
    components *c = &w->components;
    packed_lists *l = &w->state.lists[LISTS_COMPONENTS];
    lists_begin(l);
    l->frames = c->frames;
    for (int32_t i = 0; i < c->count; i++)
    {
        lists_add(w, l, c->size[i]);
        c->size[i] = 0;
    }
    for (int32_t slot = 0; slot < w->used; slot++)
        if (c->of[slot] >= 0)
            l->member[l->start[c->of[slot]] + c->size[c->of[slot]]++] = 4 * (uint32_t)slot;
    for (int32_t i = 0; i < c->count; i++)
        l->origin[i] = l->member[l->start[i]];
    lists_end(w, l);
    w->components_stale = false;
}

pl_result components_list_again(pl_world *w, bool *fits)
{
    packed_lists *l = &w->state.lists[LISTS_COMPONENTS];
    lists_size size;
    pl_result result = components_find(w, &size);
    *fits = result == PL_OK && lists_fit(l, size);
    if (!*fits)
        return result;
    int32_t count = l->count, blocks = l->blocks, chunks = l->chunks;
    bool frames = l->frames;
    components_list(w);
    w->plan_stale |= frames != l->frames || count != l->count || blocks != l->blocks || chunks != l->chunks;
    if (count || l->count)
        lists_patch(w, l);
    return PL_OK;
}
