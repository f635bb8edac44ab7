// shape_match_stages.h: the stages of shape matching: each function processes the items [begin, end): chunks of
// members, clusters, or slots.
#pragma once
#include "kernels/displacement.h"
#include "stages/stage_common.h"

PL_FN bool match_rests(const stage *g, const match_body *b) { return g->kind == MATCH_RIGID_ONLY && !b->fully_rigid; }

#if LANES == 1 // one member at a time; the tables for more lanes use these functions

PL_FN vec match_origin(const state *s, const packed_clusters *c, int32_t cluster)
{
    (void)s;
    const float *centre = c->pose[cluster].centre;
    return vec_of(centre[0], centre[1], centre[2]);
}

PL_FN int match_terms(const match_body *b) { return b->match > 1 ? MATCH_TERMS : MATCH_LINEAR; }

PL_FN vec rest_at(const packed_clusters *c, int32_t k) { return at(load_points(c->rest + 4 * (size_t)k)); }
PL_FN float share_at(const packed_clusters *c, int32_t k) { return c->rest[4 * (size_t)k + 3]; }

// ---- members with a rotation of their own (oriented.h) -------------------------------------------------------------

PL_FN int32_t own_frame(const packed_clusters *c, int32_t k) { return c->owns ? c->own[k] : -1; }

PL_FN void match_add_own(const state *s, int32_t own, float mass, match_sum *m)
{
    mat3 a = orient_moment(&s->oriented.form[own], frame_quat_now(&s->oriented.pose[own], &s->oriented.way[own]), mass);
    for (int j = 0; j < 3; j++)
    {
        float *to = m->s + 3 + 3 * j;
        to[0] = to[0] + a.c[j].x, to[1] = to[1] + a.c[j].y, to[2] = to[2] + a.c[j].z;
    }
}

// The goal of a member's rotation in a cluster.
PL_FN quat match_own_goal(const state *s, int32_t own, const match_pose *pose)
{
    return quat_times(quat_load(pose->rotation), quat_load(s->oriented.form[own].rest));
}

// Rotates a member towards its goal by the fraction alpha; returns the angular momentum that this takes, times the
// substep.
PL_FN vec match_turn_own(const state *s, int32_t own, const match_body *b, const match_pose *pose, float mass,
                         quat *next)
{
    quat q = frame_quat_now(&s->oriented.pose[own], &s->oriented.way[own]), goal = match_own_goal(s, own, pose);
    quat none = {vec_of(0.0f, 0.0f, 0.0f), 0.0f}, way = quat_towards(none, q, goal, b->alpha);
    quat to = {add(q.v, way.v), q.w + way.w};
    *next = quat_unit(to);
    quat by = quat_times(*next, quat_conjugate(q));
    mat3 r = quat_axes(q);
    vec angle = times(by.w < 0.0f ? -2.0f : 2.0f, by.v);
    return times(0.2f * mass, along_axes(&r, frame_along(s->oriented.inertia[own].inertia), angle));
}

// ---- sums over a chunk ---------------------------------------------------------------------------------------------

// The contribution of a member's position to its cluster's sums.
PL_FN match_sum match_of_member(const state *s, const packed_clusters *c, const match_body *b, vec origin,
                                const float *map, int32_t k, int terms)
{
    match_sum m;
    vec r = slot_from(s, c->member[k], origin);
    match_set(&m, r, map, rest_at(c, k), share_at(c, k), b, terms);
    return m;
}

// Adds the 32 running sums of a chunk as a tree; the result is in the first.
PL_FN void match_tree(match_sum *sums, int terms)
{
    for (int half = MATCH_SUMS / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            match_join(&sums[i], &sums[i + half], terms);
}

STAGE_FN void match_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        int32_t cluster = c->chunk_cluster[chunk], first = c->chunk_start[chunk], last = c->chunk_start[chunk + 1];
        const match_body *b = &c->body[cluster];
        int terms = match_terms(b);
        vec origin = match_origin(s, c, cluster);
        match_sum sums[MATCH_SUMS], own[MATCH_SUMS];
        memset(sums, 0, sizeof sums);
        for (int32_t k = first; k < last; k++)
        {
            match_sum m = match_of_member(s, c, b, origin, c->pose[cluster].map, k, terms);
            match_join(&sums[(k - first) % MATCH_SUMS], &m, terms);
        }
        match_tree(sums, terms);
        if (c->owns)
        {
            memset(own, 0, sizeof own);
            for (int32_t k = first; k < last; k++)
                if (c->own[k] >= 0)
                    match_add_own(s, c->own[k], share_at(c, k), &own[(k - first) % MATCH_SUMS]);
            match_tree(own, MATCH_LINEAR);
            match_join(&sums[0], &own[0], MATCH_LINEAR);
        }
        c->sum[chunk] = sums[0];
    }
}

