// check.c: validates a loaded snapshot before the world is returned. Its data is not trusted.
//
// The order cannot go wrong: whatever refers to something is checked as it is read, against what has been read before it.
// First particles, then ids; then each column by what it holds (model/columns.def): numbers of particles that exist,
// starts that increase, finite numbers. What is checked at the end is how the parts fit each other: by then no number
// leads out of an array.
#include "model/fluid.h"
#include "edit/add.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "model/world.h"
#include "neighbours/contact/events.h"
#include "neighbours/heat/heat.h"
#include "neighbours/surface/surfaces.h"
#include "snapshot/snapshot.h"

#include <math.h>
#include <string.h>

static pl_result bad(const char *what) { return fail(PL_ERROR_FORMAT, "snapshot: %s; the file is damaged", what); }

static pl_result check_tiles(const pl_world *w)
{
    const int32_t *tile = w->order.tile_first;
    if (w->order.tiles > w->used / 1024)
        return bad("there are more tiles than particles can fill"); // slots have room for only so many dummies
    for (int32_t t = 0; t < w->order.tiles; t++)
        if (tile[t] < 0 || tile[t] >= tile[t + 1] || tile[t + 1] - tile[t] > TILE_SIZE || (t == 0 && tile[t] != 0))
            return bad("tiles overlap, are empty or too large");
    if (w->order.tiles && !w->particles_stale && // particles added since the last arrangement are in no tile
        (tile[w->order.tiles] > w->used || tile[w->order.tiles] > w->order.count))
        return bad("tiles do not cover the particles");
    return PL_OK;
}

static pl_result check_roots(const pl_world *w)
{
    for (int64_t i = 0; i < w->tear.root_count; i++)
        if (slot_of(w, w->tear.root[i]) < 0 && slot_of(w, (int32_t)i) >= 0)
            return bad("a particle was split from one that does not exist");
    return PL_OK;
}

pl_result snapshot_check_particles(pl_world *w)
{
    int32_t live = 0;
    for (int32_t i = 0; i < w->numbers.end; i++)
        w->numbers.slot_of[i] = -1;
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        int32_t number = w->number_of[slot];
        if (number < -1 || number >= w->numbers.end || (number >= 0 && w->numbers.slot_of[number] >= 0))
            return bad("two slots hold the same particle, or one that does not exist");
        for (int a = 0; number < 0 && a < SLOT_ARRAYS; a++)
            memset(w->state.slot[a] + 4 * (size_t)slot, 0, 4 * sizeof(float)); // the slot is empty
        if (number < 0)
            continue;
        w->numbers.slot_of[number] = slot;
        live++;
        int64_t where;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
        const float *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
        const float *d = w->state.slot[SLOT_D] + 4 * (size_t)slot;
        if (!all_finite(x, 3, &where) || bits_of(x[3]) >> 30 || !all_finite(d + 3, 1, &where) || d[3] < 0.0f ||
            !all_finite(v, 4, &where) || v[3] < 0.0f ||
            !all_finite(w->state.slot[SLOT_V1] + 4 * (size_t)slot, 4, &where) ||
            !all_finite(w->state.slot[SLOT_FORCE] + 4 * (size_t)slot, 4, &where))
            return bad("a particle's position, velocity, force or mass is out of range");
    }
    if (live != w->live)
        return bad("the number of particles differs from the count");
    w->numbers.free = w->numbers.end - live;
    return check_tiles(w);
}

// Marks [first, first + count) as covered by an id entry. Returns false if it lies outside or is covered already.
static bool cover(uint8_t *covered, int64_t size, const id_entry *t)
{
    if (t->first < 0 || t->count < 1 || (int64_t)t->first + t->count > size)
        return false;
    for (int32_t i = t->first; i < t->first + t->count; i++)
    {
        if (covered[i])
            return false;
        covered[i] = 1;
    }
    return true;
}

// Checks that the id entries of one type (and kind) cover [0, size) exactly, except for `holes` (particle numbers that
// are not in use).
static pl_result check_cover(pl_world *w, int type, int kind, int64_t size, int64_t holes)
{
    void *covered = NULL;
    pl_result result = memory_resize(&w->memory, &covered, 0, (size_t)size + 1);
    int64_t total = 0;
    for (int64_t i = 1; result == PL_OK && i < w->entry_count; i++)
    {
        const id_entry *t = &w->entries[i];
        if (t->type != type || (type == ID_ROWS && t->kind != kind))
            continue;
        if (!cover(covered, size, t))
            result = bad("two ids name the same item, or one names an item that does not exist");
        total += t->count;
        for (int32_t n = t->first; type == ID_OBJECT && result == PL_OK && n < t->first + t->count; n++)
            if (w->numbers.slot_of[n] < 0)
                result = bad("an object names a particle that does not exist");
    }
    if (result == PL_OK && total != size - holes)
        result = bad("an item has no id");
    memory_free(&w->memory, covered, (size_t)size + 1);
    return result;
}

