// contacts.c: decides which particles collide and when the contact lists are built again. pairs.c, shape_contacts.c and
// ../surface/surface_pack.c build and pack the lists.
#include "neighbours/clients/client.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/contact/events.h"
#include "neighbours/surface/surfaces.h"
#include "stages/list_validity.h"

#include <string.h>

// ---- keeping multipliers -------------------------------------------------------------------------------------------

pl_result contacts_keep(pl_world *w)
{
    contacts *t = &w->contacts;
    if (!t->listed)
        return PL_OK; // the kept multipliers are already complete
    const neighbour_list *g = &t->neighbours;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_CONTACTS));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->kept.items, &t->kept.capacity, g->pairs, sizeof(kept));
    if (result != PL_OK)
        return result;
    t->kept.count = 0;
    for (int64_t p = 0; p < g->pairs; p++)
    {
        size_t row = (size_t)t->row[p];
        kept k = {w->number_of[g->sorted.value[g->owner[p]]], w->number_of[g->sorted.value[g->neighbour[p]]], {0}};
        for (int l = 0; l < 4; l++)
            k.lambda[l] = w->state.pairs.lambda[l][row];
        if (k.lambda[0] != 0.0f && k.a >= 0 && k.b >= 0)
            t->kept.items[t->kept.count++] = k;
    }
    return shape_contacts_keep(w);
}

void contacts_forget(pl_world *w)
{
    contacts *t = &w->contacts;
    surface_forget(w);
    t->kept.count = t->kept_shape_contacts.count = 0;
    t->listed = t->sparse = false;
    t->stale = true;
    t->resume = false;
}

// ---- colliding particles -------------------------------------------------------------------------------------------

static pl_result find_colliders(pl_world *w)
{
    contacts *t = &w->contacts;
    const float *collision = w->state.slot[SLOT_COLLISION];
    pl_result result =
        array_reserve(&w->memory, &t->collider, &t->collider_capacity, w->state.particles, sizeof *t->collider);
    if (result != PL_OK)
        return result;
    t->colliders = 0;
    t->radius = 0.0f;
    t->one_material = true;
    bool dry = false; // some particle is not a fluid's
    for (int32_t slot = 0; slot < w->state.particles; slot++)
    {
        float radius = collision[4 * (size_t)slot];
        if (!is_free_particle(collision, slot)) // surface vertices have surface contacts
            continue;
        t->collider[t->colliders++] = slot;
        dry |= !(phase_of(collision, slot) & PHASE_FLUID);
        t->radius = radius > t->radius ? radius : t->radius;
        t->one_material &= material_of(collision, slot) == material_of(collision, t->collider[0]);
    }
    if (!dry && w->surfaces.vertices == 0)
        t->colliders = 0; // particles of fluids are no contact pairs; surfaces stop them
    t->collider_version++;
    result = clients_find(w);
    t->colliders_stale = result != PL_OK;
    float others = clients_radius(w); // all lists have one margin, which grows with the largest radius
    t->radius = others > t->radius ? others : t->radius;
    return result;
}

pl_result contacts_compile(pl_world *w)
{
    contacts *t = &w->contacts;
    bool before = t->colliders || w->client_particles;
    pl_result result = surface_compile(w); // first: it says which particles are surface vertices
    if (result == PL_OK && t->colliders_stale)
        result = find_colliders(w);
    if (before != (t->colliders || w->client_particles))
        w->plan_stale = true;
    // After an edit, new lists are built instead of those of the saved world, which could miss pairs and so lose their
    // multipliers.
    if (t->stale)
        t->resume = w->surfaces.resume = false;
    return result;
}

// ---- list validity -------------------------------------------------------------------------------------------------

// Sets the greatest speed from the velocities: after an edit the maxima of the last substep are out of date.
static void measure_speed(pl_world *w)
{
    float most = 0.0f;
    for (int32_t i = 0; i < w->state.particles; i++)
    {
        const float *v = w->state.slot[SLOT_V] + 4 * (size_t)i;
        float speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        most = speed > most ? speed : most;
    }
    w->flow.far[FAR_SPEED] = most;
}

