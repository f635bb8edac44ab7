// volumes.h: declares what other files use of volumes.
#pragma once
#include "plan/hooks.h"
#include "model/world.h"

// ---- volumes_pack.c
struct arena;
struct planner;
pl_result volumes_size(pl_world *w);
void volumes_lay_out(pl_world *w, struct arena *a);
void volumes_fill(pl_world *w, int32_t *member_of);
void volumes_unpack(pl_world *w);
void volumes_plan(struct planner *p, enum plan_hook hook, int iteration);
