// scene_objects.c: lists the objects of a scene in the order of its text, which is the order of their particles. It
// finds every error in them before a world exists, above all how much memory they would need.
#include "scene.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The memory that a world needs for each, rounded up generously.
enum
{
    BYTES_PER_PARTICLE = 256,
    BYTES_PER_CONSTRAINT = 96,
};

struct need
{
    int64_t particles, constraints;
};

const struct scene_object *scene_object_by_name(const pl_scene *scene, const char *name)
{
    for (int i = 0; i < scene->object_count; i++)
    {
        if (scene->objects[i].name && strcmp(scene->objects[i].name, name) == 0)
        {
            return &scene->objects[i];
        }
    }
    return NULL;
}

// ---- cloth ---------------------------------------------------------------------------------------------------------

#define HAS(c, member) record_has(&cloth_record, c, offsetof(struct scene_cloth, member))

static pl_result find_mesh(pl_scene *scene, struct scene_cloth *cloth)
{
    pl_cloth_def *def = &cloth->def;
    const struct json *node = cloth->head.node;
    if (cloth->mesh && (HAS(cloth, vertices) || HAS(cloth, triangles)))
    {
        return json_fail(node, "cloth with \"mesh\" and with \"vertices\" or \"triangles\"; expected one of them");
    }
    pl_result result = cloth->mesh ? scene_read_mesh(scene, json_member(node, "mesh"), cloth->mesh, &cloth->vertices,
                                                     &cloth->triangles)
                                   : PL_OK;
    if (result != PL_OK)
    {
        return result;
    }
    if (cloth->vertices.count < 3 || cloth->triangles.count < 1)
    {
        return json_fail(node, "cloth with a mesh of %d vertices and %d triangles; at least 3 and 1 are needed",
                         cloth->vertices.count, cloth->triangles.count);
    }
    for (int i = 0; i < 3 * cloth->triangles.count; i++)
    {
        if (cloth->triangles.values[i] >= cloth->vertices.count)
        {
            return json_fail(json_member(node, "triangles"),
                             "a triangle with corner %d; there are %d vertices, counted from 0",
                             cloth->triangles.values[i], cloth->vertices.count);
        }
    }
    float shift[3] = {def->origin.x, def->origin.y, def->origin.z};
    for (int i = 0; i < 3 * cloth->vertices.count; i++)
    {
        float moved = cloth->vertices.values[i] * cloth->scale + (HAS(cloth, def.origin) ? shift[i % 3] : 0.0f);
        cloth->vertices.values[i] = moved;
    }
    def->vertices = cloth->vertices.values;
    def->triangles = cloth->triangles.values;
    def->vertex_count = cloth->vertices.count;
    def->triangle_count = cloth->triangles.count;
    return PL_OK;
}

static pl_result find_grid(struct scene_cloth *cloth)
{
    pl_cloth_def *def = &cloth->def;
    if ((HAS(cloth, width) && HAS(cloth, def.u)) || (HAS(cloth, height) && HAS(cloth, def.v)))
    {
        return json_fail(cloth->head.node,
                         "cloth with \"width\" and \"u\", or \"height\" and \"v\"; expected one of each pair");
    }
    def->columns = cloth->size[0];
    def->rows = cloth->size[1];
    if (HAS(cloth, width))
    {
        def->u = (pl_vec3){cloth->width, 0.0f, 0.0f};
    }
    if (HAS(cloth, height))
    {
        def->v = (pl_vec3){0.0f, -cloth->height, 0.0f};
    }
    return PL_OK;
}

static pl_result find_cloth(pl_scene *scene, struct scene_cloth *cloth, struct need *need)
{
    bool mesh = cloth->mesh || HAS(cloth, vertices) || HAS(cloth, triangles);
    pl_result result = mesh ? find_mesh(scene, cloth) : find_grid(cloth);
    need->particles = mesh ? cloth->vertices.count : (int64_t)cloth->size[0] * cloth->size[1];
    need->constraints = mesh ? 4 * (int64_t)cloth->triangles.count : 8 * need->particles;
    return result;
}

// ---- the others ----------------------------------------------------------------------------------------------------

