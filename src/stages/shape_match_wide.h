// shape_match_wide.h: the sums and the moves of rigid and linear clusters, LANES members at a time. The running sums of
// a chunk (shape_match.h) are in adjacent lanes, so that the result has the same bits as that of shape_match_stages.h,
// which handles the rest and the rare cases.
#pragma once
#include "stages/shape_match_spin_stages.h"

#if LANES > 1

extern stage_fn scalar_match_sum, scalar_match_move,
    scalar_match_turn; // one member at a time: backend/cpu/lanes_groups.c

// Up to LANES members from k on; lanes beyond `count` repeat the first member, with mass 0.
typedef struct match_group
{
    int32_t k, count;
    uint32_t room[LANES];
    const uint32_t *index;
} match_group;

PL_FN void match_open(const packed_clusters *c, int32_t k, int32_t last, match_group *m)
{
    m->k = k;
    m->count = last - k < LANES ? last - k : LANES;
    m->index = c->member + k;
    if (m->count == LANES)
        return;
    for (int i = 0; i < LANES; i++)
        m->room[i] = c->member[i < m->count ? k + i : k];
    m->index = m->room;
}

// Loads four floats of each member.
PL_FN point match_load(const match_group *m, const float *all)
{
    _Alignas(64) float room[4 * LANES];
    if (m->count == LANES)
        return load_points(all + 4 * (size_t)m->k);
    memset(room, 0, sizeof room);
    memcpy(room, all + 4 * (size_t)m->k, 4 * (size_t)m->count * sizeof *room);
    return load_points(room);
}

// Stores a group, except kinematic members.
PL_FN void match_store(float *slots, const match_group *m, point p, i32 live)
{
    _Alignas(64) float room[4 * LANES];
    if (m->count == LANES && !anywhere(~live))
    {
        scatter(slots, m->index, p);
        return;
    }
    store_points(room, p);
    for (int i = 0; i < m->count; i++)
        if (live[i])
            memcpy(slots + m->index[i], room + 4 * i, 4 * sizeof *room);
}

// Adds sums[term][lane] over the lanes; the result is in the first lane.
PL_FN void match_tree_wide(float (*sums)[MATCH_SUMS], int terms)
{
    for (int half = MATCH_SUMS / 2; half; half /= 2)
        for (int t = 0; t < terms; t++)
            for (int i = 0; i < half; i++)
                sums[t][i] = sums[t][i] + sums[t][i + half];
}

// Oriented particles and quadratic clusters are left to the scalar functions.
PL_FN bool match_is_plain(const packed_clusters *c, const match_body *b) { return !c->owns && b->match < 2; }

STAGE_FN void match_sum_wide(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        int32_t cluster = c->chunk_cluster[chunk], first = c->chunk_start[chunk], last = c->chunk_start[chunk + 1];
        _Alignas(64) float sums[MATCH_LINEAR][MATCH_SUMS];
        if (!match_is_plain(c, &c->body[cluster]))
        {
            scalar_match_sum(s, g, chunk, chunk + 1);
            continue;
        }
        const match_pose *pose = &c->pose[cluster];
        vec origin = splat_vec(pose->centre);
        mat3 was = {{splat_vec(pose->map), splat_vec(pose->map + 3), splat_vec(pose->map + 6)}};
        for (int lane = 0; lane < MATCH_SUMS; lane += LANES)
        {
            vec all[4], part[4];
            for (int i = 0; i < 4; i++)
                all[i] = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
            for (int32_t k = first + lane; k < last; k += MATCH_SUMS)
            {
                match_group m;
                match_open(c, k, last, &m);
                point q = match_load(&m, c->rest);
                vec r = add(sub(at(gather(s->slot[SLOT_X], m.index)), origin), at(gather(s->slot[SLOT_D], m.index)));
                match_moments(q.w, r, &was, at(q), part);
                for (int i = 0; i < 4; i++)
                    all[i] = add(all[i], part[i]);
            }
            for (int i = 0; i < 4; i++)
            {
                store(sums[3 * i] + lane, all[i].x);
                store(sums[3 * i + 1] + lane, all[i].y);
                store(sums[3 * i + 2] + lane, all[i].z);
            }
        }
        match_tree_wide(sums, MATCH_LINEAR);
        for (int t = 0; t < MATCH_LINEAR; t++)
            c->sum[chunk].s[t] = sums[t][0];
    }
}

