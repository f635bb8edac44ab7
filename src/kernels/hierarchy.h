// hierarchy.h: hierarchical position-based dynamics: bounds between few, coarse nodes, whose motion is interpolated.
//
// A coarse node is a particle with the mass of those around it. Between coarse nodes there are upper bounds on their
// distance: the rest length of the shortest way through the mesh, and how far that may give,
//   C = |p - q| - (rest + give g) <= 0      g: gravity; give: compliances along the way times a multiple of the weight
//   dT = C/(wp + wq),   T' = max(T + dT, 0),   p -= wp (T' - T) n,   q += wq (T' - T) n      n = (p - q)/|p - q|
// T, the tension, begins each substep at 0 and may fall again, so a bound only holds what needs to be held. From the
// coarsest level to the finest: every level starts at the positions of its particles, the bounds are solved in a number of
// sweeps that doubles with each level, and the motion is interpolated to the next finer level,
//   x += sum part (y - y_start)             over the (at most 4) coarse nodes y around x; nothing if x is pinned
// in the end to the particles. One sweep there costs about as much as all coarse ones: of a sheet, each level has a fourth
// of the bounds of the next. A correction then reaches across the object in one iteration.
//     Mueller 2008 (Hierarchical position based dynamics): levels, interpolation, coarse constraints that only pull
//
// A tension is not one of the equation's multipliers: what it holds at the end, the links do not. So the bounds are a
// little longer than the way: once the links hold the object, the tensions fall to 0.
//
// Mass is interpolated with the same parts (the mass of a coarse node is the sum of part m), so the motion keeps the
// momentum: sum m x_i = sum over coarse nodes of their mass times their motion.
#pragma once
#include "core/vec.h"

#define COARSE_SLACK 5e-4f // by which part a bound is longer than the way

enum
{
    COARSE_SWEEPS = 2,       // of the finest coarse level; each further level has twice as many,
    MOST_COARSE_SWEEPS = 32, // up to this number
};

// d: displacements and inverse masses of the ends; e: the vector from q to p.
PL_FN void coarse_bound(point *p, point *q, vec e, f32 most_length, f32 *tension)
{
    f32 len = length(e), w = p->w + q->w;
    i32 live = (len > 0.0f) & (w > 0.0f);
    f32 now = keep(live, most(*tension + (len - most_length) / w, splat(0.0f)));
    f32 s = keep(live, (now - *tension) / len);
    p->x = p->x - p->w * s * e.x, p->y = p->y - p->w * s * e.y, p->z = p->z - p->w * s * e.z;
    q->x = q->x + q->w * s * e.x, q->y = q->y + q->w * s * e.y, q->z = q->z + q->w * s * e.z;
    *tension = now;
}
