// fluid.h: what the tests of fluids share: boxes of water, tanks of planes, and what they measure.
#ifndef PLIANT_TESTS_FLUID_H
#define PLIANT_TESTS_FLUID_H

#include "contact.h"

// A world for water: its fluid needs several substeps of a few iterations each.
static inline pl_world *water_world(int substeps, int iterations, double gravity)
{
    pl_world *world = make_world(substeps, iterations);
    pl_settings s = pl_world_settings(world);
    s.gravity = (pl_vec3){0.0f, (float)-gravity, 0.0f};
    good(pl_world_set_settings(world, &s));
    return world;
}

static inline pl_id add_water(pl_world *world, double spacing, pl_vec3 origin, const int points[3])
{
    pl_fluid_def def = pl_default_fluid_def();
    def.spacing = (float)spacing;
    def.origin = origin;
    def.size =
        (pl_vec3){def.spacing * (float)points[0], def.spacing * (float)points[1], def.spacing * (float)points[2]};
    pl_id id;
    good(pl_add_fluid(world, &def, &id));
    return id;
}

// A floor and four walls.
static inline void add_tank(pl_world *world, pl_vec3 low, double x, double z)
{
    add_plane(world, low, 0.0, 1.0, 0.0);
    add_plane(world, low, 1.0, 0.0, 0.0);
    add_plane(world, low, 0.0, 0.0, 1.0);
    pl_vec3 high = {low.x + (float)x, low.y, low.z + (float)z};
    add_plane(world, high, -1.0, 0.0, 0.0);
    add_plane(world, high, 0.0, 0.0, -1.0);
}

static inline double kinetic_each(pl_world *world) // J/kg
{
    double mass = 0.0;
    for (int i = 0; i < pl_particle_end(world); i++)
    {
        float m = 0.0f;
        good(pl_get(world, PL_ATTRIBUTE_MASS, i, 1, &m));
        mass += (double)m;
    }
    return pl_world_energy(world).kinetic / mass;
}

static inline float *positions(const pl_world *world, int count)
{
    float *x = malloc(3 * (size_t)count * sizeof *x);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    return x;
}

#endif
