// rigid_contact_stages.h: the stages of contacts between rigid bodies (kernels/rigid_contact.h) that run over rows: a
// row is a manifold. Rows of a colour share no body that moves. rigid_collide_stages.h finds the manifolds.
#pragma once
#include "kernels/displacement.h"
#include "kernels/rigid_contact.h"
#include "stages/rigid_row_bodies.h"

// ---- columns -------------------------------------------------------------------------------------------------------

PL_FN f32 rigid_kept_get(const packed_rigid_contacts *c, int field, int32_t k)
{
    return load(c->kept + RIGID_FIELD(KEPT_WORDS, field, k));
}
PL_FN void rigid_kept_put(const packed_rigid_contacts *c, int field, int32_t k, f32 a)
{
    store(c->kept + RIGID_FIELD(KEPT_WORDS, field, k), a);
}
PL_FN f32 rigid_work_get(const packed_rigid_contacts *c, int field, int32_t k)
{
    return load(c->work + RIGID_FIELD(WORK_WORDS, field, k));
}
PL_FN void rigid_work_put(const packed_rigid_contacts *c, int field, int32_t k, f32 a)
{
    store(c->work + RIGID_FIELD(WORK_WORDS, field, k), a);
}
PL_FN f32 rigid_rub_get(const packed_rigid_contacts *c, int field, int32_t k)
{
    return load(c->rub + RIGID_FIELD(RUB_WORDS, field, k));
}
PL_FN vec rigid_kept_vec(const packed_rigid_contacts *c, int field, int32_t k)
{
    return vec_of(rigid_kept_get(c, field, k), rigid_kept_get(c, field + 1, k), rigid_kept_get(c, field + 2, k));
}
PL_FN void rigid_kept_put_vec(const packed_rigid_contacts *c, int field, int32_t k, vec a)
{
    rigid_kept_put(c, field, k, a.x), rigid_kept_put(c, field + 1, k, a.y), rigid_kept_put(c, field + 2, k, a.z);
}
PL_FN vec rigid_work_vec(const packed_rigid_contacts *c, int field, int32_t k)
{
    return vec_of(rigid_work_get(c, field, k), rigid_work_get(c, field + 1, k), rigid_work_get(c, field + 2, k));
}
PL_FN void rigid_work_put_vec(const packed_rigid_contacts *c, int field, int32_t k, vec a)
{
    rigid_work_put(c, field, k, a.x), rigid_work_put(c, field + 1, k, a.y), rigid_work_put(c, field + 2, k, a.z);
}

// ---- bodies of rows ------------------------------------------------------------------------------------------------

// Which rows have points. The others push nothing, and have no multipliers.
PL_FN i32 rigid_has_points(const packed_rigid_contacts *c, int32_t k)
{
    return rigid_kept_get(c, KEPT_COUNT, k) > 0.0f;
}

// Do impacts happen on velocities? With BDF2 also those without restitution: a force that begins changes velocities by
// 2/3 of what it changes spins by, which an impact must not.
PL_FN bool rigid_impacts_apart(const state *s) { return s->contact.rigid_bouncy || s->second; }

PL_FN float *rigid_spins(const state *s) { return (float *)s->oriented.pose + POSE_SPIN; }

// With BDF2 (kernels/velocity.h) a force displaces by (2/3 h)^2 and rotates by h^2: frame_ease in stages/frame_sweep.h.
PL_FN float rigid_step(const state *s, bool second) { return second ? 2.0f / 3.0f * s->h : s->h; }

PL_FN sym3 rigid_inertia(const state *s, const frame_lanes *f, f32 w, const mat3 *axes, float more)
{
    vec inverse = at(frame_gather((const float *)s->oriented.inertia + INERTIA_INVERSE, f, INERTIA_SIZE));
    return sym_along(axes, keep_vec(f->has & (w > 0.0f), times(more * 5.0f * w, inverse)));
}

// arm: from the centre of A to a point. Passes over a large pile are bound by memory: they compute what is cheap.
PL_FN void rigid_cross_arm(rigid_row *r, const int i, vec arm, vec between)
{
    r->arm_a[i] = cross(arm, r->n);
    r->arm_b[i] = cross(sub(arm, between), r->n);
}

