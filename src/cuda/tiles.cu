// tiles.cu: a block takes a tile of a large scene and keeps its positions in shared memory, while every kind and colour in it runs.
#include "cuda/inside.h"

enum
{
    TILE_THREADS = 640, // a colour of a tile in one go
};

// A block takes a tile: positions into shared memory, every kind and colour of it there, and back. Padding rows point
// outside the tile and are passed over. While a colour is at work, the next one's rows are on their way.
static __device__ __forceinline__ void fetch(const void *p) { asm volatile("prefetch.global.L1 [%0];" ::"l"(p)); }

static __device__ __forceinline__ void fetch_run(const state *s, int32_t r, int32_t last)
{
    if (r >= last)
        return;
    run q = s->tile_run[r];
    const packed_rows *rows = &s->rows[q.kind];
    int32_t k = q.begin + (int32_t)threadIdx.x;
    for (int i = 0; k < q.end && i < PL_MAX_ARITY; i++)
        if (rows->index[i])
            fetch(rows->index[i] + k);
    for (int i = 0; k < q.end && i < PL_MAX_PARAMS; i++)
        if (rows->param_step[i])
            fetch(rows->param[i] + k);
}

// `sweep`: what to do with a row; one that knows its kind needs half the registers of one that asks.
template <class Sweep> static __device__ __forceinline__ void visit_tile(const state *s, const job &g, Sweep sweep)
{
    extern __shared__ float4 tile_x[];
    int32_t tile = (int32_t)blockIdx.x, first = s->tile_first[tile], last = s->tile_first[tile + 1];
    int32_t run_first = s->tile_start[tile], run_last = s->tile_start[tile + 1];
    fetch_run(s, run_first, run_last);
    fall_in();
    stamp_time(g);
    if (!its_turn(s->now, g))
        return;
    float4 *x = (float4 *)s->slot[SLOT_X];
    for (int32_t i = first + (int32_t)threadIdx.x; i < last; i += (int32_t)blockDim.x)
        tile_x[i - first] = x[i];
    __syncthreads();
    float *shifted = (float *)tile_x - 4 * (ptrdiff_t)first; // so that offsets of slots work unchanged
    for (int32_t r = run_first; r < run_last; r++)
    {
        run q = s->tile_run[r];
        fetch_run(s, r + 1, run_last);
        for (int32_t k = q.begin + (int32_t)threadIdx.x; k < q.end; k += (int32_t)blockDim.x)
            if (s->rows[q.kind].index[0][k] < 4 * (uint32_t)s->particles)
                sweep(q.kind, shifted, k);
        __syncthreads();
    }
    for (int32_t i = first + (int32_t)threadIdx.x; i < last; i += (int32_t)blockDim.x)
        x[i] = tile_x[i - first];
}

static __global__ void __launch_bounds__(TILE_THREADS)
    run_tiles(const __grid_constant__ state s, const __grid_constant__ job g)
{
    visit_tile(&s, g, [&](int kind, float *x, int32_t k) {
        rows_view v = view_rows(&s, kind);
        v.x = x;
        sweep_kind(kind, &v, &g, k, k + 1);
    });
}

#define TILE_KERNEL(name, NAME, ...)                                                                                   \
    static __global__ void __launch_bounds__(TILE_THREADS, 2)                                                          \
        run_tiles_##name(const __grid_constant__ state s, const __grid_constant__ job g)                               \
    {                                                                                                                  \
        rows_view v = view_rows(&s, PL_KIND_##NAME);                                                                   \
        visit_tile(&s, g, [&](int, float *x, int32_t k) {                                                              \
            v.x = x;                                                                                                   \
            sweep_##name(&v, &g, k, k + 1);                                                                            \
        });                                                                                                            \
    }
PL_KINDS(TILE_KERNEL)

typedef void stage_kernel(const state s, const job g);

static stage_kernel *tile_kernel(int kind)
{
    static stage_kernel *const tiles[] = {
#define ENTRY(name, ...) run_tiles_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return kind < 0 ? run_tiles : tiles[kind];
}

bool launch_tiles(device *d, const job *g, bool early, device_error *why)
{
    int64_t tiles = (int64_t)g->end - g->begin;
    int threads = getenv("X_TILE") ? atoi(getenv("X_TILE")) : TILE_THREADS;
    return start(why, d->stream, early, tiles * threads, threads, d->tile_bytes, tile_kernel(d->tile_kind),
                 d->captured, *g);
}
