// sampler.c: places particles on a lattice inside a solid, with or without snapping the outermost to its surface, or
// distributes them over the surface alone.
#include "author/sampler.h"
#include "author/points.h"

#include <math.h>
#include <string.h>

pl_sample_def pl_default_sample_def(void)
{
    return (pl_sample_def){.spacing = 0.1f, .inset = -1.0f, .packing = PL_PACKING_CUBIC};
}

typedef struct sampler
{
    mesh_field field;
    const mesh_view *mesh;
    double spacing, inset, low[3], high[3];
    float *x, *distance, *normal;
    int64_t count, x_capacity, distance_capacity, normal_capacity;
} sampler;

static pl_result keep_sample(memory *m, sampler *s, const float x[3], const surface_distance *at)
{
    pl_result result = array_reserve(m, &s->x, &s->x_capacity, s->count + 1, 3 * sizeof(float));
    if (result == PL_OK)
        result = array_reserve(m, &s->distance, &s->distance_capacity, s->count + 1, sizeof(float));
    if (result == PL_OK)
        result = array_reserve(m, &s->normal, &s->normal_capacity, s->count + 1, 3 * sizeof(float));
    if (result != PL_OK)
        return result;
    memcpy(s->x + 3 * s->count, x, 3 * sizeof(float));
    memcpy(s->normal + 3 * s->count, (float[]){at->normal.x, at->normal.y, at->normal.z}, 3 * sizeof(float));
    s->distance[s->count++] = at->distance;
    return PL_OK;
}

// Keeps a sample if no kept one is nearer than `apart`.
static pl_result keep_apart(memory *m, sampler *s, const float x[3], const surface_distance *at, double apart,
                            point_grid *g)
{
    if (point_grid_near(g, s->x, x, apart) >= 0)
        return PL_OK;
    pl_result result = keep_sample(m, s, x, at);
    return result == PL_OK ? point_grid_add(m, g, s->x, (int32_t)(s->count - 1)) : result;
}

// Moves x along the normal to where the distance is -inset. Returns 0 if there is no such point near.
static int snap(sampler *s, float x[3], surface_distance *at)
{
    for (int i = 0; i < 4; i++)
    {
        float way = at->distance + (float)s->inset;
        if (magnitude(way) < 1e-5f * (float)s->spacing)
            return 1;
        x[0] -= way * at->normal.x;
        x[1] -= way * at->normal.y;
        x[2] -= way * at->normal.z;
        *at = mesh_field_probe(&s->field, x);
    }
    return magnitude(at->distance + (float)s->inset) < 0.02f * (float)s->spacing;
}

// ---- inside --------------------------------------------------------------------------------------------------------

// The lattice: rows along x, layers along y. In the hexagonal lattice every other row is shifted by half a step, and
// every other layer lies in the hollows of the one below.
typedef struct rows
{
    double start[3], step[3];
    int64_t count[3];
    int hexagonal;
} rows;

static pl_result lay_rows(const sampler *s, const pl_sample_def *def, rows *r)
{
    double total = 1.0, counts[3];
    r->hexagonal = def->packing == PL_PACKING_HEXAGONAL;
    r->step[0] = s->spacing;
    r->step[1] = r->hexagonal ? s->spacing * 0.816496580927726 : s->spacing;  // sqrt(2/3)
    r->step[2] = r->hexagonal ? s->spacing * 0.8660254037844386 : s->spacing; // sqrt(3)/2
    for (int k = 0; k < 3; k++)
    {
        double extent = s->high[k] - s->low[k] - 2.0 * s->inset + (def->snap ? s->spacing : 0.0);
        counts[k] = extent < 0.0 ? 1.0 : floor(extent / r->step[k] * 1.000001) + 1.0;
        total *= counts[k];
        r->start[k] = 0.5 * (s->low[k] + s->high[k]) - 0.5 * (counts[k] - 1.0) * r->step[k];
    }
    if (!(total <= (double)SAMPLES_LIMIT))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: particles %g m apart make a lattice of %.3g places; the limit is %.3g: use a larger spacing",
                    s->mesh->name, s->spacing, total, (double)SAMPLES_LIMIT);
    for (int k = 0; k < 3; k++)
        r->count[k] = (int64_t)counts[k] + (r->hexagonal ? 1 : 0);
    return PL_OK;
}

