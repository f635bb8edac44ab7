// elements.c: the judge's finite elements. Not as constraints but as what they are in a textbook: an energy density psi(F) and the
// stress P = dpsi/dF (first Piola), for F the deformation gradient; forces are -V P B^T. Bonet and Wood 2008.
//   stvk_tet, stvk_triangle      psi = 1/2 E : H E,  E = (F^T F - I)/2;   P = F S,  S = H E;   H is Hooke's law, for a triangle that of
//                                orthotropic plane stress
//   corotated_tet                psi = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2
//   neo_hookean                  psi = mu/2 (|F|^2 - 3) - mu (J - 1) + l/2 (J - 1)^2,   l = lambda + mu
//   strain_tet, strain_triangle  psi = 1/2 sum_i E_i (|F_i| - 1)^2 + 1/2 sum_ij G cos^2(F_i, F_j)
// Multipliers follow from the stress. Second derivatives are central differences of P: ten digits, and a slightly wrong one only costs
// Newton an iteration. F is held as columns, three numbers each; a triangle has two of them.
#include "reference.h"

#include <math.h>
#include <string.h>

typedef double columns[3][3]; // F[i]: column i

typedef struct material
{
    pl_kind kind;
    int n; // columns of F
    double young, nu, mu, lambda, weft, shear, volume;
    double b[3][3]; // b[k][i]: how column i of F follows edge k
} material;

int judge_element(pl_kind kind)
{
    return kind >= PL_KIND_STVK_TET && kind <= PL_KIND_STRAIN_TET             ? 3
           : kind == PL_KIND_STVK_TRIANGLE || kind == PL_KIND_STRAIN_TRIANGLE ? 2
                                                                              : 0;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; ++k)
    {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

static material material_of(const judge_row *row)
{
    int n = judge_element(row->kind);
    const double *rest = row->param + n * n;
    material m = {.kind = row->kind, .n = n, .young = 1.0 / row->compliance, .volume = rest[0], .nu = rest[1]};
    m.mu = m.young / (2.0 * (1.0 + m.nu));
    m.lambda = m.young * m.nu / ((1.0 + m.nu) * (1.0 - 2.0 * m.nu));
    m.weft = n == 2 ? m.young * rest[2] : 0.0;
    m.shear = n == 2 ? m.young * rest[3] : 0.0;
    for (int k = 0; k < n * n; ++k)
    {
        m.b[k / n][k % n] = row->param[k];
    }
    return m;
}

static void gradient_of(const material *m, const double *p, columns f)
{
    memset(f, 0, sizeof(columns));
    for (int i = 0; i < m->n; ++i)
    {
        for (int k = 0; k < m->n; ++k)
        {
            for (int c = 0; c < 3; ++c)
            {
                f[i][c] += m->b[k][i] * (p[3 * (k + 1) + c] - p[c]);
            }
        }
    }
}

// Stress out of strain, Voigt's order 00 11 22 12 02 01 (00 11 01), engineering shears; returns their energy.
static double hooke(const material *m, const double *e, double *s)
{
    double energy = 0.0;
    if (m->n == 2)
    {
        double det = m->young / m->weft - m->nu * m->nu;
        s[0] = m->young * (m->young / m->weft * e[0] + m->nu * e[1]) / det;
        s[1] = m->young * (m->nu * e[0] + e[1]) / det;
        s[2] = m->shear * e[2];
    }
    for (int i = 0; m->n == 3 && i < 3; ++i)
    {
        s[i] = m->lambda * (e[0] + e[1] + e[2]) + 2.0 * m->mu * e[i];
        s[3 + i] = m->mu * e[3 + i];
    }
    for (int i = 0; i < (m->n == 2 ? 3 : 6); ++i)
    {
        energy += 0.5 * s[i] * e[i];
    }
    return energy;
}

// The place in Voigt's order of the shear between axes i and j.
static int shear_at(int n, int i, int j) { return n == 2 ? 2 : 3 + (3 - i - j); }

static double stvk(const material *m, columns f, columns p, double *s)
{
    double e[6] = {0};
    for (int i = 0; i < m->n; ++i)
    {
        e[i] = 0.5 * (dot(f[i], f[i]) - 1.0);
        for (int j = 0; j < i; ++j)
        {
            e[shear_at(m->n, i, j)] = dot(f[i], f[j]);
        }
    }
    double energy = hooke(m, e, s);
    for (int i = 0; i < m->n; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            p[i][c] = 0.0;
            for (int j = 0; j < m->n; ++j)
            {
                p[i][c] += f[j][c] * (i == j ? s[i] : s[shear_at(m->n, i, j)]);
            }
        }
    }
    return energy;
}

