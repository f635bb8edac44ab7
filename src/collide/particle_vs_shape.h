// particle_vs_shape.h: contact of a particle with a shape: finds the contact planes of the shape, and limits the
// particle's motion.
//
// The test is done in the shape's own frame, where the shape is at rest: the particle moves from p0 (with the placement
// at the substep's start) to p1 (with the one at its end). The contact planes are those at the first position where the
// surface is within the particle's radius.
//   distance known everywhere  sphere tracing (Hart 1996): at distance d from the surface a step of d - radius is safe.
//                              The slope of a trilinear distance field may reach sqrt(3): its steps are shorter by that
//   triangles                  the swept sphere against each triangle (ccd.h); then the facets there
// So a particle of any speed stops at a sheet of any thickness, and stays on the side on which it started. A plane is
// valid where it was found: a particle that slides along it may meet another wall of a shape that is not convex, and
// other constraints may push it. So after the substep's last iteration the motion is tested once more, and no particle
// passes through.
#pragma once
#include "collide/facets.h"

typedef struct contact_plane
{
    vec normal;
    f32 offset; // lower bound of n . d, including the radius; d: the displacement of the particle (particle_way)
    vec drift;  // displacement of the surface over the substep
} contact_plane;

// The motion of a particle in a substep: from x + low to x + d.
typedef struct particle_way
{
    vec x, low, d;
} particle_way;

// The same in the shape's frame. The large coordinates cancel before the small displacement is added.
typedef struct local_way
{
    vec from, to;
} local_way;

PL_FN local_way way_in_frame(const placed *from, const placed *to, particle_way w)
{
    local_way l = {into_frame_by(from, w.x, w.low), into_frame_by(to, w.x, w.d)};
    return l;
}

enum
{
    TRACE_STEPS = 32,
    TRACE_STEPS_FIELD = 96,
};

// Makes the contact plane through the surface point `foot` (in the shape's frame) with this normal. belt: the velocity
// of the surface in that frame; end: where the particle, with its displacement d, is in that frame at the substep's
// end.
PL_FN contact_plane contact_plane_at(vec belt, const placed *from, const placed *to, vec foot, vec normal, f32 radius,
                                     f32 h, vec end, vec d)
{
    belt = sub(belt, times(dot(belt, normal), normal));
    contact_plane f;
    f.normal = rotated(to, normal);
    f.offset = (dot(normal, sub(foot, end)) + radius) + dot(f.normal, d);
    f.drift = add(placement_moves(from, to, foot), times(h, rotated(to, belt)));
    return f;
}

#define TRACE_SHARE 0.57f // 1/sqrt(3)
#define MEET_LEAST 5e-4f  // m: the least distance beyond its radius in which a particle looks for planes

#if LANES == 1 && !defined(LANE_DOUBLE)

// The largest number of contact planes: several for shapes made of triangles.
PL_FN int solid_parts(const solid *s) { return kind_of(s) == SOLID_MESH || kind_of(s) == SOLID_FIELD ? FACETS : 1; }

// ---- the first contact ---------------------------------------------------------------------------------------------

// Returns the fraction of the motion from p0, 0 to 1, that is safe; 2: all of it, without contact.
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

