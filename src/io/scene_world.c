// scene_world.c: makes a scene's world, using only the public API.
#include "scene.h"

#include "core/error.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

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

// Checks that the world's particle numbers agree with those that the scene counted before the world existed; references
// depend on it.
static pl_result check_range(pl_world *world, const struct scene_object *object, pl_id id)
{
    int first = 0, count = 0;
    pl_result result = object->count ? pl_object_range(world, id, &first, &count) : PL_OK;
    if (scene_object_kind(object)->copies) // they follow each other
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

static pl_result make_objects(const pl_scene *scene, pl_world *world)
{
    for (int i = 0; i < scene->object_count; i++)
    {
        pl_id id = {0, 0};
        const struct scene_object *object = &scene->objects[i];
        const struct object_kind *kind = scene_object_kind(object);
        pl_result result = kind->make(world, object->values, &id);
        result = result == PL_OK ? check_range(world, object, id) : result;
        if (result != PL_OK)
        {
            return scene_trouble(object->values->node, kind->mesh ? kind->mesh(object->values) : NULL, result);
        }
    }
    return PL_OK;
}

static pl_result fill(const pl_scene *scene, pl_world *world)
{
    pl_result made = make_objects(scene, world);
    if (made != PL_OK)
    {
        return made;
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

// A scene that gives neither substeps nor iterations gets what its stiffness and resolution need.
static pl_result choose_substeps(const pl_scene *scene, pl_world *world)
{
    pl_settings settings = pl_world_settings(world);
    if (record_has(&scene_record, scene, offsetof(struct pl_scene, settings.substeps)) ||
        record_has(&scene_record, scene, offsetof(struct pl_scene, settings.iterations)))
    {
        return PL_OK;
    }
    pl_result result = pl_recommend_settings(world, scene->dt, &settings);
    return result == PL_OK ? pl_world_set_settings(world, &settings) : result;
}

// The solver auto: trials choose it, and what the scene leaves open. Where there is nothing to choose between it is xpbd.
static pl_result choose_solver(const pl_scene *scene, pl_world *world)
{
    pl_solver_trials_def def = pl_default_solver_trials_def();
    pl_solver_advice advice;
    pl_settings settings = pl_world_settings(world);
    def.dt = scene->dt;
    def.frames = scene->frames > 0 && scene->frames < def.frames ? scene->frames : def.frames;
    def.portable = true; // the choice may not depend on the backend
    if (record_has(&scene_record, scene, offsetof(struct pl_scene, settings.substeps)))
    {
        def.substeps = settings.substeps;
    }
    if (record_has(&scene_record, scene, offsetof(struct pl_scene, settings.iterations)))
    {
        def.iterations = settings.iterations;
    }
    pl_result result = pl_try_solvers(world, &def, &advice, NULL, 0);
    if (result != PL_OK)
    {
        return result == PL_ERROR_UNSUPPORTED ? PL_OK : result;
    }
    settings.solver = advice.best.solver;
    settings.substeps = advice.best.substeps;
    settings.iterations = advice.best.iterations;
    return pl_world_set_settings(world, &settings);
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
    const bool choose = (int)scene->settings.solver == SCENE_SOLVER_AUTO;
    full.settings.solver = choose ? PL_SOLVER_XPBD : full.settings.solver;
    pl_result result = pl_world_create(&full, &made);
    if (result != PL_OK)
    {
        return result;
    }
    result = fill(scene, made);
    result = result == PL_OK ? choose_substeps(scene, made) : result;
    result = result == PL_OK && choose ? choose_solver(scene, made) : result;
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

pl_result scene_start_positions(const pl_scene *scene, float **x)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL;
    def.threads = 1;
    *x = malloc(((size_t)scene->particle_count + 1) * 3 * sizeof **x);
    pl_result result =
        *x ? pl_world_create(&def, &world) : fail(PL_ERROR_MEMORY, "no memory for a scene; use a smaller one");
    result = result == PL_OK ? make_objects(scene, world) : result;
    result = result == PL_OK ? pl_get(world, PL_ATTRIBUTE_POSITION, 0, scene->particle_count, *x) : result;
    char why[1024];
    snprintf(why, sizeof why, "%s", pl_error_message());
    pl_world_destroy(world);
    return result == PL_OK ? result : fail(result, "%s", why);
}
