// scene_table.c: lists every field that a scene may have, with its range and its meaning. The loader, `--set`, the
// messages and scenes/schema.json all use it; after a change, run tests/scenes/regolden.sh to write the schema again.
#include "scene.h"

#include "field_macros.h"

// ---- words of choices ----------------------------------------------------------------------------------------------

// The order is that of the enums in pliant.h; tests/io/test_table.c checks it.
static const char *const solver_words[] = {"xpbd", "pbd", NULL};
static const char *const integrator_words[] = {"bdf1", "bdf2", NULL};
static const char *const bending_words[] = {"none", "links", "dihedral", "isometric", NULL};
static const char *const cloth_model_words[] = {"links", "stvk", "strain", NULL};
const char *const solid_model_words[] = {"links", "stvk", "corotated", "neo_hookean", "strain", NULL};
static const char *const field_words[] = {"uniform", "point", "drag", "electric", NULL};

static const char *kind_word(int number)
{
    return number < PL_KIND_COUNT ? pl_kind_describe((pl_kind)number)->name : NULL;
}

// ---- objects -------------------------------------------------------------------------------------------------------

static const char pinned_schema[] = "{\"anyOf\": [{\"type\": [\"string\", \"integer\"]}, "
                                    "{\"type\": \"array\", \"items\": {\"anyOf\": "
                                    "[{\"type\": [\"string\", \"integer\"]}, "
                                    "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"minItems\": 2, "
                                    "\"maxItems\": 2}, {\"type\": \"object\"}]}}, "
                                    "{\"type\": \"object\"}]}";
static const char params_schema[] = "{\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"array\", \"items\": {\"anyOf\": "
                                    "[{\"type\": \"number\"}, {\"type\": \"array\", "
                                    "\"items\": {\"type\": \"number\"}}]}}]}";

