// small.cu: a frame of a small cloth or rope in one kernel. A few thousand particles are bound by latency: a frame has hundreds of
// stages, and a stage costs less than its launch. So one cluster of 16 blocks runs them all, with a barrier of the cluster after
// each; a block keeps the positions of its share of the slots in shared memory, and reaches the others' through the cluster. While
// it waits, each thread has the row of its next colour at hand.
//
// Links and tethers alone, without damping, in first order: those read nothing but positions.
#include "cuda/own.h"

enum
{
    SMALL_BLOCKS = 16, // as many as a cluster can have
    SMALL_SHARE = 512, // threads of a block, and its slots at the most
};

enum small_op
{
    SMALL_OWN,   // what particles do for themselves: own.h
    SMALL_SWEEP, // rows of one kind and colour
};

// Links: two points, one parameter.
#define IS_LINK(arity, params) ((arity) == 2 && (params) == 1)

static bool is_link(int kind)
{
    static const bool links[] = {
#define ENTRY(name, NAME, arity, writes, params, ...) IS_LINK(arity, params),
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return links[kind];
}

#if __CUDA_ARCH__ >= 900

extern __shared__ float4 small_x[];

static __device__ __forceinline__ void meet(void)
{
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The positions of a block of the cluster.
static __device__ __forceinline__ float *positions_of(uint32_t block)
{
    uint64_t at;
    asm("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"((uint64_t)small_x), "r"(block));
    return (float *)at;
}

// The positions, this block's share of the rows, the jobs.
static __device__ __forceinline__ near_row *near_rows(void) { return (near_row *)(small_x + SMALL_SHARE); }
static __device__ __forceinline__ small_job *near_jobs(const small_frame &f)
{
    return (small_job *)(near_rows() + f.rows);
}

static __device__ __forceinline__ int32_t share_of(const small_job &j)
{
    return (j.end - j.begin + SMALL_BLOCKS - 1) / SMALL_BLOCKS;
}

static __device__ __forceinline__ void keep_rows(const packed_rows *r, const small_frame &f, const small_job &j)
{
    const float *base = positions_of(0);
    int32_t share = share_of(j);
    for (int32_t i = (int32_t)threadIdx.x; i < share; i += SMALL_SHARE)
    {
        int32_t k = j.begin + (int32_t)blockIdx.x * share + i;
        if (k >= j.end)
            continue;
        near_row near_by = {{0, 0}, r->param[0][r->param_step[0] ? k : 0], r->compliance[r->compliance_step ? k : 0]};
        for (int c = 0; c < 2; c++)
        {
            uint32_t slot = r->index[c][k] / 4, block = slot / (uint32_t)f.share;
            near_by.index[c] = (uint32_t)(positions_of(block) - base) + 4 * (slot - block * (uint32_t)f.share);
        }
        near_rows()[j.near_first + i] = near_by;
    }
}

// A thread's row of a colour, if it has one; `i`-th of its block's share.
static __device__ __forceinline__ near_row row_near(const small_job &j, int32_t i)
{
    near_row none = {};
    return j.op == SMALL_SWEEP && i < share_of(j) ? near_rows()[j.near_first + i] : none;
}

template <class Sweep>
static __device__ __forceinline__ void sweep_near(rows_view v, float inverse_h, const small_job &j, near_row r,
                                                  Sweep sweep)
{
    stage g = {};
    g.first = j.first, g.keep = j.keep, g.substep = j.substep;
    int32_t share = share_of(j), first = j.begin + (int32_t)blockIdx.x * share;
    float *lambda = v.rows.lambda;
    v.x = positions_of(0);
    v.inverse_h = v.inverse_second = inverse_h;
    v.rows.param_step[0] = v.rows.compliance_step = 0;
    for (int32_t i = (int32_t)threadIdx.x; i < share && first + i < j.end; i += SMALL_SHARE)
    {
        if (i >= SMALL_SHARE)
            r = row_near(j, i);
        v.rows.index[0] = r.index, v.rows.index[1] = r.index + 1;
        v.rows.param[0] = &r.param, v.rows.compliance = &r.compliance;
        v.rows.lambda = lambda + first + i;
        sweep(&v, &g);
    }
}

static __device__ __forceinline__ void sweep_colour(const state &s, float inverse_h, const small_job &j, near_row r)
{
    switch (j.kind)
    {
#define ENTRY(name, NAME, arity, writes, params, ...)                                                                  \
    case PL_KIND_##NAME:                                                                                               \
        if (IS_LINK(arity, params))                                                                                    \
            sweep_near(view_rows(&s, PL_KIND_##NAME), inverse_h, j, r,                                                 \
                       [](const rows_view *v, const stage *g) { sweep_##name(v, g, 0, 1); });                          \
        break;
        PL_KINDS(ENTRY)
#undef ENTRY
    }
}

// Positions go home for it: what particles do for themselves reads and writes the arrays.
static __device__ __forceinline__ void own_slot(const state &s, const small_job &j, int32_t slot, float4 *near_x)
{
    float4 *x = (float4 *)s.slot[SLOT_X] + slot;
    job g = {};
    g.substep = j.substep;
    *x = *near_x;
    if (j.own & OWN_REMEMBER)
        remember(OWN(s), &g, slot, slot + 1);
    if (j.own & OWN_VELOCITY)
        update_velocity(OWN(s), &g, slot, slot + 1);
    if (j.own & OWN_CHECK)
        check(OWN(s), &g, slot, slot + 1);
    if (j.own & OWN_PREDICT)
        predict(OWN(s), &g, slot, slot + 1);
    *near_x = *x;
}

#endif

static __global__ void __launch_bounds__(SMALL_SHARE)
    run_small(const __grid_constant__ state s, const __grid_constant__ small_frame f, const __grid_constant__ job g)
{
#if __CUDA_ARCH__ >= 900
    int32_t i = (int32_t)threadIdx.x, slot = (int32_t)blockIdx.x * f.share + i;
    bool mine = i < f.share && slot < s.slots;
    float inverse_h = 1.0f / s.h;
    stamp_time(g);
    if (mine)
        small_x[i] = ((const float4 *)s.slot[SLOT_X])[slot];
    for (int32_t n = i; n < f.count; n += SMALL_SHARE)
        near_jobs(f)[n] = f.jobs[n];
    __syncthreads();
    for (int32_t n = 0; n < f.kept; n++)
    {
        small_job j = near_jobs(f)[n];
        if (j.op == SMALL_SWEEP)
            keep_rows(&s.rows[j.kind], f, j);
    }
    __syncthreads();
    small_job j = near_jobs(f)[0];
    near_row row = row_near(j, i);
    meet();
    for (int32_t n = 1; n <= f.count; n++)
    {
        if (j.op == SMALL_SWEEP)
            sweep_colour(s, inverse_h, j, row);
        else if (mine)
            own_slot(s, j, slot, small_x + i);
        if (n < f.count)
        {
            j = near_jobs(f)[n];
            row = row_near(j, i);
        }
        meet();
    }
#else
    (void)s, (void)f, (void)g;
#endif
}

// ---- which scenes --------------------------------------------------------------------------------------------------

static bool small_job_of(const device *d, const stage *g, small_job *out)
{
    const uint32_t able = OWN_REMEMBER | OWN_VELOCITY | OWN_CHECK | OWN_PREDICT;
    small_job j = {SMALL_OWN, g->kind, g->first, g->keep, g->substep, g->begin, g->end, own_stage(g->op), 0};
    *out = j;
    if (j.own)
        return !(j.own & ~able);
    out->op = SMALL_SWEEP;
    return g->op == OP_SWEEP && is_link(g->kind) && !d->captured.rows[g->kind].damped;
}

// In the order in which own_slot does them, one job can do several.
static bool joins(const small_job *last, const small_job *j)
{
    const uint32_t order[] = {OWN_REMEMBER, OWN_VELOCITY, OWN_CHECK, OWN_PREDICT};
    int latest = -1, mine = -1;
    for (int i = 0; i < 4; i++)
    {
        latest = last->own & order[i] ? i : latest;
        mine = j->own & order[i] ? i : mine;
    }
    return last->op == SMALL_OWN && j->op == SMALL_OWN && mine > latest;
}

// Where a block keeps its share of the rows: a run comes again in every substep. Returns how many rows that are in all.
static int32_t place_rows(small_job *jobs, int32_t count, int32_t *kept)
{
    int32_t rows = 0;
    *kept = 0;
    for (int32_t i = 0; i < count; i++)
    {
        int32_t same = 0;
        if (jobs[i].op != SMALL_SWEEP)
            continue;
        while (same < *kept &&
               (jobs[same].op != SMALL_SWEEP || jobs[same].kind != jobs[i].kind || jobs[same].begin != jobs[i].begin))
            same++;
        jobs[i].near_first = same < *kept ? jobs[same].near_first : rows;
        if (same < *kept)
            continue;
        rows += (jobs[i].end - jobs[i].begin + SMALL_BLOCKS - 1) / SMALL_BLOCKS;
        *kept = i + 1;
    }
    return rows;
}

static size_t small_bytes(const small_frame *f)
{
    return SMALL_SHARE * sizeof(float4) + (size_t)f->rows * sizeof(near_row) + (size_t)f->count * sizeof(small_job);
}

static small_job *list_jobs(const device *d, small_frame *f)
{
    const plan *p = d->plan;
    small_job *jobs = (small_job *)calloc((size_t)p->count + 1, sizeof *jobs);
    for (int64_t i = 0; jobs && i < p->count; i++)
    {
        small_job j;
        if (p->stages[i].end <= p->stages[i].begin)
            continue;
        if (!small_job_of(d, &p->stages[i], &j))
        {
            free(jobs);
            return NULL;
        }
        if (f->count && joins(jobs + f->count - 1, &j))
            jobs[f->count - 1].own |= j.own;
        else
            jobs[f->count++] = j;
    }
    if (jobs)
        f->rows = place_rows(jobs, f->count, &f->kept);
    return jobs;
}

// How the frame is launched; the attributes are the caller's, and have to live as long.
static cudaLaunchConfig_t small_launch(const device *d, const small_frame *f, cudaLaunchAttribute *together)
{
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(SMALL_BLOCKS);
    how.blockDim = dim3(SMALL_SHARE);
    how.dynamicSmemBytes = small_bytes(f);
    how.stream = d->stream;
    together->id = cudaLaunchAttributeClusterDimension;
    together->val.clusterDim.x = SMALL_BLOCKS;
    together->val.clusterDim.y = together->val.clusterDim.z = 1;
    how.attrs = together;
    how.numAttrs = 1;
    return how;
}

// Not every device, or part of one, has clusters of this size.
static bool has_cluster(const device *d, const small_frame *f)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t how = small_launch(d, f, &together);
    int most = 0;
    bool able = cudaFuncSetAttribute(run_small, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess &&
                cudaFuncSetAttribute(run_small, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)how.dynamicSmemBytes) == cudaSuccess &&
                cudaOccupancyMaxActiveClusters(&most, run_small, &how) == cudaSuccess;
    cudaGetLastError(); // a refusal is no fault
    return able && most > 0;
}

// Makes the list of the frame's jobs, if the scene is one of these; it has none if not.
bool ready_small(device *d, device_error *why)
{
    small_frame f = {};
    d->small.count = 0;
    if (d->about.major < 9 || d->lists.slots || d->captured.second || d->captured.slots > SMALL_BLOCKS * SMALL_SHARE)
        return true;
    small_job *jobs = list_jobs(d, &f);
    f.share = (d->captured.slots + SMALL_BLOCKS - 1) / SMALL_BLOCKS;
    bool done = true;
    if (jobs && f.count && small_bytes(&f) <= d->about.sharedMemPerBlockOptin && has_cluster(d, &f))
    {
        size_t bytes = (size_t)f.count * sizeof *jobs;
        done = grow((void **)&d->small_jobs, &d->small_bytes, bytes, why) &&
               !failed(cudaMemcpyAsync(d->small_jobs, jobs, bytes, cudaMemcpyHostToDevice, d->stream), "copying stages",
                       why) &&
               !failed(cudaStreamSynchronize(d->stream), "copying stages", why);
        f.jobs = (const small_job *)d->small_jobs;
        d->small = f;
    }
    free(jobs);
    return done;
}

bool launch_small(device *d, const job *g, device_error *why)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t how = small_launch(d, &d->small, &together);
    TRY(cudaLaunchKernelEx(&how, run_small, d->captured, d->small, *g), "launching a frame");
    return true;
}
