// energy.c: the judge's constraints: values, gradients and second derivatives in double precision.
//   distance   C = |p - q| - rest                                   tether: the same, from an anchor that stays
//   dihedral   C = angle - rest angle                               signed, by atan2; 0 is flat
//   isometric  C = sum_i k_i x_i, a vector                          Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006
//   tet volume C = det(b - a, c - a, d - a) / 6 - rest
//   pin        C = x - target, a vector
//   area       C = |(b - a) x (c - a)|/2 - rest
//   patch      C = sqrt(V) (det F - 1),  F = sum_k x_k b_k^T
// Written from the equations, not from the engine's headers, so that a slip there cannot hide here.
#include "reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef double vec[3];

static void sub(const double *a, const double *b, vec out)
{
    for (int k = 0; k < 3; ++k)
    {
        out[k] = a[k] - b[k];
    }
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

int judge_arity(pl_kind kind)
{
    switch (kind)
    {
    case PL_KIND_DISTANCE:
    case PL_KIND_DISTANCE_MIN:
    case PL_KIND_DISTANCE_MAX:
    case PL_KIND_TETHER:
        return 2;
    case PL_KIND_DIHEDRAL:
    case PL_KIND_ISOMETRIC:
    case PL_KIND_TET_VOLUME:
        return 4;
    case PL_KIND_AREA:
        return 3;
    case PL_KIND_PIN:
        return 1;
    case PL_KIND_PATCH_VOLUME:
        return 8;
    default:
        return judge_element(kind) ? judge_element(kind) + 1 : 0;
    }
}

static void distance(const double *p, double rest, judge_value *out)
{
    vec d;
    sub(p, p + 3, d);
    double len = sqrt(dot(d, d));
    out->c[0] = len - rest;
    if (!(len > 0.0))
    {
        return; // coincident points have no direction to part in
    }
    for (int a = 0; a < 3; ++a)
    {
        double n = d[a] / len;
        out->gradient[0][a] = n;
        out->gradient[0][3 + a] = -n;
        for (int b = 0; b < 3; ++b)
        {
            double h = ((a == b ? 1.0 : 0.0) - n * d[b] / len) / len;
            out->hessian[a][b] = out->hessian[3 + a][3 + b] = h;
            out->hessian[a][3 + b] = out->hessian[3 + a][b] = -h;
        }
    }
}

// V = (b - a) . ((c - a) x (d - a)) / 6: each gradient is an opposite face's area vector, linear in the other points.
static void tet_volume(const double *p, double rest, judge_value *out)
{
    vec e[3];
    for (int k = 0; k < 3; ++k)
    {
        sub(p + 3 * (k + 1), p, e[k]);
    }
    double *g = out->gradient[0];
    cross(e[1], e[2], g + 3);
    cross(e[2], e[0], g + 6);
    cross(e[0], e[1], g + 9);
    out->c[0] = dot(e[0], g + 3) / 6.0 - rest;
    for (int k = 0; k < 3; ++k)
    {
        g[3 + k] /= 6.0;
        g[6 + k] /= 6.0;
        g[9 + k] /= 6.0;
        g[k] = -(g[3 + k] + g[6 + k] + g[9 + k]);
    }
    // d grad_i / d e_j = +-[e_k]x / 6 for (i, j, k) a permutation of the three edges; the row and column of point a
    // follow because moving all points together changes nothing.
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        // grad_i = e_j x e_k / 6
        double skew[3][3] = {{0, -e[k][2], e[k][1]}, {e[k][2], 0, -e[k][0]}, {-e[k][1], e[k][0], 0}};
        for (int a = 0; a < 3; ++a)
        {
            for (int b = 0; b < 3; ++b)
            {
                double h = -skew[a][b] / 6.0;
                out->hessian[3 * (i + 1) + a][3 * (j + 1) + b] = h;
                out->hessian[3 * (j + 1) + b][3 * (i + 1) + a] = h;
            }
        }
    }
    for (int r = 3; r < 12; ++r)
    {
        for (int b = 0; b < 3; ++b)
        {
            double h = -(out->hessian[r][3 + b] + out->hessian[r][6 + b] + out->hessian[r][9 + b]);
            out->hessian[r][b] = out->hessian[b][r] = h;
        }
    }
    for (int a = 0; a < 3; ++a)
    {
        for (int b = 0; b < 3; ++b)
        {
            out->hessian[a][b] = -(out->hessian[a][3 + b] + out->hessian[a][6 + b] + out->hessian[a][9 + b]);
        }
    }
}

// The determinant is linear in each column of F: its second derivative by two of them is the cross product with the third.
static void patch_volume(const double *p, const double *param, judge_value *out)
{
    double b[8][3] = {{0}}, f[3][3] = {{0}}, n[3][3], size = sqrt(param[21]), *g = out->gradient[0];
    for (int k = 0; k < 21; ++k)
    {
        b[1 + k / 3][k % 3] = param[k];
        b[0][k % 3] -= param[k];
    }
    for (int k = 0; k < 72; ++k)
    {
        f[k % 3][k / 3 % 3] += p[3 * (k / 9) + k / 3 % 3] * b[k / 9][k % 3];
    }
    for (int m = 0; m < 3; ++m)
    {
        cross(f[(m + 1) % 3], f[(m + 2) % 3], n[m]);
    }
    out->c[0] = size * (dot(f[0], n[0]) - 1.0);
    for (int r = 0; r < 24; ++r)
    {
        for (int m = 0; m < 3; ++m)
        {
            g[r] += size * b[r / 3][m] * n[m][r % 3];
            // d n_m/d f_l, l = m + 1: the component r % 3 of e x f_k, where k = m + 2; the other order has the other sign.
            int l = (m + 1) % 3, k = (m + 2) % 3, a = r % 3;
            for (int s = 0; s < 24; ++s)
            {
                int c = s % 3;
                double skew = c == (a + 1) % 3 ? f[k][(a + 2) % 3] : c == (a + 2) % 3 ? -f[k][(a + 1) % 3] : 0.0;
                out->hessian[r][s] += size * skew * (b[r / 3][m] * b[s / 3][l] - b[r / 3][l] * b[s / 3][m]);
            }
        }
    }
}

