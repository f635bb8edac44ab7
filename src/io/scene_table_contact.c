// scene_table_contact.c: the fields of grains, shapes and materials; the others are in scene_table.c.
#include "scene.h"

#include "field_macros.h"

static const char *const shape_words[] = {"plane", "sphere", "capsule",     "box", "hull",
                                          "mesh",  "sdf",    "heightfield", NULL};
static const char *const form_words[] = {"sheet", "ball", "torus", "bowl", NULL};

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
    NUMBER("fastest", fastest, 1, 1e6, "each starts at its velocity times a number from 1 to this"),
    RECORD("material", material, material_record, "of their surface"),
    {0},
};
#undef THIS
static void grains_defaults(void *values)
{
    struct scene_grains *g = values;
    g->size[0] = g->size[1] = g->size[2] = 10;
    g->radius = 0.05f;
    g->fastest = 1.0f;
    g->mass = 1.0f;
    g->material = pl_default_material();
}
const struct record grains_record = {.name = "grains",
                                     .about = "A block of grains: particles that collide.",
                                     .fields = grains_fields,
                                     .size = sizeof(struct scene_grains),
                                     .defaults = grains_defaults};

// ---- shapes --------------------------------------------------------------------------------------------------------

#define THIS struct scene_form
static const struct field form_fields[] = {
    ENTRY("kind", FIELD_CHOICE, kind, .choices = form_words, .required = true,
          .about = "sheet: flat and open; ball; torus around y; bowl: the lower half of a ball"),
    VECTOR("size", size, "m; sheet: x and z; ball: x, y, z; torus: x wide, its tube y thick; bowl: x wide"),
    NUMBER("thickness", thickness, 0, BIG, "m; of a bowl's wall; 0: an open shell"),
    COUNTS("cells", cells, 2, 3, 8192, "sheet: along x and z; others: around y, and along what is turned around it"),
    {0},
};
#undef THIS
static void form_defaults(void *values)
{
    struct scene_form *f = values;
    f->size = (pl_vec3){1.0f, 1.0f, 1.0f};
    f->cells[0] = 32;
    f->cells[1] = 16;
}
static const struct field_use form_uses[] = {
    {"thickness", "kind", "bowl"},
    {0},
};
static const struct record form_record = {.name = "form",
                                          .uses = form_uses,
                                          .about = "A mesh made by rule.",
                                          .fields = form_fields,
                                          .size = sizeof(struct scene_form),
                                          .defaults = form_defaults};

#define THIS struct scene_waves
static const struct field waves_fields[] = {
    NUMBER("height", height, -BIG, BIG, "m; of a crest above the middle"),
    NUMBER("length", length, TINY, BIG, "m; from crest to crest, along x and along z"),
    {0},
};
#undef THIS
static void waves_defaults(void *values)
{
    ((struct scene_waves *)values)->height = 0.1f;
    ((struct scene_waves *)values)->length = 1.0f;
}
static const struct record waves_record = {.name = "waves",
                                           .about = "Ground that goes up and down evenly.",
                                           .fields = waves_fields,
                                           .size = sizeof(struct scene_waves),
                                           .defaults = waves_defaults};

#define THIS struct scene_shape_key
static const struct field shape_key_fields[] = {
    ENTRY("time", FIELD_NUMBER, time, .max = 1e9, .required = true, .about = "s"),
    VECTOR("position", position, "m; unless given, where the shape begins"),
    VECTOR("rotation", rotation,
           "degrees, around this axis, by its length; unless given, as the shape begins; from key to key around one "
           "axis it turns by the angles, 270 or 720 degrees too"),
    {0},
};
#undef THIS
const struct record shape_key_record = {.name = "shape_key",
                                        .about = "Where a shape is at a time.",
                                        .fields = shape_key_fields,
                                        .size = sizeof(struct scene_shape_key)};

#define THIS struct scene_shape
static const struct field shape_fields[] = {
    TEXT("name", name, "what it is"),
    ENTRY("kind", FIELD_CHOICE, kind, .choices = shape_words, .required = true, .about = "its form"),
    VECTOR("position", def.position, "m; of its middle; a point of a plane"),
    VECTOR("rotation", rotation,
           "degrees, around this axis, by its length; a plane faces y and a capsule lies along y before it is turned"),
    VECTOR("half", def.half, "m; half sides of a box"),
    NUMBER("radius", def.radius, 0, BIG,
           "m; sphere, capsule; other solids: rounds them; a two-sided plane or mesh: half its thickness"),
    NUMBER("length", def.length, 0, BIG, "m; of a capsule, between the centres of its ends"),
    TEXT("mesh", mesh, "hull, mesh, sdf: an OBJ file, beside the scene"),
    VECTORS("vertices", vertices, "hull, mesh, sdf: [x, y, z] each, m, or:"),
    TRIPLES("triangles", triangles,
            "mesh, sdf: [a, b, c] each, numbers of vertices from 0, anticlockwise from outside"),
    RECORD("form", form, form_record, "or a mesh made by rule"),
    NUMBER("scale", scale, TINY, BIG, "times which vertices are taken"),
    COUNTS("grid", grid, 2, 2, 8192, "height field: columns (along x) and rows (along z)"),
    NUMBERS("heights", heights, -BIG, BIG, "height field: m, column by column within a row, row after row"),
    TEXT("height_file", height_file, "or a text file of as many numbers, beside the scene"),
    RECORD("waves", waves, waves_record, "or waves"),
    NUMBER("spacing", def.spacing, 0, BIG,
           "m; height field: between heights; sdf: of its grid, 0: a 64th of its longest side"),
    NUMBER("memory", memory, 0, 1e9, "MB that an sdf may need; 0: 1074"),
    BOOL("two_sided", def.two_sided, "a plane as a sheet; a mesh as a thin sheet, which may be open"),
    RECORDS("keys", keys, shape_key_record,
            "where it is at which time, in order of time; between two keys it moves evenly"),
    RECORDS("heat", heat, heat_key_record,
            "how hot it is at which time, in order of time, evenly between; unless given, it takes no heat"),
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
    p->scale = 1.0f;
    p->grid[0] = p->grid[1] = 33;
    form_defaults(&p->form);
    waves_defaults(&p->waves);
    p->around = (pl_vec3){0.0f, 1.0f, 0.0f};
    p->material = pl_default_material();
}
static const struct field_use shape_uses[] = {
    {"half", "kind", "box"},
    {"length", "kind", "capsule"},
    {"form", "kind", "hull mesh sdf"},
    {"scale", "kind", "hull mesh sdf"},
    {"grid", "kind", "heightfield"},
    {"waves", "kind", "heightfield"},
    {"spacing", "kind", "sdf heightfield"},
    {"memory", "kind", "sdf"},
    {"two_sided", "kind", "plane mesh"},
    {"inside", "kind", "sphere capsule"},
    {0},
};
const struct record shape_record = {.name = "shape",
                                    .uses = shape_uses,
                                    .about = "A body that particles collide with.",
                                    .fields = shape_fields,
                                    .size = sizeof(struct scene_shape),
                                    .defaults = shape_defaults};
