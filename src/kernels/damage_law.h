// damage_law.h: the permanent effects of load on an element. Above its yield strain it flows plastically: its rest
// shape changes. Above its strength it breaks. Evaluated once a substep, after the velocities.
//   flow    q: the equivalent uniaxial strain. Above y = yield (1 + hardening flown) the fraction creep h of q - y
//           moves into the rest shape, until the accumulated flow, `flown`, reaches `limit`
//     length     q = (|p - q| - rest)/rest                   the rest length grows
//     angle      q = angle - rest [rad]                      the rest angle changes
//     tetrahedra E = R^T F - 1, D its deviator, q = sqrt(3/2) |D|/(1 + nu): von Mises' strain, so that pressure alone
//                causes no yield. F = Fe P with P = 1 + s E: B becomes B P^-1, and the rest shape changes by P
//                (O'Brien, Bargteil, Hodgins 2002; multiplicative: Irving, Teran, Fedkiw 2004). The flow follows the
//                whole strain, not D: tetrahedra of constant strain that must each keep their volume would lock.
//   load    the force of a length or a joint (N), the torque of a joint (N m) or the largest principal stress of an element (Pa; Rankine), divided by the
//           strength; computed from lambda/h^2
#pragma once
#include "elements/dihedral.h"
#include "elements/fem.h"
#include "kernels/shape_match.h"
#include "kernels/damage.h"

#if LANES == 1 && !defined(LANE_DOUBLE) // one row at a time

// The largest eigenvalue of a symmetric matrix, given in the order 00 11 22 12 02 01: the largest root of x^3 - b x - c
// plus the mean of the diagonal, by Newton's iteration from above.
PL_FN float largest_principal(const float *m)
{
    float mean = (m[0] + m[1] + m[2]) * (1.0f / 3.0f), x = m[0] - mean, y = m[1] - mean, z = m[2] - mean;
    float b = 0.5f * (x * x + y * y + z * z) + m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    float c = x * (y * z - m[3] * m[3]) - m[5] * (m[5] * z - m[3] * m[4]) + m[4] * (m[5] * m[3] - y * m[4]);
    float at = 2.0f * root(b * (1.0f / 3.0f));
    for (int i = 0; i < 24; i++)
    {
        float slope = 3.0f * at * at - b;
        float next = slope > 0.0f ? at - (at * (at * at - b) - c) / slope : at;
        if (!(next < at))
            break;
        at = next;
    }
    return mean + at;
}

// The tension of an element, times h^2: a force (length) or the largest principal stress (others).
PL_FN float tension(int law, const point *p, const float *param, const float *lambda)
{
    if (law == LAW_LENGTH)
        return -lambda[0];
    if (law == LAW_TRIANGLE)
    {
        float half = 0.5f * (lambda[0] - lambda[1]);
        return (root(half * half + lambda[2] * lambda[2]) - 0.5f * (lambda[0] + lambda[1])) / param[TRI_VOLUME_AT];
    }
    float inverse = 1.0f / param[TET_VOLUME_AT], stress[6];
    if (law == LAW_TET)
    {
        for (int i = 0; i < 6; i++)
            stress[i] = -lambda[i];
        return inverse * largest_principal(stress);
    }
    // Neo-Hookean: F^T P = lambda_D F^T F/|F| + lambda_H J, divided by the present volume.
    mat3 f = tet_gradient(p, param);
    float grown = mat_det(&f);
    for (int i = 0; i < 3; i++)
        stress[i] = square(f.c[i]);
    stress[3] = dot(f.c[1], f.c[2]), stress[4] = dot(f.c[0], f.c[2]), stress[5] = dot(f.c[0], f.c[1]);
    float size = root(stress[0] + stress[1] + stress[2]);
    if (!(grown > 0.0f && size > 0.0f))
        return 0.0f; // flat or inverted: under pressure, not tension
    return -inverse * (lambda[0] / size * largest_principal(stress) / grown + lambda[1]);
}

