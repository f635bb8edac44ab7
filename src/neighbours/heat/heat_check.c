// heat_check.c: checks which particles may have a temperature and which may melt: when heat is set, when elements are
// added to melting particles, and when snapshots are read.
#include "groups/clusters.h"
#include "model/world.h"

#include <string.h>

#define HOTTEST 1e6f

// ---- numbers -------------------------------------------------------------------------------------------------------

static bool is_temperature(float t) { return t >= -HOTTEST && t <= HOTTEST; }

pl_result heat_check_temperature(const char *what, float t)
{
    if (is_temperature(t))
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "heat: %s is %g; it must be from -1e6 to 1e6", what, (double)t);
}

static pl_result check_least(const char *what, float value, bool zero)
{
    if ((zero ? value >= 0.0f : value > 0.0f) && value <= 1e12f)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "heat: %s is %g; it must be %s 0 and at most 1e12", what, (double)value,
                zero ? "at least" : "above");
}

pl_result heat_check_rule(const pl_world *w, const pl_heat_def *d)
{
    pl_result result = heat_check_temperature("temperature", d->temperature);
    if (result == PL_OK)
        result = check_least("conductivity", d->conductivity, true);
    if (result == PL_OK)
        result = check_least("capacity", d->capacity, false);
    if (result == PL_OK)
        result = check_least("exchange", d->exchange, true);
    if (result != PL_OK || !d->melts)
        return result;
    result = heat_check_temperature("melting", d->melting);
    if (result == PL_OK)
        result = heat_check_temperature("freezing", d->freezing);
    if (result == PL_OK)
        result = check_least("latent", d->latent, true);
    if (result == PL_OK && d->freezing > d->melting)
        result = fail(PL_ERROR_ARGUMENT, "heat: freezing is %g; it must be at most melting, which is %g",
                      (double)d->freezing, (double)d->melting);
    if (result == PL_OK && (d->molten < 0 || d->molten >= w->contacts.materials))
        result = fail(PL_ERROR_ARGUMENT, "heat: molten is material %d; numbers go from 0 to %d", d->molten,
                      w->contacts.materials - 1);
    return result == PL_OK ? check_cluster_material(&d->solid) : result;
}

pl_result heat_check_radii(const pl_world *w, int32_t first, int32_t count)
{
    for (int32_t i = first; i < first + count; i++)
        if (!(w->state.slot[SLOT_COLLISION][4 * (size_t)w->numbers.slot_of[i]] > 0.0f))
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d has no radius; give it one, heat conduction needs it", i);
    return PL_OK;
}

// ---- a melting particle is in at most one cluster; only pins hold it otherwise -------------------------------------

bool heat_melts(const pl_world *w, int32_t number)
{
    const heat *h = &w->heat;
    return number < h->count && h->warm[number].rule && h->rules[h->warm[number].rule - 1].melts;
}

static pl_result check_none(const uint8_t *melts, const int32_t *index, int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (melts[index[i]])
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d is part of %s; only free particles and clusters melt",
                        index[i], what);
    return PL_OK;
}

// melts: 1 for each melting particle, 2 once it was found in a cluster.
static pl_result check_once(uint8_t *melts, const int32_t *index, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
    {
        if (melts[index[i]] == 2)
            return fail(PL_ERROR_ARGUMENT,
                        "heat: particle %d is in two clusters; a particle that melts must be in at most one", index[i]);
        melts[index[i]] = melts[index[i]] ? 2 : 0;
    }
    return PL_OK;
}

static pl_result check_groups(const pl_world *w, uint8_t *melts)
{
    pl_result result = PL_OK;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
    {
        group_members all = all_members(w, group_kinds[i]);
        if (group_kinds[i]->melting == MELT_IN_ONE)
            result = check_once(melts, all.number, all.count);
    }
    return result;
}

static pl_result check_all(const pl_world *w, uint8_t *melts)
{
    pl_result result = PL_OK;
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        if (kind != PL_KIND_PIN)
            result =
                check_none(melts, w->rows[kind].index, w->rows[kind].count * facts_of(kind)->info.arity, "constraints");
    if (result == PL_OK)
        result = check_none(melts, w->faces.index, 3 * w->faces.count, "a surface");
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
    {
        group_members all = all_members(w, group_kinds[i]);
        if (group_kinds[i]->melting == MELT_NEVER)
            result = check_none(melts, all.number, all.count, group_kinds[i]->id_name);
    }
    return result == PL_OK ? check_groups(w, melts) : result;
}

static pl_result map_open(pl_world *w, uint8_t **melts, int64_t *capacity)
{
    pl_result result = array_reserve(&w->memory, melts, capacity, (int64_t)w->numbers.end + 1, 1);
    for (int32_t n = 0; result == PL_OK && n < w->numbers.end; n++)
        (*melts)[n] = heat_melts(w, n);
    return result;
}

pl_result heat_check_free(pl_world *w, int32_t first, int32_t count)
{
    uint8_t *melts = NULL;
    int64_t capacity = 0;
    pl_result result = map_open(w, &melts, &capacity);
    if (result == PL_OK)
    {
        memset(melts + first, 1, (size_t)count);
        result = check_all(w, melts);
    }
    array_free(&w->memory, &melts, &capacity, 1);
    return result;
}

pl_result heat_check_members(pl_world *w, const int32_t *members, int64_t count)
{
    uint8_t *melts = NULL;
    int64_t capacity = 0;
    for (int64_t i = 0; i < count; i++)
        if (heat_melts(w, members[i]) && w->heat.warm[members[i]].molten)
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d is molten; it must freeze before it can be in a cluster",
                        members[i]);
    if (w->heat.rule_count == 0)
        return PL_OK;
    pl_result result = map_open(w, &melts, &capacity);
    if (result == PL_OK)
        result = check_groups(w, melts);
    if (result == PL_OK)
        result = check_once(melts, members, count);
    array_free(&w->memory, &melts, &capacity, 1);
    return result;
}

pl_result heat_check_added(const pl_world *w, const int32_t *index, int64_t count, const char *what)
{
    for (int64_t i = 0; w->heat.rule_count && i < count; i++)
        if (heat_melts(w, index[i]))
            return fail(PL_ERROR_ARGUMENT,
                        "heat: particle %d melts, so it cannot be part of %s; pl_set_heat changes that", index[i],
                        what);
    return PL_OK;
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

static bool is_warm(const pl_world *w, int32_t number)
{
    const heat *h = &w->heat;
    const warm *m = &h->warm[number];
    return m->rule >= 0 && m->rule <= h->rule_count && (!m->rule || slot_of(w, number) >= 0) &&
           (unsigned)m->molten <= 1 && m->material >= 0 && m->material < w->contacts.materials &&
           !((uint32_t)m->phase & ~(uint32_t)SOLID_PHASE) && CHECK_FINITE(m->heat) &&
           (!m->molten || heat_melts(w, number));
}

pl_result heat_check(pl_world *w)
{
    const heat *h = &w->heat;
    if (!is_temperature(h->ambient) || h->count > w->numbers.end)
        return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < h->rule_count; i++)
        if (heat_check_rule(w, &h->rules[i]) != PL_OK)
            return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < h->count; i++)
        if (!is_warm(w, (int32_t)i))
            return PL_ERROR_FORMAT;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (!is_temperature(w->contacts.shapes[i].temperature))
            return PL_ERROR_FORMAT;
    return h->rule_count ? heat_check_free(w, 0, 0) : PL_OK;
}
