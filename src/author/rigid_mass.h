// rigid_mass.h: declares the mass of rigid bodies (rigid_mass.c). In double: bits do not depend on the machine.
#pragma once
#include "core/memory.h"
#include "pliant/pliant.h"

typedef struct rigid_mass
{
    double mass, centre[3];
    double inertia[3][3]; // about the centre, in the body's axes
} rigid_mass;

// Adds up the shapes. The inertia of a body without mass is 0.
pl_result rigid_mass_of(memory *m, const pl_rigid_shape *shapes, int count, rigid_mass *out);
// Finds the principal axes: axes is a unit quaternion x y z w, moment the inertia along them. Fails if the inertia is not
// that of a body: each moment above 0, none above the sum of the others.
pl_result rigid_principal(const rigid_mass *m, double axes[4], double moment[3]);
void rigid_quaternion(double m[3][3], double q[4]); // of a rotation matrix: x y z w
void rigid_rotation_matrix(pl_quat rotation, double r[3][3]);
pl_result rigid_check_shape(memory *m, const pl_rigid_shape *s, int number);
