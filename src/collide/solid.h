// solid.h: a shape as the stages see it, and what it shows to a particle that comes near: a plane.
//
// A particle meets a shape in the shape's own frame, where the shape stands still: it goes from p0 (by the placement at the
// substep's start) to p1 (by the one at its end). The plane is that of the surface where the particle first comes within its
// radius on the way, found by sphere tracing (Hart 1996): from a point at distance d of the surface a step of d - radius is
// safe. So a particle of any speed stops at a sheet of any thickness, and which side it was on decides the side it stays on.
#pragma once
#include "collide/probe.h"

enum solid_flag
{
    SOLID_TWO_SIDED = 1,
    SOLID_INSIDE = 2,
};

typedef struct solid
{
    int32_t kind, flags;
    float size[4]; // half sides, or length of a capsule; radius
    float belt[3]; // m/s, in the shape's frame
    int32_t material, mask;
    float reach; // no point of it is farther from its position; 0: without end (a plane)
    int32_t unused;
} solid;

typedef struct placement
{
    float turn[9]; // rows of the rotation from the shape's frame to the world's
    float at[3];
} placement;

typedef struct shown
{
    vec normal;
    f32 offset; // n . x is at least this, the radius included
    vec drift;  // of the surface over the substep
} shown;

enum
{
    TRACE_STEPS = 32,
};

// Scalar code: particles near shapes are few, and each may meet another kind.
#if LANES == 1

PL_FN vec into_frame(const placement *p, vec x)
{
    vec d = vec_of(x.x - p->at[0], x.y - p->at[1], x.z - p->at[2]);
    const float *m = p->turn;
    return vec_of(m[0] * d.x + m[3] * d.y + m[6] * d.z, m[1] * d.x + m[4] * d.y + m[7] * d.z,
                  m[2] * d.x + m[5] * d.y + m[8] * d.z);
}

PL_FN vec turned(const placement *p, vec d)
{
    const float *m = p->turn;
    return vec_of(m[0] * d.x + m[1] * d.y + m[2] * d.z, m[3] * d.x + m[4] * d.y + m[5] * d.z,
                  m[6] * d.x + m[7] * d.y + m[8] * d.z);
}

PL_FN vec out_of_frame(const placement *p, vec x)
{
    vec r = turned(p, x);
    return vec_of(r.x + p->at[0], r.y + p->at[1], r.z + p->at[2]);
}

PL_FN surface probe_plane_kind(const solid *s, vec x)
{
    vec up = vec_of(0.0f, 1.0f, 0.0f);
    return s->flags & SOLID_TWO_SIDED ? probe_sheet(x, up, 0.0f, s->size[3]) : probe_plane(x, up, 0.0f);
}

PL_FN surface probe_sphere_kind(const solid *s, vec x) { return probe_sphere(x, vec_of(0.0f, 0.0f, 0.0f), s->size[3]); }

PL_FN surface probe_capsule_kind(const solid *s, vec x)
{
    float half = 0.5f * s->size[0];
    return probe_capsule(x, vec_of(0.0f, -half, 0.0f), vec_of(0.0f, half, 0.0f), s->size[3]);
}

PL_FN surface probe_box_kind(const solid *s, vec x)
{
    return probe_box(x, vec_of(s->size[0], s->size[1], s->size[2]), s->size[3]);
}

// One line for each kind that is there, in the order of pl_shape_kind.
PL_FN surface probe_solid(const solid *s, vec x)
{
    surface r;
    switch (s->kind)
    {
    case 0:
        r = probe_plane_kind(s, x);
        break;
    case 1:
        r = probe_sphere_kind(s, x);
        break;
    case 2:
        r = probe_capsule_kind(s, x);
        break;
    default:
        r = probe_box_kind(s, x);
        break;
    }
    if (s->flags & SOLID_INSIDE)
    {
        r.distance = -r.distance;
        r.normal = negative(r.normal);
    }
    return r;
}

// Where on the way from p0 to p1 the particle first touches, or p1.
PL_FN vec first_touch(const solid *s, vec p0, vec p1, float radius)
{
    vec way = sub(p1, p0);
    float len = length(way), done = 0.0f;
    surface there = probe_solid(s, p1);
    // Slow and still outside: the end is the best place to look at the surface from.
    if (!(len > 0.0f) || (len <= 0.5f * radius && there.distance > 0.0f))
        return p1;
    float fine = 1e-3f * radius + 1e-6f * len;
    for (int i = 0; i < TRACE_STEPS; i++)
    {
        vec q = add(p0, times(done / len, way));
        float gap = probe_solid(s, q).distance - radius;
        if (gap <= fine)
            return q;
        done = done + gap;
        if (done >= len)
            return p1;
    }
    return add(p0, times(done / len, way));
}

PL_FN shown face_particle(const solid *s, const placement *from, const placement *to, vec x0, vec x, float radius,
                          float h)
{
    vec p0 = into_frame(from, x0), p1 = into_frame(to, x), q = first_touch(s, p0, p1, radius);
    surface near = probe_solid(s, q);
    vec foot = sub(q, times(near.distance, near.normal)); // the surface's nearest point
    vec belt = vec_of(s->belt[0], s->belt[1], s->belt[2]), now = out_of_frame(to, foot);
    belt = sub(belt, times(dot(belt, near.normal), near.normal));
    shown f;
    f.normal = turned(to, near.normal);
    f.offset = dot(f.normal, now) + radius;
    f.drift = add(sub(now, out_of_frame(from, foot)), times(h, turned(to, belt)));
    return f;
}

#endif
