// mass_properties.h: mass, centre of mass and inertia tensor of solids of uniform density: sphere, capsule, box,
// cylinder, hull, closed mesh, and compounds of them. For authoring: double precision, + - * / sqrt alone, so the bits
// are equal on every machine.
//   mass [kg] = density [kg/m^3] times volume; centre [m]
//   inertia [kg m^2], about the centre, in the axes of the frame: I = integral of (x.x 1 - x x^T) dm
// Axes of capsules and cylinders are y. Sources: Mirtich 1996 and Tonon 2004 (polyhedra as sums of tetrahedra), Huygens
// and Steiner (parallel axes), Jacobi 1846 (eigenvectors).
#pragma once
#include "collide/hull.h"
#include "collide/mesh_check.h"

typedef struct mass_properties
{
    double mass;
    double centre[3];
    double inertia[6]; // xx, yy, zz, xy, yz, zx: the elements of the tensor, so xy = -(integral of x y dm)
} mass_properties;

mass_properties mass_of_sphere(double density, double radius);
// All points within `radius` of a segment of `length`.
mass_properties mass_of_capsule(double density, double length, double radius);
mass_properties mass_of_cylinder(double density, double length, double radius);
// Half sides `half`, grown and rounded by `radius` (0: a box with sharp edges), as probe_box.
mass_properties mass_of_box(double density, const double half[3], double radius);
// A rounding of the hull is not counted.
mass_properties mass_of_hull(double density, const hull *h);
// Fails unless the mesh is closed and its triangles face outwards.
pl_result mass_of_mesh(memory *m, double density, const mesh_view *mesh, mass_properties *out);
// A single particle of this mass: it has no inertia of its own.
mass_properties mass_of_point(double mass, const double at[3]);

// The same solid, turned by the unit quaternion `turn` (x y z w) about the origin, then moved by `shift`.
mass_properties mass_placed(const mass_properties *p, const double turn[4], const double shift[3]);
// Both together; parts that overlap count twice.
mass_properties mass_sum(const mass_properties *a, const mass_properties *b);
// The same solid with another mass: inertia in proportion.
mass_properties mass_scaled(const mass_properties *p, double mass);
// Moves the reference of the inertia from the centre to the frame's origin.
void mass_about_origin(const mass_properties *p, double inertia[6]);

// Principal axes: inertia = R diag(moment) R^T, where R is the rotation of the unit quaternion `turn` (x y z w), from
// principal axes to the frame. Moments keep the order of the axes that they are nearest to: a tensor that is diagonal
// gives turn = (0, 0, 0, 1) and its own diagonal. w >= 0.
void mass_principal(const double inertia[6], double moment[3], double turn[4]);
// Is this the inertia of a body: finite, moments >= 0, none larger than the sum of the others (up to rounding)?
int mass_is_possible(const double inertia[6]);
