// tile.h: loads a tile of a large scene into a block's shared memory and writes it back (tiles.cu, links.cu).
#pragma once
#include "backend/cuda/per_particle.h"

#include <cuda_pipeline.h>

enum
{
    TILE_THREADS = 320,
    TILE_ROWS = 2,  // rows of a colour for each thread: 640, the most that a colour of a tile of 1,280 particles has
    TILE_RUNS = 64, // runs of a tile that fit in shared memory
};

// The particles and rows of one thread block. A run: consecutive rows of one kind and colour.
struct tile
{
    int32_t first, last;     // slots: [first, last)
    int32_t run_first, runs; // the first run of the tile, and their number
    const run *run;
};

// Returns the tile of this block. Its runs are copied to near_runs, in shared memory, if they fit.
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

// Runs the per-particle stages of particles added since the tiles were made: they lie behind all tiles, and every
// block takes some of them.
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
template <bool Links> static __device__ __forceinline__ int32_t tile_index(int32_t i)
{
    return Links ? i ^ (i >> 3 & 1) : i;
}

// A tile in shared memory: the displacements, which its rows change, and behind them the positions.
struct tile_room
{
    float4 d[TILE_SIZE], x[TILE_SIZE];

    template <bool Links> __device__ __forceinline__ void put(int32_t i, point at_start, point moved)
    {
        int32_t index = tile_index<Links>(i);
        x[index] = make_float4(at_start.x, at_start.y, at_start.z, at_start.w);
        d[index] = make_float4(moved.x, moved.y, moved.z, moved.w);
    }

    template <bool Links> __device__ __forceinline__ settled get(int32_t i) const
    {
        int32_t index = tile_index<Links>(i);
        return settled{load_points((const float *)&x[index]), load_points((const float *)&d[index])};
    }
};

// Copies the positions and displacements of a tile into shared memory. The copies do not pass through registers, so
// that all copies of a thread are in flight at once. A thread reads only what it has copied itself until the block
// synchronizes.
template <bool Links> static __device__ __forceinline__ void fetch_tile(const state *s, const tile &t, tile_room *to)
{
    for (int32_t i = t.first + (int32_t)threadIdx.x; i < t.last; i += TILE_THREADS)
    {
        int32_t index = tile_index<Links>(i - t.first);
        __pipeline_memcpy_async(&to->x[index], (const float4 *)s->slot[SLOT_X] + i, sizeof(float4));
        __pipeline_memcpy_async(&to->d[index], (const float4 *)s->slot[SLOT_D] + i, sizeof(float4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

// Loads a tile between two substeps where no other stage reads the velocities: those of free particles are not written,
// and only fixed particles have a velocity that must be read.
template <bool Links>
static __device__ __forceinline__ void pass_tile(const state *s, const launch_args &g, const tile &t, tile_room *to)
{
    fetch_tile<Links>(s, t, to);
    for (int32_t i = t.first + (int32_t)threadIdx.x; i < t.last; i += TILE_THREADS)
    {
        size_t at_slot = 4 * (size_t)i;
        settled p = to->get<Links>(i - t.first);
        p.v = point{};
        if (!(p.d.w > 0.0f))
            p.v = load_points(s->slot[SLOT_V] + at_slot);
        p = settle_slot(s, false, false, at_slot, p);
        store_points(s->slot[SLOT_X] + at_slot, p.x);
        to->put<Links>(i - t.first, p.x, predict_slot(s, false, at_slot, p.x, p.d, p.v));
    }
    do_behind(s, g);
    __syncthreads();
}

// Runs the per-particle stages that come before the rows (per_particle.h) and loads positions and displacements into
// shared memory. Predicted displacements are written to global memory only when the tile is done (give_back).
template <bool Links>
static __device__ __forceinline__ void take_tile(const state *s, const launch_args &g, const tile &t, tile_room *to)
{
    if (g.skips_velocities)
    {
        pass_tile<Links>(s, g, t, to);
        return;
    }
    bool second = second_order(s);
    for (int32_t i = t.first + (int32_t)threadIdx.x; i < t.last; i += (int32_t)blockDim.x)
    {
        size_t at_slot = 4 * (size_t)i;
        settled p = {load_points(s->slot[SLOT_X] + at_slot), load_points(s->slot[SLOT_D] + at_slot)};
        if (g.per_particle & (PER_PARTICLE_VELOCITY | PER_PARTICLE_PREDICT))
            p.v = load_points(s->slot[SLOT_V] + at_slot);
        if (g.per_particle & PER_PARTICLE_REMEMBER)
            remember(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_VELOCITY)
            p = settle_slot(s, second, has_components(s), at_slot, p);
        if (g.per_particle & PER_PARTICLE_AIR)
            sum_air(const_cast<state *>(s), &g, i, i + 1);
        if (g.per_particle & PER_PARTICLE_VELOCITY)
        {
            store_points(s->slot[SLOT_X] + at_slot, p.x);
            store_points(s->slot[SLOT_V] + at_slot, p.v);
        }
        if (g.per_particle & PER_PARTICLE_PREDICT)
            p.d = predict_slot(s, second, at_slot, p.x, p.d, p.v);
        to->put<Links>(i - t.first, p.x, p.d);
    }
    do_behind(s, g);
    __syncthreads();
}

// Writes the displacements of a tile back to global memory.
template <bool Links>
static __device__ __forceinline__ void give_back(const state *s, const tile &t, const tile_room *from)
{
    float4 *d = (float4 *)s->slot[SLOT_D];
    for (int32_t i = t.first + (int32_t)threadIdx.x; i < t.last; i += (int32_t)blockDim.x)
        d[i] = from->d[tile_index<Links>(i - t.first)];
}

// Makes a view of rows access the tile in shared memory. The pointers are shifted, so that offsets of slots stay valid.
static __device__ __forceinline__ void show_tile(const tile &t, tile_room *room, rows_view *v)
{
    v->x = (const float *)room->x - 4 * (ptrdiff_t)t.first;
    v->d = (float *)room->d - 4 * (ptrdiff_t)t.first;
}
