// rigid_sweep_stages.h: keeps fast bodies from passing through others (collide/convex_sweep.h).
//   sweep   after the solve: the part of its way that a fast body may go, and its orientation there
//   back    after velocities and spins were computed: places it there. Its velocity stays, and the contact of the next
//           substep finds it; so momentum and impacts are as for slow bodies, and only time is lost.
#pragma once
#include "collide/convex_sweep.h"
#include "stages/rigid_placed.h"

#define RIGID_FAST 0.5f // of the smaller half width: a body that moves farther in a substep is swept

#if LANES == 1

// How the body of a collider moves in the substep.
typedef struct rigid_trip
{
    vec moved;
    quat from, to;
    float most; // no point of the collider moves farther
} rigid_trip;

// The orientation from which a body is swept. One that rotates by more than a quarter of a revolution in the substep has
// that of the end all the time: its rotation is not resolved (frame_wild).
PL_FN quat rigid_sweep_from(const orient_pose *p, quat to, vec rotated)
{
    return square(rotated) > 4.0f ? to : quat_load(p->rotation);
}

PL_FN rigid_trip rigid_trip_of(const state *s, const rigid_collider *k, int32_t row)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    rigid_trip r;
    // A sphere at the centre of mass does not move when it rotates.
    float arm = k->kind == CONVEX_SPHERE ? k->reach - k->radius : k->reach;
    r.from = r.to = quat_identity();
    if (k->shape >= 0)
    {
        r.moved = rigid_drift_of(c, row);
        r.most = length(r.moved) + length(rigid_turn_of(c, row)) * arm;
        return r;
    }
    vec rotated = vec_of(0.0f, 0.0f, 0.0f);
    r.moved = moved_by(load_points(s->slot[SLOT_X] + k->member), load_points(s->slot[SLOT_D] + k->member));
    if (k->frame >= 0)
    {
        rotated = frame_along(s->oriented.way[k->frame].rotated);
        r.to = turn_plus(quat_load(s->oriented.pose[k->frame].rotation), rotated);
        r.from = rigid_sweep_from(&s->oriented.pose[k->frame], r.to, rotated);
    }
    r.most = length(r.moved) + length(rotated) * arm;
    return r;
}

PL_FN float rigid_pair_width(const rigid_collider *a, const rigid_collider *b)
{
    return b->kind < COLLIDER_PLANE ? least(a->width, b->width) : a->width;
}

// Which of the two bodies are fast relative to each other: bit 0 A, bit 1 B. If a body moves fast that nothing can stop,
// neither: contacts that are found ahead must do.
PL_FN int rigid_pair_fast(const state *s, const rigid_pair *p, const rigid_trip *a, const rigid_trip *b)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const float far = RIGID_FAST * rigid_pair_width(&c->collider[p->a], &c->collider[p->b]);
    const float turns = (a->most - length(a->moved)) + (b->most - length(b->moved));
    if (!p->swept || !(length(sub(b->moved, a->moved)) + turns > far))
        return 0;
    int fast = (a->most > far ? 1 : 0) | (b->most > far ? 2 : 0);
    return fast & ~p->swept ? 0 : fast;
}

PL_FN shape_motion rigid_shape_motion(const rigid_collider *k, const rigid_trip *t, const mat3 *axes)
{
    shape_motion m;
    m.from = t->from, m.to = t->to;
    m.way = t->moved;
    m.shape.rotation = k->shape >= 0 ? *axes : quat_axes(quat_load(k->rotation));
    m.shape.at = k->shape >= 0 ? vec_of(0.0f, 0.0f, 0.0f) : vec_of(k->position[0], k->position[1], k->position[2]);
    return m;
}

