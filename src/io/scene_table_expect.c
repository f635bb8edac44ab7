// scene_table_expect.c: lists the fields of script and expect; the others are in scene_table.c.
#include "scene.h"
#include "scene_keys.h"

#include "field_macros.h"

#include <float.h>

// ---- script --------------------------------------------------------------------------------------------------------

#define THIS struct scene_key
static const struct field key_fields[] = {
    ENTRY("time", FIELD_NUMBER, time, .max = 1e9, .required = true, .about = "s"),
    VECTOR("offset", offset, "m; offset from the initial position"),
    VECTOR("rotation", rotation, "degrees; rotation about the direction of this vector by its length"),
    NUMBER("scale", scale, TINY, BIG, "scale factor of the distances from the centre"),
    {0},
};
#undef THIS
static void key_defaults(void *values) { ((struct scene_key *)values)->scale = 1.0f; }
static const struct record key_record = {.name = "key",
                                         .about = "Where a motion is at a time, seen from the start.",
                                         .fields = key_fields,
                                         .size = sizeof(struct scene_key),
                                         .defaults = key_defaults};

#define THIS struct scene_motion
static const struct field motion_fields[] = {
    TEXT("pin", pin, "the name of constraints of kind pin; all of them move"),
    NODE("particles", particles, SELECT_SCHEMA,
         "a selector: particles that are held in place, such as \"rope[0]\", \"cloth.top\" or an animated mesh"),
    VECTOR("centre", centre, "m; the point about which it rotates and scales, moved along by the offset"),
    RECORDS("keys", keys, key_record,
            "in order of time; linear from key to key, and no motion before the first and after the last"),
    BOOL("smooth", smooth, "start and stop gently at every key"),
    VECTOR("velocity", velocity, "m/s; a constant rate, instead of keys"),
    VECTOR("spin", spin, "rad/s; a constant rate of rotation about the centre, instead of keys"),
    NUMBER("start", start, 0, 1e9, "s; when a constant rate begins"),
    NUMBER("stop", stop, 0, 1e9, "s; when it ends; default: never"),
    {0},
};
#undef THIS
static void motion_defaults(void *values) { ((struct scene_motion *)values)->stop = 1e9f; }
static const struct field_use motion_uses[] = {{"smooth", "keys", "motions with \"keys\""}, {0}};
const struct record motion_record = {.name = "motion",
                                     .uses = motion_uses,
                                     .about = "Moves pins, or particles held in place.",
                                     .fields = motion_fields,
                                     .size = sizeof(struct scene_motion),
                                     .defaults = motion_defaults};

// ---- expect --------------------------------------------------------------------------------------------------------

#define ANY                                                                                                            \
    {                                                                                                                  \
        -DBL_MAX, DBL_MAX                                                                                              \
    }

#define THIS struct scene_place
static const struct field place_fields[] = {
    ENTRY("of", FIELD_NODE, of, .schema = SELECT_SCHEMA, .required = true,
          .about = "a selector; of several particles, such as \"rope\", the mean"),
    VECTOR("position", position, "m; expected position; needs \"within\""),
    NUMBER("within", within, 0, BIG, "m; largest distance from \"position\""),
    BOOL("every", every, "x, y, z and speed hold for every particle, not for their mean"),
    RANGE("x", x, "m; [least, most]"),
    RANGE("y", y, "m; [least, most]"),
    RANGE("z", z, "m; [least, most]"),
    RANGE("speed", speed, "m/s; [least, most]"),
    {0},
};
#undef THIS
static void place_defaults(void *values)
{
    struct scene_place *p = values;
    p->x = p->y = p->z = p->speed = (struct range)ANY;
}
const struct record place_record = {.name = "place",
                                    .about = "A position that must be reached.",
                                    .fields = place_fields,
                                    .size = sizeof(struct scene_place),
                                    .defaults = place_defaults};

