// element_rules.h: which elements of surfaces may be a pair, whatever their distance, and whether an edge crosses a
// triangle. Every search and every backend asks here.
#pragma once
#include "collide/collision_filter.h"

PL_FN double search_volume(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Does the edge cross the triangle? Its ends lie on different sides of the plane, and its line passes all three sides
// with the same orientation.
PL_FN bool edge_crosses(const float *x, const int32_t *edge, const int32_t *t)
{
    double a[3][3], e[3], n[3][3];
    for (int c = 0; c < 3; c++)
    {
        double from = (double)x[4 * (size_t)edge[0] + (size_t)c];
        for (int i = 0; i < 3; i++)
            a[i][c] = (double)x[4 * (size_t)t[i] + (size_t)c] - from;
        e[c] = (double)x[4 * (size_t)edge[1] + (size_t)c] - from;
    }
    for (int i = 0; i < 3; i++)
    {
        n[0][i] = a[1][i] - a[0][i];
        n[1][i] = a[2][i] - a[0][i];
        n[2][i] = e[i] - a[0][i];
    }
    double begin = -search_volume(a[0], n[0], n[1]), end = search_volume(n[2], n[0], n[1]);
    if (!((begin > 0.0 && end < 0.0) || (begin < 0.0 && end > 0.0)))
        return false;
    double u = search_volume(e, a[0], a[1]), v = search_volume(e, a[1], a[2]), w = search_volume(e, a[2], a[0]);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

// Is at least one of the four corners free to move? mass: 4 floats a slot; the fourth is the inverse mass.
PL_FN bool one_moves(const float *mass, const int32_t *corner)
{
    float mobile = 0.0f;
    for (int i = 0; i < 4; i++)
        mobile = mobile + mass[4 * (size_t)corner[i] + 3];
    return mobile != 0.0f;
}

// Do the phases of two particles let their surfaces collide?
PL_FN bool surfaces_may_meet(const float *collision, int32_t a, int32_t b)
{
    uint32_t one = phase_of(collision, a), other = phase_of(collision, b), both = one & other;
    return both >> PHASE_MASK_AT && ((one ^ other) & PHASE_GROUP || both & PHASE_SELF);
}
