// hair_roots.c: chooses the roots of hair (hair_roots.h). On a surface, a root falls on every place with the same
// probability: on a mesh by the areas of its triangles, on an ellipsoid by rejection. All of it in double, without libm's
// functions that differ between machines.
#include "author/hair_roots.h"
#include "core/chance.h"

#include <math.h>

enum
{
    MOST_TRIES = 4096, // to find a place where hair may grow
};

static float chance(const pl_hair_def *d, uint32_t strand, uint32_t again, int use)
{
    uint32_t mixed = chance_bits(strand * 0x9e3779b1u + d->seed * 0x85ebca6bu + again * 0xc2b2ae35u);
    return chance_share(mixed * (uint32_t)USES + (uint32_t)use + 1u);
}

float hair_chance(const pl_hair_def *def, int strand, int use) { return chance(def, (uint32_t)strand, 0, use); }

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double normalise(double a[3])
{
    double size = sqrt(dot3(a, a));
    for (int c = 0; c < 3 && size > 0.0; c++)
        a[c] /= size;
    return size;
}

// ---- ellipsoid -----------------------------------------------------------------------------------------------------

// A random direction, each with the same probability; false: the point was not in the ball, try again.
static bool find_direction(const pl_hair_def *d, int strand, uint32_t again, double u[3])
{
    for (int c = 0; c < 3; c++)
        u[c] = 2.0 * (double)chance(d, (uint32_t)strand, again, USE_DIRECTION + c) - 1.0;
    double size = dot3(u, u);
    normalise(u);
    return size > 1e-6 && size <= 1.0;
}

// A place on the ellipsoid; false: try again. An area of the sphere is stretched by (a b c) |u/radii|.
static bool find_on_ellipsoid(const pl_hair_def *d, int strand, uint32_t again, double x[3], double n[3])
{
    const double radii[3] = {d->radii.x, d->radii.y, d->radii.z};
    double u[3], most = 0.0;
    if (!find_direction(d, strand, again, u))
        return false;
    for (int c = 0; c < 3; c++)
    {
        x[c] = radii[c] * u[c];
        n[c] = u[c] / radii[c];
        most = 1.0 / radii[c] > most ? 1.0 / radii[c] : most;
    }
    double stretched = normalise(n);
    return (double)chance(d, (uint32_t)strand, again, USE_PLACE) * most <= stretched;
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// Triangles: of a mesh, or the faces of an object.
typedef struct skin
{
    const float *vertices;
    const int32_t *triangles;
    const pl_world *world; // faces: the corners are particle numbers
    int64_t count;
    double *area; // the sum of the areas up to each triangle
} skin;

static void corner_of(const skin *s, int64_t triangle, int corner, double out[3])
{
    int32_t number = s->triangles[3 * triangle + corner];
    const float *from = s->world ? s->world->state.slot[SLOT_X] + 4 * (size_t)slot_of(s->world, number)
                                 : s->vertices + 3 * (size_t)number;
    for (int c = 0; c < 3; c++)
        out[c] = from[c];
}

// The normal of a triangle; returns its area.
static double normal_of(const skin *s, int64_t triangle, double n[3])
{
    double a[3], b[3], c[3];
    corner_of(s, triangle, 0, a);
    corner_of(s, triangle, 1, b);
    corner_of(s, triangle, 2, c);
    for (int i = 0; i < 3; i++)
        b[i] -= a[i], c[i] -= a[i];
    for (int i = 0; i < 3; i++)
        n[i] = b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3];
    return 0.5 * normalise(n);
}

static pl_result sum_areas(pl_world *w, const pl_hair_def *d, skin *s)
{
    double n[3], sum = 0.0;
    void *memory = NULL;
    pl_result result = memory_resize(&w->memory, &memory, 0, (size_t)s->count * sizeof *s->area);
    s->area = memory;
    for (int64_t i = 0; result == PL_OK && i < s->count; i++)
    {
        double area = normal_of(s, i, n);
        sum += s->world || n[1] >= (double)d->lowest ? area : 0.0;
        s->area[i] = sum;
    }
    if (result == PL_OK && !(sum > 0.0 && CHECK_FINITE(sum)))
        return fail(PL_ERROR_ARGUMENT, "hair: there is no surface where hair may grow; %s",
                    s->world ? "the object needs faces" : "give a mesh with triangles, or a lower `lowest`");
    return result;
}

