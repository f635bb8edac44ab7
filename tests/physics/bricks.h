// bricks.h: rigid bricks out of particles, for the tests of stacks.
#ifndef PLIANT_TESTS_BRICKS_H
#define PLIANT_TESTS_BRICKS_H

#include "physics/physics.h"

typedef struct brick_yard
{
    pl_world *world;
    int material;
} brick_yard;

static inline brick_yard open_yard(int substeps, float friction)
{
    brick_yard y = {.world = make_world(substeps, 1)};
    pl_shape_def floor = pl_default_shape_def();
    pl_material m = pl_default_material();
    m.static_friction = m.kinetic_friction = friction;
    good(pl_add_material(y.world, &m, &y.material));
    floor.material = y.material;
    good(pl_add_shape(y.world, &floor, NULL));
    return y;
}

// `count` bricks of these edges (m), particles 0.05 m apart, 800 kg/m^3.
static inline void lay(const brick_yard *y, pl_vec3 size, int count, const pl_vec3 *at, pl_id *ids)
{
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh = {0};
    pl_body_def def = pl_default_body_def();
    form.shape = "box";
    form.size = size;
    good(pl_mesh_make(&form, &mesh));
    def.mesh = &mesh;
    def.spacing = 0.05f;
    def.mass = 800.0f * size.x * size.y * size.z;
    good(pl_add_body_copies(y->world, &def, count, at, ids));
    for (int i = 0; i < count; i++)
    {
        int first, particles;
        pl_phase phase;
        good(pl_object_range(y->world, ids[i], &first, &particles));
        good(pl_get_phase(y->world, first, &phase));
        phase.material = y->material;
        good(pl_set_phase(y->world, first, particles, &phase));
    }
    pl_mesh_free(&mesh);
}

// A wall of whole courses of `wide` bricks, and between them others with half a brick at each end.
static inline int lay_wall(const brick_yard *y, int wide, int courses, pl_id *ids)
{
    int count = 0;
    for (int c = 0; c < courses; c++)
    {
        pl_vec3 at[64];
        float height = 0.1f + 0.2f * (float)c, left = -0.25f * (float)wide;
        int whole = c % 2 ? wide - 1 : wide;
        for (int i = 0; i < whole; i++)
            at[i] = (pl_vec3){left + 0.4f * (float)i + (c % 2 ? 0.4f : 0.2f), height, 0.0f};
        lay(y, (pl_vec3){0.4f, 0.2f, 0.2f}, whole, at, ids + count);
        count += whole;
        if (c % 2 == 0)
            continue;
        pl_vec3 ends[2] = {{left + 0.1f, height, 0.0f}, {left + 0.4f * (float)wide - 0.1f, height, 0.0f}};
        lay(y, (pl_vec3){0.2f, 0.2f, 0.2f}, 2, ends, ids + count);
        count += 2;
    }
    return count;
}

static inline float *all_positions(const pl_world *w)
{
    float *x = malloc(3 * (size_t)pl_particle_count(w) * sizeof *x);
    assert_non_null(x);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, pl_particle_count(w), x));
    return x;
}

// How far the particle that came farthest has come, m: of the first `count`.
static inline double farthest_of(const pl_world *w, const float *before, int count)
{
    float *now = all_positions(w);
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, hypot(hypot((double)now[3 * i] - (double)before[3 * i],
                                      (double)now[3 * i + 1] - (double)before[3 * i + 1]),
                                (double)now[3 * i + 2] - (double)before[3 * i + 2]));
    free(now);
    return most;
}

static inline double farthest_from(const pl_world *w, const float *before)
{
    return farthest_of(w, before, pl_particle_count(w));
}

static inline void throw_object(pl_world *w, pl_id id, float x, float y, float z)
{
    int first, count;
    good(pl_object_range(w, id, &first, &count));
    for (int i = 0; i < count; i++)
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first + i, 1, (float[]){x, y, z}));
}

#endif
