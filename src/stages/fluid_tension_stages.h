// fluid_tension_stages.h: surface tension and adhesion of fluids (kernels/fluid_tension.h), before the warm start of the
// density constraint, from the positions at the start of the substep.
//
//   FLUID_LOAD     copies the positions
//   FLUID_ATTRACT  copies what the forces of a pair depend on
//   FLUID_NORMAL   finds the gradients n of the density
//   FLUID_TENSION  moves the particles
#pragma once
#include "kernels/fluid_tension.h"
#include "stages/fluid_stages.h"

// Copies tension, tension of interfaces, cosine of the contact angle, phase. A solid has the phase -1 and no tension.
STAGE_FN void fluid_attract(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point fluid = gather(s->slot[SLOT_FLUID], l.slot), liquid = gather(s->slot[SLOT_LIQUID], l.slot);
        f32 needs = liquid.x * ((s->h * s->h) * gather(s->slot[SLOT_D], l.slot).w);
        i32 wet = fluid.x > 0.0f, stiff = needs > FLUID_TENSE;
        f32 share = keep(wet, pick(stiff, FLUID_TENSE / pick(stiff, needs, splat(1.0f)), splat(1.0f)));
        point a = {share * liquid.x, share * liquid.y, liquid.z, pick(wet, fluid.w, splat(-1.0f))};
        scatter(s->fluid.attraction, l.self, a);
    }
}

// How much of each other two particles count; nothing between solids.
PL_FN fluid_share fluid_share_of(point a, point b)
{
    i32 solid_a = a.w < 0.0f, solid_b = b.w < 0.0f, same = a.w == b.w;
    f32 apart = fluid_phase_share(a.x + b.x, 0.5f * (a.y + b.y));
    fluid_share wall = fluid_solid_share(pick(solid_a, b.z, a.z));
    i32 solid = solid_a | solid_b;
    fluid_share r = {pick(solid, wall.drawn, pick(same, splat(1.0f), apart)),
                     pick(solid, wall.bent, pick(same, splat(1.0f), apart))};
    r.drawn = keep(not_so(solid_a & solid_b), r.drawn);
    r.bent = keep(not_so(solid_a & solid_b), r.bent);
    return r;
}

// The displacement of the particles at the planes' substep: tension is found before anything has moved.
PL_FN vec fluid_unmoved(void) { return vec_of(splat(0.0f), splat(0.0f), splat(0.0f)); }

// plain: one phase, no solids; a constant at each call.
PL_FN vec fluid_gradient(const packed_fluid *f, fluid_lanes *l, point self, f32 volume, bool plain)
{
    point x = gather(f->x, l->self);
    vec sum = fluid_unmoved();
    for (int32_t k = 0; k < l->most; k++)
    {
        const uint32_t *index = fluid_neighbour(l, k);
        i32 has = fluid_has(l, k);
        vec r = sub(at(x), at(gather(f->x, index)));
        f32 other = volume;
        if (f->mixed)
            other = gather(f->mass, index).x;
        if (!plain)
            other = other * fluid_share_of(self, gather(f->attraction, index)).bent;
        sum = sub(sum, times(keep(has, other * fluid_weight_at(&f->kernel, square(r)).slope), r));
    }
    return times(splat(f->kernel.support), sum);
}

STAGE_FN void fluid_normal(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const bool plain = !f->solids && !f->phases;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point self = gather(f->attraction, l.self);
        f32 volume = fluid_cube(gather(s->slot[SLOT_FLUID], l.slot).x);
        vec sum = plain ? fluid_gradient(f, &l, self, volume, true) : fluid_gradient(f, &l, self, volume, false);
        if (f->wets)
        {
            const fluid_near near_by = fluid_near_at(s, l.slot);
            f32 bent = fluid_solid_share(self.z).bent;
            for (int32_t k = 0; k < near_by.most; k++)
            {
                fluid_plane p = fluid_plane_at(s, &near_by, k, fluid_unmoved());
                sum = add(sum, times(bent * fluid_beyond_at(&f->kernel, p.away).first, p.normal));
            }
        }
        f32 stiff = FLUID_BEND * self.x; // k h
        point m = {stiff * sum.x, stiff * sum.y, stiff * sum.z, splat(0.0f)};
        scatter(f->normal, l.self, m);
    }
}

// The forces of the neighbours over the volume of the particle.
PL_FN vec fluid_attracted(const packed_fluid *f, fluid_lanes *l, point self, point normal, f32 volume, bool plain)
{
    point x = gather(f->x, l->self);
    const float draw = FLUID_DRAW * f->kernel.inverse;
    vec sum = fluid_unmoved();
    for (int32_t k = 0; k < l->most; k++)
    {
        const uint32_t *index = fluid_neighbour(l, k);
        i32 has = fluid_has(l, k);
        point b = gather(f->attraction, index);
        vec r = sub(at(x), at(gather(f->x, index))), m = sub(at(normal), at(gather(f->normal, index)));
        f32 e = draw * (self.x + b.x), other = volume;
        if (f->mixed)
            other = gather(f->mass, index).x;
        if (!plain)
        {
            fluid_share a = fluid_share_of(self, b);
            e = a.drawn * e;
            m = times(a.bent, m);
        }
        other = keep(has, other);
        fluid_pull p = fluid_pull_of(&f->kernel, e, m, r);
        sum = add(sum, add(times(other * p.along, r), times(other * p.aside, m)));
    }
    return sum;
}

// The forces of shapes over the volume of the particle.
PL_FN vec fluid_wetted(const state *s, const fluid_lanes *l, point self, vec normal)
{
    const fluid_kernel *kernel = &s->fluid.kernel;
    const fluid_near near_by = fluid_near_at(s, l->slot);
    fluid_share a = fluid_solid_share(self.z);
    f32 drawn = a.drawn * (FLUID_DRAW * kernel->inverse * kernel->inverse) * self.x;
    vec sum = fluid_unmoved();
    for (int32_t k = 0; k < near_by.most; k++)
    {
        fluid_plane p = fluid_plane_at(s, &near_by, k, fluid_unmoved());
        fluid_beyond b = fluid_beyond_at(kernel, p.away);
        f32 bends = a.bent * (kernel->inverse * kernel->inverse) * b.second * dot(p.normal, normal);
        sum = add(sum, times(drawn * b.first - bends, p.normal));
    }
    return sum;
}

STAGE_FN void fluid_tension(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const bool plain = !f->solids && !f->phases;
    const f32 step2 = splat(s->h * s->h);
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point now = gather(s->slot[SLOT_D], l.slot), self = gather(f->attraction, l.self);
        point normal = gather(f->normal, l.self);
        f32 volume = f->mixed ? gather(f->mass, l.self).x : fluid_cube(gather(s->slot[SLOT_FLUID], l.slot).x);
        vec sum = plain ? fluid_attracted(f, &l, self, normal, volume, true)
                        : fluid_attracted(f, &l, self, normal, volume, false);
        if (f->wets)
            sum = add(sum, fluid_wetted(s, &l, self, at(normal)));
        vec to = add(at(now), times(now.w * (step2 * volume), sum));
        now.x = to.x, now.y = to.y, now.z = to.z;
        scatter(s->slot[SLOT_D], l.slot, now);
    }
}
