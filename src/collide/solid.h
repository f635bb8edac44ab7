// solid.h: a collision shape as the stages use it: its kind, its placement, and its signed distance from a point.
//
// The arrays of hulls, meshes, distance fields and height fields are stored in one block of bytes for all shapes,
// without pointers, so that a device gets them by one copy. The part of each shape begins with a `geometry`.
#pragma once
#include "collide/bvh.h"
#include "collide/heightfield.h"
#include "collide/hull.h"
#include "collide/sdf.h"

enum solid_kind // as pl_shape_kind
{
    SOLID_PLANE,
    SOLID_SPHERE,
    SOLID_CAPSULE,
    SOLID_BOX,
    SOLID_HULL,
    SOLID_MESH,
    SOLID_SDF,
    SOLID_FIELD,
};

enum solid_flag
{
    SOLID_TWO_SIDED = 1,
    SOLID_INSIDE = 2,
};

typedef struct solid
{
    int32_t kind, flags;
    float size[4]; // half sides, or the length of a capsule; size[3]: the radius
    float belt[3]; // surface velocity (conveyor belt), m/s, in the shape's frame
    int32_t material, mask;
    float reach;  // no point of it is farther from its position; 0: unbounded (a plane)
    int64_t data; // offset of its geometry in the bytes of all shapes; -1: it has none
} solid;

// The numbers of a shape, and the offsets of its arrays, in bytes from the start of this struct:
//   hull   at: planes, corners, first, vertices           count: planes, triangles, vertices
//   mesh   at: nodes, corners, ids, normals, neighbours   count: triangles, nodes, 1 for a closed one
//   sdf    at: values       count: nodes along x, y, z    number: origin, spacing
//   field  at: heights      count: columns, rows          number: origin x z, spacing x z, lowest, highest
typedef struct geometry
{
    int64_t size; // bytes, including this struct
    int64_t at[5];
    int32_t count[4];
    float number[8];
} geometry;

typedef struct placement
{
    float rotation[9]; // rows of the rotation from the shape's frame to the world's
    float at[3];
    float low[4]; // the part of the position that float32 cannot hold (3)
} placement;

enum
{
    PLACEMENT_SIZE = sizeof(placement) / sizeof(float),
};

#define SOLID_FAR 1e15f // m, larger than any distance; its square is still finite

// A placement for each lane.
#if LANES == 1 && !defined(LANE_DOUBLE)
typedef placement placed;
#else
typedef struct placed
{
    f32 rotation[9], at[3], low[4];
} placed;
#endif

PL_FN vec turned_back(const placed *p, vec d)
{
    const f32 *m = p->rotation;
    return vec_of(m[0] * d.x + m[3] * d.y + m[6] * d.z, m[1] * d.x + m[4] * d.y + m[7] * d.z,
                  m[2] * d.x + m[5] * d.y + m[8] * d.z);
}

PL_FN vec into_frame(const placed *p, vec x)
{
    return turned_back(
        p, vec_of((x.x - p->at[0]) - p->low[0], (x.y - p->at[1]) - p->low[1], (x.z - p->at[2]) - p->low[2]));
}

// The same for x + d: d is added in the frame, where the other number is small too, at least along a plane's normal.
PL_FN vec into_frame_by(const placed *p, vec x, vec d) { return add(into_frame(p, x), turned_back(p, d)); }

PL_FN vec rotated(const placed *p, vec d)
{
    const f32 *m = p->rotation;
    return vec_of(m[0] * d.x + m[1] * d.y + m[2] * d.z, m[3] * d.x + m[4] * d.y + m[5] * d.z,
                  m[6] * d.x + m[7] * d.y + m[8] * d.z);
}

PL_FN vec out_of_frame(const placed *p, vec x)
{
    vec r = rotated(p, x);
    return vec_of(r.x + p->at[0], r.y + p->at[1], r.z + p->at[2]);
}

