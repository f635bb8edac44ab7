// scene_script.c: runs the scripted motions of a scene: translation, rotation and scaling about a centre, by keys or at
// a constant rate. Each step moves the pins or the held particles of a motion from where they are by the change of the
// motion during that step. So a motion does not need to store its start, and a world loaded from a snapshot continues
// as if it had never stopped.
#include "scene_keys.h"
#include "scene_robot.h"
#include "scene_select.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HAS(m, member) record_has(&motion_record, m, offsetof(struct scene_motion, member))

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

static pl_result check_motion(const struct scene_motion *m)
{
    bool rate = HAS(m, velocity) || HAS(m, spin);
    if ((m->pin != NULL) == (m->particles != NULL))
        return json_fail(m->head.node, "a motion moves \"pin\" or \"particles\"; expected one of the two");
    if ((m->keys.count > 0) == rate)
        return json_fail(m->head.node,
                         rate ? "a motion with keys and a rate; expected \"keys\", or \"velocity\" and \"spin\""
                              : "a motion without keys; give \"keys\", or a rate: \"velocity\" or \"spin\"");
    if (!rate && (HAS(m, start) || HAS(m, stop)))
        return json_fail(m->head.node, "\"start\" and \"stop\" belong to \"velocity\" and \"spin\"; keys have times");
    if (m->stop < m->start)
        return json_fail(json_member(m->head.node, HAS(m, stop) ? "stop" : "start"),
                         "the motion stops at %g s, before it starts at %g s; \"stop\" must be later", (double)m->stop,
                         (double)m->start);
    return keys_check(&m->keys, sizeof(struct scene_key));
}

pl_result scene_find_motions(pl_scene *scene)
{
    struct scene_motion *m = scene->script.items;
    struct scene_start start = {.scene = scene};
    struct select_from from = {.scene = scene, .place = scene_place_at_start, .context = &start};
    pl_result result = PL_OK;
    for (int i = 0; i < scene->script.count && result == PL_OK; i++)
    {
        result = check_motion(&m[i]);
        m[i].block = -1;
        if (result == PL_OK)
            result = m[i].pin ? find_pin(scene, &m[i])
                              : scene_select_stored(scene, &from, m[i].particles, &m[i].numbers, &m[i].count);
    }
    scene_start_free(&start);
    return result;
}

// ---- the motion at a time ------------------------------------------------------------------------------------------

// A point x0 of the start is now at centre + offset + scale * rotation * (x0 - centre).
struct stand
{
    double offset[3], quat[4], scale;
};

static void stand_of_keys(const struct scene_motion *m, double time, struct stand *s)
{
    struct key_pair keys = keys_around(&m->keys, sizeof(struct scene_key), time);
    const struct scene_key *a = keys.a, *b = keys.b;
    double part = m->smooth ? keys.part * keys.part * (3.0 - 2.0 * keys.part) : keys.part;
    const float *from = &a->offset.x, *to = &b->offset.x;
    for (int k = 0; k < 3; k++)
        s->offset[k] = (double)from[k] + part * ((double)to[k] - (double)from[k]);
    pl_quat q = rotation_between(a->rotation, b->rotation, part);
    s->scale = (double)a->scale + part * ((double)b->scale - (double)a->scale);
    s->quat[0] = q.x, s->quat[1] = q.y, s->quat[2] = q.z, s->quat[3] = q.w;
}

static void stand_at(const struct scene_motion *m, double time, struct stand *s)
{
    s->scale = 1.0;
    if (m->keys.count)
        stand_of_keys(m, time, s);
    else
    {
        double stop = HAS(m, stop) ? (double)m->stop : time, until = time < stop ? time : stop;
        double passed = until > (double)m->start ? until - (double)m->start : 0.0;
        const float *v = &m->velocity.x, *w = &m->spin.x;
        double speed = sqrt((double)w[0] * w[0] + (double)w[1] * w[1] + (double)w[2] * w[2]);
        pl_quat q = rotation_by(m->spin, speed * passed * (180.0 / 3.14159265358979323846));
        for (int k = 0; k < 3; k++)
            s->offset[k] = passed * (double)v[k];
        s->quat[0] = q.x, s->quat[1] = q.y, s->quat[2] = q.z, s->quat[3] = q.w;
    }
    double size = 0.0;
    for (int k = 0; k < 4; k++)
        size += s->quat[k] * s->quat[k];
    for (int k = 0; k < 4; k++)
        s->quat[k] /= sqrt(size);
}

// What a motion does in a step: x moves by shift + turn * (x - centre).
struct change
{
    double shift[3], centre[3], turn[3][3];
    bool turns;
};

