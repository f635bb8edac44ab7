// oriented.h: particles with a rotation (Mueller and Chentanez 2011). They are ellipsoids that rotate, and their
// rotation counts in the clusters that contain them, so that a chain, a sheet or a single particle keeps its shape.
#ifndef PLIANT_ORIENTED_H
#define PLIANT_ORIENTED_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gives existing particles a rotation. Clusters that contain them, now or later, use it.
///
/// It does not set PL_ATTRIBUTE_RADIUS, by which collisions are found. Set it to the largest of the three radii: with 0
/// the particle collides with nothing, and with another value it collides as an ellipsoid scaled to it.
typedef struct pl_orient_def
{
    /// Number of particles, at least 1.
    int count;
    /// Particle numbers. None of them may have a rotation already.
    const int32_t *particles;
    /// The three radii of each particle along its own axes, 3 floats for each, m, from 1e-6 to 1e6. The largest of a
    /// particle may be at most 1,000 times its smallest. NULL, the default: radii_each.
    const float *radii;
    /// The radii of every particle if radii is NULL, m. The default is 0.05 each.
    pl_vec3 radii_each;
    /// The rotation of each particle, 4 floats x y z w for each. NULL, the default: no rotation.
    const float *rotation;
    /// The rotation of each particle in the rest shape of its clusters, 4 floats for each. NULL, the default: the
    /// current rotation.
    const float *rest;
    /// The angular velocity of each particle, 3 floats for each, rad/s. NULL, the default: 0.
    const float *spin;
    /// The drag coefficient in the wind, from 0 to 1,000. 0, the default: no wind force.
    float drag;
} pl_orient_def;

/// Returns the defaults named above.
PL_API pl_orient_def pl_default_orient_def(void);

/// Gives particles a rotation and stores the id of the block in *block, which may be NULL. pl_remove of the block takes
/// the rotation away.
PL_API pl_result pl_orient(pl_world *world, const pl_orient_def *def, pl_id *block);

/// The orientation of a particle.
typedef struct pl_orientation
{
    /// The rotation.
    pl_quat rotation;
    /// The angular velocity, rad/s.
    pl_vec3 spin;
    /// The three radii, m.
    pl_vec3 radii;
    /// False for a plain particle: its rotation is none, and its three radii are its collision radius.
    bool oriented;
} pl_orientation;

/// Returns the number of particles that have a rotation.
PL_API int pl_oriented_count(const pl_world *world);

/// Copies the orientation of the particles [first, first + count).
PL_API pl_result pl_get_orientation(const pl_world *world, int first, int count, pl_orientation *out);

/// Sets the rotations and angular velocities (rad/s) of the particles [first, first + count), one of each for each
/// particle. An array that is NULL leaves its values unchanged. Fails with PL_ERROR_ARGUMENT if one of the particles
/// has no rotation.
PL_API pl_result pl_set_orientation(pl_world *world, int first, int count, const pl_quat *rotation,
                                    const pl_vec3 *spin);

// ---- objects -------------------------------------------------------------------------------------------------------

/// Describes an object of oriented particles and links. Each particle with its linked neighbours is a cluster, so that
/// a tree, a net or a chain keeps its shape, bends and twists.
typedef struct pl_oriented_def
{
    /// Number of particles, from 1 to 33,554,431.
    int count;
    /// Positions, 3 floats for each particle, m. Required.
    const float *position;
    /// Masses, 1 float for each particle, kg. 0 holds the particle and its rotation in place. NULL, the default:
    /// mass_each.
    const float *mass;
    /// The mass of every particle if mass is NULL, kg. The default is 0.1.
    float mass_each;
    /// The radii, as in pl_orient_def. The collision radius is set to the largest of the three.
    const float *radii;
    /// The radii of every particle if radii is NULL, m. The default is 0.05 each.
    pl_vec3 radii_each;
    /// The rotations, as in pl_orient_def.
    const float *rotation;
    /// Number of links, 0 or above.
    int link_count;
    /// The links: 2 particles for each, counted from 0 within the object.
    const int32_t *links;
    /// How the clusters keep their shape. The default is rigid with stiffness 1.
    pl_cluster_material match;
    /// The drag coefficient in the wind, from 0 (the default) to 1,000.
    float drag;
} pl_oriented_def;

/// Returns the defaults named above.
PL_API pl_oriented_def pl_default_oriented_def(void);

/// Adds an object of oriented particles and stores its id in *object, which may be NULL. Its particles do not collide
/// with each other.
PL_API pl_result pl_add_oriented(pl_world *world, const pl_oriented_def *def, pl_id *object);

/// The forms that pl_add_oriented_form makes.
typedef enum pl_oriented_form
{
    /// size[0] particles from origin along u.
    PL_ORIENTED_CHAIN,
    /// size[0] x size[1] particles from origin along u and v.
    PL_ORIENTED_SHEET,
    /// A trunk from origin along u, with branches that branch again.
    PL_ORIENTED_TREE,
} pl_oriented_form;

/// Describes a chain, a sheet or a tree.
typedef struct pl_oriented_form_def
{
    /// The form. The default is PL_ORIENTED_CHAIN.
    pl_oriented_form form;
    /// The position of the first particle, m. The default is the origin of the world.
    pl_vec3 origin;
    /// From the first particle to the last of the chain, of a row of the sheet, or of the trunk, m. The default is
    /// (0, 1, 0).
    pl_vec3 u;
    /// Sheet: from the first row to the last, m; it must not be parallel to u. The default is (0, 0, 1).
    pl_vec3 v;
    /// Number of particles along u (of a tree: in the trunk and in each branch) and, of a sheet, along v, at least 2.
    /// The default is 6 each. The object may have at most 1,048,576 particles.
    int size[2];
    /// Half of the thickness, m, above 0; of a tree, of its trunk. The default is 0.05.
    float radius;
    /// The total mass, kg, above 0. The default is 1.
    float mass;
    /// Holds the first particle in place; of a sheet, its first row. The default is true.
    bool hold;
    /// Tree: how often branches branch again, from 0 to 16. The default is 2.
    int levels;
    /// Tree: number of branches from the end of each, from 1 to 64. The default is 3.
    int branches;
    /// Tree: the tangent of the angle between a branch and its parent, from 0 to 100. The default is 0.7.
    float spread;
    /// Tree: length and thickness of a branch as a share of its parent's, above 0.01 and at most 1. The default is 0.6.
    float shrink;
} pl_oriented_form_def;

/// Returns the defaults named above.
PL_API pl_oriented_form_def pl_default_oriented_form_def(void);

/// Returns the number of particles that a form has, or 0 if a value is out of range.
PL_API int pl_oriented_form_particles(const pl_oriented_form_def *form);

/// Adds a chain, a sheet or a tree and stores its id in *object, which may be NULL. match tells how its clusters keep
/// their shape, drag is its drag coefficient in the wind, from 0 to 1,000.
PL_API pl_result pl_add_oriented_form(pl_world *world, const pl_oriented_form_def *form,
                                      const pl_cluster_material *match, float drag, pl_id *object);

#ifdef __cplusplus
}
#endif
#endif
