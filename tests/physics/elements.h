// elements.h: bodies of finite elements come to rest, and are asked.
#ifndef PLIANT_TESTS_ELEMENTS_H
#define PLIANT_TESTS_ELEMENTS_H

#include "physics/physics.h"

// Damping brings a body to rest; where it rests does not depend on it.
static inline void settle(pl_world *world, int frames, double damping)
{
    pl_settings settings = pl_world_settings(world);
    settings.damping = (float)damping;
    good(pl_world_set_settings(world, &settings));
    steps(world, frames, 1.0 / 60.0);
    assert_true(all_finite(world));
}

static inline float *read_rows(const pl_world *world, pl_id block, pl_row what, int count, int width)
{
    float *out = malloc((size_t)count * (size_t)width * sizeof *out);
    assert_non_null(out);
    good(pl_get_rows(world, block, what, 0, count, out));
    return out;
}

#endif
