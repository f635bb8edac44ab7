// heat.c: who has a temperature, and which; giving it, reading it. How it flows is in conduct.c, what it does in melt.c.
#include "world/world.h"

#include <string.h>

pl_heat_def pl_default_heat_def(void)
{
    return (pl_heat_def){
        .temperature = 20.0f, .conductivity = 1.0f, .capacity = 1000.0f, .solid = pl_default_cluster_material()};
}

// ---- the law -------------------------------------------------------------------------------------------------------

double temperature_of(const pl_heat_def *r, const warm *m)
{
    if (!r->melts)
        return m->heat / (double)r->capacity;
    double c = (double)r->capacity, latent = (double)r->latent, top = (double)r->melting, low = (double)r->freezing;
    double solid = top + m->heat / c, molten = top + (m->heat - latent) / c;
    if (m->molten)
        return molten > low ? molten : solid < low ? solid : low;
    return solid < top ? solid : molten > top ? molten : top;
}

double heat_at(const pl_heat_def *r, double temperature, bool molten)
{
    if (!r->melts)
        return (double)r->capacity * temperature;
    return (double)r->capacity * (temperature - (double)r->melting) + (molten ? (double)r->latent : 0.0);
}

void heat_settle(const pl_heat_def *r, warm *m)
{
    if (!r->melts)
        return;
    if (!m->molten && m->heat > (double)r->latent)
        m->molten = 1;
    else if (m->molten && m->heat < (double)r->capacity * ((double)r->freezing - (double)r->melting))
        m->molten = 0;
}

// ---- checks --------------------------------------------------------------------------------------------------------

#define HOTTEST 1e6f

static bool is_temperature(float t) { return t >= -HOTTEST && t <= HOTTEST; }

static pl_result check_temperature(const char *what, float t)
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

static pl_result check_rule(const pl_world *w, const pl_heat_def *d)
{
    pl_result result = check_temperature("temperature", d->temperature);
    if (result == PL_OK)
        result = check_least("conductivity", d->conductivity, true);
    if (result == PL_OK)
        result = check_least("capacity", d->capacity, false);
    if (result == PL_OK)
        result = check_least("exchange", d->exchange, true);
    if (result != PL_OK || !d->melts)
        return result;
    result = check_temperature("melting", d->melting);
    if (result == PL_OK)
        result = check_temperature("freezing", d->freezing);
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

// What is held by more than one cluster, or by anything else, cannot be let go of.
static pl_result check_free(const pl_world *w, const thing *t)
{
    int32_t end = t->first + t->count;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; i < w->rows[kind].count * facts_of(kind)->info.arity; i++)
            if (w->rows[kind].index[i] >= t->first && w->rows[kind].index[i] < end)
                return fail(PL_ERROR_ARGUMENT,
                            "heat: particle %d is held by constraints (%s); only grains and clusters melt",
                            w->rows[kind].index[i], facts_of(kind)->info.name);
    for (int64_t i = 0; i < 3 * w->faces.count; i++)
        if (w->faces.index[i] >= t->first && w->faces.index[i] < end)
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d is part of a surface; only grains and clusters melt",
                        w->faces.index[i]);
    for (int64_t i = 0; i < w->lattices.members; i++)
        if (w->lattices.member[i] >= t->first && w->lattices.member[i] < end)
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d is in a lattice; only grains and clusters melt",
                        w->lattices.member[i]);
    return PL_OK;
}

static pl_result check_clusters(pl_world *w, const thing *t)
{
    uint8_t *seen = NULL;
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &seen, &capacity, t->count, 1);
    if (result != PL_OK)
        return result;
    memset(seen, 0, (size_t)t->count);
    for (int64_t i = 0; result == PL_OK && i < w->clusters.members; i++)
    {
        int32_t at = w->clusters.member[i] - t->first;
        if (at < 0 || at >= t->count)
            continue;
        if (seen[at])
            result = fail(PL_ERROR_ARGUMENT, "heat: particle %d is in two clusters; what melts must be in one or none",
                          w->clusters.member[i]);
        seen[at] = 1;
    }
    array_free(&w->memory, &seen, &capacity, 1);
    return result;
}

static pl_result check_radii(const pl_world *w, const thing *t)
{
    for (int32_t i = t->first; i < t->first + t->count; i++)
        if (!(w->state.slot[SLOT_GRAIN][4 * (size_t)w->numbers.slot_of[i]] > 0.0f))
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d has no radius; give it one, heat flows between spheres",
                        i);
    return PL_OK;
}

// ---- giving --------------------------------------------------------------------------------------------------------

static bool same_rule(const pl_heat_def *a, const pl_heat_def *b)
{
    return a->conductivity == b->conductivity && a->capacity == b->capacity && a->exchange == b->exchange &&
           a->melts == b->melts && a->melting == b->melting && a->freezing == b->freezing && a->latent == b->latent &&
           a->molten == b->molten && memcmp(&a->solid, &b->solid, sizeof a->solid) == 0;
}

