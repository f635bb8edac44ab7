// scene_oriented.c: defines the fields of oriented particles and adds them, using only the public API.
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"

#include <stdlib.h>

enum
{
    FORM_POINTS = PL_ORIENTED_TREE + 1,
    MOST_POINTS = 20000, // neighbours are found by testing all pairs
};

// The order is that of the enum in oriented.h, followed by points.
static const char *const form_words[] = {"chain", "sheet", "tree", "points", NULL};

#define THIS struct scene_oriented
static const struct field oriented_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    CHOICE("form", form, form_words, "arrangement: a row, a net, a branching tree, or given \"points\""),
    VECTOR("origin", def.origin, "m; position of the first particle"),
    VECTOR("u", def.u, "m; along the chain, the sheet's rows or the trunk"),
    VECTOR("v", def.v, "m; along the sheet's columns"),
    COUNTS("size", def.size, 2, 1, 1048576,
           "number of particles along u and, of a sheet, along v, at least 2; of a tree, in the trunk and in every "
           "branch"),
    NUMBER("radius", def.radius, TINY, BIG, "m; radius across; along u an ellipsoid reaches half way to the next"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    BOOL("hold", def.hold, "hold the first particle, or the first row of a sheet, and its rotation"),
    INT("levels", def.levels, 0, 16, "tree: how often branches branch again"),
    INT("branches", def.branches, 1, 64, "tree: number of branches from each end"),
    NUMBER("spread", def.spread, 0, 100, "tree: tangent of the angle between a branch and its parent"),
    NUMBER("shrink", def.shrink, 0.02, 1, "tree: length and thickness of a branch as a share of its parent's"),
    VECTORS("points", points, "m; [x, y, z] or a list of them"),
    VECTORS("radii", radii, "m; points: the three radii, one triple for all or one for each"),
    VECTOR("rotation", rotation, "degrees; points: rotation of all about the direction of this vector by its length"),
    NUMBER("reach", reach, 0, BIG, "m; points: particles within this distance are linked; 0: none"),
    RECORD("match", match, match_record, "how each cluster of neighbours keeps its shape"),
    NUMBER("drag", drag, 0, 1000, "drag coefficient in the wind; 0: none"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    VECTOR("spin", spin, "rad/s; initial angular velocity about its centre"),
    VECTOR("turn", turn, "rad/s; initial angular velocity of each particle, in addition to \"spin\""),
    RECORD("material", material, material_record, "contact material"),
    {0},
};
#undef THIS

static void oriented_defaults(void *values)
{
    struct scene_oriented *o = values;
    o->def = pl_default_oriented_form_def();
    o->match = pl_default_cluster_material();
    o->material = pl_default_material();
}

static const struct field_use oriented_uses[] = {
    {"origin", "form", "chain sheet tree"},
    {"u", "form", "chain sheet tree"},
    {"v", "form", "sheet"},
    {"size", "form", "chain sheet tree"},
    {"hold", "form", "chain sheet tree"},
    {"levels", "form", "tree"},
    {"branches", "form", "tree"},
    {"spread", "form", "tree"},
    {"shrink", "form", "tree"},
    {"points", "form", "points"},
    {"radii", "form", "points"},
    {"rotation", "form", "points"},
    {"reach", "form", "points"},
    {0},
};

const struct record oriented_record = {.name = "oriented",
                                       .about = "Oriented particles: ellipsoids with a rotation.",
                                       .fields = oriented_fields,
                                       .size = sizeof(struct scene_oriented),
                                       .defaults = oriented_defaults,
                                       .uses = oriented_uses};

static pl_result find_oriented(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    const struct scene_oriented *o = values;
    (void)scene, (void)limit;
    if (o->form == FORM_POINTS)
    {
        need->particles = o->points.count;
        need->constraints = 12 * need->particles;
        if (o->points.count < 1 || o->points.count > MOST_POINTS)
            return json_fail(o->head.node, "oriented particles at %d points; use from 1 to %d", o->points.count,
                             MOST_POINTS);
        if (o->radii.count > 1 && o->radii.count != o->points.count)
            return json_fail(json_member(o->head.node, "radii"),
                             "\"radii\" has %d for %d points; expected one for all, or one for each", o->radii.count,
                             o->points.count);
        return PL_OK;
    }
    if (o->points.count)
        return json_fail(json_member(o->head.node, "points"),
                         "\"points\" of a %s, which has its own points; add \"form\": \"points\" to use them",
                         form_words[o->form]);
    pl_oriented_form_def def = o->def;
    def.form = (pl_oriented_form)o->form;
    need->particles = pl_oriented_form_particles(&def);
    need->constraints = 12 * need->particles;
    return need->particles ? PL_OK : json_fail_code(o->head.node, PL_ERROR_FORMAT, "%s", pl_error_message());
}

static int link_near(const struct scene_oriented *o, int32_t *links)
{
    int count = 0, n = o->points.count;
    for (int i = 0; i < n && o->reach > 0.0f; i++)
        for (int k = i + 1; k < n; k++)
        {
            double far = 0.0;
            for (int c = 0; c < 3; c++)
            {
                double d = (double)o->points.values[3 * i + c] - (double)o->points.values[3 * k + c];
                far += d * d;
            }
            if (far > (double)o->reach * (double)o->reach)
                continue;
            if (links)
                links[2 * count] = i, links[2 * count + 1] = k;
            count++;
        }
    return count;
}

static pl_result make_points(pl_world *world, const struct scene_oriented *o, pl_id *id)
{
    pl_oriented_def def = pl_default_oriented_def();
    int n = o->points.count, links = link_near(o, NULL);
    float *turns = malloc((size_t)n * 4 * sizeof *turns);
    int32_t *joined = malloc(((size_t)links * 2 + 1) * sizeof *joined);
    pl_quat q = scene_rotation(o->rotation);
    pl_result result =
        turns && joined ? PL_OK : fail(PL_ERROR_MEMORY, "no memory for %d points; use fewer or free some memory", n);
    for (int i = 0; i < n && result == PL_OK; i++)
        turns[4 * i] = q.x, turns[4 * i + 1] = q.y, turns[4 * i + 2] = q.z, turns[4 * i + 3] = q.w;
    if (result == PL_OK)
    {
        def.count = n;
        def.position = o->points.values;
        def.mass_each = (float)((double)o->def.mass / n);
        def.radii = o->radii.count == n ? o->radii.values : NULL;
        if (o->radii.count == 1)
            def.radii_each = (pl_vec3){o->radii.values[0], o->radii.values[1], o->radii.values[2]};
        else
            def.radii_each = (pl_vec3){o->def.radius, o->def.radius, o->def.radius};
        def.rotation = turns;
        def.link_count = link_near(o, joined);
        def.links = joined;
        def.match = o->match;
        def.drag = o->drag;
        result = pl_add_oriented(world, &def, id);
    }
    free(turns);
    free(joined);
    return result;
}

// Sets the spin of each particle to that of the whole object.
static pl_result set_spins(pl_world *world, const struct scene_oriented *o, pl_id id)
{
    pl_vec3 w = {o->spin.x + o->turn.x, o->spin.y + o->turn.y, o->spin.z + o->turn.z};
    int first = 0, count = 0;
    pl_result result = pl_object_range(world, id, &first, &count);
    if (w.x == 0.0f && w.y == 0.0f && w.z == 0.0f)
        return result;
    float *mass = malloc((size_t)count * 4 * sizeof *mass);
    if (!mass)
        return fail(PL_ERROR_MEMORY, "no memory for %d spins; use a smaller scene", count);
    pl_vec3 *spins = (pl_vec3 *)(void *)(mass + count);
    result = result == PL_OK ? pl_get(world, PL_ATTRIBUTE_MASS, first, count, mass) : result;
    for (int i = 0; i < count && result == PL_OK; i++)
        spins[i] = mass[i] > 0.0f ? w : (pl_vec3){0.0f, 0.0f, 0.0f}; // pinned particles do not spin
    result = result == PL_OK ? pl_set_orientation(world, first, count, NULL, spins) : result;
    free(mass);
    return result;
}

static pl_result make_oriented(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_oriented *o = values;
    pl_oriented_form_def def = o->def;
    def.form = (pl_oriented_form)o->form;
    pl_result result =
        o->form == FORM_POINTS ? make_points(world, o, id) : pl_add_oriented_form(world, &def, &o->match, o->drag, id);
    if (result == PL_OK)
        result = scene_set_surface(world, *id, 0.0f, &o->material);
    if (result == PL_OK)
        result = scene_set_motion(world, *id, o->velocity, o->spin);
    return result == PL_OK ? set_spins(world, o, *id) : result;
}

const struct object_kind oriented_object = {
    .find = find_oriented, .make = make_oriented, .round = object_always, .uncut = object_always};
