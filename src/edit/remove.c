// remove.c: removes objects, blocks, shapes and fields from a world. Rows and faces close their gaps; particle numbers
// stay.
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "edit/tear.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "model/rigid_rest.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/contact/events.h"

// Removes rows [first, first + count) from the packed arrays and from the user's arrays.
static pl_result drop_rows(pl_world *w, int kind, int64_t first, int64_t count)
{
    pl_result result = PL_OK;
    for (int64_t row = first; result == PL_OK && row < first + count; row++)
        result = edit_remove_row(w, kind, row);
    if (result == PL_OK)
        rows_compact(w, kind, first, count);
    return result;
}

static pl_result remove_rows(pl_world *w, id_entry *t)
{
    pl_result result = drop_rows(w, t->kind, t->first, t->count);
    if (result != PL_OK)
        return result;
    shift_entries(w, ID_ROWS, t->kind, t->first, t->count);
    free_entry(t);
    return PL_OK;
}

static void remove_faces(pl_world *w, id_entry *t)
{
    faces_compact(w, t->first, t->count);
    shift_entries(w, ID_FACES, 0, t->first, t->count);
    free_entry(t);
}

static bool has_lost_particle(const pl_world *w, const int32_t *index, int arity)
{
    for (int i = 0; i < arity; i++)
        if (slot_of(w, index[i]) < 0)
            return true;
    return false;
}

static bool names(const int32_t *index, int arity, int32_t first, int32_t count)
{
    for (int i = 0; i < arity; i++)
        if ((uint32_t)(index[i] - first) < (uint32_t)count)
            return true;
    return false;
}

// Drops the rows of a block that name a particle that is about to be removed.
static pl_result prune_rows(pl_world *w, id_entry *t, int32_t first, int32_t count)
{
    int arity = facts_of(t->kind)->info.arity;
    pl_result result = PL_OK;
    for (int32_t i = t->count - 1; result == PL_OK && i >= 0; i--)
    {
        int32_t last = i;
        while (i >= 0 && names(w->rows[t->kind].index + ((int64_t)t->first + i) * arity, arity, first, count))
            i--;
        if (i == last)
            continue;
        result = drop_rows(w, t->kind, (int64_t)t->first + i + 1, last - i);
        if (result != PL_OK)
            return result;
        shift_entries(w, ID_ROWS, t->kind, t->first, last - i);
        t->count -= last - i;
    }
    if (t->count == 0)
        free_entry(t);
    return result;
}

static void prune_faces(pl_world *w, id_entry *t)
{
    for (int32_t i = t->count - 1; i >= 0; i--)
    {
        int32_t last = i;
        while (i >= 0 && has_lost_particle(w, w->faces.index + 3 * ((int64_t)t->first + i), 3))
            i--;
        if (i == last)
            continue;
        faces_compact(w, (int64_t)t->first + i + 1, last - i);
        shift_entries(w, ID_FACES, 0, t->first, last - i);
        t->count -= last - i;
    }
    if (t->count == 0)
        free_entry(t);
}

// Finds a new owner for an entry whose object was removed: the object of its first particle. Clusters of two objects
// that froze together remain in this way.
static uint32_t owner_left(const pl_world *w, const id_entry *t)
{
    const group_kind *k = group_kind_of(t->type);
    group_members m = k ? members_of(w, k, t->first, t->count) : (group_members){NULL, 0};
    return m.count ? (uint32_t)object_at(w, m.number[0]) : 0;
}

// Prunes everything but rows.
static void prune_others(pl_world *w, uint32_t index)
{
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        id_entry *other = &w->entries[i];
        if (other->type == ID_FACES)
            prune_faces(w, other);
        else if (group_kind_of(other->type))
            group_prune(w, other);
        if (other->owner == index)
            other->owner = owner_left(w, other);
    }
}

static pl_result remove_object(pl_world *w, id_entry *t)
{
    uint32_t index = (uint32_t)(t - w->entries);
    pl_result result = PL_OK;
    for (int64_t i = 1; result == PL_OK && i < w->entry_count; i++) // particles torn off it are removed with it
        if (w->entries[i].type == ID_OBJECT && w->entries[i].owner == index)
            result = remove_object(w, &w->entries[i]);
    for (int64_t i = 1; result == PL_OK && i < w->entry_count; i++)
        if (w->entries[i].type == ID_ROWS)
            result = prune_rows(w, &w->entries[i], t->first, t->count);
    if (result != PL_OK)
        return result;
    for (int32_t i = t->first; i < t->first + t->count; i++)
    {
        rigid_lost(w, i);
        edit_free_slot(w, w->numbers.slot_of[i]);
        w->numbers.slot_of[i] = -1;
        if (i < w->tear.root_count)
            w->tear.root[i] = i;
        heat_lost(w, i);
    }
    w->live -= t->count;
    w->body_particles.stale = true;
    w->numbers.free += t->count;
    free_entry(t);
    while (w->numbers.end > 0 && w->numbers.slot_of[w->numbers.end - 1] < 0)
    {
        w->numbers.end--;
        w->numbers.free--;
    }
    prune_others(w, index);
    return PL_OK;
}

