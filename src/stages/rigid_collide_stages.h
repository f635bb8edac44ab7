// rigid_collide_stages.h: finds the manifolds of pairs of rigid bodies, or of a body and a shape of the world
// (collide/manifold_convex.h, manifold_mesh.h, manifold_plane.h). One pair at a time, on every backend.
//
// A manifold is found again when points that were too far away to be reported may have come near, or when the two have
// moved by more than a hundredth of their width; in between its separations follow the motion
// (stages/rigid_relax_stages.h). The multipliers of points are kept by the ids of the features, else by the nearest old
// point.
#pragma once
#include "collide/manifold_convex.h"
#include "collide/manifold_hollow.h"
#include "collide/manifold_mesh.h"
#include "collide/manifold_plane.h"
#include "stages/rigid_sweep_stages.h"

#define RIGID_SLACK 0.02f // of the smallest width: how far beyond the motion of a substep points are reported
#define RIGID_FRESH 0.01f // of the smallest width: how far the two move before the manifold is found again
#define RIGID_ROUND 1e-6f // the same for round shapes, whose points move over the surface
#define RIGID_NEAR 0.2f   // of the smallest width: how far the nearest old point may be
#define RIGID_LIKE 0.9f   // cosine: normals of which multipliers are taken over

#if LANES == 1

PL_FN int rigid_ground(const state *s, const rigid_collider *k, const rigid_placed *a, const rigid_placed *b, vec apart,
                       float margin, manifold *out)
{
    vec between = sub(add(apart, b->at), a->at);
    pose q = pose_between(&b->axes, &a->axes, negative(between)); // A in the frame of B
    if (k->kind == COLLIDER_PLANE)
    {
        if (k->two_sided)
            manifold_sheet(&a->shape, &q, k->thick, margin, out);
        else
            manifold_plane(&a->shape, &q, margin, out);
        return out->count > 0;
    }
    if (k->kind == COLLIDER_HOLLOW)
    {
        convex wall = rigid_convex(&s->rigid_contacts, k);
        return manifold_hollow(&a->shape, &wall, &q, margin, out);
    }
    const geometry *g = rigid_geometry(s, k);
    if (k->kind == COLLIDER_SDF)
    {
        sdf field = sdf_of(g);
        return manifold_sdf(&a->shape, &field, k->thick, &q, margin, out);
    }
    if (k->kind == COLLIDER_FIELD)
    {
        heightfield field = field_of(g);
        return manifold_field(&a->shape, &field, &q, k->thick, margin, out);
    }
    bvh mesh = mesh_of(g);
    return manifold_mesh(&a->shape, &mesh, &q, k->thick, k->two_sided, margin, out);
}

// ---- old points ----------------------------------------------------------------------------------------------------

// What a pair's rows had before.
typedef struct rigid_old
{
    vec normal[RIGID_MANIFOLDS], friction[RIGID_MANIFOLDS], roll[RIGID_MANIFOLDS];
    float twist[RIGID_MANIFOLDS];
    int32_t count[RIGID_MANIFOLDS];
    vec a[RIGID_MANIFOLDS][RIGID_POINTS];
    float force[RIGID_MANIFOLDS][RIGID_POINTS], met[RIGID_MANIFOLDS][RIGID_POINTS], hit[RIGID_MANIFOLDS][RIGID_POINTS];
    uint32_t id[RIGID_MANIFOLDS][RIGID_POINTS], axis;
} rigid_old;

PL_FN void rigid_remember(const packed_rigid_contacts *c, const rigid_pair *p, rigid_old *o)
{
    o->axis = bits_of(rigid_kept_get(c, KEPT_AXIS, p->row[0]));
    for (int m = 0; m < RIGID_MANIFOLDS; m++)
    {
        int32_t k = p->row[m];
        o->count[m] = 0;
        if (k < 0)
            continue;
        o->count[m] = (int32_t)rigid_kept_get(c, KEPT_COUNT, k);
        o->normal[m] = rigid_kept_vec(c, KEPT_NORMAL, k);
        o->friction[m] = rigid_kept_vec(c, KEPT_FRICTION, k);
        o->roll[m] = rigid_kept_vec(c, KEPT_ROLL, k);
        o->twist[m] = rigid_kept_get(c, KEPT_TWIST, k);
        for (int i = 0; i < o->count[m]; i++)
        {
            o->a[m][i] = rigid_kept_vec(c, KEPT_A + 3 * i, k);
            o->force[m][i] = rigid_kept_get(c, KEPT_FORCE + i, k);
            o->met[m][i] = rigid_kept_get(c, KEPT_MET + i, k);
            o->hit[m][i] = rigid_work_get(c, WORK_HIT + i, k);
            o->id[m][i] = bits_of(rigid_kept_get(c, KEPT_ID + i, k));
        }
    }
}

