// tiles.cu: a thread block takes a tile of a large scene and keeps its particles in shared memory while it runs every
// element kind and colour of the tile.
#include "backend/cuda/prefetch.h"
#include "backend/cuda/links.h"
#include "backend/cuda/tile.h"

extern __shared__ float4 tile_memory[];

static __device__ __forceinline__ tile_room *own_room(void) { return (tile_room *)tile_memory; }

// Tiles of any mix of kinds. Padding rows point outside the tile and are skipped.
static __global__ void __launch_bounds__(TILE_THREADS)
    run_tiles(const __grid_constant__ state s, const __grid_constant__ launch_args g)
{
    __shared__ run near_runs[TILE_RUNS];
    tile t = open_tile(&s, near_runs);
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    take_tile<false>(&s, g, t, own_room());
    for (int32_t r = 0; r < t.runs; r++)
    {
        run q = t.run[r];
        for (int32_t k = q.begin + (int32_t)threadIdx.x; k < q.end; k += (int32_t)blockDim.x)
            if (s.rows[q.kind].index[0][k] < 4 * (uint32_t)s.particles)
            {
                rows_view v = view_rows(&s, q.kind);
                show_tile(t, own_room(), &v);
                sweep_kind(q.kind, &v, &g, k, k + 1);
            }
        __syncthreads();
    }
    give_back<false>(&s, t, own_room());
}

// The rows of a colour that a thread takes, at most TILE_ROWS.
struct rows_ahead
{
    row_ahead row[TILE_ROWS];

    __device__ __forceinline__ void load(const packed_rows *r, int arity, int params, run q)
    {
        UNROLL
        for (int u = 0; u < TILE_ROWS; u++)
        {
            int32_t k = q.begin + (int32_t)(threadIdx.x + u * blockDim.x);
            if (k < q.end)
                row[u].load(r, arity, params, k);
        }
    }
};

// All tiles have one kind, as in a large cloth: while a colour runs, the rows of the next are being loaded.
template <int Arity, int Params, class Sweep>
static __device__ __forceinline__ void visit_tile(const state &s, rows_view v, const launch_args &g, Sweep sweep)
{
    __shared__ run near_runs[TILE_RUNS];
    tile t = open_tile(&s, near_runs);
    const packed_rows rows = v.rows;
    uint32_t outside = 4 * (uint32_t)s.particles;
    rows_ahead next;
    UNROLL
    for (int u = 0; u < TILE_ROWS; u++)
        next.row[u].open(&rows, Params);
    next.load(&rows, Arity, Params, t.run[0]);
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    show_tile(t, own_room(), &v);
    take_tile<false>(&s, g, t, own_room());
    for (int32_t r = 0; r < t.runs; r++)
    {
        rows_ahead here = next;
        run q = t.run[r];
        if (r + 1 < t.runs)
            next.load(&rows, Arity, Params, t.run[r + 1]);
        UNROLL
        for (int u = 0; u < TILE_ROWS; u++)
        {
            int32_t k = q.begin + (int32_t)(threadIdx.x + u * blockDim.x);
            if (k < q.end && here.row[u].index[0] < outside)
            {
                rows_view row_view = here.row[u].show(v, Arity, Params, k);
                sweep(&row_view, 0);
            }
        }
        for (int32_t k = q.begin + (int32_t)(threadIdx.x + TILE_ROWS * blockDim.x); k < q.end; k += (int32_t)blockDim.x)
            if (rows.index[0][k] < outside)
                sweep(&v, k);
        __syncthreads();
    }
    give_back<false>(&s, t, own_room());
}

#define TILE_KERNEL(name, NAME, arity, writes, params, ...)                                                            \
    static __global__ void __launch_bounds__(TILE_THREADS)                                                             \
        run_tiles_##name(const __grid_constant__ state s, const __grid_constant__ launch_args g)                       \
    {                                                                                                                  \
        visit_tile<arity, params>(s, view_rows(&s, PL_KIND_##NAME), g,                                                 \
                                  [&](const rows_view *v, int32_t k) { sweep_##name(v, &g, k, k + 1); });              \
    }
PL_KINDS(TILE_KERNEL)

typedef void stage_kernel(const state s, const launch_args g);

static stage_kernel *tile_kernel(int kind)
{
    static stage_kernel *const tiles[] = {
#define ENTRY(name, ...) run_tiles_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return kind < 0 ? run_tiles : tiles[kind];
}

bool launch_tiles(device *d, const launch_args *g, bool early, device_error *why)
{
    int64_t tiles = (int64_t)g->end - g->begin;
    if (d->tile_kind >= 0 && plain_links(d, g, d->tile_kind))
        return launch_link_tiles(d, g, early, why);
    return start(why, d->stream, early, tiles * TILE_THREADS, TILE_THREADS, sizeof(tile_room),
                 tile_kernel(d->tile_kind), d->captured, *g);
}