// Moves a group to its goals; adds what that takes from its body: angular momentum, momentum.
PL_FN void match_go_wide(const state *s, const packed_clusters *c, float alpha, const mat3 *map, const mat3 *rotation,
                         vec centre, vec remainder, const match_group *m, vec lost[2])
{
    point q = match_load(m, c->rest), field = match_load(m, c->field);
    point x = gather(s->slot[SLOT_X], m->index), d = gather(s->slot[SLOT_D], m->index);
    i32 live = d.w > 0.0f;
    vec way = match_way(splat(alpha), centre, remainder, mat_times(map, at(q)), at(x), at(d));
    vec r0 = sub(at(x), centre);
    point to = match_step(d, way);
    match_store(s->slot[SLOT_D], m, to, live);
    match_store(s->slot[SLOT_NORMAL], m, match_faced(rotation, field), d.w >= 0.0f); // also for kinematic members
    way = sub(at(to), at(d));                                                        // as it was rounded
    lost[0] = add(lost[0], keep_vec(live, match_taken(q.w, r0, way)));
    lost[1] = add(lost[1], keep_vec(live, times(q.w, way)));
}

STAGE_FN void match_move_wide(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        int32_t cluster = c->chunk_cluster[chunk], first = c->chunk_start[chunk], last = c->chunk_start[chunk + 1];
        const match_body *b = &c->body[cluster];
        const match_pose *pose = &c->pose[cluster];
        bool plain = match_is_plain(c, b) && !second_order(s); // second order has an additional loss
        if (!plain)
            scalar_match_move(s, g, chunk, chunk + 1);
        if (!plain || match_rests(g, b))
            continue;
        mat3 map = {{splat_vec(pose->map), splat_vec(pose->map + 3), splat_vec(pose->map + 6)}};
        vec centre = splat_vec(pose->centre), remainder = splat_vec(pose->remainder);
        quat q = {splat_vec(pose->rotation), splat(pose->rotation[3])};
        mat3 rotation = mat_of_quat(q);
        _Alignas(64) float sums[6][MATCH_SUMS];
        for (int lane = 0; lane < MATCH_SUMS; lane += LANES)
        {
            const vec none = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
            vec lost[2] = {none, none};
            for (int32_t k = first + lane; k < last; k += MATCH_SUMS)
            {
                match_group m;
                match_open(c, k, last, &m);
                match_go_wide(s, c, b->alpha, &map, &rotation, centre, remainder, &m, lost);
            }
            for (int i = 0; i < 2; i++)
            {
                store(sums[3 * i] + lane, lost[i].x);
                store(sums[3 * i + 1] + lane, lost[i].y);
                store(sums[3 * i + 2] + lane, lost[i].z);
            }
        }
        match_tree_wide(sums, 6);
        for (int i = 0; i < 6; i++)
        {
            float *tally = c->lost + MATCH_LOST * (size_t)chunk + (i < 3 ? i : i + 1);
            *tally = g->first ? sums[i][0] : *tally + sums[i][0];
        }
    }
}

// Returns the lost spin to the velocities.
STAGE_FN void match_turn_wide(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    if (c->owns)
        scalar_match_turn(s, g, begin, end);
    for (int32_t chunk = begin; chunk < end && !c->owns; chunk++)
    {
        const match_pose *pose = &c->pose[c->chunk_cluster[chunk]];
        vec w = splat_vec(pose->spin), push = splat_vec(pose->push), centre = splat_vec(pose->centre);
        for (int32_t k = c->chunk_start[chunk], last = c->chunk_start[chunk + 1]; k < last; k += LANES)
        {
            match_group m;
            match_open(c, k, last, &m);
            point x = gather(s->slot[SLOT_X], m.index), v = gather(s->slot[SLOT_V], m.index);
            vec d = add(add(cross(w, sub(at(x), centre)), push), match_rounded(s, m.index, at(v)));
            match_store(s->slot[SLOT_V], &m, match_step(v, d), gather(s->slot[SLOT_D], m.index).w > 0.0f);
        }
    }
}

#endif
