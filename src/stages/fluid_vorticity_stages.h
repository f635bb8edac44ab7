// fluid_vorticity_stages.h: vorticity confinement and the drag of the air (kernels/fluid_vorticity.h), after viscosity.
//
//   FLUID_LOAD_V    copies the velocities again
//   FLUID_CURL      finds the vorticity, and what smoothing takes
//   FLUID_GIVE      finds how much confinement may give
//   FLUID_CONFINE   changes the velocities
//   FLUID_AIR       slows exposed particles
#pragma once
#include "kernels/fluid_vorticity.h"
#include "stages/fluid_stages.h"

// What the two sums of a particle depend on.
typedef struct fluid_whirl
{
    vec curl;
    f32 lost;
} fluid_whirl;

PL_FN fluid_whirl fluid_whirl_of(const packed_fluid *f, fluid_lanes *l, f32 volume)
{
    point x = gather(f->x, l->self), low = gather(f->d, l->self), v = gather(f->push, l->self);
    fluid_whirl sum = {vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), splat(0.0f)};
    for (int32_t k = 0; k < l->most; k++)
    {
        const uint32_t *index = fluid_neighbour(l, k);
        point vj = gather(f->push, index);
        i32 has = fluid_has(l, k) & (vj.w > 0.0f); // solids have 0
        vec r = fluid_between(x, low, gather(f->x, index), gather(f->d, index)), by = sub(at(vj), at(v));
        f32 r2 = square(r), nears = dot(r, by);
        sum.curl = add(sum.curl, keep_vec(has, fluid_curl(&f->kernel, volume, r, r2, by)));
        has = has & (r2 > 0.0f);
        f32 weight = keep(has, fluid_drag_at(&f->kernel, r2));
        sum.lost = sum.lost + weight * (nears * nears) / pick(has, r2, splat(1.0f));
    }
    return sum;
}

// Stores A, and what smoothing takes; -1 of a solid particle.
STAGE_FN void fluid_find_curl(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const float scale = 1.0f / (f->kernel.spread * (f->kernel.gauge * f->kernel.gauge));
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point fluid = gather(s->slot[SLOT_FLUID], l.slot), flow = gather(s->slot[SLOT_FLOW], l.slot);
        f32 volume = fluid_cube(fluid.x);
        fluid_whirl sum = fluid_whirl_of(f, &l, volume);
        vec a = times((flow.x * fluid.y) * scale, sum.curl);
        f32 lost = (0.5f * fluid.y) * (volume * sum.lost);
        point to = {a.x, a.y, a.z, pick(fluid.x > 0.0f, lost, splat(-1.0f))};
        scatter(f->attraction, l.self, to);
    }
}

// The change of velocity by a neighbour, before it is limited.
PL_FN vec fluid_confined_by(const packed_fluid *f, point x, point low, point a, f32 volume, const uint32_t *index)
{
    vec r = fluid_between(x, low, gather(f->x, index), gather(f->d, index));
    return fluid_curl(&f->kernel, volume, r, square(r), add(at(a), at(gather(f->attraction, index))));
}

STAGE_FN void fluid_give(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const f32 none = splat(0.0f);
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(f->x, l.self), low = gather(f->d, l.self), v = gather(f->push, l.self);
        point a = gather(f->attraction, l.self);
        f32 volume = fluid_cube(gather(s->slot[SLOT_FLUID], l.slot).x), gets = none;
        for (int32_t k = 0; k < l.most; k++)
        {
            const uint32_t *index = fluid_neighbour(&l, k);
            i32 has = fluid_has(&l, k) & not_so(gather(f->attraction, index).w < 0.0f);
            vec change = fluid_confined_by(f, x, low, a, volume, index);
            gets = gets + keep(has, most(dot(change, sub(at(v), at(gather(f->push, index)))), none));
        }
        point to = {fluid_given(a.w, 0.5f * gets), none, none, none};
        scatter(f->normal, l.self, to);
    }
}

STAGE_FN void fluid_confine(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(f->x, l.self), low = gather(f->d, l.self), a = gather(f->attraction, l.self);
        point now = gather(s->slot[SLOT_V], l.slot);
        f32 spacing = gather(s->slot[SLOT_FLUID], l.slot).x, volume = fluid_cube(spacing);
        f32 w = gather(s->slot[SLOT_D], l.slot).w, given = gather(f->normal, l.self).x;
        vec sum = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
        for (int32_t k = 0; k < l.most; k++)
        {
            const uint32_t *index = fluid_neighbour(&l, k);
            i32 has = fluid_has(&l, k) & not_so(gather(f->attraction, index).w < 0.0f);
            f32 share = least(given, gather(f->normal, index).x);
            if (f->mixed)
            {
                f32 both = w + gather(f->mass, index).y;
                share = keep(both > 0.0f, 2.0f * w * share / pick(both > 0.0f, both, splat(1.0f)));
            }
            sum = add(sum, times(keep(has, share), fluid_confined_by(f, x, low, a, volume, index)));
        }
        sum = keep_vec((w > 0.0f) & (spacing > 0.0f), sum);
        now.x = now.x + sum.x, now.y = now.y + sum.y, now.z = now.z + sum.z;
        scatter(s->slot[SLOT_V], l.slot, now);
    }
}

STAGE_FN void fluid_air(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const vec wind = vec_of(splat(s->wind.velocity[0]), splat(s->wind.velocity[1]), splat(s->wind.velocity[2]));
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point v = gather(s->slot[SLOT_V], l.slot);
        f32 spacing = gather(s->slot[SLOT_FLUID], l.slot).x, drag = gather(s->slot[SLOT_FLOW], l.slot).y;
        f32 bare = fluid_exposed(&s->fluid.kernel, fluid_cube(spacing), gather(s->slot[SLOT_PRESSURE], l.slot).y);
        vec to = fluid_dragged(at(v), wind, drag * bare, s->h);
        i32 moves = (spacing > 0.0f) & (gather(s->slot[SLOT_D], l.slot).w > 0.0f);
        v.x = pick(moves, to.x, v.x), v.y = pick(moves, to.y, v.y), v.z = pick(moves, to.z, v.z);
        scatter(s->slot[SLOT_V], l.slot, v);
    }
}
