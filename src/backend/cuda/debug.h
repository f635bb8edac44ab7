// debug.h: switches of the CUDA backend for tests and tools. All zero is the behaviour that users get. A test sets
// cuda_debug_switches before it makes a world; the module reads them in place.
#pragma once
#include <stdbool.h>

typedef struct cuda_debug
{
    // This CUDA call fails, counted from 1 in the process, as if memory had run out.
    long fail_at;
    // Instead, this call and all later ones fail as if the device was lost.
    bool fail_lost;
    bool no_graph;   // launches stages one by one, for tools that do not support graphs
    int keep_every;  // frames between two copies to the host; -1: no copies
    int list_room;   // initial capacity of lists, in entries
    int cell_crowd;  // more items than this in a cell or a block are not counted but sorted
    int speculative; // 1: every frame is run speculatively, -1: none
    // 4, 16 or 32: one kernel per colour of pairs, with that many lanes per block.
    int colour_lanes;
} cuda_debug;

#ifndef __cplusplus
extern cuda_debug cuda_debug_switches; // backend.c
#endif
