// group.c: holds the table of group kinds and packs groups. Packed groups lie behind all other packed data, so that
// they can be packed again alone.
#include "core/arena.h"
#include "groups/group.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/surface/surfaces.h"

#define GROUP_KIND(name, NAME, id, form, words) extern const group_kind name##_kind;
#include "model/groups.def"

const group_kind *const group_kinds[GROUP_KINDS] = {
#define GROUP_KIND(name, NAME, id, form, words) [GROUP_KIND_##NAME] = &name##_kind,
#include "model/groups.def"
};

const group_kind *group_kind_of(int id_type)
{
    switch (id_type) // two kinds with the same id number do not compile
    {
#define GROUP_KIND(name, NAME, id, form, words)                                                                        \
    case id:                                                                                                           \
        return &name##_kind;
#include "model/groups.def"
    default:
        return NULL;
    }
}

bool has_groups(const pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->lay_out && group_count(w, group_kinds[i]))
            return true;
    return false;
}

bool groups_use_objects(const pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->uses_objects && group_count(w, group_kinds[i]))
            return true;
    return false;
}

// ---- unpacking -----------------------------------------------------------------------------------------------------

void groups_unpack(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS && groups_packed(w); i++)
        if (group_kinds[i]->unpack)
            group_kinds[i]->unpack(w);
}

void groups_keep(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->unpack && !group_kinds[i]->back)
            group_kinds[i]->unpack(w);
}

void groups_back(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->back)
            group_kinds[i]->back(w);
}

pl_result groups_open(pl_world *w)
{
    // The device will receive all data again, so the host copy must be current.
    pl_result result = groups_packed(w) ? pull(w, ALL_ARRAYS) : PL_OK;
    if (result != PL_OK)
        return result;
    groups_unpack(w);
    w->groups_stale = true;
    return PL_OK;
}

pl_result groups_restart(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->uses_masses && group_count(w, group_kinds[i]))
            return groups_open(w);
    return PL_OK;
}

// Which rows a group solves may depend on which particles are held. So do the pairs and the colours of bodies in contact.
pl_result groups_weigh(pl_world *w)
{
    w->rigid_contacts.stale |= w->rigids.count > 0;
    pl_result result = groups_restart(w);
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
        if (group_kinds[i]->choose_rows && group_count(w, group_kinds[i]))
            result = unpack_all(w, true, false);
    return result;
}

pl_result groups_choose_rows(pl_world *w)
{
    pl_result result = PL_OK;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
        if (group_kinds[i]->choose_rows)
            result = group_kinds[i]->choose_rows(w);
    return result;
}

pl_result groups_follow_rows(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->uses_rows && group_count(w, group_kinds[i]))
            return groups_open(w);
    return PL_OK;
}

// ---- packing -------------------------------------------------------------------------------------------------------

pl_result groups_place(pl_world *w, int32_t *number, int64_t *count)
{
    pl_result result = PL_OK;
    *count = 0;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
        if (group_kinds[i]->place)
            result = group_kinds[i]->place(w, number, count);
    return result;
}

pl_result groups_size(pl_world *w)
{
    pl_result result = PL_OK;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
        if (group_kinds[i]->size)
            result = group_kinds[i]->size(w);
    return result;
}

void groups_lay_out(pl_world *w, arena *a)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < GROUP_KINDS; i++)
            if (group_kinds[i]->lay_out && group_kinds[i]->packed_first == (pass == 0))
                group_kinds[i]->lay_out(w, a);
}

// Returns the bytes to reserve for later groups. The first cluster and the first oriented particle need a number for
// each slot.
int64_t groups_room(const pl_world *w, int64_t used)
{
    return w->roomy ? (used - w->groups_at) / 4 + 8 * (int64_t)w->state.slots + 65536 : 0;
}

void groups_fill(pl_world *w, int32_t *scratch)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < GROUP_KINDS; i++)
            if (group_kinds[i]->fill && group_kinds[i]->packed_first == (pass == 0))
                group_kinds[i]->fill(w, scratch);
    w->groups_stale = false;
}

void groups_plan(struct planner *p, enum plan_hook hook, int iteration)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < GROUP_KINDS; i++)
            if (group_kinds[i]->plan && group_kinds[i]->packed_first == (pass == 0))
                group_kinds[i]->plan(p, hook, iteration);
}

pl_result set_lists_aside(pl_world *w)
{
    contacts *t = &w->contacts;
    pl_result result = surface_keep(w);
    if (result == PL_OK)
        result = contacts_keep(w);
    if (result != PL_OK)
        return result;
    w->surfaces.resume = w->surfaces.resume || (w->surfaces.listed && !t->stale);
    t->resume = t->resume || (t->listed && !t->stale);
    w->surfaces.listed = t->listed = false;
    return PL_OK;
}

// Lays the groups out in the memory behind the rest. Returns false, with nothing changed, if there is not enough.
static bool lay_out_again(pl_world *w)
{
    const state before = w->state;
    arena a = {NULL, (size_t)w->groups_at};
    groups_lay_out(w, &a);
    if ((int64_t)a.used + 64 > w->packing_capacity)
    {
        w->state = before;
        return false;
    }
    w->packing_used = (int64_t)a.used;
    a = (arena){w->packing, (size_t)w->groups_at};
    groups_lay_out(w, &a);
    return true;
}

pl_result regroup(pl_world *w)
{
    void *scratch = NULL;
    size_t bytes = (size_t)w->state.slots * sizeof(int32_t);
    pl_result result = set_lists_aside(w);
    if (result == PL_OK)
        result = groups_size(w);
    if (result == PL_OK)
        result = memory_resize(&w->memory, &scratch, 0, bytes);
    if (result != PL_OK)
        return result;
    bool fits = lay_out_again(w);
    if (fits)
        groups_fill(w, scratch);
    w->plan_stale = true;
    memory_free(&w->memory, scratch, bytes);
    return fits ? PL_OK : unpack_all(w, false, false);
}
