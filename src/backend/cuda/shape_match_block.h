// shape_match_block.h: shape matching of one chunk of a cluster by a thread block, with a thread for each member
// (kernels/shape_match.h). The sums have the same order as on a CPU: warp after warp for the 32 running sums, then as a
// tree over the lanes.
#pragma once
#include "backend/cuda/device_internal.h"
#include "stages/shape_match_spin_stages.h"
#include "stages/oriented_stages.h"

enum
{
    CHUNK_WARPS = MATCH_CHUNK / MATCH_SUMS,
    LOSS_TERMS = 6, // match_loss: way, push
};
static_assert(MATCH_SUMS == 32, "a running sum is a lane");

// ---- sums of a block -----------------------------------------------------------------------------------------------

// Sums over the lanes of a warp as a tree; the result is valid in the first lane.
static __device__ __forceinline__ float tree_of(float sum, int lane)
{
    UNROLL
    for (int half = 16; half; half /= 2)
        sum = sum + __shfl_sync(0xffffffffu, sum, (lane + half) & 31);
    return sum;
}

// Sums value[t] over all threads in the order of kernels/shape_match.h. Afterwards total[] holds the sums for all
// threads.
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

// The data of a thread's member that no kernel writes.
struct held_member : match_seat
{
    int32_t own;

    __device__ __forceinline__ void load(const state &s, int32_t i, bool mine)
    {
        const packed_clusters *c = &s.clusters;
        const float4 none = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        k = i;
        member = mine ? __ldg(c->member + k) : 0;
        float4 at_rest = mine ? __ldg((const float4 *)c->rest + k) : none,
               out = mine ? __ldg((const float4 *)c->field + k) : none;
        rest = {at_rest.x, at_rest.y, at_rest.z, at_rest.w};
        field = {out.x, out.y, out.z, out.w};
        own = mine && c->owns ? __ldg(c->own + k) : -1;
        faced = s.slot[SLOT_NORMAL];
    }
};

template <int Terms>
static __device__ __forceinline__ void sum_members(const state &s, const match_body *b, vec origin, const float *map,
                                                   const held_member &m, bool mine, float (*part)[32], match_sum *sum)
{
    match_sum value = {};
    if (mine)
        match_set(&value, slot_from(&s, m.member, origin), map, at(m.rest), m.rest.w, b, Terms);
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

static __device__ __forceinline__ void sum_chunk(const state &s, const match_body *b, const match_pose *pose,
                                                 const held_member &m, bool mine, float (*part)[32], match_sum *sum)
{
    vec origin = vec_of(pose->centre[0], pose->centre[1], pose->centre[2]);
    if (match_terms(b) > MATCH_LINEAR)
        sum_members<MATCH_TERMS>(s, b, origin, pose->map, m, mine, part, sum);
    else
        sum_members<MATCH_LINEAR>(s, b, origin, pose->map, m, mine, part, sum);
}

// Moves the members of a chunk (go) and adds the angular momentum that this loses to tally, the sum of the substep so
// far.
static __device__ __forceinline__ void chunk_goes(const state &s, const launch_args &g, float *tally,
                                                  const match_body *b, const match_pose *pose, const held_member &m,
                                                  bool mine, bool go, float (*part)[32])
{
    const packed_clusters *c = &s.clusters;
    __shared__ match_loss all;
    vec none = vec_of(0.0f, 0.0f, 0.0f);
    match_loss lost = {none, none, none};
    if (mine)
        match_go(&s, &g, c, b, pose, vec_of(pose->centre[0], pose->centre[1], pose->centre[2]), &m, go, &lost);
    add_up<LOSS_TERMS>(part, &lost.way.x, &all.way.x);
    if (c->owns)
        add_up<LOSS_TERMS / 2>(part, &lost.own.x, &all.own.x);
    if (threadIdx.x == 0)
        match_tally(c, &g, tally, &all);
}

// The constants of a cluster and its pose, in shared memory, where one thread reads all of it.
struct held_cluster
{
    match_body body;
    match_pose pose;
    alignas(16) float tally[MATCH_LOST];
};

template <class T> static __device__ __forceinline__ void copy_words(T *to, const T *from)
{
    for (unsigned i = threadIdx.x; i < sizeof(T) / 4; i += blockDim.x)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

// The shared memory of a block for its cluster.
struct match_room
{
    float part[CHUNK_WARPS * MATCH_TERMS][32];
    match_sum sum;
    held_cluster held;
};

// Loads what earlier kernels have written: the pose and the lost angular momentum.
static __device__ __forceinline__ void take_pose(const state &s, int32_t chunk, int32_t cluster, match_room *r)
{
    const packed_clusters *c = &s.clusters;
    copy_words(&r->held.pose, (const match_pose *)c->pose + cluster);
    if (threadIdx.x < MATCH_LOST)
        r->held.tally[threadIdx.x] = c->lost[MATCH_LOST * (size_t)chunk + threadIdx.x];
}

// Runs the whole shape matching of a cluster that is one chunk and is in shared memory; in the substep's last shape
// matching it also computes the angular velocity to give back.
static __device__ __forceinline__ void match_whole(const state &s, const launch_args &g, int32_t chunk, int32_t cluster,
                                                   const held_member &m, bool mine, match_room *r)
{
    const packed_clusters *c = &s.clusters;
    const match_body *b = &r->held.body;
    match_pose *pose = &r->held.pose;
    vec origin = vec_of(pose->centre[0], pose->centre[1], pose->centre[2]);
    sum_chunk(s, b, pose, m, mine, r->part, &r->sum);
    if (threadIdx.x == 0)
        match_solve(b, &r->sum, c->quadratic + b->quadratic, origin, pose);
    __syncthreads();
    if (!match_rests(&g, b))
        chunk_goes(s, g, r->held.tally, b, pose, m, mine, true, r->part);
    if (g.joined == MATCH_JOINED_SPIN)
    {
        if (threadIdx.x == 0)
            match_end(&s, r->held.tally, 1, b, pose);
        __syncthreads();
    }
    copy_words(c->pose + cluster, (const match_pose *)pose);
    for (int i = 0; i < MATCH_LOST && threadIdx.x == 0; i += 4)
        store_points(c->lost + MATCH_LOST * (size_t)chunk + i, load_points(r->held.tally + i));
}
