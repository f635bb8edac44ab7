// rigid_mass.c: computes the mass, centre and inertia of rigid bodies from their shapes, and their principal axes.
//   solid of triangles   sum over the tetrahedra (0, a, b, c) of d = a . (b x c):  V = d/6,  the centre (a + b + c)/4,
//                        int x x^T = d/120 (a a^T + b b^T + c c^T + s s^T), s = a + b + c          Blow and Binstock 2004
//   compound             the parallel axis theorem
//   principal axes       Jacobi's rotations
// Only + - * / and sqrt, in double.
#include "author/rigid_mass.h"
#include "collide/hull.h"
#include "collide/mesh_check.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

pl_rigid_shape pl_default_rigid_shape(void)
{
    return (pl_rigid_shape){.kind = PL_RIGID_BOX,
                            .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                            .half = {0.5f, 0.5f, 0.5f},
                            .radius = 0.5f,
                            .length = 1.0f,
                            .density = 1000.0f};
}

// ---- checks --------------------------------------------------------------------------------------------------------

static bool is_length(float a, float least) { return a >= least && a > -1.0f && a <= 1e6f; }

static bool is_finite3(pl_vec3 v) { return v.x - v.x == 0.0f && v.y - v.y == 0.0f && v.z - v.z == 0.0f; }

static pl_result check_points(memory *m, const pl_rigid_shape *s, int number)
{
    const char *name = s->kind == PL_RIGID_HULL ? "rigid hull" : "rigid mesh";
    mesh_view view = {name, s->vertices, s->triangles, s->vertex_count, s->triangle_count};
    int fewest = s->two_sided ? 3 : 4;
    if (s->vertex_count < fewest || s->vertex_count > INT32_MAX / 64 || !s->vertices)
        return fail(PL_ERROR_ARGUMENT, "%s: shape %d has %d vertices; give at least %d, and their array", name, number,
                    s->vertex_count, fewest);
    if (s->kind == PL_RIGID_MESH && s->two_sided)
        return mesh_check(m, &view, 0);
    if (s->kind == PL_RIGID_MESH && (s->triangle_count < 4 || s->triangle_count > INT32_MAX / 64 || !s->triangles))
        return fail(PL_ERROR_ARGUMENT, "%s: shape %d has %d triangles; give at least 4, and their array", name, number,
                    s->triangle_count);
    return s->kind == PL_RIGID_MESH ? mesh_check(m, &view, 1) : PL_OK;
}

pl_result rigid_check_shape(memory *m, const pl_rigid_shape *s, int number)
{
    const pl_quat q = s->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    if ((unsigned)s->kind >= PL_RIGID_SHAPE_KIND_COUNT)
        return fail(PL_ERROR_ARGUMENT, "rigid: shape %d has the kind %d; kinds go from 0 to %d", number, (int)s->kind,
                    PL_RIGID_SHAPE_KIND_COUNT - 1);
    if (!is_finite3(s->position))
        return fail(PL_ERROR_ARGUMENT, "rigid: the position of shape %d is not finite; give finite numbers", number);
    if (!(size > 0.98 && size < 1.02))
        return fail(PL_ERROR_ARGUMENT, "rigid: the rotation of shape %d is a quaternion of length %g; it must be 1",
                    number, sqrt(size));
    if (!(s->density >= 0.0f && s->density <= 1e12f))
        return fail(PL_ERROR_ARGUMENT, "rigid: the density of shape %d is %g kg/m^3; it must be from 0 to 1e12", number,
                    (double)s->density);
    if (s->two_sided && s->kind != PL_RIGID_MESH)
        return fail(PL_ERROR_ARGUMENT, "rigid: shape %d has two_sided; only a mesh may have it", number);
    if (s->hollow && s->kind > PL_RIGID_CYLINDER)
        return fail(
            PL_ERROR_ARGUMENT,
            "rigid: shape %d is hollow; only a sphere, capsule, box or cylinder may be: use a mesh with two_sided",
            number);
    if (s->kind == PL_RIGID_BOX)
        return is_length(s->half.x, 1e-6f) && is_length(s->half.y, 1e-6f) && is_length(s->half.z, 1e-6f)
                   ? PL_OK
                   : fail(PL_ERROR_ARGUMENT, "rigid: half of box %d is (%g, %g, %g) m; each must be from 1e-6 to 1e6",
                          number, (double)s->half.x, (double)s->half.y, (double)s->half.z);
    if (s->kind == PL_RIGID_HULL || s->kind == PL_RIGID_MESH)
        return check_points(m, s, number);
    if (!is_length(s->radius, 1e-6f))
        return fail(PL_ERROR_ARGUMENT, "rigid: the radius of shape %d is %g m; it must be from 1e-6 to 1e6", number,
                    (double)s->radius);
    if (s->kind != PL_RIGID_SPHERE && !is_length(s->length, s->kind == PL_RIGID_CYLINDER ? 1e-6f : 0.0f))
        return fail(PL_ERROR_ARGUMENT, "rigid: the length of shape %d is %g m; it must be at most 1e6, and %s", number,
                    (double)s->length, s->kind == PL_RIGID_CYLINDER ? "at least 1e-6" : "0 or above");
    return PL_OK;
}

