// scene_mesh.c: reads the files that a scene names: meshes, heights. Paths are relative to the scene's folder.
#include "scene.h"

#include "core/error.h"
#include "core/files.h"
#include "obj.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *scene_path(const pl_scene *scene, const char *path)
{
    const char *file = scene->root->source->file;
    const char *slash = path[0] == '/' ? NULL : strrchr(file, '/');
    size_t folder = slash ? (size_t)(slash - file) + 1 : 0, length = strlen(path);
    char *whole = malloc(folder + length + 1);
    if (whole)
    {
        memcpy(whole, file, folder);
        memcpy(whole + folder, path, length + 1);
    }
    return whole;
}

pl_result scene_read_file(const pl_scene *scene, const struct json *node, const char *path, char **text, size_t *length)
{
    if (!scene->allow_paths && !path_is_inside(path))
        return json_fail(
            node,
            "\"%s\" is outside the scene's folder; put the file beside the scene, or allow such paths with "
            "--allow-paths (allow_paths of pl_scene_open)",
            path);
    char *whole = scene_path(scene, path);
    if (!whole)
    {
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    }
    pl_result result = file_read(whole, (size_t)1 << 30, text, length);
    if (result != PL_OK)
    {
        char why[512];
        snprintf(why, sizeof why, "%s", pl_error_message());
        const char *error = strstr(why, "error: ");
        json_fail_code(node, result, "\"%s\": %s", whole, error ? error + 7 : why);
    }
    free(whole);
    return result;
}

pl_result scene_trouble(const struct json *node, const char *mesh, pl_result result)
{
    char why[640];
    if (result == PL_OK)
    {
        return PL_OK;
    }
    snprintf(why, sizeof why, "%s", pl_error_message());
    bool numbers = mesh && (strstr(why, "vertex ") || strstr(why, "triangle "));
    return json_fail_code(node, result, "%s%s%s%s%s", mesh ? "\"" : "", mesh ? mesh : "", mesh ? "\": " : "", why,
                          numbers ? " (counted from 0, and faces of more corners cut into triangles)" : "");
}

pl_result scene_read_mesh(pl_scene *scene, const struct json *node, const char *path, struct numbers *vertices,
                          struct triples *triangles)
{
    char *text;
    size_t length;
    struct obj_mesh mesh;
    pl_result result = scene_read_file(scene, node, path, &text, &length);
    if (result != PL_OK)
    {
        return result;
    }
    char *whole = scene_path(scene, path);
    result = whole ? obj_parse(&scene->store, text, length, whole, &mesh)
                   : fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    free(whole);
    free(text);
    if (result == PL_OK)
    {
        *vertices = (struct numbers){.values = mesh.vertices, .count = mesh.vertex_count};
        *triangles = (struct triples){.values = mesh.triangles, .count = mesh.triangle_count};
    }
    return result;
}
