// scene_script.c: runs the scripted motions of a scene. A motion is a polyline of offsets over time, linear from key to
// key; each step moves its pins or its pinned particles by the change of the offset during that step. So a motion does
// not need to store its start, and a world loaded from a snapshot continues as if it had never stopped.
#include "scene_robot.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pl_result find_pin(const pl_scene *scene, struct scene_motion *m)
{
    const struct scene_constraints *c = scene->constraints.items;
    int block = 0;
    for (int i = 0; i < scene->constraints.count; i++)
    {
        bool pin = c[i].kind == PL_KIND_PIN;
        if (c[i].name && strcmp(c[i].name, m->pin) == 0)
        {
            m->block = block;
            m->count = c[i].count;
            return pin ? PL_OK
                       : json_fail(json_member(m->head.node, "pin"),
                                   "\"%.40s\" are not pins; name constraints of kind pin", m->pin);
        }
        block += pin;
    }
    return json_fail(json_member(m->head.node, "pin"),
                     "no constraints called \"%.40s\"; give some of kind pin this \"name\"", m->pin);
}

// Finds every particle that the list names; "rope" means all of its particles.
static pl_result find_particles(pl_scene *scene, struct scene_motion *m)
{
    bool list = m->particles->type == JSON_ARRAY;
    m->block = -1;
    for (int pass = 0; pass < 2; pass++)
    {
        m->count = 0;
        for (const struct json *node = list ? m->particles->first : m->particles; node; node = list ? node->next : NULL)
        {
            int first = 0, count = 1;
            pl_result result = node->type == JSON_STRING ? scene_particles_of(scene, node, node->text, &first, &count)
                                                         : scene_particle(scene, node, &first);
            if (result != PL_OK)
            {
                return result;
            }
            for (int i = 0; i < count && pass == 1; i++)
            {
                m->numbers[m->count + i] = first + i;
            }
            if (count > SCENE_MAX_PARTICLES - m->count)
            {
                return json_fail(node, "too many particles in one motion; at most %d are allowed", SCENE_MAX_PARTICLES);
            }
            m->count += count;
        }
        if (pass == 0)
        {
            m->numbers = store_take(&scene->store, (size_t)m->count * sizeof *m->numbers);
            if (!m->numbers)
            {
                return fail(PL_ERROR_MEMORY, "no memory for the script; use a smaller scene");
            }
        }
    }
    return PL_OK;
}

static pl_result check_keys(const struct scene_motion *m)
{
    const struct scene_key *key = m->keys.items;
    if (m->keys.count < 1)
    {
        return json_fail(m->head.node, "a motion without keys; at least one is needed");
    }
    for (int i = 1; i < m->keys.count; i++)
    {
        if (!(key[i].time > key[i - 1].time))
        {
            return json_fail(key[i].head.node, "a key that is not later than the one before; times must grow");
        }
    }
    return PL_OK;
}

pl_result scene_find_motions(pl_scene *scene)
{
    struct scene_motion *m = scene->script.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->script.count && result == PL_OK; i++)
    {
        if ((m[i].pin != NULL) == (m[i].particles != NULL))
        {
            return json_fail(m[i].head.node, "a motion moves \"pin\" or \"particles\"; expected one of the two");
        }
        result = check_keys(&m[i]);
        if (result == PL_OK)
        {
            result = m[i].pin ? find_pin(scene, &m[i]) : find_particles(scene, &m[i]);
        }
    }
    return result;
}

static void offset_at(const struct scene_motion *m, double time, double offset[3])
{
    const struct scene_key *key = m->keys.items;
    int i = 0;
    while (i < m->keys.count && (double)key[i].time <= time)
    {
        i++;
    }
    const struct scene_key *a = &key[i ? i - 1 : 0], *b = &key[i < m->keys.count ? i : m->keys.count - 1];
    double part = b == a ? 0.0 : (time - (double)a->time) / ((double)b->time - (double)a->time);
    const float *from = &a->offset.x, *to = &b->offset.x;
    for (int k = 0; k < 3; k++)
    {
        offset[k] = (double)from[k] + part * ((double)to[k] - (double)from[k]);
    }
}

