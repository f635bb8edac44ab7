// heat.c: stores which particles have a temperature and sets and reads it. heat_check.c checks arguments, conduction.c
// conducts heat, edit/melt.c melts and freezes.
#include "edit/melt.h"
#include "groups/melting.h"
#include "model/world.h"
#include "neighbours/heat/heat.h"

#include <math.h>
#include <string.h>

pl_heat_def pl_default_heat_def(void)
{
    return (pl_heat_def){
        .temperature = 20.0f, .conductivity = 1.0f, .capacity = 1000.0f, .solid = pl_default_cluster_material()};
}

// ---- temperature and heat ------------------------------------------------------------------------------------------

double temperature_of(const pl_heat_def *r, const particle_heat *m) { return heat_temperature(r, m->heat, m->molten); }

double heat_at(const pl_heat_def *r, double temperature, bool molten)
{
    if (!r->melts)
        return (double)r->capacity * temperature;
    return (double)r->capacity * (temperature - (double)r->melting) + (molten ? (double)r->latent : 0.0);
}

// ---- setting and reading -------------------------------------------------------------------------------------------

static bool same_rule(const pl_heat_def *a, const pl_heat_def *b)
{
    return a->conductivity == b->conductivity && a->capacity == b->capacity && a->exchange == b->exchange &&
           a->melts == b->melts && a->melting == b->melting && a->freezing == b->freezing && a->latent == b->latent &&
           a->molten == b->molten && memcmp(&a->solid, &b->solid, sizeof a->solid) == 0;
}

// The index of the first rule that no particle uses, or one past the last.
static int64_t spare_rule(const heat *h)
{
    for (int64_t i = 0; i < h->rule_count; i++)
    {
        int64_t k = 0;
        while (k < h->count && h->of_particle[k].rule != i + 1)
            k++;
        if (k == h->count)
            return i;
    }
    return h->rule_count;
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
    int64_t at = spare_rule(h);
    pl_result result = array_reserve(&w->memory, &h->rules, &h->rule_capacity, at + 1, sizeof *h->rules);
    if (result == PL_OK)
    {
        h->rules[at] = *d;
        h->rule_count = at < h->rule_count ? h->rule_count : at + 1;
        *rule = (int32_t)at + 1;
    }
    return result;
}

// Clears the melting parameters of a material that does not melt, so that equal rules compare equal.
static pl_heat_def plain_rule(const pl_heat_def *d)
{
    pl_heat_def r = *d;
    if (!r.melts)
    {
        r.melting = r.freezing = r.latent = 0.0f;
        r.molten = 0;
        r.solid = pl_default_cluster_material();
    }
    return r;
}

// Gives a particle a temperature and a rule.
static void set_particle_heat(pl_world *w, int32_t number, const pl_heat_def *d, int32_t rule)
{
    particle_heat *m = &w->heat.of_particle[number];
    bool hot = d->melts && d->temperature > d->melting, was = m->molten;
    if (!was)
        m->material = material_of(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[number]);
    m->heat = heat_at(d, (double)d->temperature, hot);
    m->rule = rule;
    m->molten = was && d->melts;
    if (!was)
        return;
    mark_changed(w, ARRAY_BIT(SLOT_COLLISION));
    melt_surface(w, number);
    w->contacts.colliders_stale = w->contacts.stale = true;
}

pl_result pl_set_heat(pl_world *w, pl_id object, const pl_heat_def *def)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    const id_entry *t = id_find(w, object, ID_OBJECT, "set heat");
    pl_heat_def d = plain_rule(def);
    int32_t rule = 0;
    pl_result result = t ? heat_check_rule(w, &d) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_COLLISION));
    if (result == PL_OK)
        result = heat_check_radii(w, t->first, t->count);
    if (result == PL_OK && d.melts)
        result = heat_check_free(w, t->first, t->count);
    if (result == PL_OK)
        result = heat_reserve(w, (int64_t)t->first + t->count);
    if (result == PL_OK)
        result = find_rule(w, &d, &rule);
    if (result != PL_OK)
        return result;
    for (int32_t i = t->first; i < t->first + t->count; i++)
        set_particle_heat(w, i, &d, rule);
    return PL_OK;
}

static pl_result check_range(const pl_world *w, const char *call, int first, int count, const void *array)
{
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "%s: particles %d to %lld were asked for; there are %d", call, first,
                    (long long)first + count - 1, w->numbers.end);
    if (!array && count)
        return fail(PL_ERROR_ARGUMENT, "%s: the array is NULL; it must hold one number for each particle", call);
    return PL_OK;
}

// Returns NULL for a particle without a temperature.
static const particle_heat *heat_of_particle(const pl_world *w, int i)
{
    return i < w->heat.count && w->heat.of_particle[i].rule ? &w->heat.of_particle[i] : NULL;
}

