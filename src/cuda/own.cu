// own.cu: which stages a particle does for itself (own.h), and their launch.
#include "cuda/own.h"

uint32_t own_stage(int op)
{
    switch (op)
    {
    case OP_REMEMBER:
        return OWN_REMEMBER;
    case OP_AIR:
        return OWN_AIR;
    case OP_PREDICT:
        return OWN_PREDICT;
    case OP_TOUCH_LIFT:
        return OWN_LIFT;
    case OP_PROBE:
        return OWN_PROBE;
    case OP_PAIRS_WARM: // here every particle adds up what its pairs push it by, colour after colour
        return OWN_WARM;
    case OP_TOUCH_WARM:
        return OWN_TOUCH_WARM;
    case OP_TOUCHES:
        return OWN_TOUCHES;
    case OP_TOUCH_GUARD:
        return OWN_GUARD;
    case OP_VELOCITY:
        return OWN_VELOCITY;
    case OP_MATCH_TURN:
        return OWN_TURN;
    case OP_TOUCH_BOUNCE:
        return OWN_TOUCH_BOUNCE;
    case OP_PAIRS_EVENT:
        return OWN_PAIRS_EVENT;
    case OP_TOUCH_EVENT:
        return OWN_TOUCH_EVENT;
    case OP_FARTHEST:
        return OWN_FARTHEST;
    case OP_CHECK:
        return OWN_CHECK;
    default:
        return 0;
    }
}

// In a large scene the warm start has much to read, and wants the many threads that shapes leave no registers for.
bool own_apart(const device *d, uint32_t own, uint32_t next)
{
    return d->captured.slots > OWN_FEW && (own | next) & OWN_WARM && (own | next) & ~OWN_WARM;
}

bool own_before_tiles(uint32_t own) { return !(own & ~(uint32_t)OWN_BEFORE_TILES); }

bool launch_own(device *d, const job *g, bool early, device_error *why)
{
    bool by_place = g->own & (OWN_WARM | OWN_PAIRS_EVENT);
    int64_t items = d->captured.slots;
    if (by_place && d->lists.items < d->lists.live)
        items += d->lists.items;
    int threads = items < OWN_FEW ? THREADS : WIDE;
    const uint32_t touches =
        OWN_PROBE | OWN_TOUCH_WARM | OWN_TOUCHES | OWN_GUARD | OWN_TOUCH_BOUNCE | OWN_TOUCH_EVENT | OWN_LIFT;
    if (!(g->own & touches) && !(contacts_turn(d) && g->own & OWN_WARM))
        return start(why, d->stream, early, items, threads, 0,
                     d->captured.slots > OWN_FEW ? run_own<false, 1> : run_own<false, 4>, d->captured, d->lists, *g);
    if (contacts_turn(d))
        return launch_turning_own(d, g, early, g->own & touches, items, threads, why);
    if (!d->lists.hard_shapes)
        return launch_own_simple(d, g, early, items, threads, why);
    return start(why, d->stream, early, items, threads, 0, run_own<true, 4>, d->captured, d->lists, *g);
}
