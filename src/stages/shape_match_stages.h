// shape_match_stages.h: the stages of shape matching: each function processes the items [begin, end): chunks of
// members, clusters, or slots.
#pragma once
#include "kernels/rounding_carry.h"
#include "stages/stage.h"

PL_FN bool match_rests(const stage *g, const match_body *b) { return g->kind == MATCH_FIRM && !b->firm; }

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

PL_FN int32_t own_turn(const packed_clusters *c, int32_t k) { return c->owns ? c->own[k] : -1; }

PL_FN void match_add_own(const state *s, int32_t own, float mass, match_sum *m)
{
    mat3 a = orient_moment(&s->oriented.form[own], turn_load(s->oriented.pose[own].turn), mass);
    for (int j = 0; j < 3; j++)
    {
        float *to = m->s + 3 + 3 * j;
        to[0] = to[0] + a.c[j].x, to[1] = to[1] + a.c[j].y, to[2] = to[2] + a.c[j].z;
    }
}

// The goal of a member's rotation in a cluster.
PL_FN turn match_own_goal(const state *s, int32_t own, const match_pose *pose)
{
    return turn_times(turn_load(pose->turn), turn_load(s->oriented.form[own].rest));
}

// Rotates a member towards its goal by the fraction alpha; returns the angular momentum that this takes, times the
// substep.
PL_FN vec match_turn_own(const state *s, int32_t own, const match_body *b, const match_pose *pose, float mass,
                         turn *next)
{
    turn q = turn_load(s->oriented.pose[own].turn), goal = match_own_goal(s, own, pose);
    turn none = {vec_of(0.0f, 0.0f, 0.0f), 0.0f}, way = turn_towards(none, q, goal, b->alpha);
    turn to = {add(q.v, way.v), q.w + way.w};
    *next = turn_unit(to);
    turn by = turn_times(*next, turn_back(q));
    mat3 r = turn_axes(q);
    vec angle = times(by.w < 0.0f ? -2.0f : 2.0f, by.v);
    return times(0.2f * mass, along_axes(&r, frame_along(s->oriented.inertia[own].inertia), angle));
}

// ---- sums over a chunk ---------------------------------------------------------------------------------------------

// The contribution of a member's position to its cluster's sums.
PL_FN match_sum match_of_member(const state *s, const packed_clusters *c, const match_body *b, vec origin,
                                const float *map, int32_t k, int terms)
{
    match_sum m;
    vec r = sub(at(load_points(s->slot[SLOT_X] + c->member[k])), origin);
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
    vec r0 = sub(at(load_points(s->slot[SLOT_X0] + member)), origin);
    if (!second_order(s))
        return r0;
    vec r1 = sub(at(load_points(s->slot[SLOT_X1] + member)), origin);
    return sub(times(2.0f, r0), times(0.5f, r1));
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
    vec dx = sub(at(load_points(s->slot[SLOT_X0] + member)), at(load_points(s->slot[SLOT_X1] + member)));
    vec dv = sub(at(load_points(s->slot[SLOT_V] + member)), at(load_points(s->slot[SLOT_V1] + member)));
    return times(4.0f / 9.0f * s->h * mass, cross(sub(dx, shift), dv));
}

// Does a member move in this stage? Where clusters overlap, the stage of the rigid ones moves only particles that are
// in no other cluster.
PL_FN bool match_moves(const packed_clusters *c, const stage *g, int32_t k)
{
    int32_t slot = (int32_t)(c->member[k] / 4);
    return g->kind != MATCH_FIRM || c->slot_start[slot + 1] - c->slot_start[slot] == 1;
}