PL_FN void rigid_load_row(const packed_rigid_contacts *c, int32_t k, rigid_row *r)
{
    vec between = rigid_work_vec(c, WORK_BETWEEN, k);
    r->n = rigid_kept_vec(c, KEPT_NORMAL, k);
    UNFOLD
    for (int i = 0; i < RIGID_POINTS; i++)
        rigid_cross_arm(r, i, rigid_work_vec(c, WORK_ARM + 3 * i, k), between);
    UNFOLD
    for (int i = 0; i < 6; i++)
    {
        r->ia.m[i] = rigid_work_get(c, WORK_INERTIA_A + i, k);
        r->ib.m[i] = rigid_work_get(c, WORK_INERTIA_B + i, k);
    }
    UNFOLD
    for (int i = 0; i < 10; i++)
        r->matrix[i] = rigid_work_get(c, WORK_MATRIX + i, k);
}

// ---- arms and masses -----------------------------------------------------------------------------------------------

// Where the two bodies of a row are, at the substep's start or end.
typedef struct rigid_poses
{
    vec apart; // from the centre of A to that of B
    mat3 a, b; // axes
    i32 world; // B is a shape of the world
} rigid_poses;

// Stores arms, inverse inertia and the matrix of the normals of a row.
PL_FN void rigid_place(const packed_rigid_contacts *c, int32_t k, const rigid_poses *p, rigid_row *r)
{
    vec ca = vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), arm[RIGID_POINTS];
    f32 count = rigid_kept_get(c, KEPT_COUNT, k), share = 1.0f / most(count, splat(1.0f)), far = splat(0.0f);
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        vec ra = mat_times(&p->a, rigid_kept_vec(c, KEPT_A + 3 * i, k));
        vec rb = add(p->apart, mat_times(&p->b, rigid_kept_vec(c, KEPT_B + 3 * i, k)));
        arm[i] = pick_vec(p->world, ra, times(splat(0.5f), add(ra, rb)));
        rigid_cross_arm(r, i, arm[i], p->apart);
        ca = add(ca, keep_vec(splat((float)i) < count, arm[i]));
        rigid_work_put_vec(c, WORK_ARM + 3 * i, k, arm[i]);
    }
    ca = times(share, ca);
    for (int i = 0; i < RIGID_POINTS; i++)
        far = most(far, keep(splat((float)i) < count, square(sub(arm[i], ca))));
    rigid_work_put_vec(c, WORK_BETWEEN, k, p->apart);
    rigid_work_put_vec(c, WORK_CENTRE, k, ca);
    rigid_work_put(c, WORK_SIZE, k, root(far));
    rigid_weigh(r);
    for (int i = 0; i < 6; i++)
    {
        rigid_work_put(c, WORK_INERTIA_A + i, k, r->ia.m[i]);
        rigid_work_put(c, WORK_INERTIA_B + i, k, r->ib.m[i]);
    }
    for (int i = 0; i < 10; i++)
        rigid_work_put(c, WORK_MATRIX + i, k, r->matrix[i]);
}

// From the centres of A and B to the middle of the points.
PL_FN vec rigid_centre_a(const packed_rigid_contacts *c, int32_t k) { return rigid_work_vec(c, WORK_CENTRE, k); }
PL_FN vec rigid_centre_b(const packed_rigid_contacts *c, int32_t k)
{
    return sub(rigid_centre_a(c, k), rigid_work_vec(c, WORK_BETWEEN, k));
}

PL_FN i32 rigid_in_world(const packed_rigid_contacts *c, int32_t k)
{
#if LANES == 1
    return c->frame[1][k] == RIGID_IN_WORLD;
#else
    i32 frame;
    memcpy(&frame, c->frame[1] + k, sizeof frame);
    return frame == RIGID_IN_WORLD;
#endif
}