// ---- one shape -----------------------------------------------------------------------------------------------------

// The volume, the centre and the second moment int x x^T about the origin of the shape.
typedef struct moments
{
    double volume, first[3], second[3][3];
} moments;

static void add_corner(moments *m, double weight, const double *x)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m->second[r][c] += weight * x[r] * x[c];
}

static void add_triangle(moments *m, const float *a, const float *b, const float *c)
{
    double x[4][3];
    for (int k = 0; k < 3; k++)
    {
        x[0][k] = (double)a[k], x[1][k] = (double)b[k], x[2][k] = (double)c[k];
        x[3][k] = x[0][k] + x[1][k] + x[2][k];
    }
    double d = x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) + x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
               x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
    m->volume += d / 6.0;
    for (int k = 0; k < 3; k++)
        m->first[k] += d / 24.0 * x[3][k];
    for (int k = 0; k < 4; k++)
        add_corner(m, d / 120.0, x[k]);
}

static void set_round(moments *m, double volume, double across, double along)
{
    m->volume = volume;
    m->second[0][0] = m->second[2][2] = across;
    m->second[1][1] = along;
}

static void capsule_moments(moments *m, double r, double length)
{
    double v = pi * r * r * length, b = 4.0 / 3.0 * pi * r * r * r, half = 0.5 * length;
    // Of the two half balls: int y^2 about their common plane is b r^2/5, their first moments b 3/8 r.
    double along = v * length * length / 12.0 + b * (0.2 * r * r + 0.75 * r * half + half * half);
    set_round(m, v + b, v * 0.25 * r * r + b * 0.2 * r * r, along);
}

static pl_result hull_moments(memory *memory, const pl_rigid_shape *s, moments *m)
{
    hull h = {0};
    pl_result result = hull_build(memory, "rigid hull", s->vertices, s->vertex_count, &h);
    for (int64_t i = 0; result == PL_OK && i < h.triangles; i++)
        add_triangle(m, h.corner + 9 * i, h.corner + 9 * i + 3, h.corner + 9 * i + 6);
    hull_free(memory, &h);
    return result;
}

