// fluid_stages.h: the stages of fluids (kernels/fluid.h). They run over the sorted indices of the client's list
// (neighbours/clients/fluid_client.c), which holds the particles of fluids and the solid particles with a radius. Each
// particle sums over its own neighbours, in the order of the list, and changes only itself, so the bits are equal for any
// number of threads and lanes.
//
//   in a substep      FLUID_LOAD (warm), FLUID_VOLUME (only with solids), FLUID_MOVE
//   in an iteration   FLUID_LOAD, FLUID_DENSITY, FLUID_MOVE
//   after it          FLUID_LOAD_V, FLUID_SMOOTH
//
// FLUID_LOAD copies what neighbours read into the order of the list: they lie near each other there, and a stage may
// change the particles while others read their copies. A solid particle has no multiplier; what fluids push it by is the
// same sum.
#pragma once
#include "kernels/fluid.h"
#include "stages/fluid_body_walls.h"
#include "stages/fluid_grains.h"
#include "stages/fluid_planes.h"

// ---- lanes ---------------------------------------------------------------------------------------------------------

// LANES particles of the list. Those beyond the range repeat its last particle, and store what that one stores.
typedef struct fluid_lanes
{
    uint32_t self[LANES]; // 4 * sorted index
    uint32_t slot[LANES]; // 4 * slot
    float count[LANES];   // neighbours
    int32_t most;
#if LANES == 1
    const int32_t *neighbour, *found; // as in packed_neighbours: `found` has the first `notes`, four by four
    int32_t notes, between, next[4];  // next: of the present four
    uint32_t index;                   // 4 * sorted index of the present neighbour
#else
    const uint32_t *neighbour; // packed_neighbours.in_lanes
#endif
} fluid_lanes;

PL_FN fluid_lanes fluid_lanes_at(const packed_neighbours *n, int32_t i, int32_t end)
{
    fluid_lanes l;
    l.most = 0;
    for (int32_t k = 0; k < LANES; k++)
    {
        int32_t at = i + k < end ? i + k : end - 1;
        int32_t count = n->many ? n->many[at] : n->start[at + 1] - n->start[at];
        l.self[k] = 4 * (uint32_t)at;
        l.slot[k] = 4 * (uint32_t)n->slot[at];
        l.count[k] = (float)count;
        l.most = count > l.most ? count : l.most;
    }
#if LANES == 1
    l.neighbour = n->neighbour + n->start[i];
    l.found = n->notes ? n->found + 4 * (size_t)i : NULL;
    l.notes = n->notes, l.between = n->count;
    memset(l.next, 0, sizeof l.next);
#else
    l.neighbour = n->in_lanes + (size_t)n->row[i / PAD] * PAD + i % PAD;
#endif
    return l;
}

// The k-th neighbour of each lane, 4 * sorted index; a lane without one names any particle, mostly itself.
PL_FN const uint32_t *fluid_neighbour(fluid_lanes *l, int32_t k)
{
#if LANES == 1
    if (k >= l->notes)
        l->next[0] = l->neighbour[k - l->notes];
    else if (k % 4 == 0)
        memcpy(l->next, l->found + (size_t)k * (size_t)l->between, sizeof l->next);
    l->index = 4 * (uint32_t)l->next[0];
    l->next[0] = l->next[1], l->next[1] = l->next[2], l->next[2] = l->next[3];
    return &l->index;
#else
    return l->neighbour + (size_t)k * PAD;
#endif
}

// Which lanes have a k-th neighbour?
PL_FN i32 fluid_has(const fluid_lanes *l, int32_t k) { return load(l->count) > splat((float)k); }

// x_i - x_j, with the displacements: the large coordinates cancel first.
PL_FN vec fluid_between(point x, point d, point xj, point dj) { return add(sub(at(x), at(xj)), sub(at(d), at(dj))); }

// ---- walls ---------------------------------------------------------------------------------------------------------