static void row_place(const rows *r, int64_t i, int64_t j, int64_t k, float x[3])
{
    double u = (double)i, w = (double)k;
    if (r->hexagonal)
    {
        u -= (double)((k + j) % 2) * 0.5;
        w -= (double)(j % 2) / 3.0;
    }
    x[0] = (float)(r->start[0] + u * r->step[0]);
    x[1] = (float)(r->start[1] + (double)j * r->step[1]);
    x[2] = (float)(r->start[2] + w * r->step[2]);
}

typedef pl_result visit(memory *m, sampler *s, float x[3], surface_distance at, void *user);

// Visits every lattice point that is not far outside.
static pl_result walk_rows(memory *m, sampler *s, const rows *r, visit *each, void *user)
{
    pl_result result = PL_OK;
    for (int64_t j = 0; j < r->count[1]; j++)
        for (int64_t k = 0; k < r->count[2]; k++)
            for (int64_t i = 0; i < r->count[0] && result == PL_OK; i++)
            {
                float x[3];
                row_place(r, i, j, k, x);
                surface_distance at = mesh_field_probe(&s->field, x);
                double out = (double)at.distance - s->spacing;
                if (out > 0.0)
                    i += (int64_t)(out / s->spacing); // these are outside as well
                else
                    result = each(m, s, x, at, user);
            }
    return result;
}

static pl_result visit_inside(memory *m, sampler *s, float x[3], surface_distance at, void *user)
{
    const double *deep = user; // depth below the inset surface
    return (double)at.distance <= -s->inset - *deep + 1e-5 * s->spacing ? keep_sample(m, s, x, &at) : PL_OK;
}

// A snapped particle is left out if it is nearer than this part of the spacing to another.
#define CROWD 0.7

static pl_result visit_rim(memory *m, sampler *s, float x[3], surface_distance at, void *user)
{
    point_grid *g = user;
    if (!(fabs((double)at.distance + s->inset) < 0.5 * s->spacing) || !snap(s, x, &at))
        return PL_OK;
    return keep_apart(m, s, x, &at, CROWD * s->spacing, g);
}

static pl_result sample_inside(memory *m, sampler *s, const pl_sample_def *def)
{
    rows r;
    double deep = def->snap ? 0.5 * s->spacing : 0.0;
    pl_result result = lay_rows(s, def, &r);
    if (result == PL_OK)
        result = walk_rows(m, s, &r, visit_inside, &deep);
    if (result != PL_OK || !def->snap)
        return result;
    point_grid g;
    result = point_grid_open(m, s->low, CROWD * s->spacing, 2 * s->count, &g);
    for (int32_t i = 0; result == PL_OK && i < s->count; i++)
        result = point_grid_add(m, &g, s->x, i);
    if (result == PL_OK)
        result = walk_rows(m, s, &r, visit_rim, &g);
    point_grid_close(m, &g);
    return result;
}

// ---- on the surface ------------------------------------------------------------------------------------------------

// Candidates are distributed evenly over the triangles (the R2 sequence: multiples of two numbers that are badly
// approximated by fractions), many more than there is room for; each is kept if no earlier one is near.
#define THROWS 24.0 // candidates per squared spacing
#define APART 0.85  // least distance, in spacings

static double part_of_one(double a) { return a - floor(a); }

static void thrown(const double p[3][3], double number, float x[3])
{
    double u = part_of_one(0.5 + number * 0.7548776662466927), v = part_of_one(0.5 + number * 0.5698402909980532);
    if (u + v > 1.0)
    {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    for (int k = 0; k < 3; k++)
        x[k] = (float)(p[0][k] + u * (p[1][k] - p[0][k]) + v * (p[2][k] - p[0][k]));
}

static double corners_of(const mesh_view *mesh, int64_t t, double p[3][3])
{
    double u[3], v[3], n[3];
    for (int i = 0; i < 3; i++)
        widen(mesh->x + 3 * (int64_t)mesh->triangle[3 * t + i], p[i]);
    sub3(p[1], p[0], u);
    sub3(p[2], p[0], v);
    cross3(u, v, n);
    return 0.5 * sqrt(dot3(n, n));
}

static pl_result throw_one(memory *m, sampler *s, float x[3], point_grid *g)
{
    surface_distance at = mesh_field_probe(&s->field, x);
    return snap(s, x, &at) ? keep_apart(m, s, x, &at, APART * s->spacing, g) : PL_OK;
}

static pl_result sample_surface(memory *m, sampler *s)
{
    double area = 0.0, p[3][3], left = 0.5, number = 0.0, square = s->spacing * s->spacing;
    for (int64_t t = 0; t < s->mesh->triangles; t++)
        area += corners_of(s->mesh, t, p);
    if (!(area / square * THROWS <= (double)SAMPLES_LIMIT))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: particles %g m apart on a surface of %g m^2 are too many; use a larger spacing", s->mesh->name,
                    s->spacing, area);
    point_grid g;
    pl_result result = point_grid_open(m, s->low, APART * s->spacing, (int64_t)(area / square), &g);
    for (int64_t t = 0; result == PL_OK && t < s->mesh->triangles; t++)
    {
        for (left += corners_of(s->mesh, t, p) / square * THROWS; result == PL_OK && left >= 1.0; left -= 1.0)
        {
            float x[3];
            thrown((const double(*)[3])p, number, x);
            number += 1.0;
            result = throw_one(m, s, x, &g);
        }
    }
    point_grid_close(m, &g);
    return result;
}

