// mass_properties.c: mass, centre and inertia of solids, and their principal axes.
//
// Each solid is described by its second moments S = integral of x x^T dm, which add and move simply; the inertia is
// trace(S) 1 - S.
#include "collide/mass_properties.h"

#include <math.h>

#define PI 3.14159265358979323846

enum
{
    XX,
    YY,
    ZZ,
    XY,
    YZ,
    ZX,
    JACOBI_SWEEPS = 12, // converges quadratically: 5 suffice, the others change nothing
};

// Turns second moments into a tensor of inertia, and back: trace(I) = 2 trace(S).
static void inertia_of_moments(const double s[6], double inertia[6])
{
    double trace = s[XX] + s[YY] + s[ZZ];
    for (int k = 0; k < 3; k++)
    {
        inertia[k] = trace - s[k];
        inertia[3 + k] = -s[3 + k];
    }
}

static void moments_of_inertia(const double inertia[6], double s[6])
{
    double half = 0.5 * (inertia[XX] + inertia[YY] + inertia[ZZ]);
    for (int k = 0; k < 3; k++)
    {
        s[k] = half - inertia[k];
        s[3 + k] = -inertia[3 + k];
    }
}

// A solid that is symmetric about its three planes: only the diagonal of S is not 0.
static mass_properties symmetric(double density, double volume, double xx, double yy, double zz)
{
    mass_properties r = {.mass = density * volume};
    double s[6] = {density * xx, density * yy, density * zz, 0.0, 0.0, 0.0};
    inertia_of_moments(s, r.inertia);
    for (int k = 3; k < 6; k++)
        r.inertia[k] = 0.0; // not -0
    return r;
}

mass_properties mass_of_sphere(double density, double radius)
{
    double volume = 4.0 / 3.0 * PI * radius * radius * radius, s = volume * radius * radius / 5.0;
    return symmetric(density, volume, s, s, s);
}

mass_properties mass_of_cylinder(double density, double length, double radius)
{
    double volume = PI * radius * radius * length, across = volume * radius * radius / 4.0;
    return symmetric(density, volume, across, volume * length * length / 12.0, across);
}

// The cylinder between, and a ball cut in halves that stand apart by the length.
mass_properties mass_of_capsule(double density, double length, double radius)
{
    double half = 0.5 * length, rr = radius * radius, ball = 4.0 / 3.0 * PI * rr * radius, tube = PI * rr * length;
    double across = tube * rr / 4.0 + ball * rr / 5.0;
    // the integral of (half + u)^2 over a half ball, twice
    double along = tube * half * half / 3.0 + ball * half * half + PI * half * rr * rr + ball * rr / 5.0;
    return symmetric(density, ball + tube, across, along, across);
}

// The integral of x^2 over a rounded box with half sides a, b, c: core, slabs, quarters of cylinders, eighths of a ball.
static double box_moment(double a, double b, double c, double r)
{
    double aa = a * a, rr = r * r, disc = PI * rr, ball = 4.0 / 3.0 * PI * rr * r;
    double core = 8.0 * a * b * c * aa / 3.0;
    double slabs = 8.0 * b * c * (3.0 * aa * r + 3.0 * a * rr + rr * r) / 3.0 + 8.0 * a * (b + c) * r * aa / 3.0;
    double along = disc * 2.0 * a * aa / 3.0;
    double beside = (aa * disc + 8.0 / 3.0 * a * rr * r + disc * rr / 4.0) * 2.0 * (b + c);
    double corners = aa * ball + PI * a * rr * rr + ball * rr / 5.0;
    return core + slabs + along + beside + corners;
}

mass_properties mass_of_box(double density, const double half[3], double radius)
{
    double a = half[0], b = half[1], c = half[2], r = radius;
    double volume = 8.0 * a * b * c + 8.0 * (a * b + b * c + c * a) * r + 2.0 * (a + b + c) * PI * r * r +
                    4.0 / 3.0 * PI * r * r * r;
    return symmetric(density, volume, box_moment(a, b, c, r), box_moment(b, c, a, r), box_moment(c, a, b, r));
}

mass_properties mass_of_point(double mass, const double at[3])
{
    return (mass_properties){.mass = mass, .centre = {at[0], at[1], at[2]}};
}

// ---- polyhedra -----------------------------------------------------------------------------------------------------

typedef struct integral
{
    double origin[3]; // a point near the solid: differences are taken from it, so that distance costs no digits
    double volume, first[3], second[6];
} integral;

