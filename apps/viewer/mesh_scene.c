// mesh_scene.c: see mesh_scene.h. The mesh is read twice: once as it is, to see how large it lies in its file, and once moved and
// scaled. Something closed is stiff against bending, so that it keeps its form; what has a border is cloth, and gets a ball to
// fall over.
#include "mesh_scene.h"

#include "camera.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found
{
    struct bounds bounds;
    int particles, faces;
    bool closed;
};

// A text inside quotes.
static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
    {
        if ((unsigned char)*text < 32)
        {
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
            continue;
        }
        if (*text == '"' || *text == '\\')
        {
            fputc('\\', file);
        }
        fputc(*text, file);
    }
    fputc('"', file);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_name(FILE *file, const char *path)
{
    char name[128];
    snprintf(name, sizeof name, "%s", base_of(path));
    char *dot = strrchr(name, '.');
    if (dot)
    {
        *dot = 0;
    }
    put_quoted(file, name);
}

static void put_scene(FILE *file, const char *path, const struct found *f)
{
    vec3 size = sub(f->bounds.max, f->bounds.min), middle = bounds_centre(&f->bounds);
    float most = fmaxf(size.x, fmaxf(size.y, size.z)), scale = most > 0.0f ? 1.0f / most : 1.0f;
    float lift = f->closed ? 0.35f : 0.75f; // of its lowest point
    fputs("{ \"name\": ", file);
    put_name(file, path);
    fputs(", \"about\": ", file);
    put_quoted(file,
               f->closed ? "A closed mesh, stiff against bending, falls." : "A mesh with a border falls as a cloth.");
    fprintf(file, ", \"frames\": 600, \"substeps\": %d, \"iterations\": 1, \"damping\": 0.1,\n", f->closed ? 20 : 12);
    fputs("\"cloth\": { \"name\": \"mesh\", \"mesh\": ", file);
    put_quoted(file, base_of(path));
    fprintf(file, ", \"scale\": %.9g, \"origin\": [%.9g, %.9g, %.9g], \"mass\": 0.5, \"radius\": 0.004,\n",
            (double)scale, (double)(-scale * middle.x), (double)(lift - scale * f->bounds.min.y),
            (double)(-scale * middle.z));
    fprintf(file, "\"bending\": \"dihedral\", \"bend\": { \"compliance\": %s }, \"drag\": 1, \"lift\": 0.5 },\n",
            f->closed ? "0" : "0.05");
    fputs("\"shape\": [ { \"kind\": \"plane\" }", file);
    if (!f->closed)
    {
        fputs(", { \"kind\": \"sphere\", \"radius\": 0.28, \"position\": [0, 0.3, 0] }", file);
    }
    fputs(" ] }\n", file);
}

// Every edge of a closed surface lies between two faces: three edges for every two faces, and none on a border.
static int compare_edges(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(int32_t)); }

static bool is_closed(const int32_t *face, int faces)
{
    int32_t *edge = malloc((6 * (size_t)faces + 1) * sizeof *edge);
    bool closed = edge && faces > 3;
    for (int i = 0; closed && i < 3 * faces; i++)
    {
        int32_t a = face[i], b = face[i % 3 == 2 ? i - 2 : i + 1];
        edge[2 * i] = a < b ? a : b;
        edge[2 * i + 1] = a < b ? b : a;
    }
    if (closed)
    {
        qsort(edge, 3 * (size_t)faces, 2 * sizeof *edge, compare_edges);
    }
    for (int i = 0; closed && i < 3 * faces; i += 2)
    {
        closed = i + 1 < 3 * faces && compare_edges(edge + 2 * i, edge + 2 * (i + 1)) == 0;
    }
    free(edge);
    return closed;
}

static pl_result look_at(const pl_scene *scene, struct found *f)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    def.threads = 1;
    pl_result result = pl_scene_world(scene, &def, &world);
    if (result != PL_OK)
    {
        return result;
    }
    f->particles = pl_particle_end(world);
    f->faces = pl_face_count(world);
    float *x = malloc((3 * (size_t)f->particles + 1) * sizeof *x);
    int32_t *face = malloc((3 * (size_t)f->faces + 1) * sizeof *face);
    if (x && face)
    {
        result = pl_get(world, PL_ATTRIBUTE_POSITION, 0, f->particles, x);
        result = result == PL_OK ? pl_get_faces(world, 0, f->faces, face) : result;
        f->bounds = bounds_of(x, f->particles);
        f->closed = is_closed(face, f->faces);
    }
    free(x);
    free(face);
    pl_world_destroy(world);
    return result;
}

static pl_result parse(const char *path, const struct found *f, const char *const *sets, int count, pl_scene **scene)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
    {
        return PL_ERROR_MEMORY;
    }
    put_scene(file, path, f);
    // The mesh is looked for beside the scene's file, and this one stands in the mesh's own place.
    pl_result result = fclose(file) == 0 ? pl_scene_parse(text, length, path, sets, count, scene) : PL_ERROR_MEMORY;
    free(text);
    return result;
}

pl_result mesh_scene_load(const char *path, const char *const *sets, int count, pl_scene **scene)
{
    struct found f = {.bounds = {{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}}};
    pl_scene *plain;
    pl_result result = parse(path, &f, NULL, 0, &plain);
    if (result != PL_OK)
    {
        return result;
    }
    result = look_at(plain, &f);
    pl_scene_free(plain);
    // What was looked at had been scaled and moved by the box above: by 1, and by half of it.
    f.bounds.min = sub(f.bounds.min, v3(-0.5f, 0.75f, -0.5f));
    f.bounds.max = sub(f.bounds.max, v3(-0.5f, 0.75f, -0.5f));
    return result == PL_OK ? parse(path, &f, sets, count, scene) : result;
}
