// match_items.h: what the stages of shape matching do with [begin, end) of their items: chunks of members, clusters, or slots.
#pragma once
#include "stages/items.h"

#if LANES == 1 // one member at a time; wider tables use the functions of this one

PL_FN vec match_origin(const state *s, const packed_clusters *c, int32_t cluster)
{
    (void)s;
    const float *centre = c->pose[cluster].centre;
    return vec_of(centre[0], centre[1], centre[2]);
}

PL_FN int match_terms(const match_body *b) { return b->match > 1 ? MATCH_TERMS : MATCH_LINEAR; }

PL_FN vec rest_at(const packed_clusters *c, int32_t k) { return at(load_points(c->rest + 4 * (size_t)k)); }
PL_FN float share_at(const packed_clusters *c, int32_t k) { return c->rest[4 * (size_t)k + 3]; }

STAGE_FN void match_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        int32_t cluster = c->chunk_cluster[chunk], first = c->chunk_start[chunk], last = c->chunk_start[chunk + 1];
        int terms = match_terms(&c->body[cluster]);
        vec origin = match_origin(s, c, cluster);
        match_sum sums[MATCH_SUMS];
        memset(sums, 0, sizeof sums);
        for (int32_t k = first; k < last; k++)
            match_add(&sums[(k - first) % MATCH_SUMS], sub(at(load_points(s->slot[SLOT_X] + c->member[k])), origin),
                      rest_at(c, k), share_at(c, k), &c->body[cluster], terms);
        for (int half = MATCH_SUMS / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                match_join(&sums[i], &sums[i + half], terms);
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

// Clusters that share no particle: each chunk moves its own.
STAGE_FN void match_move_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        int32_t cluster = c->chunk_cluster[chunk];
        const match_body *b = &c->body[cluster];
        const match_pose *pose = &c->pose[cluster];
        vec origin = match_origin(s, c, cluster), lost = vec_of(0.0f, 0.0f, 0.0f);
        float *tally = c->lost + 4 * (size_t)chunk;
        if (!g->first)
            lost = vec_of(tally[0], tally[1], tally[2]);
        for (int32_t k = c->chunk_start[chunk]; k < c->chunk_start[chunk + 1]; k++)
        {
            point x = load_points(s->slot[SLOT_X] + c->member[k]);
            if (!(x.w > 0.0f))
                continue;
            vec d = times(b->alpha, sub(match_goal(b, pose, rest_at(c, k)), at(x)));
            vec r0 = sub(at(load_points(s->slot[SLOT_X0] + c->member[k])), origin);
            x.x = x.x + d.x, x.y = x.y + d.y, x.z = x.z + d.z;
            store_points(s->slot[SLOT_X] + c->member[k], x);
            store_points(s->slot[SLOT_NORMAL] + c->member[k], match_way_out(pose, c->field + 4 * (size_t)k));
            lost = add(lost, times(share_at(c, k), cross(r0, d)));
        }
        tally[0] = lost.x, tally[1] = lost.y, tally[2] = lost.z;
    }
}

// Clusters that overlap: a particle goes to the mean of what they want, in the clusters' order.
STAGE_FN void match_blend_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t slot = begin; slot < end; slot++)
    {
        int32_t first = c->slot_start[slot], last = c->slot_start[slot + 1];
        point x = load_points(s->slot[SLOT_X] + 4 * (size_t)slot);
        if (first == last || !(x.w > 0.0f))
            continue;
        vec d = vec_of(0.0f, 0.0f, 0.0f);
        for (int32_t e = first; e < last; e++)
        {
            int32_t k = c->slot_entry[2 * (size_t)e], cluster = c->slot_entry[2 * (size_t)e + 1];
            const match_body *b = &c->body[cluster];
            d = add(d, times(b->alpha, sub(match_goal(b, &c->pose[cluster], rest_at(c, k)), at(x))));
            if (e == first)
                store_points(s->slot[SLOT_NORMAL] + 4 * (size_t)slot,
                             match_way_out(&c->pose[cluster], c->field + 4 * (size_t)k));
        }
        float share = 1.0f / (float)(last - first);
        x.x = x.x + share * d.x, x.y = x.y + share * d.y, x.z = x.z + share * d.z;
        store_points(s->slot[SLOT_X] + 4 * (size_t)slot, x);
    }
}

STAGE_FN void match_spin_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t i = begin; i < end; i++)
    {
        vec lost = vec_of(0.0f, 0.0f, 0.0f);
        for (int32_t k = c->cluster_chunk[i]; k < c->cluster_chunk[i + 1]; k++)
            lost = add(lost, vec_of(c->lost[4 * (size_t)k], c->lost[4 * (size_t)k + 1], c->lost[4 * (size_t)k + 2]));
        vec w = vec_of(0.0f, 0.0f, 0.0f);
        if (c->body[i].spins && !second_order(s)) // second order loses little, and other velocities
            w = times(-1.0f / s->h, match_spin(&c->body[i], &c->pose[i], lost));
        c->pose[i].spin[0] = w.x, c->pose[i].spin[1] = w.y, c->pose[i].spin[2] = w.z;
    }
}

STAGE_FN void match_turn_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
    {
        const match_pose *pose = &c->pose[c->chunk_cluster[chunk]];
        vec w = vec_of(pose->spin[0], pose->spin[1], pose->spin[2]);
        vec centre = vec_of(pose->centre[0], pose->centre[1], pose->centre[2]);
        for (int32_t k = c->chunk_start[chunk]; k < c->chunk_start[chunk + 1]; k++)
        {
            point x = load_points(s->slot[SLOT_X] + c->member[k]), v = load_points(s->slot[SLOT_V] + c->member[k]);
            vec d = cross(w, sub(at(x), centre));
            if (!(x.w > 0.0f))
                continue;
            v.x = v.x + d.x, v.y = v.y + d.y, v.z = v.z + d.z;
            store_points(s->slot[SLOT_V] + c->member[k], v);
        }
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
