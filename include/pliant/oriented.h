// oriented.h: particles with a rotation of their own (Mueller and Chentanez 2011): ellipsoids that turn, and whose turning counts in the
// clusters that they are in, so that a chain, a sheet or a single particle keeps its shape.
#ifndef PLIANT_ORIENTED_H
#define PLIANT_ORIENTED_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

// Gives particles that are there a rotation. A cluster that one of them is in, now or later, takes its turning in. PL_ATTRIBUTE_RADIUS is not
// set: without one they touch nothing, and with another than the largest of their radii they are met that much larger or smaller.
typedef struct pl_orient_def
{
    int count;
    const int32_t *particles;
    const float *radii;    // 3 for each, along its own axes, m; NULL: `radii_each`
    pl_vec3 radii_each;    // m
    const float *rotation; // x y z w for each; NULL: not turned
    const float *rest;     // x y z w for each: how it is turned where clusters have their shape; NULL: as it is now
    const float *spin;     // rad/s, 3 for each; NULL: none
    float drag;            // drag coefficient of an ellipsoid in the wind; 0: the wind does not feel it
} pl_orient_def;

PL_API pl_orient_def pl_default_orient_def(void);
PL_API pl_result pl_orient(pl_world *world, const pl_orient_def *def, pl_id *block);

typedef struct pl_orientation
{
    pl_quat rotation;
    pl_vec3 spin;  // rad/s
    pl_vec3 radii; // m
    bool oriented; // false: a plain particle, which is not turned and has its radius thrice
} pl_orientation;

// How many particles have a rotation of their own.
PL_API int pl_oriented_count(const pl_world *world);
// Of particles [first, first + count).
PL_API pl_result pl_get_orientation(const pl_world *world, int first, int count, pl_orientation *out);
// Either may be NULL, and stays as it is then. All of the particles must be oriented.
PL_API pl_result pl_set_orientation(pl_world *world, int first, int count, const pl_quat *rotation,
                                    const pl_vec3 *spin);

// ---- objects -------------------------------------------------------------------------------------------------------

// Oriented particles and links between them: each, with those that it is linked to, is a cluster. So a tree, a net or a chain keeps its
// shape, bends and twists.
typedef struct pl_oriented_def
{
    int count;
    const float *position; // 3 for each
    const float *mass;     // kg for each; NULL: `mass_each`; 0 holds it, its rotation too
    float mass_each;
    const float *radii; // as in pl_orient_def
    pl_vec3 radii_each;
    const float *rotation;
    int link_count;
    const int32_t *links; // 2 for each, counted within the object
    pl_cluster_material match;
    float drag;
} pl_oriented_def;

PL_API pl_oriented_def pl_default_oriented_def(void);
PL_API pl_result pl_add_oriented(pl_world *world, const pl_oriented_def *def, pl_id *object);

// Where the particles of a chain, a sheet or a tree lie, made by rule.
typedef enum pl_oriented_form
{
    PL_ORIENTED_CHAIN, // `size[0]` particles from `origin` along `u`
    PL_ORIENTED_SHEET, // `size[0]` x `size[1]` from `origin` along `u` and `v`
    PL_ORIENTED_TREE,  // a trunk from `origin` along `u` with branches that branch again
} pl_oriented_form;

typedef struct pl_oriented_form_def
{
    pl_oriented_form form;
    pl_vec3 origin, u, v;
    int size[2];
    float radius; // m: half the thickness; of a tree, of its trunk
    float mass;   // kg in all
    bool hold;    // the first particle is held in place; of a sheet, its first row
    // Trees: `branches` from the upper end of each, each `shrink` times as long and thick as what it grows from, at an angle of which
    // `spread` is the tangent, `levels` times over; so many particles in each as `size[0]`.
    int levels, branches;
    float spread, shrink;
} pl_oriented_form_def;

PL_API pl_oriented_form_def pl_default_oriented_form_def(void);
// How many particles it will have; 0: the numbers are out of range.
PL_API int pl_oriented_form_particles(const pl_oriented_form_def *form);
PL_API pl_result pl_add_oriented_form(pl_world *world, const pl_oriented_form_def *form,
                                      const pl_cluster_material *match, float drag, pl_id *object);

#ifdef __cplusplus
}
#endif
#endif
