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

static pl_result check_source(const pl_scene_source *source, pl_scene **out)
{
    if (!source || !(source->text || source->file) || !out || source->set_count < 0 ||
        (source->set_count > 0 && !source->sets))
        return fail(PL_ERROR_ARGUMENT,
                    "a scene without a text, a file or a place for it; give both a source and a place");
    for (int i = 0; i < source->set_count; i++)
        if (!source->sets[i])
            return fail(PL_ERROR_ARGUMENT, "sets[%d] is NULL; give a text \"path=value\", or a smaller set_count", i);
    return PL_OK;
}

pl_result scene_parse(const pl_scene_source *source, uint64_t memory_limit, pl_scene **out)
{
    pl_result result = check_source(source, out);
    if (result != PL_OK)
    {
        return result;
    }
    pl_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
    {
        return fail(PL_ERROR_MEMORY, "no memory for a scene; free some memory");
    }
    struct json *root = NULL;
    scene->allow_paths = source->allow_paths;
    result = json_parse(&scene->store, source->text, source->length, source->file ? source->file : "scene", &root);
    for (int i = 0; i < source->set_count && result == PL_OK; i++)
    {
        result = record_set(&scene->store, &scene_record, root, source->sets[i]);
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

static pl_result parse(const pl_scene_source *source, pl_scene **scene)
{
    // Memory beyond what the machine has is refused, because using it would make the system kill the program.
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : SCENE_MEMORY;
    return scene_parse(source, memory < SCENE_MEMORY ? memory : SCENE_MEMORY, scene);
}

// The text of a file; a robot's file is a scene with that robot alone.
static pl_result read_file(const char *path, char **text, size_t *length)
{
    if (!path_ends(path, "urdf") && !path_ends(path, "xml"))
    {
        return file_read(path, JSON_MAX_BYTES, text, length);
    }
    *text = scene_of_robot_file(path);
    *length = *text ? strlen(*text) : 0;
    return *text ? PL_OK : fail(PL_ERROR_MEMORY, "no memory for a scene; free some memory");
}

pl_scene_source pl_default_scene_source(void) { return (pl_scene_source){0}; }

pl_result pl_scene_open(const pl_scene_source *source, pl_scene **scene)
{
    char *text;
    pl_result result = check_source(source, scene);
    if (result != PL_OK || source->text)
    {
        return result == PL_OK ? parse(source, scene) : result;
    }
    pl_scene_source read = *source;
    result = read_file(source->file, &text, &read.length);
    if (result == PL_OK)
    {
        read.text = text;
        result = parse(&read, scene);
        free(text);
    }
    return result;
}

pl_result pl_scene_parse(const char *text, size_t length, const char *file, const char *const *sets, int set_count,
                         pl_scene **scene)
{
    const pl_scene_source source = {.text = text, .length = length, .file = file, .sets = sets, .set_count = set_count};
    if (!text)
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_parse without a text; give one, or use pl_scene_load");
    }
    return pl_scene_open(&source, scene);
}

pl_result pl_scene_load(const char *path, const char *const *sets, int set_count, pl_scene **scene)
{
    const pl_scene_source source = {.file = path, .sets = sets, .set_count = set_count};
    return pl_scene_open(&source, scene);
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
