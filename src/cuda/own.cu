// own.cu: the launch of what a particle does for itself (own.h).
#include "cuda/own.h"

bool launch_own(device *d, const job *g, bool early, device_error *why)
{
    bool by_place = g->own & OWN_BY_PLACE;
    int64_t items = d->captured.slots;
    if (by_place && d->lists.items < d->lists.live)
        items += d->lists.items;
    int threads = items < OWN_FEW ? THREADS : WIDE;
    const uint32_t touches = OWN_OF_SHAPES;
    if (!(g->own & touches) && !(contacts_turn(d) && g->own & OWN_WARM))
        return start(why, d->stream, early, items, threads, 0,
                     d->captured.slots > OWN_FEW ? run_own<false, 1> : run_own<false, 4>, d->captured, d->lists, *g);
    if (contacts_turn(d))
        return launch_turning_own(d, g, early, g->own & touches, items, threads, why);
    if (!d->lists.hard_shapes)
        return launch_own_simple(d, g, early, items, threads, why);
    return start(why, d->stream, early, items, threads, 0, run_own<true, 4>, d->captured, d->lists, *g);
}