// Are the lists still valid for the next substep?
static bool still_holds(const pl_world *w, int substep)
{
    const contacts *t = &w->contacts;
    if (t->stale || !t->listed)
        return false;
    travel far = travel_of(&w->state, fall_of(&w->state));
    margins m = {t->margin, t->shape_contact_margin};
    return lists_hold(far, t->colliders + w->client_particles > 0, t->shape_count > 0, m,
                      margins_for(far.stride, t->radius, t->sparse), shapes_moved(w, substep));
}

static void choose_margins(pl_world *w)
{
    contacts *t = &w->contacts;
    margins m = margins_for(travel_of(&w->state, fall_of(&w->state)).stride, t->radius, t->sparse);
    t->margin = m.pairs;
    t->shape_contact_margin = m.shape_contacts;
}

static pl_result build_lists(pl_world *w, int substep)
{
    contacts *t = &w->contacts;
    pl_result result = events_flush(w);
    if (result == PL_OK && t->listed)
        result = shape_contacts_keep(w);
    if (result == PL_OK)
        result = pairs_build(w, w->state.slot[SLOT_BUILD]);
    if (result == PL_OK)
        result = shape_contacts_build(w, substep);
    if (result == PL_OK)
        result = clients_build(w);
    t->listed = result == PL_OK;
    t->sparse = list_is_sparse(t->colliders, t->neighbours.pairs);
    t->resume = false;
    return result;
}

pl_result contacts_refresh(pl_world *w, int substep)
{
    contacts *t = &w->contacts;
    pl_result result = PL_OK;
    bool stale = t->stale;
    // Repeats the lists of the saved world, from the positions at which it made them.
    if (t->resume)
        result = build_lists(w, substep);
    if (result == PL_OK && t->stale)
        measure_speed(w);
    if (result == PL_OK && !still_holds(w, substep))
    {
        choose_margins(w);
        memcpy(w->state.slot[SLOT_BUILD], w->state.slot[SLOT_X], 16 * (size_t)w->state.slots);
        result = build_lists(w, substep);
        t->stale = false;
    }
    travel_forget(&w->state);
    if (result == PL_OK && surface_is_due(w, stale))
        result = events_flush(w);
    return result == PL_OK ? surface_refresh(w, stale) : result;
}

void contacts_free(pl_world *w)
{
    contacts *t = &w->contacts;
    memory *m = &w->memory;
    surfaces_free(w);
    clients_free(w);
    shapes_free(w);
    materials_free(w);
    array_free(m, &w->state.solids, &t->solid_capacity, sizeof(solid));
    array_free(m, &w->state.placements, &t->placement_capacity, sizeof(placement));
    array_free(m, &t->built, &t->built_capacity, sizeof(placement));
    array_free(m, &t->stride, &t->stride_capacity, sizeof(float));
    array_free(m, &t->collider, &t->collider_capacity, sizeof(int32_t));
    neighbours_free(&t->neighbours, m);
    neighbours_free(&t->order, m);
    array_free(m, &t->held, &t->held_capacity, sizeof *t->held);
    array_free(m, &t->loose, &t->loose_capacity, sizeof *t->loose);
    array_free(m, &t->moving, &t->moving_capacity, 1);
    blocks_free(&t->blocks, m);
    sortable_free(m, &t->sorted, t->sorted_capacity);
    array_free(m, &t->row, &t->row_capacity, sizeof(int32_t));
    array_free(m, &t->packing, &t->packing_capacity, 1);
    carry_free(&t->carry, m);
    array_free(m, &t->kept.items, &t->kept.capacity, sizeof(kept));
    array_free(m, &t->near_first, &t->near_first_capacity, sizeof(int32_t));
    array_free(m, &t->near_bits, &t->near_bits_capacity, sizeof(uint64_t));
    array_free(m, &t->near_shape, &t->near_shape_capacity, sizeof(int32_t));
    array_free(m, &t->near_row, &t->near_row_capacity, sizeof(int32_t));
    blocks_free(&t->shape_contact_blocks, m);
    sortable_free(m, &t->shape_contact_sorted, t->shape_contact_sorted_capacity);
    array_free(m, &t->unit, &t->unit_capacity, sizeof(int32_t));
    array_free(m, &t->stretches, &t->stretch_capacity, sizeof(int32_t));
    array_free(m, &t->shape_contact_packing, &t->shape_contact_packing_capacity, 1);
    carry_free(&t->shape_contact_carry, m);
    array_free(m, &t->kept_shape_contacts.items, &t->kept_shape_contacts.capacity, sizeof(kept));
}
