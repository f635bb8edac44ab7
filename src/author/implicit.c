// implicit.c: defines a teapot and an octopus as implicit functions, and turns implicit functions into meshes.
//
// The parts are bodies of revolution, spheres and tapered tubes along curves; each value is the distance to the surface
// or less. They are joined by a smooth minimum, which is never above the plain minimum, so that a search may still step
// by the value.
#include "author/implicit.h"
#include "author/mesh_build.h"
#include "author/tet_mesh.h"

#include <math.h>

// ---- parts ---------------------------------------------------------------------------------------------------------

// Returns the minimum of two, rounded where they differ by less than k.
static double smooth_least(double a, double b, double k)
{
    double h = k - fabs(a - b);
    return (a < b ? a : b) - (h > 0.0 ? h * h / (4.0 * k) : 0.0);
}

static double ball(const double x[3], double cx, double cy, double cz, double radius)
{
    const double d[3] = {x[0] - cx, x[1] - cy, x[2] - cz};
    return sqrt(dot3(d, d)) - radius;
}

// Returns the distance to a tube through stations, with linear radius between them. Where the tube tapers, the surface
// is nearer than the distance to the axis says, by the cosine of the taper angle.
static double tube(const double x[3], const station *s, int count)
{
    double best = 1e30;
    for (int i = 0; i + 1 < count; i++)
    {
        double e[3], d[3];
        sub3(s[i + 1].x, s[i].x, e);
        sub3(x, s[i].x, d);
        double ee = dot3(e, e), t = dot3(d, e) / ee, taper = s[i + 1].radius - s[i].radius;
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        for (int k = 0; k < 3; k++)
            d[k] -= t * e[k];
        double a = (sqrt(dot3(d, d)) - (s[i].radius + t * taper)) / sqrt(1.0 + taper * taper / ee);
        best = a < best ? a : best;
    }
    return best;
}

// Samples a cubic Bezier curve as stations.
static void bend(const double p[4][3], double radius, double tip, int count, station *out)
{
    for (int i = 0; i < count; i++)
    {
        double t = (double)i / (count - 1), u = 1.0 - t;
        for (int k = 0; k < 3; k++)
            out[i].x[k] =
                u * u * u * p[0][k] + 3.0 * u * u * t * p[1][k] + 3.0 * u * t * t * p[2][k] + t * t * t * p[3][k];
        out[i].radius = radius + t * (tip - radius);
    }
}

// Returns the signed distance to a body of revolution about y with the outline (r, y), from the axis below to the axis
// above.
static double revolved(const double x[3], const double (*p)[2], int count)
{
    double r = sqrt(x[0] * x[0] + x[2] * x[2]), y = x[1], best = 1e30;
    int inside = 0;
    for (int i = 0; i + 1 < count; i++)
    {
        const double *a = p[i], *b = p[i + 1];
        double er = b[0] - a[0], ey = b[1] - a[1], dr = r - a[0], dy = y - a[1];
        double t = (dr * er + dy * ey) / (er * er + ey * ey);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        double qr = dr - t * er, qy = dy - t * ey, s = qr * qr + qy * qy;
        best = s < best ? s : best;
        // A point is inside if a ray away from the axis crosses the outline an odd number of times.
        if ((a[1] > y) != (b[1] > y) && dr < er * dy / ey)
            inside = !inside;
    }
    return inside ? -sqrt(best) : sqrt(best);
}

// ---- teapot --------------------------------------------------------------------------------------------------------

enum
{
    STATIONS = 13
};

static void lay_teapot(station *s)
{
    static const double spout[4][3] = {{0.70, 0.42, 0.0}, {1.50, 0.36, 0.0}, {1.12, 0.98, 0.0}, {1.66, 1.20, 0.0}};
    static const double handle[2][4][3] = {
        {{-0.84, 0.98, 0.0}, {-1.12, 1.12, 0.0}, {-1.62, 1.12, 0.0}, {-1.58, 0.80, 0.0}},
        {{-1.58, 0.80, 0.0}, {-1.54, 0.50, 0.0}, {-1.25, 0.36, 0.0}, {-0.92, 0.28, 0.0}}};
    bend(spout, 0.34, 0.16, STATIONS, s);
    bend(handle[0], 0.13, 0.12, STATIONS, s + STATIONS);
    bend(handle[1], 0.12, 0.14, STATIONS, s + 2 * STATIONS);
}

static double teapot_value(const station *s, const double x[3])
{
    static const double outline[][2] = {
        {0.0, 0.0},   {0.66, 0.0},   {0.71, 0.03},  {0.74, 0.08},  {0.82, 0.14},  {0.90, 0.22},  {0.955, 0.31},
        {0.99, 0.40}, {1.0, 0.48},   {0.995, 0.57}, {0.975, 0.67}, {0.94, 0.77},  {0.89, 0.88},  {0.83, 0.98},
        {0.80, 1.03}, {0.81, 1.08},  {0.80, 1.13},  {0.76, 1.165}, {0.70, 1.165}, {0.65, 1.15},  {0.60, 1.17},
        {0.50, 1.23}, {0.38, 1.285}, {0.26, 1.325}, {0.18, 1.36},  {0.14, 1.405}, {0.145, 1.45}, {0.19, 1.50},
        {0.21, 1.56}, {0.195, 1.62}, {0.14, 1.665}, {0.07, 1.685}, {0.0, 1.69}};
    double pot = revolved(x, outline, sizeof outline / sizeof *outline);
    double nose = tube(x, s, STATIONS), mouth = ball(x, 1.98, 1.38, 0.0, 0.38);
    nose = -smooth_least(-nose, mouth, 0.05); // cut off at the tip, a little hollow
    double up = tube(x, s + STATIONS, STATIONS), down = tube(x, s + 2 * STATIONS, STATIONS);
    double grip = up < down ? up : down;
    return smooth_least(smooth_least(pot, nose, 0.12), grip, 0.09);
}

