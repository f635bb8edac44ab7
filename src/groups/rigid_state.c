// rigid_state.c: reads and changes the poses, velocities and forces of rigid bodies. A user sees the body's own axes;
// the world has the centre of mass and the principal axes. In double, so that a pose that is set and read is the same.
#include "groups/group.h"
#include "groups/oriented.h"
#include "groups/particle_rotation.h"
#include "groups/rigids.h"

#include <math.h>
#include <string.h>

// The arrays of slots that hold a body's motion.
enum
{
    MOTION = ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_D),
};

int32_t rigid_slot(const pl_world *w, int64_t body)
{
    return w->numbers.slot_of[w->rigids.member[w->rigids.start[body]]];
}

static double_quat unit(double_quat q)
{
    double size = sqrt(double_quat_dot(q, q));
    return double_quat_add((double_quat){{0.0, 0.0, 0.0}, 0.0}, 1.0 / size, q);
}

// The orientation of the principal axes, low part included.
double_quat rigid_axes_now(const orient_pose *p)
{
    double_quat low = {{0.5 * (double)p->low[0], 0.5 * (double)p->low[1], 0.5 * (double)p->low[2]}, 1.0};
    return unit(double_quat_times(low, double_quat_of(p->rotation)));
}

// Stores an orientation, what float32 cannot hold in `low`.
static void principal_set(orient_pose *p, double_quat q)
{
    q = unit(q);
    for (int c = 0; c < 3; c++)
        p->rotation[c] = (float)q.v[c];
    p->rotation[3] = (float)q.w;
    double_quat rest = double_quat_times(q, double_quat_conjugate(double_quat_of(p->rotation)));
    for (int c = 0; c < 3; c++)
        p->low[c] = (float)(2.0 * rest.v[c] / rest.w);
}

static double_quat quat_from(pl_quat q)
{
    const float numbers[4] = {q.x, q.y, q.z, q.w};
    return unit(double_quat_of(numbers));
}

static pl_vec3 vec3_of(const double *x) { return (pl_vec3){(float)x[0], (float)x[1], (float)x[2]}; }

// The centre of mass relative to the origin of a body that is rotated by q.
static void arm_of(const rigid_form *f, double_quat q, double out[3])
{
    const double centre[3] = {(double)f->centre[0], (double)f->centre[1], (double)f->centre[2]};
    rotate3(q, centre, out);
}

// ---- reading -------------------------------------------------------------------------------------------------------

static const orient_pose *pose_or_none(const pl_world *w, int64_t body)
{
    static const orient_pose none = {{0.0f, 0.0f, 0.0f, 1.0f}, {0}, {0}};
    const orient_pose *pose = pose_of(w, w->rigids.member[w->rigids.start[body]]);
    return pose ? pose : &none;
}

double_quat rigid_axes_of(const pl_world *w, int64_t body) { return rigid_axes_now(pose_or_none(w, body)); }

double_quat rigid_place(const pl_world *w, int64_t body, double x[3])
{
    const rigid_form *f = &w->rigids.form[body];
    double_quat axes = rigid_axes_of(w, body);
    double_quat q = unit(double_quat_times(axes, double_quat_conjugate(double_quat_of(f->axes))));
    double arm[3];
    slot_place(w, rigid_slot(w, body), x);
    arm_of(f, q, arm);
    for (int c = 0; c < 3; c++)
        x[c] -= arm[c];
    return q;
}

static void read_state(const pl_world *w, int64_t i, pl_rigid_state *out)
{
    const orient_pose *pose = pose_or_none(w, i);
    const float *v = w->state.slot[SLOT_V] + 4 * (size_t)rigid_slot(w, i);
    double x[3];
    double_quat q = rigid_place(w, i, x);
    *out = (pl_rigid_state){.position = vec3_of(x),
                            .rotation = {(float)q.v[0], (float)q.v[1], (float)q.v[2], (float)q.w},
                            .velocity = {v[0], v[1], v[2]},
                            .spin = {pose->spin[0], pose->spin[1], pose->spin[2]}};
}

pl_result rigid_pull(const pl_world *w) { return pull(w, MOTION | (groups_packed(w) ? ARRAY_BIT(ARRAY_CLUSTERS) : 0)); }

pl_result pl_get_rigids(const pl_world *w, const pl_id *bodies, int count, pl_rigid_state *out)
{
    NEED(w);
    if (count < 0 || (count && (!bodies || !out)))
        return fail(PL_ERROR_ARGUMENT, "get rigids: %d bodies; give their ids, and where to store the states", count);
    PLAIN_ROUNDING;
    int64_t hint = 0;
    pl_result result = rigid_pull(w);
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        int64_t found = rigid_find(w, bodies[i], "get rigids", &hint);
        if (found < 0)
            return PL_ERROR_ARGUMENT;
        read_state(w, found, &out[i]);
    }
    return result;
}

