// heat.h: blocks of particles that have a temperature, for the tests of heat.
#ifndef PLIANT_TESTS_HEAT_H
#define PLIANT_TESTS_HEAT_H

#include "physics/physics.h"

#define SPACING 0.1
#define RADIUS 0.05f

// A block of n[0] x n[1] x n[2] particles, from the origin on, as a cluster if `rigid`; held[i] > 0: particle i is held.
static inline pl_id add_block(pl_world *w, const int n[3], bool rigid, double lift, int first_held, int last_held)
{
    int count = n[0] * n[1] * n[2];
    float *x = malloc((size_t)count * 4 * sizeof *x), *mass = x + 3 * count;
    int32_t *all = malloc((size_t)count * sizeof *all);
    for (int i = 0; i < count; i++)
    {
        x[3 * i] = (float)(SPACING * (i % n[0]));
        x[3 * i + 1] = (float)(SPACING * (i / n[0] / n[2]) + lift);
        x[3 * i + 2] = (float)(SPACING * (i / n[0] % n[2]));
        mass[i] = i == first_held || i == last_held ? 0.0f : 1.0f;
        all[i] = i;
    }
    pl_id id = add_particles(w, count, x, mass);
    int first;
    good(pl_object_range(w, id, &first, &count));
    for (int i = 0; i < count; i++)
        mass[i] = RADIUS, all[i] += first;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, mass));
    if (rigid)
    {
        const int32_t start[2] = {0, count};
        pl_clusters_def def = pl_default_clusters_def();
        def.count = 1, def.start = start, def.particles = all;
        good(pl_add_clusters(w, &def, NULL));
    }
    free(x);
    free(all);
    return id;
}

static inline double temperature(const pl_world *w, int i)
{
    float t;
    good(pl_get_temperature(w, i, 1, &t));
    return (double)t;
}

static inline pl_heat_def wax(void)
{
    pl_heat_def d = pl_default_heat_def();
    d.conductivity = 100.0f, d.capacity = 10.0f;
    d.melts = true, d.melting = 60.0f, d.freezing = 50.0f, d.latent = 100.0f;
    return d;
}

static inline pl_id hot_floor(pl_world *w, float temperature)
{
    pl_shape_def floor = pl_default_shape_def();
    pl_id id;
    floor.kind = PL_SHAPE_PLANE;
    good(pl_add_shape(w, &floor, &id));
    good(pl_set_shape_heat(w, id, true, temperature));
    return id;
}

#endif
