// robot_sense.c: the sensors of robots.
#include "robot_world.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

int pl_robot_sensors(const pl_robot *r) { return r ? r->sensor_count : 0; }

pl_robot_sensor pl_robot_sensor_at(const pl_robot *r, int i)
{
    int first = 0;
    if (i < 0 || i >= pl_robot_sensors(r))
        return (pl_robot_sensor){0};
    for (int k = 0; k < i; k++)
        first += robot_sensor_width(r->sensors[k].kind);
    const struct robot_sensor *s = &r->sensors[i];
    return (pl_robot_sensor){.name = s->name,
                             .kind = s->kind,
                             .link = s->link,
                             .joint = s->joint,
                             .first = first,
                             .count = robot_sensor_width(s->kind)};
}

int pl_robot_find_sensor(const pl_robot *r, const char *name)
{
    for (int i = 0; name && i < pl_robot_sensors(r); i++)
        if (strcmp(r->sensors[i].name, name) == 0)
            return i;
    return -1;
}

int pl_robot_sensor_size(const pl_robot *r)
{
    int size = 0;
    for (int i = 0; i < pl_robot_sensors(r); i++)
        size += robot_sensor_width(r->sensors[i].kind);
    return size;
}

// The joint whose force a link feels: that of the body that it is a part of.
static const pl_joint *joint_of(const pl_robot *r, int link, int *joint)
{
    int owner = r->m->bodies.items[r->m->links.items[link].body].link;
    *joint = r->m->links.items[owner].joint;
    const pl_joint *found = *joint >= 0 ? &r->joints[*joint] : &r->welds[owner];
    return found->rows[PL_JOINT_BASE].index ? found : NULL;
}

pl_result pl_robot_add_sensor(pl_robot *r, pl_sensor kind, const char *of)
{
    int joint = -1, unused;
    if (!r || !of)
        return fail(PL_ERROR_ARGUMENT, "robot sensor: a robot or a name is missing; give each of them");
    if ((unsigned)kind >= PL_SENSOR_KIND_COUNT)
        return fail(PL_ERROR_ARGUMENT, "robot sensor: kind is %d; kinds go from 0 to %d", (int)kind,
                    PL_SENSOR_KIND_COUNT - 1);
    bool of_joint = kind <= PL_SENSOR_JOINT_VELOCITY;
    int found = of_joint ? robot_find_joint(r->m, of) : robot_find_link(r->m, of);
    if (found < 0)
        return fail(PL_ERROR_ARGUMENT, "robot sensor: no %s called \"%.60s\"; check its name",
                    of_joint ? "joint" : "link", of);
    int link = of_joint ? r->m->joints.items[found].link : found;
    joint = of_joint ? found : -1;
    if ((kind == PL_SENSOR_FORCE || kind == PL_SENSOR_TORQUE) && !joint_of(r, link, &unused))
        return fail(PL_ERROR_ARGUMENT, "robot sensor: no joint holds \"%.60s\"; force and torque are those of a joint",
                    of);
    int capacity = r->sensor_count + 16;
    struct robot_sensor *grown = store_take(&r->store, (size_t)capacity * sizeof *grown);
    const char *name = store_text(&r->store, of, strlen(of));
    if (!grown || !name)
        return fail(PL_ERROR_MEMORY, "no memory for a sensor; free some memory");
    if (r->sensor_count)
        memcpy(grown, r->sensors, (size_t)r->sensor_count * sizeof *grown);
    grown[r->sensor_count++] =
        (struct robot_sensor){.name = name, .kind = kind, .link = link, .joint = joint, .pose = ROBOT_POSE_NONE};
    r->sensors = grown;
    r->sensed = NULL;
    r->sensed_at = -1.0;
    return PL_OK;
}

// ---- reading -------------------------------------------------------------------------------------------------------

// Puts a row where the joint has none, so that pl_joint_force counts it.
static void put_row(pl_joint *joint, pl_id row)
{
    for (int i = PL_JOINT_SLIDE_LIMIT; i < PL_JOINT_ROWS && row.index; i++)
        if (!joint->rows[i].index)
        {
            joint->rows[i] = row;
            return;
        }
}

