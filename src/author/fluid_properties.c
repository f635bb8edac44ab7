// fluid_properties.c: checks and changes the properties of a fluid.
#include "author/fluid_properties.h"

#include "core/trig.h"
#include "kernels/fluid_viscosity.h"
#include "model/fluid.h"

pl_result fluid_check_range(const char *what, float value, float least, float most, const char *unit)
{
    if (value >= least && value <= most)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "fluid: %s is %g; it must be from %g to %g%s", what, (double)value, (double)least,
                (double)most, unit);
}

static pl_result check_flow(const pl_fluid_def *d)
{
    pl_result result = fluid_check_range("vorticity", d->vorticity, 0.0f, 1e6f, "");
    if (result == PL_OK)
        result = fluid_check_range("drag", d->drag, 0.0f, 1e6f, " 1/s");
    if (result == PL_OK)
        result = fluid_check_range("dye", d->dye, 0.0f, 1.0f, "");
    return result == PL_OK ? fluid_check_range("diffusivity", d->diffusivity, 0.0f, 1e6f, " m^2/s") : result;
}

pl_result fluid_check_properties(const pl_fluid_def *d)
{
    pl_result result = fluid_check_range("viscosity", d->viscosity, 0.0f, 1e6f, " m^2/s");
    if (result == PL_OK)
        result = fluid_check_range("smoothing", d->smoothing, 0.0f, FLUID_STILL, "");
    if (result == PL_OK)
        result = fluid_check_range("tension", d->tension, 0.0f, 1e6f, " N/m");
    if (result == PL_OK)
        result = fluid_check_range("interface_tension", d->interface_tension, 0.0f, 1e6f, " N/m");
    if (result == PL_OK)
        result = fluid_check_range("contact_angle", d->contact_angle, 0.0f, 180.0f, " degrees");
    if (result == PL_OK)
        result = fluid_check_range("wall_friction", d->wall_friction, 0.0f, 1.0f, "");
    if (result == PL_OK)
        result = check_flow(d);
    if (result == PL_OK && (d->phase < 0 || d->phase > 255))
        result = fail(PL_ERROR_ARGUMENT, "fluid: phase is %d; it must be from 0 to 255", d->phase);
    return result;
}

// Exactly -1 for an angle of 180 degrees: no adhesion.
static float cosine(float angle) { return angle >= 180.0f ? -1.0f : cosine_of_turns(angle / 360.0f); }

void fluid_put_properties(pl_world *w, int32_t slot, const pl_fluid_def *d)
{
    float *fluid = w->state.slot[SLOT_FLUID] + 4 * (size_t)slot;
    float *liquid = w->state.slot[SLOT_LIQUID] + 4 * (size_t)slot;
    fluid[1] = d->smoothing, fluid[2] = d->viscosity, fluid[3] = (float)d->phase;
    liquid[0] = d->tension, liquid[1] = d->interface_tension, liquid[2] = cosine(d->contact_angle),
    liquid[3] = d->wall_friction;
    float *flow = w->state.slot[SLOT_FLOW] + 4 * (size_t)slot;
    flow[0] = d->vorticity, flow[1] = d->drag, flow[2] = d->diffusivity, flow[3] = d->dye;
}

// All particles of the range are of fluids.
static pl_result check_wet(const pl_world *w, int first, int count)
{
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "fluid: particles %d to %lld were named; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    for (int i = first; i < first + count; i++)
    {
        int32_t slot = slot_of(w, i);
        if (slot < 0)
            return fail(PL_ERROR_ARGUMENT, "fluid: particle %d has been removed; use one that exists", i);
        if (!is_fluid(w, slot))
            return fail(PL_ERROR_ARGUMENT, "fluid: particle %d is not of a fluid; name particles of fluids only", i);
    }
    return PL_OK;
}

pl_result pl_set_fluid(pl_world *w, int first, int count, const pl_fluid_def *def)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    const uint32_t arrays = ARRAY_BIT(SLOT_FLUID) | ARRAY_BIT(SLOT_LIQUID) | ARRAY_BIT(SLOT_FLOW);
    pl_result result = check_wet(w, first, count);
    if (result == PL_OK)
        result = fluid_check_properties(def);
    if (result == PL_OK)
        result = pull(w, arrays);
    if (result != PL_OK)
        return result;
    mark_changed(w, arrays);
    for (int i = first; i < first + count; i++)
        fluid_put_properties(w, slot_of(w, i), def);
    w->contacts.colliders_stale = w->contacts.stale = true;
    return PL_OK;
}

pl_result pl_set_dye(pl_world *w, int first, int count, const float *dye)
{
    NEED(w);
    PLAIN_ROUNDING;
    pl_result result = check_wet(w, first, count);
    if (result == PL_OK && !dye && count)
        result = fail(PL_ERROR_ARGUMENT, "fluid: the array is NULL; it must hold one number for each particle");
    for (int i = 0; result == PL_OK && i < count; i++)
        result = fluid_check_range("dye", dye[i], 0.0f, 1.0f, "");
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_DYE));
    if (result != PL_OK)
        return result;
    mark_changed(w, ARRAY_BIT(SLOT_DYE));
    for (int i = 0; i < count; i++)
    {
        float *to = w->state.slot[SLOT_DYE] + 4 * (size_t)slot_of(w, first + i);
        to[0] = to[1] = dye[i];
    }
    return PL_OK;
}

pl_result pl_get_dye(const pl_world *w, int first, int count, float *dye)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "fluid: particles %d to %lld were asked for; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    if (!dye && count)
        return fail(PL_ERROR_ARGUMENT, "fluid: the array is NULL; it must hold one number for each particle");
    pl_result result = pull((pl_world *)w, ARRAY_BIT(SLOT_DYE)); // what a world shows does not change
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        int32_t slot = slot_of(w, first + i);
        if (slot < 0)
            return fail(PL_ERROR_ARGUMENT, "fluid: particle %d has been removed; use one that exists", first + i);
        dye[i] = w->state.slot[SLOT_DYE][4 * (size_t)slot];
    }
    return result;
}
