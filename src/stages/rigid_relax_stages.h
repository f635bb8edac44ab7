// rigid_relax_stages.h: what contacts between rigid bodies do after the solve (kernels/rigid_contact.h):
//   follow    the separations at the substep's end; then positions, orientations and velocities change
//   release   impacts: what the solve has done to two that meet is taken back, with the arms of the solve
//   refresh   (rigid_collide_stages.h) round shapes get the manifold of the substep's end: their normals turn
//   settle    arms and masses at the end
//   relax     passes on velocities: the normals without bias or with restitution, friction
#pragma once
#include "kernels/restitution.h"
#include "stages/rigid_contact_stages.h"

// ---- the end of the solve ------------------------------------------------------------------------------------------

// How far the point at r moves as its body rotates by the vector t of length 2 tan(angle/2). The contact point of a round
// body does not move along with it: there only the tangent counts.
PL_FN vec rigid_turned(vec t, vec r, i32 round)
{
    vec first = cross(t, r);
    vec whole = times(1.0f / (1.0f + 0.25f * square(t)), add(first, times(splat(0.5f), cross(t, first))));
    return pick_vec(round, first, whole);
}

// Adds the motion of the substep to the separations of rows.
PL_FN void rigid_follow_gaps(const state *s, int32_t k, const rigid_ends *e)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    vec n = rigid_kept_vec(c, KEPT_NORMAL, k);
    i32 round = rigid_kept_get(c, KEPT_ROUND, k) > 0.0f;
    f32 along = dot(n, e->between) + rigid_work_get(c, WORK_OFFSET, k);
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        vec ra = mat_times(&e->pose.a, rigid_kept_vec(c, KEPT_A + 3 * i, k)),
            rb = mat_times(&e->pose.b, rigid_kept_vec(c, KEPT_B + 3 * i, k));
        rb = pick_vec(e->pose.world, sub(ra, e->pose.apart), rb);
        f32 gap = rigid_kept_get(c, KEPT_GAP + i, k);
        rigid_kept_put(c, KEPT_GAP + i, k,
                       gap + (along + dot(n, sub(rigid_turned(e->tb, rb, round), rigid_turned(e->ta, ra, round)))));
    }
    // BDF2 starts again where a contact began or ceased to hold. Of rows without points the first force may be an old one.
    i32 some = rigid_has_points(c, k);
    for (int i = 0; s->second && i < RIGID_POINTS; i++)
        if (anywhere(some &
                     ((rigid_kept_get(c, KEPT_FORCE + i, k) > 0.0f) != (rigid_work_get(c, WORK_FIRST + i, k) > 0.0f))))
            flag_up(&s->now->event);
}

// Follows the motion of the substep. It runs before positions and orientations change: displacements and rotations are
// still relative to the substep's start.
STAGE_FN void rigid_follow(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t k = begin; k < end; k += LANES)
    {
        rigid_ends e;
        rigid_ends_of(s, k, &e);
        if (anywhere(rigid_has_points(c, k)))
            rigid_follow_gaps(s, k, &e);
        f32 reach = rigid_reach(c, k, sub(e.between, e.low), e.ta, e.tb);
        rigid_kept_put(c, KEPT_TRAVEL, k, rigid_kept_get(c, KEPT_TRAVEL, k) + reach);
    }
}

// A GPU computes what friction needs in each pass: reading it takes longer there.
#if defined(__CUDACC__)
PL_FN void rigid_keep_rubbing(const packed_rigid_contacts *c, int32_t k, const rigid_row *r)
{
    (void)c, (void)k, (void)r;
}

PL_FN void rigid_take_rubbing(const packed_rigid_contacts *c, int32_t k, const rigid_row *r, rigid_rubbing *m)
{
    rigid_rub(r, rigid_centre_a(c, k), rigid_centre_b(c, k), m);
}
#else
PL_FN void rigid_keep_rubbing(const packed_rigid_contacts *c, int32_t k, const rigid_row *r)
{
    rigid_rubbing m;
    rigid_rub(r, rigid_centre_a(c, k), rigid_centre_b(c, k), &m);
    rigid_work_put_vec(c, WORK_ALONG, k, m.u);
    rigid_work_put(c, WORK_RUB, k, m.xx), rigid_work_put(c, WORK_RUB + 1, k, m.yy);
    rigid_work_put(c, WORK_RUB + 2, k, m.xy), rigid_work_put(c, WORK_RUB + 3, k, m.inverse);
}