#define THIS struct scene_probe
static const struct field probe_fields[] = {
    ENTRY("at", FIELD_VECTOR, at, .required = true, .min = -BIG, .max = BIG,
          .about = "m; the point, best two spacings inside of the fluid"),
    RANGE("pressure", pressure, "Pa; [least, most]"),
    RANGE("density", density, "kg/m^3; [least, most]"),
    RANGE("speed", speed, "m/s; [least, most]"),
    {0},
};
#undef THIS
static void probe_defaults(void *values)
{
    struct scene_probe *p = values;
    p->pressure = p->density = p->speed = (struct range)ANY;
}
static const struct record probe_record = {.name = "probe",
                                           .about = "A point at which fluids are measured.",
                                           .fields = probe_fields,
                                           .size = sizeof(struct scene_probe),
                                           .defaults = probe_defaults};

#define THIS struct scene_expect
// A nested field: offsets are within the member.
#define WITHIN(n, group, m, a)                                                                                         \
    {                                                                                                                  \
        .name = n, .type = FIELD_RANGE, .offset = offsetof(THIS, group.m) - offsetof(THIS, group), .about = a          \
    }
static const struct field residual_fields[] = {
    WITHIN("mean", residual, mean, "[least, most]"), WITHIN("max", residual, max, "[least, most]"), {0}};
static const struct record residual_record = {.name = "residual",
                                              .about = "Relative violation of the distance-like constraints.",
                                              .fields = residual_fields,
                                              .size = sizeof(((THIS *)0)->residual)};
static const struct field penetration_fields[] = {
    WITHIN("mean", penetration, mean, "[least, most]"),
    WITHIN("max", penetration, max, "[least, most]"),
    WITHIN("crossings", penetration, crossings,
           "[least, most]; edges of surfaces that pass through triangles of surfaces"),
    {0}};
static const struct record penetration_record = {.name = "penetration",
                                                 .about = "Overlap divided by the radius, of all that overlap.",
                                                 .fields = penetration_fields,
                                                 .size = sizeof(((THIS *)0)->penetration)};
static const struct field energy_fields[] = {WITHIN("kinetic", energy, kinetic, "J; [least, most]"),
                                             WITHIN("potential", energy, potential, "J; [least, most]"),
                                             WITHIN("elastic", energy, elastic, "J; [least, most]"),
                                             WITHIN("total", energy, total, "J; [least, most]"),
                                             {0}};
static const struct record energy_record = {
    .name = "energy", .about = "Energies at the end.", .fields = energy_fields, .size = sizeof(((THIS *)0)->energy)};
static const struct field momentum_fields[] = {
    WITHIN("linear", momentum, linear, "kg m/s, its length; [least, most]"),
    WITHIN("angular", momentum, angular, "kg m^2/s, its length; [least, most]"),
    {0}};
static const struct record momentum_record = {.name = "momentum",
                                              .about = "Momenta at the end.",
                                              .fields = momentum_fields,
                                              .size = sizeof(((THIS *)0)->momentum)};
static const struct field torn_fields[] = {
    WITHIN("splits", torn, splits, "particles that were split in two; [least, most]"),
    WITHIN("broken", torn, broken, "constraints that broke; [least, most]"),
    WITHIN("pieces", torn, pieces, "number of connected pieces of everything; [least, most]"),
    WITHIN("mass", torn, mass, "kg; mass of all particles that can move; [least, most]"),
    {0}};
static const struct record torn_record = {
    .name = "torn", .about = "Tearing and breaking.", .fields = torn_fields, .size = sizeof(((THIS *)0)->torn)};
static const struct field warmth_fields[] = {
    WITHIN("total", heat, heat, "J; heat from 0 degrees on; [least, most]"),
    WITHIN("heat", heat, heat, "an older name of total"),
    WITHIN("coldest", heat, coldest, "degrees; [least, most]"),
    WITHIN("hottest", heat, hottest, "degrees; [least, most]"),
    WITHIN("molten", heat, molten, "molten particles at the end; [least, most]"),
    WITHIN("melted", heat, melted, "how often a particle melted; [least, most]"),
    WITHIN("frozen", heat, frozen, "how often a particle froze; [least, most]"),
    {0}};
