// damage.h: the load law of each kind of constraint, and the state of yield, creep and break of one row. The laws are
// in damage_law.h.
#pragma once

// Which load law a kind of constraint follows.
enum damage_law
{
    LAW_NONE,
    LAW_LENGTH,
    LAW_ANGLE,    // yields only
    LAW_TRIANGLE, // breaks only
    LAW_TET,
    LAW_NEO_HOOKEAN, // a tetrahedron whose multipliers are not its stresses
    // Joints, which only break: the first one, two or three of their multipliers are forces, the others torques.
    LAW_JOINT_1,
    LAW_JOINT_2,
    LAW_JOINT_3,
};

#define MOST_LOAD 1e30f // larger loads count as this one, so that a record is finite whatever the strength

typedef struct damage
{
    float yield, creep, limit, hardening; // yield 0: it does not yield; limit of a joint: the torque that breaks it
    float flown;
    float strength; // 0: it does not break
    float load;     // load divided by strength, the largest of the frame
    float broken;   // 1: it is broken and applies no force
} damage;
