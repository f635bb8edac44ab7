// rigid_resting.c: keeps the rows of contacts of sleeping bodies, by name, until the bodies wake.
#include "groups/rigid_contacts.h"
#include "groups/rigid_sleep.h"

#include <string.h>

// The bodies at the ends of a row; -1: a shape of the world, or a body that was removed.
static void bodies_of(const pl_world *w, const rigid_kept *k, int64_t body[2])
{
    body[0] = rigid_of_serial(&w->rigids, rigid_name_serial(k->a));
    body[1] = rigid_of_serial(&w->rigids, rigid_name_serial(k->b));
}

pl_result rigid_rows_rest(pl_world *w, const int32_t *set)
{
    rigid_contacts *c = &w->rigid_contacts;
    rigid_contacts_unpack(w);
    c->listed = false; // the rows are in `kept` now
    pl_result result = array_reserve(&w->memory, &c->resting, &c->resting_capacity, c->resting_count + c->kept_count,
                                     sizeof *c->resting);
    if (result != PL_OK)
        return result;
    int64_t left = 0;
    for (int64_t i = 0; i < c->kept_count; i++)
    {
        int64_t body[2];
        bodies_of(w, &c->kept[i], body);
        bool rests = (body[0] >= 0 && set[body[0]] >= 0) || (body[1] >= 0 && set[body[1]] >= 0);
        if (!rests)
            c->kept[left++] = c->kept[i];
        else if (c->kept[i].field[KEPT_COUNT] > 0.0f) // a row without points is found again
            c->resting[c->resting_count++] = c->kept[i];
    }
    c->kept_count = left;
    rigid_kept_sort(c->resting, c->resting_count);
    return PL_OK;
}

pl_result rigid_rows_return(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result =
        array_reserve(&w->memory, &c->kept, &c->kept_capacity, c->kept_count + c->resting_count, sizeof *c->kept);
    if (result != PL_OK || !c->resting_count)
        return result;
    int64_t left = 0, before = c->kept_count;
    for (int64_t i = 0; i < c->resting_count; i++)
    {
        int64_t body[2];
        bodies_of(w, &c->resting[i], body);
        if ((body[0] >= 0 && w->rigids.rest[body[0]].island) || (body[1] >= 0 && w->rigids.rest[body[1]].island))
            c->resting[left++] = c->resting[i];
        else
            c->kept[c->kept_count++] = c->resting[i];
    }
    c->resting_count = left;
    if (c->kept_count > before)
        rigid_kept_sort(c->kept, c->kept_count);
    return PL_OK;
}
