// scene_table.c: lists every field that a scene may have, with its range and its meaning. The loader, `--set`, the
// messages and scenes/schema.json all use it; after a change, run tests/scenes/regolden.sh to write the schema again.
#include "scene.h"

#include "field_macros.h"

// ---- words of choices ----------------------------------------------------------------------------------------------

// The order is that of the enums in pliant.h; tests/io/test_table.c checks it. Behind the solvers: SCENE_SOLVER_AUTO.
static const char *const solver_words[] = {"xpbd",      "pbd",    "jacobi", "hybrid", "chebyshev",
                                           "hierarchy", "direct", "auto",   NULL};
const char *scene_solver_word(pl_solver solver) { return solver_words[solver]; }
static const char *const integrator_words[] = {"bdf1", "bdf2", NULL};

static const char *kind_word(int number)
{
    return number < PL_KIND_COUNT ? pl_kind_describe((pl_kind)number)->name : NULL;
}

// ---- constraints ---------------------------------------------------------------------------------------------------

static const char params_schema[] = "{\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"array\", \"items\": {\"anyOf\": "
                                    "[{\"type\": \"number\"}, {\"type\": \"array\", "
                                    "\"items\": {\"type\": \"number\"}}]}}]}";

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
    INT("substeps", settings.substeps, 1, 10000,
        "substeps of a frame; without substeps and iterations, both are chosen by stiffness and resolution"),
    INT("iterations", settings.iterations, 1, 10000, "iterations of the solver in each substep"),
    INT("stabilise", settings.stabilise, 0, 100,
        "passes before each substep that remove contact overlap without adding velocity"),
    INT("contact_sweeps", settings.contact_sweeps, 0, 1000,
        "how often an iteration solves the contacts of rigid bodies; 0: by the height of stacks"),
    CHOICE(
        "solver", settings.solver, solver_words,
        "how constraints are solved (docs/solvers.md); pbd uses stiffness, all others compliance; auto: trials choose "
        "the solver, and substeps and iterations where they are not given"),
    INT("colour_cap", settings.colour_cap, -1, 64,
        "colours of a kind of constraint with the solvers hybrid and chebyshev; the rest is solved by Jacobi "
        "iteration"),
    NUMBER("relaxation", settings.relaxation, 0.1, 1.9, "factor on the corrections of Jacobi iteration"),
    BOOL("averaged", settings.averaged, "Jacobi iteration averages corrections instead of splitting masses"),
    NUMBER("spectral_radius", settings.spectral_radius, 0, 0.99999, "that of an iteration, for the solver chebyshev"),
    CHOICE("integrator", settings.integrator, integrator_words, "first or second order in time"),
    VECTOR("gravity", settings.gravity, "m/s^2"),
    NUMBER("damping", settings.damping, 0, 1e6, "1/s: dv/dt = -damping v"),
    NUMBER("internal_damping", settings.internal_damping, 0, 1e6,
           "1/s; as damping, but without the rigid motion of an object"),
    RECORD("wind", settings.wind, wind_record, "wind, which acts on cloth and oriented particles"),
    BOOL("sleep", settings.sleep, "rigid bodies that have come to rest are not computed until something moves them"),
    NUMBER("sleep_speed", settings.sleep_speed, 1e-9, 1e6, "m/s; what is slower is at rest"),
    NUMBER("sleep_time", settings.sleep_time, 0.01, 1e6, "s; how long bodies are at rest before they sleep"),
#define OBJECT(key, NAME, about) RECORDS(#key, key, key##_record, about),
#include "objects.def"
#undef OBJECT
    RECORDS("constraints", constraints, constraints_record, "constraints between particles of any objects"),
    RECORDS("script", script, motion_record, "scripted motion"),
    RECORDS("cut", cut, cut_record, "blades that cut objects"),
    RECORDS("heat", heat, heat_record, "the temperature of an object, and whether it melts"),
    NUMBER("ambient", ambient, -1e6, 1e6, "the temperature of the air"),
    RECORD("expect", expect, expect_record, "conditions that must hold at the end"),
    RECORD("camera", camera, camera_record,
           "the view of pictures, films and the window; without it, a view is fitted to the scene"),
    RECORD("diffuse", diffuse, diffuse_record, "spray, foam and bubbles of fluids, in pictures, films and the window"),
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
    diffuse_record.defaults(&s->diffuse);
}
static const struct field_use scene_uses[] = {{"ambient", "heat", "scenes with \"heat\""}, {0}};
const struct record scene_record = {.name = "the scene",
                                    .uses = scene_uses,
                                    .about = "A scene of Pliant. Units are SI, y is up.",
                                    .fields = scene_fields,
                                    .size = sizeof(struct pl_scene),
                                    .defaults = scene_defaults};

char *scene_schema(void) { return record_schema(&scene_record, "Pliant scene"); }