// Adds the tetrahedron between the origin and a triangle.
static void add_triangle(integral *s, const float *pa, const float *pb, const float *pc)
{
    double a[3], b[3], c[3], sum[3];
    for (int k = 0; k < 3; k++)
    {
        a[k] = (double)pa[k] - s->origin[k];
        b[k] = (double)pb[k] - s->origin[k];
        c[k] = (double)pc[k] - s->origin[k];
        sum[k] = a[k] + b[k] + c[k];
    }
    double six =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    s->volume += six / 6.0;
    for (int k = 0; k < 3; k++)
    {
        int l = (k + 1) % 3;
        s->first[k] += six / 24.0 * sum[k];
        s->second[k] += six / 120.0 * (a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + sum[k] * sum[k]);
        s->second[3 + k] += six / 120.0 * (a[k] * a[l] + b[k] * b[l] + c[k] * c[l] + sum[k] * sum[l]);
    }
}

static mass_properties finish(const integral *s, double density)
{
    mass_properties r = {.mass = density * s->volume};
    double d[3], second[6];
    for (int k = 0; k < 3; k++)
    {
        d[k] = s->volume != 0.0 ? s->first[k] / s->volume : 0.0;
        r.centre[k] = s->origin[k] + d[k];
    }
    for (int k = 0; k < 3; k++)
    {
        second[k] = density * (s->second[k] - s->volume * d[k] * d[k]);
        second[3 + k] = density * (s->second[3 + k] - s->volume * d[k] * d[(k + 1) % 3]);
    }
    inertia_of_moments(second, r.inertia);
    return r;
}

mass_properties mass_of_hull(double density, const hull *h)
{
    integral s = {.volume = 0.0};
    for (int k = 0; h->triangles > 0 && k < 3; k++)
        s.origin[k] = (double)h->corner[k];
    for (int64_t t = 0; t < h->triangles; t++)
        add_triangle(&s, h->corner + 9 * t, h->corner + 9 * t + 3, h->corner + 9 * t + 6);
    return finish(&s, density);
}

pl_result mass_of_mesh(memory *m, double density, const mesh_view *mesh, mass_properties *out)
{
    pl_result result = mesh_check(m, mesh, 1);
    if (result != PL_OK)
        return result;
    integral s = {.volume = 0.0};
    for (int k = 0; k < 3; k++)
        s.origin[k] = (double)mesh->x[3 * (int64_t)mesh->triangle[0] + k];
    for (int64_t t = 0; t < mesh->triangles; t++)
    {
        const int32_t *v = mesh->triangle + 3 * t;
        add_triangle(&s, mesh->x + 3 * (int64_t)v[0], mesh->x + 3 * (int64_t)v[1], mesh->x + 3 * (int64_t)v[2]);
    }
    *out = finish(&s, density);
    return PL_OK;
}

// ---- compounds -----------------------------------------------------------------------------------------------------

