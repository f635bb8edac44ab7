// scene_world.c: makes a scene's world, using only the public API.
#include "scene.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>

// Sets an attribute of all of an object's particles from one value for all, or one for each.
static pl_result set_all(pl_world *world, pl_attribute what, int first, int count, const struct numbers *numbers)
{
    if (!numbers->values || numbers->count == count)
    {
        return numbers->values ? pl_set(world, what, first, count, numbers->values) : PL_OK;
    }
    pl_result result = PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = pl_set(world, what, first + i, 1, numbers->values);
    }
    return result;
}

static pl_result make_particles(pl_world *world, const struct scene_particles *p, pl_id *id)
{
    pl_particles_def def = pl_default_particles_def();
    int first = 0, count = p->position.count;
    def.count = count;
    def.position = p->position.values;
    def.velocity = p->velocity.count == count ? p->velocity.values : NULL;
    def.mass = p->mass.count == count ? p->mass.values : NULL;
    float *masses = NULL;
    if (p->mass.values && !def.mass)
    {
        // One mass for all; written out, because 0 (pinned) is a mass too.
        masses = malloc((size_t)count * sizeof *masses);
        if (!masses)
        {
            return fail(PL_ERROR_MEMORY, "no memory for %d masses; use a smaller scene", count);
        }
        for (int i = 0; i < count; i++)
        {
            masses[i] = p->mass.values[0];
        }
        def.mass = masses;
    }
    pl_result result = pl_add_particles(world, &def, id);
    free(masses);
    result = result == PL_OK ? pl_object_range(world, *id, &first, &count) : result;
    if (result == PL_OK && !def.velocity)
    {
        result = set_all(world, PL_ATTRIBUTE_VELOCITY, first, count, &p->velocity);
    }
    result = result == PL_OK ? set_all(world, PL_ATTRIBUTE_CHARGE, first, count, &p->charge) : result;
    result = result == PL_OK ? set_all(world, PL_ATTRIBUTE_FORCE, first, count, &p->force) : result;
    result = result == PL_OK ? set_all(world, PL_ATTRIBUTE_RADIUS, first, count, &p->radius) : result;
    return result == PL_OK ? scene_set_surface(world, *id, 0.0f, &p->material) : result;
}

static bool is_zero(pl_vec3 v) { return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f; }

// Computes v + w x (x - centre) for every particle that is free to move.
static void fill_velocities(const float *x, const float *mass, int count, pl_vec3 v, pl_vec3 w, float *out)
{
    double centre[3] = {0.0, 0.0, 0.0}, total = 0.0;
    for (int i = 0; i < count; i++)
    {
        total += (double)mass[i];
        for (int k = 0; k < 3; k++)
        {
            centre[k] += (double)mass[i] * (double)x[3 * i + k];
        }
    }
    for (int k = 0; k < 3 && total > 0.0; k++)
    {
        centre[k] /= total;
    }
    for (int i = 0; i < count; i++)
    {
        double r[3] = {(double)x[3 * i] - centre[0], (double)x[3 * i + 1] - centre[1],
                       (double)x[3 * i + 2] - centre[2]};
        bool moves = mass[i] > 0.0f;
        out[3 * i] = moves ? (float)((double)v.x + ((double)w.y * r[2] - (double)w.z * r[1])) : 0.0f;
        out[3 * i + 1] = moves ? (float)((double)v.y + ((double)w.z * r[0] - (double)w.x * r[2])) : 0.0f;
        out[3 * i + 2] = moves ? (float)((double)v.z + ((double)w.x * r[1] - (double)w.y * r[0])) : 0.0f;
    }
}

pl_result scene_set_motion(pl_world *world, pl_id id, pl_vec3 velocity, pl_vec3 spin)
{
    int first = 0, count = 0;
    pl_result result = is_zero(velocity) && is_zero(spin) ? PL_OK : pl_object_range(world, id, &first, &count);
    if (result != PL_OK || count == 0)
    {
        return result;
    }
    float *x = malloc((size_t)count * 7 * sizeof *x);
    if (!x)
    {
        return fail(PL_ERROR_MEMORY, "no memory for %d velocities; use a smaller scene", count);
    }
    float *v = x + 3 * (size_t)count, *mass = x + 6 * (size_t)count;
    result = pl_get(world, PL_ATTRIBUTE_POSITION, first, count, x);
    result = result == PL_OK ? pl_get(world, PL_ATTRIBUTE_MASS, first, count, mass) : result;
    if (result == PL_OK)
    {
        fill_velocities(x, mass, count, velocity, spin, v);
        result = pl_set(world, PL_ATTRIBUTE_VELOCITY, first, count, v);
    }
    free(x);
    return result;
}

// Scales the initial positions of a bar; its rest shape stays.
static pl_result squash(pl_world *world, pl_id id, const struct scene_bar *bar)
{
    const pl_bar_def *d = &bar->def;
    const float by[3] = {bar->squash.x, bar->squash.y, bar->squash.z};
    const float middle[3] = {d->origin.x + 0.5f * d->size.x, d->origin.y + 0.5f * d->size.y,
                             d->origin.z + 0.5f * d->size.z};
    int first, count;
    pl_result result = pl_object_range(world, id, &first, &count);
    if (result != PL_OK || (by[0] == 1.0f && by[1] == 1.0f && by[2] == 1.0f))
    {
        return result;
    }
    float *x = malloc((size_t)count * 3 * sizeof *x);
    result = x ? pl_get(world, PL_ATTRIBUTE_POSITION, first, count, x)
               : fail(PL_ERROR_MEMORY, "no memory for %d particles; use a smaller scene", count);
    for (int i = 0; i < 3 * count && result == PL_OK; i++)
    {
        x[i] = middle[i % 3] + by[i % 3] * (x[i] - middle[i % 3]);
    }
    result = result == PL_OK ? pl_set(world, PL_ATTRIBUTE_POSITION, first, count, x) : result;
    free(x);
    return result;
}

