// strands.h: declares what other files use of strands.
#pragma once
#include "plan/hooks.h"
#include "model/world.h"

// The points of a strand, root first.
static inline int32_t strand_first_point(const strands *t, int64_t strand)
{
    return t->start[strand] + t->carriers[strand];
}

// ---- strands_pack.c
struct arena;
struct planner;
pl_result strands_size(pl_world *w);
void strands_lay_out(pl_world *w, struct arena *a);
void strands_fill(pl_world *w, int32_t *scratch);
void strands_unpack(pl_world *w);
void strands_back(pl_world *w);
pl_result strands_place(pl_world *w, int32_t *number, int64_t *count);
void strands_plan(struct planner *p, enum plan_hook hook, int iteration);