// One rotation of Jacobi's method for F^T F, made on the columns themselves: those of F V, and V.
static void make_normal(columns fv, columns v, int a, int b)
{
    double off = dot(fv[a], fv[b]), gap = dot(fv[b], fv[b]) - dot(fv[a], fv[a]);
    if (off == 0.0)
    {
        return;
    }
    double tau = gap / (2.0 * off), t = (tau < 0.0 ? -1.0 : 1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double cosine = 1.0 / sqrt(1.0 + t * t), sine = t * cosine;
    for (int c = 0; c < 3; ++c)
    {
        double x = fv[a][c], y = fv[b][c];
        fv[a][c] = cosine * x - sine * y;
        fv[b][c] = sine * x + cosine * y;
        x = v[a][c], y = v[b][c];
        v[a][c] = cosine * x - sine * y;
        v[b][c] = sine * x + cosine * y;
    }
}

// R = U V^T with det 1: the two longest axes as they are, the third by the right hand. One-sided Jacobi.
static void nearest_rotation(columns f, columns r)
{
    columns fv, v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(fv, f, sizeof fv);
    for (int sweep = 0; sweep < 30; ++sweep)
    {
        make_normal(fv, v, 0, 1);
        make_normal(fv, v, 0, 2);
        make_normal(fv, v, 1, 2);
    }
    int least = 0;
    for (int i = 1; i < 3; ++i)
    {
        least = dot(fv[i], fv[i]) < dot(fv[least], fv[least]) ? i : least;
    }
    int a = (least + 1) % 3, b = (least + 2) % 3;
    double la = sqrt(dot(fv[a], fv[a])), lb = sqrt(dot(fv[b], fv[b]));
    for (int c = 0; c < 3; ++c)
    {
        fv[a][c] /= la;
        fv[b][c] /= lb;
    }
    cross(fv[a], fv[b], fv[least]); // V stayed right-handed
    for (int i = 0; i < 3; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            r[i][c] = fv[0][c] * v[0][i] + fv[1][c] * v[1][i] + fv[2][c] * v[2][i];
        }
    }
}

static double corotated(const material *m, columns f, columns p, double *s)
{
    columns r;
    double e[6], trace = 0.0, energy = 0.0;
    nearest_rotation(f, r);
    for (int i = 0; i < 3; ++i)
    {
        e[i] = dot(r[i], f[i]) - 1.0;
        trace += e[i];
        for (int j = 0; j < i; ++j)
        {
            e[shear_at(3, i, j)] = dot(r[i], f[j]) + dot(r[j], f[i]);
        }
    }
    hooke(m, e, s);
    for (int k = 0; k < 9; ++k)
    {
        double d = f[k / 3][k % 3] - r[k / 3][k % 3];
        p[k / 3][k % 3] = 2.0 * m->mu * d + m->lambda * trace * r[k / 3][k % 3];
        energy += m->mu * d * d;
    }
    return energy + 0.5 * m->lambda * trace * trace;
}

static double neo_hookean(const material *m, columns f, columns p, double *s)
{
    double l = m->lambda + m->mu, size = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]), normal[3];
    cross(f[1], f[2], normal);
    double grown = dot(f[0], normal) - 1.0;
    for (int i = 0; i < 3; ++i)
    {
        cross(f[(i + 1) % 3], f[(i + 2) % 3], normal);
        for (int c = 0; c < 3; ++c)
        {
            p[i][c] = m->mu * f[i][c] + (l * grown - m->mu) * normal[c];
        }
    }
    s[0] = m->mu * sqrt(size);
    s[1] = l * grown - m->mu;
    return 0.5 * m->mu * (size - 3.0) - m->mu * grown + 0.5 * l * grown * grown;
}

