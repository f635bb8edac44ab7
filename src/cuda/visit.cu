// visit.cu: the colours of pairs. A thread takes a block: nothing that another block of the colour touches, so the order among blocks is
// free; inside, its pairs one after the other, as on a CPU (stages/contact_items.h).
#include "cuda/inside.h"
#include "stages/contact_items.h"

struct lane
{
    size_t first;   // its first contact
    int32_t length; // contacts, PAD apart
};

static __device__ __forceinline__ lane lane_at(const state *s, const list_arrays *l, int32_t block)
{
    lane mine = {(size_t)s->pairs.groups.row[block / PAD] * PAD + (size_t)(block % PAD), l->lane_length[block]};
    return mine;
}

static __device__ __forceinline__ void fetch(const void *p)
{
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L1 [%0];" ::"l"(p));
#endif
}

static __global__ void __launch_bounds__(THREADS)
    run_pairs(const __grid_constant__ state s, const __grid_constant__ list_arrays l, const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    int32_t begin = g.range[0] * PAD, end = g.range[1] * PAD;
    EACH(int32_t, i, end - begin)
    {
        lane mine = lane_at(&s, &l, begin + i);
        for (int32_t m = 0; m < mine.length; m++)
        {
            size_t k = mine.first + (size_t)m * PAD;
            if (m + 1 < mine.length)
            {
                fetch(s.slot[SLOT_X] + s.pairs.index[0][k + PAD]);
                fetch(s.slot[SLOT_X] + s.pairs.index[1][k + PAD]);
            }
            visit_pairs(&s, &s.pairs, k);
        }
    }
}

static __global__ void __launch_bounds__(THREADS)
    run_bounce(const __grid_constant__ state s, const __grid_constant__ list_arrays l, const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    int32_t begin = g.range[0] * PAD, end = g.range[1] * PAD;
    EACH(int32_t, i, end - begin)
    {
        lane mine = lane_at(&s, &l, begin + i);
        for (int32_t m = 0; m < mine.length; m++)
            bounce_pair(&s, &s.pairs, mine.first + (size_t)m * PAD);
    }
}

bool launch_pairs(device *d, const job *g, bool early, device_error *why)
{
    // Colours are nearly equal; a block has several pairs. Where that is not so, threads take more than one block.
    int64_t blocks = (int64_t)d->lists.pair_room / 40 + 64;
    return start(why, d->stream, early, blocks, THREADS, 0, g->op == OP_PAIRS ? run_pairs : run_bounce, d->captured,
                 d->lists, *g);
}