// The quaternion of a rotation matrix (Shepperd 1978).
PL_FN quat quat_of_axes(const mat3 *m)
{
    const float xx = m->c[0].x, yy = m->c[1].y, zz = m->c[2].z;
    const vec skew = vec_of(m->c[1].z - m->c[2].y, m->c[2].x - m->c[0].z, m->c[0].y - m->c[1].x);
    const float xy = m->c[0].y + m->c[1].x, yz = m->c[1].z + m->c[2].y, zx = m->c[2].x + m->c[0].z;
    quat q = {skew, 1.0f + xx + yy + zz};
    if (!(q.w > 1.0f))
    {
        if (xx >= yy && xx >= zz)
            q.v = vec_of(1.0f + xx - yy - zz, xy, zx), q.w = skew.x;
        else if (yy >= zz)
            q.v = vec_of(xy, 1.0f + yy - xx - zz, yz), q.w = skew.y;
        else
            q.v = vec_of(zx, yz, 1.0f + zz - xx - yy), q.w = skew.z;
    }
    return quat_unit(q);
}

// The part of the way against ground; A's motion is relative to that of B.
PL_CALL float rigid_ground_part(const state *s, const rigid_collider *b, const rigid_placed *pa, const rigid_placed *pb,
                                shape_motion m, vec apart, float width)
{
    quat back = quat_conjugate(quat_of_axes(&pb->axes));
    vec at = transposed_times(&pb->axes, negative(add(apart, pb->at)));
    m.from = quat_times(back, m.from), m.to = quat_times(back, m.to);
    m.way = transposed_times(&pb->axes, m.way);
    if (b->kind == COLLIDER_HOLLOW)
    {
        convex wall = rigid_convex(&s->rigid_contacts, b);
        return sweep_steps(&pa->shape, &m, at, &wall, (const sdf *)0, 0.0f, width);
    }
    const geometry *g = rigid_geometry(s, b);
    if (b->kind == COLLIDER_SDF)
    {
        sdf field = sdf_of(g);
        return sweep_steps(&pa->shape, &m, at, (const convex *)0, &field, b->thick, width);
    }
    sweep_search k;
    sweep_core core;
    sweep_open(&k, &pa->shape, &core, &m, at, b->thick, width);
    if (b->kind == COLLIDER_FIELD)
    {
        heightfield field = field_of(g);
        return sweep_field(&k, &field);
    }
    bvh mesh = mesh_of(g);
    k.two_sided = b->two_sided;
    return sweep_mesh(&k, &mesh);
}

// The part of their ways that the two bodies of a pair may go; 1: all. end: which of them asks, 0 or 1.
PL_CALL float rigid_pair_part(const state *s, const rigid_pair *p, int end, int32_t substep)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const rigid_collider *a = &c->collider[p->a], *b = &c->collider[p->b];
    rigid_trip ta = rigid_trip_of(s, a, p->row[0]), tb = rigid_trip_of(s, b, p->row[0]);
    if (!(rigid_pair_fast(s, p, &ta, &tb) >> end & 1))
        return 1.0f;
    rigid_placed pa = rigid_placed_of(s, a, substep), pb = rigid_placed_of(s, b, substep);
    vec apart = rigid_between(s, a, b, substep);
    shape_motion ma = rigid_shape_motion(a, &ta, &pa.axes);
    float width = rigid_pair_width(a, b);
    if (b->kind >= COLLIDER_PLANE)
    {
        ma.way = sub(ma.way, tb.moved);
        return rigid_ground_part(s, b, &pa, &pb, ma, apart, width);
    }
    shape_motion mb = rigid_shape_motion(b, &tb, &pb.axes);
    return sweep_convex(&pa.shape, &ma, &pb.shape, &mb, apart, width);
}

// The spin of a collider's body at the substep's start.
PL_FN vec rigid_spin_of(const state *s, const rigid_collider *k)
{
    return k->frame >= 0 ? frame_along(s->oriented.pose[k->frame].spin) : vec_of(0.0f, 0.0f, 0.0f);
}

