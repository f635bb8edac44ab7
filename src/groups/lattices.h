// lattices.h: declares what other files use of lattices.
#pragma once
#include "plan/hooks.h"
#include "model/world.h"

// ---- lattices_pack.c
struct arena;
struct planner;
void lattices_lay_out(pl_world *w, struct arena *a);
void lattices_fill(pl_world *w, int32_t *scratch);
void lattices_unpack(pl_world *w);
void lattices_plan(struct planner *p, enum plan_hook hook, int iteration);
