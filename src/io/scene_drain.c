// scene_drain.c: the drains of a scene: their fields, and how they are made.
#include "scene.h"

#include "field_macros.h"

struct scene_drain
{
    struct head head;
    const char *name;
    int form;
    float radius;
    pl_drain_def def;
};

static const char *const form_names[] = {"box", "sphere", "plane", NULL};

#define THIS struct scene_drain
static const struct field drain_fields[] = {
    TEXT("name", name, "name, for readers only"),
    CHOICE("form", form, form_names, "where it takes particles of fluids"),
    VECTOR("position", def.position, "m; centre of a box or a sphere, a point of a plane"),
    VECTOR("size", def.size, "m; edges of a box"),
    NUMBER("radius", radius, 1e-6, 1e6, "m; of a sphere"),
    VECTOR("normal", def.normal, "of a plane; it takes what is behind"),
    NUMBER("rate", def.rate, 0, 1e9, "m^3/s; the most that it takes; 0: all"),
    {0},
};
#undef THIS
static const struct field_use drain_uses[] = {
    {"size", "form", "box"}, {"radius", "form", "sphere"}, {"normal", "form", "plane"}, {0}};
static void drain_defaults(void *values)
{
    struct scene_drain *d = values;
    d->def = pl_default_drain_def();
    d->radius = d->def.size.x;
}
const struct record drain_record = {.name = "drain",
                                    .uses = drain_uses,
                                    .about = "A region that takes particles of fluids out.",
                                    .fields = drain_fields,
                                    .size = sizeof(struct scene_drain),
                                    .defaults = drain_defaults};

static pl_result find_drain(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_drain *d = values;
    (void)scene, (void)limit, (void)need;
    d->def.form = (pl_drain_form)d->form;
    if (d->def.form == PL_DRAIN_SPHERE)
        d->def.size.x = d->radius;
    return PL_OK;
}

static pl_result make_drain(pl_world *world, const void *values, pl_id *id)
{
    return pl_add_drain(world, &((const struct scene_drain *)values)->def, id);
}

const struct object_kind drain_object = {.find = find_drain, .make = make_drain};
