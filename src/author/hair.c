// hair.c: adds hair: finds the roots (hair_roots.c), and lets a strand grow straight from each of them.
#include "author/build.h"
#include "author/hair_roots.h"

pl_hair_def pl_default_hair_def(void)
{
    return (pl_hair_def){.count = 100,
                         .points = 16,
                         .length = 0.2f,
                         .lean = 0.2f,
                         .direction = {0.0f, -1.0f, 0.0f},
                         .radii = {0.1f, 0.1f, 0.1f},
                         .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                         .lowest = -1.0f,
                         .mass = 0.01f,
                         .pin = true,
                         .solver = PL_STRAND_DFTL,
                         .correction = 1.0f};
}

// ---- checks --------------------------------------------------------------------------------------------------------

enum
{
    MOST_STRANDS = 4 << 20,
    MOST_POINTS = 4096,
};

static pl_result check_numbers(const pl_hair_def *d)
{
    if (d->count < 1 || d->count > MOST_STRANDS)
        return fail(PL_ERROR_ARGUMENT, "hair: count is %d; it must be from 1 to %d", d->count, MOST_STRANDS);
    if (d->points < 2 || d->points > MOST_POINTS || (int64_t)d->points * d->count > INT32_MAX / 32)
        return fail(PL_ERROR_ARGUMENT, "hair: points is %d; it must be from 2 to %d, and of all strands at most %d",
                    d->points, MOST_POINTS, INT32_MAX / 32);
    if (!(d->length > 0.0f && d->length <= 1e6f))
        return fail(PL_ERROR_ARGUMENT, "hair: length is %g m; it must be above 0 and at most 1e6", (double)d->length);
    if (!(d->shorten >= 0.0f && d->shorten <= 0.95f))
        return fail(PL_ERROR_ARGUMENT, "hair: shorten is %g; it must be from 0 to 0.95", (double)d->shorten);
    if (!(d->lean >= 0.0f && d->lean <= 10.0f))
        return fail(PL_ERROR_ARGUMENT, "hair: lean is %g; it must be from 0 to 10", (double)d->lean);
    if (!(d->mass > 0.0f && CHECK_FINITE(d->mass)))
        return fail(PL_ERROR_ARGUMENT, "hair: mass is %g kg; it must be above 0", (double)d->mass);
    if (!(d->radius >= 0.0f && d->radius <= 1e6f))
        return fail(PL_ERROR_ARGUMENT, "hair: radius is %g m; it must be from 0 to 1e6", (double)d->radius);
    return PL_OK;
}

static pl_result check_mesh(const pl_mesh *m)
{
    int64_t bad;
    if (m->vertex_count < 3 || m->triangle_count < 1 || !m->vertices || !m->triangles)
        return fail(PL_ERROR_ARGUMENT, "hair: the mesh has no triangles");
    for (int64_t i = 0; i < 3 * (int64_t)m->triangle_count; i++)
        if (m->triangles[i] < 0 || m->triangles[i] >= m->vertex_count)
            return fail(PL_ERROR_ARGUMENT,
                        "hair: triangle %lld of the mesh has the vertex %d; vertices go from 0 to %d",
                        (long long)(i / 3), m->triangles[i], m->vertex_count - 1);
    if (!all_finite(m->vertices, 3 * (int64_t)m->vertex_count, &bad))
        return fail(PL_ERROR_ARGUMENT, "hair: vertex %lld of the mesh is not finite", (long long)(bad / 3));
    return PL_OK;
}

static bool is_radius(float r) { return r > 0.0f && r <= 1e6f; }

static pl_result check_surface(const pl_hair_def *d)
{
    const pl_vec3 *r = &d->radii, *to = &d->direction;
    const pl_quat *q = &d->rotation;
    double size = (double)q->x * q->x + (double)q->y * q->y + (double)q->z * q->z + (double)q->w * q->w;
    int64_t bad;
    if (!(d->lowest >= -1.0f && d->lowest < 1.0f))
        return fail(PL_ERROR_ARGUMENT, "hair: lowest is %g; it must be from -1 to below 1", (double)d->lowest);
    if (!is_radius(r->x) || !is_radius(r->y) || !is_radius(r->z))
        return fail(PL_ERROR_ARGUMENT, "hair: radii are %g, %g, %g m; each must be above 0 and at most 1e6",
                    (double)r->x, (double)r->y, (double)r->z);
    if (!finite3(d->position) || !(size > 0.99 && size < 1.01))
        return fail(PL_ERROR_ARGUMENT, "hair: position and rotation must be finite, and the rotation of length 1");
    if (d->roots && !all_finite(d->roots, 3 * (int64_t)d->count, &bad))
        return fail(PL_ERROR_ARGUMENT, "hair: root %lld is not finite", (long long)(bad / 3));
    if (d->roots && !(finite3(*to) && (to->x != 0.0f || to->y != 0.0f || to->z != 0.0f)))
        return fail(PL_ERROR_ARGUMENT, "hair: direction is (%g, %g, %g); it must be finite and not 0", (double)to->x,
                    (double)to->y, (double)to->z);
    return d->mesh && !d->roots ? check_mesh(d->mesh) : PL_OK;
}

