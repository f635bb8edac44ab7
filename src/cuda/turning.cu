// turning.cu: contacts of a scene in which particles turn (stages/turning_items.h): a thread takes a block of pairs, or a particle. Their
// geometry takes many registers, so others have kernels without it.
#define CONTACTS_TURN
#include "cuda/own.h"
#include "cuda/pair.h"

bool contacts_turn(const device *d) { return d->captured.oriented.count > 0; }

bool launch_turning_pairs(device *d, const job *g, bool early, device_error *why)
{
    int64_t blocks = (int64_t)d->lists.pair_room / 48 + 64;
    return start(why, d->stream, early, blocks, THREADS, 0,
                 g->op == OP_PAIRS          ? run_rows<visit_pairs>
                 : g->op == OP_PAIRS_BOUNCE ? run_rows<bounce_pair>
                                            : run_rows<part_pair>,
                 d->captured, d->lists, *g);
}

bool launch_turning_own(device *d, const job *g, bool early, bool shapes, int64_t items, int threads, device_error *why)
{
    return start(why, d->stream, early, items, threads, 0, shapes ? run_own<true, 1> : run_own<false, 1>, d->captured,
                 d->lists, *g);
}
