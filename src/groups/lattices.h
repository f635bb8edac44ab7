// lattices.h: declares the lattices of a world: particles on a grid whose overlapping regions keep their shape
// (kernels/lattice_match.h).
#pragma once
#include "groups/moments.h"
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/lattice_match.h"

typedef struct lattice_rule
{
    int32_t half;
    float stiffness;
} lattice_rule;

typedef struct lattices
{
    int64_t count, members;
#define MODEL_LATTICES MODEL_MEMBER
#include "model/columns.def"
} lattices;

// ---- lattices_pack.c
struct arena;
struct planner;
void lattices_lay_out(pl_world *w, struct arena *a);
void lattices_fill(pl_world *w, int32_t *scratch);
void lattices_unpack(pl_world *w);
void lattices_plan(struct planner *p, enum plan_moment moment, int iteration);
