// skin_near.c: see skin_near.h. Four at a time on every machine: the bits are the same with any number.
#undef LANES
#define LANES 4
#include "world/skin_near.h"
#include "collide/crowd.h"
#include "constraints/skin.h"

PL_FN closest near_points(bool vertex, const vec *x)
{
    return vertex ? point_triangle(x[0], x[1], x[2], x[3]) : edge_edge(x[0], x[1], x[2], x[3]);
}

PL_FN void gather_all(const float *from, const near_batch *b, int k, vec *x, f32 *w)
{
    for (int i = 0; i < 4; i++)
    {
        point p = gather(from, b->index[i] + k);
        x[i] = at(p);
        w[i] = p.w;
    }
}

// How fast a corner of one and a corner of the other near each other along n, at the most: no faster can the two themselves.
PL_FN f32 closing(bool vertex, vec n, const vec *v)
{
    f32 a = dot(n, v[0]), b = dot(n, v[1]), c = dot(n, v[2]), d = dot(n, v[3]);
    f32 fast = vertex ? most(b, most(c, d)) - a : most(c, d) - least(a, b);
    return most(fast, splat(0.0f));
}

// Half the thickness of each; of a grain, its radius.
PL_FN f32 reach_between(const near_rule *r, const near_batch *b, int k, bool vertex)
{
    f32 thick[4];
    for (int i = 0; i < 4; i++)
    {
        point own = gather(r->grain, b->index[i] + k);
        thick[i] = pick(own.z > 0.0f, own.z, 2.0f * own.x);
    }
    f32 back = most(thick[2], thick[3]);
    return vertex ? 0.5f * (thick[0] + most(thick[1], back)) : 0.5f * (most(thick[0], thick[1]) + back);
}

// Of one object: no more than they are apart at rest, so that a fine cloth does not fight itself. `object` holds bits.
PL_FN f32 spare_neighbours(const near_rule *r, const near_batch *b, int k, bool vertex, f32 reach)
{
    vec rest[4];
    f32 object[4];
    gather_all(r->rest, b, k, rest, object);
    i32 together =
        ((i32)object[0] == (i32)object[1]) & ((i32)object[0] == (i32)object[2]) & ((i32)object[0] == (i32)object[3]);
    return pick(together, least(reach, 0.9f * root(near_points(vertex, rest).square)), reach);
}

PL_FN void look(const near_rule *r, near_batch *b, bool vertex)
{
    for (int k = 0; k < b->count; k += LANES)
    {
        vec x[4], v[4];
        f32 w[4], gap;
        gather_all(r->x, b, k, x, w);
        closest c = near_points(vertex, x);
        vec n = direction(c.between, vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), &gap);
        i32 near = gap < r->near;
        if (r->horizon > 0.0f)
        {
            gather_all(r->v, b, k, v, w);
            near = gap < r->near + r->horizon * closing(vertex, n, v);
        }
        f32 reach = splat(-1.0f);
        if (anywhere(near))
        {
            f32 held = reach_between(r, b, k, vertex);
            reach = pick(near, spare_neighbours(r, b, k, vertex, held), reach);
        }
        store(b->reach + k, reach);
    }
}

void near_look(const near_rule *rule, near_batch *batch, bool vertex)
{
    for (int32_t k = batch->count; k % LANES; k++) // the rest of the last four: the last one again
        for (int i = 0; i < 4; i++)
            batch->index[i][k] = batch->index[i][batch->count - 1];
    if (vertex)
        look(rule, batch, true);
    else
        look(rule, batch, false);
}