// What shapes fill around the particles, from the contact planes of the substep.
PL_FN fluid_walls fluid_walls_at(const state *s, const fluid_lanes *l, vec d)
{
    const fluid_near near_by = fluid_near_at(s, l->slot);
    fluid_walls walls = {splat(1.0f), vec_of(splat(0.0f), splat(0.0f), splat(0.0f))};
    for (int32_t k = 0; k < near_by.most; k++)
    {
        fluid_plane p = fluid_plane_at(s, &near_by, k, d);
        fluid_add_wall(&s->fluid.kernel, p.away, p.start, p.normal, &walls);
    }
    fluid_join_bodies(s, l->slot, &walls);
    return walls;
}

// ---- copies --------------------------------------------------------------------------------------------------------

PL_FN f32 fluid_cube(f32 a) { return a * a * a; }

STAGE_FN void fluid_load(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const f32 none = splat(0.0f);
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(s->slot[SLOT_X], l.slot), d = gather(s->slot[SLOT_D], l.slot);
        f32 w = d.w;
        if (f->mixed)
        {
            f32 spacing = gather(s->slot[SLOT_FLUID], l.slot).x, solid = gather(s->slot[SLOT_PRESSURE], l.slot).z;
            point mass = {pick(spacing > 0.0f, fluid_cube(spacing), solid), w, none, none};
            scatter(f->mass, l.self, mass);
        }
        x.w = d.w = none;
        scatter(f->x, l.self, x);
        if (g->kind == FLUID_FIRST)
        {
            point p = gather(s->slot[SLOT_PRESSURE], l.slot);
            fluid_walls walls = fluid_walls_at(s, &l, at(d));
            point wall = {-walls.gradient.x, -walls.gradient.y, -walls.gradient.z, none};
            d.w = p.x = FLUID_WARM * p.x;
            fluid_tell_bodies(s, l.slot, l.self, none, none, none, p.x);
            scatter(s->slot[SLOT_PRESSURE], l.slot, p);
            scatter(f->wall, l.self, wall);
            scatter(f->push, l.self, d);
            d.w = none;
        }
        scatter(f->d, l.self, d);
    }
}

// The volumes of solid particles: 1/sum W over solid particles, themselves included; of grains at most that of a ball.
STAGE_FN void fluid_volume(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(f->x, l.self), d = gather(f->d, l.self), p = gather(s->slot[SLOT_PRESSURE], l.slot);
        i32 solid = not_so(gather(s->slot[SLOT_FLUID], l.slot).x > 0.0f);
        f32 sum = splat(f->kernel.height);
        for (int32_t k = 0; anywhere(solid) && k < l.most; k++)
        {
            const uint32_t *index = fluid_neighbour(&l, k);
            uint32_t slot[LANES];
            i32 has = fluid_has(&l, k);
            for (int lane = 0; lane < LANES; lane++)
                slot[lane] = 4 * (uint32_t)n->slot[index[lane] / 4];
            has = has & not_so(gather(s->slot[SLOT_FLUID], slot).x > 0.0f);
            vec r = fluid_between(x, d, gather(f->x, index), gather(f->d, index));
            sum = sum + keep(has, fluid_weight_at(&f->kernel, square(r)).value);
        }
        p.z = pick(solid, least(FLUID_REST / sum, fluid_volume_most(s, l.slot)), p.z);
        scatter(s->slot[SLOT_PRESSURE], l.slot, p);
    }
}

// ---- the constraint ------------------------------------------------------------------------------------------------

// What a particle sums over its neighbours.
typedef struct fluid_sums
{
    f32 filled;   // s
    vec gradient; // of C_i by x_i
    f32 squares;  // sum of w_j |grad_j C_i|^2 over j, or of the longer push along the start
} fluid_sums;

