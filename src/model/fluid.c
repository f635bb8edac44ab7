// fluid.c: computes the kernel of a world's fluid from its spacing (kernels/fluid.h). Double precision, with + - * / and
// sqrt alone, in a fixed order: equal bits on every machine.
#include "model/fluid.h"

#include <math.h>
#include <string.h>

fluid_kernel fluid_kernel_for(float spacing)
{
    const int reach = (int)FLUID_SUPPORT;
    double h = (double)FLUID_SUPPORT * (double)spacing, volume = (double)spacing * (double)spacing * (double)spacing;
    double sum = 0.0, squares = 0.0, acts = 0.0, quarter = 0.75;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++)
            {
                double r = sqrt((double)(x * x + y * y + z * z)) / (double)FLUID_SUPPORT, a = r < 1.0 ? 1.0 - r : 0.0;
                double slope = 20.0 * a * a * a * r / h; // |grad W|/k
                sum += a * a * a * a * (1.0 + 4.0 * r);
                squares += slope * slope;
                acts += slope * r * h / 3.0;
            }
    double height = (double)FLUID_REST / (sum * volume), gradient = height * volume;
    double q6 = quarter * quarter * quarter * quarter * quarter * quarter;
    return (fluid_kernel){.support = (float)h,
                          .inverse = (float)(1.0 / h),
                          .height = (float)height,
                          .slope = (float)(20.0 * height / (h * h)),
                          .wall = (float)(q6 * (3.5 - 4.5 * quarter + 1.5 * quarter * quarter)),
                          .least = (float)((double)FLUID_LEAST * gradient * gradient * squares),
                          .gauge = (float)(gradient * acts),
                          .spread = (float)(150.0 / (h * h))};
}

void fluid_measure(pl_world *w)
{
    packed_fluid *f = &w->state.fluid;
    f->gases = w->gases;
    memcpy(f->gas, w->gas, sizeof f->gas);
    if (!w->contacts.colliders_stale && !w->order_stale && !w->components_stale)
        return; // neither radii nor masses have changed
    bool had_solids = f->solids;
    float spacing = 0.0f, weight = 0.0f;
    bool solids = false, several = w->emitters.count > 0; // those inside of a nozzle are fixed
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        if (w->number_of[slot] < 0)
            continue;
        if (!is_fluid(w, slot))
        {
            solids |= w->state.slot[SLOT_COLLISION][4 * (size_t)slot] > 0.0f;
            continue;
        }
        if (inverse_mass(w, slot) > 0.0f)
        {
            several |= weight > 0.0f && weight != inverse_mass(w, slot);
            weight = inverse_mass(w, slot);
        }
        else
            several |= !is_inactive(w->state.slot[SLOT_COLLISION], slot);
        spacing = w->state.slot[SLOT_FLUID][4 * (size_t)slot];
    }
    f->solids = spacing > 0.0f && solids;
    f->mixed = spacing > 0.0f && (solids || several);
    w->plan_stale |= had_solids != f->solids;
    if (f->spacing != spacing)
        f->kernel = spacing > 0.0f ? fluid_kernel_for(spacing) : (fluid_kernel){0};
    f->spacing = spacing;
}
