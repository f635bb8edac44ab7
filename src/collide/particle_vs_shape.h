// particle_vs_shape.h: a particle meets a shape: the planes that the shape shows to it, and how far it may come.
//
// They meet in the shape's own frame, where the shape stands still: the particle goes from p0 (by the placement at the substep's
// start) to p1 (by the one at its end). Planes are those of the surface where the particle first comes within its radius on the way.
//   distance known everywhere   sphere tracing (Hart 1996): from a point at distance d of the surface a step of d - radius is safe;
//                               a trilinear distance field may be steeper than 1, up to sqrt(3), so its steps are shorter by that
//   triangles                   the sphere swept along the way, against each triangle (ccd.h); then the facets there
// So a particle of any speed stops at a sheet of any thickness, and the side it was on decides the side it stays on.
// A plane is right where it was found: what slides on along it may meet another wall of a shape that is not convex, and other
// constraints may push. So after the substep's last iteration the way is walked once more, and nothing gets through.
#pragma once
#include "collide/facets.h"

typedef struct shown
{
    vec normal;
    f32 offset; // n . x is at least this, the radius included
    vec drift;  // of the surface over the substep
} shown;

enum
{
    TRACE_STEPS = 32,
    TRACE_STEPS_FIELD = 96,
};

// The plane of a surface that has the point `foot` (of the shape's frame) and this normal. belt: how fast the surface runs, in that frame.
PL_FN shown show(vec belt, const placed *from, const placed *to, vec foot, vec normal, f32 radius, f32 h)
{
    vec now = out_of_frame(to, foot);
    belt = sub(belt, times(dot(belt, normal), normal));
    shown f;
    f.normal = turned(to, normal);
    f.offset = dot(f.normal, now) + radius;
    f.drift = add(sub(now, out_of_frame(from, foot)), times(h, turned(to, belt)));
    return f;
}

#define TRACE_SHARE 0.57f // 1/sqrt(3)
#define MEET_LEAST 5e-4f  // m: how far beyond its radius a particle always looks

#if LANES == 1 && !defined(LANE_DOUBLE)

// A shape that is made of triangles may show several planes.
PL_FN int solid_parts(const solid *s) { return kind_of(s) == SOLID_MESH || kind_of(s) == SOLID_FIELD ? FACETS : 1; }

// ---- the first touch -------------------------------------------------------------------------------------------------

// The part of the way from p0 to p1, 0 to 1, that is safe; 2: all of it, and nothing is touched.
PL_WALK float trace(const char *data, const solid *s, vec p0, vec way, float len, float radius)
{
    int steps = kind_of(s) == SOLID_SDF ? TRACE_STEPS_FIELD : TRACE_STEPS;
    float fine = 1e-3f * most(radius, 0.0f) + 1e-6f * len, done = 0.0f,
          share = kind_of(s) == SOLID_SDF ? TRACE_SHARE : 1.0f;
    for (int i = 0; i < steps; i++)
    {
        float gap = probe_solid(data, s, add(p0, times(done / len, way)), SOLID_FAR).distance - radius;
        if (gap <= fine)
            return done / len;
        done = done + share * gap;
        if (done >= len)
            return 2.0f;
    }
    return done / len;
}

// The surface as it shows from where, on the way from p0 to p1, the particle first touches it, or from p1; `from`: that place.
PL_WALK surface first_sight(const char *data, const solid *s, vec p0, vec p1, float radius, vec *from)
{
    vec way = sub(p1, p0);
    float len = length(way);
    surface there = probe_solid(data, s, p1, SOLID_FAR);
    *from = p1;
    // Slow and still outside: the end is the best place to look at the surface from.
    if (!(len > 0.0f) || (len <= 0.5f * radius && there.distance > 0.0f))
        return there;
    float time = trace(data, s, p0, way, len, radius);
    if (time > 1.0f)
        return there;
    *from = add(p0, times(time, way));
    return probe_solid(data, s, *from, SOLID_FAR);
}

// ---- triangles -------------------------------------------------------------------------------------------------------

// How far beyond the radius a sphere looks for planes: what it may come to touch in the substep.
PL_FN float outlook(float radius, float len)
{
    return most(0.5f * radius, MEET_LEAST) + least(len, most(radius, 20.0f * MEET_LEAST));
}

