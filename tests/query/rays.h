// rays.h: when a line first meets a solid, in closed form and in double; and dice, for the tests of casts and regions.
#ifndef PLIANT_TESTS_RAYS_H
#define PLIANT_TESTS_RAYS_H

#include "support/support.h"

#define NONE 1e30
#define SLACK 2e-5

typedef struct line
{
    double o[3], d[3];
} line;

static inline double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline double sooner(double a, double b) { return a < b ? a : b; }

// ---- closed forms: when a line first meets a solid, 0 from within, NONE if it does not -----------------------------

static inline double meets_ball(const line *l, const double *c, double r)
{
    double s[3] = {l->o[0] - c[0], l->o[1] - c[1], l->o[2] - c[2]}, b = dot3(s, l->d), k = dot3(s, s) - r * r;
    if (r <= 0)
        return NONE;
    if (k <= 0)
        return 0;
    return b > 0 || b * b < k ? NONE : -b - sqrt(b * b - k);
}

// Everything within r of the segment a b.
static inline double meets_stick(const line *l, const double *a, const double *b, double r)
{
    double best = sooner(meets_ball(l, a, r), meets_ball(l, b, r)), u[3], s[3], len;
    for (int k = 0; k < 3; k++)
        u[k] = b[k] - a[k], s[k] = l->o[k] - a[k];
    len = sqrt(dot3(u, u));
    if (len <= 0 || r <= 0)
        return best;
    double ud = dot3(u, l->d) / len, us = dot3(u, s) / len, p[3], q[3];
    for (int k = 0; k < 3; k++)
        p[k] = s[k] - us * u[k] / len, q[k] = l->d[k] - ud * u[k] / len;
    double A = dot3(q, q), B = dot3(p, q), C = dot3(p, p) - r * r;
    if (C <= 0 && us >= 0 && us <= len)
        return 0;
    if (A > 0 && B * B >= A * C)
    {
        double t = (-B - sqrt(B * B - A * C)) / A, along = us + t * ud;
        if (t >= 0 && along >= 0 && along <= len)
            best = sooner(best, t);
    }
    return best;
}

static inline double meets_box(const line *l, const double *h)
{
    double in = 0, out = NONE;
    for (int k = 0; k < 3; k++)
    {
        if (h[k] <= 0 || (l->d[k] == 0 && fabs(l->o[k]) > h[k]))
            return NONE;
        if (l->d[k] == 0)
            continue;
        double a = (-h[k] - l->o[k]) / l->d[k], b = (h[k] - l->o[k]) / l->d[k];
        in = fmax(in, fmin(a, b));
        out = fmin(out, fmax(a, b));
    }
    return in <= out ? in : NONE;
}

// Everything within r of a box: three boxes and twelve sticks. r < 0: a smaller box.
static inline double meets_round_box(const line *l, const double *h, double r)
{
    double best = NONE;
    if (r <= 0)
        return meets_box(l, (double[3]){h[0] + r, h[1] + r, h[2] + r});
    for (int k = 0; k < 3; k++)
    {
        double g[3] = {h[0], h[1], h[2]};
        g[k] += r;
        best = sooner(best, meets_box(l, g));
        for (int e = 0; e < 4; e++)
        {
            double a[3], b[3];
            int i = (k + 1) % 3, j = (k + 2) % 3;
            a[k] = -h[k], b[k] = h[k];
            a[i] = b[i] = e & 1 ? h[i] : -h[i];
            a[j] = b[j] = e & 2 ? h[j] : -h[j];
            best = sooner(best, meets_stick(l, a, b, r));
        }
    }
    return best;
}

