// hair.h: hair: strands that grow on a surface. docs/hair.md is the guide.
#ifndef PLIANT_HAIR_H
#define PLIANT_HAIR_H

#include <pliant/solids.h>
#include <pliant/strands.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Describes hair: strands of equally many points. Their roots are given, or chosen at random on an ellipsoid, on a mesh
/// or on the faces of an object, as many per area everywhere.
typedef struct pl_hair_def
{
    /// Number of strands, from 1 to 4,194,304. The default is 100. If roots are given: as many as roots.
    int count;
    /// Number of points of each strand, its root included, from 2 to 4,096. The default is 16.
    int points;
    /// The length of a strand, m, above 0. The default is 0.2.
    float length;
    /// Strands are shorter by up to this share of the length, at random, from 0 to 0.95. The default is 0.
    float shorten;
    /// How far the directions of growth are off the normal of the surface, or off `direction`, at random: the tangent of
    /// the largest angle, from 0 to 10. The default is 0.2; with given roots 0 is meant most of the time.
    float lean;
    /// Another number gives other roots, directions and lengths. The default is 0.
    uint32_t seed;

    /// The positions of the roots, 3 floats for each of `count`, m. NULL, the default: they are chosen on a surface.
    const float *roots;
    /// The direction in which strands grow from given roots, of any length above 0. The default is (0, -1, 0).
    pl_vec3 direction;
    /// An object with faces (cloth, a balloon, a soft body) on which the hair grows: each root stays in its place on a
    /// face, which carries it. The hair does not pull on the faces. {0, 0}, the default: none.
    pl_id on;
    /// A mesh on whose outer side the hair grows. NULL, the default: an ellipsoid, unless roots or `on` are given.
    const pl_mesh *mesh;
    /// The radii of the ellipsoid along its axes, m, each above 0. The default is 0.1 each.
    pl_vec3 radii;
    /// The position of the origin of the mesh, or of the centre of the ellipsoid, m. The default is the origin.
    pl_vec3 position;
    /// The rotation of the mesh or the ellipsoid. The default is none.
    pl_quat rotation;
    /// Hair grows only where the y component of the normal, of the mesh or ellipsoid without its rotation, is at least
    /// this, from -1 to below 1. The default is -1: everywhere.
    float lowest;

    /// The total mass, kg, above 0. The default is 0.01. Every point has an equal share of it.
    float mass;
    /// The collision radius of the points (PL_ATTRIBUTE_RADIUS), m, 0 or above. With 0, the default, hair collides with
    /// shapes and bodies only.
    float radius;
    /// The roots have no mass, so that they stay where they are. The default is true. Attach the roots of hair on a body
    /// (pl_attach): the first `count` particles of the object. Roots on an object are carried in any case.
    bool pin;
    /// How the strands are solved. The default is PL_STRAND_DFTL.
    pl_strand_solver solver;
    /// PL_STRAND_DFTL: the share of each pull that is returned as velocity, from 0 to 1 (pl_strands_def). The default is
    /// 1.
    float correction;
} pl_hair_def;

/// Returns the defaults named above.
PL_API pl_hair_def pl_default_hair_def(void);

/// Adds hair. Point k of strand i is particle k count + i of the object, so the first `count` are the roots. The object
/// has one block of strands (pl_object_blocks). Fails with PL_ERROR_ARGUMENT if a value is out of range or there is no
/// surface on which hair may grow.
PL_API pl_result pl_add_hair(pl_world *world, const pl_hair_def *def, pl_id *object);

#ifdef __cplusplus
}
#endif
#endif