PL_FN match_sum match_total(const packed_clusters *c, int32_t cluster)
{
    match_sum all = c->sum[c->cluster_chunk[cluster]];
    for (int32_t k = c->cluster_chunk[cluster] + 1; k < c->cluster_chunk[cluster + 1]; k++)
        match_join(&all, &c->sum[k], match_terms(&c->body[cluster]));
    return all;
}

STAGE_FN void match_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t i = begin; i < end; i++)
    {
        match_sum all = match_total(c, i);
        match_solve(&c->body[i], &all, c->quadratic + c->body[i].quadratic, match_origin(s, c, i), &c->pose[i]);
    }
}

// ---- loss of angular momentum of a rotating cluster ----------------------------------------------------------------

// The lever arm of a member in the angular momentum at the substep's end: L = sum m arm x x/h, about `origin`
// (shape_match.h).
PL_FN vec match_arm(const state *s, uint32_t member, vec origin)
{
    vec r0 = sub(at(load_points(s->slot[SLOT_X] + member)), origin);
    if (!second_order(s))
        return r0;
    return add(times(1.5f, r0), times(0.5f, at(load_points(s->slot[SLOT_D1] + member)))); // 2 r0 - 1/2 r1
}

// The displacement of the centre is known from the third substep on; until then this loss, (h w)^2 of the spin, is not
// corrected.
PL_FN bool match_bends(const state *s) { return second_order(s) && s->now->smooth > 1; }

// Second order: the error of the prediction, 4/9 h m (x0 - x1) x (v0 - v1), x relative to the centre. Must run before
// the velocities are updated.
PL_FN vec match_bend(const state *s, const match_pose *pose, uint32_t member, float mass)
{
    const float *last = pose->last, *before = pose->before;
    vec shift = vec_of(last[0] - before[0], last[1] - before[1], last[2] - before[2]);
    vec dx = at(load_points(s->slot[SLOT_D1] + member));
    vec dv = sub(at(load_points(s->slot[SLOT_V] + member)), at(load_points(s->slot[SLOT_V1] + member)));
    return times(4.0f / 9.0f * s->h * mass, cross(sub(dx, shift), dv));
}

// Does a member move in this stage? Where clusters overlap, the stage of the rigid ones moves only particles that are
// in no other cluster.
PL_FN bool match_moves(const packed_clusters *c, const stage *g, int32_t k)
{
    int32_t slot = (int32_t)(c->member[k] / 4);
    return g->kind != MATCH_RIGID_ONLY || c->slot_start[slot + 1] - c->slot_start[slot] == 1;
}

// What a member's motion to its goal takes from its body, times the substep.
typedef struct match_loss
{
    vec way, push; // angular momentum and momentum, by its displacement
    vec own;       // angular momentum, by its own rotation
} match_loss;

// The data of a member, and the array for its outward direction.
typedef struct match_seat
{
    int32_t k;
    uint32_t member; // 4 * slot
    point rest, field;
    float *faced;
} match_seat;

PL_FN match_seat match_sit(const state *s, const packed_clusters *c, int32_t k)
{
    match_seat m = {k, c->member[k], load_points(c->rest + 4 * (size_t)k), load_points(c->field + 4 * (size_t)k),
                    s->slot[SLOT_NORMAL]};
    return m;
}

// Computes a member's motion to its goal and what it takes; moves the member if `go` is set. Returns false if it has
// none to count.
PL_FN bool match_go(const state *s, const stage *g, const packed_clusters *c, const match_body *b,
                    const match_pose *pose, vec origin, const match_seat *m, bool go, match_loss *lost)
{
    point x = load_points(s->slot[SLOT_X] + m->member), d = load_points(s->slot[SLOT_D] + m->member);
    vec none = vec_of(0.0f, 0.0f, 0.0f);
    lost->way = lost->push = lost->own = none;
    if (go) // also for kinematic members
        store_points(m->faced + m->member, match_way_out(pose, m->field));
    if (!(d.w > 0.0f) || (!go && !b->spins))
        return false;
    if (g->first && b->spins && match_bends(s))
        lost->way = match_bend(s, pose, m->member, m->rest.w);
    if (!go && !match_moves(c, g, m->k))
        return true;
    point to = match_step(d, match_to_goal(b, pose, at(m->rest), at(x), at(d)));
    vec way = sub(at(to), at(d)); // as it was rounded
    lost->way = add(lost->way, match_taken(m->rest.w, match_arm(s, m->member, origin), way));
    lost->push = times(m->rest.w, way);
    if (go)
        store_points(s->slot[SLOT_D] + m->member, to);
    int32_t own = own_frame(c, m->k);
    if (own >= 0)
    {
        quat next;
        lost->own = match_turn_own(s, own, b, pose, m->rest.w, &next);
        if (go)
            frame_turn_to(&s->oriented.pose[own], &s->oriented.way[own], next);
    }
    return true;
}

