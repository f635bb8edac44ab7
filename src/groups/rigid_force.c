// rigid_force.c: forces and impulses on rigid bodies, and the values that a user may change later.
#include "groups/group.h"
#include "groups/rigids.h"

#include <string.h>

// Finds a dynamic body; -1 after fail().
static int64_t find_dynamic(const pl_world *w, pl_id body, const char *what, pl_vec3 a, pl_vec3 b)
{
    int64_t hint = 0, i = rigid_find(w, body, what, &hint);
    if (i >= 0 && w->rigids.form[i].type != PL_RIGID_DYNAMIC)
    {
        fail(PL_ERROR_ARGUMENT, "%s: the body is not dynamic; nothing pushes it", what);
        return -1;
    }
    if (i >= 0 && !(finite3(a) && finite3(b)))
    {
        fail(PL_ERROR_ARGUMENT, "%s: a force, an impulse or a point is not finite; give finite numbers", what);
        return -1;
    }
    return i;
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

// (point - centre of mass) x force.
static void torque_about(const pl_world *w, int64_t i, pl_vec3 force, pl_vec3 point, double out[3])
{
    const double f[3] = {(double)force.x, (double)force.y, (double)force.z};
    double x[3], arm[3] = {(double)point.x, (double)point.y, (double)point.z};
    slot_place(w, rigid_slot(w, i), x);
    for (int c = 0; c < 3; c++)
        arm[c] -= x[c];
    cross3(arm, f, out);
}

// Changes velocity and spin by an impulse and an angular impulse.
static pl_result push(pl_world *w, int64_t i, pl_vec3 impulse, const double *turning)
{
    pl_result result = rigid_open(w);
    if (result != PL_OK)
        return result;
    rigid_wake(w, i);
    const rigid_form *f = &w->rigids.form[i];
    float *v = w->state.slot[SLOT_V] + 4 * (size_t)rigid_slot(w, i);
    orient_pose *pose = rigid_pose(w, i);
    double own[3], more[3], weight = (double)inverse_mass(w, rigid_slot(w, i));
    v[0] += (float)(weight * (double)impulse.x), v[1] += (float)(weight * (double)impulse.y);
    v[2] += (float)(weight * (double)impulse.z);
    if (!pose || (f->locks & LOCKED_TURNS) == LOCKED_TURNS)
        return PL_OK;
    double_quat q = rigid_axes_now(pose);
    rotate3(double_quat_conjugate(q), turning, own);
    for (int c = 0; c < 3; c++)
        own[c] *= weight * (double)f->mass / (double)f->inertia[c];
    rotate3(q, own, more);
    for (int c = 0; c < 3; c++)
        pose->spin[c] += (float)more[c];
    return PL_OK;
}

pl_result pl_push_rigid(pl_world *w, pl_id body, pl_vec3 impulse, pl_vec3 point)
{
    NEED(w);
    PLAIN_ROUNDING;
    double turning[3];
    int64_t i = find_dynamic(w, body, "push rigid", impulse, point);
    pl_result result = i < 0 ? PL_ERROR_ARGUMENT : rigid_pull(w);
    if (result != PL_OK)
        return result;
    torque_about(w, i, impulse, point, turning);
    return push(w, i, impulse, turning);
}

pl_result pl_spin_rigid(pl_world *w, pl_id body, pl_vec3 impulse)
{
    NEED(w);
    PLAIN_ROUNDING;
    const double turning[3] = {(double)impulse.x, (double)impulse.y, (double)impulse.z};
    int64_t i = find_dynamic(w, body, "spin rigid", impulse, impulse);
    pl_result result = i < 0 ? PL_ERROR_ARGUMENT : rigid_pull(w);
    return result == PL_OK ? push(w, i, (pl_vec3){0.0f, 0.0f, 0.0f}, turning) : result;
}

static pl_result set_force(pl_world *w, int64_t i, const double *force, const double *torque)
{
    pl_result result = pull(w, ARRAY_BIT(SLOT_FORCE));
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    float *to = w->state.slot[SLOT_FORCE] + 4 * (size_t)rigid_slot(w, i);
    mark_changed(w, ARRAY_BIT(SLOT_FORCE));
    rigid_wake(w, i);
    for (int c = 0; c < 3; c++)
    {
        to[c] = (float)force[c];
        w->rigids.form[i].torque[c] = (float)torque[c];
    }
    w->state.pushed = 1;
    return PL_OK;
}

pl_result pl_set_rigid_force(pl_world *w, pl_id body, pl_vec3 force, pl_vec3 torque)
{
    NEED(w);
    PLAIN_ROUNDING;
    const double f[3] = {(double)force.x, (double)force.y, (double)force.z};
    const double t[3] = {(double)torque.x, (double)torque.y, (double)torque.z};
    int64_t i = find_dynamic(w, body, "set rigid force", force, torque);
    return i < 0 ? PL_ERROR_ARGUMENT : set_force(w, i, f, t);
}

pl_result pl_add_rigid_force(pl_world *w, pl_id body, pl_vec3 force, pl_vec3 point)
{
    NEED(w);
    PLAIN_ROUNDING;
    int64_t i = find_dynamic(w, body, "add rigid force", force, point);
    pl_result result = i < 0 ? PL_ERROR_ARGUMENT : rigid_pull(w);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_FORCE));
    if (result != PL_OK)
        return result;
    const float *now = w->state.slot[SLOT_FORCE] + 4 * (size_t)rigid_slot(w, i);
    double f[3] = {(double)force.x, (double)force.y, (double)force.z}, t[3];
    torque_about(w, i, force, point, t);
    for (int c = 0; c < 3; c++)
    {
        f[c] += (double)now[c];
        t[c] += (double)w->rigids.form[i].torque[c];
    }
    return set_force(w, i, f, t);
}

