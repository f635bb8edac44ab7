// match.cu: shape matching on an NVIDIA GPU: a block takes a chunk of a cluster (stages/match.h), a thread a member, and the sums come out
// as on a CPU: warp after warp for the 32 running sums, then as a tree over the lanes. Where every cluster is one chunk, as small bodies
// are, one kernel finds where a body goes and brings it there. What never changes in a frame is read before the kernel's turn.
#include "cuda/inside.h"
#include "stages/match_items.h"
#include "stages/orient_items.h"

enum
{
    CHUNK_WARPS = MATCH_CHUNK / MATCH_SUMS,
    LOSS_TERMS = 3,
};
static_assert(MATCH_SUMS == 32, "a running sum is a lane");

// ---- sums of a block -----------------------------------------------------------------------------------------------

// In the first lane: the lanes' sums.
static __device__ __forceinline__ float tree_of(float sum, int lane)
{
    UNROLL
    for (int half = 16; half; half /= 2)
        sum = sum + __shfl_sync(0xffffffffu, sum, (lane + half) & 31);
    return sum;
}

// value[t] of every thread, added up in the order of stages/match.h; the sums are in total[] for all threads afterwards.
template <int Terms> static __device__ __forceinline__ void add_up(float (*part)[32], const float *value, float *total)
{
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, warps = (int)blockDim.x / 32;
    if (warps == 1) // all terms side by side
    {
        UNROLL
        for (int t = 0; t < Terms; t++)
        {
            float sum = tree_of(0.0f + value[t], lane);
            if (lane == 0)
                total[t] = sum;
        }
        __syncwarp();
        return;
    }
    UNROLL
    for (int t = 0; t < Terms; t++)
        part[warp * Terms + t][lane] = value[t];
    __syncthreads();
    for (int t = warp; t < Terms; t += warps)
    {
        float sum = 0.0f;
        UNROLL
        for (int w = 0; w < CHUNK_WARPS; w++)
            if (w < warps)
                sum = sum + part[w * Terms + t][lane];
        sum = tree_of(sum, lane);
        if (lane == 0)
            total[t] = sum;
    }
    __syncthreads();
}

// What a thread's member reads that no kernel writes.
struct held_member
{
    uint32_t slot;
    float4 rest;
    int32_t own;

    __device__ __forceinline__ void load(const packed_clusters *c, int32_t k, bool mine)
    {
        slot = mine ? __ldg(c->member + k) : 0;
        rest = mine ? __ldg((const float4 *)c->rest + k) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        own = mine && c->owns ? __ldg(c->own + k) : -1;
    }
};

template <int Terms>
static __device__ __forceinline__ void sum_members(const state &s, const match_body *b, vec origin,
                                                   const held_member &m, bool mine, float (*part)[32], match_sum *sum)
{
    match_sum value = {};
    if (mine)
        match_set(&value, sub(at(load_points(s.slot[SLOT_X] + m.slot)), origin), vec_of(m.rest.x, m.rest.y, m.rest.z),
                  m.rest.w, b, Terms);
    add_up<Terms>(part, value.s, sum->s);
    if (!s.clusters.owns)
        return;
    __shared__ match_sum beside;
    match_sum own = {};
    if (m.own >= 0)
        match_add_own(&s, m.own, m.rest.w, &own);
    add_up<MATCH_LINEAR>(part, own.s, beside.s);
    if (threadIdx.x < MATCH_LINEAR)
        sum->s[threadIdx.x] = sum->s[threadIdx.x] + beside.s[threadIdx.x];
    __syncthreads();
}

static __device__ __forceinline__ void sum_chunk(const state &s, const match_body *b, vec origin, const held_member &m,
                                                 bool mine, float (*part)[32], match_sum *sum)
{
    if (match_terms(b) > MATCH_LINEAR)
        sum_members<MATCH_TERMS>(s, b, origin, m, mine, part, sum);
    else
        sum_members<MATCH_LINEAR>(s, b, origin, m, mine, part, sum);
}

static __device__ __forceinline__ void chunk_goes(const state &s, const job &g, int32_t chunk, const match_body *b,
                                                  const match_pose *pose, int32_t k, bool mine, bool go,
                                                  float (*part)[32])
{
    const packed_clusters *c = &s.clusters;
    __shared__ float way[LOSS_TERMS], own[LOSS_TERMS];
    vec none = vec_of(0.0f, 0.0f, 0.0f);
    match_loss lost = {none, none};
    if (mine)
        match_go(&s, &g, c, b, pose, vec_of(pose->centre[0], pose->centre[1], pose->centre[2]), k, go, &lost);
    add_up<LOSS_TERMS>(part, &lost.way.x, way);
    if (c->owns)
        add_up<LOSS_TERMS>(part, &lost.own.x, own);
    if (threadIdx.x == 0)
        match_tally(c, &g, chunk, vec_of(way[0], way[1], way[2]), vec_of(own[0], own[1], own[2]));
}

// ---- kernels -------------------------------------------------------------------------------------------------------

// A cluster's matter and its pose in shared memory, where one thread looks at all of it.
struct held_cluster
{
    match_body body;
    match_pose pose;
};

