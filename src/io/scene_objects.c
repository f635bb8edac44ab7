// scene_objects.c: lists the objects of a scene in the order of its text, which is the order of their particles. It
// finds every error in them before a world exists, above all how much memory they would need.
#include "scene.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

// The memory that a world needs for each, rounded up generously.
enum
{
    BYTES_PER_PARTICLE = 256,
    BYTES_PER_CONSTRAINT = 96,
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

static const struct
{
    const char *key;
    size_t records; // offset in the scene
    const struct record *record;
    const struct object_kind *kind;
} object_keys[OBJECT_KINDS] = {
#define OBJECT(key, NAME, about) [OBJECT_##NAME] = {#key, offsetof(pl_scene, key), &key##_record, &key##_object},
#include "objects.def"
#undef OBJECT
};

const struct object_kind *scene_object_kind(const struct scene_object *object)
{
    return object_keys[object->type].kind;
}

const char *scene_object_key(int number)
{
    return number < OBJECT_KINDS ? object_keys[number].key : number == OBJECT_KINDS ? "constraints" : NULL;
}

bool object_always(const void *values)
{
    (void)values;
    return true;
}

bool scene_object_round(const struct scene_object *object)
{
    const struct object_kind *kind = scene_object_kind(object);
    return kind->round && kind->round(object->values);
}

static const struct records *records_of(const pl_scene *scene, int type)
{
    return (const struct records *)((const char *)scene + object_keys[type].records);
}

void scene_object_path(const pl_scene *scene, const struct scene_object *object, char *out, size_t size)
{
    const struct records *all = records_of(scene, (int)object->type);
    size_t number =
        (size_t)((const char *)object->values - (const char *)all->items) / object_keys[object->type].record->size;
    snprintf(out, size, "%s[%zu]", object_keys[object->type].key, number);
}

const struct scene_object *scene_object_of_particle(const pl_scene *scene, int particle)
{
    int low = 0, high = scene->object_count; // objects without particles lie between those with some
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        const struct scene_object *o = &scene->objects[middle];
        if (o->first + o->count <= particle)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    bool found = low < scene->object_count && particle >= scene->objects[low].first;
    return found ? &scene->objects[low] : NULL;
}

void pl_scene_particle_name(const pl_scene *scene, int particle, char *out, size_t size)
{
    char path[64];
    const struct scene_object *object = scene ? scene_object_of_particle(scene, particle) : NULL;
    if (!object)
    {
        snprintf(out, size, "%d", particle);
        return;
    }
    scene_object_path(scene, object, path, sizeof path);
    if (object->count == 1)
    {
        snprintf(out, size, "%s", object->name ? object->name : path);
    }
    else
    {
        snprintf(out, size, "%s[%d]", object->name ? object->name : path, particle - object->first);
    }
}

static pl_result check_need(const struct json *node, const struct scene_need *all, uint64_t limit)
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

static pl_result add_object(pl_scene *scene, enum object_type type, struct head *values, struct scene_need *all,
                            uint64_t limit)
{
    struct scene_need need = {0};
    const struct object_kind *kind = object_keys[type].kind;
    size_t name_at = record_field(object_keys[type].record, "name")->offset;
    const char *name = *(const char *const *)((const char *)values + name_at);
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
    scene->particle_count = (int)all->particles; // of the objects before it
    pl_result result = kind->find(scene, values, limit, &need);
    if (result != PL_OK)
    {
        return result;
    }
    scene->objects[scene->object_count++] = (struct scene_object){
        .type = type, .name = name, .values = values, .first = (int)all->particles, .count = (int)need.particles};
    all->particles += need.particles;
    all->constraints += need.constraints;
    result = check_need(node, all, limit);
    return result == PL_OK && kind->find_more ? kind->find_more(scene, values) : result;
}

pl_result scene_find_objects(pl_scene *scene, uint64_t memory_limit)
{
    struct scene_need all = {0};
    int total = 0;
    for (int k = 0; k < OBJECT_KINDS; k++)
    {
        total += records_of(scene, k)->count;
    }
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
        for (int k = 0; k < OBJECT_KINDS; k++)
        {
            if (strcmp(child->key, object_keys[k].key) != 0)
            {
                continue;
            }
            const struct records *records = records_of(scene, k);
            for (int i = 0; i < records->count && result == PL_OK; i++)
            {
                char *values = (char *)records->items + (size_t)i * object_keys[k].record->size;
                result = add_object(scene, (enum object_type)k, (struct head *)values, &all, memory_limit);
            }
        }
    }
    scene->particle_count = (int)all.particles;
    return result;
}
