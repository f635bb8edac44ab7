// workers.h: declares the worker threads and the SIMD width that a world uses on the CPU (backend/cpu/cpu.h).
#pragma once
#include "core/parallel_for.h"
#include "pliant/pliant.h"

typedef struct cpu
{
    const struct lane_table *lanes;       // the stages for a SIMD width
    const struct element_lanes *elements; // the search for surface pairs for that width
    struct pool *workers;
    pl_tasks tasks; // the user's scheduler, if any
    int pieces;     // pieces into which a stage is cut for the user's scheduler
} cpu;

// The number of shares of the next stage or loop: the workers that pay (core/pool.h), or the pieces.
int cpu_shares(const cpu *c);
// Returns a parallel_for that uses the workers, for loops outside a plan.
parallel cpu_parallel(cpu *c);
