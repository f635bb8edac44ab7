// scene_ragdoll.c: defines the fields of human figures and adds them, using only the public API.
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"

struct scene_ragdoll_pose
{
    pl_vec3 part[PL_RAGDOLL_PARTS];
};

struct scene_ragdoll
{
    struct head head;
    const char *name;
    int copies, category, mask;
    pl_vec3 rotation, step;
    pl_material material;
    struct scene_ragdoll_pose pose;
    pl_ragdoll_def def;
};

#define PART_ABOUT "degrees; rotation about its joint, relative to the part that it hangs on"
#define PART(text, NAME) VECTOR(text, part[PL_RAGDOLL_##NAME], PART_ABOUT)

#define THIS struct scene_ragdoll_pose
static const struct field pose_fields[] = {
    PART("pelvis", PELVIS),
    PART("abdomen", ABDOMEN),
    PART("chest", CHEST),
    PART("head", HEAD),
    PART("left_upper_arm", LEFT_UPPER_ARM),
    PART("left_forearm", LEFT_FOREARM),
    PART("left_hand", LEFT_HAND),
    PART("right_upper_arm", RIGHT_UPPER_ARM),
    PART("right_forearm", RIGHT_FOREARM),
    PART("right_hand", RIGHT_HAND),
    PART("left_thigh", LEFT_THIGH),
    PART("left_shin", LEFT_SHIN),
    PART("left_foot", LEFT_FOOT),
    PART("right_thigh", RIGHT_THIGH),
    PART("right_shin", RIGHT_SHIN),
    PART("right_foot", RIGHT_FOOT),
    {0},
};
#undef THIS
static const struct record pose_record = {.name = "ragdoll_pose",
                                          .about = "The pose of a figure: the rotations of its parts.",
                                          .fields = pose_fields,
                                          .size = sizeof(struct scene_ragdoll_pose),
                                          .plain = true};

#define THIS struct scene_ragdoll
static const struct field ragdoll_fields[] = {
    TEXT("name", name, "name for joints, constraints, script and expect; its parts are its particles"),
    VECTOR("position", def.position, "m; the point of the ground that it stands on"),
    VECTOR("rotation", rotation, "degrees; rotation about that point, about this vector by its length"),
    NUMBER("height", def.height, 0.01, 1000, "m"),
    NUMBER("mass", def.mass, 1e-6, 1e12, "kg"),
    VECTOR("velocity", def.velocity, "m/s; initial velocity of its pelvis"),
    VECTOR("spin", def.spin, "rad/s; initial angular velocity of the whole figure about its pelvis"),
    RECORD("pose", pose, pose_record, "its pose; 0 is upright with the arms stretched out"),
    NUMBER("friction", def.friction, 0, BIG, "N m; friction of its joints about their axes"),
    NUMBER("damping", def.damping, 0, 1e6, "1/s; damping of the spin of its parts"),
    BOOL("direct", def.direct, "solve its joints exactly"),
    RECORD("material", material, material_record, "contact material"),
    INT("category", category, 0, 2147483647, "collision categories that it belongs to, as bits"),
    INT("mask", mask, -1, 2147483647, "categories that it collides with, as bits; -1: all"),
    INT("copies", copies, 1, 10000, "number of such figures, each moved by \"step\""),
    VECTOR("step", step, "m; from a copy to the next"),
    {0},
};
#undef THIS

#define DEGREE (3.14159265358979323846 / 180.0)

static pl_vec3 scaled(pl_vec3 a, double by)
{
    return (pl_vec3){(float)((double)a.x * by), (float)((double)a.y * by), (float)((double)a.z * by)};
}

static void ragdoll_defaults(void *values)
{
    struct scene_ragdoll *r = values;
    r->def = pl_default_ragdoll_def();
    r->copies = 1;
    r->category = 1, r->mask = -1;
    r->material = pl_default_material();
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
        r->pose.part[i] = scaled(r->def.pose[i], 1.0 / DEGREE);
}
const struct record ragdoll_record = {.name = "ragdoll",
                                      .about = "A human figure of 16 rigid bodies and 15 joints.",
                                      .fields = ragdoll_fields,
                                      .size = sizeof(struct scene_ragdoll),
                                      .defaults = ragdoll_defaults};

static pl_result find_ragdoll(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_ragdoll *r = values;
    (void)scene, (void)limit;
    r->def.rotation = scene_rotation(r->rotation);
    r->def.category = (uint64_t)r->category;
    r->def.mask = r->mask < 0 ? UINT64_MAX : (uint64_t)r->mask;
    for (int i = 0; i < PL_RAGDOLL_PARTS; i++)
        r->def.pose[i] = scaled(r->pose.part[i], DEGREE);
    need->particles = PL_RAGDOLL_PARTS * (int64_t)r->copies;
    need->constraints = 4 * PL_RAGDOLL_PARTS * (int64_t)r->copies;
    return PL_OK;
}

static pl_result make_ragdoll(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_ragdoll *r = values;
    pl_ragdoll_def def = r->def;
    pl_result result = scene_material(world, &r->material, &def.material);
    for (int i = 0; i < r->copies && result == PL_OK; i++)
    {
        pl_ragdoll made;
        result = pl_add_ragdoll(world, &def, &made);
        if (i == 0 && result == PL_OK)
            *id = made.body[0];
        def.position.x += r->step.x, def.position.y += r->step.y, def.position.z += r->step.z;
    }
    return result;
}

const struct object_kind ragdoll_object = {
    .find = find_ragdoll, .make = make_ragdoll, .copies = true, .uncut = object_always};
