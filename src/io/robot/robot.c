// robot.c: implements the part of robot.h that reads files and names what they became.
#include "robot_world.h"

#include "core/error.h"
#include "core/files.h"

#include <stdlib.h>
#include <string.h>

pl_robot_def pl_default_robot_def(void)
{
    return (pl_robot_def){.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                          .fixed = true,
                          .kp = 1e4f,
                          .kv = 1e2f,
                          .dt = 1.0f / 60.0f,
                          .category = 1,
                          .mask = UINT64_MAX};
}

// ---- reading -------------------------------------------------------------------------------------------------------

static pl_result check_def(const pl_robot_def *d)
{
    const pl_vec3 p = d->position;
    const pl_quat q = d->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    if (!(p.x - p.x == 0.0f && p.y - p.y == 0.0f && p.z - p.z == 0.0f))
        return fail(PL_ERROR_ARGUMENT, "robot: the position is not finite; give finite numbers");
    if (!(size > 0.98 && size < 1.02))
        return fail(PL_ERROR_ARGUMENT, "robot: the rotation is a quaternion whose squared length is %g; it must be 1",
                    size);
    if ((unsigned)d->control > PL_CONTROL_NONE)
        return fail(PL_ERROR_ARGUMENT, "robot: control is %d; it must be from 0 to %d", (int)d->control,
                    PL_CONTROL_NONE);
    if (!(d->kp > 0.0f && d->kp <= 1e12f && d->kv >= 0.0f && d->kv <= 1e12f))
        return fail(PL_ERROR_ARGUMENT, "robot: kp is %g and kv is %g; kp must be above 0, kv 0 or above, both to 1e12",
                    (double)d->kp, (double)d->kv);
    if (!(d->dt > 0.0f && d->dt <= 100.0f))
        return fail(PL_ERROR_ARGUMENT, "robot: dt is %g s; it must be above 0 and at most 100", (double)d->dt);
    return PL_OK;
}

// The pose of the file in the world: its z axis becomes y, then the user's rotation and position.
static struct robot_pose base_of(const pl_robot_def *d)
{
    static const double x_axis[3] = {1.0, 0.0, 0.0};
    struct robot_pose user, axes = ROBOT_POSE_NONE;
    robot_from_state(d->position, d->rotation, &user);
    if (!d->keep_axes)
        robot_rotation(x_axis, -ROBOT_PI / 2.0, axes.q);
    return robot_after(&user, &axes);
}

pl_result robot_read(struct store *store, const char *text, size_t length, const char *file, const pl_robot_def *def,
                     struct robot_model **out)
{
    struct robot_model *m = store_take(store, sizeof *m);
    struct xml *root = NULL;
    pl_result result = m ? check_def(def) : fail(PL_ERROR_MEMORY, "no memory for the robot; use a smaller one");
    result = result == PL_OK ? xml_parse(store, text, length, file, &root) : result;
    if (result != PL_OK)
        return result;
    root->read = true;
    m->store = store;
    m->root = root;
    m->def = *def;
    m->base = base_of(def);
    if (xml_is(root, "robot"))
        urdf_read(m);
    else if (xml_is(root, "mujoco"))
        mjcf_read(m);
    else
        robot_fail(m, root, NULL, "<%.40s> is no robot; a URDF file begins with <robot>, an MJCF file with <mujoco>",
                   root->name);
    if (m->result == PL_OK)
        robot_resolve(m);
    *out = m;
    return m->result;
}

pl_result robot_give_gravity(const struct robot_model *m, pl_world *world)
{
    pl_settings s = pl_world_settings(world);
    double g[3];
    if (!m->def.gravity || !m->has_gravity)
        return PL_OK;
    robot_rotate(m->base.q, m->gravity, g);
    for (int c = 0; c < 3; c++) // a rotation by 90 degrees leaves rounding errors
        g[c] = g[c] < 1e-9 && g[c] > -1e-9 ? 0.0 : g[c];
    s.gravity = robot_vec3(g);
    return pl_world_set_settings(world, &s);
}

