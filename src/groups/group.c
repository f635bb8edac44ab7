// group.c: clusters, lattices, oriented particles and volumes, packed behind everything else, so that they can be packed anew without it.
#include "core/arena.h"
#include "world/packing.h"

void groups_unpack(pl_world *w)
{
    if (!groups_packed(w))
        return;
    clusters_unpack(w);
    oriented_unpack(w);
    lattices_unpack(w);
    volumes_unpack(w);
}

pl_result groups_open(pl_world *w)
{
    pl_result result = groups_packed(w) ? pull(w, ALL_ARRAYS) : PL_OK; // a device will be sent everything
    if (result != PL_OK)
        return result;
    groups_unpack(w);
    w->groups_stale = true;
    return PL_OK;
}

void groups_lay_out(pl_world *w, arena *a)
{
    oriented_lay_out(w, a);
    lattices_lay_out(w, a);
    clusters_lay_out(w, a);
    volumes_lay_out(w, a);
}

// The first cluster and the first oriented particle bring a number for each slot.
int64_t groups_room(const pl_world *w, int64_t used)
{
    return w->roomy ? (used - w->groups_at) / 4 + 8 * (int64_t)w->state.slots + 65536 : 0;
}

void groups_fill(pl_world *w, int32_t *member_of)
{
    oriented_fill(w);
    lattices_fill(w);
    clusters_fill(w);
    volumes_fill(w, member_of);
    w->groups_stale = false;
}

pl_result set_lists_aside(pl_world *w)
{
    contacts *t = &w->contacts;
    pl_result result = skin_keep(w);
    if (result == PL_OK)
        result = contacts_keep(w);
    if (result != PL_OK)
        return result;
    w->skin.resume = w->skin.resume || (w->skin.listed && !t->stale);
    t->resume = t->resume || (t->listed && !t->stale);
    w->skin.listed = t->listed = false;
    return PL_OK;
}

// Whether they fit behind the others, where these lie. If not, they are left as they are.
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
    void *member_of = NULL;
    size_t bytes = (size_t)w->state.slots * sizeof(int32_t);
    pl_result result = set_lists_aside(w);
    if (result == PL_OK)
        result = volumes_measure(w);
    if (result == PL_OK)
        result = memory_resize(&w->memory, &member_of, 0, bytes);
    if (result != PL_OK)
        return result;
    bool fits = lay_out_again(w);
    if (fits)
        groups_fill(w, member_of);
    w->plan_stale = true;
    memory_free(&w->memory, member_of, bytes);
    return fits ? PL_OK : unpack_all(w, false, false);
}
