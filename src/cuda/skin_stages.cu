// skin_stages.cu: the stages of skins (stages/skin_items.h). A thread takes a row or a slot; of the colours, a warp takes a block.
#include "cuda/inside.h"
#include "cuda/skin.h"

#include "stages/skin_items.h"

// ---- rows ----------------------------------------------------------------------------------------------------------

static __global__ void __launch_bounds__(THREADS)
    run_skin_probe(const __grid_constant__ state s, const __grid_constant__ skin_arrays k,
                   const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    EACH(int32_t, i, k.now->pairs)
    probe_skin(&s, &s.skin, (size_t)i);
}

static __global__ void __launch_bounds__(THREADS)
    run_skin_limit(const __grid_constant__ state s, const __grid_constant__ skin_arrays k,
                   const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    int round = g.kind, found = 0;
    if (!its_turn(s.now, g) || (round > 0 && !s.now->crowded[round - 1]))
        return;
    EACH(int32_t, i, k.now->pairs)
    found |= limit_skin(&s, &s.skin, (size_t)i, round);
    if (found)
        flag_up(&s.now->crowded[round]);
}

static __global__ void __launch_bounds__(THREADS)
    run_skin_event(const __grid_constant__ state s, const __grid_constant__ skin_arrays k,
                   const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    EACH(int32_t, i, k.now->pairs)
    if (load_normal(s.skin.lambda, (size_t)i) != 0.0f)
        flag_up(&s.now->event);
}

// ---- slots ---------------------------------------------------------------------------------------------------------

#define SLOT_KERNEL(name, body)                                                                                        \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        name(const __grid_constant__ state s, const __grid_constant__ skin_arrays k, const __grid_constant__ job g)    \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        fall_in();                                                                                                     \
        stamp_time(g);                                                                                                 \
        if (i < g.end && its_turn(s.now, g))                                                                           \
            body(OWN(s), &g, i, i + 1);                                                                                \
    }

SLOT_KERNEL(run_skin_open, skin_open)
SLOT_KERNEL(run_skin_warm, skin_warm)
SLOT_KERNEL(run_skin_bound, skin_bound)
SLOT_KERNEL(run_skin_clip, skin_clip)

static __global__ void __launch_bounds__(THREADS)
    run_skin_drift(const __grid_constant__ state s, const __grid_constant__ skin_arrays k,
                   const __grid_constant__ job g)
{
    int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    fall_in();
    stamp_time(g);
    if (i >= g.end || !its_turn(s.now, g))
        return;
    float off = skin_off_path(&s, 4 * (size_t)i);
    if (off > *(volatile float *)&s.now->drifted) // few have to meet there
        raise_to(&s.now->drifted, off);
}

// ---- colours -------------------------------------------------------------------------------------------------------

// Does the pair name a particle that the lane `turn` names?
static __device__ __forceinline__ bool shares(const uint32_t *mine, int turn)
{
    bool same = false;
    for (int i = 0; i < 4; i++)
    {
        uint32_t other = __shfl_sync(0xffffffffu, mine[i], turn);
        for (int j = 0; j < 4; j++)
            same |= mine[j] == other;
    }
    return same;
}

// Each lane holds a pair. Whoever presses first, in the block's order, has its turn; those that share a particle with it look again.
static __global__ void __launch_bounds__(128)
    run_skin(const __grid_constant__ state s, const __grid_constant__ skin_arrays k, const __grid_constant__ job g)
{
    const int lane = (int)(threadIdx.x & 31);
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    const packed_skin *p = &s.skin;
    for (int64_t block = g.range[0] + first_item() / 32; block < g.range[1]; block += all_items() / 32)
    {
        int32_t last = k.block_start[block + 1];
        for (int32_t row = k.block_start[block]; row < last; row += 32)
        {
            bool mine = row + lane < last;
            size_t i = (size_t)(mine ? row + lane : row);
            uint32_t index[4] = {p->index[0][i], p->index[1][i], p->index[2][i], p->index[3][i]};
            bool live = mine && skin_live(&s, p, i);
            for (int from = 0;;)
            {
                unsigned bits = __ballot_sync(0xffffffffu, live && lane >= from);
                if (!bits)
                    break;
                int turn = __ffs((int)bits) - 1;
                if (lane == turn)
                    visit_skin(&s, p, i);
                __syncwarp();
                bool again = shares(index, turn);
                if (mine && lane > turn && again)
                    live = skin_live(&s, p, i);
                from = turn + 1;
            }
        }
    }
}

// What is rare: a thread takes a block.
static __global__ void __launch_bounds__(THREADS)
    run_skin_bounce(const __grid_constant__ state s, const __grid_constant__ skin_arrays k,
                    const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    int32_t begin = g.range[0], blocks = g.range[1] - begin;
    EACH(int32_t, i, blocks)
    for (int32_t row = k.block_start[begin + i]; row < k.block_start[begin + i + 1]; row++)
        bounce_skin(&s, &s.skin, (size_t)row);
}

// ---- launches ------------------------------------------------------------------------------------------------------

typedef void skin_kernel(const state s, const skin_arrays k, const job g);

bool launch_skin(device *d, const job *g, bool early, device_error *why)
{
    // A block has a few dozen pairs; where there are more blocks than warps, a warp takes more than one.
    int64_t rows = spread(d, d->skin.room), slots = (int64_t)g->end - g->begin, blocks = d->skin.room / 64 + 32;
    struct
    {
        skin_kernel *kernel;
        int64_t items;
        int threads;
    } how = {NULL, slots, THREADS};
    switch (g->op)
    {
    case OP_SKIN_OPEN:
        how.kernel = run_skin_open;
        break;
    case OP_SKIN_PROBE:
        how = {run_skin_probe, rows, THREADS};
        break;
    case OP_SKIN_WARM:
        how.kernel = run_skin_warm;
        break;
    case OP_SKIN:
        how = {run_skin, 32 * blocks, 128};
        break;
    case OP_SKIN_BOUNCE:
        how = {run_skin_bounce, blocks, THREADS};
        break;
    case OP_SKIN_BOUND:
        how.kernel = run_skin_bound;
        break;
    case OP_SKIN_LIMIT:
        how = {run_skin_limit, rows, THREADS};
        break;
    case OP_SKIN_CLIP:
        how.kernel = run_skin_clip;
        break;
    case OP_SKIN_EVENT:
        how = {run_skin_event, rows, THREADS};
        break;
    default:
        how.kernel = run_skin_drift;
        break;
    }
    return start(why, d->stream, early, how.items, how.threads, 0, how.kernel, d->captured, d->skin, *g);
}