static void matrix_of(const double q[4], double r[3][3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    r[0][0] = 1.0 - 2.0 * (y * y + z * z), r[0][1] = 2.0 * (x * y - w * z), r[0][2] = 2.0 * (x * z + w * y);
    r[1][0] = 2.0 * (x * y + w * z), r[1][1] = 1.0 - 2.0 * (x * x + z * z), r[1][2] = 2.0 * (y * z - w * x);
    r[2][0] = 2.0 * (x * z - w * y), r[2][1] = 2.0 * (y * z + w * x), r[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

static void square_of(const double s[6], double m[3][3])
{
    for (int k = 0; k < 3; k++)
    {
        m[k][k] = s[k];
        m[k][(k + 1) % 3] = m[(k + 1) % 3][k] = s[3 + k];
    }
}

mass_properties mass_placed(const mass_properties *p, const double turn[4], const double shift[3])
{
    mass_properties r = {.mass = p->mass};
    double q[3][3], m[3][3], qm[3][3], out[3][3];
    matrix_of(turn, q);
    square_of(p->inertia, m);
    for (int i = 0; i < 3; i++)
    {
        r.centre[i] = q[i][0] * p->centre[0] + q[i][1] * p->centre[1] + q[i][2] * p->centre[2] + shift[i];
        for (int j = 0; j < 3; j++)
            qm[i][j] = q[i][0] * m[0][j] + q[i][1] * m[1][j] + q[i][2] * m[2][j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = qm[i][0] * q[j][0] + qm[i][1] * q[j][1] + qm[i][2] * q[j][2];
    for (int k = 0; k < 3; k++)
    {
        r.inertia[k] = out[k][k];
        r.inertia[3 + k] = 0.5 * (out[k][(k + 1) % 3] + out[(k + 1) % 3][k]);
    }
    return r;
}

// Adds the second moments of a mass at distance d from the reference.
static void add_steiner(double s[6], double mass, const double d[3])
{
    for (int k = 0; k < 3; k++)
    {
        s[k] += mass * d[k] * d[k];
        s[3 + k] += mass * d[k] * d[(k + 1) % 3];
    }
}

mass_properties mass_sum(const mass_properties *a, const mass_properties *b)
{
    mass_properties r = {.mass = a->mass + b->mass};
    double share = r.mass != 0.0 ? b->mass / r.mass : 0.0, s[6], t[6], to_a[3], to_b[3];
    for (int k = 0; k < 3; k++)
    {
        double way = b->centre[k] - a->centre[k];
        r.centre[k] = a->centre[k] + share * way;
        to_a[k] = -share * way;
        to_b[k] = way - share * way;
    }
    moments_of_inertia(a->inertia, s);
    moments_of_inertia(b->inertia, t);
    for (int k = 0; k < 6; k++)
        s[k] += t[k];
    add_steiner(s, a->mass, to_a);
    add_steiner(s, b->mass, to_b);
    inertia_of_moments(s, r.inertia);
    return r;
}

mass_properties mass_scaled(const mass_properties *p, double mass)
{
    mass_properties r = *p;
    double scale = p->mass != 0.0 ? mass / p->mass : 0.0;
    r.mass = mass;
    for (int k = 0; k < 6; k++)
        r.inertia[k] *= scale;
    return r;
}

void mass_about_origin(const mass_properties *p, double inertia[6])
{
    double s[6];
    moments_of_inertia(p->inertia, s);
    add_steiner(s, p->mass, p->centre);
    inertia_of_moments(s, inertia);
}

// ---- principal axes ------------------------------------------------------------------------------------------------

static double size_of(double a) { return a < 0.0 ? -a : a; }

// Rotates so that m[p][q] becomes 0; the columns of v follow.
static void rotate(double m[3][3], double v[3][3], int p, int q, double noise)
{
    double off = m[p][q];
    if (size_of(off) <= noise)
        return;
    double tau = (m[q][q] - m[p][p]) / (2.0 * off);
    double steep = 1.0 / (size_of(tau) + sqrt(1.0 + tau * tau)), t = tau < 0.0 ? -steep : steep;
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < 3; k++)
    {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++)
    {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        a = v[k][p], b = v[k][q];
        v[k][p] = c * a - s * b;
        v[k][q] = s * a + c * b;
    }
}

// Exchanges columns so that each axis stays as near as possible to the frame's, and makes the matrix a rotation.
static void settle_axes(double v[3][3], double moment[3])
{
    static const int order[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    double old[3][3], was[3] = {moment[0], moment[1], moment[2]}, most_of_all = -1.0;
    int best = 0;
    for (int o = 0; o < 6; o++)
    {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += size_of(v[k][order[o][k]]);
        if (sum > most_of_all)
            most_of_all = sum, best = o;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            old[i][j] = v[i][j];
    for (int j = 0; j < 3; j++)
    {
        int from = order[best][j];
        double sign = old[j][from] < 0.0 ? -1.0 : 1.0;
        moment[j] = was[from];
        for (int i = 0; i < 3; i++)
            v[i][j] = sign * old[i][from];
    }
    double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                 v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    for (int i = 0; det < 0.0 && i < 3; i++)
        v[i][2] = -v[i][2];
}

// Shepperd 1978: divides by the largest of the four components.
static void quaternion_of(double r[3][3], double q[4])
{
    double trace = r[0][0] + r[1][1] + r[2][2];
    int k = r[1][1] > r[0][0] ? 1 : 0;
    k = r[2][2] > r[k][k] ? 2 : k;
    if (trace > r[k][k])
    {
        q[3] = 1.0 + trace;
        for (int i = 0; i < 3; i++)
            q[i] = r[(i + 2) % 3][(i + 1) % 3] - r[(i + 1) % 3][(i + 2) % 3];
    }
    else
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        q[k] = 1.0 + 2.0 * r[k][k] - trace;
        q[i] = r[i][k] + r[k][i];
        q[j] = r[j][k] + r[k][j];
        q[3] = r[j][i] - r[i][j];
    }
    double len = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), sign = q[3] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++)
        q[i] = sign * q[i] / len + 0.0; // + 0: never -0
}

void mass_principal(const double inertia[6], double moment[3], double turn[4])
{
    double m[3][3], v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    square_of(inertia, m);
    // Rounding error off the diagonal would turn the axes of a cube anywhere.
    double noise = 2e-15 * (size_of(m[0][0]) + size_of(m[1][1]) + size_of(m[2][2])) + 1e-300;
    for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                rotate(m, v, p, q, noise);
    for (int k = 0; k < 3; k++)
        moment[k] = m[k][k];
    settle_axes(v, moment);
    quaternion_of(v, turn);
}

int mass_is_possible(const double inertia[6])
{
    double moment[3], turn[4], sum = 0.0;
    for (int k = 0; k < 6; k++)
        if (!isfinite(inertia[k]))
            return 0;
    mass_principal(inertia, moment, turn);
    for (int k = 0; k < 3; k++)
        sum += moment[k];
    for (int k = 0; k < 3; k++)
        if (moment[k] < 0.0 || moment[k] > (sum - moment[k]) * (1.0 + 1e-6))
            return 0;
    return 1;
}
