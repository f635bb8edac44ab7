// digits.c: is a scene so far from the origin, or cut into so many substeps, that float32 falls otherwise than gravity says?
//
// A velocity is what a particle has moved in a substep, and positions have steps: beyond 2^k metres, of 2^(k - 23). What gravity adds to a way
// in a substep, g h^2, is known to 256ths of them (src/kernels/rounding_carry.h).
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TELLS 0.03 // of gravity

// By which part of itself is a way rounded among positions like x? -1: to nothing.
static double rounded_by(double way, float x)
{
    double step = (double)nextafterf(fabsf(x), INFINITY) - (double)fabsf(x), parts = 256.0 * way / step;
    return (rint(parts) - parts) / parts;
}

int warn_of_digits(const pl_world *world, float dt, FILE *to, const char *before)
{
    pl_settings s = pl_world_settings(world);
    const float gravity[3] = {s.gravity.x, s.gravity.y, s.gravity.z};
    int count = pl_particle_end(world), axis = 0;
    float *x = malloc(((size_t)count + 1) * 4 * sizeof *x), far = 0.0f;
    double h = (double)dt / s.substeps, off = 0.0;
    for (int k = 1; k < 3; k++)
    {
        axis = fabsf(gravity[k]) > fabsf(gravity[axis]) ? k : axis;
    }
    double way = fabs((double)gravity[axis]) * h * h;
    float *mass = x ? x + 3 * (size_t)count : NULL;
    bool known = x && way > 0.0 && pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x) == PL_OK &&
                 pl_get(world, PL_ATTRIBUTE_MASS, 0, count, mass) == PL_OK;
    for (int i = 0; known && i < count; i++)
    {
        double more = mass[i] > 0.0f ? rounded_by(way, x[3 * i + axis]) : 0.0;
        if (fabs(more) > fabs(off))
        {
            off = more;
            far = x[3 * i + axis];
        }
    }
    free(x);
    if (fabs(off) <= TELLS)
    {
        return 0;
    }
    fprintf(to, "%swarning: at %c = %g float32 cannot resolve the fall of one substep, %.1e m: ", before, 'x' + axis,
            (double)far, way);
    if (off == -1.0)
    {
        fprintf(to, "an object at rest does not fall");
    }
    else
    {
        fprintf(to, "objects fall %.0f %% too %s", 100.0 * fabs(off), off > 0.0 ? "fast" : "slowly");
    }
    fprintf(to, "; use fewer substeps, or move the scene nearer to the origin\n");
    return 1;
}
