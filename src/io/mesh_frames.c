// mesh_frames.c: see mesh_frames.h.
//   PC2: char[12] "POINTCACHE2\0" · int32 version 1 · int32 points · float first frame · float frames per sample · int32
//   samples · then for each sample 3 floats for each point; all little-endian
#include "mesh_frames.h"

#include "core/error.h"
#include "core/files.h"
#include "series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PC2_HEAD = 32,
    MOST_FRAMES = 100000,
};

static pl_result no_memory(void)
{
    return fail(PL_ERROR_MEMORY, "no memory for a sequence of meshes; use fewer frames");
}

static pl_result check_size(const struct json *node, int64_t frames, int64_t vertices, uint64_t limit)
{
    return (uint64_t)frames * (uint64_t)vertices * 12 <= limit
               ? PL_OK
               : json_fail_code(node, PL_ERROR_MEMORY,
                                "a sequence of %lld frames with %lld vertices needs too much memory; use fewer frames",
                                (long long)frames, (long long)vertices);
}

// ---- PC2 -----------------------------------------------------------------------------------------------------------

static uint32_t word_at(const char *data)
{
    const unsigned char *b = (const unsigned char *)data;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static pl_result parse_cache(pl_scene *scene, const struct json *node, const char *data, size_t length, uint64_t limit,
                             struct mesh_frames *out)
{
    if (length < PC2_HEAD || memcmp(data, "POINTCACHE2", 12) != 0 || word_at(data + 12) != 1)
        return json_fail(node, "the file is no PC2 cache of version 1; export the animation as PC2 or as OBJ files");
    uint32_t points = word_at(data + 16), samples = word_at(data + 28);
    if (points < 3 || samples < 1 || points > SCENE_MAX_PARTICLES || samples > MOST_FRAMES)
        return json_fail(node, "the cache has %u points and %u samples; 3 to %d and 1 to %d are allowed", points,
                         samples, SCENE_MAX_PARTICLES, MOST_FRAMES);
    pl_result result = check_size(node, samples, points, limit);
    uint64_t numbers = 3 * (uint64_t)points * samples;
    if (result == PL_OK && (length - PC2_HEAD) / 4 < numbers)
        result = json_fail(node, "the cache ends before its last sample; it is not complete");
    if (result != PL_OK)
        return result;
    out->x = store_take(&scene->store, numbers * sizeof *out->x);
    if (!out->x)
        return no_memory();
    for (uint64_t i = 0; i < numbers; i++)
    {
        uint32_t bits = word_at(data + PC2_HEAD + 4 * i);
        if ((bits >> 23 & 255) == 255)
            return json_fail(node, "sample %llu of the cache has a number that is not finite",
                             (unsigned long long)(i / (3 * (uint64_t)points)));
        memcpy(&out->x[i], &bits, 4);
    }
    out->vertices = (int)points;
    out->frames = (int)samples;
    return PL_OK;
}

static pl_result read_cache(pl_scene *scene, const struct json *node, const char *path, uint64_t limit,
                            struct mesh_frames *out)
{
    char *data;
    size_t length;
    pl_result result = scene_read_file(scene, node, path, &data, &length);
    if (result == PL_OK)
    {
        result = parse_cache(scene, node, data, length, limit, out);
        free(data);
    }
    return result;
}

// ---- OBJ files -----------------------------------------------------------------------------------------------------

static bool exists(const pl_scene *scene, const char *path, int number)
{
    char name[1024];
    char *whole = series_name(path, number, name, sizeof name) < (int)sizeof name ? scene_path(scene, name) : NULL;
    FILE *file = whole ? fopen(whole, "rb") : NULL;
    if (file)
        fclose(file);
    free(whole);
    return file != NULL;
}

static pl_result read_mesh(pl_scene *scene, const struct json *node, const char *path, int number,
                           struct mesh_frames *out)
{
    char name[1024];
    struct numbers vertices;
    struct triples triangles;
    series_name(path, number, name, sizeof name);
    pl_result result = scene_read_mesh(scene, node, name, &vertices, &triangles);
    if (result != PL_OK)
        return result;
    if (!out->triangles.count)
    {
        out->vertices = vertices.count;
        out->triangles = triangles;
    }
    if (vertices.count != out->vertices || triangles.count != out->triangles.count)
        return json_fail(node, "\"%s\" has %d vertices and %d triangles, the first mesh %d and %d; all must be alike",
                         name, vertices.count, triangles.count, out->vertices, out->triangles.count);
    if (out->x)
        memcpy(out->x + 3 * (size_t)out->vertices * (size_t)out->frames++, vertices.values,
               3 * (size_t)out->vertices * sizeof *out->x);
    return PL_OK;
}

static pl_result read_series(pl_scene *scene, const struct json *node, const char *path, uint64_t limit,
                             struct mesh_frames *out)
{
    int first = exists(scene, path, 0) ? 0 : 1, count = 0;
    while (count < MOST_FRAMES && exists(scene, path, first + count))
        count++;
    if (count == 0)
        return json_fail(node, "there are no files \"%s\"; the first must have the number 0 or 1", path);
    pl_result result = read_mesh(scene, node, path, first, out);
    result = result == PL_OK ? check_size(node, count, out->vertices, limit) : result;
    if (result != PL_OK)
        return result;
    out->x = store_take(&scene->store, 3 * (size_t)out->vertices * (size_t)count * sizeof *out->x);
    result = out->x ? PL_OK : no_memory();
    for (int i = 0; i < count && result == PL_OK; i++)
        result = read_mesh(scene, node, path, first + i, out);
    return result;
}

pl_result mesh_frames_read(pl_scene *scene, const struct json *node, const char *path, uint64_t limit,
                           struct mesh_frames *out)
{
    *out = (struct mesh_frames){0};
    if (path_ends(path, "pc2"))
        return read_cache(scene, node, path, limit, out);
    if (!path_ends(path, "obj") || !series_good(path) || !series_numbered(path))
        return json_fail(node,
                         "\"%.80s\" is no sequence of meshes; use numbered files, \"walk_%%04d.obj\", or a cache, "
                         "\"walk.pc2\"",
                         path);
    return read_series(scene, node, path, limit, out);
}
