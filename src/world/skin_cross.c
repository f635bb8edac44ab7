// skin_cross.c: does an edge go through a triangle? In double, by signed volumes.
#include "world/skin_hunt.h"

static double volume(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Does the edge go through the triangle? Its ends lie on either side, and its line runs round all sides the same way.
bool edge_crosses(const float *x, const int32_t *edge, const int32_t *t)
{
    double a[3][3], e[3], n[3][3], end = 0.0;
    for (int c = 0; c < 3; c++)
    {
        double from = x[4 * (size_t)edge[0] + (size_t)c];
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
    double begin = -volume(a[0], n[0], n[1]);
    end = volume(n[2], n[0], n[1]);
    if (!((begin > 0.0 && end < 0.0) || (begin < 0.0 && end > 0.0)))
        return false;
    double u = volume(e, a[0], a[1]), v = volume(e, a[1], a[2]), w = volume(e, a[2], a[0]);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}
