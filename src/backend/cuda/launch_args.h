// launch_args.h: one launch of a stage, as kernels get it, and what every kernel does first.
#pragma once
#include "backend/cuda/device_lists.h"
#include "backend/cuda/schedule.h"

#include <cuda_runtime.h>

enum
{
    THREADS = 64,
    WIDE = 256, // threads of a block where there is much to do
    STAMPS = 4096,
};

// As flow.far.
struct way_now
{
    float far[FAR_COUNT];
};

enum
{
    WAYS_KEPT = 3,
};

// What a frame begins with, for the next one to see what it added (speculative_frame.cu). Nobody on the host looks at it.
struct is_speculative
{
    int32_t speculative; // it began without branches
    int32_t builds;      // lists made so far
    int32_t to;          // the substep before which it is to end
    float come, apart;   // as in a travel
    way_now
        way[WAYS_KEPT]; // in a calm frame: what is asked before a substep, what is found in it, and what the next finds
};

// One launch of a stage: the stage, and what only the device asks.
struct launch_args : stage
{
    uint8_t gated;             // the frame may have stopped before this substep
    uint8_t ended;             // wind: velocities are still to come
    uint8_t passing;           // tiles: nobody reads the velocities before there are others
    uint8_t joined;            // shape_match.cu: match_joined
    uint8_t whole;             // rigid_fused.cu does it
    uint32_t per_particle;     // per_particle.cu: which of a particle's stages
    uint32_t lead;             // ... before these, from where it is into the array beside (predict_double_buffered.cu)
    uint32_t after;            // rigid_fused.cu: ... after the bodies' turn
    float *faces;              // rigid_fused.cu: not NULL: where the ways out of bodies go, while SLOT_NORMAL is read
    const way_now *asked;      // not NULL: it asks whether lists hold (speculative_frame.cu)
    way_now *raised;           // not NULL: how far the farthest came goes there
    way_now *forgotten;        // with asked: nobody looks at it until the next substep raises it
    uint8_t late;              // the next kernel's blocks come in when it is its turn, and not before
    int32_t *claims;           // contacts_one_kernel.cu, links_one_kernel.cu: what somebody has taken
    unsigned long long *stamp; // not NULL: when it began
};

// Colours of one kind that follow each other.
enum
{
    COLOURS_AT_ONCE = 64,
};
struct colour_list
{
    int32_t count;
    struct
    {
        int32_t begin, end;
    } colour[COLOURS_AT_ONCE];
};

// Colours that one kernel runs (links_one_kernel.cu).
struct pass_rows
{
    colour_list colours; // none: a kernel a colour
    uint16_t *turn;      // for each row
};

// Goes to the device and back in one piece.
struct frame_now
{
    flow go;
    list_now lists;
    surface_now surfaces;
    is_speculative speculative;
};

// What a kernel decides by. told: where it says so, in a frame that is not a graph.
struct branch
{
    cudaGraphConditionalHandle handle;
    int32_t *told;
};

// ---- in kernels ----------------------------------------------------------------------------------------------------

// Lets the next kernel's blocks come in early.
static __device__ __forceinline__ void allow_next_kernel(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Waits for what the kernels before have written.
static __device__ __forceinline__ void wait_for_last(void)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

static __device__ __forceinline__ void wait_for_previous_kernel(void)
{
    allow_next_kernel();
    wait_for_last();
}

static __device__ __forceinline__ void stamp_time(const launch_args &g)
{
    if (g.stamp && blockIdx.x == 0 && threadIdx.x == 0)
    {
        unsigned long long now = 0;
#if defined(__CUDA_ARCH__)
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
#endif
        *g.stamp = now;
    }
}

// Is the job's turn? A frame whose lists ran out of room stops before that substep, and goes on from it.
static __device__ __forceinline__ bool substep_is_active(const flow *now, const launch_args &g)
{
    return !g.gated || (g.substep >= now->from && g.substep < now->to);
}

static __device__ __forceinline__ void decide_branch(const branch &b, bool taken)
{
    if (b.told)
        *b.told = taken;
    else
        cudaGraphSetConditional(b.handle, taken);
}

// A list that does not fit its room: whatever makes it stops.
static __device__ __forceinline__ bool halted(const neighbour_arrays &l) { return l.search->trouble != LISTS_FIT; }

static __device__ __forceinline__ int64_t first_item(void) { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ __forceinline__ int64_t all_items(void) { return (int64_t)gridDim.x * blockDim.x; }
static __host__ __device__ __forceinline__ int mask_words(int32_t shapes) { return (shapes + 31) / 32; }
#define EACH(type, i, count)                                                                                           \
    for (type i = (type)first_item(), end_##i = (type)(count); i < end_##i; i += (type)all_items())

// The state is only read; the functions' type does not say so, because on a CPU they share it with those that write.
#define PER_PARTICLE(s) const_cast<state *>(&s)
