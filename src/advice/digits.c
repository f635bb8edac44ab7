// digits.c: warns if a scene is so far from the origin, or cut into so many substeps, that slow motion is lost.
//
// Positions have steps: beyond 2^k metres, of 2^(k - 23). A substep keeps what is below a step in 512ths of it
// (src/kernels/displacement.h), so a particle that moves by less than half of such a part in a substep stands still.
#include "advice.h"

#include <math.h>
#include <stdlib.h>

#define TELLS 1e-3 // m/s: slower motion is lost

// The speed below which a particle at x stands still.
static double lost_speed(float x, double h)
{
    return ((double)nextafterf(fabsf(x), INFINITY) - (double)fabsf(x)) / 1024.0 / h;
}

void advise_digits(struct advice *a)
{
    const pl_world *world = a->world;
    pl_settings s = pl_world_settings(world);
    int count = pl_particle_end(world);
    float *x = malloc(((size_t)count + 1) * 4 * sizeof *x), far = 0.0f;
    double h = (double)a->dt / s.substeps;
    float *mass = x ? x + 3 * (size_t)count : NULL;
    bool known = x && pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x) == PL_OK &&
                 pl_get(world, PL_ATTRIBUTE_MASS, 0, count, mass) == PL_OK;
    for (int i = 0; known && i < 3 * count; i++)
        if (mass[i / 3] > 0.0f && fabsf(x[i]) > far)
            far = fabsf(x[i]);
    free(x);
    double lost = lost_speed(far, h);
    if (lost <= TELLS)
        return;
    advise(a,
           "%g m from the origin, in substeps of %.2g s, motion below %.2g mm/s is lost in the rounding of "
           "float32; use fewer substeps, or move the scene nearer to the origin",
           (double)far, h, 1e3 * lost);
}
