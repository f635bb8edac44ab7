// fluid.c: reads the density and the pressure of fluids.
#include "model/fluid.h"

// The pressure of a multiplier of 1, for the volume of a particle.
static double pressure_scale(const pl_world *w, int32_t slot)
{
    double a = (double)w->state.slot[SLOT_FLUID][4 * (size_t)slot];
    return (double)w->state.fluid.kernel.gauge * (double)w->force_scale / (a * a * a);
}

static pl_result pull_fluid(const pl_world *w)
{
    return pull((pl_world *)w, ARRAY_BIT(SLOT_PRESSURE)); // what a world shows does not change
}

pl_fluid_totals pl_world_fluid(const pl_world *w)
{
    pl_fluid_totals t = {0};
    if (!w || pull_fluid(w) != PL_OK)
        return t;
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        if (w->number_of[slot] < 0 || !is_fluid(w, slot) || is_inactive(w->state.slot[SLOT_COLLISION], slot))
            continue;
        const float *p = w->state.slot[SLOT_PRESSURE] + 4 * (size_t)slot;
        double a = (double)w->state.slot[SLOT_FLUID][4 * (size_t)slot], c = p[1] > 0.0f ? (double)p[1] : 0.0;
        double pressure = -(double)p[0] * pressure_scale(w, slot);
        t.particles++;
        t.volume += a * a * a;
        t.compression_mean += c;
        t.compression_max = c > t.compression_max ? c : t.compression_max;
        t.pressure_max = pressure > t.pressure_max ? pressure : t.pressure_max;
    }
    t.compression_mean /= t.particles ? (double)t.particles : 1.0;
    return t;
}

pl_result pl_get_fluid(const pl_world *w, int first, int count, float *density, float *pressure)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "fluid: particles %d to %lld were asked for; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    pl_result result = pull_fluid(w);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        int32_t slot = slot_of(w, first + i);
        if (slot < 0)
            return fail(PL_ERROR_ARGUMENT, "fluid: particle %d has been removed; use one that exists", first + i);
        const float *p = w->state.slot[SLOT_PRESSURE] + 4 * (size_t)slot;
        bool wet = is_fluid(w, slot) && !is_inactive(w->state.slot[SLOT_COLLISION], slot) && w->frame > 0;
        double a = wet ? (double)w->state.slot[SLOT_FLUID][4 * (size_t)slot] : 1.0,
               weight = (double)inverse_mass(w, slot);
        double rest = wet && weight > 0.0 ? 1.0 / (weight * a * a * a) : 0.0;
        if (density)
            density[i] = (float)(rest * (1.0 + (double)p[1]));
        if (pressure)
            pressure[i] = wet ? (float)(-(double)p[0] * pressure_scale(w, slot)) : 0.0f;
    }
    return result;
}