// The angular momentum that a member's motion to its goal takes from its body, times the substep.
typedef struct match_loss
{
    vec way, own; // way: by its displacement; own: by its own rotation
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

// Moves a member at x by d, and carries the rounding error: summed over all members it would be momentum.
PL_FN void match_step(const state *s, uint32_t member, point x, vec d)
{
    point next = stepped(x, d), x0 = load_points(s->slot[SLOT_X0] + member);
    store_points(s->slot[SLOT_X] + member, next);
    s->slot[SLOT_X0][member + 3] = rounding_more(x0, rounding_error(x, d, next));
}

// Computes a member's motion to its goal and what it takes; moves the member if `go` is set. Returns false if it has
// none to count.
PL_FN bool match_go(const state *s, const stage *g, const packed_clusters *c, const match_body *b,
                    const match_pose *pose, vec origin, const match_seat *m, bool go, match_loss *lost)
{
    point x = load_points(s->slot[SLOT_X] + m->member);
    vec none = vec_of(0.0f, 0.0f, 0.0f);
    lost->way = lost->own = none;
    if (go) // also for kinematic members
        store_points(m->faced + m->member, match_way_out(pose, m->field));
    if (!(x.w > 0.0f) || (!go && !b->spins))
        return false;
    if (g->first && b->spins && match_bends(s))
        lost->way = match_bend(s, pose, m->member, m->rest.w);
    if (!go && !match_moves(c, g, m->k))
        return true;
    vec d = match_to_goal(b, pose, at(m->rest), at(x));
    lost->way = add(lost->way, match_taken(m->rest.w, match_arm(s, m->member, origin), d));
    if (go)
        match_step(s, m->member, x, d);
    int32_t own = own_turn(c, m->k);
    if (own >= 0)
    {
        turn next;
        lost->own = match_turn_own(s, own, b, pose, m->rest.w, &next);
        if (go)
            turn_store(s->oriented.pose[own].turn, next);
    }
    return true;
}

// Adds to the loss of a chunk in the substep so far (tally).
PL_FN void match_tally(const packed_clusters *c, const stage *g, float *tally, vec way, vec own)
{
    vec lost = c->owns ? add(way, own) : way;
    if (!g->first)
        lost = add(vec_of(tally[0], tally[1], tally[2]), lost);
    tally[0] = lost.x, tally[1] = lost.y, tally[2] = lost.z;
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
        match_loss lost, *sum = &sums[(k - first) % MATCH_SUMS];
        match_seat m = match_sit(s, c, k);
        if (!match_go(s, g, c, b, &c->pose[cluster], origin, &m, go, &lost))
            continue;
        sum->way = add(sum->way, lost.way);
        sum->own = add(sum->own, lost.own);
    }
    for (int half = MATCH_SUMS / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
        {
            sums[i].way = add(sums[i].way, sums[i + half].way);
            sums[i].own = add(sums[i].own, sums[i + half].own);
        }
    match_tally(c, g, c->lost + 4 * (size_t)chunk, sums[0].way, sums[0].own);
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
    float *at_turn = s->oriented.pose[own].turn;
    turn q = turn_load(at_turn), sum = {vec_of(0.0f, 0.0f, 0.0f), 0.0f};
    for (int32_t e = first; e < last; e++)
    {
        int32_t cluster = c->slot_entry[2 * (size_t)e + 1];
        sum = turn_towards(sum, q, match_own_goal(s, own, &c->pose[cluster]), share * c->body[cluster].alpha);
    }
    turn next = {add(q.v, sum.v), q.w + sum.w};
    turn_store(at_turn, turn_unit(next));
}

// Overlapping clusters: a particle moves to the mean of its goals, summed in the order of the clusters.
STAGE_FN void match_blend_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    for (int32_t slot = begin; slot < end; slot++)
    {
        int32_t first = c->slot_start[slot], last = c->slot_start[slot + 1];
        point x = load_points(s->slot[SLOT_X] + 4 * (size_t)slot);
        if (first == last || !(x.w > 0.0f))
            continue;
        if (g->kind == MATCH_FIRM && !(last - first == 1 && c->body[c->slot_entry[2 * (size_t)first + 1]].firm))
            continue;
        vec d = vec_of(0.0f, 0.0f, 0.0f);
        float share = 1.0f / (float)(last - first);
        for (int32_t e = first; e < last; e++)
        {
            int32_t k = c->slot_entry[2 * (size_t)e], cluster = c->slot_entry[2 * (size_t)e + 1];
            const match_body *b = &c->body[cluster];
            d = add(d, match_to_goal(b, &c->pose[cluster], rest_at(c, k), at(x)));
            if (e == first)
                store_points(s->slot[SLOT_NORMAL] + 4 * (size_t)slot,
                             match_way_out(&c->pose[cluster], load_points(c->field + 4 * (size_t)k)));
        }
        int32_t own = own_turn(c, c->slot_entry[2 * (size_t)first]);
        if (own >= 0)
            match_blend_own(s, own, first, last, share);
        match_step(s, 4 * (uint32_t)slot, x, times(share, d));
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
