// ragdoll.c: adds human figures of rigid bodies and joints.
//
// Bodies and joints are made in a reference pose, in which every joint is in the middle of its cone; then the bodies get
// the pose of the def.
#include "author/build.h"
#include "author/joint_build.h"
#include "author/ragdoll.h"
#include "core/trig.h"

#include <math.h>

// ---- poses ---------------------------------------------------------------------------------------------------------

// A quaternion of a rotation vector, rad.
static double_quat turned_by(const double r[3])
{
    double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), turns = angle / (4.0 * 3.14159265358979323846);
    if (!(angle > 0.0))
        return (double_quat){{0.0, 0.0, 0.0}, 1.0};
    double s = (double)sine_of_turns((float)turns), c = (double)cosine_of_turns((float)turns);
    double length = sqrt(s * s + c * c), share = s / (length * angle);
    return (double_quat){{share * r[0], share * r[1], share * r[2]}, c / length};
}

// Where a part is: its rotation, its middle and its joint.
typedef struct part_place
{
    double_quat q;
    double centre[3], joint[3];
} part_place;

static void place_part(const pl_ragdoll_def *d, int i, const double_quat *turn, part_place *all)
{
    const ragdoll_part *p = &ragdoll_parts[i], *up = p->parent < 0 ? NULL : &ragdoll_parts[p->parent];
    const part_place *to = up ? &all[p->parent] : NULL;
    const float rotation[4] = {d->rotation.x, d->rotation.y, d->rotation.z, d->rotation.w};
    const double ground[3] = {(double)d->position.x, (double)d->position.y, (double)d->position.z};
    const double_quat base = to ? to->q : double_quat_of(rotation);
    double from[3], arm[3];
    for (int c = 0; c < 3; c++)
        from[c] = (double)d->height * (up ? p->joint[c] - up->centre[c] : p->centre[c]);
    rotate3(base, from, from);
    all[i].q = double_quat_times(base, *turn);
    for (int c = 0; c < 3; c++)
    {
        all[i].joint[c] = from[c] + (to ? to->centre[c] : ground[c]);
        arm[c] = up ? (double)d->height * (p->centre[c] - p->joint[c]) : 0.0;
    }
    rotate3(all[i].q, arm, arm);
    for (int c = 0; c < 3; c++)
        all[i].centre[c] = all[i].joint[c] + arm[c];
}

// reference: the pose in which joints are made; else that of the def. Parents come before what hangs on them.
static void place_all(const pl_ragdoll_def *d, bool reference, part_place *all)
{
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
    {
        const pl_vec3 r = d->pose[i];
        const double asked[3] = {(double)r.x, (double)r.y, (double)r.z};
        double_quat turn = turned_by(reference ? ragdoll_parts[i].reference : asked);
        place_part(d, i, &turn, all);
    }
}

static pl_vec3 vec3_of(const double a[3]) { return (pl_vec3){(float)a[0], (float)a[1], (float)a[2]}; }

