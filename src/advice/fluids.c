// fluids.c: warns if a fluid is too deep for the substeps and iterations: it is compressed, and in the end flies apart.
//
// A still tank of L layers of the spacing a has a mean compression of about 0.31 L g h^2/(a iterations), h the substep
// (physics.fluid: 20 layers at 10 x 2 have 0.43 %, at 4 x 2 2.7 %, at 3 x 2 4.7 %; 12 at 1 x 10 4.9 %). Above about 10 %
// it does not come to rest (20 layers at 2 x 2, 12 at 1 x 4).
#include "advice.h"

#include <math.h>
#include <stdlib.h>

#define COMPRESSES 0.31
#define TELLS 0.06  // expected mean compressions above this are told
#define WANTED 0.01 // ... and what is advised has this

// The depth of an object along gravity, in spacings; 0 for a gas, which the air carries.
static double depth_of(const struct advice *a, const struct scene_object *o, const double down[3], double spacing)
{
    float *x = malloc(((size_t)o->count + 1) * 3 * sizeof *x), hot = 0.0f;
    double low = INFINITY, high = -INFINITY;
    bool known = x && pl_get(a->world, PL_ATTRIBUTE_POSITION, o->first, o->count, x) == PL_OK;
    for (int i = 0; known && i < o->count; i++)
    {
        double at = down[0] * (double)x[3 * i] + down[1] * (double)x[3 * i + 1] + down[2] * (double)x[3 * i + 2];
        low = fmin(low, at), high = fmax(high, at);
    }
    known = known && pl_get_gas(a->world, o->first, 1, &hot) == PL_OK;
    free(x);
    return known && hot == 0.0f ? (high - low) / spacing + 1.0 : 0.0;
}

static void advise_fluid(struct advice *a, const struct scene_object *o, double spacing)
{
    pl_settings s = pl_world_settings(a->world);
    const double gravity[3] = {(double)s.gravity.x, (double)s.gravity.y, (double)s.gravity.z};
    double g = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    if (!(g > 0.0))
    {
        return;
    }
    const double down[3] = {gravity[0] / g, gravity[1] / g, gravity[2] / g};
    double layers = depth_of(a, o, down, spacing), dt = (double)a->dt;
    double frame = COMPRESSES * layers * g * dt * dt / spacing; // with one substep of one iteration
    double expected = frame / ((double)s.substeps * s.substeps * s.iterations);
    char label[OBJECT_LABEL];
    if (expected <= TELLS)
    {
        return;
    }
    int iterations = s.iterations > 2 ? s.iterations : 2;
    object_label(a, o, label);
    advise(a,
           "%s is %.0f particles deep: with %d substep%s of %d iteration%s it is compressed by about %.0f %%; "
           "use %.0f substeps of %d iterations",
           label, layers, s.substeps, s.substeps == 1 ? "" : "s", s.iterations, s.iterations == 1 ? "" : "s",
           100.0 * fmin(expected, 1.0), ceil(sqrt(frame / (WANTED * iterations))), iterations);
}

void advise_fluids(struct advice *a)
{
    pl_fluid_totals totals = pl_world_fluid(a->world);
    for (int i = 0; totals.particles && i < a->scene->object_count; i++)
    {
        const struct scene_object *o = &a->scene->objects[i];
        if (o->type == OBJECT_FLUID && o->count > 0)
        {
            advise_fluid(a, o, cbrt(totals.volume / (double)totals.particles));
        }
    }
}
