// frame_row.h: constraints whose ends are particles or body frames (elements/frame_rotation.h): the data that such a
// kind gives to the solver, and the solve. C may have several parts, which are solved together.
//
// A kind's header has NAME_eval (the parts of C and their gradients) and NAME_rest (the parameters for which the ends
// are at rest in their present positions). The gradient by an end's position is called linear; by a small rotation of
// the end (a rotation vector in world axes) it is called angular. A particle without a frame is an end that does not
// rotate: its orientation is the identity and its inverse inertia 0.
//
//   dlambda = -((1 + gamma) J W J^T + a)^-1 (C + a lambda + gamma motion),  W = diag(w, I^-1)
//   x += w J_x^T dlambda,  q rotates by I^-1 J_q^T dlambda               Mueller, Macklin, Chentanez, Jeschke, Kim 2020
// a, gamma: compliance and damping in the substep (row.h). The first line: Macklin, Mueller, Chentanez 2016.
//
// Angular momentum. At a substep's end it is sum x0 x m (x - x0)/h + I omega, about the positions x0 at its start,
// while the gradients balance at the present positions, and for a vector C only where it is 0. So the residual of sum
// x0 x J_x + J_q = 0 is distributed evenly among the ends that rotate; then the multipliers change neither momentum. I
// is taken half way between the orientations at the start and predicted, as the angular velocity is.
#pragma once
#include "elements/vector_row.h"
#include "elements/frame_rotation.h"

enum
{
    FRAME_ENDS = 2,
    FRAME_PARTS = VECTOR_PARTS,
};

typedef struct frame_end
{
    point p;     // position, inverse mass
    quat q;      // orientation
    mat3 half;   // its axes, half way between the substep's start and the prediction
    vec ease;    // inverse inertia along these axes; 0: it does not rotate
    i32 rotates; // whether it rotates
    vec world;   // of the first end: the point of the world that positions are relative to
} frame_end;

#define ROW_UNLIMITED 1e30f // a strength that is not limited

typedef struct frame_rows
{
    int grounded;        // it pushes against the world too: the momenta of the ends do not balance
    f32 width;           // of a range: C may be from 0 to width
    f32 speed, strength; // of a motor: dC/dt; of ranges and motors: the largest force or torque
    f32 value[FRAME_PARTS];
    vec linear[FRAME_PARTS][FRAME_ENDS];
    vec angular[FRAME_PARTS][FRAME_ENDS];
} frame_rows;

// I^-1 times an angular gradient: the rotation of an end.
PL_FN vec frame_eased(const frame_end *e, vec angular) { return along_axes(&e->half, e->ease, angular); }

// Corrects the angular gradients so that no part changes the angular momentum (see above). The linear gradients of the
// two ends sum to 0, so the result does not depend on the origin.
PL_FN void frame_balance(frame_rows *c, const frame_end *e, const vec *moved, int parts)
{
    const f32 one = splat(1.0f);
    if (c->grounded)
        return;
    f32 both = keep(e[0].rotates, one) + keep(e[1].rotates, one);
    f32 share = -1.0f / pick(both > 0.0f, both, one);
    vec apart = sub(sub(at(e[1].p), at(e[0].p)), sub(moved[1], moved[0])); // at the substep's start
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        vec torque = add(add(c->angular[i][0], c->angular[i][1]), cross(apart, c->linear[i][1]));
        vec each = times(share, torque);
        for (int k = 0; k < FRAME_ENDS; k++)
            c->angular[i][k] = add(c->angular[i][k], keep_vec(e[k].rotates, each));
    }
}

// Computes the change of the parts as the ends move and rotate.
PL_FN void frame_motion(const frame_rows *c, const vec *moved, const vec *rotated, int parts, f32 *motion)
{
    UNFOLD
    for (int i = 0; i < parts; i++)
        motion[i] = (dot(c->linear[i][0], moved[0]) + dot(c->angular[i][0], rotated[0])) +
                    (dot(c->linear[i][1], moved[1]) + dot(c->angular[i][1], rotated[1]));
}

