// damage.h: how rows take load, and what a row keeps of it. The laws are in damage_law.h.
#pragma once

// How a kind of rows takes load.
enum damage_law
{
    LAW_NONE,
    LAW_LENGTH,
    LAW_ANGLE,    // flows only
    LAW_TRIANGLE, // breaks only
    LAW_TET,
    LAW_NEO_HOOKEAN, // a tetrahedron whose multipliers are not its stresses
};

typedef struct damage
{
    float yield, creep, limit, hardening; // yield 0: it does not flow
    float flown;
    float strength; // 0: it does not break
    float load;     // over the strength, the most of the frame
    float broken;   // 1: it is, and holds nothing
} damage;
