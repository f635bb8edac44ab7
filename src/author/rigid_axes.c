// rigid_axes.c: finds the principal axes of an inertia by Jacobi's rotations, in double.
#include "author/rigid_mass.h"

#include <math.h>

// Rotates the axes p and q so that a[p][q] becomes 0. The columns of v are the axes.
static void annihilate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / ((theta < 0.0 ? -theta : theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++)
    {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++)
    {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
    }
}

// The unit quaternion x y z w of a rotation matrix, by its largest component.
void rigid_quaternion(double m[3][3], double q[4])
{
    double w = m[0][0] + m[1][1] + m[2][2], best = w;
    int which = 3;
    for (int c = 0; c < 3; c++)
        if (m[c][c] > best)
            best = m[c][c], which = c;
    if (which == 3)
    {
        q[3] = 1.0 + w;
        for (int c = 0; c < 3; c++)
            q[c] = m[(c + 2) % 3][(c + 1) % 3] - m[(c + 1) % 3][(c + 2) % 3];
    }
    else
    {
        int i = which, j = (which + 1) % 3, k = (which + 2) % 3;
        q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int c = 0; c < 4; c++)
        q[c] /= size;
}

pl_result rigid_principal(const rigid_mass *m, double axes[4], double moment[3])
{
    double a[3][3], v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, size = 0.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
        {
            a[r][c] = 0.5 * (m->inertia[r][c] + m->inertia[c][r]);
            size += r == c ? a[r][c] : 0.0;
        }
    // What rounding leaves beside the diagonal would rotate the axes of a ball at random.
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (r != c && a[r][c] < 1e-12 * size && a[r][c] > -1e-12 * size)
                a[r][c] = 0.0;
    for (int sweep = 0; sweep < 24; sweep++)
    {
        annihilate(a, v, 0, 1);
        annihilate(a, v, 1, 2);
        annihilate(a, v, 0, 2);
    }
    for (int c = 0; c < 3; c++)
        moment[c] = a[c][c];
    for (int c = 0; c < 3; c++)
        if (!(moment[c] > 0.0 && moment[c] <= 1.001 * (moment[(c + 1) % 3] + moment[(c + 2) % 3])))
            return fail(PL_ERROR_ARGUMENT,
                        "rigid: the principal moments of inertia are %g, %g and %g kg m^2; each must be above 0 and at "
                        "most the sum of the others",
                        moment[0], moment[1], moment[2]);
    rigid_quaternion(v, axes);
    return PL_OK;
}
