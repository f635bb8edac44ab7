// scene_expect.c: checks what a scene expects at its end.
#include "scene_robot.h"
#include "scene_select.h"

#include "core/error.h"
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report
{
    char *text;
    size_t size, used;
    int checked, failed;
};

// is: what is wrong in words, if it is not good
static void judge(struct report *r, bool good, const char *what, const char *is, double least, double most)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    r->checked++;
    r->failed += !good;
    if (!good && r->used < r->size)
    {
        int wrote = snprintf(r->text + r->used, r->size - r->used, "%s %s; %s to %s was expected\n", what, is,
                             number_write(least, a), number_write(most, b));
        r->used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static void check(struct report *r, bool good, const char *what, double value, double least, double most)
{
    char v[NUMBER_TEXT], is[NUMBER_TEXT + 8];
    number_write(value, v);
    snprintf(is, sizeof is, "is %s", value - value == 0.0 ? v : "not finite");
    judge(r, good, what, is, least, most);
}

static bool is_expected(struct range range) { return range.least > -DBL_MAX || range.most < DBL_MAX; }

static void check_range(struct report *r, const char *what, double value, struct range range)
{
    if (is_expected(range))
    {
        check(r, value >= range.least && value <= range.most, what, value, range.least, range.most);
    }
}

// An expectation on a number that was not measured fails, whatever is expected.
static void check_measured(struct report *r, bool measured, const char *what, double value, struct range range)
{
    if (measured)
    {
        check_range(r, what, value, range);
    }
    else if (is_expected(range))
    {
        judge(r, false, what, "was not measured", range.least, range.most);
    }
}

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// The largest violation of all joints but those of a distance, whose limits may differ.
static double joint_error(const pl_world *world)
{
    const int count = pl_world_blocks(world, NULL, 0);
    pl_id *blocks = calloc((size_t)count + 1, sizeof *blocks);
    double most = blocks ? 0.0 : DBL_MAX;
    pl_world_blocks(world, blocks, blocks ? count : 0);
    for (int i = 0; blocks && i < count; i++)
    {
        pl_kind kind;
        int rows;
        if (pl_block_info(world, blocks[i], &kind, &rows) != PL_OK || kind == PL_KIND_DISTANCE_JOINT ||
            !strstr(pl_kind_describe(kind)->name, "_joint"))
        {
            continue;
        }
        for (int k = 0; k < rows; k++)
        {
            float value = 0.0f;
            if (pl_get_rows(world, blocks[i], PL_ROW_VALUE, k, 1, &value) == PL_OK)
            {
                most = fmax(most, fabs((double)value));
            }
        }
    }
    free(blocks);
    return most;
}

static void check_measures(struct report *r, const struct scene_expect *e, const pl_world *world)
{
    pl_residual residual = pl_world_residual(world);
    pl_penetration depth = pl_world_penetration(world);
    pl_energy energy = pl_world_energy(world);
    double linear[3], angular[3];
    pl_world_momentum(world, linear, angular);
    check_measured(r, residual.count > 0, "residual.mean", residual.mean, e->residual.mean);
    check_measured(r, residual.count > 0, "residual.max", residual.max, e->residual.max);
    check_measured(r, depth.measured, "penetration.mean", depth.mean, e->penetration.mean);
    check_measured(r, depth.measured, "penetration.max", depth.max, e->penetration.max);
    check_measured(r, depth.measured, "penetration.crossings", (double)depth.crossings, e->penetration.crossings);
    check_range(r, "energy.kinetic", energy.kinetic, e->energy.kinetic);
    check_range(r, "energy.potential", energy.potential, e->energy.potential);
    check_range(r, "energy.elastic", energy.elastic, e->energy.elastic);
    check_range(r, "energy.total", energy.kinetic + energy.potential + energy.elastic, e->energy.total);
    check_range(r, "momentum.linear", norm(linear), e->momentum.linear);
    check_range(r, "momentum.angular", norm(angular), e->momentum.angular);
    if (is_expected(e->joint_error))
    {
        check_range(r, "joint_error", joint_error(world), e->joint_error);
    }
}

static void check_torn(struct report *r, const struct scene_expect *e, const pl_world *world)
{
    pl_tear_counts torn = pl_world_tears(world);
    int pieces = 0;
    double mass = 0.0;
    if (!e->torn.head.node || pl_count_pieces(world, (pl_id){0, 0}, &pieces) != PL_OK)
    {
        return;
    }
    for (int i = 0; i < pl_particle_end(world); i++)
    {
        float m = 0.0f;
        pl_get(world, PL_ATTRIBUTE_MASS, i, 1, &m);
        mass += (double)m;
    }
    check_range(r, "torn.splits", (double)torn.splits, e->torn.splits);
    check_range(r, "torn.broken", (double)torn.broken, e->torn.broken);
    check_range(r, "torn.pieces", (double)pieces, e->torn.pieces);
    check_range(r, "torn.mass", mass, e->torn.mass);
}

static void check_fluid(struct report *r, const struct scene_expect *e, const pl_world *world)
{
    if (!e->fluid.head.node)
    {
        return;
    }
    pl_fluid_totals fluid = pl_world_fluid(world);
    check_measured(r, fluid.particles > 0, "fluid.mean", fluid.compression_mean, e->fluid.mean);
    check_measured(r, fluid.particles > 0, "fluid.max", fluid.compression_max, e->fluid.max);
    check_measured(r, fluid.particles > 0, "fluid.pressure", fluid.pressure_max, e->fluid.pressure);
    check_range(r, "fluid.volume", fluid.volume, e->fluid.volume);
}

static void check_probe(struct report *r, const struct scene_probe *p, const pl_world *world)
{
    pl_fluid_probe found;
    char where[80], what[120];
    bool wet = pl_probe_fluid(world, p->at, &found) == PL_OK && found.particles > 0;
    double v[3] = {(double)found.velocity.x, (double)found.velocity.y, (double)found.velocity.z};
    snprintf(where, sizeof where, "probe at [%g, %g, %g]", (double)p->at.x, (double)p->at.y, (double)p->at.z);
    snprintf(what, sizeof what, "%s: pressure", where);
    check_measured(r, wet, what, (double)found.pressure, p->pressure);
    snprintf(what, sizeof what, "%s: density", where);
    check_measured(r, wet, what, (double)found.density, p->density);
    snprintf(what, sizeof what, "%s: speed", where);
    check_measured(r, wet, what, norm(v), p->speed);
}

static void check_heat(struct report *r, const struct scene_expect *e, const pl_world *world)
{
    if (!e->heat.head.node)
    {
        return;
    }
    pl_heat_totals heat = pl_world_heat(world);
    check_measured(r, heat.warm > 0, "heat.total", heat.heat, e->heat.heat);
    check_measured(r, heat.warm > 0, "heat.coldest", (double)heat.coldest, e->heat.coldest);
    check_measured(r, heat.warm > 0, "heat.hottest", (double)heat.hottest, e->heat.hottest);
    check_measured(r, heat.warm > 0, "heat.molten", (double)heat.molten, e->heat.molten);
    check_measured(r, heat.warm > 0, "heat.melted", (double)heat.melted, e->heat.melted);
    check_measured(r, heat.warm > 0, "heat.frozen", (double)heat.frozen, e->heat.frozen);
}

static void check_bounds(struct report *r, const struct scene_expect *e, const pl_world *world, const float *x,
                         int count)
{
    static const char *const names[3][2] = {{"bounds: the least x", "bounds: the largest x"},
                                            {"bounds: the least y", "bounds: the largest y"},
                                            {"bounds: the least z", "bounds: the largest z"}};
    const float *min = &e->bounds.min.x, *max = &e->bounds.max.x;
    if (!e->bounds.head.node)
    {
        return;
    }
    for (int k = 0; k < 3; k++)
    {
        double least = DBL_MAX, most = -DBL_MAX;
        for (int i = 0; i < count; i++)
        {
            uint8_t active = 1;
            if (pl_get_active(world, i, 1, &active) == PL_OK && !active)
            {
                continue; // it is in the reserve of an emitter
            }
            double value = (double)x[3 * i + k];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        check(r, least >= (double)min[k], names[k][0], least, (double)min[k], (double)max[k]);
        check(r, most <= (double)max[k], names[k][1], most, (double)min[k], (double)max[k]);
    }
}

static void mean_of(const float *values, const struct scene_place *p, double mean[3])
{
    for (int k = 0; k < 3; k++)
    {
        double sum = 0.0;
        for (int i = 0; i < p->count; i++)
        {
            sum += (double)values[3 * p->numbers[i] + k];
        }
        mean[k] = sum / (double)p->count;
    }
}

// Returns the x, y, z or speed, over all particles, that is farthest outside the range; or the first.
static double worst_of(const struct scene_place *p, int which, struct range range, const float *x, const float *v)
{
    double worst = 0.0, outside = -DBL_MAX;
    for (int n = 0; n < p->count; n++)
    {
        int i = p->numbers[n];
        double one[3] = {(double)v[3 * i], (double)v[3 * i + 1], (double)v[3 * i + 2]};
        double value = which < 3 ? (double)x[3 * i + which] : norm(one);
        double off = range.least - value > value - range.most ? range.least - value : value - range.most;
        if (off > outside || !(off == off))
        {
            outside = off;
            worst = value;
        }
    }
    return worst;
}

static void check_place(struct report *r, const struct scene_place *p, const float *x, const float *v)
{
    double at[3], velocity[3];
    char what[200], of[121];
    scene_select_name(p->of, of, sizeof of);
    mean_of(x, p, at);
    mean_of(v, p, velocity);
    if (record_has(&place_record, p, offsetof(struct scene_place, position)))
    {
        double away[3] = {at[0] - (double)p->position.x, at[1] - (double)p->position.y, at[2] - (double)p->position.z};
        snprintf(what, sizeof what, "at %s: the distance from its place", of);
        check_range(r, what, norm(away), (struct range){0.0, (double)p->within});
    }
    const struct range ranges[4] = {p->x, p->y, p->z, p->speed};
    static const char *const names[4] = {"x", "y", "z", "speed"};
    for (int i = 0; i < 4; i++)
    {
        snprintf(what, sizeof what, "at %s: %s%s", of, names[i], p->every ? " of the worst" : "");
        double value = i < 3 ? at[i] : norm(velocity);
        check_range(r, what, p->every ? worst_of(p, i, ranges[i], x, v) : value, ranges[i]);
    }
}

pl_result scene_find_places(pl_scene *scene)
{
    struct scene_place *p = scene->expect.at.items;
    struct scene_start start = {.scene = scene};
    struct select_from from = {.scene = scene, .place = scene_place_at_start, .context = &start};
    pl_result result = PL_OK;
    for (int i = 0; i < scene->expect.at.count && result == PL_OK; i++)
    {
        bool position = record_has(&place_record, &p[i], offsetof(struct scene_place, position));
        bool within = record_has(&place_record, &p[i], offsetof(struct scene_place, within));
        if (position != within)
        {
            result = json_fail(p[i].head.node, "\"position\" and \"within\" belong together; expected both or none");
        }
        result = result == PL_OK ? scene_select_stored(scene, &from, p[i].of, &p[i].numbers, &p[i].count) : result;
    }
    scene_start_free(&start);
    return result;
}

static void check_reaches(struct report *r, const pl_scene *scene, const pl_world *world)
{
    const struct scene_reach *reach = scene->expect.robot.items;
    double time = (double)pl_world_frame(world) * (double)scene->dt;
    for (int i = 0; i < scene->expect.robot.count; i++)
    {
        double distance = 0.0, angle = 0.0;
        char what[200];
        bool found = scene_reach_error(scene, world, &reach[i], time, &distance, &angle) == PL_OK;
        snprintf(what, sizeof what, "robot %.60s: the distance of %.60s from its place", reach[i].of, reach[i].link);
        check_measured(r, found, what, distance, (struct range){0.0, (double)reach[i].within});
        snprintf(what, sizeof what, "robot %.60s: the angle of %.60s from its place", reach[i].of, reach[i].link);
        check_measured(r, found, what, angle, (struct range){0.0, (double)reach[i].angle});
    }
}

static void check_all(struct report *r, const struct scene_expect *expect, const pl_world *world, int count,
                      const float *x, const float *v)
{
    int bad = 0;
    for (int i = 0; i < count; i++)
    {
        for (int c = 0; c < 3; c++)
        {
            bad += !(x[3 * i + c] - x[3 * i + c] == 0.0f) + !(v[3 * i + c] - v[3 * i + c] == 0.0f);
        }
    }
    check(r, bad == 0, "the count of numbers that are not finite", (double)bad, 0.0, 0.0);
    check_measures(r, expect, world);
    check_torn(r, expect, world);
    check_heat(r, expect, world);
    check_fluid(r, expect, world);
    check_bounds(r, expect, world, x, count);
    const struct scene_probe *probe = expect->probe.items;
    for (int i = 0; i < expect->probe.count; i++)
    {
        check_probe(r, &probe[i], world);
    }
    const struct scene_place *p = expect->at.items;
    for (int i = 0; i < expect->at.count; i++)
    {
        check_place(r, &p[i], x, v);
    }
}

pl_result pl_scene_expect(const pl_scene *scene, const pl_world *world, char *report, size_t report_size, int *checked,
                          int *failed)
{
    struct report r = {.text = report, .size = report ? report_size : 0};
    if (checked)
    {
        *checked = 0;
    }
    if (failed)
    {
        *failed = 0;
    }
    if (r.size)
    {
        report[0] = 0;
    }
    if (!scene || !world)
    {
        return fail(PL_ERROR_ARGUMENT, "pl_scene_expect without a scene or a world; give both");
    }
    int count = pl_particle_end(world);
    if (count - pl_world_tears(world).splits != scene->particle_count) // each split has added one particle
    {
        return fail(PL_ERROR_ARGUMENT, "this world has %d particles and the scene %d; use the scene that made it",
                    count, scene->particle_count);
    }
    float *x = malloc(((size_t)count * 6 + 1) * sizeof *x), *v = x + 3 * (size_t)count;
    if (!x)
    {
        return fail(PL_ERROR_MEMORY, "no memory to check %d particles; use a smaller scene", count);
    }
    pl_result result = pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x);
    result = result == PL_OK ? pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, count, v) : result;
    if (result == PL_OK)
    {
        check_all(&r, &scene->expect, world, count, x, v);
        check_reaches(&r, scene, world);
    }
    free(x);
    if (checked)
    {
        *checked = r.checked;
    }
    if (failed)
    {
        *failed = r.failed;
    }
    return result;
}
