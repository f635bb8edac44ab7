// per_particle_simple.cu: the kernel of per_particle.h for a scene without hulls, meshes, distance fields and height
// fields. It knows four kinds of shapes (plane, sphere, capsule, box) and needs half the registers.
#define SOLID_KINDS 3
#include "backend/cuda/per_particle.h"

bool launch_per_particle_simple(device *d, const launch_args *g, bool early, int64_t items, int threads,
                                device_error *why)
{
    return start(why, d->stream, early, items, threads, 0, run_per_particle_kernel<true, 4>, d->captured, d->lists, *g);
}