static double strained(const material *m, columns f, columns p, double *s)
{
    double energy = 0.0, length[3];
    columns axis;
    for (int i = 0; i < m->n; ++i)
    {
        double young = m->n == 2 && i == 1 ? m->weft : m->young;
        length[i] = sqrt(dot(f[i], f[i]));
        s[i] = young * (length[i] - 1.0);
        energy += 0.5 * s[i] * (length[i] - 1.0);
        for (int c = 0; c < 3; ++c)
        {
            axis[i][c] = f[i][c] / length[i];
            p[i][c] = s[i] * axis[i][c];
        }
    }
    for (int i = 0; i < m->n; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            double cosine = dot(axis[i], axis[j]), pull = (m->n == 2 ? m->shear : m->mu) * cosine;
            s[shear_at(m->n, i, j)] = pull;
            energy += 0.5 * pull * cosine;
            for (int c = 0; c < 3; ++c)
            {
                p[i][c] += pull * (axis[j][c] - cosine * axis[i][c]) / length[i];
                p[j][c] += pull * (axis[i][c] - cosine * axis[j][c]) / length[j];
            }
        }
    }
    return energy;
}

// psi; P, and s: what the parts of C are conjugate to.
static double stress(const material *m, columns f, columns p, double *s)
{
    switch (m->kind)
    {
    case PL_KIND_COROTATED_TET:
        return corotated(m, f, p, s);
    case PL_KIND_NEO_HOOKEAN:
        return neo_hookean(m, f, p, s);
    case PL_KIND_STRAIN_TET:
    case PL_KIND_STRAIN_TRIANGLE:
        return strained(m, f, p, s);
    default:
        return stvk(m, f, p, s);
    }
}

// How column i of F follows point a.
static double follows(const material *m, int a, int i)
{
    return a > 0 ? m->b[a - 1][i] : -(m->b[0][i] + m->b[1][i] + m->b[2][i]);
}

double judge_element_force(const judge_row *row, const double *p, double *force, double *lambda)
{
    material m = material_of(row);
    columns f, piola;
    double s[JUDGE_MAX_PARTS] = {0};
    gradient_of(&m, p, f);
    double energy = stress(&m, f, piola, s);
    for (int k = 0; k < 3 * (m.n + 1); ++k)
    {
        force[k] = 0.0;
        for (int i = 0; i < m.n; ++i)
        {
            force[k] -= m.volume * piola[i][k % 3] * follows(&m, k / 3, i);
        }
    }
    for (int k = 0; k < JUDGE_MAX_PARTS; ++k)
    {
        lambda[k] = -m.volume * s[k];
    }
    return m.volume * energy;
}

void judge_element_stiffness(const judge_row *row, const double *p, double stiffness[][3 * PL_MAX_ARITY])
{
    const double step = 1e-6;
    material m = material_of(row);
    columns f, up, down;
    double s[JUDGE_MAX_PARTS];
    memset(stiffness, 0, 9 * PL_MAX_ARITY * PL_MAX_ARITY * sizeof(double));
    gradient_of(&m, p, f);
    for (int j = 0; j < 3 * m.n; ++j)
    {
        double *x = &f[j / 3][j % 3], kept = *x;
        *x = kept + step;
        stress(&m, f, up, s);
        *x = kept - step;
        stress(&m, f, down, s);
        *x = kept;
        for (int i = 0; i < 3 * m.n; ++i)
        {
            double slope = m.volume * (up[i / 3][i % 3] - down[i / 3][i % 3]) / (2.0 * step);
            for (int a = 0; a <= m.n; ++a)
            {
                for (int b = 0; b <= m.n; ++b)
                {
                    // Half to each side: it stays symmetric to the last digit.
                    double k = 0.5 * slope * follows(&m, a, i / 3) * follows(&m, b, j / 3);
                    stiffness[3 * a + i % 3][3 * b + j % 3] += k;
                    stiffness[3 * b + j % 3][3 * a + i % 3] += k;
                }
            }
        }
    }
}
