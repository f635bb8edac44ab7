// fluid.c: finds what the fluids of a world need: their kernel (kernels/fluid.h), in double precision with + - * / and sqrt
// alone, in a fixed order, so that the bits are equal on every machine; and the passes of their viscosity.
#include "model/fluid.h"

#include "kernels/fluid_viscosity.h"

#include <math.h>
#include <string.h>

fluid_kernel fluid_kernel_for(float spacing)
{
    const int reach = (int)FLUID_SUPPORT;
    double h = (double)FLUID_SUPPORT * (double)spacing, volume = (double)spacing * (double)spacing * (double)spacing;
    double sum = 0.0, squares = 0.0, acts = 0.0, moment = 0.0, drags = 0.0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++)
            {
                double r = sqrt((double)(x * x + y * y + z * z)) / (double)FLUID_SUPPORT, a = r < 1.0 ? 1.0 - r : 0.0;
                double slope = 20.0 * a * a * a * r / h; // |grad W|/k
                sum += a * a * a * a * (1.0 + 4.0 * r);
                double drag = r > 0.0 ? a * (a + 0.773) : 0.0;
                drags += drag;
                moment += drag * r * r * h * h;
                squares += slope * slope;
                acts += slope * r * h / 3.0;
            }
    double height = (double)FLUID_REST / (sum * volume), gradient = height * volume;
    return (fluid_kernel){.support = (float)h,
                          .inverse = (float)(1.0 / h),
                          .height = (float)height,
                          .slope = (float)(20.0 * height / (h * h)),
                          .wall = (float)(1.0 / ((double)FLUID_BEFORE * (double)spacing)),
                          .least = (float)((double)FLUID_LEAST * gradient * gradient * squares),
                          .gauge = (float)(gradient * acts),
                          .drag = (float)((double)FLUID_DRAG / (drags * volume)),
                          .spread = (float)(30.0 * drags / ((double)FLUID_DRAG * moment))};
}

// What the particles of the fluids have in common, and what some of them have.
typedef struct fluid_survey
{
    float spacing, light, heavy; // inverse masses of those that move; heavy: 0 if some are fixed
    float viscosity, smoothing;  // the largest
    float phase;
    bool fixed, solids, tense, rubs, wets, phases, whirls, airy, dyed;
} fluid_survey;

static void survey_flow(fluid_survey *v, const float *flow)
{
    v->whirls |= flow[0] > 0.0f;
    v->airy |= flow[1] > 0.0f;
    v->dyed |= flow[2] > 0.0f;
}

static fluid_survey survey(const pl_world *w)
{
    fluid_survey v = {.fixed = w->emitters.count > 0}; // those inside of a nozzle are fixed
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        if (w->number_of[slot] < 0)
            continue;
        if (!is_fluid(w, slot))
        {
            v.solids |= w->state.slot[SLOT_COLLISION][4 * (size_t)slot] > 0.0f;
            continue;
        }
        const float *fluid = w->state.slot[SLOT_FLUID] + 4 * (size_t)slot;
        const float *liquid = w->state.slot[SLOT_LIQUID] + 4 * (size_t)slot;
        float weight = inverse_mass(w, slot);
        if (weight > 0.0f)
        {
            v.heavy = v.light == 0.0f || weight < v.heavy ? weight : v.heavy;
            v.light = weight > v.light ? weight : v.light;
        }
        else
            v.fixed |= !is_inactive(w->state.slot[SLOT_COLLISION], slot);
        v.smoothing = fluid[1] > v.smoothing ? fluid[1] : v.smoothing;
        v.viscosity = fluid[2] > v.viscosity ? fluid[2] : v.viscosity;
        v.tense |= liquid[0] > 0.0f;
        v.wets |= liquid[0] > 0.0f && liquid[2] > -1.0f;
        v.phases |= v.spacing > 0.0f && v.phase != fluid[3];
        v.phase = fluid[3];
        v.rubs |= liquid[3] > 0.0f;
        survey_flow(&v, w->state.slot[SLOT_FLOW] + 4 * (size_t)slot);
        v.spacing = fluid[0];
    }
    v.heavy = v.fixed ? 0.0f : v.heavy;
    return v;
}

void fluid_measure(pl_world *w)
{
    packed_fluid *f = &w->state.fluid, before = *f;
    f->gases = w->gases;
    memcpy(f->gas, w->gas, sizeof f->gas);
    if (!w->contacts.colliders_stale && !w->order_stale && !w->components_stale)
        return; // neither radii nor masses have changed
    fluid_survey v = survey(w);
    f->solids = v.spacing > 0.0f && v.solids;
    f->mixed = v.spacing > 0.0f && (v.solids || v.fixed || v.light != v.heavy);
    f->tense = v.tense;
    f->wets = v.wets;
    f->phases = v.phases;
    f->rubs = v.rubs;
    f->whirls = v.whirls, f->airy = v.airy, f->dyed = v.dyed;
    f->smoothing = v.smoothing;
    f->viscosity = v.viscosity;
    f->contrast = v.fixed ? 2.0f : v.light > 0.0f ? 2.0f * v.light / (v.light + v.heavy) : 1.0f;
    f->sight = v.rubs || v.wets ? FLUID_FAR_SIGHT : FLUID_SIGHT;
    w->plan_stale |= before.solids != f->solids || before.tense != f->tense || before.rubs != f->rubs;
    w->plan_stale |= before.whirls != f->whirls || before.airy != f->airy || before.dyed != f->dyed;
    if (f->spacing != v.spacing)
        f->kernel = v.spacing > 0.0f ? fluid_kernel_for(v.spacing) : (fluid_kernel){0};
    f->spacing = v.spacing;
}

int32_t fluid_room(const pl_world *w)
{
    const packed_fluid *f = &w->state.fluid;
    return f->spacing == 0.0f ? 0 : f->tense || f->rubs || f->whirls || f->viscosity > 0.0f ? 2 : 1;
}

// Passes are needed where a substep would take more than FLUID_STILL of a difference of velocities, or if walls rub. The
// error that is left is 1/T_passes(t), with Chebyshev's polynomial T (kernels/fluid_viscosity.h).
bool fluid_follow_step(pl_world *w, float substep)
{
    packed_fluid *f = &w->state.fluid;
    float share = f->smoothing + f->viscosity * (f->kernel.spread * substep);
    int32_t passes = 0;
    f->reach = FLUID_SPECTRUM * f->contrast * share;
    if (f->viscosity > 0.0f && (share > FLUID_STILL || f->rubs))
    {
        double t = (2.0 + (double)f->reach) / (double)f->reach, a = 1.0, b = t;
        for (passes = 1; passes < FLUID_PASSES && b * FLUID_UNSOLVED < 1.0; passes++)
        {
            double next = 2.0 * t * b - a;
            a = b, b = next;
        }
    }
    bool changed = passes != f->passes;
    w->plan_stale |= changed;
    f->passes = passes;
    return changed;
}