// The force of the old point that a new one continues, which then counts as taken; 0: there is none.
PL_FN float rigid_take(rigid_old *o, vec n, vec on_a, uint32_t id, float near_by)
{
    int best_m = -1, best_i = -1;
    float best = near_by * near_by;
    for (int m = 0; m < RIGID_MANIFOLDS; m++)
        for (int i = 0; i < o->count[m]; i++)
        {
            if (dot(o->normal[m], n) < RIGID_LIKE || !(o->force[m][i] > 0.0f))
                continue;
            float d = o->id[m][i] == id ? -1.0f : square(sub(o->a[m][i], on_a));
            if (d < best)
                best = d, best_m = m, best_i = i;
        }
    if (best_m < 0)
        return 0.0f;
    float force = o->force[best_m][best_i];
    o->force[best_m][best_i] = 0.0f;
    return force;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

// A manifold in the axes of the bodies.
typedef struct rigid_found
{
    vec normal;
    const manifold *from;
    const rigid_placed *a, *b;
    const rigid_collider *ka, *kb;
    float near_by;
} rigid_found;

PL_FN vec rigid_local(const rigid_collider *k, vec x)
{
    if (k->shape >= 0)
        return x;
    mat3 own = quat_axes(quat_load(k->rotation));
    return add(vec_of(k->position[0], k->position[1], k->position[2]), mat_times(&own, x));
}

// Takes over the marks of impacts from the old point with the same id.
PL_FN void rigid_keep_marks(const packed_rigid_contacts *c, int32_t k, int point_number, const rigid_old *o,
                            uint32_t id)
{
    float met = 0.0f, hit = 0.0f;
    for (int m = 0; m < RIGID_MANIFOLDS; m++)
        for (int i = 0; i < o->count[m]; i++)
            if (o->id[m][i] == id)
                met = o->met[m][i], hit = o->hit[m][i];
    rigid_kept_put(c, KEPT_MET + point_number, k, met);
    rigid_work_put(c, WORK_HIT + point_number, k, hit);
}

// Writes a manifold into row k. like: the old manifold that it continues, or -1.
PL_FN void rigid_write(const packed_rigid_contacts *c, int32_t k, const rigid_found *f, rigid_old *o, int like)
{
    const vec none = vec_of(0.0f, 0.0f, 0.0f);
    rigid_kept_put_vec(c, KEPT_NORMAL, k, f->normal);
    rigid_kept_put(c, KEPT_COUNT, k, (float)f->from->count);
    for (int i = 0; i < RIGID_POINTS; i++)
    {
        bool some = i < f->from->count;
        const manifold_point *q = &f->from->point[some ? i : 0];
        vec on_a = some ? rigid_local(f->ka, q->a) : none, on_b = some ? rigid_local(f->kb, q->b) : none;
        float force = some ? rigid_take(o, f->normal, on_a, q->id, f->near_by) : 0.0f;
        rigid_kept_put_vec(c, KEPT_A + 3 * i, k, on_a);
        rigid_kept_put_vec(c, KEPT_B + 3 * i, k, on_b);
        rigid_kept_put(c, KEPT_GAP + i, k, some ? q->separation : 1e30f);
        rigid_kept_put(c, KEPT_FORCE + i, k, force);
        rigid_kept_put(c, KEPT_ID + i, k, float_of(some ? q->id : 0));
        rigid_keep_marks(c, k, i, o, some ? q->id : 0);
    }
    rigid_kept_put_vec(c, KEPT_FRICTION, k, like >= 0 ? o->friction[like] : none);
    rigid_kept_put_vec(c, KEPT_ROLL, k, like >= 0 ? o->roll[like] : none);
    rigid_kept_put(c, KEPT_TWIST, k, like >= 0 ? o->twist[like] : 0.0f);
    rigid_kept_put(c, KEPT_AXIS, k, float_of(f->from->axis));
}

PL_FN void rigid_clear(const packed_rigid_contacts *c, int32_t k)
{
    for (int field = 0; field < KEPT_WORDS; field++)
        rigid_kept_put(c, field, k, field >= KEPT_GAP && field < KEPT_GAP + RIGID_POINTS ? 1e30f : 0.0f);
}

// Distributes new manifolds over the rows of a pair: each to the row whose old normal is the most like its own.
PL_FN void rigid_assign(const packed_rigid_contacts *c, const rigid_pair *p, const manifold *m, int count,
                        rigid_found *f)
{
    rigid_old old;
    int taken = 0;
    rigid_remember(c, p, &old);
    for (int j = 0; j < count; j++)
    {
        int best = -1;
        float like = RIGID_LIKE;
        f->from = &m[j];
        f->normal = mat_times(&f->a->axes, m[j].normal);
        for (int r = 0; r < RIGID_MANIFOLDS; r++)
            if (p->row[r] >= 0 && old.count[r] && !(taken >> r & 1) && dot(old.normal[r], f->normal) > like)
                like = dot(old.normal[r], f->normal), best = r;
        int to = best;
        for (int r = 0; r < RIGID_MANIFOLDS && to < 0; r++)
            if (p->row[r] >= 0 && !(taken >> r & 1) && !old.count[r])
                to = r;
        for (int r = 0; r < RIGID_MANIFOLDS && to < 0; r++)
            if (p->row[r] >= 0 && !(taken >> r & 1))
                to = r;
        taken |= 1 << to;
        rigid_write(c, p->row[to], f, &old, best);
    }
    for (int r = 0; r < RIGID_MANIFOLDS; r++)
        if (p->row[r] >= 0 && !(taken >> r & 1))
            rigid_clear(c, p->row[r]);
}

// ---- stages --------------------------------------------------------------------------------------------------------

// How far points of a pair may move relative to each other in the substep.
PL_FN float rigid_pair_reach(const state *s, const rigid_collider *a, const rigid_collider *b, int32_t row)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const vec none = vec_of(0.0f, 0.0f, 0.0f);
    vec da = at(load_points(s->slot[SLOT_D] + a->member)), db = at(load_points(s->slot[SLOT_D] + b->member));
    vec ta = a->frame >= 0 ? frame_along(s->oriented.way[a->frame].rotated) : none,
        tb = b->frame >= 0 ? frame_along(s->oriented.way[b->frame].rotated) : none;
    return rigid_reach(c, row, add(sub(db, da), rigid_drift_of(c, row)), ta, add(tb, rigid_turn_of(c, row)));
}