pl_result snapshot_check_ids(const pl_world *w)
{
    for (int64_t i = 0; i < w->entry_count; i++)
    {
        const id_entry *t = &w->entries[i];
        if (t->type >= ENTRY_TYPES || (t->type == ID_ROWS && t->kind >= PL_KIND_COUNT) ||
            (t->type != ID_ROWS && t->type && t->kind) || (t->type && i == 0) ||
            t->owner >= (uint64_t)(w->entry_count ? w->entry_count : 1))
            return bad("an id has an unknown type");
    }
    return PL_OK;
}

// Checks that ids and what they name fit each other.
static pl_result check_names(pl_world *w)
{
    for (int64_t i = 0; i < w->entry_count; i++)
    {
        const id_entry *t = &w->entries[i];
        if (t->type == ID_FIELD && (t->first < 0 || t->first >= MAX_FIELDS || w->field_entry[t->first] != i))
            return bad("an id and its force field do not name each other");
    }
    int64_t shapes = 0;
    for (int64_t i = 0; i < w->entry_count; i++)
        if (w->entries[i].type == ID_SHAPE &&
            (w->entries[i].first < 0 || w->entries[i].first >= w->contacts.shape_count || ++shapes < 0))
            return bad("an id names a shape that does not exist");
    if (shapes != w->contacts.shape_count)
        return bad("a shape has no id");
    for (int i = 0; i < MAX_FIELDS; i++)
        if (w->field_entry[i] &&
            (w->field_entry[i] >= w->entry_count || w->entries[w->field_entry[i]].type != ID_FIELD ||
             w->entries[w->field_entry[i]].first != i))
            return bad("an id and its force field do not name each other");
    pl_result result = check_cover(w, ID_OBJECT, 0, w->numbers.end, w->numbers.free);
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        result = check_cover(w, ID_ROWS, kind, w->rows[kind].count, 0);
    if (result == PL_OK)
        result = check_cover(w, ID_FACES, 0, w->faces.count, 0);
    for (int i = 0; result == PL_OK && i < GROUP_KINDS; i++)
        result = check_cover(w, group_kinds[i]->id_entry, 0, group_count(w, group_kinds[i]), 0);
    return result;
}

// At least 0 and finite.
static bool is_not_negative(float a) { return a >= 0.0f && CHECK_FINITE(a); }

static bool is_rotation(const double q[4])
{
    double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return size > 0.8 && size < 1.25;
}

static bool pose_fits(const shape *p)
{
    bool good = is_rotation(p->rotation) && (!p->travels || is_rotation(p->goal_rotation));
    for (int k = 0; k < 3; k++)
        good &= fabs(p->at[k]) < 1e30 && fabs(p->pivot[k]) < 1e30 && fabs(p->goal_at[k]) < 1e30;
    return good;
}

static pl_result check_shapes(pl_world *w)
{
    const contacts *t = &w->contacts;
    int64_t where;
    for (int32_t i = 0; i < t->shape_count; i++)
    {
        shape *p = &t->shapes[i];
        if (check_shape(&p->def) != PL_OK || !pose_fits(p) || p->def.material >= t->materials)
            return bad("a shape's definition, pose or material is out of range");
        if (p->id_entry >= w->entry_count || w->entries[p->id_entry].type != ID_SHAPE ||
            w->entries[p->id_entry].first != i)
            return bad("a shape and its id do not name each other");
        pl_result result = shape_build(w, &p->def, &p->data, &p->reach);
        if (result != PL_OK)
            return result;
    }
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        const float *collision = w->state.slot[SLOT_COLLISION] + 4 * (size_t)slot;
        if (!is_not_negative(collision[0]) || !is_not_negative(collision[2]) ||
            !(fabsf(collision[3]) <= (float)PL_MAX_MATERIALS) || material_of(collision, 0) >= t->materials ||
            !all_finite(w->state.slot[SLOT_REST] + 4 * (size_t)slot, 3, &where) ||
            !all_finite(w->state.slot[SLOT_BUILD] + 4 * (size_t)slot, 3, &where) ||
            !all_finite(w->state.slot[SLOT_SURFACE] + 4 * (size_t)slot, 4, &where) ||
            !all_finite(w->state.slot[SLOT_SURFACE_V] + 4 * (size_t)slot, 4, &where))
            return bad("a particle's radius, thickness, material or rest position is out of range");
        uint32_t object = bits_of(w->state.slot[SLOT_REST][4 * (size_t)slot + 3]);
        if (w->number_of[slot] >= 0 && (object >= w->entry_count || w->entries[object].type != ID_OBJECT))
            return bad("a particle belongs to no object");
    }
    return PL_OK;
}