PL_FN void rigid_take_rubbing(const packed_rigid_contacts *c, int32_t k, const rigid_row *r, rigid_rubbing *m)
{
    m->u = rigid_work_vec(c, WORK_ALONG, k), m->v = cross(r->n, m->u);
    m->xx = rigid_work_get(c, WORK_RUB, k), m->yy = rigid_work_get(c, WORK_RUB + 1, k);
    m->xy = rigid_work_get(c, WORK_RUB + 2, k), m->inverse = rigid_work_get(c, WORK_RUB + 3, k);
    rigid_rub_twist(r, m);
}
#endif

// Computes arms and masses at the substep's end, after positions and orientations have changed.
STAGE_FN void rigid_settle(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float more = second_order(s) ? 1.5f : 1.0f, *pose = (const float *)s->oriented.pose;
    for (int32_t k = begin; k < end; k += LANES)
    {
        if (!anywhere(rigid_has_points(c, k)))
            continue;
        frame_lanes fa = rigid_frames(c, 0, k), fb = rigid_frames(c, 1, k);
        point da = gather(s->slot[SLOT_D], c->index[0] + k), db = gather(s->slot[SLOT_D], c->index[1] + k);
        vec between = gather_between(s->slot[SLOT_X], c->index[1] + k, c->index[0] + k);
        rigid_poses p;
        p.world = rigid_in_world(c, k);
        // A world shape: from where the two were at the substep's start.
        p.apart = pick_vec(p.world, add(rigid_work_vec(c, WORK_APART, k), sub(rigid_drift_of(c, k), at(da))), between);
        p.a = quat_axes(frame_orientation(pose, &fa, POSE_SIZE)),
        p.b = quat_axes(frame_orientation(pose, &fb, POSE_SIZE));
        rigid_row r;
        r.wa = da.w, r.wb = db.w, r.n = rigid_kept_vec(c, KEPT_NORMAL, k);
        r.ia = rigid_inertia(s, &fa, r.wa, &p.a, more), r.ib = rigid_inertia(s, &fb, r.wb, &p.b, more);
        rigid_place(c, k, &p, &r);
        rigid_keep_rubbing(c, k, &r);
    }
}

// ---- passes on velocities ------------------------------------------------------------------------------------------

PL_FN void rigid_gather_speeds(const state *s, int32_t k, rigid_flight *f)
{
    rigid_gather(s, k, s->slot[SLOT_V], rigid_spins(s), POSE_SIZE, 1.0f / s->h, f);
}

PL_FN void rigid_put_speeds(const state *s, int32_t k, const rigid_flight *f)
{
    rigid_put_back(s, k, s->slot[SLOT_V], rigid_spins(s), POSE_SIZE, f);
}

// Rows whose impacts happen on velocities.
PL_FN i32 rigid_meets_apart(const state *s, f32 bounce) { return bounce > (second_order(s) ? -1.0f : 0.0f); }

