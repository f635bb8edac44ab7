// scene_animated.c: animated meshes: surfaces whose motion is given, by a sequence of meshes or by the script. They are
// particles that are held in place, so that everything that touches surfaces touches them, and friction drags it along
// at the velocity of each point.
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"
#include "mesh_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scene_animated
{
    struct head head;
    const char *name, *mesh, *frames;
    struct scene_form form;
    float scale, rate, start, thickness;
    pl_vec3 origin;
    bool loop;
    int up;
    pl_material material;
    struct numbers vertices; // resolved: at the start, as placed
    struct triples triangles;
    struct mesh_frames sequence; // resolved: as placed
    int first;                   // resolved: its first particle
};

static const char *const up_words[] = {"y", "z", NULL};

#define THIS struct scene_animated
static const struct field animated_fields[] = {
    TEXT("name", name, "name for script and expect"),
    TEXT("mesh", mesh, "an OBJ file, beside the scene's file: the faces of a cache, or a mesh that the script moves"),
    TEXT("frames", frames,
         "the motion: numbered OBJ files, \"walk_%04d.obj\" from 0 or 1 on, or a cache, \"walk.pc2\""),
    RECORD("form", form, form_record, "a mesh made by rule, instead of a file"),
    NUMBER("rate", rate, TINY, 1e6, "1/s; meshes of the sequence in a second"),
    NUMBER("start", start, 0, 1e9, "s; when the first mesh of the sequence is reached"),
    BOOL("loop", loop, "begin again after the last mesh, which leads back to the first"),
    CHOICE("up", up, up_words, "the axis that is up in the files; z: as in Blender"),
    NUMBER("scale", scale, TINY, BIG, "scale factor of the meshes"),
    VECTOR("origin", origin, "m; offset of the meshes"),
    NUMBER("thickness", thickness, TINY, BIG, "m; half of it is kept free on either side of the surface"),
    RECORD("material", material, material_record, "contact material"),
    {0},
};
#undef THIS
static void animated_defaults(void *values)
{
    struct scene_animated *a = values;
    a->scale = 1.0f;
    a->rate = 24.0f;
    a->thickness = 0.01f;
    a->material = pl_default_material();
    form_record.defaults(&a->form);
}
static const struct field_use animated_uses[] = {
    {"rate", "frames", "meshes with \"frames\""},
    {"start", "frames", "meshes with \"frames\""},
    {"loop", "frames", "meshes with \"frames\""},
    {0},
};
const struct record animated_record = {.name = "animated",
                                       .uses = animated_uses,
                                       .about = "A mesh whose motion is given, and which moves what it touches.",
                                       .fields = animated_fields,
                                       .size = sizeof(struct scene_animated),
                                       .defaults = animated_defaults};

#define HAS(a, member) record_has(&animated_record, a, offsetof(struct scene_animated, member))

// Scales, turns up and moves points in place.
static void place_points(const struct scene_animated *a, float *x, int64_t count)
{
    const float *origin = &a->origin.x;
    for (int64_t i = 0; i < count; i++, x += 3)
    {
        float y = a->up ? x[2] : x[1], z = a->up ? -x[1] : x[2];
        x[0] = x[0] * a->scale + origin[0];
        x[1] = y * a->scale + origin[1];
        x[2] = z * a->scale + origin[2];
    }
}

static pl_result find_mesh(pl_scene *scene, struct scene_animated *a, uint64_t limit)
{
    const struct json *node = a->head.node;
    bool form = HAS(a, form), cache = a->frames && !a->sequence.triangles.count;
    if (a->mesh && form)
        return json_fail(node, "an animated mesh with \"mesh\" and \"form\"; expected one of them");
    if (a->sequence.triangles.count && (a->mesh || form))
        return json_fail(node, "an animated mesh with OBJ files and a \"mesh\" or \"form\"; the files have the faces");
    if (!a->mesh && !form && !a->sequence.triangles.count)
        return json_fail(node, cache ? "a cache has no faces; give the \"mesh\" that it moves"
                                     : "an animated mesh needs \"frames\", \"mesh\" or \"form\"");
    if (a->sequence.triangles.count)
    {
        a->triangles = a->sequence.triangles;
        a->vertices = (struct numbers){a->sequence.x, a->sequence.vertices};
        return PL_OK;
    }
    pl_result result = a->mesh ? scene_read_mesh(scene, json_member(node, "mesh"), a->mesh, &a->vertices, &a->triangles)
                               : scene_fill_form(scene, &a->form, limit, &a->vertices, &a->triangles);
    if (result == PL_OK && cache && a->vertices.count != a->sequence.vertices)
        return json_fail(json_member(node, "frames"), "the cache has %d points, the mesh %d; they must be the same",
                         a->sequence.vertices, a->vertices.count);
    if (result == PL_OK && cache)
        a->vertices.values = a->sequence.x;
    else if (result == PL_OK)
        place_points(a, a->vertices.values, a->vertices.count);
    return result;
}

