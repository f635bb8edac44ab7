// made_of.c: see made_of.h. Objects have the ids and particles, and shapes the forms, that the scene gave them, whatever has
// happened since; masses and constraints too, unless something tore or melted, and a constraint's parameters, unless it flowed.
#include "made_of.h"

#include "cli.h"

#include "core/error.h"
#include "io/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair
{
    const pl_world *fresh, *old; // what the scene makes; what the snapshot holds
    const char *file;
};

// "it has 502 distance constraints and the scene 99"
static pl_result differs(const struct pair *p, const char *what, long long has, long long scene_has)
{
    return fail(PL_ERROR_ARGUMENT,
                "%s was not made from this scene: it has %lld %s and the scene %lld; use the scene that made it, with "
                "the same --set",
                p->file, has, what, scene_has);
}

static pl_result another(const struct pair *p, const char *what, long long number)
{
    return fail(PL_ERROR_ARGUMENT,
                "%s was not made from this scene: %s %lld is another; use the scene that made it, with the same --set",
                p->file, what, number);
}

static pl_result no_memory(void)
{
    return fail(PL_ERROR_MEMORY, "no memory to compare the snapshot with the scene; use a smaller scene");
}

// ---- particles and objects -------------------------------------------------------------------------------------------

static pl_result compare_objects(const struct pair *p)
{
    int count = pl_world_objects(p->fresh, NULL, 0);
    pl_id *objects = malloc(((size_t)count + 1) * sizeof *objects);
    pl_result result = objects ? PL_OK : no_memory();
    count = objects ? pl_world_objects(p->fresh, objects, count) : 0;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        int first[2] = {0, 0}, length[2] = {0, 0};
        pl_object_range(p->fresh, objects[i], &first[0], &length[0]);
        bool there = pl_object_range(p->old, objects[i], &first[1], &length[1]) == PL_OK;
        result = there && first[0] == first[1] && length[0] == length[1] ? PL_OK : another(p, "object", i);
    }
    free(objects);
    return result;
}

static pl_result compare_attribute(const struct pair *p, pl_attribute what, const char *name, int floats)
{
    int count = pl_particle_end(p->fresh);
    size_t size = (size_t)count * (size_t)floats;
    float *values = malloc((2 * size + 1) * sizeof *values);
    pl_result result = values ? pl_get(p->fresh, what, 0, count, values) : no_memory();
    result = result == PL_OK ? pl_get(p->old, what, 0, count, values + size) : result;
    for (size_t i = 0; i < size && result == PL_OK; i++)
    {
        result = values[i] == values[size + i] ? PL_OK : another(p, name, (long long)i / floats);
    }
    free(values);
    return result;
}

// ---- shapes ----------------------------------------------------------------------------------------------------------

static bool same_vector(pl_vec3 a, pl_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return !a || !b ? a == b : size == 0 || memcmp(a, b, size) == 0;
}

static bool same_form(const pl_shape_def *a, const pl_shape_def *b)
{
    return a->kind == b->kind && same_vector(a->half, b->half) && a->radius == b->radius && a->length == b->length &&
           a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count && a->columns == b->columns &&
           a->rows == b->rows && a->spacing == b->spacing && same_vector(a->belt, b->belt) &&
           a->two_sided == b->two_sided && a->inside == b->inside &&
           same_bytes(a->vertices, b->vertices, 3 * (size_t)a->vertex_count * sizeof *a->vertices) &&
           same_bytes(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof *a->triangles) &&
           same_bytes(a->heights, b->heights, (size_t)a->columns * (size_t)a->rows * sizeof *a->heights);
}

static bool has_keys(const pl_scene *scene, int number)
{
    const struct scene_shape *s = scene->shape.items;
    bool keys = false;
    for (int i = 0; i < scene->shape.count; i++)
    {
        keys |= number >= s[i].first && number < s[i].first + s[i].copies && s[i].keys.count > 0;
    }
    return keys;
}

static bool same_place(const pl_shape_def *a, const pl_shape_def *b)
{
    return same_vector(a->position, b->position) && same_bytes(&a->rotation, &b->rotation, sizeof a->rotation);
}

