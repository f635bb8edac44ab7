// physics.h: what the physics tests share: worlds made through the public API, and checks that print both numbers.
#ifndef PLIANT_TESTS_PHYSICS_H
#define PLIANT_TESTS_PHYSICS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pliant/pliant.h"

#define GRAVITY 9.81

static inline void good(pl_result result)
{
    if (result != PL_OK)
    {
        fail_msg("%s: %s", pl_result_name(result), pl_error_message());
    }
}

static inline void near(const char *what, double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
    {
        fail_msg("%s is %.9g; %.9g within %.3g was wanted", what, value, wanted, tolerance);
    }
}

static inline void below(const char *what, double value, double bound)
{
    if (!(value < bound))
    {
        fail_msg("%s is %.6g; below %.6g was wanted", what, value, bound);
    }
}

// An undamped world with gravity and one thread.
static inline pl_world *make_world(int substeps, int iterations)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    def.settings.gravity = (pl_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    def.settings.damping = 0.0f;
    def.settings.internal_damping = 0.0f;
    pl_world *world = NULL;
    good(pl_world_create(&def, &world));
    return world;
}

static inline void change(pl_world *world, pl_solver solver, pl_integrator integrator, double damping)
{
    pl_settings settings = pl_world_settings(world);
    settings.solver = solver;
    settings.integrator = integrator;
    settings.damping = (float)damping;
    good(pl_world_set_settings(world, &settings));
}

static inline void weightless(pl_world *world)
{
    pl_settings settings = pl_world_settings(world);
    settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_set_settings(world, &settings));
}

static inline pl_id add_particles(pl_world *world, int count, const float *position, const float *mass)
{
    pl_particles_def def = pl_default_particles_def();
    def.count = count;
    def.position = position;
    def.mass = mass;
    pl_id id;
    good(pl_add_particles(world, &def, &id));
    return id;
}

static inline pl_id add_rows(pl_world *world, pl_kind kind, int count, const int32_t *index, const float *param,
                             double compliance, double stiffness)
{
    pl_constraints_def def = pl_default_constraints_def();
    def.kind = kind;
    def.count = count;
    def.index = index;
    def.param = param;
    def.soft = (pl_softness){.compliance = (float)compliance, .stiffness = (float)stiffness};
    pl_id id;
    good(pl_add_constraints(world, &def, &id));
    return id;
}

static inline void steps(pl_world *world, int count, double dt)
{
    for (int n = 0; n < count; ++n)
    {
        good(pl_world_step(world, (float)dt));
    }
}

// The world as a snapshot of it goes on; the one that it was taken of is gone.
static inline pl_world *saved_and_loaded(pl_world *world)
{
    pl_world_def def = pl_default_world_def();
    pl_world *again;
    void *data;
    size_t size;
    good(pl_world_save_memory(world, &data, &size));
    pl_world_destroy(world);
    good(pl_world_load_memory(&def, data, size, &again));
    pl_free(data);
    return again;
}

// An argument that is bad, and a message that says which.
static inline void refused_for(pl_result result, const char *word)
{
    assert_int_equal(result, PL_ERROR_ARGUMENT);
    if (!strstr(pl_error_message(), word))
        fail_msg("\"%s\" does not speak of %s", pl_error_message(), word);
}

static inline pl_vec3 where(const pl_world *world, int particle)
{
    float x[3];
    good(pl_get(world, PL_ATTRIBUTE_POSITION, particle, 1, x));
    return (pl_vec3){x[0], x[1], x[2]};
}

static inline bool all_finite(const pl_world *world)
{
    int count = pl_particle_end(world);
    float *x = malloc((size_t)count * 3 * sizeof *x);
    assert_non_null(x);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, x));
    bool finite = true;
    for (int i = 0; i < 3 * count; ++i)
    {
        finite = finite && isfinite(x[i]);
    }
    free(x);
    return finite;
}

// The links of a square cloth of n x n particles, direction by direction: edges, both diagonals, skip-one. Returns how many.
static inline int grid_links(int n, int32_t *index)
{
    static const int step[6][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 2}};
    int count = 0;
    for (int k = 0; k < 6 * n * n; ++k)
    {
        int y = k / n % n, x = k % n, u = x + step[k / (n * n)][0], v = y + step[k / (n * n)][1];
        if (u < n && v >= 0 && v < n)
        {
            index[2 * count] = y * n + x;
            index[2 * count + 1] = v * n + u;
            ++count;
        }
    }
    return count;
}

#endif
