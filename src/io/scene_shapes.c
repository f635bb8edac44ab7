// scene_shapes.c: reads and adds shapes: their geometry (a file, numbers, a simple form), their place, and their motion
// by keys. A mesh or ground is read and counted when the scene is parsed; the engine checks it when it is added.
#include "scene.h"
#include "scene_keys.h"

#include "author/forms.h"
#include "core/error.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

enum
{
    ROWS_PER_TRIANGLE = 6, // memory of a shape's triangle, as a number of constraints
};

#define HAS(p, member) record_has(&shape_record, p, offsetof(struct scene_shape, member))

static pl_result no_memory(void) { return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one"); }

// ---- geometry ------------------------------------------------------------------------------------------------------

static pl_result find_surface(pl_scene *scene, struct scene_shape *p, uint64_t limit)
{
    const struct json *node = p->head.node;
    if ((p->mesh != NULL) + HAS(p, vertices) + HAS(p, form) != 1)
    {
        return json_fail(node, "a shape of this kind needs one of \"mesh\", \"vertices\" and \"form\"");
    }
    pl_result result = p->mesh ? scene_read_mesh(scene, json_member(node, "mesh"), p->mesh, &p->vertices, &p->triangles)
                       : HAS(p, form) ? scene_fill_form(scene, &p->form, limit, &p->vertices, &p->triangles)
                                      : PL_OK;
    for (int i = 0; result == PL_OK && i < 3 * p->vertices.count; i++)
    {
        p->vertices.values[i] = p->scale * p->vertices.values[i];
    }
    p->def.vertices = p->vertices.values;
    p->def.vertex_count = p->vertices.count;
    p->def.triangles = p->triangles.values;
    p->def.triangle_count = p->triangles.count;
    return result;
}

// Reads numbers separated by blanks from a file.
static pl_result read_heights(pl_scene *scene, struct scene_shape *p, int64_t wanted)
{
    const struct json *node = json_member(p->head.node, "height_file");
    char *text = NULL;
    size_t length = 0, at = 0;
    pl_result result = scene_read_file(scene, node, p->height_file, &text, &length);
    if (result != PL_OK)
        return result;
    int64_t count = 0;
    while (result == PL_OK)
    {
        double value;
        while (at < length && strchr(" \t\r\n", text[at]))
            at++;
        size_t end = at;
        while (end < length && !strchr(" \t\r\n", text[end]))
            end++;
        if (end == at)
            break;
        if (!number_read(text + at, end - at, NUMBER_LOOSE, &value))
            result = json_fail(node, "value %lld of the file is \"%.*s\", which is not a number; give numbers alone",
                               (long long)count, (int)(end - at < 20 ? end - at : 20), text + at);
        if (result == PL_OK && count < wanted)
            p->heights.values[count] = (float)value;
        count++;
        at = end;
    }
    free(text);
    return result == PL_OK && count != wanted ? json_fail(node, "the file has %lld numbers; expected %d x %d heights",
                                                          (long long)count, p->grid[0], p->grid[1])
                                              : result;
}

static pl_result find_ground(pl_scene *scene, struct scene_shape *p, uint64_t limit)
{
    int64_t wanted = (int64_t)p->grid[0] * p->grid[1];
    if (HAS(p, heights) + (p->height_file != NULL) + HAS(p, waves) != 1)
    {
        return json_fail(p->head.node, "a height field needs one of \"heights\", \"height_file\" and \"waves\"");
    }
    if (HAS(p, heights) && p->heights.count != wanted)
    {
        return json_fail(json_member(p->head.node, "heights"), "%d heights; expected %d x %d, as \"grid\" says",
                         p->heights.count, p->grid[0], p->grid[1]);
    }
    if ((uint64_t)wanted * 24 > limit)
    {
        return json_fail_code(p->head.node, PL_ERROR_MEMORY, "a height field of %d x %d; use a smaller \"grid\"",
                              p->grid[0], p->grid[1]);
    }
    pl_result result = PL_OK;
    if (!HAS(p, heights))
    {
        p->heights = (struct numbers){store_take(&scene->store, (size_t)wanted * sizeof(float)), (int)wanted};
        result = p->heights.values ? PL_OK : no_memory();
    }
    if (result == PL_OK && HAS(p, waves))
        form_waves(p->grid[0], p->grid[1], p->def.spacing, p->waves.height, p->waves.length, p->heights.values);
    if (result == PL_OK && p->height_file)
        result = read_heights(scene, p, wanted);
    p->def.heights = p->heights.values;
    p->def.columns = p->grid[0];
    p->def.rows = p->grid[1];
    return result;
}

static pl_result check_keys(const struct scene_shape *p)
{
    pl_result result = keys_check(&p->keys, sizeof(struct scene_shape_key));
    return result == PL_OK && p->keys.count && p->copies > 1
               ? json_fail(p->head.node, "a shape with \"keys\" and \"copies\"; expected one of them")
               : result;
}

static pl_result find_shape(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_shape *p = values;
    pl_result result = check_keys(p);
    p->def.kind = (pl_shape_kind)p->kind;
    p->first = 0;
    for (int i = 0; i < scene->object_count; i++)
        if (scene->objects[i].type == OBJECT_SHAPE)
            p->first += ((const struct scene_shape *)(const void *)scene->objects[i].values)->copies;
    double bytes = p->memory > 0.0f ? 1e6 * (double)p->memory : (double)(limit / 16);
    p->def.memory_limit = (int64_t)(bytes < (double)limit ? bytes : (double)limit);
    if (result == PL_OK && (p->kind == PL_SHAPE_HULL || p->kind == PL_SHAPE_MESH || p->kind == PL_SHAPE_SDF))
        result = find_surface(scene, p, limit);
    if (result == PL_OK && p->kind == PL_SHAPE_HEIGHTFIELD)
        result = find_ground(scene, p, limit);
    need->constraints = ((int64_t)p->triangles.count * ROWS_PER_TRIANGLE + p->heights.count) * p->copies;
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_quat after(pl_quat a, pl_quat b)
{
    return (pl_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static pl_vec3 turned_vector(pl_quat q, pl_vec3 v)
{
    float tx = 2.0f * (q.y * v.z - q.z * v.y), ty = 2.0f * (q.z * v.x - q.x * v.z), tz = 2.0f * (q.x * v.y - q.y * v.x);
    return (pl_vec3){v.x + q.w * tx + (q.y * tz - q.z * ty), v.y + q.w * ty + (q.z * tx - q.x * tz),
                     v.z + q.w * tz + (q.x * ty - q.y * tx)};
}

static pl_result make_shape(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_shape *shape = values;
    pl_shape_def def = shape->def;
    def.name = shape->name;
    def.has_pivot = record_has(&shape_record, shape, offsetof(struct scene_shape, def.pivot));
    def.rotation = scene_rotation(shape->rotation);
    pl_result result = scene_material(world, &shape->material, &def.material);
    for (int i = 0; result == PL_OK && i < shape->copies; i++)
    {
        pl_shape_def one = def;
        pl_quat quat = rotation_by(shape->around, 360.0 * i / shape->copies);
        pl_vec3 arm = {def.position.x - def.pivot.x, def.position.y - def.pivot.y, def.position.z - def.pivot.z};
        if (i > 0)
        {
            arm = turned_vector(quat, arm);
            one.position = (pl_vec3){def.pivot.x + arm.x, def.pivot.y + arm.y, def.pivot.z + arm.z};
            one.rotation = after(quat, def.rotation);
        }
        result = pl_add_shape(world, &one, id);
    }
    return result;
}

// ---- motion --------------------------------------------------------------------------------------------------------

static pl_vec3 key_rotation(const struct scene_shape *p, const struct scene_shape_key *key)
{
    return record_has(&shape_key_record, key, offsetof(struct scene_shape_key, rotation)) ? key->rotation : p->rotation;
}

static const pl_vec3 *key_position(const struct scene_shape *p, const struct scene_shape_key *key)
{
    return record_has(&shape_key_record, key, offsetof(struct scene_shape_key, position)) ? &key->position
                                                                                          : &p->def.position;
}

// Interpolates linearly from key to key.
static void pose_at(const struct scene_shape *p, double time, pl_vec3 *position, pl_quat *rotation)
{
    struct key_pair keys = keys_around(&p->keys, sizeof(struct scene_shape_key), time);
    const float *from = &key_position(p, keys.a)->x, *to = &key_position(p, keys.b)->x;
    float *x = &position->x;
    for (int k = 0; k < 3; k++)
        x[k] = (float)((double)from[k] + keys.part * ((double)to[k] - (double)from[k]));
    *rotation = rotation_between(key_rotation(p, keys.a), key_rotation(p, keys.b), keys.part);
}

// Call before a step: sets where each shape with keys will be at the step's end.
pl_result scene_move_shapes(const pl_scene *scene, pl_world *world, double time)
{
    const struct scene_shape *p = scene->shape.items;
    for (int i = 0; i < scene->shape.count; i++)
    {
        pl_vec3 position;
        pl_quat rotation;
        if (p[i].keys.count < 1)
        {
            continue;
        }
        pose_at(&p[i], time, &position, &rotation);
        pl_result result = pl_move_shape(world, pl_shape_at(world, p[i].first), position, rotation);
        if (result != PL_OK)
        {
            return result;
        }
    }
    return PL_OK;
}

static const char *mesh_file(const void *values) { return ((const struct scene_shape *)values)->mesh; }

const struct object_kind shape_object = {.find = find_shape, .make = make_shape, .mesh = mesh_file};
