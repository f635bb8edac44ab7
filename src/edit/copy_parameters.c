// copy_parameters.c: copies the parameters of one world into another of the same structure, so that a scene can be
// tuned while it runs.
#include "collide/geometry.h"
#include "groups/group.h"
#include "model/rigid_rest.h"
#include "model/world.h"

#include <string.h>

// ---- comparing the structure ---------------------------------------------------------------------------------------

// World w may have more entries than o.
static bool same_entries(const pl_world *w, const pl_world *o)
{
    if (o->entry_count > w->entry_count)
        return false;
    for (int64_t i = 1; i < o->entry_count; i++)
    {
        const id_entry *a = &w->entries[i], *b = &o->entries[i];
        if (a->type != b->type || a->kind != b->kind || a->owner != b->owner || a->first != b->first ||
            a->count != b->count)
            return false;
    }
    return true;
}

static bool same_rows(const pl_world *w, const pl_world *o)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *a = &w->rows[kind], *b = &o->rows[kind];
        size_t arity = (size_t)facts_of(kind)->info.arity;
        if (b->count > a->count ||
            (b->count && memcmp(a->index, b->index, (size_t)b->count * arity * sizeof *a->index)))
            return false;
    }
    return true;
}

static bool same_vector(pl_vec3 a, pl_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Compares what cannot be changed while a shape exists: its form, its pose and its mask.
static bool same_shape(const pl_shape_def *a, const pl_shape_def *b)
{
    return a->kind == b->kind && same_vector(a->position, b->position) && same_vector(a->half, b->half) &&
           same_vector(a->pivot, b->pivot) && same_vector(a->belt, b->belt) && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z && a->rotation.w == b->rotation.w &&
           a->radius == b->radius && a->length == b->length && a->vertex_count == b->vertex_count &&
           a->triangle_count == b->triangle_count && a->columns == b->columns && a->rows == b->rows &&
           a->spacing == b->spacing && a->memory_limit == b->memory_limit && a->two_sided == b->two_sided &&
           a->inside == b->inside && a->has_pivot == b->has_pivot && a->mask == b->mask &&
           (geometry_bytes(a) == 0 || memcmp(geometry_first(a), geometry_first(b), geometry_bytes(a)) == 0);
}

static bool same_structure(const pl_world *w, const pl_world *o)
{
    if (w->numbers.end != o->numbers.end || w->live != o->live || w->faces.count != o->faces.count ||
        w->contacts.shape_count != o->contacts.shape_count)
        return false;
    for (int32_t n = 0; n < w->numbers.end; n++)
        if ((w->numbers.slot_of[n] < 0) != (o->numbers.slot_of[n] < 0))
            return false;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (!same_shape(&w->contacts.shapes[i].def, &o->contacts.shapes[i].def))
            return false;
    size_t corners = 3 * (size_t)w->faces.count;
    return (corners == 0 || !memcmp(w->faces.index, o->faces.index, corners * sizeof *w->faces.index)) &&
           same_entries(w, o) && same_rows(w, o) && groups_same(w, o);
}

// ---- copying -------------------------------------------------------------------------------------------------------

static void copy_particles(pl_world *w, const pl_world *o)
{
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        if (w->numbers.slot_of[n] < 0)
            continue;
        // Which particles of a fluid are active is part of the state where there are emitters.
        if ((w->emitters.count || w->drains.count) &&
            w->state.slot[SLOT_FLUID][4 * (size_t)w->numbers.slot_of[n]] > 0.0f)
            continue;
        size_t to = 4 * (size_t)w->numbers.slot_of[n], from = 4 * (size_t)o->numbers.slot_of[n];
        float *own = w->state.slot[SLOT_D] + to + 3, *v = w->state.slot[SLOT_V] + to;
        float weight = inverse_mass(o, o->numbers.slot_of[n]);
        if (weight == 0.0f && *own != 0.0f)
            v[0] = v[1] = v[2] = v[3] = 0.0f; // a fixed particle moves by its velocity: stop it where it is
        *own = rigid_set_weight(w, n, weight);
        memcpy(w->state.slot[SLOT_FORCE] + to, o->state.slot[SLOT_FORCE] + from, 4 * sizeof(float));
        memcpy(w->state.slot[SLOT_COLLISION] + to, o->state.slot[SLOT_COLLISION] + from, 3 * sizeof(float));
        memcpy(w->state.slot[SLOT_FLUID] + to + 1, o->state.slot[SLOT_FLUID] + from + 1, 3 * sizeof(float));
        memcpy(w->state.slot[SLOT_LIQUID] + to, o->state.slot[SLOT_LIQUID] + from, 4 * sizeof(float));
        memcpy(w->state.slot[SLOT_FLOW] + to, o->state.slot[SLOT_FLOW] + from, 4 * sizeof(float));
        put_slot_material(w->state.slot[SLOT_COLLISION], (int32_t)(to / 4),
                          material_of(o->state.slot[SLOT_COLLISION], (int32_t)(from / 4)));
    }
    w->state.pushed |= o->state.pushed;
    w->contacts.colliders_stale = w->contacts.stale = w->surfaces.stale = true;
    w->flow.smooth = 0;
    w->components_stale = true;
}

