// ellipsoid_contact.h: contacts of ellipsoids (oriented.h) and of spheres, which do not rotate. Mueller and Chentanez
// 2011.
//   support  h(n) = sqrt(n^T S n),  S = R diag(a^2, b^2, c^2) R^T: the extent along n; the support point is S n/h
//   plane    C = n . x - h(n) - offset                arm r = -S n/h
//   two      C = n . (xa - xb) - ha(n) - hb(n)        arms to the midpoint of -Sa n/ha and Sb n/hb
// n is the normal at the contact if both are scaled alike until they touch, n ~ (Sa/ha + Sb/hb)^-1 (xa - xb) (Perram
// and Wertheim 1985); a few fixed-point iterations of this formula find it. Where the two touch, the error of C is of
// second order in the error of n.
//   an impulse p at the arm r: x += w p, rotation I^-1 (r x p);   W = w + (r x n)^T I^-1 (r x n) of each
// The angular momentum at a substep's end is x0 x m (x - x0)/h + ..., taken about the positions at its start. So the
// two arms differ by the separation at the start, and a pair conserves its angular momentum. Units: m, rad.
#pragma once
#include "kernels/contact.h"
#include "kernels/oriented.h"

#if !defined(LANE_DOUBLE)

enum
{
    ELLIPSOID_ROUNDS = 8,
};

typedef struct ellipsoid
{
    mat3 axes, half; // axes of its shape, and of its inertia
    vec squares;     // the squared radii
    vec ease;        // w I^-1 along the axes; 0: it does not rotate
    f32 w;
} ellipsoid;

// Builds a sphere, which does not rotate, where the mask `form` is false.  radii: of the shape; whole: 1/the largest of
// them;  inverse: as in frame_inertia
PL_FN ellipsoid ellipsoid_of(i32 form, vec radii, f32 whole, vec inverse, quat q, f32 radius, f32 w)
{
    const f32 ball = radius * radius;
    f32 scale = radius * whole;
    mat3 axes = quat_axes(pick_quat(form, q, quat_identity()));
    vec squares = vec_of(radii.x * radii.x, radii.y * radii.y, radii.z * radii.z);
    ellipsoid o = {axes, axes, pick_vec(form, times(scale * scale, squares), vec_of(ball, ball, ball)),
                   keep_vec(form, times(5.0f * w, inverse)), w};
    return o;
}

PL_FN vec ellipsoid_image(const ellipsoid *o, vec n) { return along_axes(&o->axes, o->squares, n); } // S n

PL_FN f32 ellipsoid_support(const ellipsoid *o, vec n)
{
    return root(most(dot(n, ellipsoid_image(o, n)), splat(0.0f)));
}

// The support point along n, relative to the centre.
PL_FN vec ellipsoid_tip(const ellipsoid *o, vec n)
{
    f32 h = ellipsoid_support(o, n);
    return times(keep(h > 0.0f, 1.0f / h), ellipsoid_image(o, n));
}

// The rotation that an impulse at an arm causes, and the displacement of the point at that arm.
PL_FN vec ellipsoid_rotation(const ellipsoid *o, vec arm, vec push)
{
    return along_axes(&o->half, o->ease, cross(arm, push));
}
PL_FN vec ellipsoid_moved(const ellipsoid *o, vec arm, vec push)
{
    return add(times(o->w, push), cross(ellipsoid_rotation(o, arm, push), arm));
}

// The columns of Sa/ha + Sb/hb.
PL_FN mat3 ellipsoids_sum(const ellipsoid *a, f32 ha, const ellipsoid *b, f32 hb)
{
    mat3 m;
    for (int i = 0; i < 3; i++)
    {
        vec e = vec_of(splat(i == 0 ? 1.0f : 0.0f), splat(i == 1 ? 1.0f : 0.0f), splat(i == 2 ? 1.0f : 0.0f));
        m.c[i] = add(times(1.0f / ha, ellipsoid_image(a, e)), times(1.0f / hb, ellipsoid_image(b, e)));
    }
    return m;
}

// Is the plane across the line of centres a separating plane?
PL_FN i32 ellipsoids_apart(const ellipsoid *a, const ellipsoid *b, vec d)
{
    f32 own = square(d), ha = dot(d, ellipsoid_image(a, d)),
        hb = dot(d, ellipsoid_image(b, d)); // |d|^2 times the squared extent of each
    return (own > 0.0f) & (own * own > ha + hb + 2.0f * root(most(ha * hb, splat(0.0f))));
}

