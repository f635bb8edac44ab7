// surface_contact.h: keeps two pieces of surface a thickness apart, with friction (self-collision).
//   index: v, a b c (vertex and triangle) or p0 p1, q0 q1 (edge and edge)
//   C = n . d - reach >= 0,   d = sum c_i x_i,   grad_i C = c_i n,   W = sum w_i c_i^2
// d joins the nearest points of the two at the substep's start: c = 1, -ba, -bb, -bc for a vertex and a triangle, c = 1
// - s, s, -(1 - t), -t for two edges; n is the direction of d then. For a pair that would come within reach during the
// substep, c and n are those at the impact instead (collide/ccd.h). Both are constant in a substep, so both kinds are
// one linear form; the c_i sum to 0, so momentum is conserved. lambda and friction are those of kernels/contact.h.
// Bridson, Fedkiw, Anderson 2002.
//
// The guarantee: n . x_i for all i of one side stays above n . x_j for all j of the other, at the start and at the end
// of the substep, hence during all of it: the two cannot have crossed. Where that does not hold, the corners may move
// by no more than SURFACE_PART of the initial gap, after which it cannot fail. Wu, Shen, Zhang, Tang, Liu, Gao 2020;
// Chen, Hsu, Chen, Diaz, Macklin, Kim, Kavan, Yuksel 2025. Units: m; lambda in kg m.
//
// The two sides of a cut or a tear lie on each other, at rest and at first. They have no distance to keep, and of a gap
// of 0 no part is left to move by: the guarantee holds only from when they have parted.
#pragma once
#include "collide/ccd.h"
#include "kernels/contact.h"

#define SURFACE_PART 0.45f // fraction of the gap that each of two approaching corners may move
#define SURFACE_LEFT 0.1f  // fraction of the gap that must remain for a substep to count as safe
#define SURFACE_EASE 0.2f  // fraction of the reach: the largest overlap that one substep removes
#define SURFACE_FREE 1e30f // a motion limit that does not limit
#define SURFACE_SEAM 1e-4f // fraction of a pair's size: below it, a gap has no direction

enum surface_mode // stored as a float, for lanes
{
    SURFACE_VERTEX,   // a vertex and a triangle
    SURFACE_EDGES,    // two edges
    SURFACE_NOTHING,  // padding, and tangled pairs: neither solved nor limited
    SURFACE_UNTANGLE, // a vertex and a triangle that are pulled apart along a given direction
};

// The linear form of a pair in a substep.
typedef struct surface_form
{
    vec normal; // unit length, from the second to the first
    f32 c[4];
    f32 gap; // at the start; SURFACE_FREE: the two lie on each other (surface_seam)
    f32 reach;
} surface_form;

PL_FN vec surface_between(const f32 *c, const vec *x)
{
    vec d = times(c[1], sub(x[1], x[0])); // relative to the first corner: the c_i sum to 0
    d = add(d, times(c[2], sub(x[2], x[0])));
    return add(d, times(c[3], sub(x[3], x[0])));
}

PL_FN void surface_weigh(surface_form *f, i32 where, i32 vertex, const f32 *b)
{
    f32 one = splat(1.0f);
    f32 c[4] = {pick(vertex, one, b[0]), pick(vertex, -b[0], b[1]), pick(vertex, -b[1], -b[2]),
                pick(vertex, -b[2], -b[3])};
    for (int i = 0; i < 4; i++)
        f->c[i] = pick(where, c[i], f->c[i]);
}

// The largest distance by which a corner of one and a corner of the other can approach each other under the
// displacements u.
PL_FN f32 surface_closing_speed(i32 vertex, const vec *u)
{
    f32 a = most(square(sub(u[0], u[2])), square(sub(u[0], u[3]))), b = square(sub(u[0], u[1]));
    f32 c = most(square(sub(u[1], u[2])), square(sub(u[1], u[3])));
    return root(most(a, pick(vertex, b, c)));
}

// Do the two lie on each other, as the sides of a cut do? Then neither the gap nor the distance to keep, which is
// limited by the distance at rest, is more than rounding.
PL_FN i32 surface_seam(const vec *x0, f32 gap, f32 reach)
{
    f32 size = most(square(sub(x0[1], x0[0])), most(square(sub(x0[2], x0[0])), square(sub(x0[3], x0[0]))));
    f32 larger = most(gap, reach);
    return larger * larger <= SURFACE_SEAM * SURFACE_SEAM * size;
}

