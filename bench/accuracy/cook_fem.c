// cook_fem.c: linear elasticity of the slab in double precision: stiffness matrices of the elements, and conjugate gradients.
#include "cook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int vertex(const slab *s, int i, int j, int k) { return (k * (s->cells[1] + 1) + j) * (s->cells[0] + 1) + i; }

static const int fives[2][5][4] = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}},
    {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}, {0, 3, 6, 5}},
};

slab make_slab(int n)
{
    slab s = {.cells = {n, n, n / 3}};
    int cells = n * n * (n / 3), at = 0;
    s.vertices = (n + 1) * (n + 1) * (n / 3 + 1), s.tets = 5 * cells;
    s.x = calloc(3 * (size_t)s.vertices, sizeof *s.x);
    s.load = calloc((size_t)s.vertices, sizeof *s.load);
    s.tet = calloc(4 * (size_t)s.tets, sizeof *s.tet);
    s.corner = calloc(8 * (size_t)cells, sizeof *s.corner);
    for (int k = 0; k <= n / 3; k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++)
            {
                int v = vertex(&s, i, j, k);
                double u = (double)i / n;
                s.x[3 * v] = 0.48 * u;
                s.x[3 * v + 1] = 0.44 * u + (0.44 - 0.28 * u) * j / n;
                s.x[3 * v + 2] = 0.16 * k / (n / 3);
                if (i == n)
                    s.load[v] = (j % n ? 1.0 : 0.5) * (k % (n / 3) ? 1.0 : 0.5) / (n * (n / 3));
            }
    for (int c = 0; c < cells; c++)
    {
        int i = c % n, j = c / n % n, k = c / n / n;
        for (int b = 0; b < 8; b++)
            s.corner[8 * c + b] = vertex(&s, i + (b & 1), j + (b >> 1 & 1), k + (b >> 2));
        for (int t = 0; t < 20; t++)
            s.tet[at++] = s.corner[8 * c + fives[(i + j + k) % 2][t / 4][t % 4]];
    }
    return s;
}

void free_slab(slab *s)
{
    free(s->x);
    free(s->load);
    free(s->tet);
    free(s->corner);
}

// ---- stiffness -----------------------------------------------------------------------------------------------------

// The stiffness matrices of all elements of `points` vertices each.
typedef struct stiffness
{
    int points, count;
    const int32_t *index;
    double *k; // 3 points x 3 points for each
} stiffness;

// Inverts a 3 x 3 matrix; returns its determinant.
static double invert(double m[3][3], double out[3][3])
{
    double det = 0.0;
    for (int i = 0; i < 9; i++)
    {
        int r = i / 3, c = i % 3;
        out[c][r] = m[(r + 1) % 3][(c + 1) % 3] * m[(r + 2) % 3][(c + 2) % 3] -
                    m[(r + 1) % 3][(c + 2) % 3] * m[(r + 2) % 3][(c + 1) % 3];
    }
    for (int c = 0; c < 3; c++)
        det += m[0][c] * out[c][0];
    for (int i = 0; i < 9; i++)
        out[i / 3][i % 3] /= det;
    return det;
}

// Adds V (mu (ga . gb I + gb ga^T) + lambda ga gb^T) for the gradients g of the shape functions.
static void add_elastic(double *k, int points, double g[][3], double volume, double mu, double lambda)
{
    for (int a = 0; a < points; a++)
        for (int b = 0; b < points; b++)
        {
            double along = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    k[(3 * a + i) * 3 * points + 3 * b + j] +=
                        volume * (mu * ((i == j ? along : 0.0) + g[a][j] * g[b][i]) + lambda * g[a][i] * g[b][j]);
        }
}

static void tet_stiffness(const slab *s, double mu, double lambda, stiffness *out)
{
    *out = (stiffness){4, s->tets, s->tet, calloc(144 * (size_t)s->tets, sizeof(double))};
    for (int t = 0; t < s->tets; t++)
    {
        double e[3][3], inverse[3][3], g[4][3] = {{0}};
        for (int i = 0; i < 9; i++)
            e[i % 3][i / 3] = s->x[3 * s->tet[4 * t + i / 3 + 1] + i % 3] - s->x[3 * s->tet[4 * t] + i % 3];
        double det = invert(e, inverse);
        for (int i = 0; i < 9; i++)
            g[1 + i / 3][i % 3] = inverse[i / 3][i % 3], g[0][i % 3] -= inverse[i / 3][i % 3];
        add_elastic(out->k + 144 * (size_t)t, 4, g, det / 6.0, mu, lambda);
    }
}

static void patch_stiffness(const pl_patches *p, double lambda, stiffness *out)
{
    *out = (stiffness){8, p->count, p->index, calloc(576 * (size_t)p->count, sizeof(double))};
    for (int i = 0; i < p->count; i++)
    {
        const float *param = p->param + 22 * (size_t)i;
        double g[8][3] = {{0}};
        for (int k = 0; k < 21; k++)
            g[1 + k / 3][k % 3] = (double)param[k], g[0][k % 3] -= (double)param[k];
        add_elastic(out->k + 576 * (size_t)i, 8, g, (double)param[21], 0.0, lambda);
    }
}

