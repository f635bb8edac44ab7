// particles_near_surface.h: particles that are of no skin, near skins: how far each stays from them, hence how far it may leave its path.
//
// Grains in a pile leave their straight paths all the time, and most are far from any skin. So each may be off its path by as
// many leeways as lie between it and the box of all skins, and one more; only those that may meet that box are looked at.
#pragma once
#include "collide/motion_box.h"

#define PARTICLES_HORIZON_OF 4.0f // radii or thicknesses that the fastest goes

typedef struct free_particles
{
    const float *x, *v; // 4 floats a slot
    surface_box all;    // of all skins
    float near, horizon, leeway;
} free_particles;

// How near a grain comes to be looked at. radius: the largest.
PL_FN float particle_search_distance(float radius, float thickness, float margin)
{
    float contact_distance = radius + 0.5f * thickness;
    return (contact_distance > thickness ? contact_distance : thickness) + margin;
}

// How far a grain stays from the box of all skins until the horizon, along some axis.
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

// The square of the speed of a grain that may meet a skin, as the skins' box sees it; 0: it does not meet it.
PL_FN float particles_closing_speed(const free_particles *f, int32_t slot)
{
    if (clear_of(f, slot) > f->near)
        return 0.0f;
    four v = four_at(f->v + 4 * (size_t)slot), d = greater(v - f->all.slow, f->all.fast - v);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// rush: the square of the greatest; wide: the largest radius or thickness.
PL_FN float particles_horizon(float rush_squared, float wide, float h, float horizon)
{
#if defined(__CUDACC__)
    float rush = __fsqrt_rn(rush_squared);
#else
    float rush = __builtin_sqrtf(rush_squared);
#endif
    float own = rush > 0.0f ? PARTICLES_HORIZON_OF * wide / rush : horizon;
    own = own < h ? h : own;
    return own < horizon ? own : horizon;
}

// How many leeways a grain may be off its path.
PL_FN float particle_leeway_count(const free_particles *f, int32_t slot)
{
    float spare = (clear_of(f, slot) - f->near) / f->leeway;
    return spare > 0.0f ? 1.0f + spare : 1.0f;
}
