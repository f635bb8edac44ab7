// gas_stages.h: the stages of gases (kernels/gas.h), over the list of fluids as in stages/fluid_stages.h.
//
//   after prediction       GAS_PREDICT   buoyancy and drag; notes the temperatures at the substep's start
//   after the velocities   GAS_HEAT      spreads heat: each particle reads the noted temperatures of its neighbours
//
// Single floats of SLOT_GAS are read and written, because others are written by other threads at the same time.
#pragma once
#include "kernels/fluid_diffusion.h"
#include "kernels/gas.h"
#include "stages/fluid_stages.h"

// Parameters of the particles' rules; 0 for those that are no gas.
typedef struct gas_lanes
{
    float carried[LANES], expansion[LANES], drag[LANES], cooling[LANES], diffusivity[LANES], is[LANES];
    int32_t any;
} gas_lanes;

PL_FN gas_lanes gas_lanes_at(const state *s, const fluid_lanes *l)
{
    gas_lanes g;
    g.any = 0;
    for (int k = 0; k < LANES; k++)
    {
        int32_t rule = (int32_t)s->slot[SLOT_GAS][l->slot[k] + GAS_KIND] - 1;
        const gas_rule *r = &s->fluid.gas[rule < 0 ? 0 : rule];
        bool is = rule >= 0;
        g.is[k] = is ? 1.0f : 0.0f;
        g.carried[k] = is ? 1.0f - r->weight : 0.0f;
        g.expansion[k] = is ? r->expansion : 0.0f, g.drag[k] = is ? r->drag : 0.0f;
        g.cooling[k] = is ? r->cooling : 0.0f, g.diffusivity[k] = is ? r->diffusivity : 0.0f;
        g.any |= is;
    }
    return g;
}

PL_FN f32 gas_load(const state *s, const uint32_t *slot, int part)
{
    float t[LANES];
    for (int k = 0; k < LANES; k++)
        t[k] = s->slot[SLOT_GAS][slot[k] + (uint32_t)part];
    return load(t);
}

PL_FN void gas_store(const state *s, const uint32_t *slot, int part, f32 value)
{
    float t[LANES];
    store(t, value);
    for (int k = 0; k < LANES; k++)
        s->slot[SLOT_GAS][slot[k] + (uint32_t)part] = t[k];
}

STAGE_FN void gas_predicted(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const float h = s->h, share = second_order(s) ? 4.0f / 9.0f * (h * h) : h * h;
    const vec g2 = vec_of(splat(share * s->gravity[0]), splat(share * s->gravity[1]), splat(share * s->gravity[2]));
    const vec wind = vec_of(splat(s->wind.velocity[0]), splat(s->wind.velocity[1]), splat(s->wind.velocity[2]));
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        gas_lanes gas = gas_lanes_at(s, &l);
        if (!gas.any)
            continue;
        f32 t = gas_load(s, l.slot, GAS_NOW);
        if (g->substep == 0)
            gas_store(s, l.slot, GAS_FRAME, t);
        gas_store(s, l.slot, GAS_START, t);
        point d = gather(s->slot[SLOT_D], l.slot);
        vec to = gas_predict(at(d), t, load(gas.carried), load(gas.expansion), load(gas.drag), g2, wind, h);
        to = pick_vec((load(gas.is) > 0.0f) & (d.w > 0.0f), to, at(d));
        d.x = to.x, d.y = to.y, d.z = to.z;
        scatter(s->slot[SLOT_D], l.slot, d);
    }
}

// The share of the neighbours in the exchange of heat: their own, if there are several gases.
PL_FN f32 gas_share_of(const state *s, const uint32_t *slot, f32 own, f32 volume)
{
    const packed_fluid *f = &s->fluid;
    float diffusivity[LANES];
    if (f->gases == 1)
        return own;
    for (int k = 0; k < LANES; k++)
    {
        int32_t rule = (int32_t)s->slot[SLOT_GAS][slot[k] + GAS_KIND] - 1;
        diffusivity[k] = f->gas[rule < 0 ? 0 : rule].diffusivity;
    }
    return fluid_spread_share(&f->kernel, load(diffusivity), s->h, f->spacing, volume);
}

STAGE_FN void gas_heat(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        gas_lanes gas = gas_lanes_at(s, &l);
        if (!gas.any)
            continue;
        point x = gather(f->x, l.self), low = gather(f->d, l.self);
        f32 t = gas_load(s, l.slot, GAS_START), change = splat(0.0f);
        f32 volume = fluid_cube(gather(s->slot[SLOT_FLUID], l.slot).x);
        f32 share = fluid_spread_share(&f->kernel, load(gas.diffusivity), s->h, f->spacing, volume);
        for (int32_t k = 0; k < l.most; k++)
        {
            const uint32_t *index = fluid_neighbour(&l, k);
            uint32_t slot[LANES];
            i32 has = fluid_has(&l, k);
            for (int lane = 0; lane < LANES; lane++)
                slot[lane] = 4 * (uint32_t)n->slot[index[lane] / 4];
            has = has & (gas_load(s, slot, GAS_KIND) > 0.0f);
            f32 r2 = square(fluid_between(x, low, gather(f->x, index), gather(f->d, index)));
            f32 other = gas_share_of(s, slot, share, volume), more = gas_load(s, slot, GAS_START) - t;
            change = change + keep(has, fluid_spread(&f->kernel, share, other, r2, more));
        }
        f32 next = (t + change) / (1.0f + s->h * load(gas.cooling));
        gas_store(s, l.slot, GAS_NOW, pick(load(gas.is) > 0.0f, next, gas_load(s, l.slot, GAS_NOW)));
    }
}