// The angle and its gradient. Points: a b the shared edge, c d the opposite corners.
static double hinge(const double *p, double *gradient)
{
    const double *a = p, *b = p + 3, *c = p + 6, *d = p + 9;
    vec edge, ca, cb, da, db, n1, n2, turn;
    sub(b, a, edge);
    sub(a, c, ca);
    sub(b, c, cb);
    sub(a, d, da);
    sub(b, d, db);
    cross(ca, cb, n1);
    cross(db, da, n2);
    cross(n1, n2, turn);
    double len = sqrt(dot(edge, edge)), s1 = dot(n1, n1), s2 = dot(n2, n2);
    for (int k = 0; k < 3; ++k)
    {
        double m1 = n1[k] / s1, m2 = n2[k] / s2;
        gradient[6 + k] = -len * m1;
        gradient[9 + k] = -len * m2;
        gradient[k] = (dot(cb, edge) * m1 + dot(db, edge) * m2) / len;
        gradient[3 + k] = -(dot(ca, edge) * m1 + dot(da, edge) * m2) / len;
    }
    return atan2(dot(turn, edge) / len, dot(n1, n2));
}

// Second derivatives by central differences of the gradient: good to ten digits, and short. A slightly wrong Hessian only
// costs Newton an iteration; what it converges to is set by the gradient.
static void bend(double value(const double *p, double *gradient), const double *p, judge_value *out)
{
    double size = sqrt(dot(p, p) + dot(p + 3, p + 3)), edge = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        edge += (p[3 + k] - p[k]) * (p[3 + k] - p[k]);
    }
    double h = 1e-5 * sqrt(edge) + 1e-12 * size;
    for (int r = 0; r < out->coordinates; ++r)
    {
        double q[12], plus[12], minus[12];
        memcpy(q, p, (size_t)out->coordinates * sizeof *q);
        q[r] = p[r] + h;
        value(q, plus);
        q[r] = p[r] - h;
        value(q, minus);
        for (int s = 0; s < out->coordinates; ++s)
        {
            double half = 0.5 * (plus[s] - minus[s]) / (2.0 * h);
            out->hessian[r][s] += half;
            out->hessian[s][r] += half;
        }
    }
}

static void dihedral(const double *p, double rest, judge_value *out)
{
    const double pi = 3.14159265358979323846;
    double c = hinge(p, out->gradient[0]) - rest;
    out->c[0] = c > pi ? c - 2.0 * pi : c < -pi ? c + 2.0 * pi : c;

    bend(hinge, p, out);
}

static double face(const double *p, double *gradient)
{
    vec ab, ac, bc, n;
    sub(p + 3, p, ab);
    sub(p + 6, p, ac);
    sub(p + 6, p + 3, bc);
    cross(ab, ac, n);
    double size = sqrt(dot(n, n));
    for (int k = 0; k < 3; ++k)
    {
        n[k] /= 2.0 * size;
    }
    cross(n, bc, gradient); // across the side that lies opposite
    cross(ac, n, gradient + 3);
    cross(n, ab, gradient + 6);
    return 0.5 * size;
}

static void area(const double *p, double rest, judge_value *out)
{
    out->c[0] = face(p, out->gradient[0]) - rest;
    bend(face, p, out);
}

static void vector_sum(const double *p, int points, const double *weight, const double *shift, judge_value *out)
{
    out->parts = 3;
    for (int a = 0; a < 3; ++a)
    {
        out->c[a] = -shift[a];
        for (int i = 0; i < points; ++i)
        {
            out->c[a] += weight[i] * p[3 * i + a];
            out->gradient[a][3 * i + a] = weight[i];
        }
    }
}

void judge_evaluate(const judge_row *row, const double *p, judge_value *out)
{
    static const double one = 1.0, zero[3];
    memset(out, 0, sizeof *out);
    out->parts = 1;
    out->coordinates = 3 * judge_arity(row->kind);
    out->low = -DBL_MAX;
    out->high = DBL_MAX;
    switch (row->kind)
    {
    case PL_KIND_DISTANCE_MIN:
        out->low = 0.0; // only pushes
        distance(p, row->param[0], out);
        break;
    case PL_KIND_DISTANCE_MAX:
    case PL_KIND_TETHER:
        out->high = 0.0; // only pulls
        distance(p, row->param[0], out);
        break;
    case PL_KIND_DISTANCE:
        distance(p, row->param[0], out);
        break;
    case PL_KIND_DIHEDRAL:
        dihedral(p, row->param[0], out);
        break;
    case PL_KIND_ISOMETRIC:
        vector_sum(p, 4, row->param, zero, out);
        break;
    case PL_KIND_TET_VOLUME:
        tet_volume(p, row->param[0], out);
        break;
    case PL_KIND_PIN:
        vector_sum(p, 1, &one, row->param, out);
        break;
    case PL_KIND_AREA:
        area(p, row->param[0], out);
        break;
    case PL_KIND_PATCH_VOLUME:
        patch_volume(p, row->param, out);
        break;
    default:
        out->parts = 0;
        break;
    }
}