static pl_quat quat_of(double_quat q)
{
    double size = sqrt(double_quat_dot(q, q));
    return (pl_quat){(float)(q.v[0] / size), (float)(q.v[1] / size), (float)(q.v[2] / size), (float)(q.w / size)};
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result check_ragdoll(const pl_ragdoll_def *d)
{
    bool poses = finite3(d->position) && finite3(d->velocity) && finite3(d->spin);
    if (!(d->height >= 0.01f && d->height <= 1000.0f))
        return fail(PL_ERROR_ARGUMENT, "ragdoll: height is %g m; it must be from 0.01 to 1000", (double)d->height);
    if (!(d->mass >= 1e-6f && d->mass <= 1e12f))
        return fail(PL_ERROR_ARGUMENT, "ragdoll: mass is %g kg; it must be from 1e-6 to 1e12", (double)d->mass);
    if (!(d->friction >= 0.0f && d->friction <= 1e30f))
        return fail(PL_ERROR_ARGUMENT, "ragdoll: friction is %g N m; it must be 0 or above", (double)d->friction);
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
    {
        const pl_vec3 r = d->pose[i];
        if (!(sqrtf(r.x * r.x + r.y * r.y + r.z * r.z) <= 6.2832f))
            return fail(PL_ERROR_ARGUMENT,
                        "ragdoll: the pose of the %s is (%g, %g, %g); it must be shorter than a turn",
                        ragdoll_parts[i].name, (double)r.x, (double)r.y, (double)r.z);
    }
    return poses ? PL_OK
                 : fail(PL_ERROR_ARGUMENT,
                        "ragdoll: the position, the velocity or the spin is not finite; give finite numbers");
}

static void describe_part(const pl_ragdoll_def *d, int i, const part_place *at, pl_rigid_shape *s, pl_rigid_def *out)
{
    const ragdoll_part *p = &ragdoll_parts[i];
    const double h = (double)d->height, r = 0.70710678118654752;
    *s = pl_default_rigid_shape();
    s->kind = p->shape, s->material = d->material;
    s->half = (pl_vec3){(float)(h * p->size[0]), (float)(h * p->size[1]), (float)(h * p->size[2])};
    s->radius = s->half.x, s->length = s->half.y;
    if (p->shape == PL_RIGID_CAPSULE && p->size[2] == 0.0) // along x
        s->rotation = (pl_quat){0.0f, 0.0f, (float)r, (float)r};
    *out = pl_default_rigid_def();
    out->shapes = s, out->shape_count = 1;
    out->position = vec3_of(at->centre), out->rotation = quat_of(at->q);
    out->mass = (float)((double)d->mass * p->mass);
    out->angular_damping = d->damping;
    out->category = d->category, out->mask = d->mask, out->user_data = d->user_data;
}

static pl_result add_part_joint(pl_world *w, const pl_ragdoll_def *d, int i, const part_place *all, pl_ragdoll *doll)
{
    const ragdoll_part *p = &ragdoll_parts[i];
    pl_joint_def j = pl_default_joint_def();
    double axis[3];
    rotate3(all[i].q, p->axis, axis);
    j.kind = p->kind;
    j.a = doll->body[p->parent], j.b = doll->body[i];
    j.point = vec3_of(all[i].joint), j.axis = vec3_of(axis);
    j.swing = (float)p->swing;
    j.twist.limited = true, j.twist.low = (float)p->low, j.twist.high = (float)p->high;
    j.twist.friction = d->friction;
    j.direct = d->direct;
    return pl_add_joint(w, &j, &doll->joint[i]);
}

// Moves the bodies from the reference pose to that of the def, with the motion of the whole figure.
static pl_result set_motion(pl_world *w, const pl_ragdoll_def *d, const pl_ragdoll *doll)
{
    part_place all[PL_RAGDOLL_PARTS];
    pl_rigid_state states[PL_RAGDOLL_PARTS];
    const pl_vec3 v = d->velocity, o = d->spin;
    place_all(d, false, all);
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
    {
        float r[3];
        for (int c = 0; c < 3; c++)
            r[c] = (float)(all[i].centre[c] - all[0].centre[c]);
        states[i] = (pl_rigid_state){vec3_of(all[i].centre), quat_of(all[i].q), v, o};
        states[i].velocity.x += o.y * r[2] - o.z * r[1];
        states[i].velocity.y += o.z * r[0] - o.x * r[2];
        states[i].velocity.z += o.x * r[1] - o.y * r[0];
    }
    return pl_set_rigids(w, doll->body, PL_RAGDOLL_PARTS, states);
}

pl_result pl_add_ragdoll(pl_world *w, const pl_ragdoll_def *def, pl_ragdoll *ragdoll)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_ragdoll(def);
    if (result != PL_OK)
        return result;
    part_place all[PL_RAGDOLL_PARTS];
    pl_rigid_shape shapes[PL_RAGDOLL_PARTS];
    pl_rigid_def bodies[PL_RAGDOLL_PARTS];
    pl_ragdoll doll = {0};
    place_all(def, true, all);
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
        describe_part(def, i, &all[i], &shapes[i], &bodies[i]);
    build_mark mark = build_begin(w);
    result = pl_add_rigids(w, bodies, PL_RAGDOLL_PARTS, doll.body);
    if (result != PL_OK)
        return result;
    int joints = 1;
    while (result == PL_OK && joints < PL_RAGDOLL_PARTS)
    {
        result = add_part_joint(w, def, joints, all, &doll);
        joints += result == PL_OK;
    }
    if (result == PL_OK)
        result = set_motion(w, def, &doll);
    if (result != PL_OK)
    {
        for (int i = joints - 1; i > 0; i--)
            joint_forget(w, &doll.joint[i]);
        build_undo(w, &mark, doll.body, PL_RAGDOLL_PARTS, result);
    }
    else if (ragdoll)
        *ragdoll = doll;
    return result;
}
