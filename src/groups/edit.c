// edit.c: adds and removes groups of any kind, and removes groups whose particles are removed or torn.
#include "groups/group.h"
#include "model/world.h"

pl_result group_begin(pl_world *w, const group_kind *k, int64_t groups, int64_t members)
{
    pl_result result = groups_open(w);
    if (result == PL_OK)
        result = group_reserve(w, k, groups, members);
    return result == PL_OK ? id_reserve(w, 1) : result;
}

pl_result group_end(pl_world *w, const group_kind *k, int64_t first, pl_id *id)
{
    id_entry t = {.type = (uint8_t)k->id_entry, .first = (int32_t)first, .count = (int32_t)(group_count(w, k) - first)};
    w->flow.smooth = 0;
    return id_add(w, t, id);
}

static void take_out(pl_world *w, id_entry *t, int32_t first, int32_t count)
{
    group_compact(w, group_kind_of(t->type), first, count);
    shift_entries(w, t->type, 0, t->first, count);
    t->count -= count;
    if (t->count == 0)
        free_entry(t);
}

void group_remove(pl_world *w, id_entry *t) { take_out(w, t, t->first, t->count); }

static bool has_lost(pl_world *w, const group_kind *k, int64_t group)
{
    group_members m = members_of(w, k, group, 1);
    bool gone = m.count == 0 && !k->alone;
    for (int64_t i = 0; i < m.count && !gone; i++)
        gone = slot_of(w, m.number[i]) < 0;
    return gone && (!k->lost || k->lost(w, group));
}

void group_prune(pl_world *w, id_entry *t)
{
    const group_kind *k = group_kind_of(t->type);
    for (int32_t i = t->count - 1; i >= 0; i--)
        if (has_lost(w, k, (int64_t)t->first + i))
            take_out(w, t, t->first + i, 1);
}
