// direct_rows.h: evaluates constraints in double precision for the solver direct.
#pragma once
#include <stdbool.h>

enum
{
    DIRECT_POINTS = 8,  // PL_MAX_ARITY
    DIRECT_PARTS = 6,   // PL_MAX_PARTS
    DIRECT_PARAMS = 24, // at least PL_MAX_PARAMS
};

// A constraint's points, relative to the first of them, and its parameters. A kind with one point: relative to where that
// was at the substep's start, as is the target in `param`.
typedef struct direct_input
{
    double x[DIRECT_POINTS][3], inverse_mass[DIRECT_POINTS];
    double moved[DIRECT_POINTS][3]; // since the substep's start: read with `damped`
    double param[DIRECT_PARAMS];
    double ahead;       // the fraction of the frame that remains
    double drift_share; // the fraction of a frame that the step spans
    bool damped;
} direct_input;

typedef struct direct_value
{
    double c[DIRECT_PARTS];
    double gradient[DIRECT_PARTS][DIRECT_POINTS][3];
    double soft[DIRECT_PARTS][DIRECT_PARTS]; // its compliance matrix for a compliance of 1: the lower triangle
    double least_a;                          // the least compliance/h^2 with which the kind is stable
    double motion[DIRECT_PARTS];             // the change of C in the step
} direct_value;

// The parts of C. A pin and an isometric hinge have C = |vector|, whose gradient is undefined where it shall end: here
// they are three parts, one for each component, with the same energy.
int direct_parts(int kind);
void direct_evaluate(int kind, const direct_input *in, direct_value *out);
