// scene_table_contact.c: lists the fields of grains, shapes and materials; the others are in scene_table.c.
#include "scene.h"

#include "field_macros.h"

static const char *const shape_words[] = {"plane", "sphere", "capsule",     "box", "hull",
                                          "mesh",  "sdf",    "heightfield", NULL};

#define THIS pl_material
static const struct field material_fields[] = {
    NUMBER("static_friction", static_friction, 0, 100, "coefficient of static friction"),
    NUMBER("kinetic_friction", kinetic_friction, 0, 100, "coefficient of kinetic friction, at most static_friction"),
    NUMBER("restitution", restitution, 0, 1,
           "coefficient of restitution: share of the approach speed that an impact gives back"),
    NUMBER("rolling", rolling, 0, 1, "rolling resistance between particles: 0: they roll freely; 1: they only slide"),
    NUMBER("rolling_friction", rolling_friction, 0, 1e6, "m; rigid bodies: arm of the rolling resistance"),
    NUMBER("torsional_friction", torsional_friction, 0, 1e6, "m; rigid bodies: arm of the torsional friction"),
    {0},
};
#undef THIS
const struct record material_record = {.name = "material",
                                       .about = "Friction, restitution and rolling resistance of contacts.",
                                       .fields = material_fields,
                                       .size = sizeof(pl_material),
                                       .plain = true};

#define THIS struct scene_grains
static const struct field grains_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    COUNTS("size", size, 3, 1, 16384, "number along x, y, z"),
    VECTOR("origin", origin, "m; centre of the first layer"),
    NUMBER("spacing", spacing, 0, BIG, "m; distance between neighbours; 0: 2.2 radii"),
    NUMBER("radius", radius, TINY, BIG, "m"),
    NUMBER("jitter", jitter, 0, 1, "largest random offset of each, in spacings"),
    BOOL("stagger", stagger, "shift every other layer by half a spacing"),
    BOOL("round", round, "make the layers discs instead of rectangles"),
    NUMBER("mass", mass, 0, BIG, "kg; mass of each"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    NUMBER("stir", stir, 0, BIG, "m/s; largest random velocity in each direction"),
    NUMBER("fastest", fastest, 1, 1e6, "each starts at its velocity times a random number from 1 to this"),
    RECORD("material", material, material_record, "contact material"),
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
                                     .about = "A block of grains: free particles that collide.",
                                     .fields = grains_fields,
                                     .size = sizeof(struct scene_grains),
                                     .defaults = grains_defaults};

// ---- shapes --------------------------------------------------------------------------------------------------------

#define THIS struct scene_waves
static const struct field waves_fields[] = {
    NUMBER("height", height, -BIG, BIG, "m; height of a crest above the mean"),
    NUMBER("length", length, TINY, BIG, "m; wavelength along x and z"),
    {0},
};
#undef THIS
static void waves_defaults(void *values)
{
    ((struct scene_waves *)values)->height = 0.1f;
    ((struct scene_waves *)values)->length = 1.0f;
}
static const struct record waves_record = {.name = "waves",
                                           .about = "Wavy ground.",
                                           .fields = waves_fields,
                                           .size = sizeof(struct scene_waves),
                                           .defaults = waves_defaults};

#define THIS struct scene_shape_key
static const struct field shape_key_fields[] = {
    ENTRY("time", FIELD_NUMBER, time, .max = 1e9, .required = true, .about = "s"),
    VECTOR("position", position, "m; default: the initial position"),
    VECTOR("rotation", rotation,
           "degrees; rotation about the direction of this vector by its length; default: the initial rotation; between "
           "two keys about one axis it turns by the difference of the angles, which may exceed 180"),
    {0},
};
#undef THIS
const struct record shape_key_record = {.name = "shape_key",
                                        .about = "The pose of a shape at a time.",
                                        .fields = shape_key_fields,
                                        .size = sizeof(struct scene_shape_key)};

#define THIS struct scene_shape
static const struct field shape_fields[] = {
    TEXT("name", name, "name for messages"),
    ENTRY("kind", FIELD_CHOICE, kind, .choices = shape_words, .required = true, .about = "kind of shape"),
    VECTOR("position", def.position, "m; position of its centre; of a plane, a point of it"),
    VECTOR("rotation", rotation,
           "degrees; rotation about the direction of this vector by its length; without it a plane faces y and a "
           "capsule lies along y"),
    VECTOR("half", def.half, "m; half edges of a box"),
    NUMBER("radius", def.radius, 0, BIG,
           "m; sphere, capsule: radius; other solids: rounding; two-sided plane or mesh: half of the thickness"),
    NUMBER("length", def.length, 0, BIG, "m; capsule: distance between the centres of its ends"),
    TEXT("mesh", mesh, "hull, mesh, sdf: an OBJ file, beside the scene"),
    VECTORS("vertices", vertices, "m; hull, mesh, sdf: vertices [x, y, z]"),
    TRIPLES("triangles", triangles,
            "mesh, sdf: triangles [a, b, c], vertices counted from 0, counter-clockwise seen from outside"),
    RECORD("form", form, form_record, "a mesh made by rule"),
    NUMBER("scale", scale, TINY, BIG, "scale factor of the vertices"),
    COUNTS("grid", grid, 2, 2, 8192, "height field: columns (along x) and rows (along z)"),
    NUMBERS("heights", heights, -BIG, BIG, "m; height field: heights, row by row"),
    TEXT("height_file", height_file, "a text file of as many heights, beside the scene"),
    RECORD("waves", waves, waves_record, "heights made of waves"),
    NUMBER("spacing", def.spacing, 0, BIG,
           "m; height field: distance between heights; sdf: cell size of its grid; 0: a 64th of its longest side"),
    NUMBER("memory", memory, 0, 1e9, "MB; largest memory of an sdf; 0: 1074"),
    BOOL("two_sided", def.two_sided, "plane, mesh: a thin sheet that collides from both sides; the mesh may be open"),
    RECORDS("keys", keys, shape_key_record, "poses in order of time; between two keys it moves at constant velocity"),
    RECORDS("heat", heat, heat_key_record,
            "temperatures in order of time, linear between them; default: no heat exchange"),
    BOOL("inside", def.inside, "sphere, capsule: hollow, with the particles inside"),
    BOOL("sensor", def.sensor, "sphere, capsule, box, hull: touches nothing; reports what is inside"),
    VECTOR("velocity", def.velocity, "m/s"),
    VECTOR("spin", def.spin, "rad/s; angular velocity about pivot"),
    VECTOR("pivot", def.pivot, "m; centre of the spin; default: the position"),
    VECTOR("belt", def.belt, "m/s; velocity of its surface in the frame of the shape, as of a conveyor belt"),
    INT("copies", copies, 1, 1000, "number of copies, distributed around the axis `around` through pivot"),
    VECTOR("around", around, "the axis of the copies"),
    RECORD("material", material, material_record, "contact material"),
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
    form_record.defaults(&p->form);
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
    {"sensor", "kind", "sphere capsule box hull"},
    {0},
};
const struct record shape_record = {.name = "shape",
                                    .uses = shape_uses,
                                    .about = "A shape that particles collide with.",
                                    .fields = shape_fields,
                                    .size = sizeof(struct scene_shape),
                                    .defaults = shape_defaults};
