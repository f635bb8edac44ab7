// debug.h: switches of the CUDA backend for tests and tools. All zero: as users have it. A test sets cuda_debug_switches before it makes a world;
// the module reads them where they lie.
#pragma once
#include <stdbool.h>

typedef struct cuda_debug
{
    long fail_at;     // this call of CUDA fails, counted from 1 in the process: as if memory had run out,
    bool fail_lost;   // or, with all that follow, as if the device was lost
    bool no_graph;    // stages are launched one by one, for tools that do not know graphs
    int keep_every;   // frames from one copy on its way home to the next; -1: no copies
    int list_room;    // entries that lists have room for to begin with
    int cell_crowd;   // how many in a cell or a block are too many to be counted
    int speculative;  // 1: all frames are taken to be calm, -1: none
    int colour_lanes; // 4, 16 or 32: colours of pairs are kernels of their own, with so many lanes a block
} cuda_debug;

#ifndef __cplusplus
extern cuda_debug cuda_debug_switches; // backend.c
#endif
