// strand_stages.h: the stages of strands: each function processes the strands [begin, end), one in each lane. kind:
// pl_strand_solver.
#pragma once
#include "kernels/strand.h"
#include "stages/stage_common.h"

// LANES strands of a block.
typedef struct strand_lanes
{
    const packed_strands *p;
    int32_t block, lane, first, last; // first, last: rows
} strand_lanes;

PL_FN strand_lanes strand_lanes_at(const packed_strands *p, int32_t strand)
{
    int32_t block = strand / PAD;
    strand_lanes l = {p, block, strand % PAD, p->block_row[block], p->block_row[block + 1]};
    return l;
}

// Where row `row` has the point of the first lane.
PL_FN size_t strand_at(const strand_lanes *l, int32_t row) { return (size_t)row * PAD + (size_t)l->lane; }

// A point of each lane: where it is, and how it has moved.
typedef struct strand_point
{
    point x, d;
} strand_point;

PL_FN strand_point strand_point_at(const state *s, const uint32_t *index)
{
    strand_point q = {gather(s->slot[SLOT_X], index), gather(s->slot[SLOT_D], index)};
    return q;
}

PL_FN vec strand_way(const strand_point *from, const strand_point *to)
{
    return add(sub(at(to->x), at(from->x)), sub(at(to->d), at(from->d)));
}

// The next point of a strand; behind its end, its last point.
PL_FN point strand_next(i32 there, point next, point last)
{
    point r = {pick(there, next.x, last.x), pick(there, next.y, last.y), pick(there, next.z, last.z),
               pick(there, next.w, last.w)};
    return r;
}

PL_FN void move_by(point *d, vec by)
{
    d->x = d->x + by.x;
    d->y = d->y + by.y;
    d->z = d->z + by.z;
}

// ---- contacts with shapes ------------------------------------------------------------------------------------------

// How many contact planes each lane has near its point, and where they begin.
typedef struct strand_planes
{
    int32_t first[LANES], count[LANES], most;
} strand_planes;

PL_FN strand_planes strand_planes_at(const state *s, const uint32_t *index)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    strand_planes near_by;
    near_by.most = 0;
    for (int lane = 0; lane < LANES; lane++)
    {
        int32_t slot = (int32_t)(index[lane] / 4);
        bool real = t->near_first && slot < s->particles; // not a dummy
        near_by.first[lane] = real ? t->near_first[slot] : 0;
        near_by.count[lane] = real ? t->near_first[slot + 1] - near_by.first[lane] : 0;
        near_by.most = near_by.count[lane] > near_by.most ? near_by.count[lane] : near_by.most;
    }
    return near_by;
}

// Moves the point out of the k-th plane of each lane, around the point above.
PL_FN void strand_clear(const state *s, const strand_planes *near_by, int32_t k, const strand_point *above,
                        strand_point *q, f32 rest, i32 live)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    float plane[4][LANES];
    for (int lane = 0; lane < LANES; lane++)
    {
        bool has = k < near_by->count[lane];
        int32_t at = near_by->first[lane] + k;
        size_t row = has ? (size_t)(t->near_row ? t->near_row[at] : at) : 0;
        for (int c = 0; c < 4; c++)
            plane[c][lane] = has ? t->plane[c][row] : 0.0f;
    }
    vec normal = vec_of(load(plane[0]), load(plane[1]), load(plane[2]));
    f32 gap = keep(live, load(plane[3]) - dot(normal, at(q->d)));
    move_by(&q->d, strand_slide(strand_way(above, q), rest, normal, gap));
}

// ---- the pass ------------------------------------------------------------------------------------------------------

// Whether the strands have carriers.
PL_FN i32 strand_carried(const packed_strands *p, size_t strand)
{
    return load(p->share[0] + strand) + load(p->share[1] + strand) + load(p->share[2] + strand) > 0.0f;
}

// Puts the roots that have carriers where these are.
PL_FN void strand_carry(const state *s, const strand_lanes *l, strand_point *q)
{
    size_t i = (size_t)l->block * PAD + (size_t)l->lane;
    vec to = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    for (int c = 0; c < STRAND_CARRIERS; c++)
    {
        strand_point by = strand_point_at(s, l->p->carrier[c] + i);
        to = add(to, times(load(l->p->share[c] + i), add(sub(at(by.x), at(q->x)), at(by.d))));
    }
    vec d = pick_vec(strand_carried(l->p, i), to, at(q->d));
    q->d.x = d.x, q->d.y = d.y, q->d.z = d.z;
}

// The displacement by an acceleration of 1 m/s^2 over a substep.
PL_FN float strand_reach(const state *s) { return (second_order(s) ? 4.0f / 9.0f : 1.0f) * (s->h * s->h); }

PL_FN void strand_store_pull(const packed_strands *p, size_t at, vec pull, bool first)
{
    float *to[3] = {p->pull[0] + at, p->pull[1] + at, p->pull[2] + at};
    store(to[0], first ? pull.x : load(to[0]) + pull.x);
    store(to[1], first ? pull.y : load(to[1]) + pull.y);
    store(to[2], first ? pull.z : load(to[2]) + pull.z);
}