// ---- all samples ---------------------------------------------------------------------------------------------------

static pl_result check_def(const mesh_view *mesh, const pl_sample_def *def)
{
    if (!(def->spacing > 0.0f && def->spacing < 1e9f))
        return fail(PL_ERROR_ARGUMENT, "%s: the spacing of the particles is %g m; give a positive number", mesh->name,
                    (double)def->spacing);
    if (!(def->inset < 1e9f))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: the inset of the particles is %g m; give 0 or more, or below 0 for half a spacing", mesh->name,
                    (double)def->inset);
    if (def->packing != PL_PACKING_CUBIC && def->packing != PL_PACKING_HEXAGONAL)
        return fail(PL_ERROR_ARGUMENT, "%s: there is no packing %d; use PL_PACKING_CUBIC or PL_PACKING_HEXAGONAL",
                    mesh->name, (int)def->packing);
    return PL_OK;
}

static pl_result hand_over(memory *m, sampler *s, pl_samples *out)
{
    if (s->count == 0)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: no particle fits: the solid is thinner than twice the inset of %g m, or than the spacing of "
                    "%g m; use a smaller spacing",
                    s->mesh->name, s->inset, s->spacing);
    if (s->count > INT32_MAX)
        return fail(PL_ERROR_ARGUMENT, "%s: %lld particles are too many; use a larger spacing", s->mesh->name,
                    (long long)s->count);
    pl_result result = trim_items(m, &s->x, &s->x_capacity, s->count, 3 * sizeof(float));
    if (result == PL_OK)
        result = trim_items(m, &s->distance, &s->distance_capacity, s->count, sizeof(float));
    if (result == PL_OK)
        result = trim_items(m, &s->normal, &s->normal_capacity, s->count, 3 * sizeof(float));
    if (result == PL_OK)
        *out = (pl_samples){(int)s->count, s->x, s->distance, s->normal};
    return result;
}

pl_result sample_particles(memory *m, const mesh_view *mesh, const pl_sample_def *def, pl_samples *out)
{
    sampler s = {.mesh = mesh, .spacing = (double)def->spacing};
    s.inset = def->inset < 0.0f ? 0.5 * s.spacing : (double)def->inset;
    *out = (pl_samples){0};
    pl_result result = check_def(mesh, def);
    if (result == PL_OK)
        result = mesh_field_open(m, mesh, &s.field);
    if (result != PL_OK)
        return result;
    mesh_box(mesh, s.low, s.high);
    result = def->surface_only ? sample_surface(m, &s) : sample_inside(m, &s, def);
    if (result == PL_OK)
        result = hand_over(m, &s, out);
    if (result != PL_OK)
    {
        array_free(m, &s.x, &s.x_capacity, 3 * sizeof(float));
        array_free(m, &s.distance, &s.distance_capacity, sizeof(float));
        array_free(m, &s.normal, &s.normal_capacity, 3 * sizeof(float));
    }
    mesh_field_close(m, &s.field);
    return result;
}

void samples_drop(memory *m, pl_samples *s)
{
    drop_items(m, &s->positions, s->count, 3 * sizeof(float));
    drop_items(m, &s->distances, s->count, sizeof(float));
    drop_items(m, &s->normals, s->count, 3 * sizeof(float));
    *s = (pl_samples){0};
}