// The motion of B that its slot and frame do not have: that of a world shape.
PL_FN vec rigid_drift_of(const packed_rigid_contacts *c, int32_t k) { return rigid_work_vec(c, WORK_DRIFT, k); }
PL_FN vec rigid_turn_of(const packed_rigid_contacts *c, int32_t k) { return rigid_work_vec(c, WORK_TURN, k); }

// An upper bound of how far points of the two bodies move relative to each other.
PL_FN f32 rigid_reach(const packed_rigid_contacts *c, int32_t k, vec moved, vec ta, vec tb)
{
    return length(moved) + length(ta) * rigid_rub_get(c, RUB_REACH_A, k) +
           length(tb) * rigid_rub_get(c, RUB_REACH_B, k);
}

// ---- before the solve ----------------------------------------------------------------------------------------------

// What the bodies of a row have at a substep's start, or at its end before positions change.
typedef struct rigid_ends
{
    frame_lanes fa, fb;
    point da, db;
    quat qa, qb;
    vec ta, tb;       // rotations since the substep's start
    vec between;      // d_b - d_a, low parts included
    vec low;          // of B's position less that of A's
    rigid_poses pose; // at the substep's start
} rigid_ends;

PL_FN void rigid_ends_of(const state *s, int32_t k, rigid_ends *e)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float *pose = (const float *)s->oriented.pose, *way = (const float *)s->oriented.way;
    e->fa = rigid_frames(c, 0, k), e->fb = rigid_frames(c, 1, k);
    point xa = gather(s->slot[SLOT_X], c->index[0] + k), xb = gather(s->slot[SLOT_X], c->index[1] + k);
    e->da = gather(s->slot[SLOT_D], c->index[0] + k), e->db = gather(s->slot[SLOT_D], c->index[1] + k);
    e->qa = frame_orientation(pose, &e->fa, POSE_SIZE), e->qb = frame_orientation(pose, &e->fb, POSE_SIZE);
    e->ta = keep_vec(e->fa.has, at(frame_gather(way, &e->fa, WAY_SIZE)));
    e->tb = add(keep_vec(e->fb.has, at(frame_gather(way, &e->fb, WAY_SIZE))), rigid_turn_of(c, k));
    i32 world = rigid_in_world(c, k);
    e->low = pick_vec(world, negative(low_part(xa)), sub(low_part(xb), low_part(xa)));
    e->between = add(sub(at(e->db), at(e->da)), rigid_drift_of(c, k));
    e->pose.apart = pick_vec(world, rigid_work_vec(c, WORK_APART, k), sub(at(xb), at(xa)));
    e->pose.a = quat_axes(e->qa), e->pose.b = quat_axes(e->qb);
    e->pose.world = world;
}

// For restitution: the speeds of the points at the substep's start, and what gravity and the rest of the prediction
// still add after the impact, which must not count (kernels/restitution.h).
PL_FN void rigid_foresee(const state *s, int32_t k, const rigid_row *r, const rigid_ends *e)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float *spin = rigid_spins(s), over = 1.0f / s->h;
    f32 before[RIGID_POINTS], after[RIGID_POINTS];
    vec va = at(gather(s->slot[SLOT_V], c->index[0] + k)), vb = at(gather(s->slot[SLOT_V], c->index[1] + k));
    vec sa = keep_vec(e->fa.has, at(frame_gather(spin, &e->fa, POSE_SIZE))),
        sb = keep_vec(e->fb.has, at(frame_gather(spin, &e->fb, POSE_SIZE)));
    rigid_speeds(r, va, add(vb, times(splat(over), rigid_drift_of(c, k))), sa,
                 add(sb, times(splat(over), rigid_turn_of(c, k))), splat(0.0f), before);
    rigid_speeds(r, at(e->da), add(at(e->db), rigid_drift_of(c, k)), e->ta, e->tb, rigid_work_get(c, WORK_OFFSET, k),
                 after);
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        f32 gap = rigid_kept_get(c, KEPT_GAP + i, k), speed = most(-before[i], splat(1e-20f));
        f32 until = least(most(gap, splat(0.0f)) / speed, splat(s->h));
        f32 more = (after[i] * over - before[i]) * over; // acceleration
        rigid_work_put(c, WORK_LEAD + i, k, more * (s->h - until));
        rigid_work_put(c, WORK_BEFORE + i, k, before[i]);
    }
}