static pl_result find_rope(struct scene_rope *rope, struct need *need)
{
    if (rope->points.values)
    {
        bool said = record_has(&rope_record, rope, offsetof(struct scene_rope, def.segments));
        if (rope->points.count < 2 || (said && rope->points.count != rope->def.segments + 1))
        {
            return json_fail(json_member(rope->head.node, "points"),
                             "%d points; a rope needs one more than \"segments\"", rope->points.count);
        }
        rope->def.segments = rope->points.count - 1;
        rope->def.points = rope->points.values;
    }
    need->particles = (int64_t)rope->def.segments + 1;
    need->constraints = 2 * need->particles;
    return PL_OK;
}

static pl_result find_bar(struct scene_bar *bar, struct need *need)
{
    const int *c = bar->def.cells;
    need->particles = ((int64_t)c[0] + 1) * (c[1] + 1) * (c[2] + 1);
    need->constraints = 12 * need->particles;
    return PL_OK;
}

static pl_result check_each(const struct scene_particles *p, const char *name, int count)
{
    if (count > 1 && count != p->position.count)
    {
        return json_fail(json_member(p->head.node, name),
                         "\"%s\" has %d for %d particles; expected one for all, or one for each", name, count,
                         p->position.count);
    }
    return PL_OK;
}

static pl_result find_particles(const struct scene_particles *p, struct need *need)
{
    const struct
    {
        const char *name;
        int count;
    } lists[] = {{"velocity", p->velocity.count},
                 {"mass", p->mass.count},
                 {"charge", p->charge.count},
                 {"force", p->force.count},
                 {"radius", p->radius.count}};
    if (p->position.count < 1)
    {
        return json_fail(p->head.node, "particles without a position; [x, y, z] or a list of them is needed");
    }
    need->particles = p->position.count;
    pl_result result = PL_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && result == PL_OK; i++)
    {
        result = check_each(p, lists[i].name, lists[i].count);
    }
    return result;
}

// ---- all objects ---------------------------------------------------------------------------------------------------

static const struct
{
    const char *key;
    enum object_type type;
    size_t records, name; // offsets in the scene and in the object
    const struct record *record;
} object_keys[] = {
    {"particles", OBJECT_PARTICLES, offsetof(pl_scene, particles), offsetof(struct scene_particles, name),
     &particles_record},
    {"cloth", OBJECT_CLOTH, offsetof(pl_scene, cloth), offsetof(struct scene_cloth, name), &cloth_record},
    {"rope", OBJECT_ROPE, offsetof(pl_scene, rope), offsetof(struct scene_rope, name), &rope_record},
    {"body", OBJECT_BODY, offsetof(pl_scene, body), offsetof(struct scene_body, name), &body_record},
    {"oriented", OBJECT_ORIENTED, offsetof(pl_scene, oriented), offsetof(struct scene_oriented, name),
     &oriented_record},
    {"bar", OBJECT_BAR, offsetof(pl_scene, bar), offsetof(struct scene_bar, name), &bar_record},
    {"field", OBJECT_FIELD, offsetof(pl_scene, field), offsetof(struct scene_field, name), &field_record},
    {"grains", OBJECT_GRAINS, offsetof(pl_scene, grains), offsetof(struct scene_grains, name), &grains_record},
    {"shape", OBJECT_SHAPE, offsetof(pl_scene, shape), offsetof(struct scene_shape, name), &shape_record},
};

const char *scene_object_key(int number)
{
    const int known = (int)(sizeof object_keys / sizeof *object_keys);
    return number < known ? object_keys[number].key : number == known ? "constraints" : NULL;
}

static pl_result find_object(pl_scene *scene, enum object_type type, void *values, uint64_t limit, struct need *need)
{
    switch (type)
    {
    case OBJECT_CLOTH:
        return find_cloth(scene, values, need);
    case OBJECT_ROPE:
        return find_rope(values, need);
    case OBJECT_BAR:
        return find_bar(values, need);
    case OBJECT_BODY:
    {
        pl_result result = scene_find_body(scene, values, &need->particles);
        need->constraints = 12 * need->particles;
        return result;
    }
    case OBJECT_ORIENTED:
    {
        pl_result result = scene_find_oriented(values, &need->particles);
        need->constraints = 12 * need->particles;
        return result;
    }
    case OBJECT_PARTICLES:
        return find_particles(values, need);
    case OBJECT_GRAINS:
    {
        pl_result result = scene_find_grains(values, &need->particles);
        need->constraints = 12 * need->particles; // about as many contacts
        return result;
    }
    case OBJECT_SHAPE:
        return scene_find_shape(scene, values, limit, &need->constraints);
    case OBJECT_FIELD:
        ((struct scene_field *)values)->def.kind = (pl_field_kind)((struct scene_field *)values)->kind;
        return PL_OK;
    }
    return PL_OK;
}

