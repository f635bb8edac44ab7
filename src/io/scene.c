// scene.c: implements the public API of scenes. fields.c and scene_*.c read them, and scene_world.c makes the world.
#include "scene_robot.h"

#include "core/error.h"
#include "core/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pl_result resolve(pl_scene *scene, uint64_t memory_limit)
{
    pl_result result = scene_find_objects(scene, memory_limit);
    result = result == PL_OK ? scene_find_constraints(scene) : result;
    result = result == PL_OK ? scene_find_motions(scene) : result;
    result = result == PL_OK ? scene_find_cuts(scene) : result;
    result = result == PL_OK ? scene_find_heat(scene) : result;
    result = result == PL_OK ? scene_find_reaches(scene) : result;
    return result == PL_OK ? scene_find_places(scene) : result;
}

pl_result scene_parse(const char *text, size_t length, const char *file, const char *const *sets, int set_count,
                      uint64_t memory_limit, pl_scene **out)
{
    if (!text || !out || set_count < 0 || (set_count > 0 && !sets))
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_parse without a text or a place for the scene; give both");
    }
    pl_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
    {
        return fail(PL_ERROR_MEMORY, "no memory for a scene; free some memory");
    }
    struct json *root = NULL;
    pl_result result = json_parse(&scene->store, text, length, file ? file : "scene", &root);
    for (int i = 0; i < set_count && result == PL_OK; i++)
    {
        result = record_set(&scene->store, &scene_record, root, sets[i]);
    }
    if (result == PL_OK)
    {
        scene->root = root;
        result = record_read(&scene->store, &scene_record, scene_record.name, root, scene);
    }
    result = result == PL_OK ? resolve(scene, memory_limit) : result;
    if (result != PL_OK)
    {
        pl_scene_free(scene);
        return result;
    }
    *out = scene;
    return PL_OK;
}

pl_result pl_scene_parse(const char *text, size_t length, const char *file, const char *const *sets, int set_count,
                         pl_scene **scene)
{
    // Memory beyond what the machine has is refused, because using it would make the system kill the program.
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : SCENE_MEMORY;
    return scene_parse(text, length, file, sets, set_count, memory < SCENE_MEMORY ? memory : SCENE_MEMORY, scene);
}

pl_result pl_scene_load(const char *path, const char *const *sets, int set_count, pl_scene **scene)
{
    char *text;
    size_t length;
    if (!path || !scene)
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_load without a path or a place for the scene; give both");
    }
    pl_result result = PL_OK;
    if (path_ends(path, "urdf") || path_ends(path, "xml"))
    {
        text = scene_of_robot_file(path);
        length = text ? strlen(text) : 0;
        result = text ? PL_OK : fail(PL_ERROR_MEMORY, "no memory for a scene; free some memory");
    }
    else
        result = file_read(path, JSON_MAX_BYTES, &text, &length);
    if (result == PL_OK)
    {
        result = pl_scene_parse(text, length, path, sets, set_count, scene);
        free(text);
    }
    return result;
}

void pl_scene_free(pl_scene *scene)
{
    if (scene)
    {
        store_free(&scene->store);
        free(scene);
    }
}

static pl_camera camera_of(const pl_scene *scene)
{
    const struct scene_camera *c = &scene->camera;
    return (pl_camera){.given = c->head.node != NULL,
                       .eye = c->eye,
                       .target = c->target,
                       .fov = c->fov,
                       .follow = c->follow,
                       .has_floor = c->head.node && record_has(&camera_record, c, offsetof(struct scene_camera, floor)),
                       .floor = c->floor};
}

pl_scene_info pl_scene_describe(const pl_scene *scene)
{
    if (!scene)
        return (pl_scene_info){.name = "", .about = ""};
    return (pl_scene_info){.name = scene->name ? scene->name : "scene",
                           .about = scene->about ? scene->about : "",
                           .frames = scene->frames,
                           .dt = scene->dt,
                           .camera = camera_of(scene),
                           .has_diffuse = scene->diffuse.head.node != NULL,
                           .diffuse = scene_diffuse_def(&scene->diffuse)};
}
