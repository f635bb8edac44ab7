// cluster_frame_params.h: what the kernel of a small scene is told (cluster_frame.cu). Sizes are those of the block that has most.
#pragma once
#include <cstdint>

struct cluster_task;

struct small_frame
{
    const cluster_task *launches;
    const char *image; // for each block what it keeps
    int32_t count;     // of jobs
    int32_t stretches; // of rows: one for each kind and colour
    int32_t share;     // slots of a block
    int32_t rows;
    // of wind
    int32_t faces;
    int32_t corners;  // of faces that its slots are
    int32_t substeps; // whose phases it keeps
};
