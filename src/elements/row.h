// row.h: scalar constraints: the data that every kind gives to the solver, and the solve that all kinds share.
//
// A kind's header has NAME_eval (the paper's equation: C and its gradient at the points) and NAME_rest (the parameters
// for which the points are at rest in their present positions). Both are pure functions on lanes. The update of the
// multiplier, with compliance, damping and bounds, is written here once for all kinds.
#pragma once
#include "core/vec.h"

// Unrolls a loop whose trip count is constant after inlining.
#if defined(UNROLL)
#elif defined(__clang__) || defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define ROW_POINTS 8 // the largest number of particles in one constraint: PL_MAX_ARITY

typedef struct row
{
    f32 value;  // C
    f32 norm;   // the gradient for point i is g[i] / norm: this saves divisions by a length
    f32 weight; // sum of w_i |gradient_i|^2
    f32 drift;  // norm times the change of C over a frame for points at rest: the motion of a target
    vec g[ROW_POINTS];
} row;

// The weight of a row whose norm is 1.
PL_FN f32 weigh(const point *p, const vec *g, int count)
{
    f32 sum = p[0].w * square(g[0]);
    for (int i = 1; i < count; i++)
        sum = sum + p[i].w * square(g[i]);
    return sum;
}

// Which side of C = 0 is allowed.
enum bound
{
    BOUND_EQUAL,    // C = 0
    BOUND_AT_MOST,  // C <= 0: the multiplier only decreases C
    BOUND_AT_LEAST, // C >= 0
    // Of rows between frames (frame_row.h):
    BOUND_RANGE, // 0 <= C <= width, with a limited force
    BOUND_DRIVE, // dC/dt = speed, with a limited force
};

enum mode
{
    MODE_XPBD,
    MODE_DAMPED, // XPBD with constraint damping
    MODE_PBD,
};

// The softness of the rows in the lanes, for the current substep.
typedef struct softness
{
    f32 a;      // XPBD: compliance / h^2
    f32 gamma;  // damped: compliance * damping / h
    f32 motion; // damped: the change of C since the substep's start, dC/dt times the step
    f32 k;      // PBD: 1 - (1 - stiffness)^(1/iterations)
} softness;

PL_FN f32 bounded(f32 lambda, int bound)
{
    if (bound == BOUND_AT_MOST)
        return least(lambda, splat(0.0f));
    if (bound == BOUND_AT_LEAST)
        return most(lambda, splat(0.0f));
    return lambda;
}

// One Gauss-Seidel solve: returns s for which x_i += w_i s g_i, and updates the multiplier (s = dlambda / norm).
//   XPBD    dlambda = -(C + a lambda) / (W + a)                                     Macklin, Mueller, Chentanez 2016
//   damped  dlambda = -(C + a lambda + gamma motion) / ((1 + gamma) W + a)          the same, eq. 26
//   PBD     dlambda = -k' C / W                                                     Mueller and others 2006
// An inequality bounds the accumulated multiplier in XPBD, so that it can decrease again, and each single change in
// PBD.
PL_FN f32 visit(const row *c, const softness *soft, f32 *lambda, int mode, int bound)
{
    f32 over = -c->value, under = c->weight;
    if (mode == MODE_PBD)
        over = soft->k * over;
    else
    {
        over = over - soft->a * *lambda;
        if (mode == MODE_DAMPED)
        {
            over = over - soft->gamma * soft->motion;
            under = under + soft->gamma * under;
        }
        under = under + soft->a;
    }
    under = under * c->norm;
    i32 live = under > 0.0f; // false: the points coincide, or none can move
    f32 s = keep(live, over / under);
    if (bound == BOUND_EQUAL)
    {
        *lambda = *lambda + s * c->norm;
        return s;
    }
    f32 before = *lambda, change = s * c->norm;
    f32 after = mode == MODE_PBD ? before + bounded(change, bound) : bounded(before + change, bound);
    *lambda = after;
    return keep(live, (after - before) / c->norm);
}

PL_FN void move(point *p, f32 s, vec g)
{
    f32 ws = p->w * s;
    p->x = p->x + ws * g.x;
    p->y = p->y + ws * g.y;
    p->z = p->z + ws * g.z;
}