// What neither keys nor a velocity move stands where it stood; a velocity stays, whatever has come of it.
static bool same_motion(const pl_shape_def *a, const pl_shape_def *b, bool keys)
{
    const pl_vec3 still = {0.0f, 0.0f, 0.0f};
    bool moves = !same_vector(a->velocity, still) || !same_vector(a->spin, still);
    return keys ||
           (same_vector(a->velocity, b->velocity) && same_vector(a->spin, b->spin) && (moves || same_place(a, b)));
}

static pl_result compare_shapes(const struct pair *p, const pl_scene *scene)
{
    int count = pl_shape_count(p->fresh);
    pl_result result = pl_shape_count(p->old) == count ? PL_OK : differs(p, "shapes", pl_shape_count(p->old), count);
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        pl_shape_def a, b;
        result = pl_get_shape(p->fresh, pl_shape_at(p->fresh, i), &a);
        result = result == PL_OK ? pl_get_shape(p->old, pl_shape_at(p->old, i), &b) : result;
        bool same = result == PL_OK && same_form(&a, &b) && same_motion(&a, &b, has_keys(scene, i));
        result = result != PL_OK || same ? result : another(p, "shape", i);
    }
    return result;
}

// ---- constraints -----------------------------------------------------------------------------------------------------

// The first of so many rows that differs; -1: none does.
static int other_row(const void *a, const void *b, int count, size_t size)
{
    int i = 0;
    while (i < count && same_bytes((const char *)a + (size_t)i * size, (const char *)b + (size_t)i * size, size))
    {
        i++;
    }
    return i < count ? i : -1;
}

static pl_result compare_parameters(const struct pair *p, pl_id block, int count, int params, const char *name)
{
    size_t size = (size_t)count * (size_t)params;
    float *values = malloc((2 * size + 1) * sizeof *values);
    pl_damage *worn = malloc(((size_t)count + 1) * sizeof *worn);
    pl_result result = values && worn ? pl_get_damage(p->old, block, 0, count, worn) : no_memory();
    result = result == PL_OK ? pl_get_rows(p->fresh, block, PL_ROW_PARAM, 0, count, values) : result;
    result = result == PL_OK ? pl_get_rows(p->old, block, PL_ROW_PARAM, 0, count, values + size) : result;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        size_t at = (size_t)i * (size_t)params;
        bool same = same_bytes(values + at, values + size + at, (size_t)params * sizeof *values);
        result = same || worn[i].flowed != 0.0f ? PL_OK : another(p, name, i);
    }
    free(values);
    free(worn);
    return result;
}

static pl_result compare_softness(const struct pair *p, pl_id block, int count, const char *name)
{
    static const pl_row rows[] = {PL_ROW_COMPLIANCE, PL_ROW_DAMPING, PL_ROW_STIFFNESS};
    float *values = malloc((2 * (size_t)count + 1) * sizeof *values);
    pl_result result = values ? PL_OK : no_memory();
    for (size_t k = 0; k < sizeof rows / sizeof *rows && result == PL_OK; k++)
    {
        result = pl_get_rows(p->fresh, block, rows[k], 0, count, values);
        result = result == PL_OK ? pl_get_rows(p->old, block, rows[k], 0, count, values + count) : result;
        int row = result == PL_OK ? other_row(values, values + count, count, sizeof *values) : -1;
        result = row < 0 ? result : another(p, name, row);
    }
    free(values);
    return result;
}

static pl_result compare_members(const struct pair *p, pl_id block, int count, int arity, const char *name)
{
    size_t size = (size_t)count * (size_t)arity;
    int32_t *particles = malloc((2 * size + 1) * sizeof *particles);
    pl_result result = particles ? pl_get_row_particles(p->fresh, block, 0, count, particles) : no_memory();
    result = result == PL_OK ? pl_get_row_particles(p->old, block, 0, count, particles + size) : result;
    int row = result == PL_OK ? other_row(particles, particles + size, count, (size_t)arity * sizeof *particles) : -1;
    free(particles);
    return row < 0 ? result : another(p, name, row);
}

