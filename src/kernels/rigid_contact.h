// rigid_contact.h: solves a contact manifold of two rigid bodies: up to four points with one normal n (unit, from A to
// B). Multipliers are forces, kept over substeps and frames; substeps are many, iterations few.
//
// A substep has two passes over all manifolds.
//   solve   on displacements d and rotations t. u: how far a point of B moves away from that of A, g: the separation at
//           the substep's start, W: what a multiplier of 1 adds to u. With l = k F, k = h^2:
//             g > 0    l' = max(0, l - (u + g)/W)                                  they must not meet
//             g <= 0   l' = max(0, l - (u + max(b g + c W l, -v h))/((1 + c) W))   overlap is removed softly
//           b = 0.1, c = 0.08/sweeps of the substep: a kept multiplier is the integral part of a controller, and c
//           damps it. v: the fastest separation. The bound holds for the whole term: bounding b g alone would bound the
//           multiplier too. A pile sinks by c/b of its weight times W h^2. Of the pairs tried, this one calms a wide
//           pyramid the soonest.
//   relax   on velocities, after the positions have moved: the same without b and c, so that what was done against
//           overlap adds no speed: u >= 0, or u >= -g/h. Then friction. As many passes as sweeps, at
//           least two: a second one calms large piles a hundred times faster than a first one alone.
// The four normals are one block: Gauss-Seidel on their 4 x 4 matrix, there and back; the bodies are touched once.
// Friction acts at the middle of the points: two directions as a block, bounded by mu times the sum of the normal
// forces; a torque about n, bounded by the same times the size of the contact; a torque against rolling.
//
// Arms go from the centres to one point half way between the two surfaces. So the contact keeps the angular momentum.
// Soft contact constraints: Catto 2011, 2024; substeps instead of iterations: Macklin et al. 2019.
#pragma once
#include "elements/frame_rotation.h"
#include "elements/vector_row.h"
#include "kernels/rigid_points.h"

#define RIGID_BIAS 0.1f
#define RIGID_SOFT 0.08f
#define RIGID_EASE (2.0f / 3.0f)
#define RIGID_PART_SPEED 3.0f // m/s: overlap is removed no faster

enum
{
    RIGID_ROUNDS = 2,        // over the normals of a manifold, there and back
    RIGID_IMPACT_ROUNDS = 4, // times that, where an impact happens
};

// A symmetric matrix: xx yy zz xy yz zx.
typedef struct sym3
{
    f32 m[6];
} sym3;

PL_FN vec sym_times(const sym3 *a, vec v)
{
    return vec_of(a->m[0] * v.x + a->m[3] * v.y + a->m[5] * v.z, a->m[3] * v.x + a->m[1] * v.y + a->m[4] * v.z,
                  a->m[5] * v.x + a->m[4] * v.y + a->m[2] * v.z);
}

// axes diag(f) axes^T.
PL_FN sym3 sym_along(const mat3 *axes, vec f)
{
    const vec *c = axes->c;
    vec x = times(f.x, c[0]), y = times(f.y, c[1]), z = times(f.z, c[2]);
    sym3 r = {{x.x * c[0].x + y.x * c[1].x + z.x * c[2].x, x.y * c[0].y + y.y * c[1].y + z.y * c[2].y,
               x.z * c[0].z + y.z * c[1].z + z.z * c[2].z, x.x * c[0].y + y.x * c[1].y + z.x * c[2].y,
               x.y * c[0].z + y.y * c[1].z + z.y * c[2].z, x.z * c[0].x + y.z * c[1].x + z.z * c[2].x}};
    return r;
}

// What a row needs to be solved.
typedef struct rigid_row
{
    f32 wa, wb; // inverse masses
    sym3 ia, ib;
    vec n, arm_a[RIGID_POINTS], arm_b[RIGID_POINTS]; // r x n
    f32 matrix[10];
} rigid_row;

// Two unit vectors across n. Which ones does not matter much, but it must not change while n barely does.
PL_FN void rigid_tangents(vec n, vec *u, vec *v)
{
    i32 flat = magnitude(n.x) < 0.7f;
    vec a = pick_vec(flat, vec_of(splat(0.0f), n.z, -n.y), vec_of(-n.z, splat(0.0f), n.x));
    *u = times(1.0f / most(length(a), splat(1e-20f)), a);
    *v = cross(n, *u);
}