// Does removing the object (with the particles torn off it) or the block remove a row that is solved by Jacobi
// iteration?
static bool jacobi_goes(const pl_world *w, const id_entry *t)
{
    uint32_t index = (uint32_t)(t - w->entries);
    for (int64_t i = 1; t->type == ID_OBJECT && i < w->entry_count; i++)
        if (w->entries[i].type == ID_OBJECT && w->entries[i].owner == index && jacobi_goes(w, &w->entries[i]))
            return true;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &w->rows[kind];
        int arity = facts_of(kind)->info.arity;
        bool mine = t->type == ID_ROWS && t->kind == kind;
        int64_t from = mine ? t->first : 0, to = mine ? from + t->count : t->type == ID_OBJECT ? r->count : 0;
        if (w->state.rows[kind].jacobi_begin == w->state.rows[kind].jacobi_end)
            continue;
        for (int64_t row = from; row < to; row++)
            if (r->colour[row] == COLOUR_JACOBI && (mine || names(r->index + row * arity, arity, t->first, t->count)))
                return true;
    }
    return false;
}

// Prepares the removal of an entry; nothing may fail once removal has begun. If it can be removed in place, slots,
// colours and the packed arrays are kept.
static pl_result open_for(pl_world *w, const id_entry *t)
{
    bool keep = keeps_order(w), object = t->type == ID_OBJECT, rows = t->type == ID_ROWS;
    pl_result result = keep && object ? contacts_pull(w) : PL_OK;
    if (result != PL_OK || !keep)
        return result == PL_OK ? unpack_all(w, rows || object, object) : result;
    bool plain = rows || t->type == ID_FACES;
    result = !w->order_stale && jacobi_goes(w, t) ? unpack_all(w, false, false) : edit_begin(w);
    if (result == PL_OK && !plain && has_groups(w))
        result = groups_open(w);
    if (result == PL_OK && rows)
        result = groups_follow_rows(w);
    if (result == PL_OK && object)
        edit_contacts(w);
    return result;
}

// Removes the bodies that follow a shape, and with them what is attached to it.
static pl_result remove_followers(pl_world *w, uint32_t shape)
{
    pl_result result = PL_OK;
    bool others = false;
    for (int64_t i = w->rigids.count - 1; result == PL_OK && i >= 0; i--)
    {
        uint32_t follows = w->rigids.form[i].follows;
        others |= follows && follows != shape;
        if (follows == shape)
            result = pl_remove(w, id_of_entry(w, object_at(w, w->rigids.member[w->rigids.start[i]])));
    }
    return result == PL_OK && others ? groups_open(w) : result; // the numbers of shapes change
}

pl_result pl_remove(pl_world *w, pl_id id)
{
    NEED(w);
    id_entry *t = id_find(w, id, ID_FREE, "remove");
    if (!t)
        return PL_ERROR_ARGUMENT;
    world_changed(w, true);
    if (t->type == ID_FIELD)
    {
        w->field_entry[t->first] = 0;
        rigid_wake_all(w);
        free_entry(t);
        return PL_OK;
    }
    if (t->type == ID_SHAPE)
    {
        pl_result kept = remove_followers(w, id.index);
        if (kept == PL_OK)
            kept = pull(w, ALL_ARRAYS);
        if (kept == PL_OK)
            kept = contacts_keep(w);
        if (kept != PL_OK)
            return kept;
        shape_remove(w, t);
        free_entry(t);
        events_lost(w);
        sensors_lost(w);
        return PL_OK;
    }
    pl_result result = open_for(w, t);
    if (result != PL_OK)
        return result;
    w->flow.smooth = 0;
    if (t->type == ID_ROWS)
        result = remove_rows(w, t);
    else if (t->type == ID_FACES)
        remove_faces(w, t);
    else if (group_kind_of(t->type))
        group_remove(w, t);
    else
    {
        result = remove_object(w, t);
        edit_parted(w);
    }
    events_lost(w);
    sensors_lost(w);
    return result;
}

int pl_object_blocks(const pl_world *w, pl_id object, pl_id *out, int capacity)
{
    int count = 0;
    if (!id_find(w, object, ID_OBJECT, "object blocks"))
        return 0;
    for (int64_t i = 1; i < w->entry_count; i++)
        if (w->entries[i].type > ID_OBJECT && w->entries[i].type != ID_EMITTER && w->entries[i].owner == object.index)
        {
            if (out && count < capacity)
                out[count] = id_of_entry(w, i);
            count++;
        }
    return count;
}

static int list_entries(const pl_world *w, int type, pl_id *out, int capacity)
{
    int count = 0;
    for (int64_t i = 1; w && i < w->entry_count; i++)
        if (w->entries[i].type == type && !(type == ID_OBJECT && w->entries[i].owner)) // skip torn-off parts
        {
            if (out && count < capacity)
                out[count] = id_of_entry(w, i);
            count++;
        }
    return count;
}

int pl_world_objects(const pl_world *w, pl_id *out, int capacity) { return list_entries(w, ID_OBJECT, out, capacity); }

int pl_world_visuals(const pl_world *w, pl_id *out, int capacity) { return list_entries(w, ID_VISUAL, out, capacity); }

int pl_world_blocks(const pl_world *w, pl_id *out, int capacity) { return list_entries(w, ID_ROWS, out, capacity); }
