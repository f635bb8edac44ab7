// resume.c: see resume.h. A snapshot holds particles, constraints and settings; frames, script, camera and expectations
// come from the scene. So a --set of a setting changes the world, one of the second group is in the scene already, and
// one of an object must be one that the snapshot was made with: that is checked, because nothing could be done about it.
#include "resume.h"

#include "cli.h"
#include "core/error.h"
#include "io/scene.h"

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
    PART("solver", solver),
    PART("integrator", integrator),
    PART("gravity", gravity),
    PART("damping", damping),
    PART("internal_damping", internal_damping),
    PART("wind.velocity", wind.velocity),
    PART("wind.gust", wind.gust),
    PART("wind.gust_size", wind.gust_size),
    PART("wind.density", wind.density),
    PART("wind", wind),
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

// ---- what does not change while a world runs --------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
    {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211); // FNV-1a
    }
    return hash;
}

static pl_result mix_block(const pl_world *world, pl_id block, uint64_t *hash)
{
    static const pl_row rows[] = {PL_ROW_COMPLIANCE, PL_ROW_DAMPING, PL_ROW_STIFFNESS, PL_ROW_PARAM};
    pl_kind kind;
    int count;
    pl_result result = pl_block_info(world, block, &kind, &count);
    if (result != PL_OK)
    {
        return result;
    }
    const pl_kind_info *info = pl_kind_describe(kind);
    float *values = malloc(((size_t)count * (PL_MAX_PARAMS + PL_MAX_ARITY) + 1) * sizeof *values);
    if (!values)
    {
        return fail(PL_ERROR_MEMORY, "no memory to compare the snapshot with the scene; a smaller scene would fit");
    }
    *hash = mix(*hash, &kind, sizeof kind);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && result == PL_OK; i++)
    {
        size_t size = (size_t)count * (size_t)(rows[i] == PL_ROW_PARAM ? info->params : 1) * sizeof *values;
        if (rows[i] != PL_ROW_PARAM || kind != PL_KIND_PIN) // a pin's target moves
        {
            result = pl_get_rows(world, block, rows[i], 0, count, values);
            *hash = result == PL_OK ? mix(*hash, values, size) : *hash;
        }
    }
    int32_t *particles = (int32_t *)(void *)values;
    result = result == PL_OK ? pl_get_row_particles(world, block, 0, count, particles) : result;
    *hash = result == PL_OK ? mix(*hash, particles, (size_t)count * (size_t)info->arity * sizeof *particles) : *hash;
    free(values);
    return result;
}

static pl_result mix_particles(const pl_world *world, uint64_t *hash)
{
    int count = pl_particle_end(world);
    float *values = malloc(((size_t)count * 3 + 1) * sizeof *values);
    pl_result result = values ? PL_OK : fail(PL_ERROR_MEMORY, "no memory to compare the snapshot with the scene");
    result = result == PL_OK ? pl_get(world, PL_MASS, 0, count, values) : result;
    *hash = result == PL_OK ? mix(*hash, values, (size_t)count * sizeof *values) : *hash;
    result = result == PL_OK ? pl_get(world, PL_CHARGE, 0, count, values) : result;
    *hash = result == PL_OK ? mix(*hash, values, (size_t)count * sizeof *values) : *hash;
    result = result == PL_OK ? pl_get(world, PL_FORCE, 0, count, values) : result;
    *hash = result == PL_OK ? mix(*hash, values, (size_t)count * 3 * sizeof *values) : *hash;
    free(values);
    return result;
}

static pl_result make_of_world(const pl_world *world, uint64_t *hash)
{
    int count = pl_world_blocks(world, NULL, 0);
    pl_id *blocks = malloc(((size_t)count + 1) * sizeof *blocks);
    *hash = UINT64_C(14695981039346656037);
    pl_result result = blocks ? mix_particles(world, hash) : fail(PL_ERROR_MEMORY, "no memory to compare; free some");
    if (blocks)
    {
        pl_world_blocks(world, blocks, count);
    }
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = mix_block(world, blocks[i], hash);
    }
    free(blocks);
    return result;
}

// Of the world that the scene makes with all sets but one; -1: with all.
static pl_result make_without(const struct options *o, int left_out, uint64_t *hash)
{
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    pl_world_def def = pl_default_world_def();
    const char **sets = malloc(((size_t)o->set_count + 1) * sizeof *sets);
    int count = 0;
    for (int i = 0; sets && i < o->set_count; i++)
    {
        if (i != left_out)
        {
            sets[count++] = o->sets[i];
        }
    }
    def.threads = 1;
    pl_result result = sets ? find_scene(o->scene, sets, count, &scene) : fail(PL_ERROR_MEMORY, "no memory; free some");
    result = result == PL_OK ? pl_scene_world(scene, &def, &world) : result;
    result = result == PL_OK ? make_of_world(world, hash) : result;
    pl_world_destroy(world);
    pl_scene_free(scene);
    free(sets);
    return result;
}

static pl_result check_objects(const struct options *o, const pl_world *world)
{
    uint64_t saved = 0, whole = 0, without = 0;
    int first = -1;
    for (int i = o->set_count - 1; i >= 0; i--)
    {
        first = group_of(o->sets[i]) == SET_OBJECT ? i : first;
    }
    if (first < 0)
    {
        return PL_OK;
    }
    pl_result result = make_of_world(world, &saved);
    result = result == PL_OK ? make_without(o, -1, &whole) : result;
    for (int i = first; i < o->set_count && result == PL_OK; i++)
    {
        if (group_of(o->sets[i]) != SET_OBJECT)
        {
            continue;
        }
        // Where the scene is none without this set, the set makes a difference.
        bool idle = make_without(o, i, &without) == PL_OK && without == whole;
        if (idle)
        {
            return fail(PL_ERROR_ARGUMENT,
                        "--set %.80s cannot be applied to a resumed run: what it changes is in the snapshot; leave it "
                        "out, or start anew without --resume",
                        o->sets[i]);
        }
        first = whole != saved && without == saved ? i : first;
    }
    return result != PL_OK || whole == saved
               ? result
               : fail(PL_ERROR_ARGUMENT,
                      "--set %.80s cannot be applied to a resumed run: the snapshot was made without it, or what it "
                      "changes has torn or flowed since; leave it out, or start anew without --resume",
                      o->sets[first]);
}

pl_result resume_world(const pl_scene *scene, const struct options *o, const pl_world_def *def, pl_world **world)
{
    pl_result result = pl_world_load(def, o->resume, world);
    // Fails when the snapshot is of another scene.
    result = result == PL_OK ? pl_scene_expect(scene, *world, NULL, 0, NULL, NULL) : result;
    result = result == PL_OK ? check_objects(o, *world) : result;
    return result == PL_OK ? apply_settings(scene, o, *world) : result;
}
