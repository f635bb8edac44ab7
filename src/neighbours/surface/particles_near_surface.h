// particles_near_surface.h: the distance of free particles from collision surfaces, and how far each may leave its
// predicted path.
//
// Particles in a pile leave their straight paths all the time, and most are far from any surface. So a particle may
// deviate from its path by as many leeways as fit between it and the bounding box of all surfaces, plus one. Only
// particles that may touch that box are tested.
#pragma once
#include "collide/motion_box.h"

#define PARTICLES_HORIZON_OF 4.0f // radii or thicknesses that the fastest particle travels

typedef struct free_particles
{
    const float *x, *v; // 4 floats a slot
    surface_box all;    // bounds of all surfaces
    float near, horizon, leeway;
} free_particles;

// The distance within which a particle is tested. radius: the largest.
PL_FN float particle_search_distance(float radius, float thickness, float margin)
{
    float contact_distance = radius + 0.5f * thickness;
    return (contact_distance > thickness ? contact_distance : thickness) + margin;
}

// The greatest distance along one axis that a particle keeps from the box of all surfaces until the horizon.
PL_FN float clear_of(const free_particles *f, int32_t slot)
{
    const four zero = {0.0f, 0.0f, 0.0f, 0.0f}, time = four_of(f->horizon);
    four x = four_at(f->x + 4 * (size_t)slot), v = four_at(f->v + 4 * (size_t)slot);
    four up = f->all.low - x - time * greater(v - f->all.slow, zero);
    four down = x - f->all.high - time * greater(f->all.fast - v, zero);
    float most = -1e30f;
    for (int c = 0; c < 3; c++)
    {
        float far = up[c] > down[c] ? up[c] : down[c];
        most = far > most ? far : most;
    }
    return most;
}

// The square of a particle's speed relative to the box of all surfaces; 0: it does not touch the box until the horizon.
PL_FN float particles_closing_speed(const free_particles *f, int32_t slot)
{
    if (clear_of(f, slot) > f->near)
        return 0.0f;
    four v = four_at(f->v + 4 * (size_t)slot), d = greater(v - f->all.slow, f->all.fast - v);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// The horizon, shortened for fast particles. speed_squared: the square of the greatest closing speed; wide: the largest
// radius or thickness.
PL_FN float particles_horizon(float speed_squared, float wide, float h, float horizon)
{
#if defined(__CUDACC__)
    float closing_speed = __fsqrt_rn(speed_squared);
#else
    float closing_speed = __builtin_sqrtf(speed_squared);
#endif
    float own = closing_speed > 0.0f ? PARTICLES_HORIZON_OF * wide / closing_speed : horizon;
    own = own < h ? h : own;
    return own < horizon ? own : horizon;
}

// The number of leeways by which a particle may deviate from its path.
PL_FN float particle_leeway_count(const free_particles *f, int32_t slot)
{
    float spare = (clear_of(f, slot) - f->near) / f->leeway;
    return spare > 0.0f ? 1.0f + spare : 1.0f;
}