// Which manifolds must be found again.
PL_FN i32 rigid_is_due(const packed_rigid_contacts *c, int32_t k, const rigid_ends *e)
{
    f32 travel = rigid_kept_get(c, KEPT_TRAVEL, k);
    i32 may_miss =
        travel + rigid_reach(c, k, sub(e->between, e->low), e->ta, e->tb) > rigid_kept_get(c, KEPT_MARGIN, k);
    i32 slid = travel > rigid_kept_get(c, KEPT_STALE, k);
    return may_miss | slid;
}

// Computes what a substep needs of its rows, from the poses at its start. Rows that have no points and cannot have any
// before the next substep need nothing else.
STAGE_FN void rigid_prepare(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float more = second_order(s) ? 2.25f : 1.0f, *way = (const float *)s->oriented.way + WAY_MIDDLE;
    for (int32_t k = begin; k < end; k += LANES)
    {
        rigid_ends e;
        rigid_ends_of(s, k, &e);
        i32 due = rigid_is_due(c, k, &e);
        rigid_work_put(c, WORK_DUE, k, keep(due, splat(1.0f)));
        if (!anywhere(due | rigid_has_points(c, k) | (rigid_kept_get(c, KEPT_ROUND, k) > 0.0f)))
            continue;
        mat3 ma = quat_axes(frame_orientation(way, &e.fa, WAY_SIZE)),
             mb = quat_axes(frame_orientation(way, &e.fb, WAY_SIZE));
        rigid_row r;
        r.wa = e.da.w, r.wb = e.db.w, r.n = rigid_kept_vec(c, KEPT_NORMAL, k);
        rigid_work_put(c, WORK_MASS_A, k, r.wa), rigid_work_put(c, WORK_MASS_B, k, r.wb);
        r.ia = rigid_inertia(s, &e.fa, r.wa, &ma, more), r.ib = rigid_inertia(s, &e.fb, r.wb, &mb, more);
        rigid_place(c, k, &e.pose, &r);
        rigid_work_put(c, WORK_OFFSET, k, -dot(r.n, e.low));
        vec rub = rigid_kept_vec(c, KEPT_FRICTION, k);
        rigid_kept_put_vec(c, KEPT_FRICTION, k, sub(rub, times(dot(rub, r.n), r.n)));
        for (int i = 0; i < RIGID_POINTS; i++)
            rigid_work_put(c, WORK_FIRST + i, k, rigid_kept_get(c, KEPT_FORCE + i, k));
        if (rigid_impacts_apart(s))
            rigid_foresee(s, k, &r, &e);
    }
}

// ---- the pass on displacements -------------------------------------------------------------------------------------

typedef struct rigid_flight
{
    frame_lanes frame[2];
    point d[2], t[2];
    i32 some; // the row has points; what has none is not stored
    rigid_motions m;
    rigid_row r;
} rigid_flight;

// Gathers displacements and rotations, or velocities and spins, of the bodies of a row.
// scale: what makes the displacement of a world shape a motion of that sort.
PL_FN void rigid_gather(const state *s, int32_t k, const float *x, const float *turn, uint32_t size, float scale,
                        rigid_flight *f)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int e = 0; e < 2; e++)
    {
        f->frame[e] = rigid_frames(c, e, k);
        f->d[e] = gather(x, c->index[e] + k);
        f->t[e] = frame_gather(turn, &f->frame[e], size);
    }
    f->m.va = at(f->d[0]), f->m.vb = at(f->d[1]);
    f->m.ta = keep_vec(f->frame[0].has, at(f->t[0]));
    f->m.tb = keep_vec(f->frame[1].has, at(f->t[1]));
    i32 world = rigid_in_world(c, k);
    if (anywhere(world))
    {
        f->m.vb = pick_vec(world, add(f->m.vb, times(splat(scale), rigid_drift_of(c, k))), f->m.vb);
        f->m.tb = pick_vec(world, add(f->m.tb, times(splat(scale), rigid_turn_of(c, k))), f->m.tb);
    }
    f->some = rigid_has_points(c, k);
    f->r.wa = rigid_work_get(c, WORK_MASS_A, k), f->r.wb = rigid_work_get(c, WORK_MASS_B, k);
    rigid_load_row(c, k, &f->r);
}