// The displacement of a point of the shape from one placement to another.
PL_FN vec placement_moves(const placed *from, const placed *to, vec x)
{
    vec way = vec_of((to->at[0] - from->at[0]) + (to->low[0] - from->low[0]),
                     (to->at[1] - from->at[1]) + (to->low[1] - from->low[1]),
                     (to->at[2] - from->at[2]) + (to->low[2] - from->low[2]));
    return add(way, sub(rotated(to, x), rotated(from, x)));
}

// Scalar code: few particles are near shapes, and neighbouring lanes would probe different kinds.
#if LANES == 1 && !defined(LANE_DOUBLE)

// A CUDA kernel for a scene with only planes, spheres, capsules and boxes leaves the other kinds out, which saves most
// of its registers.
#ifndef SOLID_KINDS
#define SOLID_KINDS 7
#endif
PL_FN int kind_of(const solid *s) { return s->kind & SOLID_KINDS; }

// ---- geometry ------------------------------------------------------------------------------------------------------

PL_FN const geometry *geometry_of(const char *data, const solid *s) { return (const geometry *)(data + s->data); }

PL_FN void *geometry_array(const geometry *g, int which) { return (char *)g + g->at[which]; }

PL_FN hull hull_of(const geometry *g)
{
    hull h = {(float *)geometry_array(g, 0),
              (float *)geometry_array(g, 1),
              (int32_t *)geometry_array(g, 2),
              (float *)geometry_array(g, 3),
              g->count[0],
              g->count[1],
              g->count[2]};
    return h;
}

PL_FN bvh mesh_of(const geometry *g)
{
    bvh b;
    b.node = (bvh_node *)geometry_array(g, 0);
    b.corner = (float *)geometry_array(g, 1);
    b.id = (int32_t *)geometry_array(g, 2);
    b.normal = g->count[2] ? (float *)geometry_array(g, 3) : 0;
    b.vertex = 0;
    b.beside = (const int32_t *)geometry_array(g, 4);
    b.triangles = g->count[0];
    b.nodes = g->count[1];
    b.normals = g->count[2] ? g->count[0] : 0;
    return b;
}

PL_FN sdf sdf_of(const geometry *g)
{
    sdf s = {(float *)geometry_array(g, 0),
             {g->number[0], g->number[1], g->number[2]},
             g->number[3],
             {g->count[0], g->count[1], g->count[2]}};
    return s;
}

PL_FN heightfield field_of(const geometry *g)
{
    heightfield f = {(float *)geometry_array(g, 0),
                     {g->count[0], g->count[1]},
                     {g->number[0], g->number[1]},
                     {g->number[2], g->number[3]},
                     g->number[4],
                     g->number[5]};
    return f;
}

// ---- signed distances ----------------------------------------------------------------------------------------------

PL_FN surface_distance probe_plane_kind(const solid *s, vec x)
{
    vec up = vec_of(0.0f, 1.0f, 0.0f);
    return s->flags & SOLID_TWO_SIDED ? probe_sheet(x, up, 0.0f, s->size[3]) : probe_plane(x, up, 0.0f);
}

PL_FN surface_distance probe_sphere_kind(const solid *s, vec x)
{
    return probe_sphere(x, vec_of(0.0f, 0.0f, 0.0f), s->size[3]);
}

PL_FN surface_distance probe_capsule_kind(const solid *s, vec x)
{
    float half = 0.5f * s->size[0];
    return probe_capsule(x, vec_of(0.0f, -half, 0.0f), vec_of(0.0f, half, 0.0f), s->size[3]);
}

PL_FN surface_distance probe_box_kind(const solid *s, vec x)
{
    return probe_box(x, vec_of(s->size[0], s->size[1], s->size[2]), s->size[3]);
}

// Offsets the surface outward by the shape's radius.
PL_FN surface_distance thicker(const solid *s, surface_distance r)
{
    r.distance = r.distance - s->size[3];
    return r;
}

