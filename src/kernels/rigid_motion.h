// rigid_motion.h: the rigid motion that has the momentum and the angular momentum of a set of particles.
//   centre c, its velocity V, L = sum r x m v, I = sum m (|r|^2 1 - r r^T), omega = I^-1 L:  the field V + omega x r
// Damping keeps it and slows down the rest, v += k (V + omega x r - v) (Mueller, Heidelberger, Hennix, Ratcliff 2006,
// 3.5); constraints return what they must not have changed of it (stages/component_stages.h).
//
// The sums run over free particles, with r relative to a particle of the set, so that float32 suffices far from the
// origin; they are moved to the centre afterwards. Their order is fixed: chunks of 256 members, in each 16 running sums
// (member j goes to sum j mod 16) joined as a tree; 16 chunks one after the other are a block; then the blocks.
#pragma once
#include "core/vec.h"

enum
{
    MOTION_CHUNK = 256,
    MOTION_SUMS = 16,
    MOTION_BLOCK = 16, // chunks
    MOTION_TERMS = 22,
};

// mass, m r (3), m v (3), r x m v (3), m r r^T (xx yy zz xy xz yz), and for BDF2 m a (3), m b (3): see motion_bend
typedef struct motion_sum
{
    float s[MOTION_TERMS];
} motion_sum;

typedef struct rigid_motion
{
    float origin[3], moved[3]; // r is relative to a particle here, which BDF2 has moved by this
    float centre[3];           // relative to the origin, as their sum would be rounded far from 0
    float velocity[3], spin[3];
} rigid_motion;

#if !defined(LANE_DOUBLE)

// Adds particles of inverse mass w at r, with velocity v, to the sums of their lanes.
PL_FN void motion_add(f32 *sum, f32 w, vec r, vec v)
{
    f32 mass = keep(w > 0.0f, 1.0f / w);
    vec q = times(mass, r), p = times(mass, v), l = cross(r, p);
    const f32 term[16] = {mass, q.x, q.y,       q.z,       p.x,       p.y,       p.z,       l.x,
                          l.y,  l.z, q.x * r.x, q.y * r.y, q.z * r.z, q.x * r.y, q.x * r.z, q.y * r.z};
    for (int i = 0; i < 16; i++)
        sum[i] = sum[i] + term[i];
}

// Adds the angular momentum sum m a x b, a and b relative to their means, which motion_of subtracts.
PL_FN void motion_bend(f32 *sum, f32 w, vec a, vec b)
{
    f32 mass = keep(w > 0.0f, 1.0f / w);
    vec p = times(mass, a), q = times(mass, b), l = cross(a, q);
    sum[7] = sum[7] + l.x, sum[8] = sum[8] + l.y, sum[9] = sum[9] + l.z;
    sum[16] = sum[16] + p.x, sum[17] = sum[17] + p.y, sum[18] = sum[18] + p.z;
    sum[19] = sum[19] + q.x, sum[20] = sum[20] + q.y, sum[21] = sum[21] + q.z;
}

// The motion of particles at r from its centre.
PL_FN vec motion_at(vec velocity, vec spin, vec r) { return add(velocity, cross(spin, r)); }

#endif

#if LANES == 1 && !defined(LANE_DOUBLE) // one set at a time, without lanes

PL_FN void motion_join(motion_sum *a, const motion_sum *b)
{
    for (int i = 0; i < MOTION_TERMS; i++)
        a->s[i] = a->s[i] + b->s[i];
}

// Solves the symmetric system m x = b, m without negative eigenvalues, by elimination, largest pivot first. A direction
// whose pivot is next to nothing stays 0: a straight rope has no inertia about its own axis, and nothing to turn.
PL_FN vec solve_symmetric(float xx, float yy, float zz, float xy, float xz, float yz, vec b)
{
    float m[3][4] = {{xx, xy, xz, b.x}, {xy, yy, yz, b.y}, {xz, yz, zz, b.z}}, out[3] = {0.0f, 0.0f, 0.0f};
    const float least_pivot = 1e-5f * (xx + yy + zz);
    int order[3] = {0, 1, 2}, rank = 0;
    for (; rank < 3; rank++)
    {
        int best = rank;
        for (int i = rank + 1; i < 3; i++)
            best = m[order[i]][order[i]] > m[order[best]][order[best]] ? i : best;
        int p = order[best];
        order[best] = order[rank], order[rank] = p;
        if (!(m[p][p] > least_pivot))
            break;
        for (int i = rank + 1; i < 3; i++)
        {
            int r = order[i];
            float factor = m[r][p] / m[p][p];
            for (int c = 0; c < 4; c++)
                m[r][c] = m[r][c] - factor * m[p][c];
        }
    }
    for (int k = rank - 1; k >= 0; k--)
    {
        int p = order[k];
        float right = m[p][3];
        for (int i = k + 1; i < rank; i++)
            right = right - m[p][order[i]] * out[order[i]];
        out[p] = right / m[p][p];
    }
    return vec_of(out[0], out[1], out[2]);
}

PL_FN vec motion_part(const motion_sum *m, int first) { return vec_of(m->s[first], m->s[first + 1], m->s[first + 2]); }

PL_FN rigid_motion motion_of(const motion_sum *m)
{
    rigid_motion out = {{0}, {0}, {0}, {0}, {0}};
    float mass = m->s[0];
    if (!(mass > 0.0f))
        return out;
    float share = 1.0f / mass;
    vec p = motion_part(m, 4), r = times(share, motion_part(m, 1)), u = times(share, p);
    vec bend = times(share, cross(motion_part(m, 16), motion_part(m, 19)));
    vec l = sub(sub(motion_part(m, 7), cross(r, p)), bend);
    float xx = m->s[10] - mass * r.x * r.x, yy = m->s[11] - mass * r.y * r.y, zz = m->s[12] - mass * r.z * r.z;
    float xy = m->s[13] - mass * r.x * r.y, xz = m->s[14] - mass * r.x * r.z, yz = m->s[15] - mass * r.y * r.z;
    vec w = solve_symmetric(yy + zz, xx + zz, xx + yy, -xy, -xz, -yz, l);
    out.centre[0] = r.x, out.centre[1] = r.y, out.centre[2] = r.z;
    out.velocity[0] = u.x, out.velocity[1] = u.y, out.velocity[2] = u.z;
    out.spin[0] = w.x, out.spin[1] = w.y, out.spin[2] = w.z;
    return out;
}

#endif
