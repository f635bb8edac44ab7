// cpu.h: the CPU backend: runs the stages of a plan on a pool of worker threads, or on the user's scheduler.
#pragma once
#include "backend/cpu/lanes.h"
#include "core/pool.h"
#include "model/workers.h"
#include "plan/fuse.h"

pl_result cpu_open(cpu *c, memory *m, int threads, int lanes, const pl_tasks *tasks);
void cpu_close(cpu *c, memory *m);
// Returns the number of workers: the pieces for the user's scheduler, or the threads of the pool.
int cpu_workers(const cpu *c);
// Runs the stages [begin, end) of a plan and adds the time of each to the timing.
void cpu_walk(cpu *c, state *s, const plan *p, int64_t begin, int64_t end, pl_timing *timing);
// Returns how many stages from here on run as one loop, slot by slot.
int64_t cpu_slot_run(const fuse_world *world, const stage *from, int64_t left);
double cpu_now(void); // a monotonic clock, in ms
