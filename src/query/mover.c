// mover.c: the public calls of movers. How they move is in mover_walk.c.
#include "query/mover.h"

#include "core/trig.h"
#include "groups/rigids.h"

#include <math.h>
#include <string.h>

pl_mover_def pl_default_mover_def(void)
{
    return (pl_mover_def){.radius = 0.3f,
                          .length = 1.2f,
                          .up = {0.0f, 1.0f, 0.0f},
                          .slope_limit = 0.87f,
                          .step_height = 0.3f,
                          .snap = 0.3f,
                          .skin = 0.01f,
                          .push_force = 500.0f,
                          .targets = PL_CAST_SHAPES | PL_CAST_BODIES,
                          .mask = 255,
                          .filter = {UINT64_MAX, UINT64_MAX}};
}

static bool in_range(float a, float low, float high) { return a >= low && a <= high; }

static pl_result check_mover(const pl_mover_def *d, pl_vec3 motion, const pl_mover *mover)
{
    const pl_vec3 u = d->up;
    float up = u.x * u.x + u.y * u.y + u.z * u.z;
    if (!in_range(d->radius, 1e-3f, 1e6f) || !in_range(d->length, 0.0f, 1e6f))
        return fail(PL_ERROR_ARGUMENT, "mover: radius is %g and length %g; they must be from 1e-3 and 0 to 1e6 m",
                    (double)d->radius, (double)d->length);
    if (!in_range(up, 1e-12f, 1e12f))
        return fail(PL_ERROR_ARGUMENT, "mover: up is (%g, %g, %g); it must have a length from 1e-6 to 1e6", (double)u.x,
                    (double)u.y, (double)u.z);
    if (!in_range(d->slope_limit, 0.0f, 1.5708f))
        return fail(PL_ERROR_ARGUMENT, "mover: slope_limit is %g; it must be from 0 to 1.57 rad",
                    (double)d->slope_limit);
    if (!in_range(d->step_height, 0.0f, 1e6f) || !in_range(d->snap, 0.0f, 1e6f))
        return fail(PL_ERROR_ARGUMENT, "mover: step_height is %g and snap %g; they must be from 0 to 1e6 m",
                    (double)d->step_height, (double)d->snap);
    if (!(d->skin > 0.0f && d->skin <= 0.5f * d->radius))
        return fail(PL_ERROR_ARGUMENT, "mover: skin is %g; it must be above 0 and at most half of the radius",
                    (double)d->skin);
    if (d->targets < 1 || d->targets & ~(PL_CAST_SHAPES | PL_CAST_BODIES))
        return fail(PL_ERROR_ARGUMENT, "mover: targets is %d; it must be PL_CAST_SHAPES, PL_CAST_BODIES or both",
                    d->targets);
    if (!finite3(motion) || !finite3(mover->position) || !in_range(motion.x, -1e9f, 1e9f) ||
        !in_range(motion.y, -1e9f, 1e9f) || !in_range(motion.z, -1e9f, 1e9f))
        return fail(PL_ERROR_ARGUMENT, "mover: position and motion must be finite, and the motion at most 1e9 m");
    return PL_OK;
}

// The rotation that turns the y axis to `up`.
static pl_quat turn_to(const double up[3])
{
    double w = 1.0 + up[1], x = up[2], z = -up[0], size = sqrt(w * w + x * x + z * z);
    if (size < 1e-6)
        return (pl_quat){1.0f, 0.0f, 0.0f, 0.0f};
    return (pl_quat){(float)(x / size), 0.0f, (float)(z / size), (float)(w / size)};
}

static pl_result mover_open(mover_state *m, const pl_world *w, const pl_mover_def *d, const pl_mover *at)
{
    const double u[3] = {(double)d->up.x, (double)d->up.y, (double)d->up.z}, size = sqrt(dot3d(u, u));
    pl_cast_def c = pl_default_cast_def();
    for (int k = 0; k < 3; k++)
        m->up[k] = u[k] / size;
    m->at[0] = (double)at->position.x, m->at[1] = (double)at->position.y, m->at[2] = (double)at->position.z;
    m->walkable = (double)cosine_of_turns(d->slope_limit * 0.15915494f) - 1e-5;
    c.form = PL_CAST_CAPSULE;
    c.radius = d->radius - d->skin, c.length = d->length, c.rotation = turn_to(m->up);
    c.targets = d->targets, c.mask = d->mask, c.ignore = d->ignore, c.filter = d->filter;
    m->def = d;
    m->cast.w = w;
    return cast_open(&m->cast, &c, "mover");
}

