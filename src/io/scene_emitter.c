// scene_emitter.c: the emitters of a scene, and what makes a fluid a gas: their fields, and how they are made.
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"
#include "scene_gas.h"

struct scene_emitter
{
    struct head head;
    const char *name, *source;
    int nozzle, of; // of: the first particle of the source
    float radius, width, height, start, stop;
    struct scene_gas gas;
    pl_emitter_def def;
};

static const char *const nozzle_names[] = {"disc", "rectangle", NULL};

#define THIS struct scene_emitter
static const struct field emitter_fields[] = {
    TEXT("name", name, "name for expect"),
    CHOICE("nozzle", nozzle, nozzle_names, "the opening"),
    VECTOR("position", def.position, "m; centre of the opening"),
    VECTOR("direction", def.direction, "where the jet goes"),
    VECTOR("up", def.up, "turns a rectangle about the direction: along its height"),
    NUMBER("radius", radius, 1e-6, 1e6, "m; of a disc"),
    NUMBER("width", width, 1e-6, 1e6, "m; of a rectangle"),
    NUMBER("height", height, 1e-6, 1e6, "m; of a rectangle"),
    NUMBER("speed", def.speed, 0, 1e4, "m/s; of the jet; 0: closed"),
    NUMBER("rate", def.rate, 0, 1e9, "m^3/s; sets the speed to rate/area; 0: the speed counts"),
    NUMBER("start", start, 0, BIG, "s; when it opens"),
    NUMBER("stop", stop, 0, 1e30, "s; when it closes"),
    INT("capacity", def.capacity, 1, 1 << 26, "particles in reserve"),
    NUMBER("lifetime", def.lifetime, 0, BIG, "s; how long particles exist; 0: for ever"),
    TEXT("source", source, "name of a fluid before it whose drained particles are emitted again, instead of a reserve"),
    NUMBER("spacing", def.fluid.spacing, 1e-6, 1e6, "m; distance of the particles at rest; all fluids have the same"),
    NUMBER("density", def.fluid.density, 1e-6, 1e6, "kg/m^3; density at rest"),
    NUMBER("jitter", def.fluid.jitter, 0, 0.5, "spacings; how far particles are off the lattice, at random"),
    NUMBER("viscosity", def.fluid.viscosity, 0, 1e6, "m^2/s; kinematic viscosity"),
    NUMBER("smoothing", def.fluid.smoothing, 0, 0.5,
           "share of velocity differences that a substep takes beside viscosity"),
    NUMBER("vorticity", def.fluid.vorticity, 0, 1e6, "vorticity confinement"),
    NUMBER("drag", def.fluid.drag, 0, 1e6, "1/s; drag of the air on particles that others do not cover"),
    NUMBER("dye", def.fluid.dye, 0, 1, "dye of its particles, which pictures show"),
    NUMBER("diffusivity", def.fluid.diffusivity, 0, 1e6, "m^2/s; how the dye spreads"),
    RECORD("gas", gas, gas_record, "makes it a gas, which the air carries"),
    {0},
};
#undef THIS
static void emitter_defaults(void *values)
{
    struct scene_emitter *e = values;
    e->def = pl_default_emitter_def();
    e->radius = e->def.size[0];
    e->width = e->height = e->def.size[0];
    e->stop = 1e30f;
}
static const struct field_use emitter_uses[] = {{"radius", "nozzle", "disc"},
                                                {"width", "nozzle", "rectangle"},
                                                {"height", "nozzle", "rectangle"},
                                                {"up", "nozzle", "rectangle"},
                                                {0}};
const struct record emitter_record = {.name = "emitter",
                                      .uses = emitter_uses,
                                      .about = "A nozzle that emits a fluid.",
                                      .fields = emitter_fields,
                                      .size = sizeof(struct scene_emitter),
                                      .defaults = emitter_defaults};

static pl_result find_emitter(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_emitter *e = values;
    int count = 0;
    (void)limit;
    e->def.nozzle = (pl_nozzle)e->nozzle;
    e->def.size[0] = e->nozzle == PL_NOZZLE_DISC ? e->radius : e->width;
    e->def.size[1] = e->height;
    e->def.start = (double)e->start, e->def.stop = (double)e->stop;
    e->of = -1;
    if (e->source)
        return scene_particles_of(scene, json_member(e->head.node, "source"), e->source, &e->of, &count);
    need->particles = e->def.capacity;
    need->constraints = 32 * need->particles; // about as many neighbours
    return PL_OK;
}

static pl_result make_emitter(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_emitter *e = values;
    pl_emitter_def def = e->def;
    if (e->of >= 0)
        def.source = pl_object_of_particle(world, e->of);
    pl_result result = pl_add_emitter(world, &def, id);
    return result == PL_OK && e->gas.head.node ? pl_set_gas(world, *id, &e->gas.def) : result;
}

const struct object_kind emitter_object = {
    .find = find_emitter, .make = make_emitter, .round = object_always, .uncut = object_always};
