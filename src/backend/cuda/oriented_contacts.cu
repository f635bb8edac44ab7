// oriented_contacts.cu: kernels for contacts in a scene with oriented particles (stages/oriented_contact_stages.h). A
// thread takes a block of pairs, or a particle. The geometry takes many registers, so other scenes have kernels without
// it.
#define CONTACTS_TURN
#include "backend/cuda/per_particle.h"
#include "backend/cuda/contact_pair_rows.h"

bool contacts_are_oriented(const device *d) { return d->captured.oriented.count > 0; }

bool launch_oriented_pairs(device *d, const launch_args *g, bool early, device_error *why)
{
    int64_t blocks = (int64_t)d->lists.pair_room / 48 + 64;
    if (g->op != OP_PAIRS)
        return launch_rows(d, g, early, why);
    return start(why, d->stream, early, blocks, THREADS, 0, run_rows<visit_pairs>, d->captured, d->lists, *g);
}

bool launch_oriented_per_particle(device *d, const launch_args *g, bool early, bool shapes, int64_t items, int threads,
                                  device_error *why)
{
    return start(why, d->stream, early, items, threads, 0,
                 shapes ? run_per_particle_kernel<true, 1> : run_per_particle_kernel<false, 1>, d->captured, d->lists,
                 *g);
}
