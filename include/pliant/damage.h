// damage.h: permanent effects of load on constraints: plastic flow, breaking, tearing; and blades that cut.
#ifndef PLIANT_DAMAGE_H
#define PLIANT_DAMAGE_H

#include <pliant/constraints.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Plastic flow: strain beyond `yield` becomes part of the rest shape. For distances and tetrahedra it is the strain of
/// a pull along one axis (for tetrahedra the von Mises strain, so that a metal yields at yield = stress/Young's
/// modulus). For dihedral bending it is an angle, rad. All values must be 0 or above.
typedef struct pl_plastic
{
    /// The strain or angle at which flow starts. 0, the default: never.
    float yield;
    /// The share of the strain beyond the yield that flows, 1/s. At 1/substep and above all of it flows at once. The
    /// default is 1e9: at once.
    float creep;
    /// The largest total flow. 0, the default: no limit.
    float limit;
    /// Hardening: the yield grows to yield (1 + hardening x total flow). The default is 0.
    float hardening;
} pl_plastic;

/// Returns the defaults named above: no flow.
PL_API pl_plastic pl_default_plastic(void);

/// Sets the plastic flow of the constraints [first, first + count) of a block. The block must be of distance, dihedral
/// or tetrahedra (elements); other kinds fail with PL_ERROR_ARGUMENT.
PL_API pl_result pl_set_plastic(pl_world *world, pl_id block, int first, int count, const pl_plastic *plastic);

/// Sets the strength of the constraints [first, first + count) of a block: the force (distances and tethers, N) or the
/// tensile stress (triangles and tetrahedra, Pa) above which a constraint fails. If it is part of a surface or a solid,
/// that tears beside it; otherwise it breaks. 0: never. Other kinds and values below 0 fail with PL_ERROR_ARGUMENT.
PL_API pl_result pl_set_strength(pl_world *world, pl_id block, int first, int count, float strength);

/// The damage of a constraint.
typedef struct pl_damage
{
    /// The total plastic flow: a strain, or an angle in rad.
    float flowed;
    /// The strength, N or Pa. 0: it does not break.
    float strength;
    /// The largest load of the last step as a share of the strength.
    float load;
    /// It is broken and holds nothing any more.
    bool broken;
} pl_damage;

/// Copies the damage of the constraints [first, first + count) of a block.
PL_API pl_result pl_get_damage(const pl_world *world, pl_id block, int first, int count, pl_damage *out);

// ---- tearing and cutting -------------------------------------------------------------------------------------------

/// What has torn since the world began.
typedef struct pl_tear_counts
{
    /// How often a particle was split in two.
    int64_t splits;
    /// Number of constraints that broke.
    int64_t broken;
} pl_tear_counts;

/// Returns what has torn since the world began.
PL_API pl_tear_counts pl_world_tears(const pl_world *world);

/// Copies for each of the particles [first, first + count) the number of the particle from which it was split, or its
/// own number if it was not split. A torn-off part is no object of its own: it belongs to the object from which it
/// came.
PL_API pl_result pl_get_split_origins(const pl_world *world, int first, int count, int32_t *out);

/// Counts the connected pieces of an object, or of the whole world with {0, 0}. Constraints that are not broken, faces
/// and clusters connect particles.
PL_API pl_result pl_count_pieces(const pl_world *world, pl_id object, int *pieces);

/// A blade: the parallelogram corner, corner + u, corner + v. For a moving blade, u is its edge and v its motion.
typedef struct pl_blade
{
    /// A corner, m.
    pl_vec3 corner;
    /// From the corner along the edge, m.
    pl_vec3 u;
    /// From the corner along the motion, m. u and v must span an area.
    pl_vec3 v;
} pl_blade;

/// Cuts an object, or all objects with {0, 0}. Surfaces are cut along the edges, and solids along the faces of their
/// tetrahedra, that are nearest to the blade; links that are part of neither break where the blade passes through them.
/// Stores the number of splits and breaks in *cuts, which may be NULL.
PL_API pl_result pl_cut(pl_world *world, pl_id object, const pl_blade *blade, int *cuts);

#ifdef __cplusplus
}
#endif
#endif