static pl_result check_need(const struct json *node, const struct need *all, uint64_t limit)
{
    uint64_t bytes = (uint64_t)all->particles * BYTES_PER_PARTICLE + (uint64_t)all->constraints * BYTES_PER_CONSTRAINT;
    if (bytes > limit)
    {
        return json_fail_code(
            node, PL_ERROR_MEMORY,
            "the scene would need about %.1f GB of memory, with this object; at most %.1f GB are allowed",
            (double)bytes / 1e9, (double)limit / 1e9);
    }
    if (all->particles > SCENE_MAX_PARTICLES)
    {
        return json_fail_code(node, PL_ERROR_MEMORY, "%lld particles, with this object; at most %d fit one scene",
                              (long long)all->particles, SCENE_MAX_PARTICLES);
    }
    return PL_OK;
}

static pl_result add_object(pl_scene *scene, size_t k, struct head *values, struct need *all, uint64_t limit)
{
    struct need need = {0};
    const char *name = *(const char *const *)((const char *)values + object_keys[k].name);
    const struct json *node = values->node;
    if (name && scene_object_by_name(scene, name))
    {
        return json_fail(json_member(node, "name"), "a second object called \"%.40s\"; each name may appear once",
                         name);
    }
    if (name && (name[0] == 0 || strcspn(name, "[].") != strlen(name)))
    {
        return json_fail(json_member(node, "name"), "\"%.40s\" is no name; expected one without [ ] and .", name);
    }
    pl_result result = find_object(scene, object_keys[k].type, values, limit, &need);
    if (result != PL_OK)
    {
        return result;
    }
    scene->objects[scene->object_count++] = (struct scene_object){.type = object_keys[k].type,
                                                                  .name = name,
                                                                  .values = values,
                                                                  .first = (int)all->particles,
                                                                  .count = (int)need.particles};
    all->particles += need.particles;
    all->constraints += need.constraints;
    result = check_need(node, all, limit);
    if (result == PL_OK && object_keys[k].type == OBJECT_CLOTH)
    {
        // Only after the memory check: the pins of a huge cloth need memory too.
        result = scene_find_pins(scene, (struct scene_cloth *)values);
    }
    return result;
}

pl_result scene_find_objects(pl_scene *scene, uint64_t memory_limit)
{
    struct need all = {0};
    int total = scene->cloth.count + scene->rope.count + scene->bar.count + scene->body.count + scene->oriented.count +
                scene->particles.count + scene->field.count + scene->grains.count + scene->shape.count;
    if (total > SCENE_MAX_OBJECTS)
    {
        return json_fail(scene->root, "%d objects; at most %d are allowed, and one object may hold many particles",
                         total, SCENE_MAX_OBJECTS);
    }
    scene->objects = store_take(&scene->store, (size_t)total * sizeof *scene->objects);
    if (!scene->objects)
    {
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    }
    pl_result result = PL_OK;
    for (const struct json *child = scene->root->first; child && result == PL_OK; child = child->next)
    {
        for (size_t k = 0; k < sizeof object_keys / sizeof *object_keys; k++)
        {
            if (strcmp(child->key, object_keys[k].key) != 0)
            {
                continue;
            }
            const struct records *records = (const struct records *)((const char *)scene + object_keys[k].records);
            for (int i = 0; i < records->count && result == PL_OK; i++)
            {
                char *values = (char *)records->items + (size_t)i * object_keys[k].record->size;
                result = add_object(scene, k, (struct head *)values, &all, memory_limit);
            }
        }
    }
    scene->particle_count = (int)all.particles;
    return result;
}
