// overlap.c: what overlaps before anything has moved. Contacts push it apart within a few substeps, which looks like an
// explosion.
//
// Particles are searched. Rigid bodies are listed by the first substep of a copy of the world, too short for anything to
// move.
#include "advice.h"

#include "query/penetration.h"

#include <stdio.h>
#include <stdlib.h>

#define DEEP_PARTICLES 0.25 // of a radius
#define DEEP_BODIES 0.005   // m
#define INSTANT 1e-6f       // s

static void advise_particles(struct advice *a)
{
    deepest_overlap d;
    char label[OBJECT_LABEL], other[OBJECT_LABEL];
    if (!penetration_deepest(a->world, &d))
        return;
    if (d.crossings)
        advise(a,
               "%lld edges of surfaces pass through triangles at the start, which are pulled apart; move the objects "
               "apart, or make the mesh so that it does not cross itself",
               (long long)d.crossings);
    if (!(d.relative > DEEP_PARTICLES) || pl_world_settings(a->world).stabilise > 0)
        return;
    pl_scene_particle_name(a->scene, d.a, label, sizeof label);
    if (d.b >= 0)
        pl_scene_particle_name(a->scene, d.b, other, sizeof other);
    else
        snprintf(other, sizeof other, "shape %d", d.shape);
    for (int i = 0; d.b < 0 && i < a->scene->object_count; i++)
    {
        const struct scene_object *o = &a->scene->objects[i];
        const struct scene_shape *shape = (const struct scene_shape *)(const void *)o->values;
        if (o->type == OBJECT_SHAPE && d.shape >= shape->first && d.shape < shape->first + shape->copies)
            object_label(a, o, other);
    }
    advise(
        a,
        "%s overlaps %s by %.3g m at the start, so that they are pushed apart; move them apart, or use \"stabilise\"",
        label, other, d.overlap);
}

static pl_result list_bodies(const pl_world *world, pl_world **copy)
{
    void *data = NULL;
    size_t size = 0;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    pl_result result = pl_world_save_memory(world, &data, &size);
    result = result == PL_OK ? pl_world_load_memory(&def, data, size, copy) : result;
    pl_free(data);
    if (result != PL_OK)
        return result;
    pl_settings settings = pl_world_settings(*copy);
    settings.substeps = settings.iterations = 1;
    result = pl_world_set_settings(*copy, &settings);
    return result == PL_OK ? pl_world_step(*copy, INSTANT) : result;
}

static double depth_of(const pl_rigid_contact *c)
{
    double most = 0.0;
    for (int k = 0; k < c->count; k++)
        if (-(double)c->points[k].separation > most)
            most = -(double)c->points[k].separation;
    return most;
}

static void label_end(const struct advice *a, const pl_world *copy, const pl_rigid_contact *c, int end,
                      char label[OBJECT_LABEL])
{
    int first, count;
    if (c->bodies[end].index && pl_object_range(copy, c->bodies[end], &first, &count) == PL_OK)
        pl_scene_particle_name(a->scene, first, label, OBJECT_LABEL);
    else
        snprintf(label, OBJECT_LABEL, "a shape of the world");
}

static void advise_bodies(struct advice *a)
{
    pl_world *copy = NULL;
    if (pl_world_rigids(a->world, NULL, 0) == 0)
        return;
    int count = list_bodies(a->world, &copy) == PL_OK ? pl_get_rigid_contacts(copy, (pl_id){0, 0}, NULL, 0) : 0;
    pl_rigid_contact *contacts = malloc(((size_t)count + 1) * sizeof *contacts);
    count = contacts ? pl_get_rigid_contacts(copy, (pl_id){0, 0}, contacts, count) : 0;
    int deep = 0, worst = 0;
    for (int i = 0; i < count; i++)
    {
        deep += depth_of(&contacts[i]) > DEEP_BODIES;
        worst = depth_of(&contacts[i]) > depth_of(&contacts[worst]) ? i : worst;
    }
    if (deep)
    {
        char label[2][OBJECT_LABEL];
        label_end(a, copy, &contacts[worst], 0, label[0]);
        label_end(a, copy, &contacts[worst], 1, label[1]);
        advise(a,
               "%d contacts of rigid bodies overlap at the start, %s and %s by %.3g m; move them apart, or set their "
               "\"mask\"",
               deep, label[0], label[1], depth_of(&contacts[worst]));
    }
    free(contacts);
    pl_world_destroy(copy);
}

void advise_overlap(struct advice *a)
{
    if (pl_world_frame(a->world) > 0) // what has been pressed together by a run is no mistake
        return;
    advise_particles(a);
    advise_bodies(a);
}