static pl_result make_object(pl_world *world, const struct scene_object *object, pl_id *id)
{
    const void *values = object->values;
    const pl_vec3 still = {0.0f, 0.0f, 0.0f};
    pl_result result = PL_OK;
    switch (object->type)
    {
    case OBJECT_PARTICLES:
        return make_particles(world, values, id);
    case OBJECT_CLOTH:
    {
        const struct scene_cloth *cloth = values;
        result = pl_add_cloth(world, &cloth->def, id);
        result = result == PL_OK ? scene_set_surface(world, *id, cloth->radius, &cloth->material) : result;
        return result == PL_OK ? scene_set_motion(world, *id, cloth->velocity, cloth->spin) : result;
    }
    case OBJECT_ROPE:
    {
        const struct scene_rope *rope = values;
        result = pl_add_rope(world, &rope->def, id);
        return result == PL_OK ? scene_set_motion(world, *id, rope->velocity, still) : result;
    }
    case OBJECT_BAR:
    {
        const struct scene_bar *bar = values;
        result = pl_add_bar(world, &bar->def, id);
        result = result == PL_OK ? squash(world, *id, bar) : result;
        return result == PL_OK ? scene_set_motion(world, *id, bar->velocity, bar->spin) : result;
    }
    case OBJECT_BODY:
        return scene_make_body(world, values, id);
    case OBJECT_ORIENTED:
        return scene_make_oriented(world, values, id);
    case OBJECT_GRAINS:
        return scene_make_grains(world, values, id);
    case OBJECT_SHAPE:
        return scene_make_shape(world, values, id);
    case OBJECT_FIELD:
        return pl_add_field(world, &((const struct scene_field *)values)->def, id);
    }
    return result;
}

// Checks that the world's particle numbers agree with those that the scene counted before the world existed; references
// depend on it.
static pl_result check_range(pl_world *world, const struct scene_object *object, pl_id id)
{
    int first = 0, count = 0;
    pl_result result = object->count ? pl_object_range(world, id, &first, &count) : PL_OK;
    if (object->type == OBJECT_BODY) // its copies follow each other
    {
        count = pl_particle_end(world) - first;
    }
    if (result == PL_OK && object->count && (first != object->first || count != object->count))
    {
        return fail(PL_ERROR_FORMAT, "the object became particles %d to %d; the scene counted %d to %d", first,
                    first + count - 1, object->first, object->first + object->count - 1);
    }
    return result;
}

static pl_result make_constraints(pl_world *world, const struct scene_constraints *c)
{
    pl_constraints_def def = pl_default_constraints_def();
    pl_id id;
    def.kind = (pl_kind)c->kind;
    def.count = c->count;
    def.index = c->index;
    def.param = c->param;
    def.soft = c->soft;
    pl_result result = pl_add_constraints(world, &def, &id);
    if (result == PL_OK && c->strength > 0.0f)
        result = pl_set_strength(world, id, 0, c->count, c->strength);
    if (result == PL_OK && c->plastic.yield > 0.0f)
        result = pl_set_plastic(world, id, 0, c->count, &c->plastic);
    return result;
}

// Returns the mesh file of an object, or NULL if it is not made from one.
static const char *mesh_of(const struct scene_object *object)
{
    const void *values = object->values;
    switch (object->type)
    {
    case OBJECT_CLOTH:
        return ((const struct scene_cloth *)values)->mesh;
    case OBJECT_SHAPE:
        return ((const struct scene_shape *)values)->mesh;
    case OBJECT_BODY:
        return ((const struct scene_body *)values)->mesh_file;
    default:
        return NULL;
    }
}

static pl_result fill(const pl_scene *scene, pl_world *world)
{
    for (int i = 0; i < scene->object_count; i++)
    {
        pl_id id = {0, 0};
        pl_result result = make_object(world, &scene->objects[i], &id);
        result = result == PL_OK ? check_range(world, &scene->objects[i], id) : result;
        if (result != PL_OK)
        {
            return scene_trouble(scene->objects[i].values->node, mesh_of(&scene->objects[i]), result);
        }
    }
    // Constraints are added last, whatever their place in the text, so that they may refer to any object.
    const struct scene_constraints *c = scene->constraints.items;
    for (int i = 0; i < scene->constraints.count; i++)
    {
        pl_result result = make_constraints(world, &c[i]);
        if (result != PL_OK)
        {
            return scene_trouble(c[i].head.node, NULL, result);
        }
    }
    pl_result result = scene_check_motions(scene, world);
    return result == PL_OK ? scene_make_heat(scene, world) : result;
}

pl_result pl_scene_world(const pl_scene *scene, const pl_world_def *def, pl_world **world)
{
    if (!scene || !world)
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_world without a scene or a place for the world; give both");
    }
    pl_world_def full = def ? *def : pl_default_world_def();
    pl_world *made = NULL;
    full.settings = scene->settings;
    pl_result result = pl_world_create(&full, &made);
    if (result != PL_OK)
    {
        return result;
    }
    result = fill(scene, made);
    if (result != PL_OK)
    {
        char why[1024];
        snprintf(why, sizeof why, "%s", pl_error_message());
        pl_world_destroy(made);
        return fail(result, "%s", why);
    }
    *world = made;
    return PL_OK;
}
