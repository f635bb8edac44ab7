// faces.c: adds, reads and packs faces: triangles that have drag and lift, that rays hit and that exports show. It also
// sets force fields.
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "groups/group.h"
#include "groups/melting.h"
#include "layout/colour.h"
#include "model/model_columns.h"
#include "model/rigid_rest.h"
#include "model/world.h"

#include <string.h>

pl_faces_def pl_default_faces_def(void) { return (pl_faces_def){.drag = 1.0f}; }

static bool any_surface(const pl_world *w, const pl_faces_def *def)
{
    const float *collision = w->state.slot[SLOT_COLLISION];
    for (int64_t i = 0; i < 3 * (int64_t)def->count; i++)
        if (collision[4 * (size_t)slot_of(w, def->index[i]) + 2] > 0.0f)
            return true;
    return false;
}

pl_result pl_add_faces(pl_world *w, const pl_faces_def *def, pl_id *block)
{
    NEED(w);
    NEED(def);
    if (def->count < 1 || def->count > INT32_MAX / 8 || !def->index)
        return fail(PL_ERROR_ARGUMENT, "faces: count is %d; there must be from 1 to %d, with 3 particles each in index",
                    def->count, INT32_MAX / 8);
    if (!(def->drag >= 0.0f && def->drag <= 1000.0f && def->lift >= 0.0f && def->lift <= 1000.0f))
        return fail(PL_ERROR_ARGUMENT, "faces: drag is %g and lift is %g; both must be from 0 to 1000",
                    (double)def->drag, (double)def->lift);
    for (int64_t i = 0; i < 3 * (int64_t)def->count; i++)
        if (slot_of(w, def->index[i]) < 0)
            return fail(PL_ERROR_ARGUMENT, "face %lld: particle %d does not exist; numbers go from 0 to %d",
                        (long long)i / 3, def->index[i], w->numbers.end - 1);
    faces *f = &w->faces;
    if (f->count + def->count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "%lld faces were asked for; a world holds at most %d",
                    (long long)f->count + def->count, INT32_MAX / 8);
    pl_result result = heat_check_added(w, def->index, 3 * (int64_t)def->count, "a surface");
    if (result == PL_OK)
        result =
            array_reserve(&w->memory, &f->index, &f->index_capacity, 3 * (f->count + def->count), sizeof *f->index);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &f->drag, &f->drag_capacity, 2 * (f->count + def->count), sizeof *f->drag);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result != PL_OK)
        return result;
    result = keeps_order(w) ? edit_begin(w) : unpack_all(w, false, false);
    if (result != PL_OK)
        return result;
    memcpy(f->index + 3 * f->count, def->index, 3 * (size_t)def->count * sizeof *f->index);
    for (int64_t i = 0; i < def->count; i++)
    {
        f->drag[2 * (f->count + i)] = def->drag;
        f->drag[2 * (f->count + i) + 1] = def->lift;
    }
    id_entry t = {.type = ID_FACES, .first = (int32_t)f->count, .count = def->count};
    f->count += def->count;
    w->faces_stale = true;
    if (has_surface_lists(w) || any_surface(w, def))
        surfaces_changed(w);
    w->tear.incidence.ready = false;
    return id_add(w, t, block);
}

void faces_compact(pl_world *w, int64_t first, int64_t count)
{
    faces *f = &w->faces;
    columns_remove(w, PER_FACES_FACE, 0, first, count);
    f->count -= count;
    w->faces_stale = true;
    if (has_surface_lists(w))
        surfaces_changed(w);
    w->tear.incidence.ready = false;
}

int pl_face_count(const pl_world *w) { return w ? (int)w->faces.count : 0; }

pl_result pl_get_faces(const pl_world *w, int first, int count, int32_t *out)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->faces.count)
        return fail(PL_ERROR_ARGUMENT, "faces: %d to %lld were asked for; there are %lld", first,
                    (long long)first + count - 1, (long long)w->faces.count);
    if (count == 0)
        return PL_OK;
    if (!out)
        return fail(PL_ERROR_ARGUMENT, "faces: the array is NULL; it must hold 3 numbers for each face");
    memcpy(out, w->faces.index + 3 * (size_t)first, 3 * (size_t)count * sizeof *out);
    return PL_OK;
}

pl_result check_field(const pl_field *f)
{
    const float numbers[] = {f->vector.x, f->vector.y, f->vector.z, f->origin.x,
                             f->origin.y, f->origin.z, f->strength, f->radius};
    int64_t bad;
    if ((unsigned)f->kind > PL_FIELD_ELECTRIC)
        return fail(PL_ERROR_ARGUMENT, "field: kind %d does not exist; see the header for those that do", (int)f->kind);
    if (!all_finite(numbers, 8, &bad))
        return fail(PL_ERROR_ARGUMENT, "field: every number must be finite");
    if (f->kind == PL_FIELD_DRAG && f->strength < 0.0f)
        return fail(PL_ERROR_ARGUMENT, "field: the strength of a drag is %g; it must be 0 or above",
                    (double)f->strength);
    if (f->radius < 0.0f)
        return fail(PL_ERROR_ARGUMENT, "field: radius is %g; it must be 0 or above", (double)f->radius);
    return PL_OK;
}

pl_result pl_add_field(pl_world *w, const pl_field *f, pl_id *id)
{
    NEED(w);
    NEED(f);
    pl_result result = check_field(f);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result != PL_OK)
        return result;
    int at = 0;
    while (at < MAX_FIELDS && w->field_entry[at])
        at++;
    if (at == MAX_FIELDS)
        return fail(PL_ERROR_ARGUMENT, "field: a world holds at most %d fields", MAX_FIELDS);
    pl_id fresh;
    result = id_add(w, (id_entry){.type = ID_FIELD, .first = at, .count = 1}, &fresh);
    if (result != PL_OK)
        return result;
    w->fields[at] = *f;
    w->field_entry[at] = fresh.index;
    rigid_wake_all(w);
    if (id)
        *id = fresh;
    return PL_OK;
}

pl_result pl_set_field(pl_world *w, pl_id id, const pl_field *f)
{
    NEED(w);
    NEED(f);
    const id_entry *t = id_find(w, id, ID_FIELD, "set field");
    pl_result result = t ? check_field(f) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    w->fields[t->first] = *f;
    rigid_wake_all(w);
    return PL_OK;
}

// ---- packed --------------------------------------------------------------------------------------------------------