static pl_result compare_block(const struct pair *p, pl_id block)
{
    pl_kind kind[2];
    int count[2];
    pl_result result = pl_block_info(p->fresh, block, &kind[0], &count[0]);
    if (result != PL_OK)
    {
        return result;
    }
    const pl_kind_info *info = pl_kind_describe(kind[0]);
    char name[80];
    snprintf(name, sizeof name, "%s constraint", info->name);
    bool there = pl_block_info(p->old, block, &kind[1], &count[1]) == PL_OK;
    if (!there || kind[0] != kind[1] || count[0] != count[1])
    {
        return another(p, name, 0);
    }
    result = compare_members(p, block, count[0], info->arity, name);
    result = result == PL_OK ? compare_softness(p, block, count[0], name) : result;
    bool moves = kind[0] == PL_KIND_PIN; // its parameters are its target
    return result == PL_OK && !moves ? compare_parameters(p, block, count[0], info->params, name) : result;
}

static pl_result compare_blocks(const struct pair *p)
{
    pl_result result = PL_OK;
    for (int k = 0; k < PL_KIND_COUNT && result == PL_OK; k++)
    {
        char what[80];
        int64_t has = pl_constraint_count(p->old, (pl_kind)k), made = pl_constraint_count(p->fresh, (pl_kind)k);
        snprintf(what, sizeof what, "%s constraints", pl_kind_describe((pl_kind)k)->name);
        result = has == made ? PL_OK : differs(p, what, has, made);
    }
    int count = pl_world_blocks(p->fresh, NULL, 0);
    pl_id *blocks = result == PL_OK ? malloc(((size_t)count + 1) * sizeof *blocks) : NULL;
    result = result == PL_OK && !blocks ? no_memory() : result;
    count = blocks ? pl_world_blocks(p->fresh, blocks, count) : 0;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = compare_block(p, blocks[i]);
    }
    free(blocks);
    return result;
}

static pl_result compare_groups(const struct pair *p)
{
    int64_t rigid = pl_world_groups(p->old).rigid, made_rigid = pl_world_groups(p->fresh).rigid;
    pl_group_count has[GROUP_KINDS_MOST], made[GROUP_KINDS_MOST];
    int count = pl_group_counts(p->old, has, GROUP_KINDS_MOST);
    pl_group_counts(p->fresh, made, GROUP_KINDS_MOST);
    if (rigid != made_rigid)
    {
        return differs(p, "rigid bodies", rigid, made_rigid);
    }
    for (int i = 0; i < count && i < GROUP_KINDS_MOST; i++)
    {
        if (has[i].count != made[i].count)
        {
            return differs(p, has[i].words, has[i].count, made[i].count);
        }
    }
    return PL_OK;
}

// ---- all of it -------------------------------------------------------------------------------------------------------

static pl_result compare(const struct pair *p, const pl_scene *scene)
{
    pl_tear_counts torn = pl_world_tears(p->old);
    pl_heat_totals heat = pl_world_heat(p->old);
    long long particles = pl_particle_end(p->old) - torn.splits; // each split has made one more
    pl_result result =
        particles == scene->particle_count ? PL_OK : differs(p, "particles", particles, scene->particle_count);
    result = result == PL_OK ? compare_shapes(p, scene) : result;
    result = result == PL_OK ? compare_objects(p) : result;
    if (result != PL_OK || torn.splits + torn.broken + heat.melted + heat.frozen > 0)
    {
        return result;
    }
    result = compare_groups(p);
    result = result == PL_OK ? compare_blocks(p) : result;
    result = result == PL_OK ? compare_attribute(p, PL_ATTRIBUTE_MASS, "the mass of particle", 1) : result;
    result = result == PL_OK ? compare_attribute(p, PL_ATTRIBUTE_CHARGE, "the charge of particle", 1) : result;
    result = result == PL_OK ? compare_attribute(p, PL_ATTRIBUTE_FORCE, "the force on particle", 3) : result;
    result = result == PL_OK ? compare_attribute(p, PL_ATTRIBUTE_THICKNESS, "the thickness at particle", 1) : result;
    return result == PL_OK ? compare_attribute(p, PL_ATTRIBUTE_RADIUS, "the radius of particle", 1) : result;
}

pl_result made_of(const pl_scene *scene, const pl_world *world, const char *snapshot)
{
    pl_world_def def = pl_default_world_def();
    pl_world *fresh = NULL;
    def.threads = 1;
    pl_result result = pl_scene_world(scene, &def, &fresh);
    result = result == PL_OK ? compare(&(struct pair){fresh, world, snapshot}, scene) : result;
    pl_world_destroy(fresh);
    return result;
}
