// body_events.c: adds the contacts between rigid bodies and objects of particles to contact events.
//
// A contact is a body and an object, whichever of its particles and triangles touch. The stage of
// stages/body_note_stage.h records the load of all of its rows over a frame.
#include "groups/body_particles.h"
#include "groups/rigid_contacts.h"
#include "neighbours/contact/events.h"

#include <stdlib.h>
#include <string.h>

static int compare_watched(const void *a, const void *b)
{
    const body_watched *x = a, *y = b;
    if (x->body != y->body)
        return x->body < y->body ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

pl_result body_events_list(pl_world *w)
{
    body_particles *b = &w->body_particles;
    packed_body_particles *p = &w->state.body_particles;
    int32_t pairs = 0;
    if (!p->noted)
        return PL_OK;
    pl_result result = array_reserve(&w->memory, &b->watched, &b->watched_capacity, b->rows, sizeof *b->watched);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; i < b->rows; i++)
        b->watched[i] = (body_watched){body_row_body(w, i), object_at(w, body_row_particle(b, i, 0)), i};
    if (b->rows)
        qsort(b->watched, (size_t)b->rows, sizeof *b->watched, compare_watched);
    for (int32_t i = 0; i < b->rows; i++)
    {
        const body_watched *n = &b->watched[i];
        if (i == 0 || n->body != n[-1].body || n->object != n[-1].object)
            p->pair[pairs++] = (body_pair){i, i};
        p->pair[pairs - 1].end = i + 1;
        p->pair_row[i] = n->row;
    }
    if (b->rows)
        memset(p->note, 0, (size_t)pairs * sizeof *p->note);
    p->range[BODY_RANGE_PAIRS + 1] = pairs;
    patch_packed(w, p->pair, (size_t)pairs * sizeof *p->pair);
    patch_packed(w, p->pair_row, (size_t)b->rows * sizeof *p->pair_row);
    patch_packed(w, p->note, (size_t)pairs * sizeof *p->note);
    return PL_OK;
}

pl_result body_events_collect(pl_world *w)
{
    const body_particles *b = &w->body_particles;
    const packed_body_particles *p = &w->state.body_particles;
    if (!rigid_watched(w) || !has_body_particles(w) || !p->noted || !b->listed)
        return PL_OK;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS));
    for (int32_t i = 0; i < p->range[BODY_RANGE_PAIRS + 1] && result == PL_OK; i++)
    {
        const body_note *n = &p->note[i];
        const body_watched *who = &b->watched[p->pair[i].begin];
        if (!(n->most > 0.0f))
            continue;
        seen_contact s = {{PL_CONTACT_BODY_OBJECT, w->rigids.member[w->rigids.start[who->body]], who->object},
                          {.most = n->most, .other = body_row_particle(b, n->row, 0), .approach = n->approach}};
        memcpy(s.press.force, n->force, sizeof n->force);
        memcpy(s.press.normal, n->normal, sizeof n->normal);
        memcpy(s.press.point, n->point, sizeof n->point);
        memcpy(s.press.impulse, n->impulse, sizeof n->impulse);
        result = events_see(w, &s);
    }
    return result;
}
