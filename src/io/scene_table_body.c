// scene_table_body.c: lists the fields of bodies; the others are in scene_table.c.
#include "scene.h"

#include "field_macros.h"

// The order is that of the enums in pliant.h.
static const char *const body_words[] = {"rigid", "jelly", "plastic", "soft", "balloon", "lattice", NULL};
static const char *const match_words[] = {"rigid", "linear", "quadratic", NULL};
static const char *const form_words[] = {"box", "sphere", "torus", "capsule", "teapot", "octopus", NULL};

#define THIS pl_cluster_material
static const struct field match_fields[] = {
    CHOICE("mode", match, match_words,
           "how it may deform: rigid: not; linear: stretch and shear; quadratic: also bend and twist"),
    NUMBER("stiffness", stiffness, TINY, 1, "share of the way to its shape that a substep moves the particles"),
    NUMBER("beta", beta, 0, 0.95, "linear and quadratic: share of the deformation that is not pulled back"),
    NUMBER("yield", yield, 0, BIG, "strain above which it flows plastically; 0: never"),
    NUMBER("creep", creep, 0, BIG, "1/s; rate of flow"),
    NUMBER("limit", limit, 0, BIG, "largest strain of the rest shape; 0: no limit"),
    NUMBER("hardening", hardening, 0, BIG, "hardening: the yield grows to yield (1 + hardening x plastic strain)"),
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
    TEXT("name", name, "name for constraints, script and expect"),
    CHOICE("kind", def.kind, body_words,
           "rigid, jelly, plastic and lattice: particles with shape matching; soft: tetrahedra; balloon: a closed "
           "surface with a volume"),
    CHOICE("form", form, form_words, "a mesh made by code, centred on the origin"),
    TEXT("mesh", mesh_file, "an OBJ file, beside the scene's file; instead of a form"),
    NUMBER("scale", scale, TINY, BIG, "scale factor of the mesh"),
    VECTOR("size", mesh_def.size, "m; edges of a box"),
    NUMBER("radius", mesh_def.radius, TINY, BIG, "m; radius of the form"),
    NUMBER("tube", mesh_def.tube, TINY, BIG, "m; radius of the tube of a torus"),
    NUMBER("length", mesh_def.length, 0, BIG, "m; length of the straight part of a capsule"),
    NUMBER("edge", mesh_def.edge, 0, BIG, "m; approximate length of the edges of the mesh; 0: chosen by the form"),
    VECTOR("position", def.position, "m; position of its centre"),
    VECTOR("rotation", rotation, "degrees; rotation about the direction of this vector by its length"),
    COUNTS("copies", copies, 3, 1, 1000, "number of copies along x, y and z"),
    VECTOR("step", step, "m; distance between copies"),
    BOOL("bond", bond, "shift every other layer of copies by half a step along x, as in brickwork"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; mass of each"),
    NUMBER("spacing", def.spacing, TINY, BIG,
           "m; distance between particles, or approximate edge length of a tetrahedron"),
    RECORD("match", def.match, match_record, "jelly, plastic and lattice (stiffness only): how it keeps its shape"),
    NUMBER("region", def.region, 1, 16,
           "plastic and lattice: half of the width of its overlapping regions, in spacings"),
    CHOICE("model", def.model, solid_model_words, "soft: how it resists strain"),
    RECORD("elastic", def.elastic, elastic_record, "soft: material of the tetrahedra"),
    RECORD("plastic", def.plastic, plastic_record, "soft: plastic flow"),
    NUMBER("strength", def.strength, 0, BIG, "soft: Pa; balloon: N along its edges; it tears above this; 0: never"),
    RECORD("stretch", def.stretch, softness_record, "balloon: softness along its edges"),
    RECORD("bend", def.bend, softness_record, "balloon: softness across its edges"),
    NUMBER("pressure", def.pressure, TINY, 1000, "balloon: volume to hold as a multiple of the volume of the mesh"),
    NUMBER("gas", def.gas, 0, BIG, "m^5/N; balloon: compliance of the gas; 0: incompressible"),
    NUMBER("thickness", def.thickness, 0, BIG,
           "m; soft and balloon: twice the collision radius of its particles; 0: it collides with shapes only"),
    BOOL("visual", def.visual,
         "rigid, jelly, plastic, lattice, soft: show its mesh, which follows the particles; by default not of soft "
         "bodies, of "
         "those that melt, and of those that bend more than their triangles can follow"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    VECTOR("spin", spin, "rad/s; initial angular velocity about its centre"),
    RECORD("material", material, material_record, "contact material"),
    {0},
};
#undef THIS
static void body_defaults(void *values)
{
    struct scene_body *b = values;
    b->def = pl_default_body_def();
    b->def.visual = true;
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
