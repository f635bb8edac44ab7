// visual.c: binds a visual mesh to an object: chooses the particles that carry each of its vertices, and their weights
// (embed.h).
#include "groups/visuals.h"
#include "author/visual.h"

#include "author/embed.h"

#include <string.h>

pl_visual_def pl_default_visual_def(void) { return (pl_visual_def){.nearest = 4}; }

static pl_result check_visual(const pl_visual_def *d)
{
    int64_t where;
    if (d->vertex_count < 1 || d->triangle_count < 0 || d->vertex_count > INT32_MAX / 64 ||
        d->triangle_count > INT32_MAX / 64)
        return fail(PL_ERROR_ARGUMENT, "visual: it has %d vertices and %d triangles; give at least one vertex",
                    d->vertex_count, d->triangle_count);
    if (d->nearest < 1 || d->nearest > VISUAL_NEAR)
        return fail(PL_ERROR_ARGUMENT, "visual: nearest is %d; it must be from 1 to %d", d->nearest, VISUAL_NEAR);
    for (int64_t i = 0; i < 3 * (int64_t)d->triangle_count; i++)
        if (d->triangles[i] < 0 || d->triangles[i] >= d->vertex_count)
            return fail(PL_ERROR_ARGUMENT, "visual: triangle %lld has corner %d; numbers go from 0 to %d",
                        (long long)(i / 3), d->triangles[i], d->vertex_count - 1);
    if (d->vertices && !all_finite(d->vertices, 3 * (int64_t)d->vertex_count, &where))
        return fail(PL_ERROR_ARGUMENT, "visual: vertex %lld is not finite; give finite numbers",
                    (long long)(where / 3));
    if (d->weights && !all_finite(d->weights, VISUAL_NEAR * (int64_t)d->vertex_count, &where))
        return fail(PL_ERROR_ARGUMENT, "visual: a weight of vertex %lld is not finite; give finite numbers",
                    (long long)(where / VISUAL_NEAR));
    return PL_OK;
}

static pl_result check_carriers(const pl_visual_def *d, int count)
{
    for (int64_t i = 0; i < VISUAL_NEAR * (int64_t)d->vertex_count; i++)
        if (d->carriers[i] < 0 || d->carriers[i] >= count)
            return fail(PL_ERROR_ARGUMENT, "visual: vertex %lld follows particle %d; the object has %d",
                        (long long)(i / VISUAL_NEAR), d->carriers[i], count);
    return PL_OK;
}

// Finds the nearest particles and their weights, stored in VISUAL_NEAR entries; unused entries have weight 0.
static pl_result find_near(pl_world *w, const pl_visual_def *d, int first, int count, int32_t *carrier, float *weight)
{
    float *x = NULL;
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &x, &capacity, 3 * (int64_t)count, sizeof *x);
    if (result == PL_OK)
        result = pl_get(w, PL_ATTRIBUTE_POSITION, first, count, x);
    if (result == PL_OK)
        result = embed_on_centres(&w->memory, x, count, d->nearest, d->vertices, d->vertex_count, carrier, weight);
    for (int64_t i = d->vertex_count - 1; i >= 0 && result == PL_OK && d->nearest < VISUAL_NEAR; i--)
        for (int k = VISUAL_NEAR - 1; k >= 0; k--)
        {
            carrier[VISUAL_NEAR * i + k] = carrier[d->nearest * i + (k < d->nearest ? k : 0)];
            weight[VISUAL_NEAR * i + k] = k < d->nearest ? weight[d->nearest * i + k] : 0.0f;
        }
    array_free(&w->memory, &x, &capacity, sizeof *x);
    return result;
}

pl_result pl_add_visual(pl_world *w, const pl_visual_def *def, pl_id *visual)
{
    NEED(w);
    NEED(def);
    if (!def->carriers || !def->weights)
        NEED(def->vertices);
    if (def->triangle_count > 0)
        NEED(def->triangles);
    PLAIN_ROUNDING;
    int32_t *carrier = NULL;
    float *weight = NULL;
    int64_t carrier_capacity = 0, weight_capacity = 0, room = VISUAL_NEAR * (int64_t)def->vertex_count;
    int first = 0, count = 0;
    bool given = def->carriers && def->weights;
    pl_result result = check_visual(def);
    if (result == PL_OK)
        result = pl_object_range(w, def->object, &first, &count);
    if (result == PL_OK && given)
        result = check_carriers(def, count);
    if (result == PL_OK && !given)
        result = array_reserve(&w->memory, &carrier, &carrier_capacity, room, sizeof *carrier);
    if (result == PL_OK && !given)
        result = array_reserve(&w->memory, &weight, &weight_capacity, room, sizeof *weight);
    if (result == PL_OK && !given)
        result = find_near(w, def, first, count, carrier, weight);
    if (result == PL_OK)
        result = visuals_add(w, def->object,
                             &(visual_mesh){.vertices = def->vertex_count,
                                            .triangles = def->triangle_count,
                                            .position = given ? NULL : def->vertices,
                                            .carrier = given ? def->carriers : carrier,
                                            .weight = given ? def->weights : weight,
                                            .triangle = def->triangles},
                             visual);
    array_free(&w->memory, &carrier, &carrier_capacity, sizeof *carrier);
    array_free(&w->memory, &weight, &weight_capacity, sizeof *weight);
    return result;
}

static void bind(build *b, const pl_visual_def *def)
{
    pl_id id;
    b->result = pl_add_visual(b->w, def, &id);
}

static void bind_in_tets(build *b, pl_visual_def *def, const pl_tets *tets)
{
    int32_t *tet = NULL, *carrier = NULL;
    float *weight = NULL;
    int64_t n = def->vertex_count, capacity[3] = {0};
    memory *m = &b->w->memory;
    b->result = array_reserve(m, &tet, &capacity[0], n, sizeof *tet);
    if (b->result == PL_OK)
        b->result = array_reserve(m, &carrier, &capacity[1], 4 * n, sizeof *carrier);
    if (b->result == PL_OK)
        b->result = array_reserve(m, &weight, &capacity[2], 4 * n, sizeof *weight);
    if (b->result == PL_OK)
        b->result = embed_in_tets(m, tets, def->vertices, n, tet, weight);
    if (b->result == PL_OK)
    {
        for (int64_t i = 0; i < n; i++)
            memcpy(carrier + 4 * i, tets->tets + 4 * (size_t)tet[i], 4 * sizeof *carrier);
        def->carriers = carrier;
        def->weights = weight;
        bind(b, def);
    }
    array_free(m, &tet, &capacity[0], sizeof *tet);
    array_free(m, &carrier, &capacity[1], sizeof *carrier);
    array_free(m, &weight, &capacity[2], sizeof *weight);
}

void build_visual(build *b, const pl_mesh *mesh, const float *vertices, const pl_tets *tets)
{
    pl_visual_def def = pl_default_visual_def();
    if (b->result != PL_OK)
        return;
    def.object = b->object;
    def.vertex_count = mesh->vertex_count;
    def.triangle_count = mesh->triangle_count;
    def.vertices = vertices;
    def.triangles = mesh->triangles;
    if (tets)
        bind_in_tets(b, &def, tets);
    else
        bind(b, &def);
}
