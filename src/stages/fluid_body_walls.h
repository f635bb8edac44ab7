// fluid_body_walls.h: joins what rigid bodies fill around a fluid's particles (stages/fluid_body_stages.h) with what the
// shapes of the world fill, inside the stages of fluids.
#pragma once
#include "kernels/fluid_body.h"
#include "stages/stage_common.h"

// The point of a slot, or NULL.
PL_FN body_fluid *fluid_body_of(const state *s, uint32_t slot)
{
    const packed_body_particles *b = &s->body_particles;
    int32_t point = b->row_room ? b->of_slot[slot / 4] : -1;
    return point < 0 ? NULL : b->fluid + point;
}

// slot: 4 * slot of each lane.
PL_FN void fluid_join_bodies(const state *s, const uint32_t *slot, fluid_walls *walls)
{
    float outside[LANES], open[LANES], gradient[3][LANES], has[LANES];
    bool some = false;
    if (!s->body_particles.row_room)
        return;
    store(outside, walls->open);
    for (int lane = 0; lane < LANES; lane++)
    {
        body_fluid *f = fluid_body_of(s, slot[lane]);
        has[lane] = f ? 1.0f : 0.0f, open[lane] = f ? f->open : 1.0f;
        for (int c = 0; c < 3; c++)
            gradient[c][lane] = f ? f->gradient[c] : 0.0f;
        if (f)
            f->outside = outside[lane], some = true;
    }
    if (!some)
        return;
    i32 near_by = load(has) > 0.0f;
    f32 left = load(open);
    vec own = vec_of(load(gradient[0]), load(gradient[1]), load(gradient[2]));
    vec both = add(times(left, walls->gradient), times(walls->open, own));
    walls->gradient = vec_of(pick(near_by, both.x, walls->gradient.x), pick(near_by, both.y, walls->gradient.y),
                             pick(near_by, both.z, walls->gradient.z));
    walls->open = pick(near_by, walls->open * left, walls->open);
}

// Tells the bodies what an iteration has found. self: 4 * sorted index of each lane.
PL_FN void fluid_tell_bodies(const state *s, const uint32_t *slot, const uint32_t *self, f32 value, f32 inverse,
                             f32 lambda, f32 change)
{
    float c[LANES], k[LANES], old[LANES], by[LANES];
    if (!s->body_particles.row_room)
        return;
    store(c, value), store(k, inverse), store(old, lambda), store(by, change);
    for (int lane = 0; lane < LANES; lane++)
    {
        body_fluid *f = fluid_body_of(s, slot[lane]);
        if (f)
        {
            f->sorted = (int32_t)(self[lane] / 4);
            f->value = c[lane], f->inverse = k[lane], f->lambda = old[lane], f->change = by[lane];
        }
    }
}
