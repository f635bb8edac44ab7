// joint_frame.h: what joints share. A joint has a frame of its own in each of its two ends: a point and three axes,
// fixed in the end. The joint says how the two frames may lie to each other; its axis is their x axis.
//   param of an end: its point (3) [m], its rotation (3): the vector part of a unit quaternion whose scalar is not negative
// An end that is a particle without a frame has its axes along those of the world and does not rotate.
#pragma once
#include "elements/frame_row.h"

enum
{
    JOINT_END = 6, // parameters of an end
    JOINT_PARAMS = JOINT_END * FRAME_ENDS,
};

PL_FN vec rotate_vec(quat q, vec a)
{
    mat3 r = quat_axes(q);
    return mat_times(&r, a);
}

PL_FN vec param_vec(const f32 *param) { return vec_of(param[0], param[1], param[2]); }

// The axes of a joint in an end: those of the end, rotated by the parameters.
PL_FN quat joint_turn(quat q, const f32 *param)
{
    vec v = param_vec(param);
    quat own = {v, root(most(1.0f - square(v), splat(0.0f)))};
    return quat_times(q, own);
}

// The parameters for which the axes of a joint are those of the world, rotated by `to`.
PL_FN void joint_turn_rest(quat q, quat to, f32 *param)
{
    quat own = quat_unit(quat_times(quat_conjugate(q), to));
    f32 side = pick(own.w < 0.0f, splat(-1.0f), splat(1.0f));
    param[0] = side * own.v.x, param[1] = side * own.v.y, param[2] = side * own.v.z;
}

// The parameters of a point of the end at `arm` from its centre, in world axes.
PL_FN void joint_point_rest(quat q, vec arm, f32 *param)
{
    mat3 r = quat_axes(q);
    param[0] = dot(r.c[0], arm), param[1] = dot(r.c[1], arm), param[2] = dot(r.c[2], arm);
}

// The arm of end a to a point half way between the ends; where an end has no frame, to that end.
PL_FN vec joint_middle(const frame_end *e)
{
    f32 share = pick(e[1].rotates, pick(e[0].rotates, splat(0.5f), splat(0.0f)), splat(1.0f)); // of the way from a to b
    return times(share, sub(at(e[1].p), at(e[0].p)));
}

// Both frames half way between the ends, along the axes of the world.
PL_FN void joint_rest(const frame_end *e, f32 *param)
{
    vec a = joint_middle(e), b = sub(a, sub(at(e[1].p), at(e[0].p)));
    joint_point_rest(e[0].q, a, param);
    joint_point_rest(e[1].q, b, param + JOINT_END);
    for (int i = 0; i < FRAME_ENDS; i++)
        joint_turn_rest(e[i].q, quat_identity(), param + JOINT_END * i + 3);
}

// A joint in the world: the arms to its two points, from one to the other, and its two frames.
typedef struct joint_pose
{
    vec arm[FRAME_ENDS], between; // between: from the point of a to that of b
    quat q[FRAME_ENDS];
    mat3 axes[FRAME_ENDS];
} joint_pose;

PL_FN joint_pose joint_now(const frame_end *e, const f32 *param)
{
    joint_pose j;
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        j.arm[i] = rotate_vec(e[i].q, param_vec(param + JOINT_END * i));
        j.q[i] = joint_turn(e[i].q, param + JOINT_END * i + 3);
        j.axes[i] = quat_axes(j.q[i]);
    }
    j.between = add(sub(at(e[1].p), at(e[0].p)), sub(j.arm[1], j.arm[0]));
    return j;
}

// ---- parts of C ----------------------------------------------------------------------------------------------------

PL_FN void row_zero_linear(frame_rows *c, int part)
{
    for (int i = 0; i < FRAME_ENDS; i++)
        c->linear[part][i] = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
}

// The two points coincide along an axis u that belongs to end a:  C = u . between
PL_FN void part_along(const joint_pose *j, vec u, frame_rows *c, int part)
{
    c->value[part] = dot(u, j->between);
    c->linear[part][0] = times(splat(-1.0f), u), c->linear[part][1] = u;
    c->angular[part][0] = cross(u, add(j->arm[0], j->between)), c->angular[part][1] = cross(j->arm[1], u);
}

// A point of a at the arm a, less one of b at the arm b: three parts, along the axes of the world, without the gradient
// of a gap:  u . (t x a) = t . (a x u).
PL_FN void parts_gap(vec gap, vec a, vec b, frame_rows *c)
{
    const f32 none = splat(0.0f), one = splat(1.0f);
    const vec u[3] = {vec_of(one, none, none), vec_of(none, one, none), vec_of(none, none, one)};
    c->value[0] = gap.x, c->value[1] = gap.y, c->value[2] = gap.z;
    for (int i = 0; i < 3; i++)
    {
        c->linear[i][0] = u[i], c->linear[i][1] = times(splat(-1.0f), u[i]);
        c->angular[i][0] = cross(a, u[i]), c->angular[i][1] = cross(u[i], b);
    }
}

// The two points coincide: three parts, along the axes of the world. The gradients of a rotation are exact for any gap.
PL_FN void parts_point(const joint_pose *j, frame_rows *c, int part)
{
    const f32 none = splat(0.0f), one = splat(1.0f);
    const vec u[3] = {vec_of(one, none, none), vec_of(none, one, none), vec_of(none, none, one)};
    c->value[part] = j->between.x, c->value[part + 1] = j->between.y, c->value[part + 2] = j->between.z;
    for (int i = 0; i < 3; i++)
    {
        c->linear[part + i][0] = times(splat(-1.0f), u[i]), c->linear[part + i][1] = u[i];
        c->angular[part + i][0] = cross(u[i], j->arm[0]), c->angular[part + i][1] = cross(j->arm[1], u[i]);
    }
}

// An axis of a and an axis of b are at a right angle:  C = u . v
PL_FN void part_square(vec u, vec v, frame_rows *c, int part)
{
    c->value[part] = dot(u, v);
    row_zero_linear(c, part);
    c->angular[part][0] = cross(u, v), c->angular[part][1] = cross(v, u);
}

// The two frames have the same axes: three parts, C = 2 vec(qb qa^-1), in world axes.
PL_FN void parts_turn(const joint_pose *j, frame_rows *c, int part)
{
    const f32 none = splat(0.0f), one = splat(1.0f);
    const vec u[3] = {vec_of(one, none, none), vec_of(none, one, none), vec_of(none, none, one)};
    quat d = quat_times(j->q[1], quat_conjugate(j->q[0]));
    f32 side = pick(d.w < 0.0f, splat(-1.0f), splat(1.0f)), w = side * d.w;
    vec v = times(side, d.v);
    c->value[part] = 2.0f * v.x, c->value[part + 1] = 2.0f * v.y, c->value[part + 2] = 2.0f * v.z;
    for (int i = 0; i < 3; i++) // a rotation t of b changes 2 v by w t + t x v, one of a by -(w t + v x t)
    {
        row_zero_linear(c, part + i);
        c->angular[part + i][1] = add(times(w, u[i]), cross(v, u[i]));
        c->angular[part + i][0] = sub(cross(v, u[i]), times(w, u[i]));
    }
}
