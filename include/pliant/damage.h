// damage.h: what load does to constraints for good: they flow, they break. Cloth and solids then tear; blades cut them.
#ifndef PLIANT_DAMAGE_H
#define PLIANT_DAMAGE_H

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

typedef struct pl_damage
{
    float flowed;   // what has flown: a strain, or an angle
    float strength; // N or Pa; 0: does not break
    float load;     // over the strength: the most of the last step
    bool broken;    // holds nothing any more
} pl_damage;

PL_API pl_result pl_get_damage(const pl_world *world, pl_id block, int first, int count, pl_damage *out);

// ---- coming apart --------------------------------------------------------------------------------------------------

// What has come apart since the world began: particles that became two, constraints that broke.
typedef struct pl_tear_counts
{
    int64_t splits, broken;
} pl_tear_counts;

PL_API pl_tear_counts pl_world_tears(const pl_world *world);
// For each of the particles [first, first + count) the one that it was one with before it tore off; of others, their own number. What has
// torn off is no object of its own: it goes with the one that it came off.
PL_API pl_result pl_get_split_origins(const pl_world *world, int first, int count, int32_t *out);
// In how many pieces an object is: particles that constraints, faces or clusters join are one. {0, 0}: everything there is.
PL_API pl_result pl_count_pieces(const pl_world *world, pl_id object, int *pieces);

// A blade: the parallelogram corner, corner + u, corner + v. Swept on, u is the edge and v its way.
typedef struct pl_blade
{
    pl_vec3 corner, u, v; // m
} pl_blade;

// Cuts an object, or, with {0, 0}, all of them: surfaces along those edges, solids along those faces of their tetrahedra that lie nearest
// to the blade, loose links where it goes through them. `cuts`, or NULL: how many splits and breaks it took.
PL_API pl_result pl_cut(pl_world *world, pl_id object, const pl_blade *blade, int *cuts);

#ifdef __cplusplus
}
#endif
#endif
