// robot_state.c: the motion of links and joints, poses, and controls.
#include "robot_world.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- motion --------------------------------------------------------------------------------------------------------

pl_result robot_link_motion(const pl_robot *r, const pl_world *world, int link, struct robot_pose *pose,
                            double velocity[3], double spin[3])
{
    const struct robot_link *l = &r->m->links.items[link];
    const struct robot_body *b = &r->m->bodies.items[l->body];
    pl_rigid_state s;
    struct robot_pose body;
    double centre[3], arm[3], turning[3];
    pl_result result = pl_get_rigids(world, &r->bodies[l->body], 1, &s);
    if (result != PL_OK)
        return result;
    robot_from_state(s.position, s.rotation, &body);
    *pose = robot_after(&body, &l->in_body);
    robot_place(&body, b->mass.centre, centre);
    for (int c = 0; c < 3; c++)
        arm[c] = pose->p[c] - centre[c];
    spin[0] = (double)s.spin.x, spin[1] = (double)s.spin.y, spin[2] = (double)s.spin.z;
    robot_cross(spin, arm, turning);
    velocity[0] = (double)s.velocity.x + turning[0], velocity[1] = (double)s.velocity.y + turning[1];
    velocity[2] = (double)s.velocity.z + turning[2];
    return PL_OK;
}

static double wrapped(double angle)
{
    angle -= 2.0 * ROBOT_PI * floor(angle / (2.0 * ROBOT_PI) + 0.5);
    return angle;
}

pl_result robot_joint_motion(const pl_robot *r, const pl_world *world, int number, double *position, double *velocity)
{
    const struct robot_joint *j = &r->m->joints.items[number];
    const struct robot_link *l = &r->m->links.items[j->link];
    struct robot_pose pose[2], back, rel;
    double v[2][3] = {{0.0}}, w[2][3] = {{0.0}}, axis[3], arm[3], turning[3];
    *position = *velocity = 0.0;
    if (j->kind != ROBOT_HINGE && j->kind != ROBOT_SLIDE)
        return PL_OK;
    pl_result result = robot_link_motion(r, world, l->parent, &pose[0], v[0], w[0]);
    result = result == PL_OK ? robot_link_motion(r, world, j->link, &pose[1], v[1], w[1]) : result;
    if (result != PL_OK)
        return result;
    struct robot_pose rest = robot_after(&pose[0], &l->rest);
    back = robot_inverse(&rest);
    rel = robot_after(&back, &pose[1]);
    robot_rotate(pose[1].q, j->axis, axis);
    if (j->kind == ROBOT_HINGE)
    {
        double moved = 2.0 * robot_angle(robot_dot(rel.q, j->axis), rel.q[3]);
        *position = wrapped(moved + j->zero - j->start) + j->start;
        *velocity = robot_dot(w[1], axis) - robot_dot(w[0], axis);
        return PL_OK;
    }
    *position = robot_dot(rel.p, j->axis) + j->zero;
    for (int c = 0; c < 3; c++)
        arm[c] = pose[1].p[c] - pose[0].p[c];
    robot_cross(w[0], arm, turning);
    for (int c = 0; c < 3; c++)
        *velocity += axis[c] * (v[1][c] - v[0][c] - turning[c]);
    return PL_OK;
}

static pl_result bad_number(const char *what, int number, int count)
{
    return fail(PL_ERROR_ARGUMENT, "robot: no %s %d; it has %d, counted from 0", what, number, count);
}

static pl_result missing(void)
{
    return fail(PL_ERROR_ARGUMENT, "robot: a robot, a world or an array is missing; give each of them");
}

pl_result pl_robot_link_state(const pl_robot *r, const pl_world *world, int link, pl_rigid_state *out)
{
    struct robot_pose pose;
    double v[3], w[3];
    if (!r || !world || !out)
        return missing();
    if (link < 0 || link >= r->m->links.count)
        return bad_number("link", link, r->m->links.count);
    pl_result result = robot_link_motion(r, world, link, &pose, v, w);
    if (result == PL_OK)
        *out = (pl_rigid_state){robot_vec3(pose.p), robot_quat(pose.q), robot_vec3(v), robot_vec3(w)};
    return result;
}

pl_result pl_robot_joint_state(const pl_robot *r, const pl_world *world, int joint, float *position, float *velocity)
{
    double x, v;
    if (!r || !world)
        return missing();
    if (joint < 0 || joint >= r->m->joints.count)
        return bad_number("joint", joint, r->m->joints.count);
    pl_result result = robot_joint_motion(r, world, joint, &x, &v);
    if (result == PL_OK && position)
        *position = (float)x;
    if (result == PL_OK && velocity)
        *velocity = (float)v;
    return result;
}

// ---- poses ---------------------------------------------------------------------------------------------------------

