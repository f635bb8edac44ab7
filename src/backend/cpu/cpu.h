// cpu.h: the CPU backend: runs the stages of a plan on a pool of worker threads, or on the user's scheduler.
#pragma once
#include "backend/cpu/lanes.h"
#include "core/parallel_for.h"
#include "backend/cpu/pool.h"
#include "step/fuse.h"

typedef struct cpu
{
    const lane_table *lanes;
    pool *workers;
    pl_tasks tasks; // the user's scheduler, if any
    int pieces;     // pieces into which a stage is cut for the user's scheduler
} cpu;

pl_result cpu_open(cpu *c, memory *m, int threads, int lanes, const pl_tasks *tasks);
void cpu_close(cpu *c, memory *m);
// Runs the stages [begin, end) of a plan and adds the time of each to the timing.
void cpu_walk(cpu *c, state *s, const plan *p, int64_t begin, int64_t end, pl_timing *timing);
// Returns how many stages from here on run as one loop, slot by slot.
int64_t cpu_slot_run(const fuse_world *world, const stage *from, int64_t left);
// Returns a parallel_for that uses the workers, for loops outside a plan.
parallel cpu_parallel(cpu *c);
double cpu_now(void); // a monotonic clock, in ms
