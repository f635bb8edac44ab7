// scene_rigid.c: defines the fields of rigid bodies and of joints, and adds them, using only the public API.
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"

#include <string.h>

// ---- bodies --------------------------------------------------------------------------------------------------------

struct scene_rigid_shape
{
    struct head head;
    int kind;
    pl_vec3 rotation;
    struct numbers vertices;
    struct triples triangles;
    pl_rigid_shape shape;
};

struct scene_rigid
{
    struct head head;
    const char *name;
    struct records shapes;
    int copies, layers, taper, lock_move, lock_turn, category, mask;
    pl_vec3 rotation, step, rise;
    pl_material material;
    pl_rigid_def def;
    pl_rigid_shape *resolved;
};

// The order is that of the enums in rigid.h.
static const char *const shape_words[] = {"sphere", "capsule", "box", "cylinder", "hull", "mesh", NULL};
static const char *const type_words[] = {"dynamic", "kinematic", "static", NULL};
// A number of axes as bits: x 1, y 2, z 4.
static const char *const axes_words[] = {"none", "x", "y", "xy", "z", "xz", "yz", "xyz", NULL};

#define THIS struct scene_rigid_shape
static const struct field rigid_shape_fields[] = {
    CHOICE("kind", kind, shape_words, "the kind of the shape"),
    VECTOR("position", shape.position, "m; position in the body"),
    VECTOR("rotation", rotation, "degrees; rotation in the body, about the direction of this vector by its length"),
    VECTOR("half", shape.half, "m; box: half of its edges"),
    NUMBER("radius", shape.radius, 1e-6, 1e6, "m; sphere, capsule, cylinder"),
    NUMBER("length", shape.length, 0, 1e6,
           "m; capsule: between the centres of its ends; cylinder: its length; along y"),
    NUMBER("density", shape.density, 0, BIG, "kg/m^3; 0: no mass"),
    BOOL("sensor", shape.sensor, "touches nothing; reports what is inside"),
    VECTORS("vertices", vertices, "m; hull, mesh: its points"),
    TRIPLES("triangles", triangles, "mesh: the corners of its triangles, counted from 0"),
    BOOL("two_sided", shape.two_sided, "mesh of a static or kinematic body: a thin sheet, which may be open"),
    BOOL("hollow", shape.hollow,
         "sphere, capsule, box, cylinder of a static or kinematic body: other bodies are inside"),
    {0},
};
#undef THIS
static void rigid_shape_defaults(void *values)
{
    struct scene_rigid_shape *s = values;
    s->shape = pl_default_rigid_shape();
    s->kind = (int)s->shape.kind;
}
static const struct record rigid_shape_record = {.name = "rigid_shape",
                                                 .about = "A shape of a rigid body.",
                                                 .fields = rigid_shape_fields,
                                                 .size = sizeof(struct scene_rigid_shape),
                                                 .defaults = rigid_shape_defaults};

#define THIS struct scene_rigid
static const struct field rigid_fields[] = {
    TEXT("name", name, "name for joints, constraints, script and expect"),
    CHOICE("type", def.type, type_words, "moved by forces, by its own velocity alone, or not at all"),
    RECORDS("shapes", shapes, rigid_shape_record, "its shapes; their densities give its mass"),
    VECTOR("position", def.position, "m; position of its origin"),
    VECTOR("rotation", rotation, "degrees; rotation about the direction of this vector by its length"),
    VECTOR("velocity", def.velocity, "m/s; initial velocity of its centre of mass"),
    VECTOR("spin", def.spin, "rad/s; initial angular velocity"),
    NUMBER("mass", def.mass, 0, 1e15, "kg; 0: from the densities"),
    NUMBER("gravity_scale", def.gravity_scale, -1e6, 1e6, "multiplies gravity"),
    NUMBER("linear_damping", def.linear_damping, 0, 1e6, "1/s"),
    NUMBER("angular_damping", def.angular_damping, 0, 1e6, "1/s"),
    CHOICE("lock_move", lock_move, axes_words, "the axes of the world along which it cannot move"),
    CHOICE("lock_turn", lock_turn, axes_words, "the axes of the world about which it cannot rotate"),
    BOOL("allow_sleep", def.allow_sleep, "it may fall asleep, in a scene with \"sleep\""),
    RECORD("material", material, material_record, "contact material of its shapes"),
    INT("category", category, 0, 2147483647, "collision categories that it belongs to, as bits"),
    INT("mask", mask, -1, 2147483647, "categories that it collides with, as bits; -1: all"),
    INT("copies", copies, 1, 10000, "number of such bodies, each moved by \"step\""),
    VECTOR("step", step, "m; from a copy to the next"),
    INT("layers", layers, 1, 10000, "number of layers of copies, each moved by \"rise\""),
    VECTOR("rise", rise, "m; from a layer to the next"),
    INT("taper", taper, 0, 1, "1: each layer has one copy less and begins half a step farther: a pyramid"),
    {0},
};
#undef THIS
static void rigid_defaults(void *values)
{
    struct scene_rigid *r = values;
    r->def = pl_default_rigid_def();
    r->copies = r->layers = 1;
    r->category = 1, r->mask = -1;
    r->material = pl_default_material();
}
const struct record rigid_record = {.name = "rigid",
                                    .about = "A rigid body, or copies of it.",
                                    .fields = rigid_fields,
                                    .size = sizeof(struct scene_rigid),
                                    .defaults = rigid_defaults};

