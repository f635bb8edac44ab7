// scene_table_contact.c: the fields of grains, shapes and materials; the others are in scene_table.c.
#include "scene.h"

#include "field_macros.h"

static const char *const shape_words[] = {"plane", "sphere", "capsule", "box", NULL};

#define THIS pl_material
static const struct field material_fields[] = {
    NUMBER("static_friction", static_friction, 0, 100,
           "mu_s: sticks while the tangential force is below this times the normal one"),
    NUMBER("kinetic_friction", kinetic_friction, 0, 100, "mu_k, at most static_friction: once it slides"),
    NUMBER("restitution", restitution, 0, 1, "how much of the speed of an impact comes back"),
    NUMBER("rolling", rolling, 0, 1, "resistance to rolling: 0, grains roll freely off each other; 1, they only slide"),
    {0},
};
#undef THIS
const struct record material_record = {.name = "material",
                                       .about = "What holds where surfaces touch.",
                                       .fields = material_fields,
                                       .size = sizeof(pl_material),
                                       .plain = true};

#define THIS struct scene_grains
static const struct field grains_fields[] = {
    TEXT("name", name, "how constraints, script and expect call them"),
    COUNTS("size", size, 3, 1, 16384, "how many along x, y, z"),
    VECTOR("origin", origin, "m; the middle of the first layer"),
    NUMBER("spacing", spacing, 0, BIG, "m; between neighbours; 0: 2.2 radii"),
    NUMBER("radius", radius, TINY, BIG, "m"),
    NUMBER("jitter", jitter, 0, 1, "how far each lies off its place at the most, in spacings"),
    BOOL("stagger", stagger, "every other layer is shifted by half a spacing"),
    BOOL("round", round, "layers are discs, as wide as the block: what would lie outside is left out"),
    NUMBER("mass", mass, 0, BIG, "kg, each"),
    VECTOR("velocity", velocity, "m/s, at the start"),
    NUMBER("stir", stir, 0, BIG, "m/s: and as much more in any direction"),
    RECORD("material", material, material_record, "of their surface"),
    {0},
};
#undef THIS
static void grains_defaults(void *values)
{
    struct scene_grains *g = values;
    g->size[0] = g->size[1] = g->size[2] = 10;
    g->radius = 0.05f;
    g->mass = 1.0f;
    g->material = pl_default_material();
}
const struct record grains_record = {.name = "grains",
                                     .about = "A block of grains: particles that collide.",
                                     .fields = grains_fields,
                                     .size = sizeof(struct scene_grains),
                                     .defaults = grains_defaults};

#define THIS struct scene_shape
static const struct field shape_fields[] = {
    TEXT("name", name, "what it is"),
    ENTRY("kind", FIELD_CHOICE, kind, .choices = shape_words, .required = true, .about = "its form"),
    VECTOR("position", def.position, "m; of its middle; a point of a plane"),
    VECTOR("rotation", rotation,
           "degrees, around this axis, by its length; a plane faces y and a capsule lies along y before it is turned"),
    VECTOR("half", def.half, "m; half sides of a box"),
    NUMBER("radius", def.radius, 0, BIG,
           "m; sphere, capsule; a box: rounds its edges; a two-sided plane: half its thickness"),
    NUMBER("length", def.length, 0, BIG, "m; of a capsule, between the centres of its ends"),
    BOOL("two_sided", def.two_sided, "a plane as a sheet"),
    BOOL("inside", def.inside, "a sphere or capsule that is hollow, with particles inside"),
    VECTOR("velocity", def.velocity, "m/s"),
    VECTOR("spin", def.spin, "rad/s, around pivot"),
    VECTOR("pivot", def.pivot, "m; unless given, the position"),
    VECTOR("belt", def.belt, "m/s, in the shape's frame: its surface runs like a conveyor's"),
    INT("copies", copies, 1, 1000, "so many, turned evenly around the axis `around` through pivot"),
    VECTOR("around", around, "the axis of the copies"),
    RECORD("material", material, material_record, "of its surface"),
    {0},
};
#undef THIS
static void shape_defaults(void *values)
{
    struct scene_shape *p = values;
    p->def = pl_default_shape_def();
    p->copies = 1;
    p->around = (pl_vec3){0.0f, 1.0f, 0.0f};
    p->material = pl_default_material();
}
const struct record shape_record = {.name = "shape",
                                    .about = "A body that particles collide with.",
                                    .fields = shape_fields,
                                    .size = sizeof(struct scene_shape),
                                    .defaults = shape_defaults};