#define THIS struct scene_cloth
static const struct field cloth_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    COUNTS("size", size, 2, 2, 16384, "number of particles: [columns, rows]"),
    NUMBER("width", width, TINY, BIG, "m; short for \"u\": [width, 0, 0]"),
    NUMBER("height", height, TINY, BIG, "m; short for \"v\": [0, -height, 0]: the cloth hangs down from its first row"),
    VECTOR("origin", def.origin, "m; position of the first particle of a grid; offset of a mesh"),
    VECTOR("u", def.u, "m; from the first column to the last"),
    VECTOR("v", def.v, "m; from the first row to the last"),
    TEXT("mesh", mesh, "an OBJ file, beside the scene's file; instead of a grid"),
    NUMBER("scale", scale, TINY, BIG, "scale factor of the mesh"),
    VECTORS("vertices", vertices, "m; vertices of a mesh, together with \"triangles\""),
    TRIPLES("triangles", triangles, "vertices of each triangle, counted from 0"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    CHOICE("model", def.model, cloth_model_words,
           "how it resists strain: by links (stretch and shear), or by triangles of \"fabric\""),
    RECORD("fabric", def.fabric, fabric_record, "material of the triangles"),
    RECORD("stretch", def.stretch, softness_record, "softness along the edges"),
    RECORD("shear", def.shear, softness_record, "softness across the cells of a grid"),
    RECORD("bend", def.bend, softness_record, "softness of bending"),
    CHOICE("bending", def.bending, bending_words, "how it resists bending"),
    NUMBER("strength", def.strength, 0, BIG, "N of a link, Pa of a triangle of fabric; it tears above this; 0: never"),
    RECORD("plastic", def.plastic, plastic_record, "creases; needs dihedral bending; yield in rad"),
    NUMBER("drag", def.drag, 0, 1000, "aerodynamic coefficient of a thin plate; 0: none"),
    NUMBER("lift", def.lift, 0, 1000, "aerodynamic coefficient of a thin plate; 0: none"),
    NODE("pinned", pinned, pinned_schema,
         "what is held: left, right, top, bottom, corners, top_left ..., a number, [column, row], {\"edge\": \"top\", "
         "\"every\": 10}, "
         "{\"box\": [[x, y, z], [x, y, z]]}, or a list of these"),
    BOOL("tethers", def.tethers, "long-range attachments to the nearest pinned particle"),
    NUMBER("tether_slack", def.tether_slack, 0, 1000,
           "how much longer than the rest distance a tether is: 0.02 is 2 %"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    VECTOR("spin", spin, "rad/s; initial angular velocity about its centre"),
    NUMBER("thickness", def.thickness, 0, BIG,
           "m; above 0 it collides as a surface, with other such surfaces and with itself"),
    NUMBER("radius", radius, 0, BIG,
           "m; collision radius of its particles against shapes and grains; default: half of the thickness; 0: no "
           "collisions with particles"),
    RECORD("material", material, material_record, "contact material"),
    {0},
};
#undef THIS
static void cloth_defaults(void *values)
{
    struct scene_cloth *c = values;
    c->material = pl_default_material();
    c->def = pl_default_cloth_def();
    c->size[0] = c->def.columns;
    c->size[1] = c->def.rows;
    c->width = 1.0f;
    c->height = 1.0f;
    c->scale = 1.0f;
}
static const struct field_use cloth_uses[] = {
    {"fabric", "model", "stvk strain"}, {"stretch", "model", "links"},
    {"shear", "model", "links"},        {"bend", "bending", "links dihedral isometric"},
    {"plastic", "bending", "dihedral"}, {0},
};
const struct record cloth_record = {.name = "cloth",
                                    .uses = cloth_uses,
                                    .about = "A cloth: a grid or a triangle mesh.",
                                    .fields = cloth_fields,
                                    .size = sizeof(struct scene_cloth),
                                    .defaults = cloth_defaults};

#define THIS struct scene_rope
static const struct field rope_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    INT("segments", def.segments, 1, 16777216, "number of segments; the rope has one more particle"),
    VECTOR("from", def.from, "m"),
    VECTOR("to", def.to, "m"),
    VECTORS("points", points, "m; segments + 1 positions, instead of from and to"),
    NUMBER("length", def.length, 0, BIG, "m; length at rest; 0: as laid out; a longer rope sags"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    RECORD("stretch", def.stretch, softness_record, "softness of the links"),
    RECORD("bend", def.bend, softness_record, "softness of bending; needs \"bending\""),
    BOOL("bending", def.bending, "resist bending by links from each particle to the next but one"),
    BOOL("pull_only", def.pull_only, "links only pull, as those of a real rope"),
    NUMBER("strength", def.strength, 0, BIG, "N; a link breaks above this; 0: never"),
    BOOL("pin_first", def.pin_first, "hold the first particle"),
    BOOL("pin_last", def.pin_last, "hold the last particle"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    {0},
};
#undef THIS
static void rope_defaults(void *values) { ((struct scene_rope *)values)->def = pl_default_rope_def(); }
const struct record rope_record = {.name = "rope",
                                   .about = "A rope: a row of particles.",
                                   .fields = rope_fields,
                                   .size = sizeof(struct scene_rope),
                                   .defaults = rope_defaults};

#define THIS struct scene_bar
static const struct field bar_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    COUNTS("cells", def.cells, 3, 1, 4096, "number of cells along x, y, z, of five tetrahedra each"),
    VECTOR("origin", def.origin, "m; corner with the smallest coordinates"),
    VECTOR("size", def.size, "m"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    CHOICE("model", def.model, solid_model_words,
           "how it resists strain: by links (edges and volume), or by tetrahedra of \"elastic\""),
    RECORD("elastic", def.elastic, elastic_record, "material of the tetrahedra"),
    RECORD("edges", def.edges, softness_record, "softness along the edges of the tetrahedra"),
    RECORD("volume", def.volume, softness_record, "softness of the volume of each tetrahedron"),
    RECORD("plastic", def.plastic, plastic_record, "plastic flow of its elements or links"),
    NUMBER("strength", def.strength, 0, BIG, "Pa of elements, N of links; it tears above this; 0: never"),
    BOOL("pin_start", def.pin_start, "hold the face at the smallest x"),
    BOOL("pin_end", def.pin_end, "hold the face at the largest x"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    VECTOR("spin", spin, "rad/s; initial angular velocity about its centre"),
    VECTOR("squash", squash, "initial scale about its centre; the rest shape is not scaled: [1, 0, 1] is flat"),
    {0},
};
#undef THIS
static void bar_defaults(void *values)
{
    ((struct scene_bar *)values)->def = pl_default_bar_def();
    ((struct scene_bar *)values)->squash = (pl_vec3){1.0f, 1.0f, 1.0f};
}
static const struct field_use bar_uses[] = {
    {"elastic", "model", "stvk corotated neo_hookean strain"},
    {"edges", "model", "links"},
    {"volume", "model", "links"},
    {0},
};
const struct record bar_record = {.name = "bar",
                                  .uses = bar_uses,
                                  .about = "A soft bar of tetrahedra.",
                                  .fields = bar_fields,
                                  .size = sizeof(struct scene_bar),
                                  .defaults = bar_defaults};

#define THIS struct scene_particles
static const struct field particles_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    ENTRY("position", FIELD_VECTORS, position, .min = -BIG, .max = BIG, .required = true,
          .about = "m; [x, y, z] or a list of them"),
    VECTORS("velocity", velocity, "m/s; one for all, or one for each"),
    NUMBERS("mass", mass, 0, BIG, "kg; one for all, or one for each; 0 holds the particle in place"),
    NUMBERS("charge", charge, -BIG, BIG, "C; one for all, or one for each"),
    VECTORS("force", force, "N; one for all, or one for each"),
    NUMBERS("radius", radius, 0, BIG, "m; one for all, or one for each; 0: no collisions with particles"),
    RECORD("material", material, material_record, "contact material"),
    {0},
};
#undef THIS
static void particles_defaults(void *values) { ((struct scene_particles *)values)->material = pl_default_material(); }
const struct record particles_record = {.name = "particles",
                                        .defaults = particles_defaults,
                                        .about = "Single particles.",
                                        .fields = particles_fields,
                                        .size = sizeof(struct scene_particles)};

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

#define THIS struct scene_constraints
static const struct field constraints_fields[] = {
    TEXT("name", name, "name for script"),
    ENTRY("kind", FIELD_CHOICE, kind, .choice = kind_word, .required = true, .about = "kind of constraint"),
    ENTRY(
        "particles", FIELD_NODE, particles, .schema = REFS_SCHEMA, .required = true,
        .about =
            "particles: [\"rope[0]\", \"bead\"], or a list of such lists; a plain number counts over the whole scene"),
    NODE("params", params, params_schema,
         "parameters: one number or list for all, or a list for each; default: at rest in the initial positions"),
    NUMBER("compliance", soft.compliance, 0, BIG, "the inverse of stiffness, m/N for lengths; 0 is rigid (XPBD)"),
    NUMBER("damping", soft.damping, 0, BIG, "N s/m for lengths; has an effect only with a compliance above 0 (XPBD)"),
    NUMBER("stiffness", soft.stiffness, 0, 1, "k from 0 to 1 (classic PBD)"),
    NUMBER("strength", strength, 0, BIG, "N of lengths, Pa of elements; they break or tear above this; 0: never"),
    RECORD("plastic", plastic, plastic_record, "plastic flow of distances, dihedral bending and tetrahedra"),
    {0},
};
#undef THIS
static void constraints_defaults(void *values)
{
    ((struct scene_constraints *)values)->soft = pl_default_constraints_def().soft;
    ((struct scene_constraints *)values)->plastic = pl_default_plastic();
}
const struct record constraints_record = {.name = "constraints",
                                          .about = "Constraints between particles of any objects.",
                                          .fields = constraints_fields,
                                          .size = sizeof(struct scene_constraints),
                                          .defaults = constraints_defaults};

// ---- camera --------------------------------------------------------------------------------------------------------

#define THIS struct scene_camera
static const struct field camera_fields[] = {
    {.name = "eye",
     .type = FIELD_VECTOR,
     .offset = offsetof(THIS, eye),
     .min = -BIG,
     .max = BIG,
     .required = true,
     .about = "m; position of the camera"},
    {.name = "target",
     .type = FIELD_VECTOR,
     .offset = offsetof(THIS, target),
     .min = -BIG,
     .max = BIG,
     .required = true,
     .about = "m; point that it looks at"},
    NUMBER("fov", fov, 1, 150, "degrees; vertical field of view"),
    BOOL("follow", follow, "the target is the mean of all particles in every frame, and the eye moves with it"),
    NUMBER("floor", floor, -BIG, BIG, "m; the height at which the ground is drawn"),
    {0},
};
#undef THIS
static void camera_defaults(void *values) { ((struct scene_camera *)values)->fov = 35.0f; }
const struct record camera_record = {.name = "camera",
                                     .about =
                                         "The view of pictures, films and the window; it has no effect on the physics.",
                                     .fields = camera_fields,
                                     .size = sizeof(struct scene_camera),
                                     .defaults = camera_defaults};

// ---- the scene -----------------------------------------------------------------------------------------------------

#define THIS struct pl_scene
static const struct field scene_fields[] = {
    TEXT("$schema", schema, "for editors: \"schema.json\""),
    TEXT("name", name, "the scene's name"),
    TEXT("about", about, "what the scene shows; `pliant list` prints the first sentence"),
    INT("frames", frames, 0, 10000000, "number of steps of a full run"),
    NUMBER("dt", dt, 1e-6, 1, "s; duration of one frame"),
    INT("substeps", settings.substeps, 1, 10000, "substeps of a frame"),
    INT("iterations", settings.iterations, 1, 10000, "iterations of the solver in each substep"),
    INT("stabilise", settings.stabilise, 0, 100,
        "passes before each substep that remove contact overlap without adding velocity"),
    CHOICE("solver", settings.solver, solver_words, "xpbd uses compliance, pbd uses stiffness"),
    CHOICE("integrator", settings.integrator, integrator_words, "first or second order in time"),
    VECTOR("gravity", settings.gravity, "m/s^2"),
    NUMBER("damping", settings.damping, 0, 1e6, "1/s: dv/dt = -damping v"),
    NUMBER("internal_damping", settings.internal_damping, 0, 1e6,
           "1/s; as damping, but without the rigid motion of an object"),
    RECORD("wind", settings.wind, wind_record, "wind, which acts on cloth and oriented particles"),
    RECORDS("cloth", cloth, cloth_record, "a cloth, or a list of them"),
    RECORDS("rope", rope, rope_record, "a rope, or a list of them"),
    RECORDS("bar", bar, bar_record, "a soft bar, or a list of them"),
    RECORDS("body", body, body_record, "a body made of a closed mesh, or a list of them"),
    RECORDS("oriented", oriented, oriented_record, "oriented particles: a chain, a sheet, a tree, or a list of them"),
    RECORDS("particles", particles, particles_record, "single particles"),
    RECORDS("grains", grains, grains_record, "a block of colliding particles, or a list of them"),
    RECORDS("shape", shape, shape_record, "a shape that particles collide with, or a list of them"),
    RECORDS("field", field, field_record, "a force field, or a list of them"),
    RECORDS("constraints", constraints, constraints_record, "constraints between particles of any objects"),
    RECORDS("script", script, motion_record, "scripted motion"),
    RECORDS("cut", cut, cut_record, "blades that cut objects"),
    RECORDS("heat", heat, heat_record, "the temperature of an object, and whether it melts"),
    NUMBER("ambient", ambient, -1e6, 1e6, "the temperature of the air"),
    RECORD("expect", expect, expect_record, "conditions that must hold at the end"),
    RECORD("camera", camera, camera_record,
           "the view of pictures, films and the window; without it, a view is fitted to the scene"),
    {0},
};
#undef THIS
static void scene_defaults(void *values)
{
    struct pl_scene *s = values;
    s->frames = 300;
    s->dt = 1.0f / 60.0f;
    s->settings = pl_default_world_def().settings;
    s->ambient = 20.0f;
    expect_record.defaults(&s->expect);
    camera_defaults(&s->camera);
}
static const struct field_use scene_uses[] = {{"ambient", "heat", "scenes with \"heat\""}, {0}};
const struct record scene_record = {.name = "the scene",
                                    .uses = scene_uses,
                                    .about = "A scene of Pliant. Units are SI, y is up.",
                                    .fields = scene_fields,
                                    .size = sizeof(struct pl_scene),
                                    .defaults = scene_defaults};

char *scene_schema(void) { return record_schema(&scene_record, "Pliant scene"); }