const implicit_solid *implicit_teapot(void)
{
    static const implicit_solid s = {lay_teapot, teapot_value, {-1.74, 0.0, -1.02}, {1.84, 1.70, 1.02}, 0.16};
    return &s;
}

// ---- octopus -------------------------------------------------------------------------------------------------------

enum
{
    ARMS = 8,
    ARM_STATIONS = 14
};

// Cosine and sine of odd multiples of 22.5 degrees.
static const double compass[ARMS][2] = {
    {0.9238795325112867, 0.3826834323650898},   {0.3826834323650898, 0.9238795325112867},
    {-0.3826834323650898, 0.9238795325112867},  {-0.9238795325112867, 0.3826834323650898},
    {-0.9238795325112867, -0.3826834323650898}, {-0.3826834323650898, -0.9238795325112867},
    {0.3826834323650898, -0.9238795325112867},  {0.9238795325112867, -0.3826834323650898}};

// Lays out an arm: it leaves the body, lies on the ground in a bow, and curls its tip up. Coordinates are out, up and
// sideways; even and odd arms have different control points.
static void lay_arm(int arm, station out[ARM_STATIONS])
{
    static const double plan[2][4][3] = {
        {{0.35, 0.50, 0.0}, {1.45, -0.12, 0.10}, {2.35, 0.02, 0.75}, {2.50, 0.62, -0.10}},
        {{0.35, 0.50, 0.0}, {1.35, -0.14, -0.05}, {2.75, 0.10, -0.85}, {2.15, 0.72, 0.05}}};
    double p[4][3], c = compass[arm][0], s = compass[arm][1];
    for (int i = 0; i < 4; i++)
    {
        const double *q = plan[arm % 2][i];
        p[i][0] = c * q[0] - s * q[2];
        p[i][1] = q[1];
        p[i][2] = s * q[0] + c * q[2];
    }
    bend((const double(*)[3])p, 0.33, 0.10, ARM_STATIONS, out);
}

static void lay_octopus(station *s)
{
    for (int i = 0; i < ARMS; i++)
        lay_arm(i, s + i * ARM_STATIONS);
}

static double octopus_value(const station *s, const double x[3])
{
    double head = smooth_least(ball(x, 0.0, 1.62, -0.22, 0.98), ball(x, 0.0, 0.78, 0.0, 0.66), 0.45);
    double eyes = ball(x, x[0] < 0.0 ? -0.40 : 0.40, 0.98, 0.60, 0.20);
    double arms = 1e30;
    for (int i = 0; i < ARMS; i++)
    {
        double a = tube(x, s + i * ARM_STATIONS, ARM_STATIONS);
        arms = i == 0 ? a : smooth_least(arms, a, 0.10);
    }
    return smooth_least(smooth_least(head, eyes, 0.06), arms, 0.28);
}

const implicit_solid *implicit_octopus(void)
{
    static const implicit_solid s = {lay_octopus, octopus_value, {-2.75, -0.20, -2.75}, {2.75, 2.65, 2.75}, 0.16};
    return &s;
}

// ---- meshes --------------------------------------------------------------------------------------------------------

typedef struct scaled
{
    const implicit_solid *solid;
    double radius, middle[3];
    station stations[IMPLICIT_STATIONS];
} scaled;

static double scaled_value(void *user, const double x[3])
{
    const scaled *s = user;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = x[k] / s->radius + s->middle[k];
    return s->radius * s->solid->value(s->stations, p);
}

pl_result implicit_mesh(memory *m, const char *name, const implicit_solid *solid, double radius, double edge,
                        pl_mesh *out)
{
    scaled s = {.solid = solid, .radius = radius};
    solid_field f = {.value = scaled_value, .user = &s};
    for (int k = 0; k < 3; k++)
    {
        s.middle[k] = 0.5 * (solid->low[k] + solid->high[k]);
        f.low[k] = radius * (solid->low[k] - s.middle[k]);
        f.high[k] = radius * (solid->high[k] - s.middle[k]);
    }
    if (edge > solid->coarsest * radius)
        edge = solid->coarsest * radius;
    solid->lay_tubes(s.stations);
    pl_tets t = {0};
    int32_t *same = NULL;
    *out = (pl_mesh){0};
    pl_result result = stuff_solid(m, name, &f, edge, &t);
    if (result == PL_OK)
        result = tets_find_surface(m, name, &t);
    if (result == PL_OK)
        result = take_items(m, &same, t.vertex_count, sizeof *same);
    for (int32_t v = 0; result == PL_OK && v < t.vertex_count; v++)
        same[v] = v;
    drop_items(m, &t.tets, t.tet_count, 4 * sizeof(int32_t));
    drop_items(m, &t.owners, t.triangle_count, sizeof(int32_t));
    *out = (pl_mesh){t.vertex_count, t.triangle_count, t.vertices, t.triangles};
    int64_t all_of_them = t.vertex_count;
    if (result == PL_OK)
        result = mesh_compact(m, out, same);
    drop_items(m, &same, all_of_them, sizeof *same);
    if (result != PL_OK)
        mesh_drop(m, out);
    return result;
}
