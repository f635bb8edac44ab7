// per_particle.cu: launches the kernel of the stages in which a particle changes only itself (per_particle.h).
#include "backend/cuda/per_particle.h"

bool launch_per_particle(device *d, const launch_args *g, bool early, device_error *why)
{
    bool in_cell_order = g->per_particle & PER_PARTICLE_IN_CELL_ORDER;
    int64_t items = d->captured.slots;
    if (in_cell_order && d->lists.items < d->lists.live)
        items += d->lists.items;
    int threads = items < PER_PARTICLE_FEW ? THREADS : WIDE;
    const uint32_t shape_contacts = PER_PARTICLE_OF_SHAPES;
    if (!(g->per_particle & shape_contacts) && !(contacts_are_oriented(d) && g->per_particle & PER_PARTICLE_WARM))
        return start(why, d->stream, early, items, threads, 0,
                     d->captured.slots > PER_PARTICLE_FEW ? run_per_particle_kernel<false, 1>
                                                          : run_per_particle_kernel<false, 4>,
                     d->captured, d->lists, *g);
    if (contacts_are_oriented(d))
        return launch_oriented_per_particle(d, g, early, g->per_particle & shape_contacts, items, threads, why);
    if (!d->lists.hard_shapes)
        return launch_per_particle_simple(d, g, early, items, threads, why);
    return start(why, d->stream, early, items, threads, 0, run_per_particle_kernel<true, 4>, d->captured, d->lists, *g);
}
