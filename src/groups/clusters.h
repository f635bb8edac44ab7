// clusters.h: declares the clusters of a world: groups of particles that keep their shape (kernels/shape_match.h).
#pragma once
#include "groups/moments.h"
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/shape_match.h"

typedef struct clusters
{
    int64_t count, members;
#define MODEL_CLUSTERS MODEL_MEMBER
#include "model/columns.def"
} clusters;

pl_result clusters_reserve(pl_world *w, int64_t clusters_more, int64_t members_more);
pl_result check_cluster_material(const pl_cluster_material *m);
match_pose cluster_first_pose(const float *centre);

// ---- clusters_pack.c
struct arena;
struct planner;
void clusters_lay_out(pl_world *w, struct arena *a);
void clusters_fill(pl_world *w, int32_t *scratch);
void clusters_plan(struct planner *p, enum plan_moment moment, int iteration);
