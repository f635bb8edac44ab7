// clusters.h: declares what other files use of clusters.
#pragma once
#include "plan/hooks.h"
#include "model/world.h"

pl_result clusters_reserve(pl_world *w, int64_t clusters_more, int64_t members_more);
pl_result check_cluster_material(const pl_cluster_material *m);
match_pose cluster_first_pose(const float *centre);

// ---- clusters_pack.c
struct arena;
struct planner;
void clusters_lay_out(pl_world *w, struct arena *a);
void clusters_fill(pl_world *w, int32_t *scratch);
void clusters_plan(struct planner *p, enum plan_hook hook, int iteration);