// Force and torque on the link, about its joint's point; 0 if no joint holds it.
static pl_result joint_load(const pl_robot *r, const pl_world *world, int link, double force[3], double torque[3],
                            double point[3])
{
    int joint;
    const pl_joint *found = joint_of(r, link, &joint);
    memset(force, 0, 3 * sizeof *force), memset(torque, 0, 3 * sizeof *torque), memset(point, 0, 3 * sizeof *point);
    if (!found)
        return PL_OK;
    pl_joint all = *found;
    pl_vec3 f, t;
    struct robot_pose pose;
    double v[3], w[3], none[3] = {0.0};
    int owner = r->m->bodies.items[r->m->links.items[link].body].link;
    if (joint >= 0)
        put_row(&all, r->springs[joint]);
    for (int i = 0; i < r->m->actuators.count && joint >= 0; i++)
        if (r->m->actuators.items[i].joint == joint)
            put_row(&all, r->actuators[i]);
    pl_result result = pl_joint_force(world, &all, &f, &t);
    result = result == PL_OK ? robot_link_motion(r, world, owner, &pose, v, w) : result;
    if (result != PL_OK)
        return result;
    robot_place(&pose, joint >= 0 ? r->m->joints.items[joint].point : none, point);
    force[0] = (double)f.x, force[1] = (double)f.y, force[2] = (double)f.z;
    torque[0] = (double)t.x, torque[1] = (double)t.y, torque[2] = (double)t.z;
    return PL_OK;
}

// What a sensor of a link feels. before: its velocity at the last call, which is replaced.
static pl_result sense_link(const pl_robot *r, const pl_world *world, const struct robot_sensor *s, double time,
                            double before[3], double out[4])
{
    struct robot_pose link, pose;
    double v[3], w[3], arm[3], turning[3], force[3], torque[3], point[3];
    const pl_vec3 g = pl_world_settings(world).gravity;
    const double gravity[3] = {(double)g.x, (double)g.y, (double)g.z};
    pl_result result = robot_link_motion(r, world, s->link, &link, v, w);
    if (result != PL_OK)
        return result;
    pose = robot_after(&link, &s->pose);
    for (int c = 0; c < 3; c++)
        arm[c] = pose.p[c] - link.p[c];
    robot_cross(w, arm, turning);
    for (int c = 0; c < 3; c++)
    {
        double now = v[c] + turning[c], past = time - r->sensed_at;
        arm[c] = (r->sensed_at >= 0.0 && past > 0.0 ? (now - before[c]) / past : 0.0) - gravity[c];
        before[c] = now;
    }
    if (s->kind == PL_SENSOR_FORCE || s->kind == PL_SENSOR_TORQUE)
    {
        result = joint_load(r, world, s->link, force, torque, point);
        for (int c = 0; c < 3; c++)
            point[c] -= pose.p[c];
        robot_cross(point, force, turning);
        for (int c = 0; c < 3; c++)
            torque[c] += turning[c];
    }
    const double *world_value = s->kind == PL_SENSOR_ACCELEROMETER ? arm
                                : s->kind == PL_SENSOR_GYRO        ? w
                                : s->kind == PL_SENSOR_FORCE       ? force
                                                                   : torque;
    if (s->kind == PL_SENSOR_POSITION)
        memcpy(out, pose.p, sizeof pose.p);
    else if (s->kind == PL_SENSOR_ROTATION)
        memcpy(out, pose.q, sizeof pose.q);
    else
        robot_unrotate(pose.q, world_value, out);
    return result;
}

pl_result pl_robot_sense(pl_robot *r, const pl_world *world, float *values)
{
    pl_result result = PL_OK;
    if (!r || !world || !values)
        return fail(PL_ERROR_ARGUMENT, "robot: a robot, a world or an array is missing; give each of them");
    double time = pl_world_time(world);
    if (!r->sensed)
        r->sensed = store_take(&r->store, (size_t)r->sensor_count * sizeof *r->sensed);
    if (!r->sensed)
        return fail(PL_ERROR_MEMORY, "no memory for the sensors; free some memory");
    for (int i = 0, at = 0; i < r->sensor_count && result == PL_OK; i++)
    {
        const struct robot_sensor *s = &r->sensors[i];
        double out[4] = {0.0}, motion[2];
        if (s->joint >= 0)
        {
            result = robot_joint_motion(r, world, s->joint, &motion[0], &motion[1]);
            out[0] = motion[s->kind == PL_SENSOR_JOINT_VELOCITY];
        }
        else
            result = sense_link(r, world, s, time, r->sensed[i], out);
        for (int c = 0; c < robot_sensor_width(s->kind); c++)
            values[at++] = (float)out[c];
    }
    r->sensed_at = time;
    return result;
}
