// scene_contact.c: adds the grains (loose particles) and materials of a scene, using only the public API.
#include "scene.h"

#include "core/chance.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

// Returns a pseudo-random number from -1 to 1 for each number and use, the same on every machine.
static float chance(int64_t number, int use) { return chance_both((uint32_t)number * 8u + (uint32_t)use + 77u); }

static float spacing_of(const struct scene_grains *g) { return g->spacing > 0.0f ? g->spacing : 2.2f * g->radius; }

// Returns the position of grain (i, j, k) in its layer, before jitter; false: it is left out.
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
                float times = 1.0f + (g->fastest - 1.0f) * (0.5f + 0.5f * chance(number, 6));
                for (int c = 0; x && c < 3; c++)
                {
                    x[3 * count + c] = at[c] + d * g->jitter * chance(number, c);
                    v[3 * count + c] = times * (drift[c] + g->stir * chance(number, 3 + c));
                }
                count++;
            }
    return count;
}

static pl_result find_grains(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    const struct scene_grains *g = values;
    (void)scene, (void)limit;
    int64_t block = (int64_t)g->size[0] * g->size[1];
    if (block * g->size[2] > SCENE_MAX_PARTICLES)
    {
        need->particles = block * g->size[2]; // the caller refuses this number
        return PL_OK;
    }
    need->particles = place_grains(g, NULL, NULL);
    need->constraints = 12 * need->particles; // about as many contacts
    return need->particles ? PL_OK : json_fail(g->head.node, "grains without a particle; use a larger size");
}

// Returns the number of a material equal to this one; adds it if there is none.
pl_result scene_material(pl_world *world, const pl_material *m, int *number)
{
    pl_material other;
    for (int i = 0; pl_get_material_pair(world, i, i, &other) == PL_OK; i++)
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
        result = scene_material(world, material, &number);
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
        return fail(PL_ERROR_MEMORY, "no memory for %d radii; use a smaller scene", count);
    for (int i = 0; i < count; i++)
        radii[i] = radius;
    result = pl_set(world, PL_ATTRIBUTE_RADIUS, first, count, radii);
    free(radii);
    return result;
}

static pl_result make_grains(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_grains *g = values;
    int64_t count = place_grains(g, NULL, NULL);
    float *x = malloc((size_t)count * 6 * sizeof *x);
    if (!x)
        return fail(PL_ERROR_MEMORY, "no memory for %lld grains; use a smaller scene", (long long)count);
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

const struct object_kind grains_object = {
    .find = find_grains, .make = make_grains, .round = object_always, .uncut = object_always};