pl_result pl_clear_rigid_forces(pl_world *w)
{
    NEED(w);
    pl_result result = w->rigids.count ? pull(w, ARRAY_BIT(SLOT_FORCE)) : PL_OK;
    if (result == PL_OK && w->rigids.count)
        result = groups_open(w);
    if (result != PL_OK || !w->rigids.count)
        return result;
    mark_changed(w, ARRAY_BIT(SLOT_FORCE));
    for (int64_t i = 0; i < w->rigids.count; i++)
    {
        static const float none[3];
        if (memcmp(w->state.slot[SLOT_FORCE] + 4 * (size_t)rigid_slot(w, i), none, sizeof none) != 0 ||
            memcmp(w->rigids.form[i].torque, none, sizeof none) != 0)
            rigid_wake(w, i);
        memset(w->state.slot[SLOT_FORCE] + 4 * (size_t)rigid_slot(w, i), 0, 3 * sizeof(float));
        memset(w->rigids.form[i].torque, 0, sizeof w->rigids.form[i].torque);
    }
    return PL_OK;
}

pl_result pl_rigid_velocity_at(const pl_world *w, pl_id body, pl_vec3 point, pl_vec3 *velocity)
{
    NEED(w);
    NEED(velocity);
    PLAIN_ROUNDING;
    pl_rigid_state s;
    double x[3], arm[3] = {(double)point.x, (double)point.y, (double)point.z}, more[3];
    int64_t hint = 0, i = rigid_find(w, body, "rigid velocity", &hint);
    if (i >= 0 && !finite3(point))
        return fail(PL_ERROR_ARGUMENT, "rigid velocity: the point is not finite; give finite numbers");
    pl_result result = i < 0 ? PL_ERROR_ARGUMENT : pl_get_rigids(w, &body, 1, &s);
    if (result != PL_OK)
        return result;
    const double spin[3] = {(double)s.spin.x, (double)s.spin.y, (double)s.spin.z};
    slot_place(w, rigid_slot(w, i), x);
    for (int c = 0; c < 3; c++)
        arm[c] -= x[c];
    cross3(spin, arm, more);
    *velocity = (pl_vec3){(float)((double)s.velocity.x + more[0]), (float)((double)s.velocity.y + more[1]),
                          (float)((double)s.velocity.z + more[2])};
    return PL_OK;
}

pl_result pl_set_rigid_filter(pl_world *w, pl_id body, uint64_t category, uint64_t mask)
{
    NEED(w);
    int64_t hint = 0, i = rigid_find(w, body, "set rigid filter", &hint);
    if (i < 0)
        return PL_ERROR_ARGUMENT;
    rigid_form *f = &w->rigids.form[i];
    f->category[0] = (uint32_t)category, f->category[1] = (uint32_t)(category >> 32);
    f->mask[0] = (uint32_t)mask, f->mask[1] = (uint32_t)(mask >> 32);
    w->rigid_contacts.stale = true;
    rigid_stir(w, i);
    world_changed(w, false);
    return PL_OK;
}

