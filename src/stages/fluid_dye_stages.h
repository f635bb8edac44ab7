// fluid_dye_stages.h: the dye that fluids carry, and how it spreads (kernels/fluid_diffusion.h), after the velocities.
//
//   FLUID_LOAD_DYE   copies dye, shares and phases; notes the dye at the start of the frame
//   FLUID_DYE        spreads it between particles of one phase
#pragma once
#include "kernels/fluid_diffusion.h"
#include "stages/fluid_stages.h"

STAGE_FN void fluid_load_dye(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point dye = gather(s->slot[SLOT_DYE], l.slot), fluid = gather(s->slot[SLOT_FLUID], l.slot);
        f32 diffusivity = gather(s->slot[SLOT_FLOW], l.slot).z;
        i32 wet = fluid.x > 0.0f;
        point to = {dye.x, fluid_spread_share(&f->kernel, diffusivity, s->h, f->spacing, fluid_cube(fluid.x)),
                    pick(wet, fluid.w, splat(-1.0f)), splat(0.0f)};
        scatter(f->push, l.self, to);
        if (g->substep > 0)
            continue;
        dye.y = dye.x;
        scatter(s->slot[SLOT_DYE], l.slot, dye);
    }
}

STAGE_FN void fluid_spread_dye(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(f->x, l.self), low = gather(f->d, l.self), own = gather(f->push, l.self);
        point dye = gather(s->slot[SLOT_DYE], l.slot);
        f32 change = splat(0.0f);
        for (int32_t k = 0; k < l.most; k++)
        {
            const uint32_t *index = fluid_neighbour(&l, k);
            point other = gather(f->push, index);
            i32 has = fluid_has(&l, k) & (other.z == own.z);
            f32 r2 = square(fluid_between(x, low, gather(f->x, index), gather(f->d, index)));
            change = change + keep(has, fluid_spread(&f->kernel, own.y, other.y, r2, other.x - own.x));
        }
        dye.x = pick(own.z < 0.0f, dye.x, own.x + change);
        scatter(s->slot[SLOT_DYE], l.slot, dye);
    }
}
