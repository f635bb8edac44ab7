// manifold_convex.h: the manifold of any two convex shapes.
#pragma once
#include "collide/manifold_box.h"
#include "collide/manifold_cylinder.h"

#if LANES == 1 && !defined(LANE_DOUBLE)

// A's kind is B's or comes after it; of two polyhedra A is the larger one.
PL_FN void manifold_ordered(const convex *a, const convex *b, const pose *p, float margin, uint32_t last, manifold *m)
{
    if (b->kind == CONVEX_SPHERE)
    {
        manifold_sphere(a, b, p, margin, m);
        return;
    }
    if (b->kind == CONVEX_CYLINDER || a->kind == CONVEX_CYLINDER)
    {
        manifold_cylinder(a, b, p, margin, last, m);
        return;
    }
    if (a->kind == CONVEX_CAPSULE)
    {
        manifold_capsules(a, b, p, margin, m);
        return;
    }
    if (a->kind == CONVEX_BOX && b->kind == CONVEX_BOX)
    {
        manifold_boxes(a, b, p, margin, last, m);
        return;
    }
    solid_arrays sa, sb;
    float width = least(convex_width(a), convex_width(b));
    polyhedron ha = polyhedron_for(a, p->at, &sa);
    if (b->kind == CONVEX_CAPSULE)
    {
        manifold_poly_capsule(&ha, a->radius, b, width, p, margin, last, m);
        return;
    }
    const float round[2] = {a->radius, b->radius};
    polyhedron hb = polyhedron_for(b, p->at, &sb);
    manifold_poly_poly(&ha, &hb, p, round, width, margin, last, m);
}

// In which frame a pair is computed: that of the more complex, and among equals the larger shape. There the small one has
// small coordinates across the surface, so that a die on a square kilometre loses no accuracy.
PL_FN int first_is_a(const convex *a, const convex *b)
{
    int ra = a->kind >= CONVEX_BOX ? CONVEX_BOX : a->kind, rb = b->kind >= CONVEX_BOX ? CONVEX_BOX : b->kind;
    return ra > rb || (ra == rb && a->reach >= b->reach);
}

// in_a: B in A's frame; in_b: A in B's frame.
PL_FN void manifold_either(const convex *a, const convex *b, const pose *in_a, const pose *in_b, float margin,
                           uint32_t last, manifold *m)
{
    m->normal = vec_of(0.0f, 1.0f, 0.0f);
    if (first_is_a(a, b))
    {
        manifold_ordered(a, b, in_a, margin, last, m);
        return;
    }
    manifold_ordered(b, a, in_b, margin, axis_swap(last), m);
    manifold_swap(m, in_b);
}

// The manifold of two shapes. ra, rb: their rotations; from_a_to_b: the position of B minus that of A, in the axes of the
// world, as a difference of displacements. margin: points up to this separation are reported [m]. last: `axis` of the
// pair's last manifold, 0: none. The normal is in A's frame: mat_times(ra, m->normal) turns it to the world's axes.
PL_CALL void manifold_between(const convex *a, const convex *b, const mat3 *ra, const mat3 *rb, vec from_a_to_b,
                              float margin, uint32_t last, manifold *m)
{
    pose in_a = pose_between(ra, rb, from_a_to_b), in_b = pose_between(rb, ra, negative(from_a_to_b));
    manifold_either(a, b, &in_a, &in_b, margin, last, m);
}

// The same from the pose of B in A's frame; for shapes of one size.
PL_CALL void manifold_of(const convex *a, const convex *b, const pose *p, float margin, uint32_t last, manifold *m)
{
    pose back = pose_inverse(p);
    manifold_either(a, b, p, &back, margin, last, m);
}

#endif
