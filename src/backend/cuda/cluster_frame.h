// cluster_frame.h: the frame of a small scene as a list of tasks, and the layout of the shared memory of each block of
// the cluster that runs them (cluster_frame.cu, cluster_frame_pack.cu).
#pragma once
#include "backend/cuda/thread_block_cluster.h"

enum
{
    CLUSTER_THREADS = 512, // per block
    CLUSTER_SHARE = 512,   // most slots of a block
};

enum cluster_op
{
    CLUSTER_PER_PARTICLE, // per-particle stages: per_particle.h
    CLUSTER_SWEEP,        // rows of one kind and colour
    CLUSTER_WIND,         // faces
};

struct cluster_task
{
    uint8_t op, kind, first, keep;
    int32_t substep;
    uint32_t per_particle;
    int32_t stretch; // the block's rows of that kind and colour
};

struct cluster_stretch
{
    int32_t first, count;
};

// A row in a block's shared memory. In shared memory, index is an offset in floats from the first block's positions,
// through the cluster's distributed shared memory; in an image it is an address (address_in).
struct alignas(16) near_row
{
    uint32_t index[2];
    float param, softness; // compliance, or stiffness with classic PBD
};

struct near_face
{
    uint32_t index[3];
    float drag, lift;
    int32_t number; // of the face, from 1; 0: none
};

// An address: the block, and the index among that block's items.
static __host__ __device__ __forceinline__ uint32_t address_in(int32_t block, int32_t i)
{
    return (uint32_t)block << 16 | (uint32_t)i;
}
static __host__ __device__ __forceinline__ int32_t block_of(uint32_t address) { return (int32_t)(address >> 16); }

// The slot arrays that a block keeps for its share of the slots, CLUSTER_SHARE points each; the last one only with
// wind.
#define NEAR_ARRAYS 5
#define NEAR_D 2
#define EACH_NEAR(X) X(SLOT_X, 0) X(SLOT_V, 1) X(SLOT_D, NEAR_D) X(SLOT_FORCE, 3) X(SLOT_AIR, 4)

// Byte offsets in a block's shared memory. The part from `rows` on is copied from the image.
struct cluster_offsets
{
    size_t forces, tasks, substeps, rows, faces, corners, numbers, stretches, slots, starts, end;
};

static __host__ __device__ __forceinline__ cluster_offsets offsets_of(const cluster_frame &f)
{
    cluster_offsets p;
    p.forces = (size_t)(f.faces ? NEAR_ARRAYS : NEAR_ARRAYS - 1) * CLUSTER_SHARE * 16;
    p.substeps = p.forces + (size_t)f.faces * 16;
    p.tasks = p.substeps + (size_t)f.substeps * sizeof(substep);
    p.rows = (p.tasks + (size_t)f.count * sizeof(cluster_task) + 15) / 16 * 16;
    p.faces = p.rows + (size_t)f.rows * sizeof(near_row);
    p.corners = p.faces + (size_t)f.faces * sizeof(near_face);
    p.numbers = p.corners + (size_t)f.corners * sizeof(uint32_t);
    p.stretches = p.numbers + (size_t)f.rows * sizeof(int32_t);
    p.slots = p.stretches + (size_t)f.stretches * sizeof(cluster_stretch);
    p.starts = p.slots + (size_t)f.share * sizeof(int32_t);
    p.end = p.starts + (size_t)(f.faces ? f.share + 1 : 0) * sizeof(int32_t);
    return p;
}

// Size of one block's image.
static __host__ __device__ __forceinline__ size_t image_bytes(const cluster_frame &f)
{
    cluster_offsets p = offsets_of(f);
    return (p.end - p.rows + 15) / 16 * 16;
}

bool cluster_frame_fits(const device *d, const cluster_frame &f);