// Impacts: takes back what the solve has done to two that meet, so that they can meet on velocities (relax, below). The
// multiplier of an impact is no force that lasts: it begins again with 0.
STAGE_FN void rigid_release(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float step = rigid_step(s, second_order(s)), threshold = s->contact.threshold;
    for (int32_t k = begin; k < end; k += LANES)
    {
        f32 bounce = rigid_rub_get(c, RUB_BOUNCE, k);
        rigid_flight f;
        f32 change[RIGID_POINTS];
        rigid_gather_speeds(s, k, &f);
        if (second_order(s)) // the masses are those of displacements: (2/3 h)^2 and h^2; of velocities: 2/3 h and h
            rigid_ease(&f.r, rigid_has_points(c, k), RIGID_EASE);
        for (int i = 0; i < RIGID_POINTS; i++)
        {
            f32 force = rigid_kept_get(c, KEPT_FORCE + i, k), first = rigid_work_get(c, WORK_FIRST + i, k);
            f32 w = f.r.matrix[HALF_AT(i, i)];
            f32 before = rigid_work_get(c, WORK_BEFORE + i, k);
            // Two that met in the last substep too, and slowly, are part of a pile, which must come to rest.
            i32 rests = (rigid_kept_get(c, KEPT_MET + i, k) > 0.0f) & (before > -SLOWLY * threshold);
            i32 struck = rigid_meets_apart(s, bounce) & not_so(rests) &
                         is_struck(first, force, step * force * w, before, threshold);
            change[i] = keep(struck, -step * force);
            rigid_kept_put(c, KEPT_FORCE + i, k, pick(struck, splat(0.0f), force));
            rigid_work_put(c, WORK_HIT + i, k, keep(struck, splat(1.0f)));
        }
        rigid_push(&f.r, change, &f.m);
        rigid_put_speeds(s, k, &f);
    }
}

// The least speeds after the pass: points that meet later may approach; points that have been released and still
// approach fast bounce.
// struck: these bounce; returns the rows of which a point has, in this pass or an earlier one.
PL_FN i32 rigid_slowest(const state *s, int32_t k, const f32 *u, f32 *slowest, i32 *struck)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float over = 1.0f / s->h, threshold = s->contact.threshold;
    f32 bounce = rigid_impacts_apart(s) ? rigid_rub_get(c, RUB_BOUNCE, k) : splat(0.0f);
    i32 some = splat(0.0f) > 0.0f;
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        // Points that are apart and do not press may meet in the next substep, which will see to it.
        f32 gap = rigid_kept_get(c, KEPT_GAP + i, k);
        i32 free = (gap > 0.0f) & not_so(rigid_kept_get(c, KEPT_FORCE + i, k) > 0.0f);
        slowest[i] = pick(free, splat(-1e30f), least(splat(0.0f), -over * gap));
        if (!rigid_impacts_apart(s))
            continue;
        f32 speed = u[i] - rigid_work_get(c, WORK_LEAD + i, k); // of the impact
        // Released, or reached by an impact that another pass has passed on.
        f32 mark = rigid_work_get(c, WORK_HIT + i, k);
        i32 fresh = rigid_meets_apart(s, bounce) & not_so(free) & (rigid_kept_get(c, KEPT_FORCE + i, k) == 0.0f) &
                    (rigid_work_get(c, WORK_FIRST + i, k) == 0.0f) & not_so(rigid_kept_get(c, KEPT_MET + i, k) > 0.0f);
        i32 hit = ((mark > 0.0f) | fresh) & (speed < -threshold) & (u[i] < 0.0f);
        slowest[i] = pick(hit, -bounce * speed, slowest[i]);
        rigid_work_put(c, WORK_HIT + i, k, pick(hit, splat(1.0f), mark));
        struck[i] = hit, some = some | (mark > 0.0f) | hit;
    }
    return some;
}

// Friction, in the pass on velocities. sum: of the impulses along the normal; freely: the masses are those of impacts.
PL_FN void rigid_relax_friction(const state *s, int32_t k, f32 sum, bool freely, rigid_flight *f)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float step = rigid_step(s, second_order(s)), back = 1.0f / step;
    vec rub = times(splat(step), rigid_kept_vec(c, KEPT_FRICTION, k));
    rigid_rubbing grip;
    if (freely) // whole groups of lanes: what is computed again has the same bits
        rigid_rub(&f->r, rigid_centre_a(c, k), rigid_centre_b(c, k), &grip);
    else
        rigid_take_rubbing(c, k, &f->r, &grip);
    rigid_friction(&f->r, &grip, rigid_centre_a(c, k), rigid_centre_b(c, k), rigid_work_vec(c, WORK_SLIP, k),
                   rigid_rub_get(c, RUB_STICK, k) * sum, rigid_rub_get(c, RUB_SLIDE, k) * sum, &rub, &f->m);
    rigid_kept_put_vec(c, KEPT_FRICTION, k, times(splat(back), rub));
    f32 twist = step * rigid_kept_get(c, KEPT_TWIST, k);
    f32 arm = rigid_rub_get(c, RUB_SLIDE, k) * rigid_work_get(c, WORK_SIZE, k) + rigid_rub_get(c, RUB_SPIN, k);
    rigid_twist(&f->r, &grip, arm * sum, &twist, &f->m);
    rigid_kept_put(c, KEPT_TWIST, k, back * twist);
    f32 roll = rigid_rub_get(c, RUB_ROLL, k);
    if (anywhere(roll > 0.0f))
    {
        vec against = times(splat(step), rigid_kept_vec(c, KEPT_ROLL, k));
        rigid_rolling(&f->r, roll * sum, &against, &f->m);
        rigid_kept_put_vec(c, KEPT_ROLL, k, times(splat(back), against));
    }
}