static void find_on_skin(const pl_hair_def *d, const skin *s, int strand, hair_root *r, double x[3], double n[3])
{
    double wanted = (double)chance(d, (uint32_t)strand, 0, USE_PLACE) * s->area[s->count - 1];
    int64_t low = 0, high = s->count - 1;
    while (low < high)
    {
        int64_t middle = (low + high) / 2;
        if (s->area[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    double along = sqrt((double)chance(d, (uint32_t)strand, 0, USE_ALONG));
    double across = (double)chance(d, (uint32_t)strand, 0, USE_ACROSS);
    const double share[3] = {1.0 - along, along * (1.0 - across), along * across};
    normal_of(s, low, n);
    x[0] = x[1] = x[2] = 0.0;
    for (int k = 0; k < 3; k++)
    {
        double corner[3];
        corner_of(s, low, k, corner);
        r->carriers[k] = s->triangles[3 * low + k];
        r->shares[k] = (float)share[k];
        for (int c = 0; c < 3; c++)
            x[c] += share[k] * corner[c];
    }
}

// Collects the faces of an object.
static pl_result faces_of(pl_world *w, pl_id object, skin *s, int32_t **triangles, int64_t *capacity)
{
    int first, count;
    pl_result result = pl_object_range(w, object, &first, &count);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = array_reserve(&w->memory, triangles, capacity, 3 * w->faces.count + 1, sizeof **triangles);
    for (int64_t i = 0; result == PL_OK && i < w->faces.count; i++)
    {
        const int32_t *face = w->faces.index + 3 * i;
        bool own = true;
        for (int k = 0; k < 3; k++)
            own &= face[k] >= first && face[k] < first + count;
        for (int k = 0; own && k < 3; k++)
            (*triangles)[3 * s->count + k] = face[k];
        s->count += own;
    }
    s->triangles = *triangles;
    s->world = w;
    if (result == PL_OK && s->count == 0)
        return fail(PL_ERROR_ARGUMENT,
                    "hair: the object on which it is to grow has no faces; give a cloth, a balloon or a "
                    "soft body, or attach the roots of the hair to a rigid body");
    return result;
}

// ---- roots ---------------------------------------------------------------------------------------------------------

static void rotate(pl_quat q, const double a[3], double out[3])
{
    const double v[3] = {q.x, q.y, q.z}, w = q.w, twice = 2.0 * dot3(v, a), same = w * w - dot3(v, v);
    for (int c = 0; c < 3; c++)
    {
        double turned = v[(c + 1) % 3] * a[(c + 2) % 3] - v[(c + 2) % 3] * a[(c + 1) % 3];
        out[c] = same * a[c] + twice * v[c] + 2.0 * w * turned;
    }
}

// Leans the direction of growth.
static void lean(const pl_hair_def *d, int strand, double n[3])
{
    for (int c = 0; c < 3; c++)
        n[c] += (double)d->lean * (2.0 * (double)hair_chance(d, strand, USE_LEAN + c) - 1.0) * 0.57735026918962576;
    normalise(n);
}

static void store_root(const pl_hair_def *d, int strand, const double x[3], const double n[3], bool placed,
                       hair_root *r)
{
    const double at[3] = {d->position.x, d->position.y, d->position.z};
    double to[3] = {x[0], x[1], x[2]}, out[3] = {n[0], n[1], n[2]};
    if (placed)
    {
        rotate(d->rotation, x, to);
        rotate(d->rotation, n, out);
    }
    lean(d, strand, out);
    for (int c = 0; c < 3; c++)
    {
        r->x[c] = (float)(to[c] + (placed ? at[c] : 0.0));
        r->out[c] = (float)out[c];
    }
}

static pl_result roots_on_skin(const pl_hair_def *d, const skin *s, hair_root *roots)
{
    for (int i = 0; i < d->count; i++)
    {
        double x[3], n[3];
        find_on_skin(d, s, i, &roots[i], x, n);
        store_root(d, i, x, n, !s->world, &roots[i]);
    }
    return PL_OK;
}

static pl_result roots_on_ellipsoid(const pl_hair_def *d, hair_root *roots)
{
    for (int i = 0; i < d->count; i++)
    {
        double x[3], n[3];
        uint32_t again = 0;
        while (again < MOST_TRIES && !(find_on_ellipsoid(d, i, again, x, n) && n[1] >= (double)d->lowest))
            again++;
        if (again == MOST_TRIES)
            return fail(PL_ERROR_ARGUMENT,
                        "hair: hardly any hair may grow on the ellipsoid; give a lower `lowest` than %g",
                        (double)d->lowest);
        store_root(d, i, x, n, true, &roots[i]);
    }
    return PL_OK;
}

static pl_result given_roots(const pl_hair_def *d, hair_root *roots)
{
    for (int i = 0; i < d->count; i++)
    {
        const float *from = d->roots + 3 * (size_t)i;
        double x[3] = {from[0], from[1], from[2]}, n[3] = {d->direction.x, d->direction.y, d->direction.z};
        normalise(n);
        store_root(d, i, x, n, false, &roots[i]);
    }
    return PL_OK;
}

pl_result hair_find_roots(pl_world *w, const pl_hair_def *d, hair_root *roots)
{
    bool on_object = d->on.index || d->on.generation;
    if (d->roots)
        return given_roots(d, roots);
    if (!on_object && !d->mesh)
        return roots_on_ellipsoid(d, roots);
    skin s = {0};
    int32_t *triangles = NULL;
    int64_t capacity = 0;
    pl_result result = PL_OK;
    if (on_object)
        result = faces_of(w, d->on, &s, &triangles, &capacity);
    else
        s = (skin){.vertices = d->mesh->vertices, .triangles = d->mesh->triangles, .count = d->mesh->triangle_count};
    if (result == PL_OK)
        result = sum_areas(w, d, &s);
    if (result == PL_OK)
        result = roots_on_skin(d, &s, roots);
    memory_free(&w->memory, s.area, (size_t)s.count * sizeof *s.area);
    array_free(&w->memory, &triangles, &capacity, sizeof *triangles);
    return result;
}
