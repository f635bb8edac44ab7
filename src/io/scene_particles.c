// scene_particles.c: the single particles of a scene: their fields, and how they are made.
#include "scene.h"

#include "field_macros.h"

#include "core/error.h"

#include <stdlib.h>

struct scene_particles
{
    struct head head;
    const char *name;
    struct numbers position, velocity, mass, charge, force, radius;
    pl_material material;
};

#define THIS struct scene_particles
static const struct field particles_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    ENTRY("position", FIELD_VECTORS, position, .min = -BIG, .max = BIG, .required = true,
          .about = "m; [x, y, z] or a list of them"),
    VECTORS("velocity", velocity, "m/s; one for all, or one for each"),
    NUMBERS("mass", mass, 0, BIG, "kg; one for all, or one for each; 0 holds the particle in place"),
    NUMBERS("charge", charge, -BIG, BIG, "C; one for all, or one for each"),
    VECTORS("force", force, "N; one for all, or one for each"),
    NUMBERS("radius", radius, 0, BIG, "m; one for all, or one for each; 0: no collisions with particles"),
    RECORD("material", material, material_record, "contact material"),
    {0},
};
#undef THIS
static void particles_defaults(void *values) { ((struct scene_particles *)values)->material = pl_default_material(); }
const struct record particles_record = {.name = "particles",
                                        .defaults = particles_defaults,
                                        .about = "Single particles.",
                                        .fields = particles_fields,
                                        .size = sizeof(struct scene_particles)};

static pl_result check_each(const struct scene_particles *p, const char *name, int count)
{
    if (count > 1 && count != p->position.count)
    {
        return json_fail(json_member(p->head.node, name),
                         "\"%s\" has %d for %d particles; expected one for all, or one for each", name, count,
                         p->position.count);
    }
    return PL_OK;
}

static pl_result find_particles(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    const struct scene_particles *p = values;
    (void)scene, (void)limit;
    const struct
    {
        const char *name;
        int count;
    } lists[] = {{"velocity", p->velocity.count},
                 {"mass", p->mass.count},
                 {"charge", p->charge.count},
                 {"force", p->force.count},
                 {"radius", p->radius.count}};
    if (p->position.count < 1)
    {
        return json_fail(p->head.node, "particles without a position; [x, y, z] or a list of them is needed");
    }
    need->particles = p->position.count;
    pl_result result = PL_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && result == PL_OK; i++)
    {
        result = check_each(p, lists[i].name, lists[i].count);
    }
    return result;
}

// Sets an attribute of all of an object's particles from one value for all, or one for each.
static pl_result set_all(pl_world *world, pl_attribute what, int first, int count, const struct numbers *numbers)
{
    if (!numbers->values || numbers->count == count)
    {
        return numbers->values ? pl_set(world, what, first, count, numbers->values) : PL_OK;
    }
    pl_result result = PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = pl_set(world, what, first + i, 1, numbers->values);
    }
    return result;
}

static pl_result make_particles(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_particles *p = values;
    pl_particles_def def = pl_default_particles_def();
    int first = 0, count = p->position.count;
    def.count = count;
    def.position = p->position.values;
    def.velocity = p->velocity.count == count ? p->velocity.values : NULL;
    def.mass = p->mass.count == count ? p->mass.values : NULL;
    float *masses = NULL;
    if (p->mass.values && !def.mass)
    {
        // One mass for all; written out, because 0 (pinned) is a mass too.
        masses = malloc((size_t)count * sizeof *masses);
        if (!masses)
        {
            return fail(PL_ERROR_MEMORY, "no memory for %d masses; use a smaller scene", count);
        }
        for (int i = 0; i < count; i++)
        {
            masses[i] = p->mass.values[0];
        }
        def.mass = masses;
    }
    pl_result result = pl_add_particles(world, &def, id);
    free(masses);
    result = result == PL_OK ? pl_object_range(world, *id, &first, &count) : result;
    if (result == PL_OK && !def.velocity)
    {
        result = set_all(world, PL_ATTRIBUTE_VELOCITY, first, count, &p->velocity);
    }
    result = result == PL_OK ? set_all(world, PL_ATTRIBUTE_CHARGE, first, count, &p->charge) : result;
    result = result == PL_OK ? set_all(world, PL_ATTRIBUTE_FORCE, first, count, &p->force) : result;
    result = result == PL_OK ? set_all(world, PL_ATTRIBUTE_RADIUS, first, count, &p->radius) : result;
    return result == PL_OK ? scene_set_surface(world, *id, 0.0f, &p->material) : result;
}

static bool all_round(const void *values)
{
    const struct numbers *radius = &((const struct scene_particles *)values)->radius;
    bool round = radius->count > 0;
    for (int i = 0; i < radius->count; i++)
        round &= radius->values[i] > 0.0f;
    return round;
}

const struct object_kind particles_object = {
    .find = find_particles, .make = make_particles, .round = all_round, .round_remedy = "give each a \"radius\""};
