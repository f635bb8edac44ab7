// scene_contact.c: grains, shapes and materials, through the public API alone.
#include "scene.h"

#include "core/error.h"
#include "core/trig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// From -1 to 1, for each number and use another; the same everywhere.
static float chance(int64_t number, int use)
{
    uint32_t x = (uint32_t)number * 8u + (uint32_t)use + 77u;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    x = x ^ x >> 16;
    return (float)(x >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

static float spacing_of(const struct scene_grains *g) { return g->spacing > 0.0f ? g->spacing : 2.2f * g->radius; }

// Where grain (i, j, k) lies in its layer, before jitter; false: it is left out.
static bool grain_place(const struct scene_grains *g, int i, int j, int k, float out[3])
{
    float d = spacing_of(g), shift = g->stagger ? (j % 2 ? 0.25f : -0.25f) : 0.0f;
    float x = (float)i - 0.5f * (float)(g->size[0] - 1) + shift, z = (float)k - 0.5f * (float)(g->size[2] - 1) + shift;
    float u = 2.0f * x / (float)g->size[0], w = 2.0f * z / (float)g->size[2];
    out[0] = g->origin.x + d * x, out[1] = g->origin.y + d * (float)j, out[2] = g->origin.z + d * z;
    return !g->round || u * u + w * w <= 1.0f;
}

static int64_t place_grains(const struct scene_grains *g, float *x, float *v)
{
    int64_t count = 0, number = 0;
    float d = spacing_of(g), at[3];
    for (int j = 0; j < g->size[1]; j++)
        for (int k = 0; k < g->size[2]; k++)
            for (int i = 0; i < g->size[0]; i++, number++)
            {
                if (!grain_place(g, i, j, k, at))
                    continue;
                const float drift[3] = {g->velocity.x, g->velocity.y, g->velocity.z};
                for (int c = 0; x && c < 3; c++)
                {
                    x[3 * count + c] = at[c] + d * g->jitter * chance(number, c);
                    v[3 * count + c] = drift[c] + g->stir * chance(number, 3 + c);
                }
                count++;
            }
    return count;
}

pl_result scene_find_grains(const struct scene_grains *g, int64_t *particles)
{
    int64_t block = (int64_t)g->size[0] * g->size[1];
    if (block * g->size[2] > SCENE_MAX_PARTICLES)
    {
        *particles = block * g->size[2]; // refused by its number
        return PL_OK;
    }
    *particles = place_grains(g, NULL, NULL);
    return *particles ? PL_OK : json_fail(g->head.node, "grains without a single grain; a larger size is needed");
}

// The number of a material like this one; a new one where there is none.
static pl_result material_number(pl_world *world, const pl_material *m, int *number)
{
    pl_material other;
    for (int i = 0; i < PL_MAX_MATERIALS && pl_get_material_pair(world, i, i, &other) == PL_OK; i++)
        if (memcmp(&other, m, sizeof other) == 0)
        {
            *number = i;
            return PL_OK;
        }
    return pl_add_material(world, m, number);
}

pl_result scene_set_surface(pl_world *world, pl_id id, float radius, const pl_material *material)
{
    int first, count, number;
    pl_phase phase;
    pl_result result = pl_object_range(world, id, &first, &count);
    if (result == PL_OK)
        result = material_number(world, material, &number);
    if (result == PL_OK)
        result = pl_get_phase(world, first, &phase);
    if (result != PL_OK)
        return result;
    phase.material = number;
    result = pl_set_phase(world, first, count, &phase);
    float *radii = radius > 0.0f ? malloc((size_t)count * sizeof *radii) : NULL;
    if (result != PL_OK || radius <= 0.0f)
        return result;
    if (!radii)
        return fail(PL_ERROR_MEMORY, "no memory for %d radii; a smaller scene would fit", count);
    for (int i = 0; i < count; i++)
        radii[i] = radius;
    result = pl_set(world, PL_RADIUS, first, count, radii);
    free(radii);
    return result;
}

pl_result scene_make_grains(pl_world *world, const struct scene_grains *g, pl_id *id)
{
    int64_t count = place_grains(g, NULL, NULL);
    float *x = malloc((size_t)count * 6 * sizeof *x);
    if (!x)
        return fail(PL_ERROR_MEMORY, "no memory for %lld grains; a smaller scene would fit", (long long)count);
    place_grains(g, x, x + 3 * count);
    pl_particles_def def = pl_default_particles_def();
    def.count = (int)count;
    def.position = x;
    def.velocity = x + 3 * count;
    def.mass_each = g->mass;
    pl_result result = pl_add_particles(world, &def, id);
    free(x);
    return result == PL_OK ? scene_set_surface(world, *id, g->radius, &g->material) : result;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

static pl_quat turn_by(pl_vec3 axis, double degrees)
{
    double x = axis.x, y = axis.y, z = axis.z, size = sqrt(x * x + y * y + z * z);
    if (!(size > 0.0))
        return (pl_quat){0.0f, 0.0f, 0.0f, 1.0f};
    double turns = degrees / 720.0;
    turns -= floor(turns);
    double s = (double)sine_turn((float)turns) / size, c = (double)cosine_turn((float)turns);
    return (pl_quat){(float)(s * x), (float)(s * y), (float)(s * z), (float)c};
}

static pl_quat after(pl_quat a, pl_quat b)
{
    return (pl_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static pl_vec3 turned_vector(pl_quat q, pl_vec3 v)
{
    float tx = 2.0f * (q.y * v.z - q.z * v.y), ty = 2.0f * (q.z * v.x - q.x * v.z), tz = 2.0f * (q.x * v.y - q.y * v.x);
    return (pl_vec3){v.x + q.w * tx + (q.y * tz - q.z * ty), v.y + q.w * ty + (q.z * tx - q.x * tz),
                     v.z + q.w * tz + (q.x * ty - q.y * tx)};
}

pl_result scene_make_shape(pl_world *world, const struct scene_shape *shape, pl_id *id)
{
    pl_shape_def def = shape->def;
    pl_vec3 r = shape->rotation;
    def.kind = (pl_shape_kind)shape->kind;
    def.has_pivot = record_has(&shape_record, shape, offsetof(struct scene_shape, def.pivot));
    def.rotation = turn_by(r, sqrt((double)r.x * r.x + (double)r.y * r.y + (double)r.z * r.z));
    pl_result result = material_number(world, &shape->material, &def.material);
    for (int i = 0; result == PL_OK && i < shape->copies; i++)
    {
        pl_shape_def one = def;
        pl_quat turn = turn_by(shape->around, 360.0 * i / shape->copies);
        pl_vec3 arm = {def.position.x - def.pivot.x, def.position.y - def.pivot.y, def.position.z - def.pivot.z};
        if (i > 0)
        {
            arm = turned_vector(turn, arm);
            one.position = (pl_vec3){def.pivot.x + arm.x, def.pivot.y + arm.y, def.pivot.z + arm.z};
            one.rotation = after(turn, def.rotation);
        }
        result = pl_add_shape(world, &one, id);
    }
    return result;
}
