// scene_attach.c: defines the fields of attachments, and adds them, using only the public API.
//   "what"   particles, by a selector
//   "to"     a rigid body, one of its copies ("link[3]"), or a shape
#include "scene_select.h"

#include "core/error.h"
#include "field_macros.h"

struct scene_attach
{
    struct head head;
    const char *name;
    const struct json *what, *to;
    pl_softness soft;
    const pl_scene *scene; // resolved
    int body, shape; // resolved: the particle of the body, or the shape's number among the world's; the other is -1
};

#define THIS struct scene_attach
static const struct field attach_fields[] = {
    TEXT("name", name, "name"),
    NODE("what", what, SELECT_SCHEMA,
         "a selector of the particles: an object, \"rope[-1]\", \"cloth[0:20]\" (0 to 19), \"cloth.top\", {\"of\": "
         "\"cloth\", \"box\": ...}, or a list of them"),
    NODE("to", to, "{\"type\": \"string\"}", "the rigid body or the shape that they move and turn with"),
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
    // Boxes and spheres choose when the particles exist; until then they count as a whole.
    struct selection all;
    a->scene = scene;
    pl_result result = scene_select(&(struct select_from){.scene = scene}, a->what, &all);
    need->constraints = all.count;
    selection_free(&all);
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
    return result;
}

static pl_result make_attach(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_attach *a = values;
    pl_attach_def def = pl_default_attach_def();
    struct select_from from = {.scene = a->scene, .place = scene_place_in_world, .context = world};
    struct selection chosen;
    int end = pl_particle_end(world);
    def.to = a->shape >= 0 ? pl_shape_at(world, a->shape) : pl_rigid_of_particle(world, a->body);
    if (a->shape < 0 && !def.to.index)
        return fail(PL_ERROR_ARGUMENT, "attach: \"%s\" is neither a rigid body nor a shape; name one of those",
                    a->to->text);
    pl_result result = scene_select(&from, a->what, &chosen);
    def.soft = a->soft;
    def.particles = chosen.numbers, def.count = chosen.count;
    if (result == PL_OK)
        result = pl_attach(world, &def, NULL);
    if (result == PL_OK && pl_particle_end(world) > end) // the body that follows the shape
        *id = pl_rigid_of_particle(world, end);
    selection_free(&chosen);
    return result;
}

const struct object_kind attach_object = {
    .find = find_attach, .make = make_attach, .copies = true, .uncut = object_always};
