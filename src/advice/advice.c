// advice.c: see advice.h.
#include "advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void advise(struct advice *a, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    a->count++;
    if (a->out && a->used + length + 2 <= a->size)
    {
        memcpy(a->out + a->used, line, length);
        a->used += length;
        a->out[a->used++] = '\n';
        a->out[a->used] = 0;
    }
}

void object_label(const struct advice *a, const struct scene_object *object, char label[OBJECT_LABEL])
{
    char path[64];
    scene_object_path(a->scene, object, path, sizeof path);
    if (object->name)
    {
        snprintf(label, OBJECT_LABEL, "%s \"%.64s\"", path, object->name);
    }
    else
    {
        snprintf(label, OBJECT_LABEL, "%s", path);
    }
}

void particle_label(const struct advice *a, int particle, char label[OBJECT_LABEL])
{
    const struct scene_object *object = scene_object_of_particle(a->scene, particle);
    if (object)
    {
        object_label(a, object, label);
    }
    else
    {
        snprintf(label, OBJECT_LABEL, "particle %d", particle);
    }
}

int scene_advice(const pl_scene *scene, const pl_world *world, unsigned about, int64_t frames,
                 const pl_convergence *measured, char *out, size_t size)
{
    if (out && size)
    {
        out[0] = 0;
    }
    if (!scene || !world)
    {
        return 0;
    }
    struct advice a = {.scene = scene, .world = world, .dt = scene->dt, .out = size ? out : NULL, .size = size};
    a.frames = frames > scene->frames ? frames : scene->frames;
    if (about & PL_ADVICE_START)
    {
        pl_convergence expected = pl_world_expected_convergence(world, scene->dt);
        advise_masses(&a);
        advise_convergence(&a, &expected, true);
    }
    if (about & PL_ADVICE_SCENE)
    {
        advise_objects(&a);
        advise_digits(&a);
        advise_fields(&a);
        advise_spacing(&a);
        advise_overlap(&a);
        advise_fluids(&a);
    }
    if (about & PL_ADVICE_STATE)
    {
        pl_convergence now = measured ? *measured : pl_world_convergence(world);
        advise_convergence(&a, &now, false);
        advise_strain(&a);
    }
    return a.count;
}

int pl_scene_advice(const pl_scene *scene, const pl_world *world, unsigned about, int64_t frames, char *out,
                    size_t size)
{
    return scene_advice(scene, world, about, frames, NULL, out, size);
}