// What the link below a point has pulled in the last substep, as a displacement of the point: to be added to it.
PL_FN vec strand_reaction(const packed_strands *p, size_t below, f32 weight, f32 weight_below, f32 share)
{
    i32 live = (weight_below > 0.0f) & (load(p->rest + below) > 0.0f);
    f32 factor = keep(live, -share * least(weight / pick(live, weight_below, splat(1.0f)), splat(1.0f)));
    return times(factor, vec_of(load(p->pull[0] + below), load(p->pull[1] + below), load(p->pull[2] + below)));
}

// dynamic: the links return what they have pulled; it is added in the first iteration, before it is overwritten.
PL_FN void strand_follow_leader(state *s, const strand_lanes *l, strand_point above, bool dynamic, bool first)
{
    const packed_strands *p = l->p;
    const float reach = strand_reach(s), scale = 1.0f / reach;
    f32 share = reach * load(p->correction + (size_t)l->block * PAD + (size_t)l->lane);
    strand_point q = strand_point_at(s, p->index + strand_at(l, l->first + 1));
    for (int32_t row = l->first + 1; row < l->last; row++)
    {
        size_t i = strand_at(l, row);
        strand_point next = q;
        f32 rest = load(p->rest + i);
        i32 live = (q.d.w > 0.0f) & (rest > 0.0f);
        if (row + 1 < l->last)
        {
            next = strand_point_at(s, p->index + strand_at(l, row + 1));
            if (dynamic && first)
                move_by(&q.d, strand_reaction(p, strand_at(l, row + 1), q.d.w, next.d.w, share));
        }
        vec pull = keep_vec(live, strand_pull(strand_way(&above, &q), rest));
        move_by(&q.d, pull);
        if (dynamic)
            strand_store_pull(p, i, times(splat(scale), pull), first);
        strand_planes near_by = strand_planes_at(s, p->index + i);
        for (int32_t k = 0; k < near_by.most; k++)
            strand_clear(s, &near_by, k, &above, &q, rest, live);
        scatter(s->slot[SLOT_D], p->index + i, q.d);
        above = q;
        q = next;
        if (row + 1 < l->last)
            q.d = strand_next(load(p->rest + strand_at(l, row + 1)) > 0.0f, next.d, above.d);
    }
}

// weight: inverse mass of the root.
PL_FN void strand_project(state *s, const strand_lanes *l, strand_point above, f32 weight)
{
    const packed_strands *p = l->p;
    for (int32_t row = l->first + 1; row < l->last; row++)
    {
        size_t i = strand_at(l, row);
        strand_point q = strand_point_at(s, p->index + i);
        f32 rest = load(p->rest + i), both = weight + q.d.w;
        i32 there = rest > 0.0f, live = (both > 0.0f) & there;
        vec pull = strand_pull(strand_way(&above, &q), rest);
        q.d = strand_next(there, q.d, above.d);
        pull = times(keep(live, 1.0f / pick(live, both, splat(1.0f))), pull);
        move_by(&q.d, times(q.d.w, pull));
        move_by(&above.d, times(-weight, pull));
        scatter(s->slot[SLOT_D], p->index + strand_at(l, row - 1), above.d);
        above = q;
        weight = q.d.w;
    }
    scatter(s->slot[SLOT_D], p->index + strand_at(l, l->last - 1), above.d);
}

STAGE_FN void strand_pass_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
    {
        strand_lanes l = strand_lanes_at(&s->strands, i);
        const uint32_t *index = l.p->index + strand_at(&l, l.first);
        strand_point above = strand_point_at(s, index);
        f32 weight = above.d.w;
        if (l.p->carried)
        {
            strand_carry(s, &l, &above);
            weight = pick(strand_carried(l.p, (size_t)i), splat(0.0f), weight);
            scatter(s->slot[SLOT_D], index, above.d);
        }
        if (g->kind == PL_STRAND_XPBD)
            strand_project(s, &l, above, weight);
        else
            strand_follow_leader(s, &l, above, g->kind == PL_STRAND_DFTL, g->first);
    }
}

// ---- what links have pulled ----------------------------------------------------------------------------------------

STAGE_FN void strand_keep_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i += LANES)
    {
        strand_lanes l = strand_lanes_at(&s->strands, i);
        for (int32_t row = l.first + 1; row < l.last; row++)
            for (int c = 0; c < 3; c++)
                store(l.p->safe[c] + strand_at(&l, row), load(l.p->pull[c] + strand_at(&l, row)));
    }
}

// Returns the pulls of the last substep to the roots, before what holds them is solved. The pass returns all others: until
// then points move as if they were free, which is what contacts are to see.
STAGE_FN void strand_return_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i += LANES)
    {
        strand_lanes l = strand_lanes_at(&s->strands, i);
        const packed_strands *p = l.p;
        const uint32_t *index = p->index + strand_at(&l, l.first);
        size_t below = strand_at(&l, l.first + 1);
        point root = gather(s->slot[SLOT_D], index);
        f32 weight = p->carried ? pick(strand_carried(p, (size_t)i), splat(0.0f), root.w) : root.w;
        f32 share = strand_reach(s) * load(p->correction + i);
        move_by(&root, strand_reaction(p, below, weight, gather(s->slot[SLOT_D], p->index + below).w, share));
        scatter(s->slot[SLOT_D], index, root);
    }
}
