// hierarchy_stages.h: the stages of the coarse levels of the solver hierarchy (kernels/hierarchy.h).
#pragma once
#include "kernels/hierarchy.h"
#include "stages/stage_common.h"

// Moves the nodes of all levels to their particles.
STAGE_FN void coarse_start(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_hierarchy *h = &s->hierarchy;
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        point d = gather(s->slot[SLOT_D], h->slot + k);
        d.w = keep(d.w > 0.0f, load(h->weight + k));
        store_points(h->x + 4 * (size_t)k, gather(s->slot[SLOT_X], h->slot + k));
        store_points(h->from + 4 * (size_t)k, d);
        store_points(h->d + 4 * (size_t)k, d);
    }
}

// Solves the bounds of a colour.
STAGE_FN void coarse_sweep(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_hierarchy h = s->hierarchy;
    for (int32_t k = begin; k < end; k += LANES)
    {
        point p = gather(h.d, h.end[0] + k), q = gather(h.d, h.end[1] + k);
        vec e = add(gather_between(h.x, h.end[0] + k, h.end[1] + k), sub(at(p), at(q)));
        f32 tension = g->first ? splat(0.0f) : load(h.tension + k);
        coarse_bound(&p, &q, e, load(h.rest + k) + h.pull * load(h.give + k), &tension);
        store(h.tension + k, tension);
        scatter(h.d, h.end[0] + k, p);
        scatter(h.d, h.end[1] + k, q);
    }
}

// How far the parents of an item have moved it.
PL_FN vec coarse_motion(const packed_hierarchy *h, size_t item)
{
    vec by = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    UNROLL
    for (int j = 0; j < 4; j++)
    {
        vec way = sub(at(gather(h->d, h->parent[j] + item)), at(gather(h->from, h->parent[j] + item)));
        by = add(by, times(load(h->part[j] + item), way));
    }
    return by;
}

PL_FN void coarse_carry(float *d, vec by)
{
    point to = load_points(d);
    vec moved = pick_vec(to.w > 0.0f, add(at(to), by), at(to));
    to.x = moved.x, to.y = moved.y, to.z = moved.z;
    store_points(d, to);
}

// Interpolates the motion of a level to the nodes of the next finer one.
STAGE_FN void coarse_move(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_hierarchy *h = &s->hierarchy;
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
        coarse_carry(h->d + 4 * (size_t)k, coarse_motion(h, (size_t)s->slots + (size_t)k));
}

// ... and to the particles.
STAGE_FN void coarse_return(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
        coarse_carry(s->slot[SLOT_D] + 4 * (size_t)k, coarse_motion(&s->hierarchy, (size_t)k));
}