// The load of a joint: its force divided by the strength or its torque divided by the limit, whichever is larger.
PL_FN float joint_load(int law, int parts, const float *lambda, float inverse_h2, const damage *m)
{
    int forces = law - LAW_JOINT_1 + 1;
    float force = 0.0f, torque = 0.0f;
    for (int i = 0; i < parts; i++)
        if (i < forces)
            force = force + lambda[i] * lambda[i];
        else
            torque = torque + lambda[i] * lambda[i];
    force = root(force) * inverse_h2 / m->strength;
    torque = m->limit > 0.0f ? root(torque) * inverse_h2 / m->limit : 0.0f;
    return force > torque ? force : torque;
}

// Returns the part of a strain q above the yield that flows now, with hardening, and adds it to `flown`.
PL_FN float flow_by(damage *m, float q, float share)
{
    float yield = m->yield * (1.0f + m->hardening * m->flown);
    if (!(q > yield))
        return 0.0f;
    float by = share * (q - yield) / (1.0f + m->yield * m->hardening), room = m->limit - m->flown;
    if (m->limit > 0.0f && by > room)
        by = room > 0.0f ? room : 0.0f;
    m->flown = m->flown + by;
    return by;
}

PL_FN void flow_tet(damage *m, const point *p, float *param, float share)
{
    mat3 f = tet_gradient(p, param), r = mat_nearest(&f), unit = mat_unit(), e, rotated;
    for (int i = 0; i < 3; i++)
        e.c[i] = vec_of(dot(r.c[0], f.c[i]), dot(r.c[1], f.c[i]), dot(r.c[2], f.c[i]));
    rotated = mat_transpose(&e);
    e = mat_mix(0.5f, &e, 0.5f, &rotated);
    e = mat_mix(1.0f, &e, -1.0f, &unit);
    float mean = (e.c[0].x + e.c[1].y + e.c[2].z) * (1.0f / 3.0f);
    mat3 d = mat_mix(1.0f, &e, -mean, &unit);
    float q = 1.2247449f * mat_size(&d) / (1.0f + param[TET_POISSON_AT]), by = flow_by(m, q, share);
    if (!(by > 0.0f))
        return;
    mat3 grown = mat_mix(1.0f, &unit, by / q, &e), back = mat_inverse(&grown);
    float det = mat_det(&grown);
    if (!(det > 0.1f))
        return; // flat or inverted: not a valid rest shape
    param[TET_VOLUME_AT] = det * param[TET_VOLUME_AT];
    for (int k = 0; k < 3; k++)
    {
        vec row = vec_of(param[3 * k], param[3 * k + 1], param[3 * k + 2]);
        for (int i = 0; i < 3; i++)
            param[3 * k + i] = dot(row, back.c[i]);
    }
}

// Changes the rest parameters of a row by plastic flow; returns how many of them may have changed (10 of fem.h: B and
// the volume).
PL_FN int flow_row(int law, damage *m, const point *p, float *param, float share)
{
    if (law == LAW_LENGTH)
    {
        float far = length(sub(at(p[0]), at(p[1]))), strain = far / param[0] - 1.0f;
        float by = flow_by(m, magnitude(strain), share);
        if (by > 0.0f && far > 0.0f)
            param[0] = far / (1.0f + strain - (strain < 0.0f ? -by : by));
        return 1;
    }
    if (law == LAW_ANGLE)
    {
        vec a = at(p[0]), e = sub(at(p[1]), a), c = sub(at(p[2]), a), d = sub(at(p[3]), a);
        float lean = dihedral_angle(e, cross(e, c), cross(d, e)) - param[0];
        lean = lean > 3.14159265f ? lean - 6.28318531f : lean < -3.14159265f ? lean + 6.28318531f : lean;
        float by = flow_by(m, magnitude(lean), share);
        param[0] = param[0] + (lean < 0.0f ? -by : by);
        return 1;
    }
    if (law == LAW_TET || law == LAW_NEO_HOOKEAN)
    {
        flow_tet(m, p, param, share);
        return 10;
    }
    return 0;
}

#endif
