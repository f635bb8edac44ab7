// solve_rows_one_kernel.cu: solves the rows of one kind, colour after colour, in one kernel,
// in a small scene. A few hundred rows are bound by
// latency: launching the next kernel costs more than solving them. So one cluster of 16 blocks runs the colours, with a
// barrier of the cluster after each. Before a thread waits, it loads what its row of the next colour reads and no row
// writes.
#include "backend/cuda/prefetch.h"
#include "backend/cuda/thread_block_cluster.h"
#include "backend/cuda/links.h"

enum
{
    SWEEP_THREADS = 256,
    SWEEP_FEWEST = 4, // fewer colours are not worth it
};

// The thread's row of the n-th colour, or -1. Consecutive rows go to different blocks.
static __device__ __forceinline__ int32_t own_row(const colour_list &l, int32_t n)
{
    int32_t i = n < l.count ? l.colour[n].begin + (int32_t)(threadIdx.x * CLUSTER_BLOCKS + blockIdx.x) : 0;
    return n < l.count && i < l.colour[n].end ? i : -1;
}

template <int Arity, int Params, class Sweep>
static __device__ __forceinline__ void walk_colours(const rows_view &v, const colour_list &l, const launch_args &g,
                                                    Sweep sweep)
{
    row_ahead next;
    next.open(&v.rows, Params);
    int32_t i = own_row(l, 0);
    if (i >= 0)
        next.load(&v.rows, Arity, Params, i);
    look_at(v, g);
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(v.now, g))
        return;
    for (int32_t n = 0; n < l.count; n++)
    {
        if (i >= 0)
        {
            rows_view row_view = next.show(v, Arity, Params, i);
            sweep(&row_view, 0);
        }
        i = own_row(l, n + 1);
        if (i >= 0)
            next.load(&v.rows, Arity, Params, i);
        if (n + 1 < l.count)
            meet();
    }
}

#define SWEEPS_KERNEL(name, NAME, arity, writes, params, ...)                                                          \
    static __global__ void __launch_bounds__(SWEEP_THREADS)                                                            \
        run_sweeps_##name(const __grid_constant__ rows_view v, const __grid_constant__ colour_list l,                  \
                          const __grid_constant__ launch_args g)                                                       \
    {                                                                                                                  \
        walk_colours<arity, params>(                                                                                   \
            v, l, g, [&](const rows_view *row_view, int32_t k) { sweep_##name(row_view, &g, k, k + 1); });             \
    }
PL_KINDS(SWEEPS_KERNEL)

// ---- launches ------------------------------------------------------------------------------------------------------

typedef void sweeps_kernel(const rows_view v, const colour_list l, const launch_args g);

static sweeps_kernel *sweeps_of(int kind)
{
    static sweeps_kernel *const kernels[] = {
#define ENTRY(name, ...) run_sweeps_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return kernels[kind];
}

// Joins colours of one iteration only: the next iteration starts from the multipliers of this one. Plain links are
// faster with one kernel per colour (links.cu).
int sweeps_join(const device *d, const stage *from, int64_t left, colour_list *l)
{
    int64_t alike = from->op == OP_SWEEP ? fuse_alike(from, left) : 0;
    l->count = 0;
    for (int64_t i = 0; i < alike && l->count < COLOURS_AT_ONCE; i++)
    {
        const stage *g = &from[i];
        if (g->end - g->begin > CLUSTER_BLOCKS * SWEEP_THREADS)
            break;
        l->colour[l->count].begin = g->begin;
        l->colour[l->count++].end = g->end;
    }
    if (l->count < SWEEP_FEWEST || plain_links(d, from, from[0].kind) ||
        !has_cluster(d, SWEEP_THREADS, 0, sweeps_of(from[0].kind)))
        l->count = 0;
    return l->count;
}

bool launch_sweeps(device *d, const launch_args *g, const colour_list *l, bool early, device_error *why)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = one_cluster(d, SWEEP_THREADS, 0, early, attributes);
    TRY(cudaLaunchKernelEx(&how, sweeps_of(g->kind), view_rows(&d->captured, g->kind), *l, *g), "launching colours");
    return true;
}