// The pass on velocities: normals without bias, then friction. What an impact has given in an earlier pass is not taken
// back (`done`): a later impact may have passed it on.
STAGE_FN void rigid_relax(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float step = rigid_step(s, second_order(s)), back = 1.0f / step;
    for (int32_t k = begin; k < end; k += LANES)
    {
        if (!anywhere(rigid_has_points(c, k)))
            continue;
        rigid_flight f;
        rigid_bounds b;
        f32 u[RIGID_POINTS], impulse[RIGID_POINTS], slowest[RIGID_POINTS], change[RIGID_POINTS], done[RIGID_POINTS];
        f32 sum = splat(0.0f);
        rigid_gather_speeds(s, k, &f);
        for (int i = 0; i < RIGID_POINTS; i++)
        {
            f32 all_of_it = step * rigid_kept_get(c, KEPT_FORCE + i, k);
            done[i] = rigid_impacts_apart(s) ? keep(rigid_work_get(c, WORK_HIT + i, k) > 0.0f, all_of_it) : splat(0.0f);
            impulse[i] = all_of_it - done[i], change[i] = -impulse[i];
        }
        rigid_speeds(&f.r, f.m.va, f.m.vb, f.m.ta, f.m.tb, splat(0.0f), u);
        i32 struck[RIGID_POINTS], meet = rigid_slowest(s, k, u, slowest, struck);
        const bool meets = rigid_impacts_apart(s) && anywhere(meet), freely = meets && second_order(s);
        if (freely)
            rigid_ease(&f.r, meet, RIGID_EASE);
        rigid_hard_bounds(&f.r, slowest, &b);
        if (meets)
            rigid_impacts(&f.r, &b, struck, u, impulse);
        rigid_normals(&f.r, &b, u, impulse, false);
        for (int i = 0; i < RIGID_POINTS; i++)
        {
            change[i] = impulse[i] + change[i];
            impulse[i] = done[i] + impulse[i];
            sum = sum + impulse[i];
            rigid_kept_put(c, KEPT_FORCE + i, k, back * impulse[i]);
        }
        rigid_push(&f.r, change, &f.m);
        rigid_relax_friction(s, k, sum, freely, &f);
        rigid_put_speeds(s, k, &f);
    }
}

// After the last pass: the multiplier of an impact is no force that lasts, the next substep begins with 0; so does the
// friction of the manifold.
STAGE_FN void rigid_forget_impacts(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t k = begin; k < end; k += LANES)
    {
        i32 some = splat(0.0f) > 0.0f, points = rigid_has_points(c, k);
        for (int i = 0; i < RIGID_POINTS; i++)
        {
            // The marks of rows without points are old ones, or none after a load.
            f32 mark = keep(points, rigid_work_get(c, WORK_HIT + i, k)), force = rigid_kept_get(c, KEPT_FORCE + i, k);
            rigid_kept_put(c, KEPT_FORCE + i, k, keep(not_so(mark > 0.0f), force));
            rigid_kept_put(c, KEPT_MET + i, k, mark);
            some = some | (mark > 0.0f);
        }
        if (s->second && anywhere(some)) // also of impacts in which the solve has had no part
            flag_up(&s->now->event);
        for (int f = KEPT_FRICTION; f < KEPT_TRAVEL; f++)
            rigid_kept_put(c, f, k, keep(not_so(some), rigid_kept_get(c, f, k)));
    }
}
