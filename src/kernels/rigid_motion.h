// rigid_motion.h: damping that keeps the rigid motion of an object (Mueller, Heidelberger, Hennix, Ratcliff 2006, 3.5).
//   centre c, its velocity V, L = sum r x m v, I = sum m (|r|^2 1 - r r^T), omega = I^-1 L:  v += k (V + omega x r - v)
// The sums run over the object's free particles, with r relative to its first particle, so that float32 suffices far
// from the origin; they are moved to the centre afterwards. Their order is fixed: chunks of 256, in each 16 running
// sums (member j goes to sum j mod 16) joined as a tree, then the chunks one after the other.
#pragma once
#include "core/vec.h"

enum
{
    MOTION_CHUNK = 256,
    MOTION_SUMS = 16,
};

// mass, m r (3), m v (3), r x m v (3), m r r^T (xx yy zz xy xz yz)
typedef struct motion_sum
{
    float s[16];
} motion_sum;

typedef struct rigid_motion
{
    float centre[3], velocity[3], spin[3];
} rigid_motion;

#if LANES == 1 && !defined(LANE_DOUBLE) // one object at a time, without lanes

PL_FN void motion_add(motion_sum *m, point x, point v, vec origin)
{
    float mass = x.w > 0.0f ? 1.0f / x.w : 0.0f;
    vec r = sub(at(x), origin), p = times(mass, at(v)), l = cross(r, p);
    const float term[16] = {mass,
                            mass * r.x,
                            mass * r.y,
                            mass * r.z,
                            p.x,
                            p.y,
                            p.z,
                            l.x,
                            l.y,
                            l.z,
                            mass * r.x * r.x,
                            mass * r.y * r.y,
                            mass * r.z * r.z,
                            mass * r.x * r.y,
                            mass * r.x * r.z,
                            mass * r.y * r.z};
    for (int i = 0; i < 16; i++)
        m->s[i] = m->s[i] + term[i];
}

PL_FN void motion_join(motion_sum *a, const motion_sum *b)
{
    for (int i = 0; i < 16; i++)
        a->s[i] = a->s[i] + b->s[i];
}

// Solves the symmetric 3x3 system m x = b by cofactors.
PL_FN vec solve_symmetric(float xx, float yy, float zz, float xy, float xz, float yz, vec b)
{
    vec r0 = vec_of(xx, xy, xz), r1 = vec_of(xy, yy, yz), r2 = vec_of(xz, yz, zz);
    vec c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    float det = dot(r0, c0);
    float inverse = det > 0.0f ? 1.0f / det : 0.0f;
    return times(inverse, add(times(b.x, c0), add(times(b.y, c1), times(b.z, c2))));
}

PL_FN rigid_motion motion_of(const motion_sum *m, vec origin)
{
    rigid_motion out = {{0}, {0}, {0}};
    float mass = m->s[0];
    if (!(mass > 0.0f))
        return out;
    vec r = times(1.0f / mass, vec_of(m->s[1], m->s[2], m->s[3]));
    vec p = vec_of(m->s[4], m->s[5], m->s[6]), u = times(1.0f / mass, p);
    vec l = sub(vec_of(m->s[7], m->s[8], m->s[9]), cross(r, p));
    float xx = m->s[10] - mass * r.x * r.x, yy = m->s[11] - mass * r.y * r.y, zz = m->s[12] - mass * r.z * r.z;
    float xy = m->s[13] - mass * r.x * r.y, xz = m->s[14] - mass * r.x * r.z, yz = m->s[15] - mass * r.y * r.z;
    float bit = 1e-5f * (xx + yy + zz); // a straight rope has no inertia about its own axis
    vec w = solve_symmetric(yy + zz + bit, xx + zz + bit, xx + yy + bit, -xy, -xz, -yz, l);
    vec c = add(origin, r);
    out.centre[0] = c.x, out.centre[1] = c.y, out.centre[2] = c.z;
    out.velocity[0] = u.x, out.velocity[1] = u.y, out.velocity[2] = u.z;
    out.spin[0] = w.x, out.spin[1] = w.y, out.spin[2] = w.z;
    return out;
}

PL_FN point motion_damp(const rigid_motion *m, point x, point v, float k)
{
    vec r = sub(at(x), vec_of(m->centre[0], m->centre[1], m->centre[2]));
    vec rigid = add(vec_of(m->velocity[0], m->velocity[1], m->velocity[2]),
                    cross(vec_of(m->spin[0], m->spin[1], m->spin[2]), r));
    vec change = times(x.w > 0.0f ? k : 0.0f, sub(rigid, at(v)));
    point out = {v.x + change.x, v.y + change.y, v.z + change.z, v.w};
    return out;
}
#endif