// Computes the form from the nearest points at the start, x0, or from the impact on the way to x.
PL_FN surface_form surface_look(i32 vertex, i32 edges, const vec *x0, const vec *x, f32 reach)
{
    surface_form f;
    f32 none = splat(0.0f);
    closest near = {none, vec_of(none, splat(1.0f), none), {none, none, none, none}};
    if (anywhere(vertex))
        near = point_triangle(x0[0], x0[1], x0[2], x0[3]);
    if (anywhere(edges))
    {
        closest e = edge_edge(x0[0], x0[1], x0[2], x0[3]);
        near.between = pick_vec(edges, e.between, near.between);
        for (int i = 0; i < 4; i++)
            near.weight[i] = pick(edges, e.weight[i], near.weight[i]);
    }
    f.normal = direction(near.between, vec_of(none, splat(1.0f), none), &f.gap);
    for (int i = 0; i < 4; i++)
        f.c[i] = none;
    surface_weigh(&f, vertex | edges, vertex, near.weight);
    i32 seam = surface_seam(x0, f.gap, reach);
    f.reach = pick(seam, splat(CONTACT_NOTHING), least(reach, f.gap + SURFACE_EASE * reach));
    f.gap = pick(seam, splat(SURFACE_FREE), f.gap);

    vec u[4];
    for (int i = 0; i < 4; i++)
        u[i] = sub(x[i], x0[i]);
    f32 closing_speed = surface_closing_speed(vertex, u);
    i32 fast = (vertex | edges) & (closing_speed > 0.5f * f.gap) & (closing_speed > f.gap - reach);
    if (!anywhere(fast))
        return f;
    impact hit;
    vec end[4]; // lanes that are not fast get no motion, so that their search ends at once
    hit.hit = fast & not_so(fast);
    hit.normal = f.normal;
    for (int i = 0; i < 4; i++)
    {
        hit.weight[i] = none;
        end[i] = pick_vec(fast, x[i], x0[i]);
    }
    if (anywhere(fast & vertex))
        hit = vertex_triangle_ccd(x0, end, f.reach);
    if (anywhere(fast & edges))
    {
        impact e = edge_edge_ccd(x0, end, f.reach);
        hit.hit = (edges & e.hit) | (not_so(edges) & hit.hit);
        hit.normal = pick_vec(edges, e.normal, hit.normal);
        for (int i = 0; i < 4; i++)
            hit.weight[i] = pick(edges, e.weight[i], hit.weight[i]);
    }
    i32 meets = fast & hit.hit;
    f.normal = pick_vec(meets, hit.normal, f.normal);
    surface_weigh(&f, meets, vertex, hit.weight);
    f.reach = pick(fast & not_so(hit.hit), splat(CONTACT_NOTHING), f.reach); // no impact: they miss each other
    return f;
}

// Solves one pair and returns its impulse: corner i moves by w_i c_i times it. d: displacements and inverse masses;
// now, x0: the corners now and at the substep's start.
PL_FN vec surface_visit(const point *d, const vec *now, const vec *x0, const surface_form *f, friction g, float soft,
                        float share, float spare, contact_lambda *h)
{
    f32 w = splat(0.0f);
    for (int i = 0; i < 4; i++)
        w = w + d[i].w * f->c[i] * f->c[i];
    i32 heavy = w > 0.0f;
    f32 mass = keep(heavy, 1.0f / pick(heavy, w, splat(1.0f)));
    vec apart = surface_between(f->c, now), began = surface_between(f->c, x0), n = f->normal;
    f32 value = dot(n, apart) - f->reach - spare * least(dot(n, began) - f->reach, splat(0.0f));
    return hold_apart(n, value, sub(apart, began), mass, g, splat(soft), splat(share), h);
}

// The separation along n: the least projection of the first minus the greatest of the second.
PL_FN f32 surface_apart(i32 vertex, vec n, const vec *x)
{
    f32 s1 = dot(n, sub(x[1], x[0])), s2 = dot(n, sub(x[2], x[0])), s3 = dot(n, sub(x[3], x[0]));
    f32 behind = most(s2, s3);
    return pick(vertex, -most(s1, behind), least(s1, splat(0.0f)) - behind);
}
