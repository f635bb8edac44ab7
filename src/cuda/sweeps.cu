// sweeps.cu: the colours of one kind in a small scene as one kernel. A few hundred rows are bound by latency: the next kernel costs more than
// they do. So one cluster of 16 blocks walks the colours, with a barrier of the cluster after each; while a thread waits, it has what
// its row of the next colour reads and no row writes.
#include "cuda/ahead.h"

enum
{
    SWEEP_BLOCKS = 16, // as many as a cluster can have
    SWEEP_THREADS = 256,
    SWEEP_FEWEST = 4, // colours for which it is worth while
};

#if __CUDA_ARCH__ >= 900
// What each has written before, all see after.
static __device__ __forceinline__ void all_meet(void)
{
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
#else
static __device__ __forceinline__ void all_meet(void) {}
#endif

// Neighbours in number are in different blocks.
static __device__ __forceinline__ int32_t own_row(const colour_list &l, int32_t n)
{
    int32_t i = n < l.count ? l.colour[n].begin + (int32_t)(threadIdx.x * SWEEP_BLOCKS + blockIdx.x) : 0;
    return n < l.count && i < l.colour[n].end ? i : -1;
}

template <int Arity, int Params, class Sweep>
static __device__ __forceinline__ void walk_colours(const rows_view &v, const colour_list &l, const job &g, Sweep sweep)
{
    row_ahead next;
    next.open(&v.rows, Params);
    int32_t i = own_row(l, 0);
    if (i >= 0)
        next.load(&v.rows, Arity, Params, i);
    look_at(v, g);
    fall_in();
    stamp_time(g);
    if (!its_turn(v.now, g))
        return;
    for (int32_t n = 0; n < l.count; n++)
    {
        if (i >= 0)
        {
            rows_view own = next.show(v, Arity, Params, i);
            sweep(&own, 0);
        }
        i = own_row(l, n + 1);
        if (i >= 0)
            next.load(&v.rows, Arity, Params, i);
        if (n + 1 < l.count)
            all_meet();
    }
}

#define SWEEPS_KERNEL(name, NAME, arity, writes, params, ...)                                                          \
    static __global__ void __launch_bounds__(SWEEP_THREADS) run_sweeps_##name(                                         \
        const __grid_constant__ rows_view v, const __grid_constant__ colour_list l, const __grid_constant__ job g)     \
    {                                                                                                                  \
        walk_colours<arity, params>(v, l, g,                                                                           \
                                    [&](const rows_view *own, int32_t k) { sweep_##name(own, &g, k, k + 1); });        \
    }
PL_KINDS(SWEEPS_KERNEL)

// ---- launches ------------------------------------------------------------------------------------------------------

typedef void sweeps_kernel(const rows_view v, const colour_list l, const job g);

static sweeps_kernel *sweeps_of(int kind)
{
    static sweeps_kernel *const kernels[] = {
#define ENTRY(name, ...) run_sweeps_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return kernels[kind];
}

// How one is launched; the attributes are the caller's, two of them, and have to live as long.
static cudaLaunchConfig_t sweeps_launch(const device *d, bool early, cudaLaunchAttribute *attributes)
{
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(SWEEP_BLOCKS);
    how.blockDim = dim3(SWEEP_THREADS);
    how.stream = d->stream;
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = SWEEP_BLOCKS;
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    how.attrs = attributes;
    how.numAttrs = early ? 2 : 1;
    return how;
}

// Not every device, or part of one, has clusters of this size.
static bool has_sweeps(const device *d, int kind)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = sweeps_launch(d, false, attributes);
    int most = 0;
    bool able =
        cudaFuncSetAttribute(sweeps_of(kind), cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess &&
        cudaOccupancyMaxActiveClusters(&most, sweeps_of(kind), &how) == cudaSuccess;
    cudaGetLastError(); // a refusal is no fault
    return able && most > 0;
}

int sweeps_join(const device *d, const stage *from, int64_t left, colour_list *l)
{
    l->count = 0;
    for (int64_t i = 0; i < left && l->count < COLOURS_AT_ONCE; i++)
    {
        const stage *g = &from[i];
        if (g->op != OP_SWEEP || g->kind != from[0].kind || g->end - g->begin > SWEEP_BLOCKS * SWEEP_THREADS)
            break;
        l->colour[l->count].begin = g->begin;
        l->colour[l->count++].end = g->end;
    }
    if (d->about.major < 9 || l->count < SWEEP_FEWEST || !has_sweeps(d, from[0].kind))
        l->count = 0;
    return l->count;
}

bool launch_sweeps(device *d, const job *g, const colour_list *l, bool early, device_error *why)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = sweeps_launch(d, early, attributes);
    TRY(cudaLaunchKernelEx(&how, sweeps_of(g->kind), view_rows(&d->captured, g->kind), *l, *g), "launching colours");
    return true;
}