static void matrix_of(const double q[4], double m[3][3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0][0] = 1.0 - 2.0 * (y * y + z * z), m[0][1] = 2.0 * (x * y - z * w), m[0][2] = 2.0 * (x * z + y * w);
    m[1][0] = 2.0 * (x * y + z * w), m[1][1] = 1.0 - 2.0 * (x * x + z * z), m[1][2] = 2.0 * (y * z - x * w);
    m[2][0] = 2.0 * (x * z - y * w), m[2][1] = 2.0 * (y * z + x * w), m[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

static void change_of(const struct scene_motion *m, double from, double to, struct change *c)
{
    struct stand a, b;
    double before[3][3], after[3][3];
    const float *centre = &m->centre.x;
    stand_at(m, from, &a);
    stand_at(m, to, &b);
    matrix_of(a.quat, before);
    matrix_of(b.quat, after);
    c->turns = memcmp(a.quat, b.quat, sizeof a.quat) != 0 || a.scale != b.scale;
    for (int i = 0; i < 3; i++)
    {
        c->shift[i] = b.offset[i] - a.offset[i];
        c->centre[i] = (double)centre[i] + a.offset[i];
        for (int j = 0; j < 3; j++)
        {
            double product = 0.0;
            for (int k = 0; k < 3; k++)
                product += after[i][k] * before[j][k];
            c->turn[i][j] = b.scale / a.scale * product - (i == j ? 1.0 : 0.0);
        }
    }
}

static void step_of(const struct change *c, const float x[3], double step[3])
{
    for (int i = 0; i < 3; i++)
    {
        step[i] = c->shift[i];
        for (int j = 0; j < 3 && c->turns; j++)
            step[i] += c->turn[i][j] * ((double)x[j] - c->centre[j]);
    }
}

// ---- moving pins ---------------------------------------------------------------------------------------------------

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

static pl_result move_pins(const pl_scene *scene, pl_world *world, const struct scene_motion *m,
                           const struct change *change)
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
        double step[3];
        step_of(change, rows + params * i, step);
        for (int k = 0; k < 3; k++)
        {
            targets[3 * i + k] = (float)((double)rows[params * i + k] + step[k]);
        }
    }
    result = result == PL_OK ? pl_move_pins(world, id, 0, m->count, targets) : result;
    free(rows);
    return result;
}

// ---- moving particles ----------------------------------------------------------------------------------------------

// Returns how many numbers from i on are consecutive.
static int run_from(const struct scene_motion *m, int i)
{
    int count = 1;
    while (i + count < m->count && m->numbers[i + count] == m->numbers[i] + count)
        count++;
    return count;
}

// Checks that the particles are held. mass: room for `count` numbers.
static pl_result check_held(const pl_world *world, const struct scene_motion *m, int first, int count, float *mass)
{
    pl_result result = pl_get(world, PL_ATTRIBUTE_MASS, first, count, mass);
    for (int i = 0; i < count && result == PL_OK; i++)
        if (mass[i] != 0.0f)
            result = json_fail_code(
                m->head.node, PL_ERROR_ARGUMENT,
                "particle %d moves freely; a motion moves particles that are held in place, and pins", first + i);
    return result;
}

// Moves the particles, or only checks them if there is no change.
static pl_result move_particles(const pl_scene *scene, pl_world *world, const struct scene_motion *m,
                                const struct change *change)
{
    float *x = malloc(((size_t)m->count * 4 + 1) * sizeof *x), *mass = x + 3 * (size_t)m->count;
    pl_result result =
        x ? PL_OK : fail(PL_ERROR_MEMORY, "no memory to move %d particles; use a smaller scene", m->count);
    for (int i = 0, count; i < m->count && result == PL_OK; i += count)
    {
        count = run_from(m, i);
        result = check_held(world, m, m->numbers[i], count, mass);
        if (!change || result != PL_OK)
            continue;
        result = pl_get(world, PL_ATTRIBUTE_POSITION, m->numbers[i], count, x);
        for (int p = 0; p < count && result == PL_OK; p++)
        {
            double step[3];
            step_of(change, x + 3 * p, step);
            for (int k = 0; k < 3; k++)
                x[3 * p + k] = (float)(step[k] / (double)scene->dt);
        }
        result = result == PL_OK ? pl_set(world, PL_ATTRIBUTE_VELOCITY, m->numbers[i], count, x) : result;
    }
    free(x);
    return result;
}

pl_result scene_check_motions(const pl_scene *scene, pl_world *world)
{
    const struct scene_motion *m = scene->script.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->script.count && result == PL_OK; i++)
        result = m[i].pin ? PL_OK : move_particles(scene, world, &m[i], NULL);
    return result;
}

pl_result pl_scene_before_step(const pl_scene *scene, pl_world *world)
{
    if (!scene || !world)
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_before_step without a scene or a world; give both");
    }
    // Time is computed from the frame count: a sum of many dt would drift, and differ from a run that began elsewhere.
    double time = (double)pl_world_frame(world) * (double)scene->dt, next = time + (double)scene->dt;
    const struct scene_motion *m = scene->script.items;
    pl_result result = scene_run_cuts(scene, world, time);
    result = result == PL_OK ? scene_move_shapes(scene, world, next) : result;
    result = result == PL_OK ? scene_move_animated(scene, world, next) : result;
    result = result == PL_OK ? scene_warm_shapes(scene, world, time) : result;
    result = result == PL_OK ? scene_control_robots(scene, world, next) : result;
    for (int i = 0; i < scene->script.count && result == PL_OK; i++)
    {
        struct change change;
        change_of(&m[i], time, next, &change);
        result = m[i].pin ? move_pins(scene, world, &m[i], &change) : move_particles(scene, world, &m[i], &change);
    }
    return result;
}
