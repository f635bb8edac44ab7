// scene_field.c: the force fields of a scene: their fields in its text, and how they are added.
#include "scene.h"

#include "field_macros.h"

struct scene_field
{
    struct head head;
    const char *name;
    int kind;
    pl_field def;
};

// The order is that of the enums in pliant.h; tests/io/test_table.c checks it.
static const char *const field_words[] = {"uniform", "point", "drag", "electric", NULL};

#define THIS struct scene_field
static const struct field field_fields[] = {
    TEXT("name", name, "name, for readers only"),
    ENTRY("kind", FIELD_CHOICE, kind, .choices = field_words, .required = true,
          .about = "uniform (m/s^2), point (attraction), drag (towards the velocity \"vector\"), electric (V/m)"),
    VECTOR("vector", def.vector, "m/s^2; V/m; or the velocity of the medium, m/s"),
    VECTOR("origin", def.origin, "m; centre of a point field"),
    NUMBER("strength", def.strength, -BIG, BIG, "m^3/s^2 of a point field, N s/m of drag"),
    NUMBER("radius", def.radius, 0, BIG, "m; softening radius of a point field"),
    {0},
};
#undef THIS
static const struct field_use field_uses[] = {
    {"vector", "kind", "uniform drag electric"},
    {"origin", "kind", "point"},
    {"strength", "kind", "point drag"},
    {"radius", "kind", "point"},
    {0},
};
const struct record field_record = {.name = "field",
                                    .uses = field_uses,
                                    .about = "A force field.",
                                    .fields = field_fields,
                                    .size = sizeof(struct scene_field)};

static pl_result find_field(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_field *field = values;
    (void)scene, (void)limit, (void)need;
    field->def.kind = (pl_field_kind)field->kind;
    return PL_OK;
}

static pl_result make_field(pl_world *world, const void *values, pl_id *id)
{
    return pl_add_field(world, &((const struct scene_field *)values)->def, id);
}

const struct object_kind field_object = {.find = find_field, .make = make_field};
