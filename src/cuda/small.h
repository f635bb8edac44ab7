// small.h: a frame of a small scene as a list of jobs (small.cu).
#pragma once
#include <cstdint>

struct small_job
{
    uint8_t op, kind, first, keep;
    int32_t substep, begin, end;
    uint32_t own;
    int32_t near_first; // of a block's share of the rows, among those that it keeps
};

// A row in a block's memory. Offsets are from the first block's positions on, through the cluster.
struct alignas(16) near_row
{
    uint32_t index[2];
    float param, softness; // compliance; of classic PBD, stiffness
};

struct small_frame
{
    const small_job *jobs;
    int32_t count, kept; // kept: among the first of these are all rows
    int32_t share;       // slots of each block
    int32_t rows;        // that a block keeps
};