// Probes the surface at the first contact on the way from p0 to p1, or at p1 if there is none; `from`: that position.
// blind: at p1 in any case.
PL_WALK surface_distance first_sight(const char *data, const solid *s, vec p0, vec p1, float radius, bool blind,
                                     vec *from)
{
    vec way = sub(p1, p0);
    float len = length(way);
    surface_distance there = probe_solid(data, s, p1, SOLID_FAR);
    *from = p1;
    // Slow and still outside: the end position gives the best plane.
    if (blind || !(len > 0.0f) || (len <= 0.5f * radius && there.distance > 0.0f))
        return there;
    float time = trace(data, s, p0, way, len, radius);
    if (time > 1.0f)
        return there;
    *from = add(p0, times(time, way));
    return probe_solid(data, s, *from, SOLID_FAR);
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// How far beyond the radius a sphere looks for planes: what it may touch in the substep.
PL_FN float outlook(float radius, float len)
{
    return most(0.5f * radius, MEET_LEAST) + least(len, most(radius, 20.0f * MEET_LEAST));
}

// sight: the least distance beyond the radius in which it looks for planes.
PL_WALK void mesh_faces(const bvh *b, vec p0, vec p1, float radius, float sight, facets *l)
{
    vec way = sub(p1, p0), q = p1;
    float len = length(way);
    if (b->normal)
    {
        int found;
        surface_distance there = bvh_probe(b, p0, bvh_box_holds(b, p0) ? SOLID_FAR : radius + len, &found);
        if (found && there.distance < 0.0f) // inside: use the nearest way out
        {
            there = bvh_probe(b, p1, SOLID_FAR, &found);
            facet_offer(l, 0.0f, 0, sub(p1, times(there.distance, there.normal)), there.normal);
            return;
        }
    }
    // Slow, and nothing so near that the centre could pass it: the end position gives the best planes.
    if (len > 0.5f * radius || bvh_nearest(b, p0, 1.001f * len).slot >= 0)
    {
        bvh_hit hit = bvh_sweep(b, p0, p1, radius);
        if (hit.slot >= 0)
            q = add(p0, times(hit.time, way));
    }
    bvh_facets(b, q, p0, radius + most(outlook(radius, len), sight), l);
}

PL_FN int field_is_over(const heightfield *f, vec x)
{
    vec normal;
    return field_covers(f, x) && x.y < field_height(f, x, &normal);
}

PL_WALK void ground_faces(const heightfield *f, vec p0, vec p1, float radius, float sight, facets *l)
{
    vec way = sub(p1, p0), q = p1;
    float len = length(way), reach = radius + most(outlook(radius, len), sight);
    int found;
    if (field_is_over(f, p0))
    {
        surface_distance there = field_probe(f, p1, reach, &found);
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

// ---- all kinds -----------------------------------------------------------------------------------------------------

// Computes the contact planes of a shape for a moving particle; returns their number: one for shapes that are not made
// of triangles. sight: as of mesh_faces; blind: as of first_sight.
PL_FN int face_particle(const char *data, const solid *s, const placement *from, const placement *to, particle_way w,
                        float radius, float sight, bool blind, float h, contact_plane *out)
{
    local_way l = way_in_frame(from, to, w);
    vec p0 = l.from, p1 = l.to, belt = vec_of(s->belt[0], s->belt[1], s->belt[2]);
    if (solid_parts(s) == 1)
    {
        vec q;
        surface_distance near_by = first_sight(data, s, p0, p1, radius, blind, &q);
        out[0] = contact_plane_at(belt, from, to, sub(q, times(near_by.distance, near_by.normal)), near_by.normal,
                                  radius, h, p1, w.d);
        return 1;
    }
    facets near_ones;
    near_ones.count = 0;
    float thick = radius + s->size[3];
    if (kind_of(s) == SOLID_MESH)
    {
        bvh b = mesh_of(geometry_of(data, s));
        mesh_faces(&b, p0, p1, thick, sight, &near_ones);
    }
    else
    {
        heightfield f = field_of(geometry_of(data, s));
        ground_faces(&f, p0, p1, thick, sight, &near_ones);
    }
    for (int i = 0; i < near_ones.count; i++)
        out[i] = contact_plane_at(belt, from, to, near_ones.foot[i], near_ones.normal[i], thick, h, p1, w.d);
    return near_ones.count;
}

// ---- the last check against passing through ------------------------------------------------------------------------

// Returns the fraction of the motion that keeps the centre at least a quarter of its radius away (or half of its
// initial distance).
PL_FN float safe_part(const char *data, const solid *s, vec p0, vec p1, float radius)
{
    vec way = sub(p1, p0);
    float len = length(way);
    float reach = 0.5f * radius + 2.0f * least(len, radius);
    float far = len > 0.0f ? probe_solid(data, s, p0, reach).distance + s->size[3] : 0.0f;
    float near_by = least(0.25f * radius, 0.5f * far);
    if (!(far > 0.0f) || far - near_by > 1.8f * len)
        return 2.0f; // at rest, inside, or nothing ahead: 1.8 is above sqrt(3), see `trace`
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

// Returns the displacement to which that of a particle is limited.
PL_FN vec held_back(const char *data, const solid *s, const placement *from, const placement *to, particle_way w,
                    float radius)
{
    float thick = radius + s->size[3];
    if (kind_of(s) < SOLID_MESH || !(thick > 0.0f))
        return w.d;
    local_way l = way_in_frame(from, to, w);
    vec way = sub(l.to, l.from);
    float part = safe_part(data, s, l.from, l.to, thick);
    return part > 1.0f ? w.d : add(w.d, rotated(to, times(part - 1.0f, way)));
}

#endif