template <class T> static __device__ __forceinline__ void copy_words(T *to, const T *from)
{
    for (unsigned i = threadIdx.x; i < sizeof(T) / 4; i += blockDim.x)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

// The thread's member of the block's chunk.
#define OPEN_CHUNK                                                                                                     \
    __shared__ held_cluster held;                                                                                      \
    const packed_clusters *c = &s.clusters;                                                                            \
    int32_t chunk = (int32_t)blockIdx.x, cluster = __ldg(c->chunk_cluster + chunk);                                    \
    int32_t k = __ldg(c->chunk_start + chunk) + (int32_t)threadIdx.x;                                                  \
    bool mine = k < __ldg(c->chunk_start + chunk + 1);                                                                 \
    held_member m;                                                                                                     \
    m.load(c, k, mine);                                                                                                \
    copy_words(&held.body, c->body + cluster);                                                                         \
    fall_in();                                                                                                         \
    stamp_time(g);                                                                                                     \
    if (!its_turn(s.now, g))                                                                                           \
        return;                                                                                                        \
    copy_words(&held.pose, c->pose + cluster);                                                                         \
    __syncthreads();                                                                                                   \
    const match_body *b = &held.body;                                                                                  \
    match_pose *pose = &held.pose;                                                                                     \
    vec origin = vec_of(pose->centre[0], pose->centre[1], pose->centre[2]);

typedef void match_kernel(const state s, const job g);

static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_sum(const __grid_constant__ state s, const __grid_constant__ job g)
{
    __shared__ float part[CHUNK_WARPS * MATCH_TERMS][32];
    __shared__ match_sum sum;
    OPEN_CHUNK
    sum_chunk(s, b, origin, m, mine, part, &sum);
    if (threadIdx.x < MATCH_TERMS)
        c->sum[chunk].s[threadIdx.x] = sum.s[threadIdx.x];
}

template <bool Go>
static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_go(const __grid_constant__ state s, const __grid_constant__ job g)
{
    __shared__ float part[CHUNK_WARPS * LOSS_TERMS][32];
    OPEN_CHUNK(void) origin;
    if (!Go || !match_rests(&g, b))
        chunk_goes(s, g, chunk, b, pose, k, mine, Go, part);
}

// A block takes a cluster: each lane of a warp adds up one term over the chunks, and one thread does the rest.
static __global__ void __launch_bounds__(THREADS)
    run_solve(const __grid_constant__ state s, const __grid_constant__ job g)
{
    __shared__ held_cluster held;
    __shared__ match_sum sum;
    const packed_clusters *c = &s.clusters;
    int32_t cluster = (int32_t)blockIdx.x, term = (int32_t)threadIdx.x;
    int32_t first = __ldg(c->cluster_chunk + cluster), last = __ldg(c->cluster_chunk + cluster + 1);
    copy_words(&held.body, c->body + cluster);
    fall_in();
    stamp_time(g);
    if (!its_turn(s.now, g))
        return;
    copy_words(&held.pose, c->pose + cluster);
    if (term < MATCH_TERMS)
    {
        float a = c->sum[first].s[term];
        FOUR_AT_ONCE
        for (int32_t i = first + 1; i < last; i++)
            a = a + c->sum[i].s[term];
        sum.s[term] = a;
    }
    __syncthreads();
    const float *centre = held.pose.centre;
    if (term == 0)
        match_solve(&held.body, &sum, c->quadratic + held.body.quadratic, vec_of(centre[0], centre[1], centre[2]),
                    &held.pose);
    __syncthreads();
    copy_words(c->pose + cluster, &held.pose);
}

// All of it for clusters of one chunk; in the substep's last turn also what the turning has lost.
static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_whole(const __grid_constant__ state s, const __grid_constant__ job g)
{
    __shared__ float part[CHUNK_WARPS * MATCH_TERMS][32];
    __shared__ match_sum sum;
    OPEN_CHUNK
    sum_chunk(s, b, origin, m, mine, part, &sum);
    if (threadIdx.x == 0)
        match_solve(b, &sum, c->quadratic + b->quadratic, origin, pose);
    __syncthreads();
    if (!match_rests(&g, b))
        chunk_goes(s, g, chunk, b, pose, k, mine, true, part);
    if (g.joined == MATCH_JOINED_SPIN)
    {
        if (threadIdx.x == 0)
        {
            match_end(pose, match_spin_of(&s, c, cluster, b, pose));
        }
        __syncthreads();
    }
    copy_words(c->pose + cluster, pose);
}

// ---- launches ------------------------------------------------------------------------------------------------------

// The substep's clusters have no other turn before what they have lost is looked at.
static bool is_last_turn(const stage *from, int64_t left)
{
    for (int64_t i = 0; i < left; i++)
        if (from[i].op == OP_MATCH_SUM || from[i].op == OP_MATCH_SPIN)
            return from[i].op == OP_MATCH_SPIN;
    return false;
}

int match_joins(const device *d, const stage *from, int64_t left, job *g)
{
    const packed_clusters *c = &d->captured.clusters;
    if (c->chunks != c->count || left < 3 || from[0].op != OP_MATCH_SUM || from[1].op != OP_MATCH_SOLVE ||
        from[2].op != OP_MATCH_MOVE)
        return 0;
    *(stage *)g = from[2];
    g->joined = is_last_turn(from + 3, left - 3) ? MATCH_JOINED_SPIN : MATCH_JOINED;
    return 2;
}

bool match_spins_inside(const device *d)
{
    const packed_clusters *c = &d->captured.clusters;
    return c->chunks == c->count && !c->overlap;
}

bool launch_match(device *d, const job *g, bool early, device_error *why)
{
    const packed_clusters *c = &d->captured.clusters;
    if (g->op == OP_MATCH_SOLVE)
        return start(why, d->stream, early, THREADS * (int64_t)c->count, THREADS, 0, run_solve, d->captured, *g);
    match_kernel *kernel = g->op == OP_MATCH_SUM    ? run_sum
                           : g->op == OP_MATCH_LOSE ? run_go<false>
                           : g->joined              ? run_whole
                                                    : run_go<true>;
    int threads = (c->widest + 31) / 32 * 32;
    return start(why, d->stream, early, threads * (int64_t)c->chunks, threads, 0, kernel, d->captured, *g);
}