// Returns the normal from b to a; d: xa - xb. Falls back to the direction of d where an iteration fails.
PL_FN vec ellipsoids_normal(const ellipsoid *a, const ellipsoid *b, vec d)
{
    vec along = contact_normal(d, length(d)), n = along;
    i32 lost = splat(0.0f) > 0.0f;
    for (int round = 0; round < ELLIPSOID_ROUNDS; round++)
    {
        f32 ha = ellipsoid_support(a, n), hb = ellipsoid_support(b, n);
        mat3 m = ellipsoids_sum(a, ha, b, hb);
        vec yz = cross(m.c[1], m.c[2]), zx = cross(m.c[2], m.c[0]), xy = cross(m.c[0], m.c[1]);
        vec next = vec_of(dot(yz, along), dot(zx, along), dot(xy, along)); // m is symmetric; its determinant is above 0
        f32 size = length(next);
        lost = lost | (((ha > 0.0f) & (hb > 0.0f) & (size > 0.0f)) == 0);
        n = pick_vec(lost, along, times(1.0f / size, next));
        if (LANES == 1 && everywhere(lost))
            break;
    }
    return n;
}

// The geometry of a contact of two ellipsoids: the normal from b to a, C, and the arms to the contact point.
typedef struct meeting
{
    vec x, normal, a, b; // x: the normal without the faces of bodies
    f32 gap, reach;      // reach: ha + hb
} meeting;

// d: xa - xb;  f: the direction in which a is pushed, and the face that it must stay in front of.
PL_FN meeting ellipsoids_meet(const ellipsoid *a, const ellipsoid *b, vec d, vec x, stance f)
{
    meeting m;
    vec tip_a = times(splat(-1.0f), ellipsoid_tip(a, f.normal)), tip_b = ellipsoid_tip(b, f.normal);
    vec half = times(splat(0.5f), sub(add(d, tip_a), tip_b));
    m.x = x, m.normal = f.normal;
    m.reach = ellipsoid_support(a, x) + ellipsoid_support(b, x);
    m.gap = contact_gap(d, dot(x, d), f.face, m.reach);
    m.a = sub(tip_a, half), m.b = add(tip_b, half);
    return m;
}

// ---- solving one contact -------------------------------------------------------------------------------------------

// A contact point of one or two ellipsoids: gives the displacement of the point under an impulse.
typedef struct contact_point
{
    const ellipsoid *a, *b; // b: NULL against a shape
    vec at_a, at_b;
} contact_point;

PL_FN vec contact_point_moved(const contact_point *j, vec push)
{
    vec by = ellipsoid_moved(j->a, j->at_a, push);
    return j->b ? add(by, ellipsoid_moved(j->b, j->at_b, push)) : by;
}

// The larger eigenvalue of the point's mobility in the plane across n: friction that divides by it converges in every
// direction.
PL_FN f32 contact_point_slide(const contact_point *j, vec n)
{
    const f32 none = splat(0.0f), all = splat(1.0f);
    i32 mostly_x = (n.x * n.x < 0.5f) == 0;
    vec e = pick_vec(mostly_x, vec_of(none, all, none), vec_of(all, none, none));
    vec s = cross(n, e), one = times(1.0f / length(s), s), two = cross(n, one);
    vec by_one = contact_point_moved(j, one), by_two = contact_point_moved(j, two);
    f32 p = dot(one, by_one), q = dot(two, by_two), r = dot(one, by_two);
    return 0.5f * (p + q + root((p - q) * (p - q) + 4.0f * r * r));
}

// As hold_apart in contact.h, but accounts for the sideways displacement that an impulse along the normal causes.
PL_FN vec contact_point_solve(const contact_point *j, vec n, f32 c, vec u, friction g, softness_lanes p,
                              contact_lambda *h)
{
    f32 w = dot(n, contact_point_moved(j, n)), lambda = pressed(c, 1.0f / w, p.soft, p.share, h->normal);
    vec press = times(lambda - h->normal, n);
    u = add(u, contact_point_moved(j, press));
    u = sub(u, times(dot(u, n), n));
    vec t = within_friction(sub(h->tangent, times(1.0f / contact_point_slide(j, n), u)), lambda, g);
    vec push = add(press, sub(t, h->tangent));
    h->normal = lambda;
    h->tangent = t;
    return push;
}

#endif