// Does a point touch at the start and approach by more than a fast body moves? Then the two have their impact in this
// substep, and stay where they are: the passes on velocities see the poses in which they met.
PL_FN int rigid_pair_strikes(const state *s, const rigid_pair *p)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const rigid_collider *a = &c->collider[p->a], *b = &c->collider[p->b];
    const float width = rigid_pair_width(a, b);
    vec v = sub(at(load_points(s->slot[SLOT_V] + b->member)), at(load_points(s->slot[SLOT_V] + a->member)));
    vec way = add(times(s->h, v), rigid_drift_of(c, p->row[0]));
    vec ta = times(s->h, rigid_spin_of(s, a)), tb = add(times(s->h, rigid_spin_of(s, b)), rigid_turn_of(c, p->row[0]));
    for (int r = 0; r < RIGID_MANIFOLDS; r++)
    {
        const int32_t k = p->row[r];
        const int count = k >= 0 ? (int)rigid_kept_get(c, KEPT_COUNT, k) : 0;
        for (int i = 0; i < count; i++)
        {
            vec n = rigid_kept_vec(c, KEPT_NORMAL, k), arm = rigid_work_vec(c, WORK_ARM + 3 * i, k);
            vec arm_b = sub(arm, rigid_work_vec(c, WORK_BETWEEN, k));
            float u = dot(n, way) + (dot(cross(arm_b, n), tb) - dot(cross(arm, n), ta));
            if (rigid_kept_get(c, KEPT_GAP + i, k) <= SWEEP_NEAR * width && u < -RIGID_FAST * width)
                return 1;
        }
    }
    return 0;
}

STAGE_FN void rigid_sweep(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_around *around = &c->around[i];
        const rigid_load *b = &s->rigids.load[i];
        float *stop = c->stop + STOP_WORDS * (size_t)i, part = 1.0f;
        stop[STOP_PART] = 1.0f;
        if (around->first == around->end)
            continue;
        vec moved = moved_by(load_points(s->slot[SLOT_X] + b->member), load_points(s->slot[SLOT_D] + b->member));
        vec rotated = b->frame >= 0 ? frame_along(s->oriented.way[b->frame].rotated) : vec_of(0.0f, 0.0f, 0.0f);
        if (!(length(moved) + length(rotated) * around->reach > RIGID_FAST * around->width))
            continue;
        for (int32_t k = around->first; k < around->end; k++)
        {
            const rigid_pair *p = &c->pair[c->near_by[k] / 2];
            part = rigid_pair_strikes(s, p) ? 0.0f : least(part, rigid_pair_part(s, p, c->near_by[k] % 2, g->substep));
        }
        if (!(part < 1.0f))
            continue;
        vec back = times(part - 1.0f, moved);
        stop[STOP_PART] = part;
        stop[STOP_BACK] = back.x, stop[STOP_BACK + 1] = back.y, stop[STOP_BACK + 2] = back.z;
        if (b->frame >= 0)
        {
            const orient_pose *p = &s->oriented.pose[b->frame];
            quat to = turn_plus(quat_load(p->rotation), rotated);
            quat from = part > 0.0f ? rigid_sweep_from(p, to, rotated) : quat_load(p->rotation);
            quat_store(stop + STOP_TURN, quat_blend(from, to, part));
        }
    }
}

STAGE_FN void rigid_back(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_load *b = &s->rigids.load[i];
        const float *stop = s->rigid_contacts.stop + STOP_WORDS * (size_t)i;
        if (!(stop[STOP_PART] < 1.0f))
            continue;
        point x = load_points(s->slot[SLOT_X] + b->member);
        vec back = vec_of(stop[STOP_BACK], stop[STOP_BACK + 1], stop[STOP_BACK + 2]);
        store_points(s->slot[SLOT_X] + b->member, moved_to(x, add(low_part(x), back)));
        if (b->frame >= 0)
        {
            // The spin turns back with the body, so that its energy stays.
            orient_pose *p = &s->oriented.pose[b->frame];
            mat3 end_axes = quat_axes(quat_load(p->rotation)), axes = quat_axes(quat_load(stop + STOP_TURN));
            vec spin = mat_times(&axes, transposed_times(&end_axes, frame_along(p->spin)));
            if (s->oriented.inertia[b->frame].inertia[3] == 0.0f) // not that of a ball
                p->spin[0] = spin.x, p->spin[1] = spin.y, p->spin[2] = spin.z;
            quat_store(p->rotation, quat_load(stop + STOP_TURN));
            p->low[0] = p->low[1] = p->low[2] = 0.0f;
        }
        if (s->second) // the last substep no longer tells how it moves
            flag_up(&s->now->event);
    }
}

#endif
