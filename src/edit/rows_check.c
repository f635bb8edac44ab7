// rows_check.c: validates constraints: their particles, their parameters, their softness.
#include "backend/cpu/cpu.h"
#include "edit/add.h"
#include "elements/row.h"
#include "elements/fem.h"
#include "elements/patch_volume.h"
#include "groups/oriented.h"

#include <string.h>

pl_result row_check_softness(const char *name, int64_t row, pl_softness s)
{
    if (!(s.compliance >= 0.0f && CHECK_FINITE(s.compliance)))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: compliance is %g; it must be 0 (rigid) or above", name, (long long)row,
                    (double)s.compliance);
    if (!(s.damping >= 0.0f && CHECK_FINITE(s.damping)))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: damping is %g; it must be 0 or above", name, (long long)row,
                    (double)s.damping);
    if (!(s.stiffness >= 0.0f && s.stiffness <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: stiffness is %g; it must be from 0 to 1", name, (long long)row,
                    (double)s.stiffness);
    return PL_OK;
}

static pl_result check_volume(const kind_facts *k, int64_t row, float volume)
{
    if (!(volume > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: volume is %g: the shape at rest is %s; it must be above 0",
                    k->info.name, (long long)row, (double)volume, volume < 0.0f ? "turned inside out" : "flat");
    return PL_OK;
}

static pl_result check_element(const kind_facts *k, int64_t row, const float *param)
{
    bool tet = k->rule == PARAM_TET;
    float volume = param[tet ? TET_VOLUME_AT : TRI_VOLUME_AT], nu = param[tet ? TET_POISSON_AT : TRI_POISSON_AT];
    pl_result result = check_volume(k, row, volume);
    if (result != PL_OK)
        return result;
    if (tet && !(nu >= 0.0f && nu <= 0.495f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: poisson is %g; it must be from 0 to 0.495", k->info.name,
                    (long long)row, (double)nu);
    if (!tet && !(param[TRI_WEFT_AT] > 0.0f && param[TRI_SHEAR_AT] > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: weft is %g and shear is %g; both must be above 0", k->info.name,
                    (long long)row, (double)param[TRI_WEFT_AT], (double)param[TRI_SHEAR_AT]);
    if (!tet && !(nu >= 0.0f && nu * nu * param[TRI_WEFT_AT] <= 0.98f))
        return fail(PL_ERROR_ARGUMENT,
                    "%s %lld: poisson is %g; it must be 0 or above and its square times weft below 0.98", k->info.name,
                    (long long)row, (double)nu);
    return PL_OK;
}

// Checks the rotation of a joint in an end: the vector part of a unit quaternion.
static pl_result check_rotation(const kind_facts *k, int64_t row, const float *q)
{
    double size = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2];
    if (!(size <= 1.0001))
        return fail(PL_ERROR_ARGUMENT,
                    "%s %lld: a rotation has the vector part (%g, %g, %g); its length must be at most 1", k->info.name,
                    (long long)row, (double)q[0], (double)q[1], (double)q[2]);
    return PL_OK;
}

// Checks the parameters of gears, racks and pulleys behind those of the ends.
static pl_result check_machine(const kind_facts *k, int64_t row, const float *param)
{
    const bool gear = k == facts_of(PL_KIND_GEAR), rack = k == facts_of(PL_KIND_RACK);
    pl_result result = PL_OK;
    for (int i = 12; gear && i < 14; i++)
        if (!(param[i] != 0.0f && param[i] >= -10000.0f && param[i] <= 10000.0f && param[i] == (float)(int)param[i]))
            return fail(PL_ERROR_ARGUMENT, "%s %lld: %s is %g; it must be a whole number from 1 to 10000%s",
                        k->info.name, (long long)row, k->info.param_names[i], (double)param[i],
                        i == 13 ? ", or negative for a belt" : "");
    if (rack && !(param[15] > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: radius is %g m; it must be above 0", k->info.name, (long long)row,
                    (double)param[15]);
    if (k == facts_of(PL_KIND_PULLEY) && !(param[15] > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: ratio is %g; it must be above 0", k->info.name, (long long)row,
                    (double)param[15]);
    for (int i = 0; (gear || rack) && i < (gear ? 2 : 1) && result == PL_OK; i++)
        result = check_rotation(k, row, param + (gear ? 6 + 3 * i : 9));
    return result;
}

pl_result row_check_param(const kind_facts *k, int64_t row, const float *param)
{
    for (int i = 0; i < k->info.params; i++)
        if (!CHECK_FINITE(param[i]))
            return fail(PL_ERROR_ARGUMENT, "%s %lld: %s is not a finite number; the shape at rest may be degenerate",
                        k->info.name, (long long)row, k->info.param_names[i]);
    if (k->rule == PARAM_POSITIVE && !(param[0] > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: %s is %g; it must be above 0", k->info.name, (long long)row,
                    k->info.param_names[0], (double)param[0]);
    if (k->rule == PARAM_NONZERO && param[0] == 0.0f)
        return fail(PL_ERROR_ARGUMENT, "%s %lld: %s is 0: the shape at rest is flat; it must have a volume",
                    k->info.name, (long long)row, k->info.param_names[0]);
    if (k->rule == PARAM_TET || k->rule == PARAM_TRIANGLE)
        return check_element(k, row, param);
    if (k->frames)
        return check_machine(k, row, param);
    if (k->rule == PARAM_PATCH)
        return check_volume(k, row, param[PATCH_VOLUME_AT]);
    float sum = 0.0f, size = 0.0f;
    for (int i = 0; k->rule == PARAM_BALANCED && i < k->info.params; i++)
    {
        sum += param[i];
        size += param[i] < 0.0f ? -param[i] : param[i];
    }
    if (sum > 1e-4f * size || sum < -1e-4f * size)
        return fail(PL_ERROR_ARGUMENT,
                    "%s %lld: %s to %s sum to %g; they must sum to 0, or the constraint would push itself along",
                    k->info.name, (long long)row, k->info.param_names[0], k->info.param_names[k->info.params - 1],
                    (double)sum);
    return PL_OK;
}

static pl_result check_index(const pl_world *w, const kind_facts *k, int64_t row, const int32_t *index)
{
    for (int i = 0; i < k->info.arity; i++)
    {
        if (slot_of(w, index[i]) < 0)
            return fail(PL_ERROR_ARGUMENT, "%s %lld: particle %d does not exist; numbers go from 0 to %d", k->info.name,
                        (long long)row, index[i], w->numbers.end - 1);
        for (int j = 0; j < i; j++)
            if (index[i] == index[j])
                return fail(PL_ERROR_ARGUMENT,
                            "%s %lld: particle %d appears twice; the particles of a constraint must differ",
                            k->info.name, (long long)row, index[i]);
    }
    return PL_OK;
}

void row_param(const pl_world *w, const pl_constraints_def *def, int i, float *param)
{
    const kind_facts *k = facts_of((int)def->kind);
    if (def->param)
    {
        memcpy(param, def->param + (size_t)i * (size_t)k->info.params, (size_t)k->info.params * sizeof(float));
        return;
    }
    float points[8 * PL_MAX_ARITY] = {0};
    for (int p = 0; p < k->info.arity; p++)
    {
        int32_t number = def->index[(size_t)i * (size_t)k->info.arity + (size_t)p];
        const orient_pose *pose = k->frames ? pose_of(w, number) : NULL;
        memcpy(points + 4 * p, w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, number), 3 * sizeof(float));
        points[4 * p + 3] = inverse_mass(w, slot_of(w, number));
        if (pose)
            memcpy(points + 4 * (k->info.arity + p), pose->rotation, 4 * sizeof(float));
    }
    lanes_of(1)->rest[def->kind](points, param);
}

// How many parameters each end of a kind between frames has, and which ends must have a frame.
typedef struct end_rule
{
    int params[2];
    bool needs[2];
} end_rule;

static end_rule end_rule_of(const kind_facts *k)
{
    switch (k->rule)
    {
    case PARAM_JOINT:
        return (end_rule){{6, 6}, {true, true}};
    case PARAM_TURNS:
        return (end_rule){{3, 3}, {true, true}};
    case PARAM_SLIDE:
        return (end_rule){{6, 3}, {true, false}};
    case PARAM_ATTACH:
        return (end_rule){{3, 0}, {true, false}};
    default:
        return (end_rule){{3, 3}, {false, false}};
    }
}

// Checks the parameters behind those of the ends: low, high and strength of a range, speed and strength of a motor.
static pl_result check_bounds(const kind_facts *k, int64_t row, const float *param)
{
    const end_rule rule = end_rule_of(k);
    const float *p = param + rule.params[0] + rule.params[1];
    float strength = k->bound == BOUND_RANGE ? p[2] : p[1];
    if (k->bound != BOUND_RANGE && k->bound != BOUND_DRIVE)
        return PL_OK;
    if (k->bound == BOUND_RANGE && !(p[0] <= p[1]))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: low is %g and high %g; low must be at most high", k->info.name,
                    (long long)row, (double)p[0], (double)p[1]);
    if (!(strength >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s %lld: strength is %g; it must be 0 or above, 1e30 for no limit",
                    k->info.name, (long long)row, (double)strength);
    return PL_OK;
}

// Checks the ends of a joint. An end without an orientation is attached at its position, so its parameters must be 0.
static pl_result check_ends(const pl_world *w, const kind_facts *k, int64_t row, const int32_t *index,
                            const float *param)
{
    const end_rule rule = end_rule_of(k);
    const bool framed[2] = {pose_of(w, index[0]) != NULL, pose_of(w, index[1]) != NULL};
    if (!framed[0] && !framed[1])
        return fail(PL_ERROR_ARGUMENT,
                    "%s %lld: neither particle %d nor %d has an orientation; pl_orient must give it to one of them",
                    k->info.name, (long long)row, index[0], index[1]);
    pl_result result = PL_OK;
    for (int e = 0; e < 2 && result == PL_OK; e++)
    {
        const float *own = param + (e ? rule.params[0] : 0);
        if (rule.needs[e] && !framed[e])
            return fail(PL_ERROR_ARGUMENT, "%s %lld: particle %d has no orientation; this joint needs a body there",
                        k->info.name, (long long)row, index[e]);
        for (int i = 0; i < rule.params[e]; i++)
            if (!framed[e] && own[i] != 0.0f)
                return fail(PL_ERROR_ARGUMENT,
                            "%s %lld: %s is %g, and particle %d has no orientation; it must be 0, or pl_orient must "
                            "give it one",
                            k->info.name, (long long)row, k->info.param_names[own - param + i], (double)own[i],
                            index[e]);
        if (k->rule == PARAM_TURNS)
            result = check_rotation(k, row, own);
        else if (rule.params[e] == 6)
            result = check_rotation(k, row, own + 3);
    }
    return result == PL_OK ? check_bounds(k, row, param) : result;
}

pl_result rows_check_def(const pl_world *w, const pl_constraints_def *def)
{
    if ((unsigned)def->kind >= PL_KIND_COUNT)
        return fail(PL_ERROR_ARGUMENT, "constraints: kind %d does not exist; kinds go from 0 to %d", (int)def->kind,
                    PL_KIND_COUNT - 1);
    const kind_facts *k = facts_of((int)def->kind);
    if (def->count < 1 || def->count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "%s: count is %d; it must be from 1 to %d", k->info.name, def->count,
                    INT32_MAX / 8);
    if (!def->index)
        return fail(PL_ERROR_ARGUMENT, "%s: index is NULL; it must hold %d particles for each constraint", k->info.name,
                    k->info.arity);
    pl_result result = PL_OK;
    for (int i = 0; result == PL_OK && i < def->count; i++)
    {
        float param[PL_MAX_PARAMS];
        result = check_index(w, k, i, def->index + (size_t)i * (size_t)k->info.arity);
        if (result == PL_OK)
            result = row_check_softness(k->info.name, i, def->each ? def->each[i] : def->soft);
        if (result == PL_OK)
        {
            row_param(w, def, i, param);
            result = row_check_param(k, i, param);
        }
        if (result == PL_OK && k->frames)
            result = check_ends(w, k, i, def->index + (size_t)i * (size_t)k->info.arity, param);
    }
    return result;
}

pl_result rows_check(const pl_world *w, int kind)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    pl_result result = PL_OK;
    for (int64_t i = 0; result == PL_OK && i < r->count; i++)
    {
        result = check_index(w, k, i, r->index + i * k->info.arity);
        if (result == PL_OK)
            result = row_check_softness(k->info.name, i, r->soft[i]);
        if (result == PL_OK)
            result = row_check_param(k, i, r->param + i * k->info.params);
        int64_t bad;
        if (result == PL_OK && !all_finite(r->lambda + i * k->info.parts, k->info.parts, &bad))
            result = fail(PL_ERROR_ARGUMENT, "%s %lld: its multiplier is not finite; give finite numbers", k->info.name,
                          (long long)i);
    }
    return result;
}
