// volumes.h: declares the volumes of a world: closed surfaces that hold a volume (kernels/volume.h). A volume's members
// are its triangles.
#pragma once
#include "groups/moments.h"
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/volume.h"

typedef struct volumes
{
    int64_t count, triangle_count; // triangle_count: of all volumes together
#define MODEL_VOLUMES MODEL_MEMBER
#include "model/columns.def"
    int32_t members, chunks; // of the packed form; volumes_size counts them
} volumes;

// ---- volumes_pack.c
struct arena;
struct planner;
pl_result volumes_size(pl_world *w);
void volumes_lay_out(pl_world *w, struct arena *a);
void volumes_fill(pl_world *w, int32_t *member_of);
void volumes_unpack(pl_world *w);
void volumes_plan(struct planner *p, enum plan_moment moment, int iteration);
