// scene_attach.c: defines the fields of attachments, and adds them, using only the public API.
//   "what"   particles: "cloth", "rope[-1]", "cloth[0:20]", 12, or a list of them; with "box" only those inside it
//   "to"     a rigid body, one of its copies ("link[3]"), or a shape
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"

#include <stdlib.h>
#include <string.h>

struct scene_attach
{
    struct head head;
    const char *name;
    const struct json *what, *to;
    struct numbers box;
    pl_softness soft;
    int32_t *numbers; // resolved: the particles
    int count;
    int body, shape; // resolved: the particle of the body, or the shape's number among the world's; the other is -1
};

#define THIS struct scene_attach
static const struct field attach_fields[] = {
    TEXT("name", name, "name"),
    NODE("what", what, REFS_SCHEMA,
         "the particles: an object, \"rope[-1]\", \"cloth[0:20]\" (0 to 19), a number, or a list of them"),
    NODE("to", to, "{\"type\": \"string\"}", "the rigid body or the shape that they move and turn with"),
    VECTORS("box", box, "m; two opposite corners: only the particles inside are attached; default: all"),
    NUMBER("compliance", soft.compliance, 0, BIG, "m/N; 0 is rigid"),
    NUMBER("damping", soft.damping, 0, BIG, "N s/m; has an effect only with a compliance above 0"),
    NUMBER("stiffness", soft.stiffness, 0, 1, "only with the solver pbd: the part of the gap that is closed"),
    {0},
};
#undef THIS
static void attach_defaults(void *values) { ((struct scene_attach *)values)->soft = pl_default_attach_def().soft; }
const struct record attach_record = {.name = "attach",
                                     .about = "Attaches particles to a rigid body or a shape.",
                                     .fields = attach_fields,
                                     .size = sizeof(struct scene_attach),
                                     .defaults = attach_defaults};

// The particles that one item of "what" names.
static pl_result range_of(const pl_scene *scene, const struct json *item, int *first, int *count)
{
    if (item->type == JSON_STRING)
        return scene_particles_of(scene, item, item->text, first, count);
    *count = 1;
    return scene_particle(scene, item, first);
}

static pl_result find_particles(pl_scene *scene, struct scene_attach *a)
{
    bool list = a->what->type == JSON_ARRAY;
    const struct json *begin = list ? a->what->first : a->what;
    int64_t total = 0;
    int first, count;
    pl_result result = PL_OK;
    for (const struct json *item = begin; item && result == PL_OK; item = list ? item->next : NULL)
    {
        result = range_of(scene, item, &first, &count);
        total += result == PL_OK ? count : 0;
    }
    if (result != PL_OK)
        return result;
    if (total < 1 || total > SCENE_MAX_PARTICLES)
        return json_fail(a->what, "\"what\" names %lld particles; it must name from 1 to %d", (long long)total,
                         SCENE_MAX_PARTICLES);
    a->numbers = store_take(&scene->store, (size_t)total * sizeof *a->numbers);
    if (!a->numbers)
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    for (const struct json *item = begin; item && result == PL_OK; item = list ? item->next : NULL)
    {
        result = range_of(scene, item, &first, &count);
        for (int i = 0; i < count && result == PL_OK; i++)
            a->numbers[a->count++] = first + i;
    }
    return result;
}

// Returns whether an attachment before this one has the same shape: they share the body that follows it.
static bool follows_already(const pl_scene *scene, int shape)
{
    for (int i = 0; i < scene->object_count; i++)
        if (scene->objects[i].type == OBJECT_ATTACH &&
            ((const struct scene_attach *)(const void *)scene->objects[i].values)->shape == shape)
            return true;
    return false;
}

static pl_result find_attach(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_attach *a = values;
    (void)limit;
    a->body = a->shape = -1;
    if (!a->what || !a->to || a->to->type != JSON_STRING)
        return json_fail(a->head.node,
                         "an attachment without \"what\" and \"to\"; name particles, and a body or a shape");
    if (a->box.count != 0 && a->box.count != 2)
        return json_fail(a->head.node, "\"box\" has %d corners; give two opposite ones", a->box.count);
    pl_result result = find_particles(scene, a);
    if (result != PL_OK)
        return result;
    const struct scene_object *to = scene_object_by_name(scene, a->to->text);
    if (to && to->type == OBJECT_SHAPE)
    {
        a->shape = ((const struct scene_shape *)(const void *)to->values)->first;
        need->particles = follows_already(scene, a->shape) ? 0 : 1;
    }
    else
        result = scene_particle(scene, a->to, &a->body);
    need->constraints = a->count;
    return result;
}

// Keeps the numbers of the particles inside the box.
static pl_result choose_inside(pl_world *world, const struct scene_attach *a, int32_t *kept, int *count)
{
    const float *p = a->box.values, *q = p + 3;
    for (int i = 0; i < a->count; i++)
    {
        float x[3];
        bool inside = true;
        pl_result result = pl_get(world, PL_ATTRIBUTE_POSITION, a->numbers[i], 1, x);
        if (result != PL_OK)
            return result;
        for (int c = 0; c < 3; c++)
            inside &= x[c] >= (p[c] < q[c] ? p[c] : q[c]) && x[c] <= (p[c] < q[c] ? q[c] : p[c]);
        if (inside)
            kept[(*count)++] = a->numbers[i];
    }
    return *count ? PL_OK : fail(PL_ERROR_ARGUMENT, "attach: none of the %d particles is inside the box", a->count);
}

static pl_result make_attach(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_attach *a = values;
    pl_attach_def def = pl_default_attach_def();
    int32_t *kept = NULL;
    int end = pl_particle_end(world), count = 0;
    pl_result result = PL_OK;
    def.soft = a->soft;
    def.particles = a->numbers, def.count = a->count;
    def.to = a->shape >= 0 ? pl_shape_at(world, a->shape) : pl_rigid_of_particle(world, a->body);
    if (a->shape < 0 && !def.to.index)
        return fail(PL_ERROR_ARGUMENT, "attach: \"%s\" is neither a rigid body nor a shape", a->to->text);
    if (a->box.count)
    {
        kept = malloc((size_t)a->count * sizeof *kept);
        result = kept ? choose_inside(world, a, kept, &count) : fail(PL_ERROR_MEMORY, "no memory for an attachment");
        def.particles = kept, def.count = count;
    }
    if (result == PL_OK)
        result = pl_attach(world, &def, NULL);
    if (result == PL_OK && pl_particle_end(world) > end) // the body that follows the shape
        *id = pl_rigid_of_particle(world, end);
    free(kept);
    return result;
}

const struct object_kind attach_object = {
    .find = find_attach, .make = make_attach, .copies = true, .uncut = object_always};
