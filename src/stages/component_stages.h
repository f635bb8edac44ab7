// component_stages.h: keeps the momentum and the angular momentum of components.
//
// The constraints inside a component (free particles that rows and volumes connect) are internal forces: whatever they
// do to the displacements d, sum m d and sum a x m d must stay. Each row sees to that for itself, but at the positions
// that it finds. The next one finds others, so a particle that tension pulls in and pressure pushes back out runs
// through a loop, whose area is angular momentum out of nothing: a balloon at rest would begin to turn. Neither more
// iterations nor another order cure that. So the displacements d' before the constraints are kept, and the rigid motion
// that has the momentum and the angular momentum of d - d' is taken off again:
//   d -= u + w x (a - c),   u = sum m (d - d')/M,   w = I^-1 sum (a - c) x m (d - d')
// Summing the differences keeps rounding errors in proportion to what the constraints do.
//
// a: the arm of a displacement in the angular momentum at the substep's end.
//   BDF1   h L = sum (x + d) x m d = sum x x m d:  a = x, the position at the substep's start
//   BDF2   h L = sum (x + d) x m (3/2 d - 1/2 d1) = 3/2 sum (x + d1/3) x m d + ...:  a = x + d1/3, d1: of the last
//          substep; its prediction differs from 4/3 L0 - 1/3 L1 by 4/9 h sum m d1 x (v - v1), relative to the centre:
//          this is taken off too (as in kernels/shape_match.h)
// So a free body keeps its angular momentum. The implicit methods by themselves do not: BDF1 loses (h w)^2 of it in a
// substep.
//
// A particle with a frame adds its own inertia I and the angular momentum I (t - t') of its rotation t, with I half way
// (elements/frame_rotation.h), and its rotation gets -w. For BDF2, see frame_ease in stages/frame_sweep.h: a force
// displaces by (2/3 h)^2 and rotates by h^2, so a rotation counts 4/9 times, and gets -9/4 w.
//
// What is held at any point, or contains a particle with a frame but no attachment, is not listed
// (layout/components.c).
#pragma once
#include "elements/frame_rotation.h"
#include "stages/list_stages.h"

#define ARM_SHARE (1.0f / 3.0f)

STAGE_FN void component_keep(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
        memcpy(s->slot[SLOT_KEPT] + 4 * (size_t)k, s->slot[SLOT_D] + 4 * (size_t)k, 4 * LANES * sizeof(float));
}

// Adds the frames of the members, if they have some.
PL_FN void component_add_frames(const state *s, const uint32_t *at_slots, f32 w, f32 *sum)
{
    frame_lanes own = frames_of(s->oriented.of_slot, at_slots);
    const float *way = (const float *)s->oriented.way;
    vec inertia = at(frame_gather((const float *)s->oriented.inertia, &own, INERTIA_SIZE));
    vec turned = sub(at(frame_gather(way, &own, WAY_SIZE)), at(frame_gather(s->oriented.kept, &own, 4)));
    mat3 half = quat_axes(frame_orientation(way + WAY_MIDDLE, &own, WAY_SIZE));
    f32 mass = keep(own.has & (w > 0.0f), 0.2f / w); // 5 I/m is stored
    inertia = vec_of(mass * inertia.x, mass * inertia.y, mass * inertia.z);
    vec l = along_axes(&half, inertia, times(splat(second_order(s) ? 4.0f / 9.0f : 1.0f), turned));
    l = keep_vec(own.has, l);
    sum[7] = sum[7] + l.x, sum[8] = sum[8] + l.y, sum[9] = sum[9] + l.z;
    // The second moment S with the inertia I = trace(S) - S is trace(I)/2 - I: along the axes.
    f32 all = 0.5f * (inertia.x + inertia.y + inertia.z);
    const f32 own_moment[3] = {all - inertia.x, all - inertia.y, all - inertia.z};
    for (int k = 0; k < 3; k++)
    {
        vec a = half.c[k], m = times(keep(own.has, own_moment[k]), a);
        sum[10] = sum[10] + m.x * a.x, sum[11] = sum[11] + m.y * a.y, sum[12] = sum[12] + m.z * a.z;
        sum[13] = sum[13] + m.x * a.y, sum[14] = sum[14] + m.x * a.z, sum[15] = sum[15] + m.y * a.z;
    }
}