static int copies_of(const struct scene_rigid *r, int layer)
{
    int count = r->copies - r->taper * layer;
    return count > 0 ? count : 0;
}

static pl_result find_rigid(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_rigid *r = values;
    struct scene_rigid_shape *s = r->shapes.items;
    (void)limit;
    r->resolved = store_take(&scene->store, ((size_t)r->shapes.count + 1) * sizeof *r->resolved);
    if (!r->resolved)
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    for (int i = 0; i < r->shapes.count; i++)
    {
        pl_rigid_shape *to = &r->resolved[i];
        *to = s[i].shape;
        to->kind = (pl_rigid_shape_kind)s[i].kind;
        to->rotation = scene_rotation(s[i].rotation);
        to->vertices = s[i].vertices.values, to->vertex_count = s[i].vertices.count;
        to->triangles = s[i].triangles.values, to->triangle_count = s[i].triangles.count;
    }
    if (r->shapes.count < 1 && r->def.type == PL_RIGID_DYNAMIC)
        return json_fail(r->head.node,
                         "a rigid body without \"shapes\"; a dynamic one needs at least one for its mass");
    r->def.shapes = r->resolved, r->def.shape_count = r->shapes.count;
    r->def.rotation = scene_rotation(r->rotation);
    r->def.locks = r->lock_move | r->lock_turn << 3;
    r->def.category = (uint64_t)r->category;
    r->def.mask = r->mask < 0 ? UINT64_MAX : (uint64_t)r->mask;
    need->particles = 0;
    for (int layer = 0; layer < r->layers; layer++)
        need->particles += copies_of(r, layer);
    return PL_OK;
}

static pl_result make_rigid(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_rigid *r = values;
    int material;
    pl_result result = scene_material(world, &r->material, &material);
    for (int i = 0; i < r->def.shape_count; i++)
        r->resolved[i].material = material;
    for (int layer = 0; layer < r->layers; layer++)
        for (int i = 0; i < copies_of(r, layer) && result == PL_OK; i++)
        {
            pl_rigid_def def = r->def;
            pl_id made;
            float n = (float)i + 0.5f * (float)(r->taper * layer), up = (float)layer;
            def.position.x += n * r->step.x + up * r->rise.x;
            def.position.y += n * r->step.y + up * r->rise.y;
            def.position.z += n * r->step.z + up * r->rise.z;
            result = pl_add_rigid(world, &def, &made);
            if (i == 0 && layer == 0)
                *id = made;
        }
    return result;
}

const struct object_kind rigid_object = {
    .find = find_rigid, .make = make_rigid, .copies = true, .uncut = object_always};

// ---- joints --------------------------------------------------------------------------------------------------------

struct scene_joint
{
    struct head head;
    const char *name;
    const struct json *a, *b;
    int copies, numbers[2]; // numbers: resolved particles, -1: the world
    pl_vec3 step;
    pl_joint_def def;
};

// The order is that of the enum in joints.h.
static const char *const joint_words[] = {"ball",       "hinge",    "slider", "cylindrical", "universal",
                                          "fixed",      "distance", "wheel",  "rod",         "spring",
                                          "cone_twist", "gear",     "rack",   "pulley",      NULL};

#define THIS pl_joint_axis
static const struct field joint_axis_fields[] = {
    BOOL("limited", limited, "keep the position from low to high"),
    NUMBER("low", low, -BIG, BIG, "m or rad; the least position"),
    NUMBER("high", high, -BIG, BIG, "m or rad; the largest position"),
    RECORD("limit", limit, softness_record, "how firmly the limits hold"),
    NUMBER("speed", speed, -BIG, BIG, "m/s or rad/s; the speed of the motor"),
    NUMBER("motor", motor, 0, BIG, "N or N m; the largest force or torque of the motor; 0: none"),
    NUMBER("target", target, -BIG, BIG, "m or rad; the position that the servo holds"),
    NUMBER("servo", servo, 0, BIG, "N or N m; the largest force or torque of the servo; 0: none"),
    RECORD("servo_soft", servo_soft, softness_record, "how firmly the servo holds"),
    NUMBER("friction", friction, 0, BIG, "N or N m; the largest force or torque against the motion"),
    {0},
};
#undef THIS
static const struct record joint_axis_record = {.name = "joint_axis",
                                                .about = "Limits, motor, servo and friction of a joint.",
                                                .fields = joint_axis_fields,
                                                .size = sizeof(pl_joint_axis),
                                                .plain = true};

