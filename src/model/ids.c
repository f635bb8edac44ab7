// ids.c: manages ids, which detect that the object they named was removed, and lists the slots of each object.
#include "model/particle_lists.h"

static const char *const type_names[] = {"nothing",          "an object", "a block of constraints",
                                         "a block of faces", "a field",   "a shape"};

const char *id_type_name(int type)
{
    switch (type)
    {
#define GROUP_KIND(name, NAME, id, form, words)                                                                        \
    case id:                                                                                                           \
        return words;
#include "model/groups.def"
    default:
        return type_names[type];
    }
}

pl_result id_reserve(pl_world *w, int more)
{
    // Index 0 is never used, so that {0, 0} names nothing.
    return array_reserve(&w->memory, &w->entries, &w->entry_capacity, w->entry_count + more + 1, sizeof(id_entry));
}

pl_result id_add(pl_world *w, id_entry t, pl_id *id)
{
    int64_t at = 1;
    while (at < w->entry_count && w->entries[at].type != ID_FREE)
        at++;
    if (at >= w->entry_count)
    {
        pl_result result = id_reserve(w, 1);
        if (result != PL_OK)
            return result;
        at = w->entry_count ? w->entry_count : 1;
        w->entry_count = at + 1;
    }
    t.generation = w->entries[at].generation + 1;
    w->entries[at] = t;
    world_changed(w, true);
    if (id)
        *id = id_of_entry(w, at);
    return PL_OK;
}

pl_id id_of_entry(const pl_world *w, int64_t index) { return (pl_id){(uint32_t)index, w->entries[index].generation}; }

void shift_entries(pl_world *w, int type, int kind, int32_t after, int32_t by)
{
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        id_entry *t = &w->entries[i];
        if (t->type == type && t->kind == kind && t->first > after)
            t->first -= by;
    }
}

void free_entry(id_entry *t) { *t = (id_entry){.generation = t->generation}; }

id_entry *id_find(const pl_world *w, pl_id id, int type, const char *what)
{
    if (!w)
    {
        fail(PL_ERROR_ARGUMENT, "%s: the world is NULL; give a world that pl_world_create made", what);
        return NULL;
    }
    id_entry *t = id.index && id.index < w->entry_count ? &w->entries[id.index] : NULL;
    if (!t || t->generation != id.generation || t->type == ID_FREE)
    {
        fail(PL_ERROR_ARGUMENT, "%s: the id {%u, %u} names nothing; it was never created or has been removed", what,
             id.index, id.generation);
        return NULL;
    }
    if (type != ID_FREE && t->type != type)
    {
        fail(PL_ERROR_ARGUMENT, "%s: the id {%u, %u} names %s; it must name %s", what, id.index, id.generation,
             id_type_name(t->type), id_type_name(type));
        return NULL;
    }
    return t;
}

// ---- packed objects ------------------------------------------------------------------------------------------------

// Lists the particles that an object was created with, then those that have split off.
static void list_members(const pl_world *w, int64_t object, uint32_t *member)
{
    for (int64_t i = object; i < (w->entries[object].torn ? w->entry_count : object + 1); i++)
    {
        const id_entry *t = &w->entries[i];
        if (i == object || (t->type == ID_OBJECT && t->owner == (uint32_t)object))
            for (int32_t k = 0; k < t->count; k++)
                *member++ = 4 * (uint32_t)w->numbers.slot_of[t->first + k];
    }
}

static int32_t count_members(const pl_world *w, int64_t object)
{
    int32_t count = 0;
    for (int64_t i = object; i < (w->entries[object].torn ? w->entry_count : object + 1); i++)
        if (i == object || (w->entries[i].type == ID_OBJECT && w->entries[i].owner == (uint32_t)object))
            count += w->entries[i].count;
    return count;
}

void list_objects(pl_world *w)
{
    packed_lists *l = &w->state.lists[LISTS_OBJECTS];
    lists_begin(l);
    for (int64_t i = 1; i < w->entry_count; i++)
        if (w->entries[i].type == ID_OBJECT && !w->entries[i].owner)
        {
            uint32_t *member = lists_add(w, l, count_members(w, i));
            list_members(w, i, member);
            l->origin[l->count - 1] = member[0];
        }
    lists_end(w, l);
}

lists_size size_objects(const pl_world *w)
{
    lists_size size = {0};
    for (int64_t i = 1; i < w->entry_count; i++)
        if (w->entries[i].type == ID_OBJECT)
            lists_count(&size, w->entries[i].count);
    return size;
}

void list_objects_again(pl_world *w)
{
    packed_lists *l = &w->state.lists[LISTS_OBJECTS];
    int32_t count = l->count, blocks = l->blocks, chunks = l->chunks;
    list_objects(w);
    w->plan_stale |= count != l->count || blocks != l->blocks || chunks != l->chunks;
    lists_patch(w, l);
    w->objects_stale = false;
}

int32_t object_at(const pl_world *w, int32_t number)
{
    return (int32_t)bits_of(w->state.slot[SLOT_REST][4 * (size_t)w->numbers.slot_of[number] + 3]);
}