STAGE_FN void component_sum(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lists *l = &s->lists[LISTS_COMPONENTS];
    bool second = second_order(s);
    for (int32_t j = begin; j < end; j += LANES)
    {
        list_walk w = walk_sum(s, l, j);
        uint32_t o = l->origin[w.list];
        vec moved = splat_vec(s->slot[SLOT_D1] + o);
        vec change = sub(splat_vec(s->slot[SLOT_V] + o), splat_vec(s->slot[SLOT_V1] + o));
        f32 sum[MOTION_TERMS];
        clear_sum(sum);
        for (int32_t k = w.first; k < w.last; k += MOTION_SUMS)
        {
            const uint32_t *at_slots = l->member + k;
            point d = gather(s->slot[SLOT_D], at_slots), kept = gather(s->slot[SLOT_KEPT], at_slots);
            vec r = sub(at(gather(s->slot[SLOT_X], at_slots)), w.origin);
            if (second)
            {
                vec d1 = sub(at(gather(s->slot[SLOT_D1], at_slots)), moved);
                vec dv = sub(at(gather(s->slot[SLOT_V], at_slots)), at(gather(s->slot[SLOT_V1], at_slots)));
                r = add(r, times(splat(ARM_SHARE), d1));
                motion_bend(sum, d.w, d1, times(splat(8.0f / 27.0f * s->h), sub(dv, change))); // 4/9 / (3/2)
            }
            motion_add(sum, d.w, r, sub(at(d), at(kept)));
            if (l->frames)
                component_add_frames(s, at_slots, d.w, sum);
        }
        store_sum(&w, sum);
    }
}

STAGE_FN void component_return(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    bool second = second_order(s);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        slot_lists m;
        point kept = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
        if (lists_of_slots(&s->lists[LISTS_COMPONENTS], k, &m))
        {
            point d = load_points(s->slot[SLOT_D] + i);
            vec r = sub(at(load_points(s->slot[SLOT_X] + i)), MOTION_VEC(&m, origin));
            if (second)
                r = add(r, times(splat(ARM_SHARE), sub(at(load_points(s->slot[SLOT_D1] + i)), MOTION_VEC(&m, moved))));
            vec motion = motion_at(MOTION_VEC(&m, velocity), MOTION_VEC(&m, spin), sub(r, MOTION_VEC(&m, centre)));
            motion = keep_vec(m.listed, motion);
            point to = {d.x - motion.x, d.y - motion.y, d.z - motion.z, d.w};
            store_points(s->slot[SLOT_D] + i, to);
            kept.x = sum_error(d.x, -motion.x, to.x);
            kept.y = sum_error(d.y, -motion.y, to.y);
            kept.z = sum_error(d.z, -motion.z, to.z);
        }
        store_points(s->slot[SLOT_KEPT] + i, kept);
    }
}

#if LANES == 1 // the tables for more lanes use these functions

STAGE_FN void component_keep_frames(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        memcpy(s->oriented.kept + 4 * (size_t)i, s->oriented.way[i].rotated, 4 * sizeof(float));
}

STAGE_FN void component_return_frames(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lists *l = &s->lists[LISTS_COMPONENTS];
    for (int32_t i = begin; i < end; i++)
    {
        int32_t list = l->of_slot[s->oriented.member[i] / 4];
        if (list >= 0)
            frame_add(s->oriented.way[i].rotated,
                      times(second_order(s) ? -2.25f : -1.0f, frame_along(l->motion[list].spin)));
    }
}

STAGE_FN void component_join_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i++)
        join_term(&s->lists[LISTS_COMPONENTS], i);
}

STAGE_FN void component_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lists *l = &s->lists[LISTS_COMPONENTS];
    for (int32_t i = begin; i < end; i++)
        solve_list(l, i, s->slot[SLOT_X] + l->origin[i], second_order(s) ? s->slot[SLOT_D1] + l->origin[i] : NULL);
}

#endif
