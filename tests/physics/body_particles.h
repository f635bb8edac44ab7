// body_particles.h: what the tests of contacts between rigid bodies and particles share.
#ifndef TESTS_PHYSICS_BODY_PARTICLES_H
#define TESTS_PHYSICS_BODY_PARTICLES_H

#include "model/world.h"
#include "physics/rigid.h"

#define GRAVITY 9.81

static inline void set_friction(pl_world *w, float friction, float restitution)
{
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = friction;
    m.restitution = restitution;
    good(pl_set_material(w, 0, &m));
}

// A particle with a radius; returns its number.
static inline int add_ball(pl_world *w, pl_vec3 at, pl_vec3 v, float mass, float radius)
{
    int n = add_one(w, at.x, at.y, at.z, mass, NULL);
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, n, 1, &radius));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, n, 1, &v.x));
    return n;
}

static inline pl_vec3 value_of(const pl_world *w, pl_attribute what, int n)
{
    pl_vec3 v;
    good(pl_get(w, what, n, 1, &v.x));
    return v;
}

static inline double size_of(pl_vec3 v) { return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z); }

static inline pl_quat about_z(double angle)
{
    return (pl_quat){0.0f, 0.0f, (float)sin(0.5 * angle), (float)cos(0.5 * angle)};
}

// A floor and four walls around a square of this half side.
static inline void add_tray(pl_world *w, float half)
{
    pl_shape_def d = pl_default_shape_def();
    good(pl_add_shape(w, &d, NULL));
    for (int i = 0; i < 4; i++)
    {
        const float side = i & 1 ? 1.0f : -1.0f;
        pl_shape_def wall = pl_default_shape_def();
        wall.kind = PL_SHAPE_BOX, wall.half = (pl_vec3){0.1f, 1.0f, 10.0f};
        wall.position = (pl_vec3){side * (half + 0.1f), 0.0f, 0.0f};
        if (i > 1)
        {
            wall.half = (pl_vec3){10.0f, 1.0f, 0.1f};
            wall.position = (pl_vec3){0.0f, 0.0f, side * (half + 0.1f)};
        }
        good(pl_add_shape(w, &wall, NULL));
    }
}

// Layers of n x n balls that fill a tray; returns the number of the first one.
static inline int add_bed(pl_world *w, int n, int layers, float radius, float mass)
{
    int count = n * n * layers, first, all;
    float *x = malloc((size_t)count * 3 * sizeof *x), *r = malloc((size_t)count * sizeof *r);
    pl_particles_def def = pl_default_particles_def();
    pl_id id;
    for (int i = 0; i < count; i++)
    {
        x[3 * i] = ((float)(i % n) - 0.5f * (float)(n - 1)) * 2.0f * radius;
        x[3 * i + 1] = (float)(1 + 2 * (i / (n * n))) * radius;
        x[3 * i + 2] = ((float)(i / n % n) - 0.5f * (float)(n - 1)) * 2.0f * radius;
        r[i] = radius;
    }
    def.count = count, def.position = x, def.mass_each = mass;
    good(pl_add_particles(w, &def, &id));
    good(pl_object_range(w, id, &first, &all));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, r));
    free(x), free(r);
    return first;
}

// The force of all particles on bodies along y, and the deepest overlap, at the end of the last substep.
static inline double force_on_bodies(const pl_world *w, double *deepest)
{
    const packed_body_particles *b = &w->state.body_particles;
    double sum = 0.0, deep = 0.0;
    for (int32_t i = 0; b->row_room && i < b->range[BODY_RANGE_ROWS + 1]; i++)
    {
        const float *kept = b->kept + 4 * (size_t)i;
        if (!(kept[0] > 0.0f))
            continue;
        sum -= (double)kept[0] * (double)b->work[i].normal[1] + (double)kept[2];
        deep = fmax(deep, -(double)b->work[i].overlap);
    }
    if (deepest)
        *deepest = deep;
    return sum;
}

#endif