pl_result pl_get_temperature(const pl_world *w, int first, int count, float *out)
{
    NEED(w);
    pl_result result = check_range(w, "get temperature", first, count, out);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        const particle_heat *m = heat_of_particle(w, first + i);
        out[i] = m ? (float)temperature_of(&w->heat.rules[m->rule - 1], m) : NAN;
    }
    return result;
}

pl_result pl_set_temperature(pl_world *w, int first, int count, const float *values)
{
    NEED(w);
    PLAIN_ROUNDING;
    pl_result result = check_range(w, "set temperature", first, count, values);
    for (int i = 0; result == PL_OK && i < count; i++)
        result = heat_of_particle(w, first + i)
                     ? heat_check_temperature("the new temperature", values[i])
                     : fail(PL_ERROR_ARGUMENT,
                            "set temperature: particle %d has no temperature; pl_set_heat gives it one", first + i);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        particle_heat *m = &w->heat.of_particle[first + i];
        const pl_heat_def *r = &w->heat.rules[m->rule - 1];
        // Between freezing and melting point the state stays as it is; beyond them it changes in the next step.
        bool molten = m->molten ? values[i] >= r->freezing : values[i] > r->melting;
        m->heat = heat_at(r, (double)values[i], molten);
    }
    return result;
}

pl_result pl_get_molten(const pl_world *w, int first, int count, uint8_t *out)
{
    NEED(w);
    pl_result result = check_range(w, "get molten", first, count, out);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        const particle_heat *m = heat_of_particle(w, first + i);
        out[i] = m ? (uint8_t)(1 + m->molten) : 0;
    }
    return result;
}

pl_result pl_set_ambient(pl_world *w, float temperature)
{
    NEED(w);
    pl_result result = heat_check_temperature("ambient", temperature);
    if (result == PL_OK)
        w->heat.ambient = temperature;
    return result;
}

pl_result pl_set_shape_heat(pl_world *w, pl_id id, bool on, float temperature)
{
    NEED(w);
    const id_entry *t = id_find(w, id, ID_SHAPE, "set shape heat");
    pl_result result = t ? heat_check_temperature("a shape's temperature", temperature) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    w->contacts.shapes[t->first].hot = on;
    w->contacts.shapes[t->first].temperature = temperature;
    return PL_OK;
}

pl_heat_totals pl_world_heat(const pl_world *w)
{
    pl_heat_totals all = {0};
    if (!w)
        return all;
    all.melted = w->heat.melted, all.frozen = w->heat.frozen;
    for (int64_t i = 0; i < w->heat.count; i++)
    {
        const particle_heat *m = &w->heat.of_particle[i];
        if (!m->rule)
            continue;
        const pl_heat_def *r = &w->heat.rules[m->rule - 1];
        float t = (float)temperature_of(r, m), weight = inverse_mass(w, slot_of(w, (int32_t)i));
        all.coldest = all.warm && all.coldest < t ? all.coldest : t;
        all.hottest = all.warm && all.hottest > t ? all.hottest : t;
        all.warm++;
        all.molten += m->molten;
        if (weight > 0.0f)
            all.heat += (m->heat + (r->melts ? (double)r->capacity * (double)r->melting : 0.0)) / (double)weight;
    }
    return all;
}

void heat_free(pl_world *w)
{
    heat *h = &w->heat;
    memory *m = &w->memory;
    int64_t *c = h->capacities;
    array_free(m, &h->rules, &h->rule_capacity, sizeof *h->rules);
    array_free(m, &h->of_particle, &h->capacity, sizeof *h->of_particle);
    array_free(m, &h->number, &c[0], sizeof *h->number);
    array_free(m, &h->was, &c[2], sizeof *h->was);
    array_free(m, &h->before, &c[8], sizeof *h->before);
    array_free(m, &h->nodes, &c[3], sizeof *h->nodes);
    array_free(m, &h->t, &c[4], 2 * sizeof *h->t);
    array_free(m, &h->conducts, &c[5], sizeof *h->conducts);
    array_free(m, &h->hot, &c[6], sizeof *h->hot);
    array_free(m, &h->parts, &c[7], sizeof *h->parts);
    array_free(m, &h->node, &h->room[0], sizeof *h->node);
    array_free(m, &h->cluster_of, &h->room[1], sizeof *h->cluster_of);
    array_free(m, &h->size, &h->room[2], sizeof *h->size);
    array_free(m, &h->goal, &h->room[3], sizeof *h->goal);
    array_free(m, &h->mark, &h->room[4], sizeof *h->mark);
    array_free(m, &h->members, &h->room[5], sizeof *h->members);
    array_free(m, &h->sorted, &h->room[6], sizeof *h->sorted);
    array_free(m, &h->tally, &h->room[7], sizeof *h->tally);
    array_free(m, &h->group, &h->room[8], sizeof *h->group);
    array_free(m, &h->mixed, &h->room[9], sizeof *h->mixed);
}
