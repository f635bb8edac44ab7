// ragdoll.h: declares the parts of a human figure (ragdoll_parts.c).
#pragma once
#include "pliant/pliant.h"

// Lengths are shares of the height, masses shares of the whole mass.
typedef struct ragdoll_part
{
    const char *name;
    int parent;
    pl_joint_kind kind;
    double joint[3], centre[3]; // upright, arms stretched out: where its joint and its middle are
    pl_rigid_shape_kind shape;
    double size[3]; // half edges of a box; or radius, length and the axis of the length (0: x, 1: y)
    double mass;
    double axis[3];          // of its joint
    double swing, low, high; // limits, rad
    double reference[3];     // its rotation in the reference pose
    double start[3];         // its rotation in the default pose
} ragdoll_part;

extern const ragdoll_part ragdoll_parts[PL_RAGDOLL_PARTS];
