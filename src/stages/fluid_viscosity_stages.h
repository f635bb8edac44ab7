// fluid_viscosity_stages.h: the implicit viscosity of fluids and their friction on walls (kernels/fluid_viscosity.h).
//
//   FLUID_LOAD_V    copies positions and velocities (fluid_stages.h)
//   FLUID_FRICTION  finds the friction of the walls near each particle; only if a fluid has wall friction
//   FLUID_VISCOUS, FLUID_VISCOUS_BACK   the passes of the iteration, in turn; the last one sets the velocities
//
// SLOT_V holds the velocities before viscosity until the last pass.
#pragma once
#include "kernels/fluid_viscosity.h"
#include "stages/fluid_stages.h"

// The sum of b over the walls near the particles, and of b times the velocity of the wall.
PL_FN point fluid_friction_at(const state *s, const fluid_lanes *l, f32 slows)
{
    const fluid_near near_by = fluid_near_at(s, l->slot);
    const f32 none = splat(0.0f), per_second = splat(1.0f / s->h);
    point sum = {none, none, none, none}, d = gather(s->slot[SLOT_D], l->slot);
    for (int32_t k = 0; k < near_by.most; k++)
    {
        fluid_plane p = fluid_plane_at(s, &near_by, k, at(d));
        f32 b = slows * fluid_wall_friction(&s->fluid.kernel, p.away), rate = b * per_second;
        sum.x = sum.x + rate * p.drift.x, sum.y = sum.y + rate * p.drift.y, sum.z = sum.z + rate * p.drift.z;
        sum.w = sum.w + b;
    }
    return sum;
}

STAGE_FN void fluid_friction(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point fluid = gather(s->slot[SLOT_FLUID], l.slot);
        f32 slows = gather(s->slot[SLOT_LIQUID], l.slot).w * (fluid.z * s->h);
        scatter(f->wall, l.self, fluid_friction_at(s, &l, keep(fluid.x > 0.0f, slows)));
    }
}

// A pass: reads the velocities `from`, and writes those `to`, which has those of the pass before.
PL_FN void fluid_viscous_pass(state *s, const stage *g, int32_t begin, int32_t end, const float *from, float *to)
{
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const fluid_chebyshev pass = fluid_chebyshev_at(f->reach, g->kind);
    const bool last = g->kind + 1 == f->passes;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point v = gather(from, l.self), goal = gather(s->slot[SLOT_V], l.slot), d = gather(s->slot[SLOT_D], l.slot);
        f32 spacing = gather(s->slot[SLOT_FLUID], l.slot).x, filled;
        vec sum = f->mixed ? fluid_smoothed(f, from, &l, v, d.w, fluid_cube(spacing), true, &filled)
                           : fluid_smoothed(f, from, &l, v, d.w, fluid_cube(spacing), false, &filled);
        if (f->rubs)
        {
            point wall = gather(f->wall, l.self);
            sum = add(sum, sub(at(wall), times(wall.w, at(v))));
        }
        vec change = times(splat(pass.step), add(sub(at(goal), at(v)), sum));
        if (g->kind > 0)
            change = add(change, times(splat(pass.momentum), sub(at(v), at(gather(to, l.self)))));
        vec next = add(at(v), keep_vec(d.w > 0.0f, change));
        point stored = {next.x, next.y, next.z, v.w};
        scatter(to, l.self, stored);
        if (!last)
            continue;
        point p = gather(s->slot[SLOT_PRESSURE], l.slot);
        p.y = keep(spacing > 0.0f, (filled + (1.0f - fluid_walls_at(s, &l, at(d)).open)) - 1.0f);
        scatter(s->slot[SLOT_PRESSURE], l.slot, p);
        goal.x = next.x, goal.y = next.y, goal.z = next.z;
        scatter(s->slot[SLOT_V], l.slot, goal);
    }
}

STAGE_FN void fluid_viscous(state *s, const stage *g, int32_t begin, int32_t end)
{
    fluid_viscous_pass(s, g, begin, end, s->fluid.push, s->fluid.normal);
}

STAGE_FN void fluid_viscous_back(state *s, const stage *g, int32_t begin, int32_t end)
{
    fluid_viscous_pass(s, g, begin, end, s->fluid.normal, s->fluid.push);
}
