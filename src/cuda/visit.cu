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

enum
{
    AHEAD = 4, // contacts whose numbers are on their way at once
};

// The next contacts of a block, in registers.
struct batch
{
    uint32_t ia[AHEAD], ib[AHEAD];
    float reach[AHEAD];
    hold h[AHEAD];

    __device__ __forceinline__ void load_rows(const packed_pairs *p, size_t first, int32_t m, int32_t length)
    {
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
        {
            size_t k = first + (size_t)(m + i < length ? m + i : length - 1) * PAD;
            ia[i] = p->index[0][k], ib[i] = p->index[1][k];
            reach[i] = p->reach[k];
            h[i] = load_hold(p->lambda, k);
        }
    }
};

// As visit_pairs does it one by one: the arithmetic is the same, and so is the order. What is read ahead may be changed by a contact in
// between; then the later ones take what that has written.
static __device__ __forceinline__ void visit_batch(const state *s, const packed_pairs *p, const batch &b, size_t first,
                                                   int32_t m, int32_t count)
{
    point a[AHEAD], c[AHEAD];
    vec a0[AHEAD], c0[AHEAD];
    bool near_by[AHEAD];
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
    {
        a[i] = load_points(s->slot[SLOT_X] + b.ia[i]);
        c[i] = load_points(s->slot[SLOT_X] + b.ib[i]);
    }
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
    {
        near_by[i] = contact_live(a[i], c[i], b.reach[i], b.h[i].normal);
        if (near_by[i]) // as it looks now
        {
            a0[i] = at(load_points(s->slot[SLOT_X0] + b.ia[i]));
            c0[i] = at(load_points(s->slot[SLOT_X0] + b.ib[i]));
        }
    }
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
    {
        if (i >= count || !contact_live(a[i], c[i], b.reach[i], b.h[i].normal))
            continue;
        size_t k = first + (size_t)(m + i) * PAD, material = p->material_step ? k : 0;
        if (!near_by[i])
        {
            a0[i] = at(load_points(s->slot[SLOT_X0] + b.ia[i]));
            c0[i] = at(load_points(s->slot[SLOT_X0] + b.ib[i]));
        }
        grip hands = {p->stick[material], p->slide[material]};
        hold h = b.h[i];
        vec push = contact_visit(a[i], c[i], a0[i], c0[i], b.reach[i], hands, s->contact.soft, s->contact.share,
                                 s->contact.spare, &h);
        store_hold(p->lambda, k, h);
        pushed(&a[i], push);
        pulled(&c[i], push);
        store_points(s->slot[SLOT_X] + b.ia[i], a[i]);
        store_points(s->slot[SLOT_X] + b.ib[i], c[i]);
#pragma unroll
        for (int j = i + 1; j < AHEAD; j++)
        {
            a[j] = b.ia[j] == b.ia[i] ? a[i] : b.ia[j] == b.ib[i] ? c[i] : a[j];
            c[j] = b.ib[j] == b.ia[i] ? a[i] : b.ib[j] == b.ib[i] ? c[i] : c[j];
        }
    }
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
        if (!mine.length)
            continue;
        batch now, next;
        next.load_rows(&s.pairs, mine.first, 0, mine.length);
        for (int32_t m = 0; m < mine.length; m += AHEAD)
        {
            now = next;
            if (m + AHEAD < mine.length)
                next.load_rows(&s.pairs, mine.first, m + AHEAD, mine.length);
            visit_batch(&s, &s.pairs, now, mine.first, m, mine.length - m);
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
