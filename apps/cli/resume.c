// resume.c: see resume.h. A snapshot holds particles, constraints and settings; frames, script, camera and expectations
// come from the scene. So a --set of a setting changes the world, one of the second group is in the scene already, and
// one of an object must be one that the snapshot was made with: that is checked, because nothing could be done about it.
#include "resume.h"

#include "cli.h"
#include "core/error.h"
#include "io/scene.h"
#include "made_of.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum set_group
{
    SET_SETTING,
    SET_SCENE,
    SET_OBJECT,
};

#define PART(path, member)                                                                                             \
    {                                                                                                                  \
        path, offsetof(pl_settings, member), sizeof((pl_settings *)0)->member                                          \
    }

static const struct
{
    const char *path;
    size_t offset, size;
} settings[] = {
    PART("substeps", substeps),
    PART("iterations", iterations),
    PART("stabilise", stabilise),
    PART("contact_sweeps", contact_sweeps),
    PART("solver", solver),
    PART("colour_cap", colour_cap),
    PART("relaxation", relaxation),
    PART("averaged", averaged),
    PART("spectral_radius", spectral_radius),
    PART("integrator", integrator),
    PART("gravity", gravity),
    PART("damping", damping),
    PART("internal_damping", internal_damping),
    PART("wind.velocity", wind.velocity),
    PART("wind.gust", wind.gust),
    PART("wind.gust_size", wind.gust_size),
    PART("wind.density", wind.density),
    PART("wind", wind),
    PART("sleep", sleep),
    PART("sleep_speed", sleep_speed),
    PART("sleep_time", sleep_time),
};

// Whether the set changes this path, or a part of it such as gravity[1].
static bool sets_path(const char *set, const char *path)
{
    size_t length = strlen(path);
    return strncmp(set, path, length) == 0 && strchr("=.[", set[length]) != NULL && set[length] != 0;
}

static enum set_group group_of(const char *set)
{
    for (int i = 0; scene_object_key(i); i++)
    {
        if (sets_path(set, scene_object_key(i)))
        {
            return SET_OBJECT;
        }
    }
    if (sets_path(set, "heat") || sets_path(set, "ambient")) // what objects are like; a snapshot has it
    {
        return SET_OBJECT;
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    {
        if (sets_path(set, settings[i].path))
        {
            return SET_SETTING;
        }
    }
    return SET_SCENE;
}

static pl_result apply_settings(const pl_scene *scene, const struct options *o, pl_world *world)
{
    pl_settings s = pl_world_settings(world);
    for (int i = 0; i < o->set_count; i++)
    {
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        {
            if (sets_path(o->sets[i], settings[k].path))
            {
                memcpy((char *)&s + settings[k].offset, (const char *)&scene->settings + settings[k].offset,
                       settings[k].size);
                break; // the parts of the wind stand before the whole of it
            }
        }
    }
    return pl_world_set_settings(world, &s);
}

// ---- objects ---------------------------------------------------------------------------------------------------------

// Whether the snapshot could be of the scene with all sets but one.
static pl_result made_without(const struct options *o, int left_out, const pl_world *world)
{
    pl_scene *scene = NULL;
    const char **sets = malloc(((size_t)o->set_count + 1) * sizeof *sets);
    int count = 0;
    for (int i = 0; sets && i < o->set_count; i++)
    {
        if (i != left_out)
        {
            sets[count++] = o->sets[i];
        }
    }
    pl_result result =
        sets ? find_scene(o->scene, sets, count, &scene) : fail(PL_ERROR_MEMORY, "no memory; free some memory");
    result = result == PL_OK ? made_of(scene, world, o->resume) : result;
    pl_scene_free(scene);
    free(sets);
    return result;
}

// A set of an object must be one without which the snapshot would be another's; else nothing came of it.
static pl_result check_objects(const pl_scene *scene, const struct options *o, const pl_world *world)
{
    char why[1024];
    pl_result whole = made_of(scene, world, o->resume);
    snprintf(why, sizeof why, "%s", pl_error_message());
    for (int i = 0; i < o->set_count && (whole == PL_OK || whole == PL_ERROR_ARGUMENT); i++)
    {
        if (group_of(o->sets[i]) == SET_OBJECT && made_without(o, i, world) == PL_OK)
        {
            return fail(
                PL_ERROR_ARGUMENT,
                "--set %.80s cannot be applied to a resumed run: %s; leave it out, or start again without --resume",
                o->sets[i],
                whole == PL_OK ? "its value is in the snapshot, or has changed by tearing or plastic flow"
                               : "the snapshot was made without it");
        }
    }
    return whole == PL_OK ? PL_OK : fail(whole, "%s", why);
}

pl_result resume_world(const pl_scene *scene, const struct options *o, const pl_world_def *def, pl_world **world)
{
    pl_result result = pl_world_load(def, o->resume, world);
    result = result == PL_OK ? check_objects(scene, o, *world) : result;
    return result == PL_OK ? apply_settings(scene, o, *world) : result;
}
