// kinds.h: the table of constraint kinds. A new kind needs one header, one line here, one name in pl_kind and one test.
//
//   X(name, NAME, arity, writes, params, bound, stem, scale, parts)
//     name, NAME   as in "distance" and PL_KIND_DISTANCE; the lines have the order of that enum
//     arity        particles of a constraint; the first `writes` of them are moved, the others are only read
//     params       parameters of a constraint
//     bound        the allowed side of C = 0
//     stem         the kernel: stem_eval and stem_rest, and for a block stem_energy
//     scale        1: parameter 0 is a length that |C| is compared with (residual); 0: no such length
//     parts        the number of components of C and lambda: 1 for a row (row.h), more for a block (vector_row.h)
//
// The ends of a frame kind are particles or body frames (elements/frame_row.h): it has two ends, moves and rotates both, and
// may have any number of parts. Ranges and motors come behind the joints that they act on: a damped spring that is
// visited before its joint sees none of the motion that the joint causes, and holds too weakly.
//
// Colouring, sweeps on every backend, snapshots, scenes, stats and bindings depend on this table alone. The
// descriptions for users (names of parameters, checks) are in model/kinds.c.
#pragma once
#include "elements/area.h"
#include "elements/attachment.h"
#include "elements/corotated_tet.h"
#include "elements/dihedral.h"
#include "elements/distance.h"
#include "elements/isometric.h"
#include "elements/neo_hookean.h"
#include "elements/patch_volume.h"
#include "elements/pin.h"
#include "elements/strain_tet.h"
#include "elements/strain_triangle.h"
#include "elements/stvk_tet.h"
#include "elements/stvk_triangle.h"
#include "elements/tet_volume.h"
#include "elements/tether.h"
#include "elements/joints/ball_joint.h"
#include "elements/joints/cylindrical_joint.h"
#include "elements/joints/distance_joint.h"
#include "elements/joints/fixed_joint.h"
#include "elements/joints/gear.h"
#include "elements/joints/hinge_joint.h"
#include "elements/joints/pulley.h"
#include "elements/joints/rack.h"
#include "elements/joints/slide.h"
#include "elements/joints/slider_joint.h"
#include "elements/joints/swing.h"
#include "elements/joints/twist.h"
#include "elements/joints/universal_joint.h"
#include "elements/joints/wheel_joint.h"

#define PL_ROW_KINDS(X)                                                                                                \
    X(distance, DISTANCE, 2, 2, 1, BOUND_EQUAL, distance, 1, 1)                                                        \
    X(distance_min, DISTANCE_MIN, 2, 2, 1, BOUND_AT_LEAST, distance, 1, 1)                                             \
    X(distance_max, DISTANCE_MAX, 2, 2, 1, BOUND_AT_MOST, distance, 1, 1)                                              \
    X(tether, TETHER, 2, 1, 1, BOUND_AT_MOST, tether, 1, 1)                                                            \
    X(dihedral, DIHEDRAL, 4, 4, 1, BOUND_EQUAL, dihedral, 0, 1)                                                        \
    X(isometric, ISOMETRIC, 4, 4, 4, BOUND_EQUAL, isometric, 0, 1)                                                     \
    X(tet_volume, TET_VOLUME, 4, 4, 1, BOUND_EQUAL, tet_volume, 0, 1)                                                  \
    X(pin, PIN, 1, 1, 6, BOUND_EQUAL, pin, 0, 1)                                                                       \
    X(area, AREA, 3, 3, 1, BOUND_EQUAL, area, 0, 1)                                                                    \
    X(patch_volume, PATCH_VOLUME, PATCH_POINTS, PATCH_POINTS, PATCH_PARAMS, BOUND_EQUAL, patch_volume, 0, 1)

#define PL_VECTOR_KINDS(X)                                                                                             \
    X(stvk_tet, STVK_TET, 4, 4, TET_PARAMS, BOUND_EQUAL, stvk_tet, 0, 6)                                               \
    X(corotated_tet, COROTATED_TET, 4, 4, TET_PARAMS, BOUND_EQUAL, corotated_tet, 0, 6)                                \
    X(neo_hookean, NEO_HOOKEAN, 4, 4, TET_PARAMS, BOUND_EQUAL, neo_hookean, 0, 2)                                      \
    X(strain_tet, STRAIN_TET, 4, 4, TET_PARAMS, BOUND_EQUAL, strain_tet, 0, 6)                                         \
    X(stvk_triangle, STVK_TRIANGLE, 3, 3, TRI_PARAMS, BOUND_EQUAL, stvk_triangle, 0, 3)                                \
    X(strain_triangle, STRAIN_TRIANGLE, 3, 3, TRI_PARAMS, BOUND_EQUAL, strain_triangle, 0, 3)