PL_WALK void mesh_faces(const bvh *b, vec p0, vec p1, float radius, facets *l)
{
    vec way = sub(p1, p0), q = p1;
    float len = length(way);
    if (b->normal)
    {
        int found;
        surface there = bvh_probe(b, p0, bvh_box_holds(b, p0) ? SOLID_FAR : radius + len, &found);
        if (found && there.distance < 0.0f) // it is inside: the nearest way out
        {
            there = bvh_probe(b, p1, SOLID_FAR, &found);
            facet_offer(l, 0.0f, 0, sub(p1, times(there.distance, there.normal)), there.normal);
            return;
        }
    }
    // Slow, and nothing so near that the centre could pass it: the end is the best place to look from.
    if (len > 0.5f * radius || bvh_nearest(b, p0, 1.001f * len).slot >= 0)
    {
        bvh_hit hit = bvh_sweep(b, p0, p1, radius);
        if (hit.slot >= 0)
            q = add(p0, times(hit.time, way));
    }
    bvh_facets(b, q, p0, radius + outlook(radius, len), l);
}

PL_FN int field_is_over(const heightfield *f, vec x)
{
    vec normal;
    return field_covers(f, x) && x.y < field_height(f, x, &normal);
}

PL_WALK void ground_faces(const heightfield *f, vec p0, vec p1, float radius, facets *l)
{
    vec way = sub(p1, p0), q = p1;
    float len = length(way), reach = radius + outlook(radius, len);
    int found;
    if (field_is_over(f, p0))
    {
        surface there = field_probe(f, p1, reach, &found);
        facet_offer(l, 0.0f, 0, sub(p1, times(there.distance, there.normal)), there.normal);
        return;
    }
    if (len > 0.5f * radius || field_is_over(f, p1))
    {
        bvh_hit hit = field_sweep(f, p0, p1, radius);
        if (hit.slot >= 0)
            q = add(p0, times(hit.time, way));
    }
    field_facets(f, q, reach, l);
}

// ---- all kinds -------------------------------------------------------------------------------------------------------

// The planes that a shape shows to a particle that goes from x0 to x; how many: one for shapes that are not made of triangles.
PL_FN int face_particle(const char *data, const solid *s, const placement *from, const placement *to, vec x0, vec x,
                        float radius, float h, shown *out)
{
    vec p0 = into_frame(from, x0), p1 = into_frame(to, x), belt = vec_of(s->belt[0], s->belt[1], s->belt[2]);
    if (solid_parts(s) == 1)
    {
        vec q;
        surface near_by = first_sight(data, s, p0, p1, radius, &q);
        out[0] = show(belt, from, to, sub(q, times(near_by.distance, near_by.normal)), near_by.normal, radius, h);
        return 1;
    }
    facets l;
    l.count = 0;
    float thick = radius + s->size[3];
    if (kind_of(s) == SOLID_MESH)
    {
        bvh b = mesh_of(geometry_of(data, s));
        mesh_faces(&b, p0, p1, thick, &l);
    }
    else
    {
        heightfield f = field_of(geometry_of(data, s));
        ground_faces(&f, p0, p1, thick, &l);
    }
    for (int i = 0; i < l.count; i++)
        out[i] = show(belt, from, to, l.foot[i], l.normal[i], thick, h);
    return l.count;
}

// ---- nothing gets through ----------------------------------------------------------------------------------------------

// The part of the way that the centre may go without coming nearer than a quarter of its radius (or half of what it began with).
PL_FN float safe_part(const char *data, const solid *s, vec p0, vec p1, float radius)
{
    vec way = sub(p1, p0);
    float len = length(way);
    float reach = 0.5f * radius + 2.0f * least(len, radius);
    float far = len > 0.0f ? probe_solid(data, s, p0, reach).distance + s->size[3] : 0.0f;
    float near_by = least(0.25f * radius, 0.5f * far);
    if (!(far > 0.0f) || far - near_by > 1.8f * len)
        return 2.0f; // it stands, is inside, or has nothing before it: 1.8 is above sqrt(3), see `trace`
    if (kind_of(s) == SOLID_SDF)
        return trace(data, s, p0, way, len, near_by - s->size[3]);
    bvh_hit hit;
    if (kind_of(s) == SOLID_MESH)
    {
        bvh b = mesh_of(geometry_of(data, s));
        hit = bvh_sweep(&b, p0, p1, near_by);
    }
    else
    {
        heightfield f = field_of(geometry_of(data, s));
        hit = field_sweep(&f, p0, p1, near_by);
    }
    return hit.slot >= 0 ? hit.time : 2.0f;
}

// Where a particle that went from x0 to x may be.
PL_FN vec held_back(const char *data, const solid *s, const placement *from, const placement *to, vec x0, vec x,
                    float radius)
{
    float thick = radius + s->size[3];
    if (kind_of(s) < SOLID_MESH || !(thick > 0.0f))
        return x;
    vec p0 = into_frame(from, x0), p1 = into_frame(to, x);
    float part = safe_part(data, s, p0, p1, thick);
    return part > 1.0f ? x : out_of_frame(to, add(p0, times(part, sub(p1, p0))));
}

#endif