static pl_result find_rule(pl_world *w, const pl_heat_def *d, int32_t *rule)
{
    heat *h = &w->heat;
    for (int64_t i = 0; i < h->rule_count; i++)
        if (same_rule(&h->rules[i], d))
        {
            *rule = (int32_t)i + 1;
            return PL_OK;
        }
    pl_result result = array_reserve(&w->memory, &h->rules, &h->rule_capacity, h->rule_count + 1, sizeof *h->rules);
    if (result == PL_OK)
    {
        memset(&h->rules[h->rule_count], 0, sizeof *h->rules); // snapshots hold its bytes
        pl_heat_def *r = &h->rules[h->rule_count];
        r->temperature = d->temperature, r->conductivity = d->conductivity, r->capacity = d->capacity;
        r->exchange = d->exchange, r->melts = d->melts, r->melting = d->melting, r->freezing = d->freezing;
        r->latent = d->latent, r->molten = d->molten, r->solid = d->solid;
        *rule = (int32_t)++h->rule_count;
    }
    return result;
}

static pl_result reserve(pl_world *w, int64_t count)
{
    heat *h = &w->heat;
    pl_result result = array_reserve(&w->memory, &h->warm, &h->capacity, count, sizeof *h->warm);
    if (result == PL_OK && count > h->count)
    {
        memset(h->warm + h->count, 0, (size_t)(count - h->count) * sizeof *h->warm);
        h->count = count;
    }
    return result;
}

pl_result pl_set_heat(pl_world *w, pl_id object, const pl_heat_def *def)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    const thing *t = thing_of(w, object, THING_OBJECT, "set heat");
    int32_t rule = 0;
    pl_result result = t ? check_rule(w, def) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = check_radii(w, t);
    if (result == PL_OK && def->melts)
        result = check_free(w, t);
    if (result == PL_OK && def->melts)
        result = check_clusters(w, t);
    if (result == PL_OK)
        result = reserve(w, (int64_t)t->first + t->count);
    if (result == PL_OK)
        result = find_rule(w, def, &rule);
    for (int32_t i = t ? t->first : 0; result == PL_OK && i < t->first + t->count; i++)
    {
        warm *m = &w->heat.warm[i];
        uint32_t phase = phase_of(w->state.slot[SLOT_GRAIN], w->numbers.slot_of[i]);
        if (!m->molten)
            m->material = material_of(phase);
        bool molten = def->melts && (double)def->temperature > (double)def->melting;
        *m = (warm){heat_at(def, (double)def->temperature, molten), rule, m->molten && def->melts, m->material, 0};
    }
    return result;
}

static pl_result check_warm(const pl_world *w, const char *call, int first, int count, const void *array)
{
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "%s: particles %d to %lld were asked for; there are %d", call, first,
                    (long long)first + count - 1, w->numbers.end);
    if (!array && count)
        return fail(PL_ERROR_ARGUMENT, "%s: the array is NULL; it must hold one number for each particle", call);
    for (int i = first; i < first + count; i++)
        if (w->numbers.slot_of[i] < 0)
            return fail(PL_ERROR_ARGUMENT, "%s: particle %d has been removed", call, i);
    return PL_OK;
}

static pl_result no_temperature(const char *call, int i)
{
    return fail(PL_ERROR_ARGUMENT, "%s: particle %d has no temperature; pl_set_heat gives it one", call, i);
}

static const warm *warm_at(const pl_world *w, int i)
{
    return i < w->heat.count && w->heat.warm[i].rule ? &w->heat.warm[i] : NULL;
}

pl_result pl_get_temperature(const pl_world *w, int first, int count, float *out)
{
    NEED(w);
    pl_result result = check_warm(w, "get temperature", first, count, out);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        const warm *m = warm_at(w, first + i);
        if (!m)
            return no_temperature("get temperature", first + i);
        out[i] = (float)temperature_of(&w->heat.rules[m->rule - 1], m);
    }
    return result;
}

pl_result pl_set_temperature(pl_world *w, int first, int count, const float *values)
{
    NEED(w);
    PLAIN_ROUNDING;
    pl_result result = check_warm(w, "set temperature", first, count, values);
    for (int i = 0; result == PL_OK && i < count; i++)
        result = warm_at(w, first + i) ? check_temperature("the new temperature", values[i])
                                       : no_temperature("set temperature", first + i);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        warm *m = &w->heat.warm[first + i];
        const pl_heat_def *r = &w->heat.rules[m->rule - 1];
        // Between the two points it stays what it is; beyond them it changes in the next step.
        bool molten = m->molten ? values[i] >= r->freezing : values[i] > r->melting;
        m->heat = heat_at(r, (double)values[i], molten);
    }
    return result;
}

pl_result pl_get_molten(const pl_world *w, int first, int count, uint8_t *out)
{
    NEED(w);
    pl_result result = check_warm(w, "get molten", first, count, out);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        const warm *m = warm_at(w, first + i);
        out[i] = m ? (uint8_t)(1 + m->molten) : 0;
    }
    return result;
}

