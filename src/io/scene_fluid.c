// scene_fluid.c: the fluids of a scene: their fields, their particles, and how they are made.
#include "scene.h"

#include "field_macros.h"
#include "scene_gas.h"

struct scene_fluid
{
    struct head head;
    const char *name;
    struct numbers position;
    int form;
    struct scene_gas gas;
    pl_fluid_def def;
};

static const char *const form_names[] = {"box", "ball", "cylinder", NULL};

#define THIS struct scene_fluid
static const struct field fluid_fields[] = {
    TEXT("name", name, "name for expect"),
    CHOICE("form", form, form_names, "what it fills"),
    VECTOR("origin", def.origin, "m; the least corner of the box that it fills, or of the box around it"),
    VECTOR("size", def.size, "m; the edges of that box"),
    VECTORS("position", position, "m; positions of the particles, instead of a form"),
    NUMBER("spacing", def.spacing, 1e-6, 1e6, "m; distance of the particles at rest; all fluids have the same"),
    NUMBER("density", def.density, 1e-6, 1e6, "kg/m^3; density at rest"),
    NUMBER("jitter", def.jitter, 0, 0.5, "spacings; how far particles are off the lattice, at random"),
    NUMBER("viscosity", def.viscosity, 0, 1e6, "m^2/s; kinematic viscosity"),
    NUMBER("smoothing", def.smoothing, 0, 0.5, "share of velocity differences that a substep takes beside viscosity"),
    NUMBER("tension", def.tension, 0, 1e6, "N/m; surface tension"),
    NUMBER("interface_tension", def.interface_tension, 0, 1e6, "N/m; tension of the interface with other phases"),
    INT("phase", def.phase, 0, 255, "fluids of one phase mix"),
    NUMBER("contact_angle", def.contact_angle, 0, 180, "degrees; angle of the surface with a solid; 180: no adhesion"),
    NUMBER("wall_friction", def.wall_friction, 0, 1, "friction on shapes; 1: no slip"),
    NUMBER("vorticity", def.vorticity, 0, 1e6,
           "vorticity confinement: how strongly eddies get back what smoothing takes"),
    NUMBER("drag", def.drag, 0, 1e6, "1/s; drag of the air on particles that others do not cover"),
    NUMBER("dye", def.dye, 0, 1, "dye that its particles have at first, which pictures show"),
    NUMBER("diffusivity", def.diffusivity, 0, 1e6, "m^2/s; how the dye spreads"),
    VECTOR("velocity", def.velocity, "m/s; initial velocity"),
    RECORD("gas", gas, gas_record, "makes it a gas, which the air carries"),
    {0},
};
#undef THIS
static void fluid_defaults(void *values) { ((struct scene_fluid *)values)->def = pl_default_fluid_def(); }
const struct record fluid_record = {.name = "fluid",
                                    .about = "A fluid: particles that keep their density.",
                                    .fields = fluid_fields,
                                    .size = sizeof(struct scene_fluid),
                                    .defaults = fluid_defaults};

static pl_result find_fluid(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_fluid *fluid = values;
    (void)scene, (void)limit;
    fluid->def.form = (pl_fluid_form)fluid->form;
    fluid->def.position = fluid->position.values;
    fluid->def.count = fluid->position.count;
    need->particles = pl_fluid_particle_count(&fluid->def);
    need->constraints = 32 * need->particles; // about as many neighbours
    return need->particles ? PL_OK : json_fail(fluid->head.node, "%s", pl_error_message());
}

static pl_result make_fluid(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_fluid *fluid = values;
    pl_result result = pl_add_fluid(world, &fluid->def, id);
    return result == PL_OK && fluid->gas.head.node ? pl_set_gas(world, *id, &fluid->gas.def) : result;
}

const struct object_kind fluid_object = {
    .find = find_fluid, .make = make_fluid, .round = object_always, .uncut = object_always};