pl_result pl_add_robot(pl_world *world, const char *text, size_t length, const char *file, const pl_robot_def *def,
                       pl_robot **robot)
{
    pl_robot_def plain = pl_default_robot_def();
    struct robot_model *m;
    if (!world || !text)
        return fail(PL_ERROR_ARGUMENT, "pl_add_robot without a world or a text; give both");
    pl_robot *r = calloc(1, sizeof *r);
    if (!r)
        return fail(PL_ERROR_MEMORY, "no memory for the robot; use a smaller one");
    pl_result result = robot_read(&r->store, text, length, file ? file : "robot", def ? def : &plain, &m);
    result = result == PL_OK ? robot_make(r, m) : result;
    result = result == PL_OK ? robot_build(r, world) : result;
    result = result == PL_OK ? robot_give_gravity(m, world) : result;
    if (result == PL_OK && robot)
        *robot = r;
    else
        pl_robot_free(r);
    return result;
}

pl_result pl_add_robot_file(pl_world *world, const char *path, const pl_robot_def *def, pl_robot **robot)
{
    char *text;
    size_t length;
    if (!world || !path)
        return fail(PL_ERROR_ARGUMENT, "pl_add_robot_file without a world or a path; give both");
    pl_result result = file_read(path, XML_MAX_BYTES, &text, &length);
    if (result == PL_OK)
    {
        result = pl_add_robot(world, text, length, path, def, robot);
        free(text);
    }
    return result;
}

void pl_robot_free(pl_robot *robot)
{
    if (robot)
    {
        store_free(&robot->store);
        free(robot);
    }
}

// ---- names ---------------------------------------------------------------------------------------------------------

const char *pl_robot_name(const pl_robot *r) { return r && r->m->name ? r->m->name : "robot"; }

const char *pl_robot_warning(const pl_robot *r, int i)
{
    return r && i >= 0 && i < r->m->warning_count ? r->m->warnings[i] : NULL;
}

float pl_robot_timestep(const pl_robot *r) { return r ? (float)r->m->timestep : 0.0f; }

int pl_robot_links(const pl_robot *r) { return r ? r->m->links.count : 0; }

pl_robot_link pl_robot_link_at(const pl_robot *r, int i)
{
    if (i < 0 || i >= pl_robot_links(r))
        return (pl_robot_link){0};
    const struct robot_link *link = &r->m->links.items[i];
    return (pl_robot_link){.name = link->name,
                           .parent = link->parent,
                           .joint = link->joint,
                           .body = r->bodies[link->body],
                           .position = robot_vec3(link->in_body.p),
                           .rotation = robot_quat(link->in_body.q),
                           .friction = (float)link->friction};
}

int pl_robot_find_link(const pl_robot *r, const char *name) { return r ? robot_find_link(r->m, name) : -1; }

int pl_robot_joints(const pl_robot *r) { return r ? r->m->joints.count : 0; }

pl_robot_joint pl_robot_joint_at(const pl_robot *r, int i)
{
    static const pl_joint_kind kinds[] = {PL_JOINT_FIXED, PL_JOINT_HINGE, PL_JOINT_SLIDER, PL_JOINT_BALL,
                                          PL_JOINT_KIND_COUNT};
    if (i < 0 || i >= pl_robot_joints(r))
        return (pl_robot_joint){0};
    const struct robot_joint *j = &r->m->joints.items[i];
    return (pl_robot_joint){.name = j->name,
                            .link = j->link,
                            .kind = kinds[j->kind],
                            .limited = j->limited,
                            .low = (float)j->low,
                            .high = (float)j->high,
                            .joint = r->joints[i]};
}

int pl_robot_find_joint(const pl_robot *r, const char *name) { return r ? robot_find_joint(r->m, name) : -1; }

int pl_robot_actuators(const pl_robot *r) { return r ? r->m->actuators.count : 0; }

pl_robot_actuator pl_robot_actuator_at(const pl_robot *r, int i)
{
    if (i < 0 || i >= pl_robot_actuators(r))
        return (pl_robot_actuator){0};
    const struct robot_actuator *a = &r->m->actuators.items[i];
    return (pl_robot_actuator){.name = a->name,
                               .joint = a->joint,
                               .control = a->control,
                               .kp = (float)a->kp,
                               .kv = (float)a->kv,
                               .gear = (float)a->gear,
                               .least = (float)a->least,
                               .most = (float)a->most,
                               .strength = (float)a->strength};
}

int pl_robot_find_actuator(const pl_robot *r, const char *name)
{
    for (int i = 0; name && i < pl_robot_actuators(r); i++)
        if (strcmp(r->m->actuators.items[i].name, name) == 0)
            return i;
    return -1;
}