static void copy_row_parameters(pl_world *w, const pl_world *o)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        rows *a = &w->rows[kind];
        const rows *b = &o->rows[kind];
        size_t params = (size_t)facts_of(kind)->info.params;
        if (b->count == 0)
            continue;
        memcpy(a->soft, b->soft, (size_t)b->count * sizeof *a->soft);
        if (kind != PL_KIND_PIN && !a->damage) // a pin's parameters are its position; rows with damage keep their own
            memcpy(a->param, b->param, (size_t)b->count * params * sizeof *a->param);
        w->rows_stale[kind] = true;
    }
}

static void copy_contacts(pl_world *w, const pl_world *o)
{
    contacts *a = &w->contacts;
    const contacts *b = &o->contacts;
    for (int32_t i = 0; i < a->shape_count; i++)
    {
        a->shapes[i].def.velocity = b->shapes[i].def.velocity;
        a->shapes[i].def.spin = b->shapes[i].def.spin;
        a->shapes[i].def.material = b->shapes[i].def.material;
    }
}

pl_result pl_world_copy_parameters(pl_world *w, const pl_world *o, bool *fits)
{
    NEED(w);
    NEED(o);
    NEED(fits);
    const uint32_t arrays = ARRAY_BIT(SLOT_D) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_FORCE) | ARRAY_BIT(SLOT_COLLISION) |
                            ARRAY_BIT(SLOT_FLUID) | ARRAY_BIT(SLOT_LIQUID) | ARRAY_BIT(SLOT_FLOW);
    *fits = same_structure(w, o);
    if (!*fits)
        return PL_OK;
    pl_result result = pull(w, arrays);
    if (result == PL_OK)
        result = pull(o, arrays);
    size_t coefficients = 2 * (size_t)w->faces.count * sizeof *w->faces.drag;
    bool air = coefficients && memcmp(w->faces.drag, o->faces.drag, coefficients);
    bool groups = has_groups(w);
    if (result == PL_OK && (air || groups))
        result = rows_unpack(w); // faces and groups are packed together with the rows
    if (result == PL_OK)
        result = materials_copy(w, o);
    if (result == PL_OK)
        result = pl_world_set_settings(w, &o->settings);
    if (result != PL_OK)
        return result;
    mark_changed(w, arrays);
    rigid_wake_all(w);
    copy_particles(w, o);
    copy_row_parameters(w, o);
    copy_contacts(w, o);
    groups_copy_parameters(w, o);
    memcpy(w->fields, o->fields, sizeof w->fields);
    if (air)
        memcpy(w->faces.drag, o->faces.drag, coefficients);
    w->order_stale |= air || groups;
    w->plan_stale = true;
    return PL_OK;
}
