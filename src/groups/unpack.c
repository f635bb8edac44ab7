// unpack.c: copies what steps have changed from the packed arrays and the contact lists to the arrays of the user,
// before everything is packed again.
#include "groups/group.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/surface/surfaces.h"

// Copies the multipliers back to the users' rows: once the structure changes, the indices of packed rows are invalid.
pl_result rows_unpack(pl_world *w)
{
    if (w->order_stale)
        return PL_OK;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS) | ARRAY_BIT(ARRAY_CLUSTERS));
    if (result == PL_OK)
        result = damage_pull(w);
    if (result != PL_OK)
        return result;
    groups_unpack(w);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; i < w->rows[kind].count; i++)
            for (int part = 0, parts = facts_of(kind)->info.parts; w->rows[kind].packed_at[i] >= 0 && part < parts;
                 part++)
                w->rows[kind].lambda[i * parts + part] =
                    *lambda_at(&w->state.rows[kind], w->rows[kind].packed_at[i], part);
    return PL_OK;
}

pl_result unpack_all(pl_world *w, bool colours, bool particles)
{
    pl_result result = pull(w, ALL_ARRAYS); // until the next packing, the host has the only copy
    if (result == PL_OK)
        result = rows_unpack(w);
    if (result != PL_OK)
        return result;
    w->order_stale = true;
    w->colours_stale |= colours || particles;
    w->particles_stale |= particles;
    return PL_OK;
}

pl_result keep_all(pl_world *w)
{
    pl_result result = pull(w, ALL_ARRAYS);
    if (result == PL_OK)
        result = rows_unpack(w);
    if (result == PL_OK)
        result = contacts_keep(w);
    return result == PL_OK ? surface_keep(w) : result;
}

void forget_packing(pl_world *w)
{
    contacts *t = &w->contacts;
    w->device_newer = w->host_changed = 0;
    t->resume = t->resume || (t->listed && !t->stale);
    t->listed = false;
    w->surfaces.resume = w->surfaces.resume || (w->surfaces.listed && !t->stale);
    w->surfaces.listed = false;
    w->order_stale = true;
}

pl_result unpack_world(pl_world *w)
{
    pl_result result = keep_all(w);
    if (result == PL_OK)
        forget_packing(w);
    return result;
}