// ---- building ------------------------------------------------------------------------------------------------------

// The arrays of a hair under construction.
typedef struct growth
{
    hair_root *roots;
    float *x, *mass, *lengths, *shares;
    int32_t *start, *particles, *carriers;
    void *memory;
    size_t bytes;
} growth;

static pl_result reserve(pl_world *w, const pl_hair_def *d, growth *g)
{
    size_t count = (size_t)d->count, points = count * (size_t)d->points;
    g->bytes = count * (sizeof *g->roots + 3 * sizeof(float) + 4 * sizeof(int32_t)) + sizeof(int32_t) +
               points * (5 * sizeof(float) + sizeof(int32_t));
    pl_result result = memory_resize(&w->memory, &g->memory, 0, g->bytes);
    if (result != PL_OK)
        return result;
    g->roots = g->memory;
    g->x = (float *)(void *)(g->roots + count);
    g->mass = g->x + 3 * points;
    g->lengths = g->mass + points;
    g->shares = g->lengths + points;
    g->start = (int32_t *)(void *)(g->shares + 3 * count);
    g->carriers = g->start + count + 1;
    g->particles = g->carriers + 3 * count;
    return PL_OK;
}

static void grow(const pl_hair_def *d, int strand, bool held, growth *g)
{
    const hair_root *r = &g->roots[strand];
    float whole = d->length * (1.0f - d->shorten * hair_chance(d, strand, USE_LENGTH)),
          step = whole / (float)(d->points - 1);
    g->start[strand + 1] = (strand + 1) * d->points;
    for (int c = 0; c < 3; c++)
    {
        g->carriers[3 * (size_t)strand + (size_t)c] = r->carriers[c];
        g->shares[3 * (size_t)strand + (size_t)c] = r->shares[c];
    }
    for (int k = 0; k < d->points; k++)
    {
        size_t particle = (size_t)k * (size_t)d->count + (size_t)strand;
        size_t member = (size_t)strand * (size_t)d->points + (size_t)k;
        for (int c = 0; c < 3; c++)
            g->x[3 * particle + (size_t)c] = r->x[c] + (float)k * step * r->out[c];
        g->mass[particle] = k == 0 && held ? 0.0f : d->mass / ((float)d->count * (float)d->points);
        g->particles[member] = (int32_t)particle;
        g->lengths[member] = step;
    }
}

static pl_result build_hair(pl_world *w, const pl_hair_def *d, growth *g, pl_id *object)
{
    bool carried = (d->on.index || d->on.generation) && !d->roots;
    int64_t points = (int64_t)d->count * d->points;
    g->start[0] = 0;
    for (int i = 0; i < d->count; i++)
        grow(d, i, d->pin && !carried, g);
    build b = {.w = w};
    build_particles(&b, &(pl_particles_def){.count = (int)points, .position = g->x, .mass = g->mass});
    if (d->radius > 0.0f)
    {
        build_radius(&b, (int)points, d->radius);
        build_apart(&b, (int)points);
    }
    pl_strands_def def = pl_default_strands_def();
    for (int64_t i = 0; i < points; i++)
        g->particles[i] += b.first;
    def.count = d->count, def.start = g->start, def.particles = g->particles, def.lengths = g->lengths;
    def.carriers = carried ? g->carriers : NULL, def.shares = carried ? g->shares : NULL;
    def.solver = d->solver, def.correction = d->correction;
    build_strands(&b, &def);
    return build_end(&b, object);
}

pl_result pl_add_hair(pl_world *w, const pl_hair_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    growth g = {0};
    pl_result result = check_numbers(def);
    if (result == PL_OK)
        result = check_surface(def);
    if (result == PL_OK)
        result = reserve(w, def, &g);
    if (result == PL_OK)
        result = hair_find_roots(w, def, g.roots);
    if (result == PL_OK)
        result = build_hair(w, def, &g, object);
    memory_free(&w->memory, g.memory, g.bytes);
    return result;
}