static pl_result check_contacts(pl_world *w)
{
    const contacts *t = &w->contacts;
    pl_result result = check_shapes(w);
    if (result == PL_OK && materials_check(t) != PL_OK)
        result = bad("a material is out of range");
    int64_t where;
    const kept_list *const lists[] = {&t->kept, &t->kept_shape_contacts};
    for (int l = 0; l < 2; l++)
        for (int64_t i = 0; result == PL_OK && i < lists[l]->count; i++)
            if (slot_of(w, lists[l]->items[i].a) < 0 || (l == 0 && slot_of(w, lists[l]->items[i].b) < 0) ||
                !all_finite(lists[l]->items[i].lambda, 4, &where))
                result = bad("a contact names a particle that does not exist, or its multiplier is not finite");
    const surfaces *k = &w->surfaces;
    for (int64_t i = 0; result == PL_OK && i < k->kept.count; i++)
        if (!kept_surface_holds(w, &k->kept.items[i]) || !all_finite(k->kept.items[i].lambda, 4, &where))
            result = bad("a surface contact names a particle that does not exist, or its multiplier is not finite");
    if (result == PL_OK && !(is_not_negative(k->margin) && is_not_negative(k->horizon) &&
                             is_not_negative(w->flow.surface_age) && is_not_negative(w->flow.drifted)))
        result = bad("the margin of the surface contacts is out of range");
    bool distances_fit = is_not_negative(w->flow.far_h);
    for (int i = 0; i < FAR_COUNT; i++)
        distances_fit &= is_not_negative(w->flow.far[i]);
    if (result == PL_OK && !(is_not_negative(t->margin) && is_not_negative(t->shape_contact_margin) && distances_fit))
        result = bad("a margin of the contact lists is out of range");
    if (result == PL_OK && !sensors_fit(w))
        result = bad("a sensor, or what is inside, does not exist");
    if (result == PL_OK && !events_fit(w))
        result = bad("a contact event names a particle or shape that does not exist");
    return result;
}

// Checks constraints, groups and heat. Replaces their error messages, which refer to calls that the user did not make.
static pl_result check_contents(pl_world *w)
{
    pl_result result = PL_OK;
    const char *what = "a constraint names a particle that does not exist, or one of its numbers is out of range";
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
    {
        result = rows_check(w, kind);
        if (result == PL_OK)
            result = damage_check(w, kind);
        if (result == PL_OK && !w->colours_stale)
            result = colours_check(w, kind);
    }
    if (result == PL_OK)
    {
        what = "a group names a particle that does not exist, or one of its numbers is out of range";
        result = groups_check(w);
    }
    if (result == PL_OK)
    {
        what = "a gas is out of range";
        result = gases_check(w);
    }
    if (result == PL_OK)
    {
        what = "a temperature or its rule is out of range";
        result = heat_check(w);
    }
    return result == PL_OK || result == PL_ERROR_MEMORY ? result : bad(what);
}

static pl_result check_faces(const pl_world *w)
{
    for (int64_t i = 0; i < 2 * w->faces.count; i++)
        if (!(w->faces.drag[i] >= 0.0f && w->faces.drag[i] <= 1000.0f))
            return bad("a face's drag is out of range");
    return PL_OK;
}

static pl_result check_world(pl_world *w)
{
    for (int i = 0; i < MAX_FIELDS; i++)
        if (w->field_entry[i] && check_field(&w->fields[i]) != PL_OK)
            return bad("a force field is out of range");
    for (int k = 0; k < 3; k++)
        if (!CHECK_FINITE(w->origin[k]))
            return bad("the origin is not finite");
    if (!(w->time >= 0.0 && CHECK_FINITE(w->time) && CHECK_FINITE(w->force_scale)))
        return bad("the time is not finite");
    if (w->unfinished.from && !(w->unfinished.dt > 0.0f && w->unfinished.dt <= 100.0f))
        return bad("the length of the frame that is not finished is out of range");
    return check_settings(&w->settings) == PL_OK ? PL_OK : bad("a setting is out of range");
}

pl_result snapshot_check(pl_world *w)
{
    pl_result result = check_roots(w);
    if (result == PL_OK)
        result = check_names(w);
    if (result == PL_OK)
        result = check_contents(w);
    if (result == PL_OK)
        result = check_faces(w);
    if (result == PL_OK)
        result = check_world(w);
    if (result == PL_OK)
        result = check_contacts(w);
    return result == PL_OK || result == PL_ERROR_MEMORY ? result : PL_ERROR_FORMAT;
}
