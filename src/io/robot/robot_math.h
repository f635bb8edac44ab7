// robot_math.h: rotations and poses in double, and sine, cosine and arc tangent that do not depend on a libm.
#ifndef PLIANT_IO_ROBOT_MATH_H
#define PLIANT_IO_ROBOT_MATH_H

#include <pliant/base.h>

#define ROBOT_PI 3.14159265358979323846

// A position and a rotation x y z w: takes a point x of a frame to p + q x.
struct robot_pose
{
    double p[3], q[4];
};

#define ROBOT_POSE_NONE ((struct robot_pose){.q = {0.0, 0.0, 0.0, 1.0}})

// Both within 4e-16 for |x| up to 1e4: reduction by quarters of a turn in three parts, then Taylor series.
double robot_sine(double x);
double robot_cosine(double x);
// From -pi to pi within 5e-16; 0 when both are 0.
double robot_angle(double y, double x);

double robot_dot(const double a[3], const double b[3]);
void robot_cross(const double a[3], const double b[3], double out[3]);
double robot_length(const double a[3]);

void robot_rotation(const double axis[3], double angle, double q[4]);  // axis: a unit vector
void robot_times(const double a[4], const double b[4], double out[4]); // out may be a or b
void robot_conjugate(const double q[4], double out[4]);
void robot_rotate(const double q[4], const double in[3], double out[3]); // out may be in
void robot_unrotate(const double q[4], const double in[3], double out[3]);
bool robot_normalise(double *v, int count); // false if it is too short or not finite

struct robot_pose robot_after(const struct robot_pose *a, const struct robot_pose *b); // first b, then a
struct robot_pose robot_inverse(const struct robot_pose *a);
void robot_place(const struct robot_pose *a, const double in[3], double out[3]);

// Rotates an inertia matrix: out = R m R^T.
void robot_rotate_inertia(const double q[4], double m[3][3], double out[3][3]);
// Rotation that takes the z axis to a direction (a unit vector) by the shortest way.
void robot_from_z(const double direction[3], double q[4]);

pl_vec3 robot_vec3(const double v[3]);
pl_quat robot_quat(const double q[4]);
void robot_from_state(pl_vec3 position, pl_quat rotation, struct robot_pose *out);

#endif
