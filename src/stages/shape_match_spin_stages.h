// shape_match_spin_stages.h: the stages at the end of a substep that return to each cluster the momentum and the
// angular momentum that shape matching took from it (match_loss in shape_match_stages.h).
#pragma once
#include "kernels/velocity.h"
#include "stages/shape_match_stages.h"

// What the velocities of these particles have lost by rounding: it is added together with what is returned to them.
// Velocities that are damped do not need it.
PL_FN vec match_rounded(const state *s, const uint32_t *index, vec v)
{
    if (s->fade != 1.0f)
        return vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    vec way = at(gather(s->slot[SLOT_D], index));
    return second_order(s) ? velocity_lost_second(way, at(gather(s->slot[SLOT_D1], index)), v, s->h)
                           : velocity_lost_first(way, v, s->h);
}

#if LANES == 1 // one member at a time; the tables for more lanes use these functions

// The sum over the chunks of a cluster.
PL_FN vec match_lost(const float *tally, int32_t chunks)
{
    vec lost = vec_of(0.0f, 0.0f, 0.0f);
    SIXTEEN_AT_ONCE
    for (int32_t k = 0; k < chunks; k++)
        lost = add(lost, at(load_points(tally + MATCH_LOST * (size_t)k)));
    return lost;
}

// The mean of the arms (match_arm), which are relative to the centre at the substep's end. The motion of the centre in
// the substep is about that of the last one. If the user has just moved the body, one of them is much larger: the
// smaller is taken.
PL_FN vec match_mean_arm(const match_pose *pose)
{
    vec centre = vec_of(pose->centre[0], pose->centre[1], pose->centre[2]);
    vec last = vec_of(pose->last[0], pose->last[1], pose->last[2]);
    vec now = sub(centre, last), before = sub(last, vec_of(pose->before[0], pose->before[1], pose->before[2]));
    vec way = square(now) < square(before) ? now : before;
    return times(-1.0f, way); // second order: -3/2 + 1/2
}

// At the end of a substep: computes the angular velocity and the velocity that restore what a cluster of so many chunks
// has lost, and stores the position of the centre.
PL_FN void match_end(const state *s, const float *tally, int32_t chunks, const match_body *b, match_pose *pose)
{
    vec w = vec_of(0.0f, 0.0f, 0.0f), push = w;
    if (b->spins)
    {
        float rate = second_order(s) ? -1.5f / s->h : -1.0f / s->h; // of the velocity by a displacement
        vec lost = match_lost(tally, chunks), moved = match_lost(tally + 4, chunks);
        lost = sub(lost, cross(match_mean_arm(pose), moved)); // about the centre at the substep's start
        w = times(-1.0f / s->h, match_spin(b, pose, lost));
        push = times(rate * b->inverse_mass, moved);
    }
    pose->spin[0] = w.x, pose->spin[1] = w.y, pose->spin[2] = w.z;
    pose->push[0] = push.x, pose->push[1] = push.y, pose->push[2] = push.z;
    for (int i = 0; i < 3; i++)
    {
        pose->before[i] = pose->last[i];
        pose->last[i] = pose->centre[i];
    }
}

STAGE_FN void match_spin_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t i = begin; i < end; i++)
    {
        int32_t chunk = c->cluster_chunk[i], chunks = c->cluster_chunk[i + 1] - chunk;
        match_end(s, c->lost + MATCH_LOST * (size_t)chunk, chunks, &c->body[i], &c->pose[i]);
    }
}

PL_FN void match_spin_member(const state *s, const packed_clusters *c, const match_pose *pose, int32_t k)
{
    vec w = vec_of(pose->spin[0], pose->spin[1], pose->spin[2]);
    vec centre = vec_of(pose->centre[0], pose->centre[1], pose->centre[2]);
    point x = slot_at(s, c->member[k]), v = load_points(s->slot[SLOT_V] + c->member[k]);
    vec d = add(cross(w, sub(at(x), centre)), vec_of(pose->push[0], pose->push[1], pose->push[2]));
    if (!(x.w > 0.0f))
        return;
    d = add(d, match_rounded(s, &c->member[k], at(v)));
    v.x = v.x + d.x, v.y = v.y + d.y, v.z = v.z + d.z;
    store_points(s->slot[SLOT_V] + c->member[k], v);
    if (own_frame(c, k) >= 0)
    {
        float *spin = s->oriented.pose[c->own[k]].spin;
        spin[0] = spin[0] + w.x, spin[1] = spin[1] + w.y, spin[2] = spin[2] + w.z;
    }
}

// The same for a particle that is in at most one cluster.
PL_FN void match_turn_slot(const state *s, int32_t slot)
{
    const packed_clusters *c = &s->clusters;
    int32_t first = slot < s->particles ? c->slot_start[slot] : 0,
            last = slot < s->particles ? c->slot_start[slot + 1] : 0;
    if (first < last)
        match_spin_member(s, c, &c->pose[c->slot_entry[2 * (size_t)first + 1]], c->slot_entry[2 * (size_t)first]);
}

STAGE_FN void match_turn_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t chunk = begin; chunk < end; chunk++)
        for (int32_t k = c->chunk_start[chunk]; k < c->chunk_start[chunk + 1]; k++)
            match_spin_member(s, c, &c->pose[c->chunk_cluster[chunk]], k);
}

// The same where clusters overlap: a particle gets the mean over its clusters.
STAGE_FN void match_return_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_clusters *c = &s->clusters;
    for (int32_t slot = begin; slot < end; slot++)
    {
        int32_t first = c->slot_start[slot], last = c->slot_start[slot + 1];
        point x = slot_at(s, 4 * (size_t)slot), v = load_points(s->slot[SLOT_V] + 4 * (size_t)slot);
        if (first == last || !(x.w > 0.0f))
            continue;
        vec d = vec_of(0.0f, 0.0f, 0.0f), spin_sum = d;
        for (int32_t e = first; e < last; e++)
        {
            const match_pose *pose = &c->pose[c->slot_entry[2 * (size_t)e + 1]];
            vec w = vec_of(pose->spin[0], pose->spin[1], pose->spin[2]);
            d = add(d, cross(w, sub(at(x), vec_of(pose->centre[0], pose->centre[1], pose->centre[2]))));
            d = add(d, vec_of(pose->push[0], pose->push[1], pose->push[2]));
            spin_sum = add(spin_sum, w);
        }
        float share = 1.0f / (float)(last - first);
        const uint32_t i = 4 * (uint32_t)slot;
        d = add(times(share, d), match_rounded(s, &i, at(v)));
        v.x = v.x + d.x, v.y = v.y + d.y, v.z = v.z + d.z;
        store_points(s->slot[SLOT_V] + 4 * (size_t)slot, v);
        int32_t own = own_frame(c, c->slot_entry[2 * (size_t)first]);
        float *spin = own >= 0 ? s->oriented.pose[own].spin : NULL;
        if (spin)
            spin[0] = spin[0] + share * spin_sum.x, spin[1] = spin[1] + share * spin_sum.y,
            spin[2] = spin[2] + share * spin_sum.z;
    }
}

#endif
