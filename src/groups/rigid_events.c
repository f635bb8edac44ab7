// rigid_events.c: adds the contacts of rigid bodies to contact events.
//
// The stages of stages/rigid_note_stages.h record the load of each pair of shapes over a frame. Here it is named by
// bodies; the pairs of shapes of two bodies are merged with all other contacts (neighbours/contact/events.c).
#include "groups/oriented.h"
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

// The contact of a row of sleeping bodies: it presses as it did when they fell asleep.
static seen_contact resting_contact(const pl_world *w, const rigid_kept *k, float dt)
{
    const int64_t a = rigid_of_serial(&w->rigids, rigid_name_serial(k->a)),
                  b = rigid_of_serial(&w->rigids, rigid_name_serial(k->b));
    seen_contact s = {{PL_CONTACT_BODY_SHAPE, particle_of(w, (int32_t)a), (int32_t)(k->b >> 31 & UINT32_MAX)},
                      {.other = -1}};
    if (b >= 0)
        s.name = (contact_name){PL_CONTACT_BODIES, s.name.a, particle_of(w, (int32_t)b)};
    const orient_pose *pose = pose_of(w, s.name.a);
    const mat3 axes = pose ? quat_axes(quat_load(pose->rotation)) : mat_unit();
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)rigid_slot(w, a), *f = k->field;
    vec arm = vec_of(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < (int)f[KEPT_COUNT]; i++)
    {
        const float *on_a = f + KEPT_A + 3 * i;
        s.press.most += f[KEPT_FORCE + i];
        arm = add(arm, times(1.0f / f[KEPT_COUNT], vec_of(on_a[0], on_a[1], on_a[2])));
    }
    arm = mat_times(&axes, arm);
    const float at_body[3] = {arm.x, arm.y, arm.z};
    for (int c = 0; c < 3; c++)
    {
        s.press.normal[c] = -f[KEPT_NORMAL + c];
        s.press.force[c] = s.press.most * s.press.normal[c] - f[KEPT_FRICTION + c];
        s.press.impulse[c] = dt * s.press.force[c];
        s.press.point[c] = x[c] + at_body[c];
    }
    return s;
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
    for (int64_t i = 0; i < c->resting_count && result == PL_OK; i++)
    {
        seen_contact s = resting_contact(w, &c->resting[i], w->state.h / w->state.frame_share);
        if (s.press.most > 0.0f)
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
        if (!contact_of_bodies((int)e->kind))
            continue;
        name_end(w, e->a, &e->user_data[0], &hints[0]);
        name_end(w, e->b, &e->user_data[1], &hints[1]);
    }
}