static const struct record warmth_record = {.name = "warmth",
                                            .about = "Temperatures, melting and freezing.",
                                            .fields = warmth_fields,
                                            .size = sizeof(((THIS *)0)->heat)};
static const struct field liquid_fields[] = {
    WITHIN("mean", fluid, mean, "mean compression of all particles; [least, most]"),
    WITHIN("max", fluid, max, "largest compression; [least, most]"),
    WITHIN("pressure", fluid, pressure, "Pa; largest pressure; [least, most]"),
    WITHIN("volume", fluid, volume, "m^3; volume at rest of all active particles; [least, most]"),
    {0}};
static const struct record liquid_record = {.name = "compression",
                                            .about = "How well fluids keep their volume.",
                                            .fields = liquid_fields,
                                            .size = sizeof(((THIS *)0)->fluid)};
#define BOUND(n, m, a)                                                                                                 \
    {                                                                                                                  \
        .name = n, .type = FIELD_VECTOR, .offset = offsetof(THIS, bounds.m) - offsetof(THIS, bounds), .min = -BIG,     \
        .max = BIG, .required = true, .about = a                                                                       \
    }
static const struct field bounds_fields[] = {BOUND("min", min, "m; [x, y, z]"), BOUND("max", max, "m; [x, y, z]"), {0}};
static const struct record bounds_record = {.name = "bounds",
                                            .about = "A box that every particle must be in.",
                                            .fields = bounds_fields,
                                            .size = sizeof(((THIS *)0)->bounds)};
static const struct field expect_fields[] = {
    BOOL("finite", finite, "every position is finite; always checked"),
    RECORD("residual", residual, residual_record, "relative violation of the distance-like constraints"),
    RECORD("penetration", penetration, penetration_record, "overlap divided by the radius"),
    RECORD("energy", energy, energy_record, "J"),
    RECORD("momentum", momentum, momentum_record, "momentum of everything"),
    RECORD("torn", torn, torn_record, "tearing and breaking"),
    RECORD("heat", heat, warmth_record, "temperatures and melting"),
    RECORD("fluid", fluid, liquid_record, "compression and pressure of fluids"),
    RECORD("bounds", bounds, bounds_record, "a box that every particle must be in"),
    RANGE("joint_error", joint_error,
          "m; the largest violation of a joint, an angle of 1 rad counts as 1 m; [least, most]"),
    RECORDS("at", at, place_record, "positions that must be reached"),
    RECORDS("probe", probe, probe_record, "points at which fluids are measured"),
    RECORDS("robot", robot, reach_record, "links that must be where the controls of their robot put them"),
    {0},
};
#undef THIS
static void expect_defaults(void *values)
{
    struct scene_expect *e = values;
    struct range any = ANY;
    e->finite = true;
    e->residual.mean = e->residual.max = any;
    e->penetration.mean = e->penetration.max = e->penetration.crossings = any;
    e->energy.kinetic = e->energy.potential = e->energy.elastic = e->energy.total = any;
    e->momentum.linear = e->momentum.angular = e->joint_error = any;
    e->heat.heat = e->heat.coldest = e->heat.hottest = any;
    e->heat.molten = e->heat.melted = e->heat.frozen = any;
    e->fluid.mean = e->fluid.max = e->fluid.pressure = e->fluid.volume = any;
    e->torn.splits = e->torn.broken = e->torn.pieces = e->torn.mass = any;
}
const struct record expect_record = {.name = "expect",
                                     .about = "Conditions that must hold after the last frame.",
                                     .fields = expect_fields,
                                     .size = sizeof(struct scene_expect),
                                     .defaults = expect_defaults};
