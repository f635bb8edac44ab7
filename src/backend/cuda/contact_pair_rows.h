// contact_pair_rows.h: the rare stages of contact pairs: restitution and the removal of overlap before a substep. One
// thread takes a block of pairs.
#pragma once
#include "backend/cuda/contact_pair.h"
#include "stages/stabilise_stages.h"

typedef void row_fn(const state *s, const packed_pairs *p, size_t k);

template <row_fn *Row>
static __global__ void __launch_bounds__(THREADS)
    run_rows(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
             const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    int32_t begin = g.range[0], end = g.range[1];
    EACH(int32_t, i, end - begin)
    {
        for (int32_t row = l.block_start[begin + i]; row < l.block_start[begin + i + 1]; row++)
            Row(&s, &s.pairs, (size_t)row);
    }
}

// Drops the multipliers of impacts: the pairs of all colours, in any order.
static __global__ void __launch_bounds__(THREADS)
    open_rows(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
              const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    EACH(int32_t, i, l.block_start[g.range[PAIR_COLOURS]])
    open_contact(s.pairs.lambda, s.pairs.carried, (size_t)i);
}

static bool launch_rows(device *d, const launch_args *g, bool early, device_error *why)
{
    int64_t blocks = (int64_t)d->lists.pair_room / 48 + 64;
    if (g->op == OP_PAIRS_OPEN)
        return start(why, d->stream, early, d->lists.pair_room, THREADS, 0, open_rows, d->captured, d->lists, *g);
    return start(why, d->stream, early, blocks, THREADS, 0,
                 g->op == OP_PAIRS_RELEASE  ? run_rows<release_pair>
                 : g->op == OP_PAIRS_BOUNCE ? run_rows<bounce_pair>
                                            : run_rows<part_pair>,
                 d->captured, d->lists, *g);
}