// Adds to the loss of a chunk in the substep so far (tally).
PL_FN void match_tally(const packed_clusters *c, const stage *g, float *tally, const match_loss *l)
{
    vec lost = c->owns ? add(l->way, l->own) : l->way, push = l->push;
    if (!g->first)
    {
        lost = add(vec_of(tally[0], tally[1], tally[2]), lost);
        push = add(vec_of(tally[4], tally[5], tally[6]), push);
    }
    tally[0] = lost.x, tally[1] = lost.y, tally[2] = lost.z;
    tally[4] = push.x, tally[5] = push.y, tally[6] = push.z;
}

PL_FN void match_loss_join(match_loss *a, const match_loss *b)
{
    a->way = add(a->way, b->way);
    a->push = add(a->push, b->push);
    a->own = add(a->own, b->own);
}

PL_FN void match_chunk_goes(state *s, const stage *g, int32_t chunk, bool go)
{
    const packed_clusters *c = &s->clusters;
    int32_t cluster = c->chunk_cluster[chunk], first = c->chunk_start[chunk];
    const match_body *b = &c->body[cluster];
    vec origin = match_origin(s, c, cluster);
    match_loss sums[MATCH_SUMS];
    memset(sums, 0, sizeof sums);
    for (int32_t k = first; k < c->chunk_start[chunk + 1]; k++)
    {
        match_loss lost;
        match_seat m = match_sit(s, c, k);
        if (!match_go(s, g, c, b, &c->pose[cluster], origin, &m, go, &lost))
            continue;
        match_loss_join(&sums[(k - first) % MATCH_SUMS], &lost);
    }
    for (int half = MATCH_SUMS / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            match_loss_join(&sums[i], &sums[i + half]);
    match_tally(c, g, c->lost + MATCH_LOST * (size_t)chunk, &sums[0]);
}

// Clusters that share no particle: each chunk moves its own members.
STAGE_FN void match_move_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
        if (!match_rests(g, &c->body[c->chunk_cluster[chunk]]))
            match_chunk_goes(s, g, chunk, true);
}

// Overlapping clusters: computes the loss of each cluster, before anything moves.
STAGE_FN void match_lose_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    for (int32_t chunk = begin; chunk < end; chunk++)
        match_chunk_goes(s, g, chunk, false);
}

PL_FN void match_blend_own(const state *s, int32_t own, int32_t first, int32_t last, float share)
{
    const packed_clusters *c = &s->clusters;
    quat q = frame_quat_now(&s->oriented.pose[own], &s->oriented.way[own]), sum = {vec_of(0.0f, 0.0f, 0.0f), 0.0f};
    for (int32_t e = first; e < last; e++)
    {
        int32_t cluster = c->slot_entry[2 * (size_t)e + 1];
        sum = quat_towards(sum, q, match_own_goal(s, own, &c->pose[cluster]), share * c->body[cluster].alpha);
    }
    quat next = {add(q.v, sum.v), q.w + sum.w};
    frame_turn_to(&s->oriented.pose[own], &s->oriented.way[own], quat_unit(next));
}

// Overlapping clusters: a particle moves to the mean of its goals, summed in the order of the clusters.
STAGE_FN void match_blend_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    for (int32_t slot = begin; slot < end; slot++)
    {
        int32_t first = c->slot_start[slot], last = c->slot_start[slot + 1];
        point x = load_points(s->slot[SLOT_X] + 4 * (size_t)slot), d = load_points(s->slot[SLOT_D] + 4 * (size_t)slot);
        if (first == last)
            continue;
        int32_t of = c->slot_entry[2 * (size_t)first + 1];
        if (g->kind == MATCH_RIGID_ONLY && !(last - first == 1 && c->body[of].fully_rigid))
            continue;
        const float *field = c->field + 4 * (size_t)c->slot_entry[2 * (size_t)first];
        store_points(s->slot[SLOT_NORMAL] + 4 * (size_t)slot, match_way_out(&c->pose[of], load_points(field)));
        if (!(d.w > 0.0f)) // a kinematic member does not move
            continue;
        vec way = vec_of(0.0f, 0.0f, 0.0f);
        float share = 1.0f / (float)(last - first);
        for (int32_t e = first; e < last; e++)
        {
            int32_t k = c->slot_entry[2 * (size_t)e], cluster = c->slot_entry[2 * (size_t)e + 1];
            const match_body *b = &c->body[cluster];
            way = add(way, match_to_goal(b, &c->pose[cluster], rest_at(c, k), at(x), at(d)));
        }
        int32_t own = own_frame(c, c->slot_entry[2 * (size_t)first]);
        if (own >= 0)
            match_blend_own(s, own, first, last, share);
        store_points(s->slot[SLOT_D] + 4 * (size_t)slot, match_step(d, times(share, way)));
    }
}

STAGE_FN void match_yield_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t i = begin; i < end; i++)
        if (c->body[i].yield > 0.0f)
        {
            match_sum all = match_total(c, i);
            match_yield(&c->body[i], &all, s->h, &c->pose[i]);
        }
}

#endif