PL_FN point rigid_with(vec a, f32 w)
{
    point p = {a.x, a.y, a.z, w};
    return p;
}

PL_FN void rigid_put_back(const state *s, int32_t k, float *x, float *turn, uint32_t size, const rigid_flight *f)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    f32 wa = keep(f->some, f->r.wa), wb = keep(f->some, f->r.wb);
    rigid_scatter(x, c->index[0] + k, wa, rigid_with(f->m.va, f->d[0].w));
    rigid_scatter(x, c->index[1] + k, wb, rigid_with(f->m.vb, f->d[1].w));
    rigid_scatter_frames(turn, &f->frame[0], size, wa, rigid_with(f->m.ta, f->t[0].w));
    rigid_scatter_frames(turn, &f->frame[1], size, wb, rigid_with(f->m.tb, f->t[1].w));
}

// Applies the multipliers of the last substep.
STAGE_FN void rigid_warm(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float step = rigid_step(s, second_order(s)), k2 = step * step;
    for (int32_t k = begin; k < end; k += LANES)
    {
        if (!anywhere(rigid_has_points(c, k)))
            continue;
        rigid_flight f;
        f32 push[RIGID_POINTS];
        rigid_gather(s, k, s->slot[SLOT_D], (const float *)s->oriented.way, WAY_SIZE, 1.0f, &f);
        for (int i = 0; i < RIGID_POINTS; i++)
            push[i] = k2 * rigid_kept_get(c, KEPT_FORCE + i, k);
        rigid_push(&f.r, push, &f.m);
        vec torque = add(times(rigid_kept_get(c, KEPT_TWIST, k), f.r.n), rigid_kept_vec(c, KEPT_ROLL, k));
        rigid_pull(&f.r, rigid_centre_a(c, k), rigid_centre_b(c, k),
                   times(splat(k2), rigid_kept_vec(c, KEPT_FRICTION, k)), times(splat(k2), torque), &f.m);
        rigid_put_back(s, k, s->slot[SLOT_D], (float *)s->oriented.way, WAY_SIZE, &f);
    }
}

STAGE_FN void rigid_solve(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float step = rigid_step(s, second_order(s)), k2 = step * step, back = 1.0f / k2;
    for (int32_t k = begin; k < end; k += LANES)
    {
        if (!anywhere(rigid_has_points(c, k)))
            continue;
        rigid_flight f;
        rigid_bounds b;
        f32 u[RIGID_POINTS], lambda[RIGID_POINTS], gap[RIGID_POINTS], change[RIGID_POINTS];
        rigid_gather(s, k, s->slot[SLOT_D], (const float *)s->oriented.way, WAY_SIZE, 1.0f, &f);
        for (int i = 0; i < RIGID_POINTS; i++)
        {
            gap[i] = rigid_kept_get(c, KEPT_GAP + i, k);
            lambda[i] = k2 * rigid_kept_get(c, KEPT_FORCE + i, k), change[i] = -lambda[i];
        }
        rigid_speeds(&f.r, f.m.va, f.m.vb, f.m.ta, f.m.tb, rigid_work_get(c, WORK_OFFSET, k), u);
        rigid_soft_bounds(&f.r, gap, s->contact.rigid_softness, RIGID_PART_SPEED * s->h, &b);
        rigid_normals(&f.r, &b, u, lambda, true);
        for (int i = 0; i < RIGID_POINTS; i++)
        {
            change[i] = lambda[i] + change[i];
            rigid_kept_put(c, KEPT_FORCE + i, k, back * lambda[i]);
        }
        rigid_push(&f.r, change, &f.m);
        rigid_put_back(s, k, s->slot[SLOT_D], (float *)s->oriented.way, WAY_SIZE, &f);
    }
}
