// cpu.h: the CPU backend walks a plan with its workers.
#pragma once
#include "cpu/lanes.h"
#include "cpu/pool.h"

typedef struct cpu
{
    const lane_table *lanes;
    pool *workers;
    pl_tasks tasks; // the user's scheduler, if any
    int pieces;     // into how many a stage is cut for it
} cpu;

pl_result cpu_open(cpu *c, memory *m, int threads, int lanes, const pl_tasks *tasks);
void cpu_close(cpu *c, memory *m);
void cpu_walk(cpu *c, state *s, const plan *p, pl_timing *timing);
