// robot_mesh.c: reads the meshes of robots, OBJ and STL (text and binary), as the points of hulls.
#include "robot_model.h"

#include "core/error.h"
#include "core/files.h"
#include "io/number.h"
#include "io/obj.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STL_HEAD = 84, // bytes before the first triangle of a binary file
    STL_EACH = 50,
    STL_MOST = 1 << 22,
};

static uint32_t word_at(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// A binary file's size follows from its count of triangles; some of them begin with "solid" as texts do.
static bool is_binary(const char *text, size_t length)
{
    if (length < STL_HEAD)
        return false;
    uint64_t count = word_at((const unsigned char *)text + 80);
    return STL_HEAD + count * STL_EACH == length;
}

static const char *read_binary(struct store *store, const char *text, float **points, int *count)
{
    uint32_t triangles = word_at((const unsigned char *)text + 80);
    if (triangles > STL_MOST)
        return "more than four million triangles; use a smaller mesh";
    *points = store_take(store, (size_t)triangles * 9 * sizeof **points);
    if (!*points)
        return "no memory for the mesh; use a smaller one";
    for (size_t t = 0; t < triangles; t++)
        for (size_t i = 0; i < 9; i++)
        {
            uint32_t bits = word_at((const unsigned char *)text + STL_HEAD + t * STL_EACH + 12 + 4 * i);
            memcpy(*points + 9 * t + i, &bits, sizeof bits);
        }
    *count = 3 * (int)triangles;
    return NULL;
}

// Finds the next word at or after *at; returns its length, 0 at the end.
static size_t next_word(const char *text, size_t length, size_t *at)
{
    size_t start = *at;
    while (start < length && strchr(" \t\r\n", text[start]) && text[start])
        start++;
    size_t end = start;
    while (end < length && text[end] && !strchr(" \t\r\n", text[end]))
        end++;
    *at = start;
    return end - start;
}

static const char *read_words(const char *text, size_t length, float *points, int *count)
{
    size_t at = 0, size;
    *count = 0;
    while ((size = next_word(text, length, &at)) > 0)
    {
        bool vertex = size == 6 && memcmp(text + at, "vertex", 6) == 0;
        at += size;
        for (int i = 0; i < 3 && vertex; i++)
        {
            double value;
            size = next_word(text, length, &at);
            if (!size || !number_read(text + at, size, NUMBER_LOOSE, &value))
                return "a vertex without three numbers; use \"vertex x y z\"";
            if (points)
                points[3 * *count + i] = (float)value;
            at += size;
        }
        *count += vertex;
        if (*count > 3 * STL_MOST)
            return "more than four million triangles; use a smaller mesh";
    }
    return *count ? NULL : "no vertices in it; a binary STL file whose size fits its count, or a text, is needed";
}

static const char *read_stl(struct store *store, const char *text, size_t length, float **points, int *count)
{
    if (is_binary(text, length))
        return read_binary(store, text, points, count);
    const char *wrong = read_words(text, length, NULL, count);
    *points = wrong ? NULL : store_take(store, (size_t)*count * 3 * sizeof **points);
    if (!wrong && !*points)
        return "no memory for the mesh; use a smaller one";
    return wrong ? wrong : read_words(text, length, *points, count);
}

// Reads a file in the folder of the robot's, or in the folder above it, where packages keep their meshes.
static pl_result read_beside(struct robot_model *m, const char *path, char **text, size_t *length, char **found)
{
    const char *file = m->root->source->file, *slash = path[0] == '/' ? NULL : strrchr(file, '/');
    size_t folder = slash ? (size_t)(slash - file) + 1 : 0, size = strlen(path) + 4;
    pl_result result = PL_ERROR_FILE;
    for (int up = 0; up < 3 && result == PL_ERROR_FILE; up++) // the third time for the message of the first
    {
        char *whole = store_take(m->store, folder + size);
        if (!whole)
            return fail(PL_ERROR_MEMORY, "no memory for the robot; use a smaller one");
        snprintf(whole, folder + size, "%.*s%s%s", (int)folder, file, up == 1 && path[0] != '/' ? "../" : "", path);
        result = file_read(whole, (size_t)1 << 28, text, length);
        *found = whole;
    }
    return result;
}

bool robot_read_hull(struct robot_model *m, const struct xml *node, const struct xml_attribute *at, const char *path,
                     const double scale[3], pl_rigid_shape *shape)
{
    char *text = NULL, *found = NULL, why[400];
    size_t length = 0;
    float *points = NULL;
    int count = 0;
    if (m->result != PL_OK)
        return false;
    if (strncmp(path, "package://", 10) == 0) // the name of the package is left out
        path = strchr(path + 10, '/') ? strchr(path + 10, '/') + 1 : path + 10;
    else if (strncmp(path, "file://", 7) == 0)
        path += 7;
    if (!path_ends(path, "obj") && !path_ends(path, "stl"))
    {
        robot_warn(m, node, at, "mesh", "\"%.120s\" is left out: only OBJ and STL files are read; convert it to one",
                   path);
        return false;
    }
    if (!m->def.allow_paths && !path_is_inside(path))
    {
        robot_fail(m, node, at,
                   "\"%.120s\" is outside the robot's folder; put the mesh beside the file, or allow such paths with "
                   "--allow-paths (allow_paths of pl_robot_def)",
                   path);
        return false;
    }
    pl_result result = read_beside(m, path, &text, &length, &found);
    if (result == PL_OK && path_ends(path, "obj"))
    {
        struct obj_mesh mesh;
        result = obj_parse(m->store, text, length, found, &mesh);
        points = mesh.vertices, count = mesh.vertex_count;
    }
    else if (result == PL_OK)
    {
        const char *wrong = read_stl(m->store, text, length, &points, &count);
        result = wrong ? fail(PL_ERROR_FORMAT, "%.150s:1:1: error: %s", found, wrong) : PL_OK;
    }
    free(text);
    snprintf(why, sizeof why, "%s", result == PL_OK ? "" : pl_error_message());
    if (result != PL_OK)
        robot_fail(m, node, at, "\"%.120s\" cannot be used: %s", path, why);
    for (size_t i = 0; i < 3 * (size_t)count && result == PL_OK; i++)
    {
        points[i] = (float)((double)points[i] * scale[i % 3]);
        if (!(points[i] >= -1e6f && points[i] <= 1e6f))
        {
            robot_fail(m, node, at, "\"%.120s\" has a coordinate beyond 1e6 m; use a smaller scale", path);
            return false;
        }
    }
    shape->kind = PL_RIGID_HULL;
    shape->vertices = points;
    shape->vertex_count = count;
    return result == PL_OK;
}
