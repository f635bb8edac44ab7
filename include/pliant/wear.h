// wear.h: what load does to constraints for good: they flow, they break. Cloth and solids then tear; blades cut them.
#ifndef PLIANT_WEAR_H
#define PLIANT_WEAR_H

#include <pliant/constraints.h>

#ifdef __cplusplus
extern "C" {
#endif

// Plastic flow: strain beyond `yield` goes over into the shape at rest. For distances and tetrahedra of every model the strain is that of
// a pull along one axis (of tetrahedra von Mises', so that metal yields at yield = stress/Young's modulus and keeps its volume); for
// dihedral bending it is an angle, rad.
typedef struct pl_plastic
{
    float yield;     // 0: never
    float creep;     // 1/s: how much of what is beyond the yield flows; at 1/substep and above all of it, at once
    float limit;     // the most that flows in all; 0: no limit
    float hardening; // the yield grows by this times what has flown
} pl_plastic;

PL_API pl_plastic pl_default_plastic(void); // yields never; what would flow does so at once
PL_API pl_result pl_set_plastic(pl_world *world, pl_id block, int first, int count, const pl_plastic *plastic);

// Above this force (distances, tethers: N) or tensile stress (triangles, tetrahedra: Pa) a constraint gives way. Where it is part of a
// surface or a solid, that tears beside it; else it breaks. 0: never.
PL_API pl_result pl_set_strength(pl_world *world, pl_id block, int first, int count, float strength);

typedef struct pl_wear
{
    float flown;    // what has flown: a strain, or an angle
    float strength; // N or Pa; 0: does not break
    float load;     // over the strength: the most of the last step
    bool broken;    // holds nothing any more
} pl_wear;

PL_API pl_result pl_get_wear(const pl_world *world, pl_id block, int first, int count, pl_wear *out);

#ifdef __cplusplus
}
#endif
#endif
