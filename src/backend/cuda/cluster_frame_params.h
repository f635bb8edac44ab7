// cluster_frame_params.h: the arguments of the kernel that runs a small scene (cluster_frame.cu). Sizes are the maximum
// over the blocks.
#pragma once
#include <cstdint>

struct cluster_task;

struct cluster_frame
{
    const cluster_task *tasks;
    const char *image; // initial shared memory, for each block
    int32_t count;     // of tasks
    int32_t stretches; // runs of rows: one for each kind and colour
    int32_t share;     // slots per block
    int32_t rows;
    // wind
    int32_t faces;
    int32_t corners;  // entries of the lists of face corners at the block's slots
    int32_t substeps; // whose gusts are kept
};