pl_result pl_get_rigid(const pl_world *w, pl_id body, pl_rigid_def *def)
{
    NEED(w);
    NEED(def);
    int64_t hint = 0, i = rigid_find(w, body, "get rigid", &hint);
    pl_rigid_state now;
    pl_result result = i < 0 ? PL_ERROR_ARGUMENT : pl_get_rigids(w, &body, 1, &now);
    if (result != PL_OK)
        return result;
    const rigid_form *f = &w->rigids.form[i];
    *def = (pl_rigid_def){.type = (pl_rigid_type)f->type,
                          .position = now.position,
                          .rotation = now.rotation,
                          .velocity = now.velocity,
                          .spin = now.spin,
                          .mass = f->mass,
                          .gravity_scale = f->gravity_scale,
                          .linear_damping = f->linear_damping,
                          .angular_damping = f->angular_damping,
                          .locks = f->locks,
                          .allow_sleep = !f->wakeful,
                          .user_data = f->user[0] | (uint64_t)f->user[1] << 32,
                          .category = f->category[0] | (uint64_t)f->category[1] << 32,
                          .mask = f->mask[0] | (uint64_t)f->mask[1] << 32};
    return PL_OK;
}

pl_result pl_get_rigid_mass(const pl_world *w, pl_id body, pl_mass_properties *out)
{
    NEED(w);
    NEED(out);
    int64_t hint = 0, i = rigid_find(w, body, "get rigid mass", &hint);
    if (i < 0)
        return PL_ERROR_ARGUMENT;
    PLAIN_ROUNDING;
    const rigid_form *f = &w->rigids.form[i];
    double m[3][3] = {{0}};
    for (int k = 0; k < 3; k++) // R diag(I) R^T
    {
        double axis[3] = {k == 0, k == 1, k == 2}, along[3];
        rotate3(unit(double_quat_of(f->axes)), axis, along);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                m[r][c] += (double)f->inertia[k] * along[r] * along[c];
    }
    *out = (pl_mass_properties){
        f->mass,
        {f->centre[0], f->centre[1], f->centre[2]},
        {(float)m[0][0], (float)m[1][1], (float)m[2][2], (float)m[0][1], (float)m[1][2], (float)m[2][0]}};
    return PL_OK;
}

// ---- changing ------------------------------------------------------------------------------------------------------

static pl_result check_state(const char *what, int i, const pl_rigid_state *s)
{
    const pl_quat q = s->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    if (!finite3(s->position) || !finite3(s->velocity) || !finite3(s->spin))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: the position, velocity or spin of body %d is not finite; give finite numbers", what, i);
    if (!(size > 0.98 && size < 1.02))
        return fail(PL_ERROR_ARGUMENT, "%s: the rotation of body %d is a quaternion of length %g; it must be 1", what,
                    i, sqrt(size));
    return PL_OK;
}

// Prepares the world for changes of poses: unpacks the frames and gets all arrays.
pl_result rigid_open(pl_world *w)
{
    pl_result result = pull(w, MOTION);
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    mark_changed(w, MOTION);
    w->flow.smooth = 0;
    w->contacts.stale = w->rigid_contacts.stale = true;
    return PL_OK;
}

// The frame of a body in the unpacked arrays; NULL: it was taken away.
orient_pose *rigid_pose(pl_world *w, int64_t body)
{
    return (orient_pose *)pose_of(w, w->rigids.member[w->rigids.start[body]]);
}

static void write_state(pl_world *w, int64_t i, const pl_rigid_state *s)
{
    const rigid_form *f = &w->rigids.form[i];
    int32_t slot = rigid_slot(w, i);
    orient_pose *pose = rigid_pose(w, i);
    float *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
    double_quat q = quat_from(s->rotation);
    double x[3] = {(double)s->position.x, (double)s->position.y, (double)s->position.z}, arm[3];
    bool stands = f->type == PL_RIGID_STATIC;
    rigid_stir(w, i);
    arm_of(f, q, arm);
    for (int c = 0; c < 3; c++)
        x[c] += arm[c];
    slot_put(w, slot, x);
    v[0] = stands ? 0.0f : s->velocity.x, v[1] = stands ? 0.0f : s->velocity.y, v[2] = stands ? 0.0f : s->velocity.z;
    v[3] = 0.0f;
    if (!pose)
        return;
    principal_set(pose, double_quat_times(q, unit(double_quat_of(f->axes))));
    pose->spin[0] = stands ? 0.0f : s->spin.x, pose->spin[1] = stands ? 0.0f : s->spin.y;
    pose->spin[2] = stands ? 0.0f : s->spin.z;
}

