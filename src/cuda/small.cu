// small.cu: a frame of a small cloth or rope in one kernel. A few thousand particles are bound by latency: a frame has hundreds of
// stages, and a stage costs less than its launch. So one cluster of 16 blocks runs them all, with a barrier of the cluster after
// each; a block keeps what its share of the slots reads and writes in shared memory, its share of the rows beside it, and reaches the
// others' positions through the cluster. While it waits, each thread has the row of its next colour at hand.
//
// Links and tethers alone, without damping, in first order: those read nothing but positions. Wind wants all multiprocessors.
#include "cuda/cluster.h"
#include "cuda/links.h"
#include "cuda/own.h"

enum
{
    SMALL_THREADS = 512, // of a block
    SMALL_SHARE = 512,   // its slots at the most
};

enum small_op
{
    SMALL_OWN,   // what particles do for themselves: own.h
    SMALL_SWEEP, // rows of one kind and colour
};

// The slot arrays that a block has of its share, SMALL_SHARE points each.
#define NEAR_ARRAYS 4
#define EACH_NEAR(X) X(SLOT_X, 0) X(SLOT_V, 1) X(SLOT_X0, 2) X(SLOT_FORCE, 3)

// What lies where in a block's memory, in bytes.
struct small_places
{
    size_t rows, jobs, end;
};

static __host__ __device__ __forceinline__ small_places places_of(const small_frame &f)
{
    small_places p;
    p.rows = (size_t)NEAR_ARRAYS * SMALL_SHARE * 16;
    p.jobs = p.rows + (size_t)f.rows * sizeof(near_row);
    p.end = p.jobs + (size_t)f.count * sizeof(small_job);
    return p;
}

#if __CUDA_ARCH__ >= 900

extern __shared__ float4 small_x[];

// The memory of a block of the cluster.
static __device__ __forceinline__ float *memory_of(uint32_t block)
{
    uint64_t at;
    asm("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"((uint64_t)small_x), "r"(block));
    return (float *)at;
}

template <class T> static __device__ __forceinline__ T *near_by(size_t place) { return (T *)((char *)small_x + place); }

static __device__ __forceinline__ near_row *near_rows(const small_frame &f)
{
    return near_by<near_row>(places_of(f).rows);
}
static __device__ __forceinline__ small_job *near_jobs(const small_frame &f)
{
    return near_by<small_job>(places_of(f).jobs);
}

// Where a slot's position lies, through the cluster, in floats from the first block's memory on.
static __device__ __forceinline__ uint32_t offset_of(const small_frame &f, uint32_t slot)
{
    uint32_t block = slot / (uint32_t)f.share;
    return (uint32_t)(memory_of(block) - memory_of(0)) + 4 * (slot - block * (uint32_t)f.share);
}

static __device__ __forceinline__ int32_t share_of(const small_job &j)
{
    return (j.end - j.begin + CLUSTER_BLOCKS - 1) / CLUSTER_BLOCKS;
}

// ---- what a block keeps --------------------------------------------------------------------------------------------

static __device__ __forceinline__ void keep_rows(const packed_rows *r, int pbd, const small_frame &f,
                                                 const small_job &j)
{
    int32_t share = share_of(j);
    for (int32_t i = (int32_t)threadIdx.x; i < share; i += SMALL_THREADS)
    {
        int32_t k = j.begin + (int32_t)blockIdx.x * share + i;
        if (k >= j.end)
            continue;
        near_row kept = {{0, 0}, r->param[0][r->param_step[0] ? k : 0], 0.0f};
        kept.softness = pbd ? r->stiffness[r->stiffness_step ? k : 0] : r->compliance[r->compliance_step ? k : 0];
        for (int c = 0; c < 2; c++)
            kept.index[c] = offset_of(f, r->index[c][k] / 4);
        near_rows(f)[j.near_first + i] = kept;
    }
}

// ---- stages --------------------------------------------------------------------------------------------------------

// A thread's row of a colour, if it has one; `i`-th of its block's share.
static __device__ __forceinline__ near_row row_near(const small_frame &f, const small_job &j, int32_t i)
{
    near_row none = {};
    return j.op == SMALL_SWEEP && i < share_of(j) ? near_rows(f)[j.near_first + i] : none;
}

template <class Sweep>
static __device__ __forceinline__ void sweep_near(rows_view v, float inverse_h, const small_frame &f,
                                                  const small_job &j, near_row r, Sweep sweep)
{
    int32_t share = share_of(j), first = j.begin + (int32_t)blockIdx.x * share;
    float *lambda = v.rows.lambda;
    v.x = memory_of(0);
    v.inverse_h = v.inverse_second = inverse_h;
    for (int32_t i = (int32_t)threadIdx.x; i < share && first + i < j.end; i += SMALL_THREADS)
    {
        if (i >= SMALL_THREADS)
            r = row_near(f, j, i);
        if (r.index[0] == r.index[1]) // padding, which would share a slot that nobody has
            continue;
        rows_view own = plain_view(v, r.index, &r.param, &r.softness);
        stage g = plain_stage();
        if (j.first && !j.keep && !v.pbd)
        {
            sweep(&own, &g);
            continue;
        }
        own.pbd = v.pbd;
        own.rows.stiffness = own.rows.compliance, own.rows.stiffness_step = 0;
        own.rows.lambda = lambda + first + i;
        g.first = j.first, g.keep = j.keep;
        sweep(&own, &g);
    }
}

