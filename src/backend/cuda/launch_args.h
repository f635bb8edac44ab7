// launch_args.h: the arguments of one launch of a stage, and the functions that every kernel calls first.
#pragma once
#include "backend/cuda/device_lists.h"
#include "backend/cuda/schedule.h"

#include <cuda_runtime.h>

enum
{
    THREADS = 64,
    WIDE = 256, // threads per block where there is much to do
    STAMPS = 4096,
};

// Maxima as in flow.far.
struct way_now
{
    float far[FAR_COUNT];
};

enum
{
    WAYS_KEPT = 3,
};

// The state at the start of a frame, from which the next frame sees what it added (speculative_frame.cu). The host does
// not read it.
struct speculative_state
{
    int32_t speculative; // the frame began without branches
    int32_t builds;      // number of lists made so far
    int32_t to;          // the substep before which the frame is to end
    float come, apart;   // as in `travel` (stages/neighbour_validity.h)
    // Speculative frame: the maxima tested before a substep, those found in it, and those the next substep finds.
    way_now way[WAYS_KEPT];
};

// One launch of a stage: the stage, and what only the device needs.
struct launch_args : stage
{
    uint8_t gated;            // the frame may have stopped before this substep
    uint8_t ended;            // wind: this substep's velocities are not stored yet
    uint8_t skips_velocities; // tiles: velocities are overwritten before they are read, so they are not written
    uint8_t joined;           // shape_match.cu: match_joined
    uint8_t whole;            // run by rigid_fused.cu
    uint32_t per_particle;    // per_particle.cu: bit mask of the stages to run
    uint32_t lead;            // stages that begin the substep, to run before these
    uint32_t after;           // rigid_fused.cu: stages to run after shape matching
    // rigid_fused.cu: not NULL: where the outward directions of bodies are written, while SLOT_NORMAL is read.
    float *faces;
    const way_now *tested; // not NULL: test these to see whether lists are valid (speculative_frame.cu)
    way_now *maxima;       // not NULL: where to raise the maxima of the motion
    way_now *cleared;      // with `tested`: cleared here; not read until the next substep raises it
    // Blocks of the next kernel may start only after this kernel's wait.
    uint8_t late;
    uint8_t follows;           // colours: the previous kernel solves rows of the same substep (prefetch.h)
    int32_t *claims;           // solve_contacts_one_kernel.cu, solve_links_one_kernel.cu: counter of claimed work
    unsigned long long *stamp; // not NULL: where to write the time at which it began
};

// Consecutive colours of one kind.
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

// Colours that one kernel runs (solve_links_one_kernel.cu).
struct ordered_links
{
    colour_list colours; // none: one kernel per colour
    uint16_t *order;     // for each row: how many rows of each of its points come before it (ORDER_BITS)
};

// Copied to the device and back as one block.
struct frame_now
{
    flow go;
    list_now lists;
    surface_now surfaces;
    speculative_state speculative;
};

// A conditional branch that a kernel decides. decision: where it writes the decision if the frame is not a graph.
struct branch
{
    cudaGraphConditionalHandle handle;
    int32_t *decision;
};

// ---- in kernels ----------------------------------------------------------------------------------------------------

// Lets the blocks of the next kernel start early.
static __device__ __forceinline__ void allow_next_kernel(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Waits until the writes of the previous kernels are visible.
static __device__ __forceinline__ void wait_for_previous_writes(void)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

static __device__ __forceinline__ void wait_for_previous_kernel(void)
{
    allow_next_kernel();
    wait_for_previous_writes();
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

// Does this launch's substep run? A frame whose lists ran out of memory stops before a substep and continues from it
// later.
static __device__ __forceinline__ bool substep_is_active(const flow *now, const launch_args &g)
{
    return !g.gated || (g.substep >= now->from && g.substep < now->to);
}

static __device__ __forceinline__ void decide_branch(const branch &b, bool taken)
{
    if (b.decision)
        *b.decision = taken;
    else
        cudaGraphSetConditional(b.handle, taken);
}

// A list did not fit into its memory, or the search failed: all kernels that make it stop.
static __device__ __forceinline__ bool halted(const neighbour_arrays &l) { return l.search->trouble != LISTS_FIT; }

static __device__ __forceinline__ int64_t first_item(void) { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ __forceinline__ int64_t all_items(void) { return (int64_t)gridDim.x * blockDim.x; }
static __host__ __device__ __forceinline__ int mask_words(int32_t shapes) { return (shapes + 31) / 32; }
#define EACH(type, i, count)                                                                                           \
    for (type i = (type)first_item(), end_##i = (type)(count); i < end_##i; i += (type)all_items())

// The state is only read. The functions' type does not say so, because on a CPU they share it with functions that
// write.
#define MUTABLE_STATE(s) const_cast<state *>(&s)