// Returns the poses of all links; free them with free().
static pl_result forward(const pl_robot *r, const double *positions, struct robot_pose **out)
{
    const struct robot_model *m = r->m;
    for (int i = 0; i < m->joints.count; i++)
        if (!(positions[i] >= -1e4 && positions[i] <= 1e4))
            return fail(PL_ERROR_ARGUMENT, "robot: the position of joint %d is %g; it must be from -1e4 to 1e4", i,
                        positions[i]);
    *out = malloc(((size_t)m->links.count + 1) * sizeof **out);
    if (!*out)
        return fail(PL_ERROR_MEMORY, "no memory for the poses of a robot; free some memory");
    robot_forward(m, &m->base, positions, *out);
    return PL_OK;
}

pl_result pl_robot_forward(const pl_robot *r, const double *positions, pl_rigid_state *out)
{
    struct robot_pose *poses;
    if (!r || !positions || !out)
        return missing();
    pl_result result = forward(r, positions, &poses);
    if (result != PL_OK)
        return result;
    for (int i = 0; i < r->m->links.count; i++)
        out[i] = (pl_rigid_state){.position = robot_vec3(poses[i].p), .rotation = robot_quat(poses[i].q)};
    free(poses);
    return PL_OK;
}

pl_result pl_robot_set_pose(const pl_robot *r, pl_world *world, const double *positions)
{
    struct robot_pose *poses;
    if (!r || !world || !positions)
        return missing();
    pl_result result = forward(r, positions, &poses);
    if (result != PL_OK)
        return result;
    int count = r->m->bodies.count;
    pl_rigid_state *states = calloc((size_t)count + 1, sizeof *states);
    for (int i = 0; i < count && states; i++)
    {
        const struct robot_pose *pose = &poses[r->m->bodies.items[i].link];
        states[i] = (pl_rigid_state){.position = robot_vec3(pose->p), .rotation = robot_quat(pose->q)};
    }
    result = states ? pl_set_rigids(world, r->bodies, count, states)
                    : fail(PL_ERROR_MEMORY, "no memory for the poses of a robot; free some memory");
    free(states);
    free(poses);
    return result;
}

// ---- controls ------------------------------------------------------------------------------------------------------

static pl_result set_velocity(const pl_robot *r, pl_world *world, int number, const float *param)
{
    float compliance = robot_velocity_compliance(r->m, &r->m->actuators.items[number], world), now;
    pl_result result = pl_get_rows(world, r->actuators[number], PL_ROW_COMPLIANCE, 0, 1, &now);
    if (result == PL_OK && now != compliance)
        result = pl_set_rows(world, r->actuators[number], PL_ROW_COMPLIANCE, 0, 1, &compliance);
    return result == PL_OK ? pl_set_rows(world, r->actuators[number], PL_ROW_PARAM, 0, 1, param) : result;
}

pl_result pl_robot_set_control(const pl_robot *r, pl_world *world, int number, float value)
{
    if (!r || !world)
        return missing();
    if (number < 0 || number >= r->m->actuators.count)
        return bad_number("actuator", number, r->m->actuators.count);
    if (!(value - value == 0.0f))
        return fail(PL_ERROR_ARGUMENT, "robot: the control of actuator %d is not finite; give finite numbers", number);
    const struct robot_actuator *a = &r->m->actuators.items[number];
    const struct robot_joint *j = &r->m->joints.items[a->joint];
    double control = (double)value < a->least ? a->least : (double)value > a->most ? a->most : (double)value;
    float param[PL_MAX_PARAMS];
    int count = (j->kind == ROBOT_SLIDE ? 9 : 6) + (a->control == PL_CONTROL_POSITION ? 3 : 2);
    pl_result result = pl_get_rows(world, r->actuators[number], PL_ROW_PARAM, 0, 1, param);
    if (result != PL_OK)
        return result;
    if (a->control == PL_CONTROL_VELOCITY)
    {
        param[count - 2] = (float)(control / a->gear);
        return set_velocity(r, world, number, param);
    }
    if (a->control == PL_CONTROL_POSITION)
    {
        double target = control / a->gear - j->start;
        if (j->kind == ROBOT_HINGE)
            target = target > ROBOT_PI || target < -ROBOT_PI ? wrapped(target) : target;
        param[count - 3] = param[count - 2] = (float)target;
    }
    else
    {
        double force = control < -a->strength ? -a->strength : control > a->strength ? a->strength : control;
        double torque = force * a->gear;
        param[count - 2] = torque < 0.0 ? -fabsf(param[count - 2]) : fabsf(param[count - 2]);
        param[count - 1] = (float)fabs(torque);
    }
    return pl_set_rows(world, r->actuators[number], PL_ROW_PARAM, 0, 1, param);
}

pl_result pl_robot_set_controls(const pl_robot *r, pl_world *world, const float *values)
{
    pl_result result = PL_OK;
    if (!r || !world || !values)
        return missing();
    for (int i = 0; i < r->m->actuators.count; i++)
        if (!(values[i] - values[i] == 0.0f))
            return fail(PL_ERROR_ARGUMENT, "robot: the control of actuator %d is not finite; give finite numbers", i);
    for (int i = 0; i < r->m->actuators.count && result == PL_OK; i++)
        result = pl_robot_set_control(r, world, i, values[i]);
    return result;
}