// Computes J W J^T; only its lower half is stored.
PL_FN void frame_weigh(const frame_rows *c, const frame_end *e, int parts, f32 *m)
{
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        vec a = frame_eased(&e[0], c->angular[i][0]), b = frame_eased(&e[1], c->angular[i][1]);
        UNFOLD
        for (int j = 0; j < parts; j++)
            if (j <= i)
                m[HALF_AT(i, j)] = (e[0].p.w * dot(c->linear[i][0], c->linear[j][0]) + dot(a, c->angular[j][0])) +
                                   (e[1].p.w * dot(c->linear[i][1], c->linear[j][1]) + dot(b, c->angular[j][1]));
    }
}

// One solve of a row that is bounded; m: its weight. A range holds C between 0 and its width:
//   lambda' = max(0, lambda + s(C)) + min(0, lambda + s(C - width)),  s(C) = -(C + a lambda + gamma motion)/((1 + gamma) W + a)
// At most one of the two terms is not 0. Damping acts only where a bound is reached. A range without a width is an
// equation. A motor holds the motion of the
// substep at speed * step. Both are limited to a force of `strength`.
PL_FN f32 bounded_visit(const frame_rows *c, f32 m, const softness *soft, f32 motion, f32 lambda, float step, int bound,
                        int mode)
{
    const f32 none = splat(0.0f);
    f32 k = mode == MODE_PBD ? soft->k : splat(1.0f), a = mode == MODE_PBD ? none : soft->a;
    f32 gamma = mode == MODE_DAMPED && bound == BOUND_RANGE ? soft->gamma : none;
    f32 under = m + gamma * m + a, most_force = c->strength * (step * step);
    i32 live = under > 0.0f;
    f32 inverse = keep(live, k / pick(live, under, splat(1.0f))), next;
    if (bound == BOUND_DRIVE)
        next = lambda - inverse * ((motion - c->speed * step) + a * lambda);
    else
    {
        f32 low = c->value[0], high = c->value[0] - c->width, drag = a * lambda + gamma * motion;
        f32 up = keep((low <= 0.0f) | (lambda > 0.0f), most(none, lambda - inverse * (low + drag)));
        f32 down = keep((high >= 0.0f) | (lambda < 0.0f), least(none, lambda - inverse * (high + drag)));
        next = pick(c->width > 0.0f, up + down, lambda - inverse * (low + drag));
    }
    return least(most(next, -most_force), most_force);
}

// One Gauss-Seidel solve: updates lambda; `change` is its change. step: the time that the substep spans.
PL_FN void frame_visit(const frame_rows *c, const frame_end *e, int parts, const softness *soft, const f32 *motion,
                       f32 *lambda, f32 *change, float step, int bound, int mode)
{
    f32 m[VECTOR_HALF];
    frame_weigh(c, e, parts, m);
    if (bound != BOUND_EQUAL)
    {
        f32 next = bounded_visit(c, m[0], soft, motion[0], lambda[0], step, bound, mode);
        change[0] = next - lambda[0];
        lambda[0] = next;
        return;
    }
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        change[i] = -c->value[i];
        if (mode == MODE_PBD)
            change[i] = soft->k * change[i];
        else
            change[i] = change[i] - soft->a * lambda[i];
        if (mode == MODE_DAMPED)
        {
            change[i] = change[i] - soft->gamma * motion[i];
            UNFOLD
            for (int j = 0; j < parts; j++)
                if (j <= i)
                    m[HALF_AT(i, j)] = m[HALF_AT(i, j)] + soft->gamma * m[HALF_AT(i, j)];
        }
        if (mode != MODE_PBD)
            m[HALF_AT(i, i)] = m[HALF_AT(i, i)] + soft->a;
    }
    half_solve(m, change, parts);
    UNFOLD
    for (int i = 0; i < parts; i++)
        lambda[i] = lambda[i] + change[i];
}

// The displacement of an end for a mass of 1; below, its rotation.
PL_FN vec frame_push(const frame_rows *c, const f32 *change, int parts, int end)
{
    vec sum = times(change[0], c->linear[0][end]);
    UNFOLD
    for (int i = 1; i < parts; i++)
        sum = add(sum, times(change[i], c->linear[i][end]));
    return sum;
}

PL_FN vec frame_twist(const frame_rows *c, const frame_end *e, const f32 *change, int parts, int end)
{
    vec sum = times(change[0], c->angular[0][end]);
    UNFOLD
    for (int i = 1; i < parts; i++)
        sum = add(sum, times(change[i], c->angular[i][end]));
    return frame_eased(&e[end], sum);
}