#define THIS struct scene_joint
static const struct field joint_fields[] = {
    TEXT("name", name, "name"),
    CHOICE("kind", def.kind, joint_words, "the kind of the joint"),
    NODE("a", a, REFS_SCHEMA, "the first end: a body, or a particle such as \"rope[-1]\"; default: the world"),
    NODE("b", b, REFS_SCHEMA, "the second end; default: the world"),
    VECTOR("point", def.point, "m; where the joint is"),
    VECTOR("point_b", def.point_b, "m; distance: the point of the second end"),
    VECTOR("axis", def.axis, "the axis of a hinge, slider, ..."),
    VECTOR("second", def.second, "universal, wheel: the second axis"),
    NUMBER("compliance", def.soft.compliance, 0, BIG, "m/N; 0 is rigid"),
    NUMBER("damping", def.soft.damping, 0, BIG, "N s/m; has an effect only with a compliance above 0"),
    RECORD("slide", def.slide, joint_axis_record, "the motion along the axis; of a wheel, along its suspension"),
    RECORD("twist", def.twist, joint_axis_record, "the rotation about the axis"),
    NUMBER("swing", def.swing, 0, 3.1416, "rad; ball: the largest angle between the axes; 0: any"),
    NUMBER("break_force", def.break_force, 0, BIG, "N; the joint breaks beyond; 0: never"),
    NUMBER("break_torque", def.break_torque, 0, BIG, "N m; the joint breaks beyond; 0: never"),
    NUMBER("length", def.length, 0, BIG, "m; spring: its length at rest; 0: the present one"),
    INT("teeth_a", def.teeth[0], 1, 10000, "gear: teeth of the first wheel"),
    INT("teeth_b", def.teeth[1], -10000, 10000, "gear: teeth of the second wheel; negative: a belt or a ring"),
    VECTOR("axis_b", def.axis_b, "gear: the axis of the second wheel; 0: parallel to \"axis\""),
    NUMBER("radius", def.radius, 0, BIG, "m; rack: the radius of the pinion"),
    VECTOR("pulley_a", def.pulleys[0], "m; pulley: the point of the world above the first end"),
    VECTOR("pulley_b", def.pulleys[1], "m; pulley: the point of the world above the second end"),
    NUMBER("ratio", def.ratio, 1e-6, 1e6, "pulley: how often the rope's end at the second body counts"),
    BOOL("collide", def.collide, "the two bodies collide with each other"),
    BOOL("direct", def.direct, "solve it exactly, together with all direct joints that it is connected to"),
    INT("copies", copies, 1, 10000, "number of such joints: each between the next body of a and of b"),
    VECTOR("step", step, "m; from the point of a copy to that of the next"),
    {0},
};
#undef THIS
static void joint_defaults(void *values)
{
    struct scene_joint *j = values;
    j->def = pl_default_joint_def();
    j->copies = 1;
}
const struct record joint_record = {.name = "joint",
                                    .about = "A joint between bodies, or a body and a particle or the world.",
                                    .fields = joint_fields,
                                    .size = sizeof(struct scene_joint),
                                    .defaults = joint_defaults};

static pl_result find_joint(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_joint *j = values;
    const struct json *ends[2] = {j->a, j->b};
    pl_result result = PL_OK;
    (void)limit;
    j->numbers[0] = j->numbers[1] = -1;
    for (int e = 0; e < 2 && result == PL_OK; e++)
        if (ends[e])
            result = scene_particle(scene, ends[e], &j->numbers[e]);
    if (result == PL_OK && !j->a && !j->b)
        return json_fail(j->head.node, "a joint without \"a\" and \"b\"; one of them must be a body");
    need->particles = j->a && j->b ? 0 : j->copies; // what holds it in the world
    need->constraints = 4 * (int64_t)j->copies;
    return result;
}

static pl_result make_joint(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_joint *j = values;
    pl_result result = PL_OK;
    for (int i = 0; i < j->copies && result == PL_OK; i++)
    {
        pl_joint_def def = j->def;
        pl_joint made;
        float n = (float)i;
        def.point.x += n * j->step.x, def.point.y += n * j->step.y, def.point.z += n * j->step.z;
        def.point_b.x += n * j->step.x, def.point_b.y += n * j->step.y, def.point_b.z += n * j->step.z;
        for (int e = 0; e < 2; e++)
            def.ends[e] = j->numbers[e] < 0 ? -1 : j->numbers[e] + i;
        result = pl_add_joint(world, &def, &made);
        if (i == 0)
            *id = made.anchor;
    }
    return result;
}

const struct object_kind joint_object = {
    .find = find_joint, .make = make_joint, .copies = true, .uncut = object_always};