pl_result pl_set_ambient(pl_world *w, float temperature)
{
    NEED(w);
    pl_result result = check_temperature("ambient", temperature);
    if (result == PL_OK)
        w->heat.ambient = temperature;
    return result;
}

pl_result pl_set_shape_heat(pl_world *w, pl_id id, bool on, float temperature)
{
    NEED(w);
    const thing *t = thing_of(w, id, THING_SHAPE, "set shape heat");
    pl_result result = t ? check_temperature("a shape's temperature", temperature) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    w->contacts.shapes[t->first].hot = on;
    w->contacts.shapes[t->first].temperature = temperature;
    return PL_OK;
}

pl_heat_totals pl_world_heat(const pl_world *w)
{
    pl_heat_totals all = {0};
    if (!w || pull(w, ARRAY_BIT(SLOT_X)) != PL_OK)
        return all;
    all.melted = w->heat.melted, all.frozen = w->heat.frozen;
    for (int64_t i = 0; i < w->heat.count; i++)
    {
        const warm *m = &w->heat.warm[i];
        if (!m->rule)
            continue;
        const pl_heat_def *r = &w->heat.rules[m->rule - 1];
        float t = (float)temperature_of(r, m), weight = w->state.slot[SLOT_X][4 * (size_t)slot_of(w, (int32_t)i) + 3];
        all.coldest = all.warm && all.coldest < t ? all.coldest : t;
        all.hottest = all.warm && all.hottest > t ? all.hottest : t;
        all.warm++;
        all.molten += m->molten;
        if (weight > 0.0f)
            all.heat += (m->heat + (r->melts ? (double)r->capacity * (double)r->melting : 0.0)) / (double)weight;
    }
    return all;
}

// ---- what happens to particles -------------------------------------------------------------------------------------

void heat_lost(pl_world *w, int32_t number)
{
    if (number < w->heat.count)
        memset(&w->heat.warm[number], 0, sizeof *w->heat.warm);
}

pl_result heat_split(pl_world *w, int32_t from, int32_t to)
{
    if (!warm_at(w, from))
        return PL_OK;
    pl_result result = reserve(w, (int64_t)to + 1);
    if (result == PL_OK)
        w->heat.warm[to] = w->heat.warm[from];
    return result;
}

pl_result heat_check(const pl_world *w)
{
    const heat *h = &w->heat;
    if (!is_temperature(h->ambient) || h->count > w->numbers.end)
        return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < h->rule_count; i++)
        if (check_rule(w, &h->rules[i]) != PL_OK)
            return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < h->count; i++)
    {
        const warm *m = &h->warm[i];
        if (m->rule < 0 || m->rule > h->rule_count || (m->rule && slot_of(w, (int32_t)i) < 0) ||
            (unsigned)m->molten > 1 || m->material < 0 || m->material >= w->contacts.materials ||
            !CHECK_FINITE(m->heat) || (m->molten && !(m->rule && h->rules[m->rule - 1].melts)))
            return PL_ERROR_FORMAT;
    }
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (!is_temperature(w->contacts.shapes[i].temperature))
            return PL_ERROR_FORMAT;
    return PL_OK;
}

void heat_free(pl_world *w)
{
    heat *h = &w->heat;
    memory *m = &w->memory;
    int64_t *c = h->capacities;
    array_free(m, &h->rules, &h->rule_capacity, sizeof *h->rules);
    array_free(m, &h->warm, &h->capacity, sizeof *h->warm);
    array_free(m, &h->number, &c[0], sizeof *h->number);
    array_free(m, &h->x, &c[1], 4 * sizeof *h->x);
    array_free(m, &h->grain, &c[2], 4 * sizeof *h->grain);
    array_free(m, &h->t, &c[3], sizeof *h->t);
    array_free(m, &h->gain, &c[4], sizeof *h->gain);
    array_free(m, &h->mass, &c[5], sizeof *h->mass);
    array_free(m, &h->wall, &c[6], 2 * sizeof *h->wall);
    array_free(m, &h->was, &c[7], sizeof *h->was);
    array_free(m, &h->index, &c[8], sizeof *h->index);
    array_free(m, &h->conduct, &c[9], sizeof *h->conduct);
    grid_free(&h->grid, m);
    array_free(m, &h->node, &h->room[0], sizeof *h->node);
    array_free(m, &h->home, &h->room[1], sizeof *h->home);
    array_free(m, &h->size, &h->room[2], sizeof *h->size);
    array_free(m, &h->goal, &h->room[3], sizeof *h->goal);
    array_free(m, &h->mark, &h->room[4], sizeof *h->mark);
    array_free(m, &h->members, &h->room[5], sizeof *h->members);
    array_free(m, &h->sorted, &h->room[6], sizeof *h->sorted);
    array_free(m, &h->tally, &h->room[7], sizeof *h->tally);
    array_free(m, &h->group, &h->room[8], sizeof *h->group);
}