// The matrix of the normals.
PL_FN void rigid_weigh(rigid_row *r)
{
    UNFOLD
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        vec a = sym_times(&r->ia, r->arm_a[i]), b = sym_times(&r->ib, r->arm_b[i]);
        UNFOLD
        for (int j = 0; j < RIGID_POINTS; j++)
            if (j <= i)
                r->matrix[HALF_AT(i, j)] = (r->wa + r->wb) + (dot(a, r->arm_a[j]) + dot(b, r->arm_b[j]));
    }
}

// How fast, or how far, the points of B move away from those of A, for these motions of the centres and rotations.
PL_FN void rigid_speeds(const rigid_row *r, vec va, vec vb, vec ta, vec tb, f32 offset, f32 *u)
{
    f32 along = dot(r->n, sub(vb, va)) + offset;
    UNFOLD
    for (int i = 0; i < RIGID_POINTS; i++)
        u[i] = along + (dot(r->arm_b[i], tb) - dot(r->arm_a[i], ta));
}

// A body's motion within a pass.
typedef struct rigid_motions
{
    vec va, vb, ta, tb;
} rigid_motions;

// Applies changes of the normal multipliers.
PL_FN void rigid_push(const rigid_row *r, const f32 *change, rigid_motions *m)
{
    f32 sum = (change[0] + change[1]) + (change[2] + change[3]);
    vec a = times(change[0], r->arm_a[0]), b = times(change[0], r->arm_b[0]);
    UNFOLD
    for (int i = 1; i < RIGID_POINTS; i++)
    {
        a = add(a, times(change[i], r->arm_a[i]));
        b = add(b, times(change[i], r->arm_b[i]));
    }
    m->va = sub(m->va, times(r->wa * sum, r->n)), m->vb = add(m->vb, times(r->wb * sum, r->n));
    m->ta = sub(m->ta, sym_times(&r->ia, a)), m->tb = add(m->tb, sym_times(&r->ib, b));
}

// A force at the middle of the points and a torque, both on B.
PL_FN void rigid_pull(const rigid_row *r, vec centre_a, vec centre_b, vec force, vec torque, rigid_motions *m)
{
    m->va = sub(m->va, times(r->wa, force)), m->vb = add(m->vb, times(r->wb, force));
    m->ta = sub(m->ta, sym_times(&r->ia, add(cross(centre_a, force), torque)));
    m->tb = add(m->tb, sym_times(&r->ib, add(cross(centre_b, force), torque)));
}

// The bound of a point: lambda' = max(0, lambda - inverse (u + gap + soft lambda)), gap and soft as given.
typedef struct rigid_bounds
{
    f32 inverse[RIGID_POINTS], gap[RIGID_POINTS], soft[RIGID_POINTS], floor[RIGID_POINTS];
} rigid_bounds;

// Of the pass on displacements; cap: v h.
PL_FN void rigid_soft_bounds(const rigid_row *r, const f32 *gap, float soften, float cap, rigid_bounds *b)
{
    UNFOLD
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        f32 w = r->matrix[HALF_AT(i, i)];
        i32 apart = gap[i] > 0.0f, live = w > 0.0f;
        f32 whole = pick(apart, w, w + soften * w);
        b->inverse[i] = keep(live, 1.0f / pick(live, whole, splat(1.0f)));
        b->gap[i] = pick(apart, gap[i], RIGID_BIAS * gap[i]);
        b->soft[i] = pick(apart, splat(0.0f), soften * w);
        b->floor[i] = pick(apart, splat(-1e30f), splat(-cap));
    }
}

// Of the pass on velocities: the least speeds of the points.
PL_FN void rigid_hard_bounds(const rigid_row *r, const f32 *slowest, rigid_bounds *b)
{
    UNFOLD
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        f32 w = r->matrix[HALF_AT(i, i)];
        i32 live = w > 0.0f;
        b->inverse[i] = keep(live, 1.0f / pick(live, w, splat(1.0f)));
        b->gap[i] = most(0.0f - slowest[i], splat(-1e30f)); // never -0
    }
}

// soft: the pass on displacements, whose bounds depend on the multiplier.
PL_FN void rigid_normal(const rigid_row *r, const rigid_bounds *b, f32 *u, f32 *lambda, const int i, const bool soft)
{
    f32 aim = soft ? most(b->gap[i] + b->soft[i] * lambda[i], b->floor[i]) : b->gap[i];
    f32 next = most(splat(0.0f), lambda[i] - b->inverse[i] * (u[i] + aim)), change = next - lambda[i];
    lambda[i] = next;
    UNFOLD
    for (int j = 0; j < RIGID_POINTS; j++)
        u[j] = u[j] + r->matrix[j < i ? HALF_AT(i, j) : HALF_AT(j, i)] * change;
}

