// cpu.h: the CPU backend walks a plan with its workers.
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
    int pieces;     // into how many a stage is cut for it
} cpu;

pl_result cpu_open(cpu *c, memory *m, int threads, int lanes, const pl_tasks *tasks);
void cpu_close(cpu *c, memory *m);
// Walks stages [begin, end) of a plan and adds to the timing.
void cpu_walk(cpu *c, state *s, const plan *p, int64_t begin, int64_t end, pl_timing *timing);
// How many stages from here on run slot by slot as one.
int64_t cpu_slot_run(const fuse_world *world, const stage *from, int64_t left);
// The workers, for loops outside a plan.
parallel cpu_parallel(cpu *c);
double cpu_now(void); // ms
