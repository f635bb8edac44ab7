// scene_body.c: reads and adds the bodies of a scene, using only the public API.
#include "scene.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HAS(b, member) record_has(&body_record, b, offsetof(struct scene_body, member))

// Keeps the mesh in the scene's store, because several worlds can be made from it.
static pl_result keep_mesh(pl_scene *scene, struct scene_body *body, const pl_mesh *mesh)
{
    size_t vertices = 3 * (size_t)mesh->vertex_count * sizeof *mesh->vertices;
    size_t triangles = 3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles;
    body->mesh = *mesh;
    body->mesh.vertices = store_take(&scene->store, vertices);
    body->mesh.triangles = store_take(&scene->store, triangles);
    if (!body->mesh.vertices || !body->mesh.triangles)
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    memcpy(body->mesh.vertices, mesh->vertices, vertices);
    memcpy(body->mesh.triangles, mesh->triangles, triangles);
    body->def.mesh = &body->mesh;
    return PL_OK;
}

static pl_result at_body(const struct scene_body *body, pl_result result)
{
    return scene_trouble(body->head.node, body->mesh_file, result);
}

// Keeps the report of a repair with the body, for programs that display the scene.
struct telling
{
    pl_scene *scene;
    struct scene_body *body;
};

static void keep_repair(void *user, pl_log_level level, const char *text)
{
    struct telling *t = user;
    size_t size = strlen(text) + 1;
    char *kept = t->body->repair_count < SCENE_REPAIRS ? store_take(&t->scene->store, size) : NULL;
    (void)level;
    if (kept)
        t->body->repairs[t->body->repair_count++] = memcpy(kept, text, size);
}

static pl_result find_mesh(pl_scene *scene, struct scene_body *body)
{
    pl_mesh raw = {0}, mesh = {0};
    pl_result result;
    if (body->mesh_file)
    {
        struct numbers vertices = {0};
        struct triples triangles = {0};
        result = scene_read_mesh(scene, json_member(body->head.node, "mesh"), body->mesh_file, &vertices, &triangles);
        if (result != PL_OK)
            return result; // the message already names its place
        for (int i = 0; i < 3 * vertices.count; i++)
            vertices.values[i] *= body->scale;
        raw = (pl_mesh){vertices.count, triangles.count, vertices.values, triangles.values};
        struct telling telling = {scene, body};
        const pl_log log = {.user = &telling, .write = keep_repair};
        result = pl_mesh_repair(&raw, -1.0f, &log, &mesh);
    }
    else
    {
        body->mesh_def.shape = scene_form_name(body->form);
        result = pl_mesh_make(&body->mesh_def, &mesh);
    }
    if (result == PL_OK)
        result = keep_mesh(scene, body, &mesh);
    else
        result = at_body(body, result);
    pl_mesh_free(&mesh);
    return result;
}

static bool melts(const pl_scene *scene, const struct scene_body *body)
{
    const struct scene_heat *h = scene->heat.items;
    for (int i = 0; i < scene->heat.count; i++)
    {
        if (body->name && strcmp(h[i].of, body->name) == 0 && json_member(h[i].head.node, "melting"))
            return true;
    }
    return false;
}

enum
{
    VISUALS_MOST = 200 * 1000 // vertices of the visual meshes that one entry adds without being asked
};

// Whether the mesh shows the body well: it is in one piece, and where it bends no triangle is much larger than its spacing.
static bool mesh_follows(const pl_scene *scene, const struct scene_body *body)
{
    const pl_mesh *mesh = &body->mesh;
    int64_t copies = (int64_t)body->copies[0] * body->copies[1] * body->copies[2];
    double most = 2.5 * (double)body->def.spacing;
    if (body->def.kind == PL_BODY_SOFT || body->def.kind == PL_BODY_BALLOON || melts(scene, body) ||
        copies * mesh->vertex_count > VISUALS_MOST)
        return false;
    for (int i = 0; i < 3 * mesh->triangle_count && body->def.kind != PL_BODY_RIGID; i++)
    {
        const float *a = mesh->vertices + 3 * (size_t)mesh->triangles[i];
        const float *b = mesh->vertices + 3 * (size_t)mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
        if (square > most * most)
            return false;
    }
    return true;
}

static pl_result find_body(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_body *body = values;
    (void)limit;
    if (body->mesh_file && HAS(body, form))
        return json_fail(body->head.node, "body with \"mesh\" and \"form\"; expected one of them");
    body->def.rotation = scene_rotation(body->rotation);
    pl_result result = find_mesh(scene, body);
    if (result != PL_OK)
        return result;
    if (!HAS(body, def.visual))
        body->def.visual = mesh_follows(scene, body);
    result = pl_body_particles(&body->def, &body->each);
    need->particles = (int64_t)body->each * body->copies[0] * body->copies[1] * body->copies[2];
    need->constraints = 12 * need->particles;
    return result == PL_OK ? PL_OK : at_body(body, result);
}

// Places the copies in layers.
static void place_copies(const struct scene_body *body, pl_vec3 *positions)
{
    const int *n = body->copies;
    for (int i = 0; i < n[0] * n[1] * n[2]; i++)
    {
        int x = i % n[0], z = i / n[0] % n[2], y = i / n[0] / n[2];
        float half = body->bond && y % 2 ? 0.5f : 0.0f;
        pl_vec3 at = body->def.position;
        at.x += ((float)x + half) * body->step.x;
        at.y += (float)y * body->step.y;
        at.z += (float)z * body->step.z;
        positions[i] = at;
    }
}

static pl_result make_body(pl_world *world, const void *values, pl_id *first)
{
    const struct scene_body *body = values;
    int count = body->copies[0] * body->copies[1] * body->copies[2];
    pl_body_def def = body->def;
    pl_vec3 *positions = malloc((size_t)count * sizeof *positions);
    pl_id *ids = malloc((size_t)count * sizeof *ids);
    pl_result result = positions && ids
                           ? PL_OK
                           : fail(PL_ERROR_MEMORY, "no memory for %d bodies; use fewer or free some memory", count);
    def.mesh = &body->mesh;
    if (result == PL_OK)
    {
        place_copies(body, positions);
        result = pl_add_body_copies(world, &def, count, positions, ids);
    }
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        result = scene_set_surface(world, ids[i], 0.0f, &body->material);
        if (result == PL_OK)
            result = scene_set_motion(world, ids[i], body->velocity, body->spin);
    }
    if (result == PL_OK)
        *first = ids[0];
    free(positions);
    free(ids);
    return result;
}

// Objects held together by clusters have no edges along which a blade could cut.
static bool has_clusters(const void *values)
{
    const pl_body_def *def = &((const struct scene_body *)values)->def;
    return def->kind != PL_BODY_SOFT && def->kind != PL_BODY_BALLOON;
}

static bool is_round(const void *values)
{
    return has_clusters(values) || ((const struct scene_body *)values)->def.thickness > 0.0f;
}

static const char *mesh_file(const void *values) { return ((const struct scene_body *)values)->mesh_file; }

const struct object_kind body_object = {.find = find_body,
                                        .make = make_body,
                                        .copies = true,
                                        .round = is_round,
                                        .round_remedy = "give it a \"thickness\"",
                                        .uncut = has_clusters,
                                        .mesh = mesh_file};