pl_result rigid_check_values(const pl_rigid_def *d)
{
    if (!(d->gravity_scale >= -1e6f && d->gravity_scale <= 1e6f))
        return fail(PL_ERROR_ARGUMENT, "rigid: gravity_scale is %g; it must be from -1e6 to 1e6",
                    (double)d->gravity_scale);
    if (!(d->linear_damping >= 0.0f && d->linear_damping <= 1e6f && d->angular_damping >= 0.0f &&
          d->angular_damping <= 1e6f))
        return fail(PL_ERROR_ARGUMENT,
                    "rigid: linear_damping is %g and angular_damping %g 1/s; both must be from 0 to 1e6",
                    (double)d->linear_damping, (double)d->angular_damping);
    if (d->locks < 0 || d->locks > 63)
        return fail(PL_ERROR_ARGUMENT, "rigid: locks is %d; it must be a sum of pl_rigid_lock, from 0 to 63", d->locks);
    return PL_OK;
}

pl_result pl_set_rigid(pl_world *w, pl_id body, const pl_rigid_def *def)
{
    NEED(w);
    NEED(def);
    int64_t hint = 0, i = rigid_find(w, body, "set rigid", &hint);
    pl_result result = i < 0 ? PL_ERROR_ARGUMENT : rigid_check_values(def);
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    rigid_form *f = &w->rigids.form[i];
    f->gravity_scale = def->gravity_scale;
    f->linear_damping = def->linear_damping, f->angular_damping = def->angular_damping;
    f->locks = def->locks;
    f->wakeful = !def->allow_sleep;
    rigid_wake(w, i);
    f->user[0] = (uint32_t)def->user_data, f->user[1] = (uint32_t)(def->user_data >> 32);
    for (int64_t k = 0; k < w->oriented.count; k++)
        if (w->oriented.member[k] == w->rigids.member[w->rigids.start[i]])
            w->oriented.inertia[k] = rigid_frame(f);
    return PL_OK;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

static bool is_shape(const rigid_part *p) { return p->kind < RIGID_PART_NONE; }

int pl_rigid_shape_count(const pl_world *w, pl_id body)
{
    int64_t hint = 0, i = w ? rigid_find(w, body, "rigid shape count", &hint) : -1;
    int count = 0;
    for (int32_t k = i < 0 ? 0 : w->rigids.start[i]; i >= 0 && k < w->rigids.start[i + 1]; k++)
        count += is_shape(&w->rigids.part[k]);
    return count;
}

pl_result pl_get_rigid_shape(const pl_world *w, pl_id body, int number, pl_rigid_shape *out, float *vertices,
                             int32_t *triangles)
{
    NEED(w);
    NEED(out);
    int64_t hint = 0, i = rigid_find(w, body, "get rigid shape", &hint);
    if (i < 0)
        return PL_ERROR_ARGUMENT;
    const rigid_part *p = w->rigids.part + w->rigids.start[i], *end = w->rigids.part + w->rigids.start[i + 1];
    int at = number;
    while (p < end && !(is_shape(p) && at-- == 0))
        p++;
    if (number < 0 || p == end)
        return fail(PL_ERROR_ARGUMENT, "get rigid shape: the body has no shape %d; it has %d", number,
                    pl_rigid_shape_count(w, body));
    *out = (pl_rigid_shape){.kind = (pl_rigid_shape_kind)p->kind,
                            .radius = p->shape.radius,
                            .length = p->shape.length,
                            .density = p->shape.density,
                            .two_sided = p->shape.flags & RIGID_TWO_SIDED,
                            .hollow = p->shape.flags & RIGID_HOLLOW,
                            .vertex_count = p->shape.vertices,
                            .triangle_count = p->shape.triangles,
                            .material = p->shape.material,
                            .sensor = p->shape.sensor};
    memcpy(&out->position, p->shape.position, sizeof out->position);
    memcpy(&out->rotation, p->shape.rotation, sizeof out->rotation);
    memcpy(&out->half, p->shape.half, sizeof out->half);
    for (p++; p < end && !is_shape(p); p++)
    {
        bool points = p->kind == RIGID_PART_VERTICES;
        size_t bytes = 3 * (size_t)p->count * sizeof(float);
        if (points && vertices)
            memcpy(vertices, p->vertex, bytes), vertices += 3 * p->count;
        if (!points && triangles)
            memcpy(triangles, p->triangle, bytes), triangles += 3 * p->count;
    }
    return PL_OK;
}