// Solves the normals, there and back; u and lambda are updated.
PL_FN void rigid_normals(const rigid_row *r, const rigid_bounds *b, f32 *u, f32 *lambda, const bool soft)
{
    for (int round = 0; round < RIGID_ROUNDS; round++)
    {
        rigid_normal(r, b, u, lambda, 0, soft);
        rigid_normal(r, b, u, lambda, 1, soft);
        rigid_normal(r, b, u, lambda, 2, soft);
        rigid_normal(r, b, u, lambda, 3, soft);
        rigid_normal(r, b, u, lambda, 2, soft);
        rigid_normal(r, b, u, lambda, 1, soft);
    }
    rigid_normal(r, b, u, lambda, 0, soft);
}

// An impact on velocities happens once. What the rounds of rigid_normals leave is not made good in the next substep, as
// it is for forces that last: a plate that falls flat would lose 16 % of its energy and rotate. So rows of which points
// are `struck` begin with equal impulses, which are exact where the points lie around the centre, and get more rounds.
PL_FN void rigid_impacts(const rigid_row *r, const rigid_bounds *b, const i32 *struck, f32 *u, f32 *lambda)
{
    f32 lacks = splat(0.0f), whole = splat(0.0f), moved[RIGID_POINTS], impulse[RIGID_POINTS];
    i32 some = struck[0];
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        some = some | struck[i];
        lacks = lacks - keep(struck[i], u[i] + b->gap[i]);
        for (int j = 0; j < RIGID_POINTS; j++)
            whole = whole + keep(struck[i] & struck[j], r->matrix[j < i ? HALF_AT(i, j) : HALF_AT(j, i)]);
    }
    i32 begins = (whole > 0.0f) & (lacks > 0.0f);
    f32 each = keep(begins, lacks / pick(begins, whole, splat(1.0f)));
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        moved[i] = u[i], impulse[i] = lambda[i] + keep(struck[i], each);
        for (int j = 0; j < RIGID_POINTS; j++)
            moved[i] = moved[i] + r->matrix[j < i ? HALF_AT(i, j) : HALF_AT(j, i)] * keep(struck[j], each);
    }
    for (int n = 0; n < RIGID_IMPACT_ROUNDS; n++)
        rigid_normals(r, b, moved, impulse, false);
    for (int i = 0; i < RIGID_POINTS; i++)
        u[i] = pick(some, moved[i], u[i]), lambda[i] = pick(some, impulse[i], lambda[i]);
}

// Scales the inverse inertia of the rows of a mask.
PL_FN void rigid_ease(rigid_row *r, i32 rows, float by)
{
    f32 w = r->wa + r->wb, scale = pick(rows, splat(by), splat(1.0f));
    for (int i = 0; i < 6; i++)
        r->ia.m[i] = scale * r->ia.m[i], r->ib.m[i] = scale * r->ib.m[i];
    for (int i = 0; i < 10; i++)
        r->matrix[i] = pick(rows, w + scale * (r->matrix[i] - w), r->matrix[i]);
}

// ---- friction ------------------------------------------------------------------------------------------------------

// The impulses of friction, in coordinates along two directions across n.
typedef struct rigid_flat
{
    f32 u, v;
} rigid_flat;

// What friction needs of the arms and masses of a row.
typedef struct rigid_rubbing
{
    vec u, v;                // two directions across n
    f32 xx, yy, xy, inverse; // the matrix of the two, and the inverse of its determinant; 0: it is singular
    vec twist_a, twist_b;    // inverse inertia times n
    f32 twist;               // what a torque of 1 about n adds to the relative spin about it
} rigid_rubbing;

PL_FN f32 flat_inverse(f32 xx, f32 yy, f32 xy)
{
    f32 det = xx * yy - xy * xy;
    i32 live = det > 1e-6f * (xx * yy);
    return keep(live, 1.0f / pick(live, det, splat(1.0f)));
}

PL_FN void rigid_rub_twist(const rigid_row *r, rigid_rubbing *m)
{
    m->twist_a = sym_times(&r->ia, r->n), m->twist_b = sym_times(&r->ib, r->n);
    m->twist = dot(r->n, m->twist_a) + dot(r->n, m->twist_b);
}