// Trilinear hexahedra, 2 x 2 x 2 points of integration, with the mean change of volume (Hughes 1980).
static void hex_stiffness(const slab *s, double mu, double lambda, stiffness *out)
{
    int cells = s->tets / 5;
    *out = (stiffness){8, cells, s->corner, calloc(576 * (size_t)cells, sizeof(double))};
    for (int c = 0; c < cells; c++)
    {
        double *k = out->k + 576 * (size_t)c, mean[8][3] = {{0}}, volume = 0.0;
        for (int q = 0; q < 8; q++)
        {
            double slope[8][3], map[3][3] = {{0}}, inverse[3][3], g[8][3] = {{0}};
            for (int b = 0; b < 8; b++)
                for (int m = 0; m < 3; m++)
                {
                    slope[b][m] = b >> m & 1 ? 1.0 : -1.0;
                    for (int n = 1; n < 3; n++)
                    {
                        double at = 0.5 + (q >> (m + n) % 3 & 1 ? 0.5 : -0.5) / sqrt(3.0);
                        slope[b][m] *= b >> (m + n) % 3 & 1 ? at : 1.0 - at;
                    }
                    for (int i = 0; i < 3; i++)
                        map[i][m] += s->x[3 * s->corner[8 * c + b] + i] * slope[b][m];
                }
            double part = invert(map, inverse) / 8.0;
            for (int b = 0; b < 8; b++)
                for (int i = 0; i < 3; i++)
                {
                    for (int m = 0; m < 3; m++)
                        g[b][i] += slope[b][m] * inverse[m][i];
                    mean[b][i] += part * g[b][i];
                }
            volume += part;
            add_elastic(k, 8, g, part, mu, -2.0 / 3.0 * mu);
        }
        for (int i = 0; i < 24; i++)
            mean[i / 3][i % 3] /= volume;
        add_elastic(k, 8, mean, volume, 0.0, lambda + 2.0 / 3.0 * mu);
    }
}

// ---- conjugate gradients -------------------------------------------------------------------------------------------

static void multiply(const stiffness *k, const double *x, double *out)
{
    size_t points = (size_t)k->points, n = 3 * points;
    for (int e = 0; e < k->count; e++)
    {
        const double *m = k->k + n * n * (size_t)e;
        const int32_t *index = k->index + points * (size_t)e;
        for (size_t r = 0; r < n; r++)
        {
            double sum = 0.0;
            for (size_t c = 0; c < n; c++)
                sum += m[n * r + c] * x[3 * (size_t)index[c / 3] + c % 3];
            out[3 * (size_t)index[r / 3] + r % 3] += sum;
        }
    }
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void diagonal(const stiffness *k, double *out)
{
    size_t points = (size_t)k->points, n = 3 * points;
    for (size_t e = 0; e < (size_t)k->count; e++)
        for (size_t r = 0; r < n; r++)
            out[3 * (size_t)k->index[points * e + r / 3] + r % 3] += k->k[n * n * e + r * (n + 1)];
}

double linear_deflection(const slab *s, enum cook_model model, const pl_patches *patches, double nu)
{
    double mu = 0.5 / (1.0 + nu), lambda = nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), left = 1.0, answer = 0.0;
    double kept = fmin(lambda, 1.5 * mu); // of a tetrahedron in a patch: a Poisson's ratio of 0.3
    int n = 3 * s->vertices, parts = model == COOK_PATCHES ? 2 : 1;
    stiffness part[2];
    if (model == COOK_HEXES)
        hex_stiffness(s, mu, lambda, &part[0]);
    else
        tet_stiffness(s, mu, model == COOK_TETS ? lambda : kept, &part[0]);
    if (model == COOK_PATCHES)
        patch_stiffness(patches, lambda - kept, &part[1]);
    double *x = calloc(6 * (size_t)n, sizeof *x), *r = x + n, *z = r + n, *p = z + n, *ap = p + n, *d = ap + n;
    for (int i = 0; i < parts; i++)
        diagonal(&part[i], d);
    for (int i = 0; i < n; i++)
    {
        d[i] = s->x[3 * (i / 3)] > 0.0 ? 1.0 / d[i] : 0.0; // the left side is held
        r[i] = i % 3 == 1 ? s->load[i / 3] : 0.0;
        p[i] = z[i] = d[i] * r[i];
    }
    double rz = product(r, z, n), first = rz;
    for (int step = 0; step < 20000 && left > 1e-16; step++)
    {
        memset(ap, 0, (size_t)n * sizeof *ap);
        for (int i = 0; i < parts; i++)
            multiply(&part[i], p, ap);
        double along = rz / product(p, ap, n), before = rz;
        for (int i = 0; i < n; i++)
        {
            x[i] += along * p[i];
            r[i] -= along * ap[i];
            z[i] = d[i] * r[i];
        }
        rz = product(r, z, n);
        for (int i = 0; i < n; i++)
            p[i] = z[i] + rz / before * p[i];
        left = rz / first;
    }
    for (int v = 0; v < s->vertices; v++)
        answer += s->load[v] * x[3 * v + 1];
    for (int i = 0; i < parts; i++)
        free(part[i].k);
    free(x);
    return answer;
}