static __device__ __forceinline__ void sweep_colour(const state &s, float inverse_h, const small_frame &f,
                                                    const small_job &j, near_row r)
{
    switch (j.kind)
    {
#define ENTRY(name, NAME, arity, writes, params, ...)                                                                  \
    case PL_KIND_##NAME:                                                                                               \
        if (IS_LINK(arity, params))                                                                                    \
            sweep_near(view_rows(&s, PL_KIND_##NAME), inverse_h, f, j, r,                                              \
                       [](const rows_view *v, const stage *g) { sweep_##name(v, g, 0, 1); });                          \
        break;
        PL_KINDS(ENTRY)
#undef ENTRY
    }
}

// The state as a block's own slots see it.
static __device__ __forceinline__ state own_state(const state &s, const small_frame &f)
{
    state t = s;
    ptrdiff_t first = 4 * (ptrdiff_t)blockIdx.x * f.share;
#define ENTRY(array, n) t.slot[array] = (float *)small_x + 4 * (n)*SMALL_SHARE - first;
    EACH_NEAR(ENTRY)
#undef ENTRY
    return t;
}

static __device__ __forceinline__ void own_slot(const state &s, const small_frame &f, const small_job &j, int32_t slot)
{
    state t = own_state(s, f);
    job g = {};
    g.substep = j.substep;
    if (j.own & OWN_REMEMBER)
        remember(&t, &g, slot, slot + 1);
    if (j.own & OWN_VELOCITY)
        update_velocity(&t, &g, slot, slot + 1);
    if (j.own & OWN_CHECK)
        check(&t, &g, slot, slot + 1);
    if (j.own & OWN_PREDICT)
        predict(&t, &g, slot, slot + 1);
}

// A slot's arrays into the block's memory, or home.
static __device__ __forceinline__ void copy_slot(const state &s, int32_t slot, int32_t i, bool home)
{
#define ENTRY(array, n)                                                                                                \
    {                                                                                                                  \
        float4 *far_away = (float4 *)s.slot[array] + slot, *here = small_x + (n)*SMALL_SHARE + i;                      \
        if (!home)                                                                                                     \
            *here = *far_away;                                                                                         \
        else if (array != SLOT_FORCE)                                                                                  \
            *far_away = *here;                                                                                         \
    }
    EACH_NEAR(ENTRY)
#undef ENTRY
}

#endif

static __global__ void __launch_bounds__(SMALL_THREADS)
    run_small(const __grid_constant__ state s, const __grid_constant__ small_frame f, const __grid_constant__ job g)
{
#if __CUDA_ARCH__ >= 900
    int32_t i = (int32_t)threadIdx.x, slot = (int32_t)blockIdx.x * f.share + i;
    bool mine = i < f.share && slot < s.slots;
    float inverse_h = 1.0f / s.h;
    stamp_time(g);
    if (mine)
        copy_slot(s, slot, i, false);
    for (int32_t n = i; n < f.count; n += SMALL_THREADS)
        near_jobs(f)[n] = f.jobs[n];
    __syncthreads();
    for (int32_t n = 0; n < f.kept; n++)
    {
        small_job j = near_jobs(f)[n];
        if (j.op == SMALL_SWEEP)
            keep_rows(&s.rows[j.kind], s.pbd, f, j);
    }
    __syncthreads();
    small_job j = near_jobs(f)[0];
    near_row row = row_near(f, j, i);
    meet();
    for (int32_t n = 1; n <= f.count; n++)
    {
        if (j.op == SMALL_SWEEP)
            sweep_colour(s, inverse_h, f, j, row);
        else if (mine)
            own_slot(s, f, j, slot);
        if (n < f.count)
        {
            j = near_jobs(f)[n];
            row = row_near(f, j, i);
        }
        meet();
    }
    if (mine)
        copy_slot(s, slot, i, true);
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
        rows += (jobs[i].end - jobs[i].begin + CLUSTER_BLOCKS - 1) / CLUSTER_BLOCKS;
        *kept = i + 1;
    }
    return rows;
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

// Makes the list of the frame's jobs, if the scene is one of these; it has none if not.
bool ready_small(device *d, device_error *why)
{
    small_frame f = {};
    d->small.count = 0;
    if (d->lists.slots || d->captured.second || d->captured.slots > CLUSTER_BLOCKS * SMALL_SHARE)
        return true;
    small_job *jobs = list_jobs(d, &f);
    f.share = (d->captured.slots + CLUSTER_BLOCKS - 1) / CLUSTER_BLOCKS;
    bool done = true;
    if (jobs && f.count && places_of(f).end <= d->about.sharedMemPerBlockOptin &&
        has_cluster(d, SMALL_THREADS, places_of(f).end, run_small))
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
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = one_cluster(d, SMALL_THREADS, places_of(d->small).end, false, attributes);
    TRY(cudaLaunchKernelEx(&how, run_small, d->captured, d->small, *g), "launching a frame");
    return true;
}