// A fixed neighbour counts as if it were free: a drop among fixed particles, whose gradients cancel, would be shot out.
// mixed: the particles differ in mass or volume; a constant at each call.
PL_FN fluid_sums fluid_sum(const packed_fluid *f, fluid_lanes *l, point x, point d, f32 volume, f32 w, bool mixed)
{
    const f32 none = splat(0.0f);
    fluid_sums sums = {volume * f->kernel.height, vec_of(none, none, none), none};
    for (int32_t k = 0; k < l->most; k++)
    {
        const uint32_t *index = fluid_neighbour(l, k);
        i32 has = fluid_has(l, k);
        vec start = sub(at(x), at(gather(f->x, index))), r = add(start, sub(at(d), at(gather(f->d, index))));
        f32 r2 = square(r), other = volume, wj = w;
        if (mixed)
        {
            point mass = gather(f->mass, index);
            other = mass.x, wj = pick(mass.y > 0.0f, mass.y, w);
        }
        fluid_weight q = fluid_weight_at(&f->kernel, r2);
        f32 slope = keep(has, other * q.slope);
        sums.filled = sums.filled + keep(has, other * q.value);
        sums.gradient = sub(sums.gradient, times(slope, r));
        sums.squares = sums.squares + wj * ((slope * slope) * most(r2, FLUID_NEARER * square(start)));
    }
    return sums;
}

STAGE_FN void fluid_density(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    const f32 none = splat(0.0f);
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(f->x, l.self), d = gather(f->d, l.self), p = gather(s->slot[SLOT_PRESSURE], l.slot);
        f32 w = gather(s->slot[SLOT_D], l.slot).w, spacing = gather(s->slot[SLOT_FLUID], l.slot).x;
        f32 volume = fluid_cube(spacing);
        i32 liquid = spacing > 0.0f;
        fluid_sums sums = f->mixed ? fluid_sum(f, &l, x, d, volume, w, true) : fluid_sum(f, &l, x, d, volume, w, false);
        fluid_walls walls = fluid_walls_at(s, &l, at(d));
        vec gradient = sub(sums.gradient, walls.gradient);
        f32 c = (sums.filled + (1.0f - walls.open)) - 1.0f;
        // A fixed particle, as in the nozzle of an emitter, is a solid: it fills space, and has no multiplier.
        f32 divisor = most(sums.squares + w * square(gradient), f->kernel.least * w);
        i32 live = liquid & (w > 0.0f);
        f32 next = least(p.x - FLUID_RELAX * keep(live, c / pick(live, divisor, splat(1.0f))), none);
        next = keep(live, next);
        d.w = next - keep(liquid, p.x);
        f32 inverse = keep(live, FLUID_RELAX / pick(live, divisor, splat(1.0f)));
        fluid_tell_bodies(s, l.slot, l.self, c, inverse, p.x, d.w);
        p.x = next;
        point wall = {-walls.gradient.x, -walls.gradient.y, -walls.gradient.z, none};
        scatter(s->slot[SLOT_PRESSURE], l.slot, p);
        scatter(f->wall, l.self, wall);
        scatter(f->push, l.self, d);
    }
}

// The displacement by the multipliers in `push`, over w. A pair is pushed along where it was at the start of the substep,
// because the angular momentum of a substep is sum m x d/h with that x: then it is kept exactly.
PL_FN vec fluid_pushed(const packed_fluid *f, fluid_lanes *l, point x, point d, f32 volume, bool mixed)
{
    vec sum = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    for (int32_t k = 0; k < l->most; k++)
    {
        const uint32_t *index = fluid_neighbour(l, k);
        i32 has = fluid_has(l, k);
        point xj = gather(f->x, index), dj = gather(f->push, index);
        vec start = sub(at(x), at(xj)), r = add(start, sub(at(d), at(dj)));
        f32 slope = fluid_weight_at(&f->kernel, square(r)).slope;
        f32 other = mixed ? gather(f->mass, index).x : volume;
        f32 lambda = mixed ? d.w * other + dj.w * volume : (d.w + dj.w) * volume;
        sum = sub(sum, times(keep(has, lambda * slope), start));
    }
    return sum;
}

STAGE_FN void fluid_move(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(f->x, l.self), d = gather(f->push, l.self), now = gather(s->slot[SLOT_D], l.slot);
        f32 volume = f->mixed ? gather(f->mass, l.self).x : fluid_cube(gather(s->slot[SLOT_FLUID], l.slot).x);
        vec sum = f->mixed ? fluid_pushed(f, &l, x, d, volume, true) : fluid_pushed(f, &l, x, d, volume, false);
        sum = add(sum, times(d.w, at(gather(f->wall, l.self))));
        vec to = add(at(now), times(now.w, sum));
        now.x = to.x, now.y = to.y, now.z = to.z;
        scatter(s->slot[SLOT_D], l.slot, now);
    }
}

