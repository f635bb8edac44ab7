// heat_check.c: checks temperatures, heat rules and radii, when heat is set and when a snapshot is read.
// groups/melting.c checks which particles may melt.
#include "groups/clusters.h"
#include "groups/melting.h"
#include "model/world.h"
#include "neighbours/heat/heat.h"

#include <string.h>

#define HOTTEST 1e6f // temperatures are from -HOTTEST to HOTTEST

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

// ---- snapshots -----------------------------------------------------------------------------------------------------

// Is the heat of a particle in range? A particle without a rule has no temperature.
static bool particle_heat_fits(const pl_world *w, int32_t number)
{
    const heat *h = &w->heat;
    const particle_heat *m = &h->of_particle[number];
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
        if (!particle_heat_fits(w, (int32_t)i))
            return PL_ERROR_FORMAT;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (!is_temperature(w->contacts.shapes[i].temperature))
            return PL_ERROR_FORMAT;
    return h->rule_count ? heat_check_free(w, 0, 0) : PL_OK;
}
