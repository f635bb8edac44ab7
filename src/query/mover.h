// mover.h: declares a move of a capsule under way (include/pliant/mover.h).
#pragma once
#include "query/cast.h"

typedef struct mover_state
{
    cast_state cast; // of a capsule that is smaller than the mover by the skin
    const pl_mover_def *def;
    pl_mover *out;
    double up[3], at[3];
    double walkable; // cosine of the slope limit
    pl_result result;
} mover_state;

// What lies nearest to the capsule.
typedef struct mover_gap
{
    double distance; // from its axis; negative inside
    double normal[3];
    pl_hit hit;
    bool found;
} mover_gap;

// mover_gap.c: finds what is nearer to the axis of the capsule than `reach`, the nearest of it.
mover_gap mover_nearest(mover_state *m, double reach);

// mover_walk.c: pushes it out of overlaps; moves it across and along `up`; down to the ground, if there is some.
void mover_push_out(mover_state *m);
void mover_across(mover_state *m, const double by[3], bool keep_ground);
void mover_along(mover_state *m, double rise);
bool mover_come_down(mover_state *m, double far);

static inline double dot3d(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
