// rigid_events.c: adds the contacts of rigid bodies to contact events.
//
// The stages of stages/rigid_note_stages.h record the load of each pair of shapes over a frame. Here it is named by
// bodies; the pairs of shapes of two bodies are merged with all other contacts (neighbours/contact/events.c).
#include "groups/rigid_contacts.h"
#include "groups/rigids.h"
#include "neighbours/contact/events.h"

#include <string.h>

static int32_t particle_of(const pl_world *w, int32_t body) { return w->rigids.member[w->rigids.start[body]]; }

static contact_name name_of(const pl_world *w, const rigid_pair *p)
{
    const rigid_contacts *c = &w->rigid_contacts;
    const int32_t a = particle_of(w, c->owner[p->a]);
    if (p->b < c->of_bodies)
        return (contact_name){PL_CONTACT_BODIES, a, particle_of(w, c->owner[p->b])};
    return (contact_name){PL_CONTACT_BODY_SHAPE, a, (int32_t)w->contacts.shapes[c->owner[p->b]].id_entry};
}

pl_result rigid_events_collect(pl_world *w)
{
    const rigid_contacts *c = &w->rigid_contacts;
    const packed_rigid_contacts *p = &w->state.rigid_contacts;
    if (!rigid_watched(w) || !p->noted || !c->listed)
        return PL_OK;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS));
    for (int64_t i = 0; i < c->pairs && result == PL_OK; i++)
    {
        const rigid_note *n = &p->note[i];
        if (!(n->most > 0.0f))
            continue;
        seen_contact s = {name_of(w, &c->pair[i]), {.most = n->most, .other = -1, .approach = n->approach}};
        memcpy(s.press.force, n->force, sizeof n->force);
        memcpy(s.press.normal, n->normal, sizeof n->normal);
        memcpy(s.press.point, n->point, sizeof n->point);
        memcpy(s.press.impulse, n->impulse, sizeof n->impulse);
        result = events_see(w, &s);
    }
    return result;
}

static void name_end(const pl_world *w, int32_t particle, uint64_t *data, int64_t *hint)
{
    int64_t body = particle >= 0 ? rigid_of(w, particle, hint) : -1;
    if (body >= 0)
        *data = w->rigids.form[body].user[0] | (uint64_t)w->rigids.form[body].user[1] << 32;
}

void rigid_events_name(pl_world *w)
{
    int64_t hints[2] = {0, 0};
    for (int64_t i = 0; i < w->events.reported_count; i++)
    {
        pl_contact_event *e = &w->events.reported[i];
        if (!contact_of_bodies(e->kind))
            continue;
        name_end(w, e->a, &e->user_data[0], &hints[0]);
        name_end(w, e->b, &e->user_data[1], &hints[1]);
    }
}