pl_result pl_set_rigids(pl_world *w, const pl_id *bodies, int count, const pl_rigid_state *states)
{
    NEED(w);
    if (count < 0 || (count && (!bodies || !states)))
        return fail(PL_ERROR_ARGUMENT, "set rigids: %d bodies; give their ids and their states", count);
    PLAIN_ROUNDING;
    int64_t hint = 0;
    pl_result result = PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
        result = rigid_find(w, bodies[i], "set rigids", &hint) < 0 ? PL_ERROR_ARGUMENT
                                                                   : check_state("set rigids", i, &states[i]);
    if (result == PL_OK && count)
        result = rigid_open(w);
    for (int i = 0; i < count && result == PL_OK; i++)
        write_state(w, rigid_find(w, bodies[i], "set rigids", &hint), &states[i]);
    return result;
}

// Returns tan(a/n) for the angle a with that sine and cosine, from 0 to 90 degrees. Halving the angle 16 times makes a
// series exact; no libm, so that the bits are the same everywhere.
static double tangent_of_share(double sine, double cosine, int n)
{
    double size = sqrt(sine * sine + cosine * cosine), s = sine / size, c = cosine / size;
    for (int i = 0; i < 16; i++)
    {
        c = sqrt(0.5 * (1.0 + c));
        s = s / (2.0 * c);
    }
    double a = s * (1.0 + s * s * (1.0 / 6.0 + 0.075 * s * s)) / n; // the 65,536th part of a/n
    s = a * (1.0 - a * a / 6.0), c = 1.0 - 0.5 * a * a;
    for (int i = 0; i < 16; i++)
    {
        double twice = 2.0 * s * c;
        c = 1.0 - 2.0 * s * s;
        s = twice;
    }
    return s / c;
}

pl_result pl_move_rigid(pl_world *w, pl_id body, pl_vec3 position, pl_quat rotation, float dt)
{
    NEED(w);
    int64_t hint = 0, i = rigid_find(w, body, "move rigid", &hint);
    if (i < 0)
        return PL_ERROR_ARGUMENT;
    const rigid_form *f = &w->rigids.form[i];
    pl_rigid_state now = {.position = position, .rotation = rotation};
    pl_result result = check_state("move rigid", 0, &now);
    if (result == PL_OK && f->type != PL_RIGID_KINEMATIC)
        result = fail(PL_ERROR_ARGUMENT, "move rigid: the body is %s; only kinematic bodies have a target",
                      f->type == PL_RIGID_STATIC ? "static" : "dynamic");
    if (result == PL_OK && !(dt > 0.0f && dt <= 100.0f))
        result = fail(PL_ERROR_ARGUMENT, "move rigid: dt is %g s; it must be above 0 and at most 100", (double)dt);
    if (result == PL_OK)
        result = rigid_pull(w);
    if (result == PL_OK)
        result = rigid_open(w);
    orient_pose *pose = result == PL_OK ? rigid_pose(w, i) : NULL;
    if (result != PL_OK || !pose)
        return result;
    PLAIN_ROUNDING;
    w->rigid_contacts.stale |= w->rigids.asleep > 0; // its box must hold its way, so that it wakes what it comes near
    double_quat to = quat_from(rotation), from = rigid_axes_now(pose);
    double x[3], goal[3] = {(double)position.x, (double)position.y, (double)position.z}, arm[3];
    float *v = w->state.slot[SLOT_V] + 4 * (size_t)rigid_slot(w, i);
    slot_place(w, rigid_slot(w, i), x);
    arm_of(f, to, arm);
    for (int c = 0; c < 3; c++)
        v[c] = (float)((goal[c] + arm[c] - x[c]) / (double)dt);
    double_quat by =
        double_quat_times(double_quat_times(to, unit(double_quat_of(f->axes))), double_quat_conjugate(from));
    by = by.w < 0.0 ? double_quat_add((double_quat){{0.0, 0.0, 0.0}, 0.0}, -1.0, by) : by;
    // A substep rotates by 2 atan(h spin/2), so n of them by the whole angle if h spin/2 = tan(half of it/n).
    double sine = sqrt(by.v[0] * by.v[0] + by.v[1] * by.v[1] + by.v[2] * by.v[2]);
    int n = w->settings.substeps;
    double share = tangent_of_share(sine, by.w, n) * 2.0 * n / (double)dt;
    for (int c = 0; c < 3; c++)
        pose->spin[c] = sine > 0.0 ? (float)(by.v[c] / sine * share) : 0.0f;
    return PL_OK;
}
