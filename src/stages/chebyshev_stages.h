// chebyshev_stages.h: the stages of the Chebyshev method (kernels/chebyshev.h), around the rows of an iteration.
#pragma once
#include "kernels/chebyshev.h"
#include "stages/stage_common.h"

// Keeps the displacements before the rows. Measures what moved particles since the last iteration of the rows.
STAGE_FN void chebyshev_start(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_acceleration *a = &s->acceleration;
    f32 others = splat(0.0f);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point d = load_points(s->slot[SLOT_D] + i);
        if (!g->first)
        {
            vec then = add(at(load_points(a->start + i)), at(load_points(a->way + i)));
            others = most(square(sub(at(d), then)), others);
        }
        store_points(a->start + i, d);
    }
    if (!g->first)
        raise_to(&s->now->chebyshev.others, greatest(others));
}

STAGE_FN void chebyshev_measure(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_acceleration *a = &s->acceleration;
    f32 moved = splat(0.0f);
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        vec by = sub(at(load_points(s->slot[SLOT_D] + i)), at(load_points(a->start + i)));
        moved = most(square(by), moved);
    }
    raise_to(&s->now->chebyshev.rows, greatest(moved));
}

#if LANES == 1

STAGE_FN void chebyshev_choose(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)begin, (void)end;
    chebyshev_next(&s->now->chebyshev, g->first, s->acceleration.radius2);
}

#endif

STAGE_FN void chebyshev_move(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_acceleration *a = &s->acceleration;
    const float factor = s->now->chebyshev.factor;
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point d = load_points(s->slot[SLOT_D] + i), from = load_points(a->start + i), way = load_points(a->way + i);
        vec by = sub(at(d), at(from));
        way.x = chebyshev_way(factor, by.x, way.x);
        way.y = chebyshev_way(factor, by.y, way.y);
        way.z = chebyshev_way(factor, by.z, way.z);
        store_points(a->way + i, way);
        if (factor == 1.0f)
            continue;
        d.x = from.x + way.x, d.y = from.y + way.y, d.z = from.z + way.z;
        store_points(s->slot[SLOT_D] + i, d);
    }
}

// The same for the multipliers of the rows of a kind, part by part. They change in no other way, so their present value
// is that before the next iteration.
STAGE_FN void chebyshev_rows(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rows *r = &s->rows[g->kind];
    const float factor = s->now->chebyshev.factor;
    for (int part = 0; part < r->parts; part++)
        for (int32_t k = begin; k < end; k += LANES)
        {
            size_t i = (size_t)part * (size_t)r->lambda_step + (size_t)k;
            f32 now = load(r->lambda + i), from = g->first ? splat(0.0f) : load(r->start_lambda + i);
            f32 way = chebyshev_way(factor, now - from, load(r->way_lambda + i));
            now = factor == 1.0f ? now : from + way;
            store(r->way_lambda + i, way);
            store(r->start_lambda + i, now);
            store(r->lambda + i, now);
        }
}