static pl_result shape_moments(memory *memory, const pl_rigid_shape *s, moments *m)
{
    double r = (double)s->radius, l = (double)s->length;
    double half[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    *m = (moments){0};
    if (s->two_sided || s->hollow)
        return PL_OK;
    switch (s->kind)
    {
    case PL_RIGID_SPHERE:
        set_round(m, 4.0 / 3.0 * pi * r * r * r, 4.0 / 15.0 * pi * r * r * r * r * r,
                  4.0 / 15.0 * pi * r * r * r * r * r);
        break;
    case PL_RIGID_CAPSULE:
        capsule_moments(m, r, l);
        break;
    case PL_RIGID_BOX:
        m->volume = 8.0 * half[0] * half[1] * half[2];
        for (int c = 0; c < 3; c++)
            m->second[c][c] = m->volume * half[c] * half[c] / 3.0;
        break;
    case PL_RIGID_CYLINDER:
        set_round(m, pi * r * r * l, pi * r * r * l * 0.25 * r * r, pi * r * r * l * l * l / 12.0);
        break;
    case PL_RIGID_HULL:
        return hull_moments(memory, s, m);
    default:
        for (int i = 0; i < s->triangle_count; i++)
        {
            const int32_t *t = s->triangles + 3 * (size_t)i;
            add_triangle(m, s->vertices + 3 * (size_t)t[0], s->vertices + 3 * (size_t)t[1],
                         s->vertices + 3 * (size_t)t[2]);
        }
    }
    return PL_OK;
}

// ---- a compound ----------------------------------------------------------------------------------------------------

void rigid_rotation_matrix(pl_quat rotation, double r[3][3])
{
    double x = (double)rotation.x, y = (double)rotation.y, z = (double)rotation.z, w = (double)rotation.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    const double m[3][3] = {{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                            {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
                            {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}};
    memcpy(r, m, sizeof m);
}

// Adds a shape's moments, rotated and moved into the body's axes, times its density.
static void add_shape(moments *all, const pl_rigid_shape *s, const moments *m)
{
    const double p[3] = {(double)s->position.x, (double)s->position.y, (double)s->position.z};
    double r[3][3], half[3][3] = {{0}}, first[3] = {0}, density = (double)s->density;
    rigid_rotation_matrix(s->rotation, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            first[i] += r[i][k] * m->first[k];
            for (int j = 0; j < 3; j++)
                half[i][j] += r[i][k] * m->second[k][j];
        }
    all->volume += density * m->volume;
    for (int i = 0; i < 3; i++)
    {
        all->first[i] += density * (first[i] + m->volume * p[i]);
        for (int j = 0; j < 3; j++)
        {
            double turned = half[i][0] * r[j][0] + half[i][1] * r[j][1] + half[i][2] * r[j][2];
            all->second[i][j] += density * (turned + first[i] * p[j] + p[i] * first[j] + m->volume * p[i] * p[j]);
        }
    }
}

pl_result rigid_mass_of(memory *memory, const pl_rigid_shape *shapes, int count, rigid_mass *out)
{
    moments all = {0}, one;
    pl_result result = PL_OK;
    *out = (rigid_mass){0};
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = rigid_check_shape(memory, &shapes[i], i);
        if (result == PL_OK)
            result = shape_moments(memory, &shapes[i], &one);
        if (result == PL_OK)
            add_shape(&all, &shapes[i], &one);
    }
    if (result != PL_OK || !(all.volume > 0.0))
        return result;
    out->mass = all.volume; // densities are in it
    for (int i = 0; i < 3; i++)
        out->centre[i] = all.first[i] / all.volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            all.second[i][j] -= all.volume * out->centre[i] * out->centre[j];
    double trace = all.second[0][0] + all.second[1][1] + all.second[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->inertia[i][j] = (i == j ? trace : 0.0) - all.second[i][j];
    return PL_OK;
}

pl_result pl_rigid_mass(const pl_rigid_shape *shapes, int count, pl_mass_properties *out)
{
    memory m;
    rigid_mass mass;
    if (!shapes || count < 1 || !out)
        return fail(PL_ERROR_ARGUMENT, "rigid mass: give at least one shape, and where to store the result");
    memory_open(&m, &(pl_allocator){0});
    pl_result result = rigid_mass_of(&m, shapes, count, &mass);
    if (result != PL_OK)
        return result;
    if (!(mass.mass > 0.0))
        return fail(PL_ERROR_ARGUMENT, "rigid mass: the %d shapes have no mass; give one of them a density", count);
    *out = (pl_mass_properties){(float)mass.mass,
                                {(float)mass.centre[0], (float)mass.centre[1], (float)mass.centre[2]},
                                {(float)mass.inertia[0][0], (float)mass.inertia[1][1], (float)mass.inertia[2][2],
                                 (float)mass.inertia[0][1], (float)mass.inertia[1][2], (float)mass.inertia[2][0]}};
    return PL_OK;
}
