// manifold_convex.h: the manifold of any two convex shapes.
#pragma once
#include "collide/manifold_box.h"
#include "collide/manifold_cylinder.h"

#if LANES == 1 && !defined(LANE_DOUBLE)

// A's kind comes before B's, or is the same.
PL_FN void manifold_ordered(const convex *a, const convex *b, const pose *p, float margin, uint32_t last, manifold *m)
{
    if (a->kind == CONVEX_SPHERE)
    {
        manifold_sphere(a, b, p, margin, m);
        return;
    }
    if (b->kind == CONVEX_CYLINDER || a->kind == CONVEX_CYLINDER)
    {
        manifold_cylinder(a, b, p, margin, last, m);
        return;
    }
    if (b->kind == CONVEX_CAPSULE)
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
    polyhedron hb = polyhedron_for(b, p->at, &sb);
    if (a->kind == CONVEX_CAPSULE)
    {
        manifold_capsule_poly(a, &hb, b->radius, width, p, margin, last, m);
        return;
    }
    const float round[2] = {a->radius, b->radius};
    polyhedron ha = polyhedron_for(a, p->at, &sa);
    manifold_poly_poly(&ha, &hb, p, round, width, margin, last, m);
}

// p: B in A's frame. margin: points up to this separation are reported [m]. last: `axis` of the last manifold of the
// pair, 0: none.
PL_CALL void manifold_of(const convex *a, const convex *b, const pose *p, float margin, uint32_t last, manifold *m)
{
    m->normal = vec_of(0.0f, 1.0f, 0.0f);
    if (a->kind <= b->kind)
    {
        manifold_ordered(a, b, p, margin, last, m);
        return;
    }
    pose back = pose_inverse(p);
    manifold_ordered(b, a, &back, margin, axis_swap(last), m);
    manifold_swap(m, &back);
}

#endif