// Finds the manifolds of a pair at the start of a substep; `substep` counts the poses of the world's shapes.
PL_FN void rigid_collide_pair(state *s, const rigid_pair *p, int32_t substep)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const rigid_collider *a = &c->collider[p->a], *b = &c->collider[p->b];
    rigid_placed pa = rigid_placed_of(s, a, substep), pb = rigid_placed_of(s, b, substep);
    vec apart = rigid_between(s, a, b, substep);
    manifold m[RIGID_MANIFOLDS];
    int count = 1;
    float width = rigid_pair_width(a, b), margin = RIGID_SLACK * width;
    rigid_trip ta = rigid_trip_of(s, a, p->row[0]), tb = rigid_trip_of(s, b, p->row[0]);
    if (!rigid_pair_fast(s, p, &ta, &tb)) // contacts ahead of a fast body would deflect it where it only passes by
        margin = 2.0f * rigid_pair_reach(s, a, b, p->row[0]) + margin;
    if (b->kind >= COLLIDER_PLANE)
        count = rigid_ground(s, b, &pa, &pb, apart, margin, m);
    else
    {
        manifold_between(&pa.shape, &pb.shape, &pa.axes, &pb.axes, sub(add(apart, pb.at), pa.at), margin,
                         bits_of(rigid_kept_get(c, KEPT_AXIS, p->row[0])), &m[0]);
        count = m[0].count > 0;
    }
    bool round = a->kind < CONVEX_BOX || b->kind < CONVEX_BOX;
    rigid_found f = {vec_of(0.0f, 1.0f, 0.0f), m, &pa, &pb, a, b, RIGID_NEAR * width};
    rigid_assign(c, p, m, count, &f);
    for (int r = 0; r < RIGID_MANIFOLDS; r++)
        if (p->row[r] >= 0)
        {
            rigid_kept_put(c, KEPT_TRAVEL, p->row[r], 0.0f);
            rigid_kept_put(c, KEPT_MARGIN, p->row[r], margin);
            rigid_kept_put(c, KEPT_ROUND, p->row[r], round ? 1.0f : 0.0f);
            rigid_kept_put(c, KEPT_STALE, p->row[r], (round ? RIGID_ROUND : RIGID_FRESH) * width);
        }
}

