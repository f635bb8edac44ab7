// list_stages.h: sums over lists of particles (objects, components) and the rigid motions that follow from them
// (kernels/rigid_motion.h), for internal damping here and for component_stages.h. An item of a sum is one of the 16
// running sums of a chunk, so that the lanes of a CPU and the threads of a GPU each take one.
#pragma once
#include "stages/stage_common.h"

#include <stddef.h>

// Accumulates the members of running sums j to j + LANES - 1.
typedef struct list_walk
{
    int32_t list, first, last; // members: first, first + MOTION_SUMS, ...
    float *part;               // of the first lane; terms are MOTION_SUMS apart
    vec origin;
} list_walk;

PL_FN list_walk walk_sum(const state *s, const packed_lists *l, int32_t j)
{
    int32_t chunk = j / MOTION_SUMS, lane = j % MOTION_SUMS, list = l->chunk_list[chunk];
    const float *origin = s->slot[SLOT_X] + l->origin[list];
    list_walk w = {list, l->chunk_start[chunk] + lane, l->chunk_start[chunk + 1],
                   l->part + (size_t)chunk * MOTION_SUMS * MOTION_TERMS + lane, splat_vec(origin)};
    return w;
}

PL_FN void clear_sum(f32 *sum)
{
    for (int t = 0; t < MOTION_TERMS; t++)
        sum[t] = splat(0.0f);
}

PL_FN void store_sum(const list_walk *w, const f32 *sum)
{
    for (int t = 0; t < MOTION_TERMS; t++)
        store(w->part + MOTION_SUMS * t, sum[t]);
}

// The lists of LANES slots.
typedef struct slot_lists
{
    const rigid_motion *motion;
    int32_t of[LANES]; // a slot without a list has that of another
    bool same;
    i32 listed;
} slot_lists;

// Returns false if none of the slots is in a list.
PL_FN bool lists_of_slots(const packed_lists *l, int32_t slot, slot_lists *out)
{
    const int32_t *of = l->of_slot + slot;
    int32_t any = of[0];
    out->motion = l->motion;
    out->same = true;
    out->listed = splat(0.0f) <= 0.0f;
    for (int i = 1; i < LANES; i++)
    {
        out->same &= of[i] == of[0];
        any = of[i] >= 0 ? of[i] : any;
    }
    out->of[0] = any;
#if LANES > 1
    for (int i = 0; !out->same && i < LANES; i++)
    {
        out->of[i] = of[i] >= 0 ? of[i] : any;
        out->listed[i] = of[i] >= 0 ? -1 : 0;
    }
#endif
    return any >= 0;
}

// A vector of the rigid motions, at this offset in floats.
PL_FN vec motion_vec(const slot_lists *m, size_t offset)
{
    const float *first = (const float *)&m->motion[m->of[0]] + offset;
    vec r = splat_vec(first);
#if LANES > 1
    for (int i = 0; !m->same && i < LANES; i++)
    {
        const float *a = (const float *)&m->motion[m->of[i]] + offset;
        r.x[i] = a[0], r.y[i] = a[1], r.z[i] = a[2];
    }
#endif
    return r;
}

#define MOTION_VEC(m, member) motion_vec(m, offsetof(rigid_motion, member) / sizeof(float))

// ---- internal damping ----------------------------------------------------------------------------------------------

STAGE_FN void motion_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lists *l = &s->lists[LISTS_OBJECTS];
    for (int32_t j = begin; j < end; j += LANES)
    {
        list_walk w = walk_sum(s, l, j);
        f32 sum[MOTION_TERMS];
        clear_sum(sum);
        for (int32_t k = w.first; k < w.last; k += MOTION_SUMS)
        {
            const uint32_t *at_slots = l->member + k;
            vec r = sub(at(gather(s->slot[SLOT_X], at_slots)), w.origin);
            motion_add(sum, gather(s->slot[SLOT_D], at_slots).w, r, at(gather(s->slot[SLOT_V], at_slots)));
        }
        store_sum(&w, sum);
    }
}

STAGE_FN void motion_damp_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        slot_lists m;
        if (!lists_of_slots(&s->lists[LISTS_OBJECTS], k, &m))
            continue;
        point x = load_points(s->slot[SLOT_X] + i), v = load_points(s->slot[SLOT_V] + i);
        i32 live = m.listed & (load_points(s->slot[SLOT_D] + i).w > 0.0f);
        vec r = sub(sub(at(x), MOTION_VEC(&m, origin)), MOTION_VEC(&m, centre));
        vec way = sub(motion_at(MOTION_VEC(&m, velocity), MOTION_VEC(&m, spin), r), at(v));
        vec to = pick_vec(live, add(at(v), times(splat(s->internal_k), way)), at(v));
        point out = {to.x, to.y, to.z, v.w};
        store_points(s->slot[SLOT_V] + i, out);
    }
}

// ---- what objects and components share -----------------------------------------------------------------------------

#if LANES == 1 // the tables for more lanes use these functions

// A term of a block's sum: in each chunk the running sums are joined as a tree, then the chunks one after the other.
PL_FN void join_term(const packed_lists *l, int32_t item)
{
    int32_t block = item / MOTION_TERMS, term = item % MOTION_TERMS;
    float all = 0.0f;
    for (int32_t c = l->block_start[block]; c < l->block_start[block + 1]; c++)
    {
        float sums[MOTION_SUMS];
        memcpy(sums, l->part + ((size_t)c * MOTION_TERMS + (size_t)term) * MOTION_SUMS, sizeof sums);
        for (int half = MOTION_SUMS / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                sums[i] = sums[i] + sums[i + half];
        all = all + sums[0];
    }
    l->sum[block].s[term] = all;
}

PL_FN void solve_list(const packed_lists *l, int32_t i, const float *origin, const float *moved)
{
    motion_sum sum;
    memset(&sum, 0, sizeof sum);
    for (int32_t b = l->list_block[i]; b < l->list_block[i + 1]; b++)
        motion_join(&sum, &l->sum[b]);
    rigid_motion m = motion_of(&sum);
    for (int c = 0; c < 3; c++)
        m.origin[c] = origin[c], m.moved[c] = moved ? moved[c] : 0.0f;
    l->motion[i] = m;
}

STAGE_FN void motion_join_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        join_term(&s->lists[LISTS_OBJECTS], i);
}

STAGE_FN void motion_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lists *l = &s->lists[LISTS_OBJECTS];
    for (int32_t i = begin; i < end; i++)
        solve_list(l, i, s->slot[SLOT_X] + l->origin[i], NULL);
}

#endif
