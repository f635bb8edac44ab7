// fluid_probe.c: reads a fluid at a point: the mean of what the particles around have, weighted by Wendland's kernel of two
// spacings (Shepard 1968). Sums are in double, in the order of particles.
#include "core/rounding.h"
#include "model/fluid.h"

#include <math.h>

// What the particles around a point have, summed up with their weights.
typedef struct probe_sums
{
    double weight, pressure, density, velocity[3];
    int particles;
} probe_sums;

static pl_result add_particle(const pl_world *w, int32_t number, int32_t slot, pl_vec3 point, probe_sums *sums)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot, *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
    double d[3] = {(double)x[0] - (double)point.x, (double)x[1] - (double)point.y, (double)x[2] - (double)point.z};
    double reach = (double)FLUID_SUPPORT * (double)w->state.slot[SLOT_FLUID][4 * (size_t)slot];
    double square = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (reach * reach);
    float density = 0.0f, pressure = 0.0f;
    if (!(square < 1.0))
        return PL_OK;
    pl_result result = pl_get_fluid(w, number, 1, &density, &pressure);
    double q = sqrt(square), a = 1.0 - q, weight = a * a * a * a * (1.0 + 4.0 * q);
    sums->weight += weight;
    sums->pressure += weight * (double)pressure;
    sums->density += weight * (double)density;
    for (int c = 0; c < 3; c++)
        sums->velocity[c] += weight * (double)v[c];
    sums->particles++;
    return result;
}

pl_result pl_probe_fluid(const pl_world *w, pl_vec3 point, pl_fluid_probe *probe)
{
    NEED(w);
    NEED(probe);
    PLAIN_ROUNDING;
    probe_sums s = {0};
    *probe = (pl_fluid_probe){0};
    if (!finite3(point))
        return fail(PL_ERROR_ARGUMENT, "fluid probe: the point must be finite");
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V));
    for (int32_t number = 0; number < w->numbers.end && result == PL_OK; number++)
    {
        int32_t slot = slot_of(w, number);
        bool active = slot >= 0 && !is_inactive(w->state.slot[SLOT_COLLISION], slot);
        if (active && is_fluid(w, slot))
            result = add_particle(w, number, slot, point, &s);
    }
    if (result == PL_OK && s.weight > 0.0)
        *probe = (pl_fluid_probe){.particles = s.particles,
                                  .pressure = (float)(s.pressure / s.weight),
                                  .density = (float)(s.density / s.weight),
                                  .velocity = {(float)(s.velocity[0] / s.weight), (float)(s.velocity[1] / s.weight),
                                               (float)(s.velocity[2] / s.weight)}};
    return result;
}