#define PL_FRAME_KINDS(X)                                                                                              \
    X(ball_joint, BALL_JOINT, FRAME_ENDS, FRAME_ENDS, BALL_JOINT_PARAMS, BOUND_EQUAL, ball_joint, 0, BALL_JOINT_PARTS) \
    X(fixed_joint, FIXED_JOINT, FRAME_ENDS, FRAME_ENDS, JOINT_PARAMS, BOUND_EQUAL, fixed_joint, 0, FIXED_JOINT_PARTS)  \
    X(hinge_joint, HINGE_JOINT, FRAME_ENDS, FRAME_ENDS, JOINT_PARAMS, BOUND_EQUAL, hinge_joint, 0, HINGE_JOINT_PARTS)  \
    X(slider_joint, SLIDER_JOINT, FRAME_ENDS, FRAME_ENDS, JOINT_PARAMS, BOUND_EQUAL, slider_joint, 0,                  \
      SLIDER_JOINT_PARTS)                                                                                              \
    X(cylindrical_joint, CYLINDRICAL_JOINT, FRAME_ENDS, FRAME_ENDS, JOINT_PARAMS, BOUND_EQUAL, cylindrical_joint, 0,   \
      CYLINDRICAL_JOINT_PARTS)                                                                                         \
    X(universal_joint, UNIVERSAL_JOINT, FRAME_ENDS, FRAME_ENDS, JOINT_PARAMS, BOUND_EQUAL, universal_joint, 0,         \
      UNIVERSAL_JOINT_PARTS)                                                                                           \
    X(wheel_joint, WHEEL_JOINT, FRAME_ENDS, FRAME_ENDS, JOINT_PARAMS, BOUND_EQUAL, wheel_joint, 0, WHEEL_JOINT_PARTS)  \
    X(distance_joint, DISTANCE_JOINT, FRAME_ENDS, FRAME_ENDS, DISTANCE_JOINT_PARAMS, BOUND_RANGE, distance_joint, 0,   \
      1)                                                                                                               \
    X(slide_range, SLIDE_RANGE, FRAME_ENDS, FRAME_ENDS, SLIDE_RANGE_PARAMS, BOUND_RANGE, slide_range, 0, 1)            \
    X(slide_motor, SLIDE_MOTOR, FRAME_ENDS, FRAME_ENDS, SLIDE_MOTOR_PARAMS, BOUND_DRIVE, slide_motor, 0, 1)            \
    X(twist_range, TWIST_RANGE, FRAME_ENDS, FRAME_ENDS, TWIST_RANGE_PARAMS, BOUND_RANGE, twist_range, 0, 1)            \
    X(twist_motor, TWIST_MOTOR, FRAME_ENDS, FRAME_ENDS, TWIST_MOTOR_PARAMS, BOUND_DRIVE, twist_motor, 0, 1)            \
    X(swing_range, SWING_RANGE, FRAME_ENDS, FRAME_ENDS, SWING_RANGE_PARAMS, BOUND_RANGE, swing_range, 0, 1)            \
    X(attachment, ATTACHMENT, FRAME_ENDS, FRAME_ENDS, ATTACHMENT_PARAMS, BOUND_EQUAL, attachment, 0, ATTACHMENT_PARTS) \
    X(gear, GEAR, FRAME_ENDS, FRAME_ENDS, GEAR_PARAMS, BOUND_EQUAL, gear, 0, 1)                                        \
    X(rack, RACK, FRAME_ENDS, FRAME_ENDS, RACK_PARAMS, BOUND_EQUAL, rack, 0, 1)                                        \
    X(pulley, PULLEY, FRAME_ENDS, FRAME_ENDS, PULLEY_PARAMS, BOUND_RANGE, pulley, 0, 1)

#define PL_KINDS(X) PL_ROW_KINDS(X) PL_VECTOR_KINDS(X) PL_FRAME_KINDS(X)
