// lanes_kernel.h: every function of the geometry that is written on lanes, on numbers of its own for each lane.
// Compiled once for each width; the results must have the same bits.
#pragma once
#include "collide/ccd.h"
#include "collide/hull.h"

enum
{
    LANE_INPUTS = 27,  // floats an item: eight points, the first unit; three numbers
    LANE_OUTPUTS = 80, // at least as many as are put
};

typedef struct sheaf
{
    float *to;
    int64_t count;
} sheaf;

PL_FN void put_one(sheaf *s, f32 a)
{
    store(s->to, a);
    s->to += s->count;
}

PL_FN void put_vec(sheaf *s, vec a)
{
    put_one(s, a.x);
    put_one(s, a.y);
    put_one(s, a.z);
}

PL_FN void put_surface(sheaf *s, surface_distance a)
{
    put_one(s, a.distance);
    put_vec(s, a.normal);
}

PL_FN void put_closest(sheaf *s, closest a, int weights)
{
    put_one(s, a.square);
    put_vec(s, a.between);
    for (int i = 0; i < weights; i++)
        put_one(s, a.weight[i]);
}

PL_FN void put_impact(sheaf *s, impact a)
{
    put_one(s, pick(a.hit, splat(1.0f), splat(0.0f)));
    put_one(s, a.time);
    put_vec(s, a.normal);
    for (int i = 0; i < 4; i++)
        put_one(s, a.weight[i]);
}

// Items lie side by side: number k of item i at in[k * count + i], the same with what is put out.
PL_FN void lanes_kernel(const hull *h, const float *in, float *out, int64_t count, int64_t i)
{
    vec p[8];
    for (int k = 0; k < 8; k++)
        p[k] = vec_of(load(in + (3 * k) * count + i), load(in + (3 * k + 1) * count + i),
                      load(in + (3 * k + 2) * count + i));
    f32 a = load(in + 24 * count + i), b = load(in + 25 * count + i), c = load(in + 26 * count + i);
    sheaf s = {out + i, count};
    put_surface(&s, probe_plane(p[1], p[0], a));
    put_surface(&s, probe_sheet(p[1], p[0], a, b));
    put_surface(&s, probe_sphere(p[1], p[2], b));
    put_surface(&s, probe_capsule(p[1], p[2], p[3], b));
    put_surface(&s, probe_box(p[1], vec_of(b, c, b + c), a * a));
    put_surface(&s, hull_probe(h, p[1]));
    put_closest(&s, point_edge(p[1], p[2], p[3]), 2);
    put_closest(&s, point_triangle(p[1], p[2], p[3], p[4]), 3);
    put_closest(&s, edge_edge(p[1], p[2], p[3], p[4]), 4);
    put_impact(&s, vertex_triangle_ccd(p, p + 4, b));
    put_impact(&s, edge_edge_ccd(p, p + 4, b));
    put_impact(&s, sphere_triangle_ccd(p[1], p[2], b, p[3], p[4], p[5]));
}