static pl_result find_animated(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_animated *a = values;
    pl_result result = PL_OK;
    if (a->frames)
        result = mesh_frames_read(scene, json_member(a->head.node, "frames"), a->frames, limit / 4, &a->sequence);
    if (result == PL_OK)
        place_points(a, a->sequence.x, (int64_t)a->sequence.frames * a->sequence.vertices);
    result = result == PL_OK ? find_mesh(scene, a, limit) : result;
    need->particles = a->vertices.count;
    need->constraints = a->triangles.count;
    return result;
}

static pl_result find_first(pl_scene *scene, void *values)
{
    ((struct scene_animated *)values)->first = scene->objects[scene->object_count - 1].first;
    return PL_OK;
}

static pl_result make_animated(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_animated *a = values;
    pl_particles_def def = pl_default_particles_def();
    pl_faces_def faces = pl_default_faces_def();
    int count = a->vertices.count, corners = 3 * a->triangles.count, first = pl_particle_end(world), kept = 0;
    float *mass = calloc((size_t)count + 1, 2 * sizeof *mass), *thickness = mass + count;
    int32_t *index = malloc(((size_t)corners + 1) * sizeof *index);
    if (!mass || !index)
    {
        free(mass);
        free(index);
        return fail(PL_ERROR_MEMORY, "no memory for an animated mesh of %d vertices; use a smaller one", count);
    }
    for (int i = 0; i < count; i++)
        thickness[i] = a->thickness;
    for (int i = 0; i < corners; i++)
        index[i] = first + a->triangles.values[i];
    def.count = count, def.position = a->vertices.values, def.mass = mass;
    faces.count = a->triangles.count, faces.index = index, faces.drag = 0.0f;
    pl_phase phase;
    pl_result result = pl_add_particles(world, &def, id);
    result = result == PL_OK ? pl_object_range(world, *id, &first, &kept) : result;
    result = result == PL_OK ? pl_add_faces(world, &faces, NULL) : result;
    result = result == PL_OK ? pl_set(world, PL_ATTRIBUTE_THICKNESS, first, count, thickness) : result;
    result = result == PL_OK ? scene_set_surface(world, *id, 0.5f * a->thickness, &a->material) : result;
    result = result == PL_OK ? pl_get_phase(world, first, &phase) : result;
    if (result == PL_OK)
    {
        phase.self = false; // it is given, so nothing could keep it apart
        result = pl_set_phase(world, first, count, &phase);
    }
    free(mass);
    free(index);
    return result;
}

// Returns the two meshes around a time, and where between them it is.
static double frames_at(const struct scene_animated *a, double time, int *from, int *to)
{
    double last = (double)(a->loop ? a->sequence.frames : a->sequence.frames - 1);
    double at = (time - (double)a->start) * (double)a->rate;
    at = at < 0.0 ? 0.0 : a->loop ? at - last * floor(at / last) : at < last ? at : last;
    *from = (int)at < a->sequence.frames ? (int)at : a->sequence.frames - 1;
    *to = *from + 1 < a->sequence.frames ? *from + 1 : a->loop ? 0 : *from;
    return at - (double)*from;
}

// Sets the velocities with which the vertices get to their places.
static pl_result move_vertices(const pl_scene *scene, pl_world *world, const struct scene_animated *a, double time)
{
    int from, to, count = a->sequence.vertices;
    double part = frames_at(a, time, &from, &to);
    const float *x = a->sequence.x + 3 * (size_t)count * (size_t)from,
                *y = a->sequence.x + 3 * (size_t)count * (size_t)to;
    float *v = malloc((size_t)count * 3 * sizeof *v);
    pl_result result = v ? pl_get(world, PL_ATTRIBUTE_POSITION, a->first, count, v)
                         : fail(PL_ERROR_MEMORY, "no memory to move %d vertices; use a smaller mesh", count);
    for (int i = 0; i < 3 * count && result == PL_OK; i++)
    {
        double goal = (double)x[i] + part * ((double)y[i] - (double)x[i]);
        v[i] = (float)((goal - (double)v[i]) / (double)scene->dt);
    }
    result = result == PL_OK ? pl_set(world, PL_ATTRIBUTE_VELOCITY, a->first, count, v) : result;
    free(v);
    return result;
}

pl_result scene_move_animated(const pl_scene *scene, pl_world *world, double time)
{
    const struct scene_animated *a = scene->animated.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->animated.count && result == PL_OK; i++)
        result = a[i].frames ? move_vertices(scene, world, &a[i], time) : PL_OK;
    return result;
}

static const char *mesh_file(const void *values) { return ((const struct scene_animated *)values)->mesh; }

static bool find_grid(const void *values, int *columns, int *rows)
{
    const struct scene_animated *a = values;
    return HAS(a, form) && scene_form_grid(&a->form, columns, rows);
}

const struct object_kind animated_object = {.find = find_animated,
                                            .find_more = find_first,
                                            .make = make_animated,
                                            .round = object_always,
                                            .uncut = object_always,
                                            .mesh = mesh_file,
                                            .grid = find_grid};
