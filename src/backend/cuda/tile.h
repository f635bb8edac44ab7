// tile.h: loads a tile of a large scene into a block's shared memory and writes it back (tiles.cu, links.cu).
#pragma once
#include "backend/cuda/per_particle.h"

enum
{
    TILE_THREADS = 320,
    TILE_ROWS = 2,  // rows of a colour for each thread: 640, the most that a colour of a tile of 1,280 particles has
    TILE_TAKEN = 4, // particles that a thread loads at once: all of its share
    TILE_RUNS = 64, // runs of a tile that fit in shared memory
};

struct tile
{
    int32_t first, last;     // slots: [first, last)
    int32_t run_first, runs; // the first run of the tile, and their number
    const run *run;
};

static __device__ __forceinline__ tile open_tile(const state *s, run *near_runs)
{
    int32_t i = (int32_t)blockIdx.x, run_first = s->tile_start[i];
    tile t = {s->tile_first[i], s->tile_first[i + 1], run_first, s->tile_start[i + 1] - run_first, near_runs};
    if (t.runs == 0 && threadIdx.x == 0)
        near_runs[0] = run{}; // a tile of loose particles or bodies has no runs: prefetching reads an empty one
    if (t.runs > TILE_RUNS)
        t.run = s->tile_run + run_first;
    else
        for (int32_t r = (int32_t)threadIdx.x; r < t.runs; r += (int32_t)blockDim.x)
            near_runs[r] = s->tile_run[run_first + r];
    __syncthreads();
    return t;
}

// Runs the per-particle stages of particles added since the tiles were made: they lie behind all tiles and are shared
// out over the blocks.
static __device__ __forceinline__ void do_behind(const state *s, const launch_args &g)
{
    for (int32_t i = s->tile_first[s->tiles] + (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
         g.per_particle && i < s->slots; i += (int32_t)(gridDim.x * blockDim.x))
    {
        if (g.per_particle & PER_PARTICLE_REMEMBER)
            remember(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_VELOCITY)
            update_velocity(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_AIR)
            sum_air(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_PREDICT)
            predict(const_cast<state *>(s), &g, i, i + 1);
    }
}

// Returns the index of the tile's particle i in shared memory. Links mostly join every other particle of a stretch.
// Swapping neighbours in every other group of eight puts eight such particles into eight different banks.
template <bool Links> static __device__ __forceinline__ int32_t tile_place(int32_t i)
{
    return Links ? i ^ (i >> 3 & 1) : i;
}

// Loads a tile between two substeps where no other stage reads the velocities: those of free particles are not written,
// and only fixed particles have a velocity that must be read.
template <bool Links>
static __device__ __forceinline__ void pass_tile(const state *s, const launch_args &g, const tile &t, float4 *to)
{
    float inverse_h = 1.0f / s->h;
    for (int32_t from = t.first + (int32_t)threadIdx.x; from < t.last; from += TILE_TAKEN * TILE_THREADS)
    {
        point x[TILE_TAKEN], x0[TILE_TAKEN];
        UNROLL
        for (int u = 0; u < TILE_TAKEN; u++)
        {
            int32_t i = from + u * TILE_THREADS;
            size_t at_slot = 4 * (size_t)(i < t.last ? i : from);
            x[u] = load_points(s->slot[SLOT_X] + at_slot), x0[u] = load_points(s->slot[SLOT_X0] + at_slot);
        }
        UNROLL
        for (int u = 0; u < TILE_TAKEN; u++)
        {
            int32_t i = from + u * TILE_THREADS;
            size_t at_slot = 4 * (size_t)i;
            if (i >= t.last)
                break;
            point v = {};
            if (!(x[u].w > 0.0f))
                v = load_points(s->slot[SLOT_V] + at_slot);
            v = velocity_first(x[u], x0[u], v, inverse_h, s->fade);
            point next = predict_slot(s, false, at_slot, x[u], v);
            to[tile_place<Links>(i - t.first)] = make_float4(next.x, next.y, next.z, next.w);
        }
    }
    do_behind(s, g);
    __syncthreads();
}

// Runs the per-particle stages that come before the rows (per_particle.h) and loads the positions into shared memory. A
// predicted position is written to global memory only when the tile is done (give_back).
template <bool Links>
static __device__ __forceinline__ float *take_tile(const state *s, const launch_args &g, const tile &t, float4 *to)
{
    float *origin = (float *)to - 4 * (ptrdiff_t)t.first; // offsets of slots work unchanged from here
    if (g.passing)
    {
        pass_tile<Links>(s, g, t, to);
        return origin;
    }
    bool second = second_order(s);
    float inverse_h = 1.0f / s->h;
    for (int32_t i = t.first + (int32_t)threadIdx.x; i < t.last; i += (int32_t)blockDim.x)
    {
        size_t at_slot = 4 * (size_t)i;
        point x = load_points(s->slot[SLOT_X] + at_slot), v;
        if (g.per_particle & (PER_PARTICLE_VELOCITY | PER_PARTICLE_PREDICT))
            v = load_points(s->slot[SLOT_V] + at_slot);
        if (g.per_particle & PER_PARTICLE_REMEMBER)
            remember(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_VELOCITY)
            v = velocity_slot(s, second, inverse_h, at_slot, x, v);
        if (g.per_particle & PER_PARTICLE_AIR)
            sum_air(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_VELOCITY)
            store_points(s->slot[SLOT_V] + at_slot, v);
        if (g.per_particle & PER_PARTICLE_PREDICT)
            x = predict_slot(s, second, at_slot, x, v);
        to[tile_place<Links>(i - t.first)] = make_float4(x.x, x.y, x.z, x.w);
    }
    do_behind(s, g);
    __syncthreads();
    return origin;
}

template <bool Links>
static __device__ __forceinline__ void give_back(const state *s, const tile &t, const float4 *from)
{
    float4 *x = (float4 *)s->slot[SLOT_X];
    for (int32_t i = t.first + (int32_t)threadIdx.x; i < t.last; i += (int32_t)blockDim.x)
        x[i] = from[tile_place<Links>(i - t.first)];
}