PL_FN void rigid_rub(const rigid_row *r, vec ca, vec cb, rigid_rubbing *m)
{
    rigid_tangents(r->n, &m->u, &m->v);
    vec au = cross(ca, m->u), av = cross(ca, m->v), bu = cross(cb, m->u), bv = cross(cb, m->v);
    vec iau = sym_times(&r->ia, au), iav = sym_times(&r->ia, av), ibu = sym_times(&r->ib, bu),
        ibv = sym_times(&r->ib, bv);
    f32 w = r->wa + r->wb;
    m->xx = w + (dot(au, iau) + dot(bu, ibu)), m->yy = w + (dot(av, iav) + dot(bv, ibv));
    m->xy = dot(au, iav) + dot(bu, ibv);
    m->inverse = flat_inverse(m->xx, m->yy, m->xy);
    rigid_rub_twist(r, m);
}

// Solves the 2 x 2 system [xx xy; xy yy] a = b.
PL_FN rigid_flat flat_solve(f32 xx, f32 yy, f32 xy, f32 inverse, rigid_flat b)
{
    rigid_flat r = {inverse * (yy * b.u - xy * b.v), inverse * (xx * b.v - xy * b.u)};
    return r;
}

// Bounds the length: what exceeds `stick` slips and becomes `slide`.
PL_FN rigid_flat flat_bound(rigid_flat a, f32 stick, f32 slide)
{
    f32 size = root(a.u * a.u + a.v * a.v);
    f32 scale = pick(size > stick, slide / most(size, splat(1e-30f)), splat(1.0f));
    rigid_flat r = {scale * a.u, scale * a.v};
    return r;
}

// Changes the friction impulse `sum` so that the middle of the points does not slide, as far as the bounds allow.
// slip: velocity of the surface of B beside that of its body.
PL_FN void rigid_friction(const rigid_row *r, const rigid_rubbing *k, vec ca, vec cb, vec slip, f32 stick, f32 slide,
                          vec *sum, rigid_motions *m)
{
    const vec u = k->u, v = k->v, none = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    vec speed = add(sub(add(m->vb, cross(m->tb, cb)), add(m->va, cross(m->ta, ca))), slip);
    rigid_flat off = {-dot(u, speed), -dot(v, speed)};
    rigid_flat by = flat_solve(k->xx, k->yy, k->xy, k->inverse, off);
    rigid_flat to = {dot(u, *sum) + by.u, dot(v, *sum) + by.v};
    to = flat_bound(to, stick, slide);
    vec next = add(times(to.u, u), times(to.v, v));
    rigid_pull(r, ca, cb, sub(next, *sum), none, m);
    *sum = next;
}

// Changes the torque about n so that the bodies do not twist, within the bound.
PL_FN void rigid_twist(const rigid_row *r, const rigid_rubbing *k, f32 most_torque, f32 *sum, rigid_motions *m)
{
    f32 w = k->twist, speed = dot(r->n, sub(m->tb, m->ta));
    i32 live = w > 0.0f;
    f32 next = *sum - keep(live, speed / pick(live, w, splat(1.0f)));
    next = least(most(next, -most_torque), most_torque);
    f32 change = next - *sum;
    *sum = next;
    m->ta = sub(m->ta, times(change, k->twist_a)), m->tb = add(m->tb, times(change, k->twist_b));
}

// The same across n: against rolling.
PL_FN void rigid_rolling(const rigid_row *r, f32 most_torque, vec *sum, rigid_motions *m)
{
    vec u, v, none = vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), spin = sub(m->tb, m->ta);
    rigid_tangents(r->n, &u, &v);
    vec iu = add(sym_times(&r->ia, u), sym_times(&r->ib, u)), iv = add(sym_times(&r->ia, v), sym_times(&r->ib, v));
    rigid_flat off = {-dot(u, spin), -dot(v, spin)};
    const f32 xx = dot(u, iu), yy = dot(v, iv), xy = dot(u, iv);
    rigid_flat by = flat_solve(xx, yy, xy, flat_inverse(xx, yy, xy), off);
    rigid_flat to = {dot(u, *sum) + by.u, dot(v, *sum) + by.v};
    to = flat_bound(to, most_torque, most_torque);
    vec next = add(times(to.u, u), times(to.v, v));
    rigid_pull(r, none, none, none, sub(next, *sum), m);
    *sum = next;
}