// Everything within r of a triangle: a prism and three sticks. r <= 0: the triangle, shrunk towards its middle by -r.
static inline double meets_face(const line *l, double (*c)[3], double r)
{
    double e[3], f[3], n[3], best = NONE, nn, small[3][3], far = 0;
    for (int k = 0; k < 3; k++)
    {
        double middle = (c[0][k] + c[1][k] + c[2][k]) / 3;
        for (int i = 0; i < 3; i++)
            small[i][k] = r < 0 ? c[i][k] + (middle - c[i][k]) * -r * 20 : c[i][k];
    }
    for (int k = 0; k < 3; k++)
        e[k] = small[1][k] - small[0][k], f[k] = small[2][k] - small[0][k];
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    nn = sqrt(dot3(n, n));
    for (int k = 0; k < 3; k++)
        n[k] /= nn, far += n[k] * (l->o[k] - small[0][k]);
    double nd = dot3(n, l->d), up = fmax(r, 0);
    for (int side = -1; side <= 1; side += 2)
    {
        double t = fabs(far) <= up ? 0 : (side * up - far) / nd, p[3], g[3], x[3];
        if (!(t >= 0 && t < NONE))
            continue;
        for (int k = 0; k < 3; k++)
            p[k] = l->o[k] + t * l->d[k];
        int inside = 1;
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
                g[k] = small[(i + 1) % 3][k] - small[i][k], x[k] = p[k] - small[i][k];
            double quat = 0;
            for (int k = 0; k < 3; k++)
                quat += n[k] * (g[(k + 1) % 3] * x[(k + 2) % 3] - g[(k + 2) % 3] * x[(k + 1) % 3]);
            inside &= quat >= 0;
        }
        if (inside)
            best = sooner(best, t);
    }
    for (int i = 0; i < 3 && r > 0; i++)
        best = sooner(best, meets_stick(l, c[i], c[(i + 1) % 3], r));
    return best;
}

// ---- dice ----------------------------------------------------------------------------------------------------------

static uint64_t seed = 11;
static inline float roll(void) { return dice(&seed); }
static inline float size(void) { return 0.15f + 0.4f * fabsf(roll()); }

static inline pl_quat any_turn(void)
{
    float q[4] = {roll(), roll(), roll(), roll() + 0.01f};
    float s = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (pl_quat){q[0] / s, q[1] / s, q[2] / s, q[3] / s};
}

static inline pl_cast_def any_cast(int i)
{
    pl_cast_def c = pl_default_cast_def();
    c.origin = (pl_vec3){2.0f * roll(), 2.0f * roll(), 2.0f * roll()};
    c.direction = (pl_vec3){0.6f * roll() - c.origin.x, 0.6f * roll() - c.origin.y, 0.6f * roll() - c.origin.z};
    c.radius = i % 2 ? 0.3f * fabsf(roll()) + 0.001f : 0.0f;
    return c;
}

static inline line line_of(const pl_cast_def *c)
{
    line l = {{c->origin.x, c->origin.y, c->origin.z}, {c->direction.x, c->direction.y, c->direction.z}};
    double s = sqrt(dot3(l.d, l.d));
    for (int k = 0; k < 3; k++)
        l.d[k] /= s;
    return l;
}

static inline void turn_back(pl_quat q, double *v)
{
    double x = -q.x, y = -q.y, z = -q.z, w = q.w, s = x * x + y * y + z * z + w * w;
    double t[3] = {2 * (y * v[2] - z * v[1]) / s, 2 * (z * v[0] - x * v[2]) / s, 2 * (x * v[1] - y * v[0]) / s};
    double u[3] = {v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
                   v[2] + w * t[2] + x * t[1] - y * t[0]};
    memcpy(v, u, sizeof u);
}

static inline void between(const char *what, const pl_hit *h, double larger, double smaller)
{
    if (!h->found && smaller >= NONE)
        return;
    if (!h->found || h->distance < larger - SLACK || h->distance > smaller + SLACK)
        fail_msg("%s: found %d at %.9g; between %.9g and %.9g was wanted", what, h->found, h->distance, larger,
                 smaller);
    double n =
        sqrt((double)h->normal.x * h->normal.x + (double)h->normal.y * h->normal.y + (double)h->normal.z * h->normal.z);
    near_to("length of a normal", n, 1.0, 1e-5);
}

// The point lies on what was hit and, seen from the ball's centre, a radius along the normal.
static inline void touches(const pl_cast_def *c, const pl_hit *h)
{
    line l = line_of(c);
    const float p[3] = {h->point.x, h->point.y, h->point.z}, n[3] = {h->normal.x, h->normal.y, h->normal.z};
    for (int k = 0; h->found && h->distance > 0 && k < 3; k++)
        near_to("the point", l.o[k] + h->distance * l.d[k] - (double)c->radius * n[k], p[k], 1e-5);
}

#endif
