// contact.h: what the tests of contact share: grains, floors and boxes through the public API.
#ifndef PLIANT_TESTS_CONTACT_H
#define PLIANT_TESTS_CONTACT_H

#include "physics.h"

static inline uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// From -0.5 to 0.5, for each number and use another.
static inline float jitter(int number, int use)
{
    return (float)(scramble((uint32_t)number * 8u + (uint32_t)use + 77u) >> 8) * (1.0f / 16777216.0f) - 0.5f;
}

static inline void frictions(pl_world *world, double mu_s, double mu_k, double restitution, double rolling)
{
    pl_material m = pl_default_material();
    m.static_friction = (float)mu_s, m.kinetic_friction = (float)mu_k;
    m.restitution = (float)restitution, m.rolling = (float)rolling;
    good(pl_set_material(world, 0, &m));
}

static inline pl_id add_grains(pl_world *world, int count, const float *position, const float *mass, double radius)
{
    pl_id id = add_particles(world, count, position, mass);
    int first, n;
    good(pl_object_range(world, id, &first, &n));
    float *r = malloc((size_t)count * sizeof *r);
    for (int i = 0; i < count; i++)
    {
        r[i] = (float)radius;
    }
    good(pl_set(world, PL_ATTRIBUTE_RADIUS, first, n, r));
    free(r);
    return id;
}

// A plane through a point, facing along `normal`, which must be of unit length.
static inline pl_id add_plane(pl_world *world, pl_vec3 point, double nx, double ny, double nz)
{
    pl_shape_def def = pl_default_shape_def();
    def.kind = PL_SHAPE_PLANE;
    def.position = point;
    // The shortest turn from y to the normal.
    double w = 1.0 + ny, x = nz, z = -nx, size = sqrt(x * x + z * z + w * w);
    if (size > 1e-6)
    {
        def.rotation = (pl_quat){(float)(x / size), 0.0f, (float)(z / size), (float)(w / size)};
    }
    else
    {
        def.rotation = (pl_quat){1.0f, 0.0f, 0.0f, 0.0f};
    }
    pl_id id;
    good(pl_add_shape(world, &def, &id));
    return id;
}

static inline void set_velocity(pl_world *world, int particle, double x, double y, double z)
{
    const float v[3] = {(float)x, (float)y, (float)z};
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, particle, 1, v));
}

static inline pl_vec3 velocity_of(const pl_world *world, int particle)
{
    float v[3];
    good(pl_get(world, PL_ATTRIBUTE_VELOCITY, particle, 1, v));
    return (pl_vec3){v[0], v[1], v[2]};
}

// Grains in a box with a floor and four walls, a little apart, every other layer shifted, stirred and falling.
static inline void fill_box(pl_world *world, int across, int layers, double radius, const float *mass)
{
    int count = across * across * layers;
    float *x = malloc((size_t)count * 3 * sizeof *x);
    double gap = 2.35 * radius, half = 0.5 * gap * across + 0.75 * radius;
    float *v = malloc((size_t)count * 3 * sizeof *v);
    for (int i = 0; i < count; i++)
    {
        int layer = i / (across * across), in = i % (across * across);
        double shift = layer % 2 ? 0.5 * gap : 0.0;
        x[3 * i] = (float)(gap * (in % across + 0.5) + shift - half + 0.3 * radius * jitter(i, 0));
        x[3 * i + 1] = (float)(radius * 1.5 + 1.8 * radius * layer + 0.1 * radius * jitter(i, 1));
        x[3 * i + 2] = (float)(gap * (in / across + 0.5) + shift - half + 0.3 * radius * jitter(i, 2));
        v[3 * i] = 2.0f * jitter(i, 3), v[3 * i + 1] = -1.0f, v[3 * i + 2] = 2.0f * jitter(i, 4);
    }
    pl_id id = add_grains(world, count, x, mass, radius);
    int first, all;
    good(pl_object_range(world, id, &first, &all));
    good(pl_set(world, PL_ATTRIBUTE_VELOCITY, first, all, v));
    free(v);
    free(x);
    add_plane(world, (pl_vec3){0, 0, 0}, 0, 1, 0);
    add_plane(world, (pl_vec3){(float)-half, 0, 0}, 1, 0, 0);
    add_plane(world, (pl_vec3){(float)half, 0, 0}, -1, 0, 0);
    add_plane(world, (pl_vec3){0, 0, (float)-half}, 0, 0, 1);
    add_plane(world, (pl_vec3){0, 0, (float)half}, 0, 0, -1);
}

static inline double kinetic_per_mass(const pl_world *world)
{
    int count = pl_particle_end(world);
    double mass = 0.0;
    float *m = malloc((size_t)count * sizeof *m);
    good(pl_get(world, PL_ATTRIBUTE_MASS, 0, count, m));
    for (int i = 0; i < count; i++)
    {
        mass += m[i];
    }
    free(m);
    return pl_world_energy(world).kinetic / mass;
}

#endif
