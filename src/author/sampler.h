// sampler.h: places particles inside a solid or on its surface, each with its distance to the surface and the outward
// direction.
//   Macklin, Mueller, Chentanez, Kim 2014: Unified particle physics for real-time applications (rigid bodies out of
//   particles).
#pragma once
#include "author/solid.h"

#define SAMPLES_LIMIT ((int64_t)1 << 28) // the most lattice points that are tested

// As pl_sample_particles. The mesh must be a solid.
pl_result sample_particles(memory *m, const mesh_view *mesh, const pl_sample_def *def, pl_samples *out);
void samples_drop(memory *m, pl_samples *s);