// ---- velocities ----------------------------------------------------------------------------------------------------

STAGE_FN void fluid_load_v(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point x = gather(s->slot[SLOT_X], l.slot), v = gather(s->slot[SLOT_V], l.slot);
        point fluid = gather(s->slot[SLOT_FLUID], l.slot);
        f32 share = fluid.y + fluid.z * (f->kernel.spread * s->h);
        share = f->passes ? share : least(share, splat(FLUID_STILL));
        point low = {low_part(x).x, low_part(x).y, low_part(x).z, splat(0.0f)};
        x.w = splat(0.0f);
        v.w = share * fluid_cube(fluid.x); // of a solid: 0
        scatter(f->x, l.self, x);
        scatter(f->d, l.self, low);
        scatter(f->push, l.self, v);
    }
}

// Viscosity along the line of two particles (Monaghan 1997), with n = (x_i - x_j)/|x_i - x_j|:
//   dv_i = sum_j (c_i + c_j)/2 V K n n . (v_j - v_i),   times 2 w_i/(w_i + w_j), which is 1 for equal masses
// It keeps momentum and angular momentum; XSPH, without n n, slows a fluid that turns as a whole. Solid particles are
// dragged along.
// velocity: copies in the order of the list. filled: s at the end of the substep.
PL_FN vec fluid_smoothed(const packed_fluid *f, const float *velocity, fluid_lanes *l, point v, f32 w, f32 volume,
                         bool mixed, f32 *filled)
{
    point x = gather(f->x, l->self), low = gather(f->d, l->self);
    vec sum = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    *filled = volume * f->kernel.height;
    for (int32_t k = 0; k < l->most; k++)
    {
        const uint32_t *index = fluid_neighbour(l, k);
        i32 has = fluid_has(l, k);
        point vj = gather(velocity, index);
        vec r = fluid_between(x, low, gather(f->x, index), gather(f->d, index));
        f32 r2 = square(r), value = keep(has, fluid_weight_at(&f->kernel, r2).value), other = volume;
        f32 weight = (0.5f * (v.w + vj.w)) * keep(has, fluid_drag_at(&f->kernel, r2));
        if (mixed)
        {
            point mass = gather(f->mass, index);
            f32 both = w + mass.y;
            weight = keep(both > 0.0f, 2.0f * w * weight / pick(both > 0.0f, both, splat(1.0f)));
            other = mass.x;
        }
        *filled = *filled + other * value;
        f32 nears = dot(r, sub(at(vj), at(v)));
        sum = add(sum, times(keep(r2 > 0.0f, weight * nears / pick(r2 > 0.0f, r2, splat(1.0f))), r));
    }
    return sum;
}

STAGE_FN void fluid_smooth(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_neighbours *n = &s->neighbours[CLIENT_FLUID];
    const packed_fluid *f = &s->fluid;
    for (int32_t i = begin; i < end; i += LANES)
    {
        fluid_lanes l = fluid_lanes_at(n, i, end);
        point v = gather(f->push, l.self), now = gather(s->slot[SLOT_V], l.slot);
        point d = gather(s->slot[SLOT_D], l.slot), p = gather(s->slot[SLOT_PRESSURE], l.slot);
        f32 spacing = gather(s->slot[SLOT_FLUID], l.slot).x, volume = fluid_cube(spacing), filled;
        vec sum = f->mixed ? fluid_smoothed(f, f->push, &l, v, d.w, volume, true, &filled)
                           : fluid_smoothed(f, f->push, &l, v, d.w, volume, false, &filled);
        sum = keep_vec(d.w > 0.0f, sum);
        p.y = keep(spacing > 0.0f, (filled + (1.0f - fluid_walls_at(s, &l, at(d)).open)) - 1.0f);
        scatter(s->slot[SLOT_PRESSURE], l.slot, p);
        now.x = now.x + sum.x, now.y = now.y + sum.y, now.z = now.z + sum.z;
        scatter(s->slot[SLOT_V], l.slot, now);
    }
}
