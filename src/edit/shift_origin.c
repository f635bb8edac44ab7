// shift_origin.c: moves the origin of a world's coordinates. Everything that has a position is brought into the model, as
// for a snapshot, and moved there; the next step packs it again. Sums are in double, and what float32 cannot hold stays
// in the low parts of the positions.
#include "groups/group.h"
#include "groups/rigids.h"
#include "neighbours/contact/events.h"

#include <math.h>

static float moved(float x, double by) { return (float)((double)x - by); }

static void move_vec(pl_vec3 *v, const double by[3])
{
    *v = (pl_vec3){moved(v->x, by[0]), moved(v->y, by[1]), moved(v->z, by[2])};
}

static void move_floats(float *x, const double by[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = moved(x[k], by[k]);
}

static void move_particles(pl_world *w, const double by[3])
{
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        double x[3];
        if (w->number_of[slot] < 0)
            continue;
        slot_place(w, slot, x);
        for (int k = 0; k < 3; k++)
            x[k] -= by[k];
        slot_put(w, slot, x);
        move_floats(w->state.slot[SLOT_BUILD] + 4 * (size_t)slot, by);
        move_floats(w->state.slot[SLOT_SURFACE] + 4 * (size_t)slot, by);
    }
}

static void move_groups(pl_world *w, const double by[3])
{
    for (int64_t i = 0; i < w->clusters.count; i++)
    {
        match_pose *p = &w->clusters.pose[i];
        for (int k = 0; k < 3; k++)
        {
            double c = (double)p->centre[k] + (double)p->remainder[k] - by[k];
            p->centre[k] = (float)c;
            p->remainder[k] = (float)(c - (double)p->centre[k]);
        }
        move_floats(p->last, by);
        move_floats(p->before, by);
    }
    for (int64_t i = 0; i < w->emitters.count; i++)
        move_floats(w->emitters.emitter[i].position, by);
    for (int64_t i = 0; i < w->drains.count; i++)
        move_floats(w->drains.drain[i].position, by);
    w->rigid_contacts.stale = w->body_particles.stale = true; // boxes and places are found again
}

static void move_shapes(pl_world *w, const double by[3])
{
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
    {
        shape *s = &w->contacts.shapes[i];
        for (int k = 0; k < 3; k++)
            s->at[k] -= by[k], s->pivot[k] -= by[k], s->goal_at[k] -= by[k];
        move_vec(&s->def.position, by);
        move_vec(&s->def.pivot, by);
    }
    w->contacts.shape_version++;
}

static void move_rest(pl_world *w, const double by[3])
{
    rows *pins = &w->rows[PL_KIND_PIN];
    for (int64_t i = 0; i < pins->count; i++)
        move_floats(pins->param + 6 * i, by);
    for (int i = 0; i < MAX_FIELDS; i++)
        if (w->field_entry[i])
            move_vec(&w->fields[i].origin, by);
    events *e = &w->events;
    for (int64_t i = 0; i < e->held.count; i++)
        move_floats(e->held.items[i].point, by);
    for (int64_t i = 0; i < e->reported_count; i++)
        move_vec(&e->reported[i].point, by);
}

pl_result pl_world_shift_origin(pl_world *w, pl_vec3 offset)
{
    NEED(w);
    PLAIN_ROUNDING;
    const double by[3] = {(double)offset.x, (double)offset.y, (double)offset.z};
    for (int k = 0; k < 3; k++)
        if (!(fabs(by[k]) <= 1e9))
            return fail(PL_ERROR_ARGUMENT, "shift origin: the offset is (%g, %g, %g); each must be from -1e9 to 1e9 m",
                        by[0], by[1], by[2]);
    pl_result result = unpack_world(w);
    if (result != PL_OK)
        return result;
    move_particles(w, by);
    move_groups(w, by);
    move_shapes(w, by);
    move_rest(w, by);
    for (int k = 0; k < 3; k++)
        w->origin[k] += by[k];
    w->contacts.stale = true;
    world_changed(w, false);
    return PL_OK;
}

void pl_world_origin(const pl_world *w, double origin[3])
{
    for (int k = 0; origin && k < 3; k++)
        origin[k] = w ? w->origin[k] : 0.0;
}
