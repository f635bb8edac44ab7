// scene_cloth.c: the cloth of a scene: its fields, its particles, and how it is made.
#include "scene_select.h"

#include "core/error.h"
#include "field_macros.h"

// The order is that of the enums in pliant.h; tests/io/test_table.c checks it.
static const char *const bending_words[] = {"none", "links", "dihedral", "isometric", NULL};
static const char *const cloth_model_words[] = {"links", "stvk", "strain", NULL};

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
    RECORD("form", form, form_record, "a mesh made by rule, such as a skirt: a lathe"),
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
    NODE("pinned", pinned, SELECT_SCHEMA,
         "a selector of what is held: left, right, top, bottom, corners, top_left ..., a number, [column, row], "
         "{\"edge\": \"top\", \"every\": 10}, {\"box\": [[x, y, z], [x, y, z]]}, or a list of these"),
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
    form_record.defaults(&c->form);
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

#define HAS(c, member) record_has(&cloth_record, c, offsetof(struct scene_cloth, member))

static pl_result find_mesh(pl_scene *scene, struct scene_cloth *cloth, uint64_t limit)
{
    pl_cloth_def *def = &cloth->def;
    const struct json *node = cloth->head.node;
    bool listed = HAS(cloth, vertices) || HAS(cloth, triangles);
    if ((cloth->mesh && (listed || HAS(cloth, form))) || (listed && HAS(cloth, form)))
    {
        return json_fail(node,
                         "cloth with \"mesh\" and with \"vertices\" or \"triangles\", or a \"form\"; expected one "
                         "of them");
    }
    pl_result result = PL_OK;
    if (cloth->mesh)
        result = scene_read_mesh(scene, json_member(node, "mesh"), cloth->mesh, &cloth->vertices, &cloth->triangles);
    else if (HAS(cloth, form))
        result = scene_fill_form(scene, &cloth->form, limit, &cloth->vertices, &cloth->triangles);
    if (result != PL_OK)
    {
        return result;
    }
    if (cloth->vertices.count < 3 || cloth->triangles.count < 1)
    {
        return json_fail(node, "cloth with a mesh of %d vertices and %d triangles; at least 3 and 1 are needed",
                         cloth->vertices.count, cloth->triangles.count);
    }
    for (int i = 0; i < 3 * cloth->triangles.count; i++)
    {
        if (cloth->triangles.values[i] >= cloth->vertices.count)
        {
            return json_fail(json_member(node, "triangles"),
                             "a triangle with corner %d; there are %d vertices, counted from 0",
                             cloth->triangles.values[i], cloth->vertices.count);
        }
    }
    float shift[3] = {def->origin.x, def->origin.y, def->origin.z};
    for (int i = 0; i < 3 * cloth->vertices.count; i++)
    {
        float moved = cloth->vertices.values[i] * cloth->scale + (HAS(cloth, def.origin) ? shift[i % 3] : 0.0f);
        cloth->vertices.values[i] = moved;
    }
    def->vertices = cloth->vertices.values;
    def->triangles = cloth->triangles.values;
    def->vertex_count = cloth->vertices.count;
    def->triangle_count = cloth->triangles.count;
    return PL_OK;
}

static pl_result find_grid(struct scene_cloth *cloth)
{
    pl_cloth_def *def = &cloth->def;
    if ((HAS(cloth, width) && HAS(cloth, def.u)) || (HAS(cloth, height) && HAS(cloth, def.v)))
    {
        return json_fail(cloth->head.node,
                         "cloth with \"width\" and \"u\", or \"height\" and \"v\"; expected one of each pair");
    }
    def->columns = cloth->size[0];
    def->rows = cloth->size[1];
    if (HAS(cloth, width))
    {
        def->u = (pl_vec3){cloth->width, 0.0f, 0.0f};
    }
    if (HAS(cloth, height))
    {
        def->v = (pl_vec3){0.0f, -cloth->height, 0.0f};
    }
    return PL_OK;
}

static pl_result find_cloth(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_cloth *cloth = values;
    bool mesh = cloth->mesh || HAS(cloth, vertices) || HAS(cloth, triangles) || HAS(cloth, form);
    pl_result result = mesh ? find_mesh(scene, cloth, limit) : find_grid(cloth);
    need->particles = mesh ? cloth->vertices.count : (int64_t)cloth->size[0] * cloth->size[1];
    need->constraints = mesh ? 4 * (int64_t)cloth->triangles.count : 8 * need->particles;
    return result;
}

static bool find_cells(const void *values, int *columns, int *rows)
{
    const struct scene_cloth *cloth = values;
    *columns = cloth->size[0];
    *rows = cloth->size[1];
    return !cloth->def.vertices || (HAS(cloth, form) && scene_form_grid(&cloth->form, columns, rows));
}

// Finds where a particle of a cloth starts, before there is a world.
static pl_result place_of(void *context, int particle, double at[3])
{
    const struct scene_object *object = context;
    const struct scene_cloth *cloth = (const struct scene_cloth *)(const void *)object->values;
    const pl_cloth_def *d = &cloth->def;
    int number = particle - object->first;
    const float *origin = &d->origin.x, *u = &d->u.x, *v = &d->v.x;
    double s = (double)(number % d->columns) / (double)(d->columns - 1),
           t = (double)(number / d->columns) / (double)(d->rows - 1);
    for (int i = 0; i < 3; i++)
        at[i] =
            d->vertices ? (double)d->vertices[3 * number + i] : (double)origin[i] + s * (double)u[i] + t * (double)v[i];
    return PL_OK;
}

static pl_result find_pins(pl_scene *scene, void *values)
{
    struct scene_cloth *cloth = values;
    struct scene_object *own = &scene->objects[scene->object_count - 1];
    struct select_from from = {.scene = scene, .own = own, .place = place_of, .context = own};
    struct selection chosen;
    if (!cloth->pinned || (cloth->pinned->type == JSON_ARRAY && cloth->pinned->count == 0))
        return PL_OK;
    scene->particle_count = own->first + own->count; // those that there are so far
    pl_result result = scene_select(&from, cloth->pinned, &chosen);
    int32_t *pinned = result == PL_OK ? store_take(&scene->store, (size_t)chosen.count * sizeof *pinned) : NULL;
    if (result == PL_OK && !pinned)
        result = fail(PL_ERROR_MEMORY, "no memory for the pins of a cloth; use a smaller one");
    for (int i = 0; i < own->count && result == PL_OK; i++)
        if (chosen.taken[own->first + i])
            pinned[cloth->def.pinned_count++] = i; // in the order of the particles
    cloth->def.pinned = pinned;
    selection_free(&chosen);
    return result;
}

static pl_result make_cloth(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_cloth *cloth = values;
    pl_result result = pl_add_cloth(world, &cloth->def, id);
    result = result == PL_OK ? scene_set_surface(world, *id, cloth->radius, &cloth->material) : result;
    return result == PL_OK ? scene_set_motion(world, *id, cloth->velocity, cloth->spin) : result;
}

static bool is_round(const void *values)
{
    const struct scene_cloth *cloth = values;
    return cloth->radius > 0.0f || cloth->def.thickness > 0.0f;
}

static const char *mesh_file(const void *values) { return ((const struct scene_cloth *)values)->mesh; }

const struct object_kind cloth_object = {.find = find_cloth,
                                         .find_more = find_pins,
                                         .make = make_cloth,
                                         .round = is_round,
                                         .grid = find_cells,
                                         .round_remedy = "give it a \"radius\" or a \"thickness\"",
                                         .mesh = mesh_file};
