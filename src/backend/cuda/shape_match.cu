// shape_match.cu: shape matching on an NVIDIA GPU. A thread block takes a chunk of a cluster (kernels/shape_match.h), a
// thread takes a member. The sums have the same order as on a CPU: warp after warp for the 32 running sums, then as a
// tree over the lanes. Where every cluster is one chunk, as in scenes of small bodies, one kernel solves for the pose
// and moves the members. Data that does not change in a frame is read before the kernel waits for the previous one.
#include "backend/cuda/shape_match_block.h"

// Loads the thread's member of the block's chunk, and the cluster.
#define OPEN_CHUNK                                                                                                     \
    __shared__ held_cluster held;                                                                                      \
    const packed_clusters *c = &s.clusters;                                                                            \
    int32_t chunk = (int32_t)blockIdx.x, cluster = __ldg(c->chunk_cluster + chunk);                                    \
    int32_t k = __ldg(c->chunk_start + chunk) + (int32_t)threadIdx.x;                                                  \
    bool mine = k < __ldg(c->chunk_start + chunk + 1);                                                                 \
    held_member m;                                                                                                     \
    m.load(s, k, mine);                                                                                                \
    copy_words(&held.body, c->body + cluster);                                                                         \
    wait_for_previous_kernel();                                                                                        \
    stamp_time(g);                                                                                                     \
    if (!substep_is_active(s.now, g))                                                                                  \
        return;                                                                                                        \
    copy_words(&held.pose, c->pose + cluster);                                                                         \
    __syncthreads();                                                                                                   \
    const match_body *b = &held.body;                                                                                  \
    match_pose *pose = &held.pose;

typedef void match_kernel(const state s, const launch_args g);

static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_sum(const __grid_constant__ state s, const __grid_constant__ launch_args g)
{
    __shared__ float part[CHUNK_WARPS * MATCH_TERMS][32];
    __shared__ match_sum sum;
    OPEN_CHUNK
    sum_chunk(s, b, pose, m, mine, part, &sum);
    if (threadIdx.x < MATCH_TERMS)
        c->sum[chunk].s[threadIdx.x] = sum.s[threadIdx.x];
}

// Go: moves the members; otherwise only adds up what moving them will lose (OP_MATCH_LOSE).
template <bool Go>
static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_go(const __grid_constant__ state s, const __grid_constant__ launch_args g)
{
    __shared__ float part[CHUNK_WARPS * LOSS_TERMS][32];
    OPEN_CHUNK
    if (!Go || !match_rests(&g, b))
        chunk_goes(s, g, c->lost + MATCH_LOST * (size_t)chunk, b, pose, m, mine, Go, part);
}

// A block takes a cluster: each lane of a warp sums one term over the chunks, and one thread does the rest.
static __global__ void __launch_bounds__(THREADS)
    run_solve(const __grid_constant__ state s, const __grid_constant__ launch_args g)
{
    __shared__ held_cluster held;
    __shared__ match_sum sum;
    const packed_clusters *c = &s.clusters;
    int32_t cluster = (int32_t)blockIdx.x, term = (int32_t)threadIdx.x;
    int32_t first = __ldg(c->cluster_chunk + cluster), last = __ldg(c->cluster_chunk + cluster + 1);
    copy_words(&held.body, c->body + cluster);
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    copy_words(&held.pose, c->pose + cluster);
    if (term < MATCH_TERMS)
    {
        float a = c->sum[first].s[term];
        SIXTEEN_AT_ONCE
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

static __global__ void __launch_bounds__(MATCH_CHUNK)
    run_whole(const __grid_constant__ state s, const __grid_constant__ launch_args g)
{
    __shared__ match_room room;
    const packed_clusters *c = &s.clusters;
    int32_t chunk = (int32_t)blockIdx.x, cluster = __ldg(c->chunk_cluster + chunk);
    int32_t k = __ldg(c->chunk_start + chunk) + (int32_t)threadIdx.x;
    bool mine = k < __ldg(c->chunk_start + chunk + 1);
    held_member m;
    m.load(s, k, mine);
    copy_words(&room.held.body, c->body + cluster);
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    take_pose(s, chunk, cluster, &room);
    __syncthreads();
    match_whole(s, g, chunk, cluster, m, mine, &room);
}

// ---- launches ------------------------------------------------------------------------------------------------------

bool launch_match(device *d, const launch_args *g, bool early, device_error *why)
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
