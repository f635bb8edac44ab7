// surface_stages.cu: the stages of the self-collision of surfaces (stages/surface_stages.h). A thread takes a row or a
// slot; when colours are solved, a warp takes a block of pairs.
#include "backend/cuda/device_internal.h"
#include "backend/cuda/surface_internal.h"

#include "stages/surface_stages.h"

// ---- rows ----------------------------------------------------------------------------------------------------------

static __global__ void __launch_bounds__(THREADS)
    run_surface_probe(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                      const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    EACH(int32_t, i, k.now->pairs)
    probe_surface(&s, &s.surfaces, (size_t)i);
}

static __global__ void __launch_bounds__(THREADS)
    run_surface_limit(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                      const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
    int round = g.kind, found = 0;
    if (!substep_is_active(s.now, g) || (round > 0 && !s.now->crowded[round - 1]))
        return;
    EACH(int32_t, i, k.now->pairs)
    found |= limit_surface(&s, &s.surfaces, (size_t)i, round);
    if (found)
        flag_up(&s.now->crowded[round]);
}

static __global__ void __launch_bounds__(THREADS)
    run_surface_event(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                      const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    EACH(int32_t, i, k.now->pairs)
    if (load_normal(s.surfaces.lambda, (size_t)i) != 0.0f)
        flag_up(&s.now->event);
}

// ---- slots ---------------------------------------------------------------------------------------------------------

#define SLOT_KERNEL(name, body)                                                                                        \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        name(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,                                \
             const __grid_constant__ launch_args g)                                                                    \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        wait_for_previous_kernel();                                                                                    \
        stamp_time(g);                                                                                                 \
        if (i < g.end && substep_is_active(s.now, g))                                                                  \
            body(MUTABLE_STATE(s), &g, i, i + 1);                                                                      \
    }

SLOT_KERNEL(run_surface_open, surface_open)
SLOT_KERNEL(run_surface_warm, surface_warm)
SLOT_KERNEL(run_surface_bound, surface_bound)
SLOT_KERNEL(run_surface_clip, surface_clip)

static __global__ void __launch_bounds__(THREADS)
    run_surface_drift(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                      const __grid_constant__ launch_args g)
{
    int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    wait_for_previous_kernel();
    stamp_time(g);
    if (i >= g.end || !substep_is_active(s.now, g))
        return;
    float off = surface_off_path(&s, 4 * (size_t)i);
    if (off > *(volatile float *)&s.now->drifted) // keeps atomics few
        raise_to(&s.now->drifted, off);
}

// ---- colours -------------------------------------------------------------------------------------------------------

// Does this lane's pair share a particle with the pair of lane `solved_lane`?
static __device__ __forceinline__ bool shares(const uint32_t *mine, int solved_lane)
{
    bool same = false;
    for (int i = 0; i < 4; i++)
    {
        uint32_t other = __shfl_sync(0xffffffffu, mine[i], solved_lane);
        for (int j = 0; j < 4; j++)
            same |= mine[j] == other;
    }
    return same;
}

// Each lane holds a pair. The first active pair in the block's order is solved; then the later pairs that share a
// particle with it check again whether they are active.
static __global__ void __launch_bounds__(128)
    run_surface(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                const __grid_constant__ launch_args g)
{
    const int lane = (int)(threadIdx.x & 31);
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    const packed_surface *p = &s.surfaces;
    for (int64_t block = g.range[0] + first_item() / 32; block < g.range[1]; block += all_items() / 32)
    {
        int32_t last = k.block_start[block + 1];
        for (int32_t row = k.block_start[block]; row < last; row += 32)
        {
            bool mine = row + lane < last;
            size_t i = (size_t)(mine ? row + lane : row);
            uint32_t index[4] = {p->index[0][i], p->index[1][i], p->index[2][i], p->index[3][i]};
            bool live = mine && surface_live(&s, p, i);
            for (int from = 0;;)
            {
                unsigned bits = __ballot_sync(0xffffffffu, live && lane >= from);
                if (!bits)
                    break;
                int solved_lane = __ffs((int)bits) - 1;
                if (lane == solved_lane)
                    visit_surface(&s, p, i);
                __syncwarp();
                bool again = shares(index, solved_lane);
                if (mine && lane > solved_lane && again)
                    live = surface_live(&s, p, i);
                from = solved_lane + 1;
            }
        }
    }
}

// Restitution is rare, so a single thread takes a block.
static __global__ void __launch_bounds__(THREADS)
    run_surface_bounce(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                       const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    int32_t begin = g.range[0], blocks = g.range[1] - begin;
    EACH(int32_t, i, blocks)
    for (int32_t row = k.block_start[begin + i]; row < k.block_start[begin + i + 1]; row++)
        bounce_surface(&s, &s.surfaces, (size_t)row);
}

// ---- launches ------------------------------------------------------------------------------------------------------

typedef void surface_kernel(const state s, const surface_arrays k, const launch_args g);

bool launch_surface(device *d, const launch_args *g, bool early, device_error *why)
{
    // A block has a few dozen pairs; where there are more blocks than warps, a warp takes several.
    int64_t rows = spread(d, d->surfaces.room), slots = (int64_t)g->end - g->begin, blocks = d->surfaces.room / 64 + 32;
    struct
    {
        surface_kernel *kernel;
        int64_t items;
        int threads;
    } how = {NULL, slots, THREADS};
    switch (g->op)
    {
    case OP_SURFACE_OPEN:
        how.kernel = run_surface_open;
        break;
    case OP_SURFACE_PROBE:
        how = {run_surface_probe, rows, THREADS};
        break;
    case OP_SURFACE_WARM:
        how.kernel = run_surface_warm;
        break;
    case OP_SURFACE:
        how = {run_surface, 32 * blocks, 128};
        break;
    case OP_SURFACE_BOUNCE:
        how = {run_surface_bounce, blocks, THREADS};
        break;
    case OP_SURFACE_BOUND:
        how.kernel = run_surface_bound;
        break;
    case OP_SURFACE_LIMIT:
        how = {run_surface_limit, rows, THREADS};
        break;
    case OP_SURFACE_CLIP:
        how.kernel = run_surface_clip;
        break;
    case OP_SURFACE_EVENT:
        how = {run_surface_event, rows, THREADS};
        break;
    default:
        how.kernel = run_surface_drift;
        break;
    }
    return start(why, d->stream, early, how.items, how.threads, 0, how.kernel, d->captured, d->surfaces, *g);
}