PL_WALK surface_distance probe_hull_kind(const char *data, const solid *s, vec x)
{
    hull h = hull_of(geometry_of(data, s));
    return thicker(s, hull_probe(&h, x));
}

PL_FN int bvh_box_holds(const bvh *b, vec x)
{
    const bvh_node *n = b->node;
    return x.x >= n->low[0] && x.x <= n->high[0] && x.y >= n->low[1] && x.y <= n->high[1] && x.z >= n->low[2] &&
           x.z <= n->high[2];
}

// A closed mesh has a signed distance at any depth; for an open mesh the distance is positive on both sides.
PL_WALK surface_distance probe_mesh_kind(const char *data, const solid *s, vec x, float reach)
{
    bvh b = mesh_of(geometry_of(data, s));
    surface_distance r = {reach, vec_of(0.0f, 1.0f, 0.0f)};
    bvh_near near_by = bvh_nearest(&b, x, b.normal && bvh_box_holds(&b, x) ? SOLID_FAR : reach);
    if (near_by.slot < 0)
        return r;
    if (b.normal)
        return thicker(s, bvh_side(&b, x, &near_by));
    vec p = bvh_corner(&b, near_by.slot, 0);
    vec face = cross(sub(bvh_corner(&b, near_by.slot, 1), p), sub(bvh_corner(&b, near_by.slot, 2), p));
    face = direction(face, r.normal, &r.distance);
    r.normal = direction(near_by.at.between, face, &r.distance);
    return thicker(s, r);
}

PL_FN surface_distance probe_sdf_kind(const char *data, const solid *s, vec x)
{
    sdf f = sdf_of(geometry_of(data, s));
    return thicker(s, sdf_probe(&f, x));
}

PL_WALK surface_distance probe_field_kind(const char *data, const solid *s, vec x, float reach)
{
    heightfield f = field_of(geometry_of(data, s));
    int found;
    return thicker(s, field_probe(&f, x, reach, &found));
}

// The signed distance of x, in the shape's frame, from a shape of any kind. Distances up to `reach` are exact; a larger
// distance may be returned as `reach`.
PL_FN surface_distance probe_solid(const char *data, const solid *s, vec x, float reach)
{
    surface_distance r;
    switch (kind_of(s))
    {
    case SOLID_PLANE:
        r = probe_plane_kind(s, x);
        break;
    case SOLID_SPHERE:
        r = probe_sphere_kind(s, x);
        break;
    case SOLID_CAPSULE:
        r = probe_capsule_kind(s, x);
        break;
    case SOLID_BOX:
        r = probe_box_kind(s, x);
        break;
    case SOLID_HULL:
        r = probe_hull_kind(data, s, x);
        break;
    case SOLID_MESH:
        r = probe_mesh_kind(data, s, x, reach + s->size[3]);
        break;
    case SOLID_SDF:
        r = probe_sdf_kind(data, s, x);
        break;
    default:
        r = probe_field_kind(data, s, x, reach + s->size[3]);
        break;
    }
    if (s->flags & SOLID_INSIDE)
    {
        r.distance = -r.distance;
        r.normal = negative(r.normal);
    }
    return r;
}

#endif

#if LANES == 1

// An upper bound of the displacement of a shape's points between two placements.
PL_FN float placement_moved(const placement *from, const placement *to, float reach)
{
    float far = 0.0f, rotated = 0.0f;
    for (int k = 0; k < 3; k++)
    {
        float way = (to->at[k] - from->at[k]) + (to->low[k] - from->low[k]);
        far += way * way;
    }
    for (int k = 0; k < 9; k++)
        rotated += (to->rotation[k] - from->rotation[k]) * (to->rotation[k] - from->rotation[k]);
    float moved = root(far);
    if (rotated > 0.0f)
        moved += reach > 0.0f ? reach * root(rotated) : 1e30f; // a rotating plane moves without bound
    return moved;
}

#endif