// The velocity of a point of a body or a shape.
static pl_vec3 velocity_at(const pl_world *w, const pl_hit *h)
{
    double v[3] = {0}, spin[3] = {0}, arm[3] = {0};
    const double p[3] = {(double)h->point.x, (double)h->point.y, (double)h->point.z};
    if (h->part >= 0)
    {
        pl_rigid_state s = {0};
        if (pl_get_rigids(w, &h->object, 1, &s) != PL_OK)
            return (pl_vec3){0};
        slot_place(w, slot_of(w, h->particle), arm);
        v[0] = (double)s.velocity.x, v[1] = (double)s.velocity.y, v[2] = (double)s.velocity.z;
        spin[0] = (double)s.spin.x, spin[1] = (double)s.spin.y, spin[2] = (double)s.spin.z;
    }
    else
    {
        const shape *s = &w->contacts.shapes[w->entries[h->shape.index].first];
        memcpy(arm, s->def.has_pivot ? s->pivot : s->at, sizeof arm);
        v[0] = (double)s->def.velocity.x, v[1] = (double)s->def.velocity.y, v[2] = (double)s->def.velocity.z;
        spin[0] = (double)s->def.spin.x, spin[1] = (double)s->def.spin.y, spin[2] = (double)s->def.spin.z;
        for (int k = 0; k < 3 && s->travels && w->last_dt > 0.0f; k++)
            v[k] = (s->goal_at[k] - s->at[k]) / (double)w->last_dt, spin[k] = 0.0;
    }
    for (int k = 0; k < 3; k++)
        arm[k] = p[k] - arm[k];
    for (int k = 0; k < 3; k++)
        v[k] += spin[(k + 1) % 3] * arm[(k + 2) % 3] - spin[(k + 2) % 3] * arm[(k + 1) % 3];
    return (pl_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

pl_result pl_mover_move(const pl_world *w, const pl_mover_def *def, pl_vec3 motion, pl_mover *mover)
{
    NEED(w);
    NEED(def);
    NEED(mover);
    PLAIN_ROUNDING;
    mover_state m = {0};
    pl_mover now = {.position = mover->position, .grounded = mover->grounded};
    pl_result result = check_mover(def, motion, mover);
    if (result == PL_OK)
        result = mover_open(&m, w, def, mover);
    if (result != PL_OK)
        return result;
    m.out = &now;
    double start[3], by[3] = {(double)motion.x, (double)motion.y, (double)motion.z}, rise = dot3d(by, m.up);
    rise = fabs(rise) > 1e-5 * sqrt(dot3d(by, by)) ? rise : 0.0; // rounding is no jump
    memcpy(start, m.at, sizeof start);
    for (int k = 0; k < 3; k++)
        by[k] -= rise * m.up[k];
    mover_push_out(&m);
    bool stays = mover->grounded && rise <= 0.0;
    now.grounded = stays;
    mover_across(&m, by, stays);
    if (stays && dot3d(by, by) == 0.0)
        now.grounded = mover_come_down(&m, (double)def->snap + (double)def->skin);
    mover_along(&m, rise);
    if (m.result != PL_OK)
        return m.result;
    now.position = (pl_vec3){(float)m.at[0], (float)m.at[1], (float)m.at[2]};
    now.moved = (pl_vec3){(float)(m.at[0] - start[0]), (float)(m.at[1] - start[1]), (float)(m.at[2] - start[2])};
    if (!now.grounded)
        now.ground = (pl_hit){.face = -1, .particle = -1, .part = -1}, now.ground_normal = (pl_vec3){0};
    else
        now.ground_velocity = velocity_at(w, &now.ground);
    *mover = now;
    return PL_OK;
}

pl_result pl_mover_push(pl_world *w, const pl_mover_def *def, const pl_mover *mover, pl_vec3 motion, float dt)
{
    NEED(w);
    NEED(def);
    NEED(mover);
    PLAIN_ROUNDING;
    pl_result result = check_mover(def, motion, mover);
    if (result == PL_OK && !(dt > 0.0f && dt <= 100.0f && in_range(def->push_force, 0.0f, 1e30f)))
        result = fail(PL_ERROR_ARGUMENT, "mover: dt is %g and push_force %g; they must be above 0 and 0 or above",
                      (double)dt, (double)def->push_force);
    for (int i = 0; i < mover->touches && i < PL_MOVER_TOUCHES && result == PL_OK; i++)
    {
        const pl_hit *h = &mover->touch[i];
        pl_rigid_def body;
        if (h->part < 0 || pl_get_rigid(w, h->object, &body) != PL_OK || body.type != PL_RIGID_DYNAMIC)
            continue; // gone, or nothing moves it
        pl_vec3 n = h->normal, v = body.velocity, u = def->up, p = h->point;
        float wanted = -(motion.x * n.x + motion.y * n.y + motion.z * n.z) / dt;
        float push = body.mass * (wanted + (v.x * n.x + v.y * n.y + v.z * n.z)), most_push = def->push_force * dt;
        push = push < most_push ? push : most_push;
        double centre[3];
        slot_place(w, slot_of(w, h->particle), centre);
        float lift =
            (((float)centre[0] - p.x) * u.x + ((float)centre[1] - p.y) * u.y + ((float)centre[2] - p.z) * u.z) /
            (u.x * u.x + u.y * u.y + u.z * u.z);
        p = (pl_vec3){p.x + lift * u.x, p.y + lift * u.y, p.z + lift * u.z};
        if (push > 0.0f)
            result = pl_push_rigid(w, h->object, (pl_vec3){-push * n.x, -push * n.y, -push * n.z}, p);
    }
    return result;
}
