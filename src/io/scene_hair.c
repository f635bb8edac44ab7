// scene_hair.c: the hair of a scene: its fields, its particles, and how it is made.
#include "scene.h"

#include "field_macros.h"

struct scene_hair
{
    struct head head;
    const char *name, *on, *mesh_file;
    struct numbers roots;
    float scale;
    int solver;
    pl_vec3 rotation, velocity;
    pl_material material;
    pl_hair_def def;
    pl_mesh mesh; // resolved; lives in the scene's store
    int carrier;  // resolved: the first particle of the object on which it grows, or -1
};

static const char *const solver_names[] = {"ftl", "dftl", "xpbd", NULL};

#define THIS struct scene_hair
static const struct field hair_fields[] = {
    TEXT("name", name, "name for attach, constraints, script and expect"),
    INT("count", def.count, 1, 4194304, "number of strands"),
    INT("points", def.points, 2, 4096, "number of points of each strand"),
    NUMBER("length", def.length, TINY, 1e6, "m; length of a strand"),
    NUMBER("shorten", def.shorten, 0, 0.95, "share of the length by which strands are shorter, at random"),
    NUMBER("lean", def.lean, 0, 10, "how far they grow off the normal, at random: tangent of the largest angle"),
    INT("seed", def.seed, 0, 2147483647, "another number gives other roots, directions and lengths"),
    VECTORS("roots", roots, "m; positions of the roots, instead of a surface"),
    VECTOR("direction", def.direction, "in which strands grow from given roots"),
    TEXT("on", on, "the object with faces on which it grows: cloth, balloon, soft body"),
    TEXT("mesh", mesh_file, "file of the mesh on which it grows, beside the scene"),
    NUMBER("scale", scale, TINY, BIG, "multiplies the mesh"),
    VECTOR("radii", def.radii, "m; of the ellipsoid on which it grows, if nothing else is given"),
    VECTOR("position", def.position, "m; of the mesh's origin or the ellipsoid's centre"),
    VECTOR("rotation", rotation, "degrees; of the mesh or the ellipsoid, about the vector by its length"),
    NUMBER("lowest", def.lowest, -1, 0.999, "it grows only where the normal, unrotated, points up by at least this"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    NUMBER("radius", def.radius, 0, 1e6,
           "m; collision radius of its points; 0: it collides with shapes and bodies only"),
    BOOL("pin", def.pin, "the roots have no mass"),
    CHOICE("solver", solver, solver_names, "how a strand is solved in one pass from its root"),
    NUMBER("correction", def.correction, 0, 1, "dftl: share of each pull that is returned as velocity; below 1 damps"),
    RECORD("material", material, material_record, "friction and restitution"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    {0},
};
#undef THIS

static void hair_defaults(void *values)
{
    struct scene_hair *hair = values;
    hair->def = pl_default_hair_def();
    hair->solver = (int)hair->def.solver;
    hair->scale = 1.0f;
    hair->material = pl_default_material();
}

const struct record hair_record = {.name = "hair",
                                   .about = "Hair: strands that grow on a surface.",
                                   .fields = hair_fields,
                                   .size = sizeof(struct scene_hair),
                                   .defaults = hair_defaults};

#define HAS(h, member) record_has(&hair_record, h, offsetof(struct scene_hair, member))

static pl_result find_surface(pl_scene *scene, struct scene_hair *hair)
{
    hair->carrier = -1;
    if (HAS(hair, roots) + HAS(hair, on) + HAS(hair, mesh_file) + HAS(hair, def.radii) > 1)
        return json_fail(hair->head.node, "hair with several of \"roots\", \"on\", \"mesh\" and \"radii\"; give one");
    if (hair->on)
    {
        const struct scene_object *object = scene_object_by_name(scene, hair->on);
        if (!object)
            return json_fail(json_member(hair->head.node, "on"),
                             "no object \"%s\"; name one that comes before the hair and has faces", hair->on);
        hair->carrier = object->first;
    }
    if (hair->roots.values)
    {
        if (HAS(hair, def.count) && hair->roots.count != hair->def.count)
            return json_fail(json_member(hair->head.node, "roots"), "%d roots, and a count of %d; leave out the count",
                             hair->roots.count, hair->def.count);
        hair->def.count = hair->roots.count;
        hair->def.roots = hair->roots.values;
        hair->def.lean = HAS(hair, def.lean) ? hair->def.lean : 0.0f;
    }
    if (!hair->mesh_file)
        return PL_OK;
    struct numbers vertices = {0};
    struct triples triangles = {0};
    pl_result result =
        scene_read_mesh(scene, json_member(hair->head.node, "mesh"), hair->mesh_file, &vertices, &triangles);
    for (int i = 0; result == PL_OK && i < 3 * vertices.count; i++)
        vertices.values[i] *= hair->scale;
    hair->mesh = (pl_mesh){vertices.count, triangles.count, vertices.values, triangles.values};
    return result;
}

static pl_result find_hair(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_hair *hair = values;
    (void)limit;
    pl_result result = find_surface(scene, hair);
    hair->def.solver = (pl_strand_solver)hair->solver;
    hair->def.rotation = scene_rotation(hair->rotation);
    need->particles = (int64_t)hair->def.count * hair->def.points;
    need->constraints = need->particles;
    return result;
}

static pl_result make_hair(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_hair *hair = values;
    pl_hair_def def = hair->def;
    def.mesh = hair->mesh_file ? &hair->mesh : NULL;
    if (hair->carrier >= 0)
        def.on = pl_object_of_particle(world, hair->carrier);
    pl_result result = pl_add_hair(world, &def, id);
    if (result == PL_OK)
        result = scene_set_surface(world, *id, 0.0f, &hair->material);
    if (result == PL_OK)
        result = scene_set_motion(world, *id, hair->velocity, (pl_vec3){0.0f, 0.0f, 0.0f});
    return result;
}

static const char *hair_mesh(const void *values) { return ((const struct scene_hair *)values)->mesh_file; }
static bool is_round(const void *values) { return ((const struct scene_hair *)values)->def.radius > 0.0f; }

const struct object_kind hair_object = {.find = find_hair,
                                        .make = make_hair,
                                        .round = is_round,
                                        .round_remedy = "give it a \"radius\"",
                                        .uncut = object_always,
                                        .mesh = hair_mesh};
