// manifold_hollow.h: manifolds of a convex shape with the inner wall of a hollow sphere, capsule, box or cylinder, and
// with a thin sheet.
//
// The inside of the wall is convex, so a shape is inside if its vertices are. Each of them meets the curved wall along a
// normal of its own; flat walls are planes. A shape whose middle is outside does not touch the wall.
// Shape A is the convex one, B the wall. `q` is the pose of A in B's frame; normals point from A into the wall, in A's
// frame.
#pragma once
#include "collide/manifold_plane.h"

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct hollow_job
{
    const convex *shape, *wall;
    const pose *q;
    float round, margin, slop;
    ground g;
} hollow_job;

// The curved part of the wall from inside: distance and outward normal. A box has none.
PL_FN surface_distance hollow_curve(const convex *wall, vec x)
{
    surface_distance s;
    if (wall->kind != CONVEX_CYLINDER)
        return convex_probe(wall, x);
    s.normal = direction(vec_of(x.x, 0.0f, x.z), vec_of(1.0f, 0.0f, 0.0f), &s.distance);
    s.distance = s.distance - wall->radius;
    return s;
}

// A point of A's core, in A's frame.
PL_CALL void hollow_point(hollow_job *j, vec x, uint32_t number)
{
    surface_distance s = hollow_curve(j->wall, pose_out(j->q, x));
    float gap = -s.distance - j->round;
    if (gap <= j->margin)
        ground_add(&j->g, transposed_times(&j->q->rotation, s.normal), x, gap, id_of(FEATURE_VERTEX_A, number),
                   j->slop);
}

// The point of a cylinder's rim that is nearest to the wall, as far as the normal at the middle of the rim tells.
PL_FN void hollow_rim(hollow_job *j, float y, uint32_t number)
{
    float len;
    surface_distance s = hollow_curve(j->wall, pose_out(j->q, vec_of(0.0f, y, 0.0f)));
    vec n = transposed_times(&j->q->rotation, s.normal);
    vec flat = direction(vec_of(n.x, 0.0f, n.z), vec_of(0.0f, 0.0f, 0.0f), &len);
    if (len > 1e-3f)
        hollow_point(j, vec_of(j->shape->radius * flat.x, y, j->shape->radius * flat.z), number);
}

PL_CALL void hollow_curved(hollow_job *j)
{
    const convex *a = j->shape;
    if (a->kind == CONVEX_SPHERE || a->kind == CONVEX_CAPSULE)
    {
        hollow_point(j, vec_of(0.0f, -a->half.y, 0.0f), 0);
        if (a->kind == CONVEX_CAPSULE)
            hollow_point(j, vec_of(0.0f, a->half.y, 0.0f), 1);
        return;
    }
    if (a->kind == CONVEX_CYLINDER)
        hollow_rim(j, -a->half.y, 100), hollow_rim(j, a->half.y, 101);
    solid_arrays arrays;
    polyhedron h = polyhedron_for(a, vec_of(1.0f, 0.0f, 0.0f), &arrays);
    for (int i = 0; i < h.vertices; i++)
    {
        vec x = poly_vertex(&h, i);
        float onto = a->kind == CONVEX_CYLINDER ? 0.9659258f : 1.0f; // the vertices of a prism stand outside of it
        hollow_point(j, vec_of(onto * x.x, x.y, onto * x.z), (uint32_t)i);
    }
}

// A flat wall with the outward normal n, in B's frame, at `offset` from B's origin.
PL_CALL void hollow_flat(hollow_job *j, vec n, float offset)
{
    contact_set s;
    vec d = transposed_times(&j->q->rotation, n);
    lowest_points(j->shape, d, offset - dot(n, j->q->at), j->margin, &s);
    for (int i = 0; i < s.count; i++)
        ground_add(&j->g, d, s.at[i], s.separation[i], s.id[i], j->slop);
}

// out: room for GROUND_MANIFOLDS. Returns their number.
PL_CALL int manifold_hollow(const convex *a, const convex *wall, const pose *q, float margin, manifold *out)
{
    hollow_job j;
    if (convex_probe(wall, pose_out(q, a->middle)).distance > 0.0f)
        return 0;
    j.shape = a, j.wall = wall, j.q = q;
    j.round = convex_round(a), j.margin = margin, j.slop = least(SLOP_FACE, SLOP_SHARE * convex_width(a));
    j.g.count = 0;
    if (wall->kind != CONVEX_BOX)
        hollow_curved(&j);
    for (int i = 0; i < 6; i++)
    {
        const int axis = i / 2;
        const float side = i % 2 ? 1.0f : -1.0f, grow = wall->kind == CONVEX_BOX ? wall->radius : 0.0f;
        if (wall->kind == CONVEX_BOX || (wall->kind == CONVEX_CYLINDER && axis == 1))
            hollow_flat(&j, vec_of(axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f),
                        (axis == 0   ? wall->half.x
                         : axis == 1 ? wall->half.y
                                     : wall->half.z) +
                            grow);
    }
    return ground_manifolds(&j.g, j.round, j.slop, q, out);
}

// A sheet in the plane y = 0 of B's frame, `thick` on either side. A is on the side of its middle.
PL_CALL void manifold_sheet(const convex *a, const pose *q, float thick, float margin, manifold *m)
{
    contact_set s;
    vec up = transposed_times(&q->rotation, vec_of(0.0f, 1.0f, 0.0f));
    const float side = q->at.y + dot(up, a->middle) < 0.0f ? -1.0f : 1.0f;
    vec d = times(-side, up);
    m->count = 0;
    m->axis = 0;
    m->normal = d;
    lowest_points(a, d, side * q->at.y - thick, margin, &s);
    contact_choose(&s, convex_round(a), d, least(SLOP_FACE, SLOP_SHARE * convex_width(a)), q, m);
}

#endif