// Finds the manifolds of the pairs that rigid_prepare has marked.
STAGE_FN void rigid_collide(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t i = begin; i < end; i++)
        if (rigid_work_get(c, WORK_DUE, c->pair[i].row[0]) > 0.0f)
        {
            rigid_collide_pair(s, &c->pair[i], g->substep);
            for (int r = 0; r < RIGID_MANIFOLDS; r++)
                if (c->pair[i].row[r] >= 0)
                    rigid_prepare(s, g, c->pair[i].row[r], c->pair[i].row[r] + 1);
        }
}

// After the positions have changed: finds the manifolds of round shapes again, if they have moved. The next substep
// starts with them.
STAGE_FN void rigid_refresh(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t i = begin; i < end; i++)
    {
        int32_t k = c->pair[i].row[0];
        if (rigid_kept_get(c, KEPT_ROUND, k) > 0.0f &&
            rigid_kept_get(c, KEPT_TRAVEL, k) > rigid_kept_get(c, KEPT_STALE, k))
            rigid_collide_pair(s, &c->pair[i], g->substep + 1);
    }
}

// The rotation from one placement to another, a vector of the length 2 tan(angle/2). A substep rotates by far less than
// half a revolution.
PL_FN vec placement_turns(const placement *from, const placement *to)
{
    mat3 a = rows_as_columns(from->rotation), b = rows_as_columns(to->rotation), back = mat_transpose(&a);
    mat3 by = mat_mul(&b, &back);
    float scale = 2.0f / (1.0f + (by.c[0].x + by.c[1].y + by.c[2].z));
    return times(scale, vec_of(by.c[1].z - by.c[2].y, by.c[2].x - by.c[0].z, by.c[0].y - by.c[1].x));
}

// Computes the motion of the world's shapes in the substep.
STAGE_FN void rigid_drift(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_pair *p = &c->pair[i];
        const rigid_collider *b = &c->collider[p->b];
        vec none = vec_of(0.0f, 0.0f, 0.0f), apart = none, drift = none, turn = none, slip = none;
        if (b->shape < 0 && g->substep > 0) // 0 in the whole frame
            continue;
        if (b->shape >= 0)
        {
            const placement *from = &s->placements[(size_t)b->shape * (size_t)s->placement_step + (size_t)g->substep];
            const float *belt = s->solids[b->shape].belt;
            apart = rigid_between(s, &c->collider[p->a], b, g->substep);
            drift = placement_moves(from, from + 1, none);
            turn = placement_turns(from, from + 1);
            slip = rotated(from, vec_of(belt[0], belt[1], belt[2]));
        }
        for (int r = 0; r < RIGID_MANIFOLDS; r++)
            if (p->row[r] >= 0)
            {
                rigid_work_put_vec(c, WORK_APART, p->row[r], apart);
                rigid_work_put_vec(c, WORK_DRIFT, p->row[r], drift);
                rigid_work_put_vec(c, WORK_TURN, p->row[r], turn);
                rigid_work_put_vec(c, WORK_SLIP, p->row[r], slip);
            }
    }
}

#endif
