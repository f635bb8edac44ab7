// scene_table_body.c: the fields of bodies; the others are in scene_table.c.
#include "scene.h"

#include "field_macros.h"

// The order is that of the enums in pliant.h.
static const char *const body_words[] = {"rigid", "jelly", "plastic", "soft", "balloon", "lattice", NULL};
static const char *const match_words[] = {"rigid", "linear", "quadratic", NULL};
static const char *const form_words[] = {"box", "sphere", "torus", "capsule", "teapot", "octopus", NULL};

#define THIS pl_cluster_material
static const struct field match_fields[] = {
    CHOICE("mode", match, match_words, "what it may become without pushing back: turned, stretched and sheared, bent"),
    NUMBER("stiffness", stiffness, TINY, 1, "how much of the way to its shape a substep goes"),
    NUMBER("beta", beta, 0, 0.95,
           "linear and quadratic: how freely it gives way; at 1 nothing would draw it back, and what is sheared would "
           "grow "
           "without end"),
    NUMBER("yield", yield, 0, BIG, "strain beyond this becomes shape; 0: never"),
    NUMBER("creep", creep, 0, BIG, "1/s: how fast"),
    NUMBER("limit", limit, 0, BIG, "the most that the shape changes, as a strain; 0: no limit"),
    NUMBER("hardening", hardening, 0, BIG, "the yield grows by this times the strain that the shape has taken"),
    {0},
};
#undef THIS
const struct record match_record = {.name = "match",
                                    .about = "How a cluster of particles keeps its shape.",
                                    .fields = match_fields,
                                    .size = sizeof(pl_cluster_material),
                                    .plain = true};

#define THIS struct scene_body
static const struct field body_fields[] = {
    TEXT("name", name, "how constraints, script and expect call it"),
    CHOICE("kind", def.kind, body_words,
           "rigid, jelly, plastic and lattice are particles that match their shape; soft is tetrahedra; a balloon is a "
           "skin"),
    CHOICE("form", form, form_words, "a mesh made by code; its middle is the origin"),
    TEXT("mesh", mesh_file, "an OBJ file, beside the scene's file; instead of a form"),
    NUMBER("scale", scale, TINY, BIG, "a mesh is made larger by this"),
    VECTOR("size", mesh_def.size, "m; edges of a box"),
    NUMBER("radius", mesh_def.radius, TINY, BIG, "m; of the form"),
    NUMBER("tube", mesh_def.tube, TINY, BIG, "m; of a torus"),
    NUMBER("length", mesh_def.length, 0, BIG, "m; of a capsule's straight part"),
    NUMBER("edge", mesh_def.edge, 0, BIG, "m; about how long the mesh's edges are; 0: as the form needs"),
    VECTOR("position", def.position, "m; of its middle"),
    VECTOR("rotation", rotation, "degrees, around this axis, by its length"),
    COUNTS("copies", copies, 3, 1, 1000, "so many along x, y and z,"),
    VECTOR("step", step, "m; so far apart"),
    BOOL("bond", bond, "every other layer of copies is shifted by half a step along x, as bricks are"),
    NUMBER("mass", def.mass, TINY, BIG, "kg, each"),
    NUMBER("spacing", def.spacing, TINY, BIG, "m; between particles, or about a tetrahedron's edge"),
    RECORD("match", def.match, match_record, "jelly, plastic and lattice (its stiffness): how it keeps its shape"),
    NUMBER("region", def.region, 1, 16, "plastic and lattice: half the width of its overlapping clusters, in spacings"),
    CHOICE("model", def.model, solid_model_words, "soft: what takes up strain"),
    RECORD("elastic", def.elastic, elastic_record, "soft: of the tetrahedra"),
    RECORD("plastic", def.plastic, plastic_record, "soft: what of its strain becomes shape"),
    NUMBER("strength", def.strength, 0, BIG, "soft: Pa; balloon: N along its edges; it tears above it; 0: never"),
    RECORD("stretch", def.stretch, softness_record, "balloon: along its edges"),
    RECORD("bend", def.bend, softness_record, "balloon: across them"),
    NUMBER("pressure", def.pressure, TINY, 1000, "balloon: 1 holds its volume, 2 doubles it"),
    NUMBER("gas", def.gas, 0, BIG, "balloon: how the gas gives way, m^5/N; 0: not at all"),
    NUMBER("thickness", def.thickness, 0, BIG,
           "m; soft and balloon: twice the radius of its particles; 0: none, and it passes through everything but "
           "shapes"),
    BOOL("visual", def.visual, "its mesh is seen, as fine as it is, and rides on what it is made of"),
    VECTOR("velocity", velocity, "m/s, at the start"),
    VECTOR("spin", spin, "rad/s around its centre, at the start"),
    RECORD("material", material, material_record, "of its surface"),
    {0},
};
#undef THIS
static void body_defaults(void *values)
{
    struct scene_body *b = values;
    b->def = pl_default_body_def();
    b->mesh_def = pl_default_mesh_def();
    b->scale = 1.0f;
    b->copies[0] = b->copies[1] = b->copies[2] = 1;
    b->step = (pl_vec3){1.0f, 1.0f, 1.0f};
    b->material = pl_default_material();
}
static const struct field_use body_uses[] = {
    {"size", "form", "box"},
    {"radius", "form", "sphere torus capsule teapot octopus"},
    {"tube", "form", "torus"},
    {"length", "form", "capsule"},
    {"match", "kind", "jelly plastic lattice"},
    {"region", "kind", "plastic lattice"},
    {"model", "kind", "soft"},
    {"elastic", "kind", "soft"},
    {"stretch", "kind", "balloon"},
    {"bend", "kind", "balloon"},
    {"pressure", "kind", "balloon"},
    {"gas", "kind", "balloon"},
    {"thickness", "kind", "soft balloon"},
    {"plastic", "kind", "soft"},
    {"strength", "kind", "soft balloon"},
    {"visual", "kind", "rigid jelly plastic soft lattice"},
    {0},
};
const struct record body_record = {.name = "body",
                                   .uses = body_uses,
                                   .about = "A body made of a closed mesh, or copies of it.",
                                   .fields = body_fields,
                                   .size = sizeof(struct scene_body),
                                   .defaults = body_defaults};

const char *scene_form_name(int form) { return form_words[form]; }