// Returns the id of the scene's n-th block of pins. Ids are given in order, and a snapshot keeps them.
static pl_result find_block(const pl_scene *scene, const pl_world *world, int n, int count, pl_id *id)
{
    int last = 16 * (scene->object_count + scene->constraints.count) + 16;
    for (int i = 1; i <= last; i++)
    {
        pl_kind kind;
        int rows;
        *id = (pl_id){.index = (uint32_t)i, .generation = 1};
        if (pl_block_info(world, *id, &kind, &rows) == PL_OK && kind == PL_KIND_PIN && n-- == 0)
        {
            return rows == count ? PL_OK
                                 : fail(PL_ERROR_ARGUMENT,
                                        "this world has other pins than the scene; use the scene that made it");
        }
    }
    return fail(PL_ERROR_ARGUMENT, "this world does not have the pins of the scene; use the scene that made it");
}

static pl_result move_pins(const pl_scene *scene, pl_world *world, const struct scene_motion *m, const double step[3])
{
    pl_id id;
    int params = pl_kind_describe(PL_KIND_PIN)->params;
    pl_result result = find_block(scene, world, m->block, m->count, &id);
    float *rows = malloc((size_t)m->count * ((size_t)params + 3) * sizeof *rows),
          *targets = rows + (size_t)m->count * (size_t)params;
    if (!rows)
    {
        return fail(PL_ERROR_MEMORY, "no memory to move %d pins; use a smaller scene", m->count);
    }
    result = result == PL_OK ? pl_get_rows(world, id, PL_ROW_PARAM, 0, m->count, rows) : result;
    for (int i = 0; i < m->count && result == PL_OK; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            targets[3 * i + k] = (float)((double)rows[params * i + k] + step[k]);
        }
    }
    result = result == PL_OK ? pl_move_pins(world, id, 0, m->count, targets) : result;
    free(rows);
    return result;
}

static pl_result check_held(const pl_world *world, const struct scene_motion *m, int i)
{
    float mass = 1.0f;
    pl_result result = pl_get(world, PL_ATTRIBUTE_MASS, m->numbers[i], 1, &mass);
    return result != PL_OK || mass == 0.0f
               ? result
               : json_fail_code(m->head.node, PL_ERROR_ARGUMENT,
                                "particle %d moves freely; a motion moves particles that are held in place, and pins",
                                m->numbers[i]);
}

pl_result scene_check_motions(const pl_scene *scene, const pl_world *world)
{
    const struct scene_motion *m = scene->script.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->script.count; i++)
    {
        for (int k = 0; !m[i].pin && k < m[i].count && result == PL_OK; k++)
        {
            result = check_held(world, &m[i], k);
        }
    }
    return result;
}

static pl_result move_particles(const pl_scene *scene, pl_world *world, const struct scene_motion *m,
                                const double step[3])
{
    float velocity[3];
    for (int k = 0; k < 3; k++)
    {
        velocity[k] = (float)(step[k] / (double)scene->dt);
    }
    pl_result result = PL_OK;
    for (int i = 0; i < m->count && result == PL_OK; i++)
    {
        result = check_held(world, m, i);
        result = result == PL_OK ? pl_set(world, PL_ATTRIBUTE_VELOCITY, m->numbers[i], 1, velocity) : result;
    }
    return result;
}

pl_result pl_scene_before_step(const pl_scene *scene, pl_world *world)
{
    if (!scene || !world)
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_before_step without a scene or a world; give both");
    }
    // Time is computed from the frame count: a sum of many dt would drift, and differ from a run that began elsewhere.
    double time = (double)pl_world_frame(world) * (double)scene->dt;
    const struct scene_motion *m = scene->script.items;
    pl_result result = scene_run_cuts(scene, world, time);
    result = result == PL_OK ? scene_move_shapes(scene, world, time + (double)scene->dt) : result;
    result = result == PL_OK ? scene_warm_shapes(scene, world, time) : result;
    result = result == PL_OK ? scene_control_robots(scene, world, time + (double)scene->dt) : result;
    for (int i = 0; i < scene->script.count && result == PL_OK; i++)
    {
        double from[3], to[3], step[3];
        offset_at(&m[i], time, from);
        offset_at(&m[i], time + (double)scene->dt, to);
        for (int k = 0; k < 3; k++)
        {
            step[k] = to[k] - from[k];
        }
        result = m[i].pin ? move_pins(scene, world, &m[i], step) : move_particles(scene, world, &m[i], step);
    }
    return result;
}
