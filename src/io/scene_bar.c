// scene_bar.c: the soft bars of a scene: their fields, their particles, and how they are made.
#include "scene.h"

#include "field_macros.h"

#include "core/error.h"

#include <stdlib.h>

struct scene_bar
{
    struct head head;
    const char *name;
    pl_vec3 velocity, spin, squash;
    pl_bar_def def;
};

// The order is that of the enums in pliant.h; tests/io/test_table.c checks it.
const char *const solid_model_words[] = {"links", "stvk", "corotated", "neo_hookean", "strain", NULL};

#define THIS struct scene_bar
static const struct field bar_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    COUNTS("cells", def.cells, 3, 1, 4096, "number of cells along x, y, z, of five tetrahedra each"),
    VECTOR("origin", def.origin, "m; corner with the smallest coordinates"),
    VECTOR("size", def.size, "m"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    CHOICE("model", def.model, solid_model_words,
           "how it resists strain: by links (edges and volume), or by tetrahedra of \"elastic\""),
    RECORD("elastic", def.elastic, elastic_record, "material of the tetrahedra"),
    RECORD("edges", def.edges, softness_record, "softness along the edges of the tetrahedra"),
    RECORD("volume", def.volume, softness_record, "softness of the volume of each tetrahedron"),
    RECORD("plastic", def.plastic, plastic_record, "plastic flow of its elements or links"),
    NUMBER("strength", def.strength, 0, BIG, "Pa of elements, N of links; it tears above this; 0: never"),
    BOOL("pin_start", def.pin_start, "hold the face at the smallest x"),
    BOOL("pin_end", def.pin_end, "hold the face at the largest x"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    VECTOR("spin", spin, "rad/s; initial angular velocity about its centre"),
    VECTOR("squash", squash, "initial scale about its centre; the rest shape is not scaled: [1, 0, 1] is flat"),
    {0},
};
#undef THIS
static void bar_defaults(void *values)
{
    ((struct scene_bar *)values)->def = pl_default_bar_def();
    ((struct scene_bar *)values)->squash = (pl_vec3){1.0f, 1.0f, 1.0f};
}
static const struct field_use bar_uses[] = {
    {"elastic", "model", "stvk corotated neo_hookean strain"},
    {"edges", "model", "links"},
    {"volume", "model", "links"},
    {0},
};
const struct record bar_record = {.name = "bar",
                                  .uses = bar_uses,
                                  .about = "A soft bar of tetrahedra.",
                                  .fields = bar_fields,
                                  .size = sizeof(struct scene_bar),
                                  .defaults = bar_defaults};

static pl_result find_bar(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    const int *c = ((const struct scene_bar *)values)->def.cells;
    (void)scene, (void)limit;
    need->particles = ((int64_t)c[0] + 1) * (c[1] + 1) * (c[2] + 1);
    need->constraints = 12 * need->particles;
    return PL_OK;
}

// Scales the initial positions of a bar; its rest shape stays.
static pl_result squash(pl_world *world, pl_id id, const struct scene_bar *bar)
{
    const pl_bar_def *d = &bar->def;
    const float by[3] = {bar->squash.x, bar->squash.y, bar->squash.z};
    const float middle[3] = {d->origin.x + 0.5f * d->size.x, d->origin.y + 0.5f * d->size.y,
                             d->origin.z + 0.5f * d->size.z};
    int first, count;
    pl_result result = pl_object_range(world, id, &first, &count);
    if (result != PL_OK || (by[0] == 1.0f && by[1] == 1.0f && by[2] == 1.0f))
    {
        return result;
    }
    float *x = malloc((size_t)count * 3 * sizeof *x);
    result = x ? pl_get(world, PL_ATTRIBUTE_POSITION, first, count, x)
               : fail(PL_ERROR_MEMORY, "no memory for %d particles; use a smaller scene", count);
    for (int i = 0; i < 3 * count && result == PL_OK; i++)
    {
        x[i] = middle[i % 3] + by[i % 3] * (x[i] - middle[i % 3]);
    }
    result = result == PL_OK ? pl_set(world, PL_ATTRIBUTE_POSITION, first, count, x) : result;
    free(x);
    return result;
}

static pl_result make_bar(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_bar *bar = values;
    pl_result result = pl_add_bar(world, &bar->def, id);
    result = result == PL_OK ? squash(world, *id, bar) : result;
    return result == PL_OK ? scene_set_motion(world, *id, bar->velocity, bar->spin) : result;
}

const struct object_kind bar_object = {.find = find_bar, .make = make_bar};
