// reference.h: the judge. A slow, plain, double-precision implicit solver for the same potentials as the engine.
//
// One step finds the positions x and the forces lambda with
//     M (x - x~) / h^2 = J(x)^T lambda            momentum, x~ is where the particles would go if they were free
//     C(x) + compliance lambda = 0                the constraints; one-sided ones with lambda >= 0 or lambda <= 0
// to the last digits that double precision has, by Newton's method with exact second derivatives. The engine's sweeps
// approach the same equations; how near they come is what the tests and `pliant compare` ask.
#ifndef PLIANT_REFERENCE_H
#define PLIANT_REFERENCE_H

#include "pliant/pliant.h"

enum
{
    JUDGE_MAX_PARTS = 6, // numbers that a constraint's force has
};

// One constraint. A pin and an isometric hinge have C = |vector|, whose gradient is undefined where it shall end: here
// they are three equations, one for each component of the vector, with the same energy. A finite element is no equation
// here but an energy (elements.c); its multipliers follow from its stress.
typedef struct judge_row
{
    pl_kind kind;
    int index[PL_MAX_ARITY];
    double param[PL_MAX_PARAMS];
    double compliance;
    double lambda[JUDGE_MAX_PARTS]; // after a step: the force along the gradient of each part
} judge_row;

typedef enum judge_integrator
{
    JUDGE_BDF1,
    JUDGE_BDF2, // the first step is BDF1
} judge_integrator;

// Everything is plain arrays that a test may fill by hand. Particles of mass 0 move by their velocity alone.
typedef struct judge
{
    int particles;
    double *x, *v, *force; // 3 for each
    double *mass;
    double *old_x, *old_v; // a step ago, for BDF2
    double gravity[3];
    judge_integrator integrator;
    int steps; // taken so far

    int rows, row_capacity;
    judge_row *row;
} judge;

// How well a step solved its own equations: the judge judges itself.
typedef struct judge_report
{
    int newton;        // linear systems solved
    double momentum;   // largest |M (x - x~)/h^2 - J^T lambda| over the largest force at work
    double constraint; // largest |C + compliance lambda|, in the units of C
    bool converged;
} judge_report;

judge *judge_create(int particles);
void judge_destroy(judge *j);
judge_row *judge_add(judge *j, pl_kind kind, const int *index, const double *param, double compliance);

// Takes particles, gravity and external forces from a world; constraints follow with judge_add_block or judge_add_object.
// Fields, wind and damping have no part in the judge: NULL when the world's settings ask for damping.
judge *judge_from_world(const pl_world *world);
// PL_ERROR_UNSUPPORTED: damped rows, rigid elements, and tethers to anchors that move freely (they have no potential).
pl_result judge_add_block(judge *j, const pl_world *world, pl_id block);
pl_result judge_add_object(judge *j, const pl_world *world, pl_id object);
// The judge of a whole world: its particles and all of its constraints, kind by kind in the order of the user. NULL: no
// memory, or something in the world is not covered; pl_error_message tells what.
judge *judge_whole_world(const pl_world *world);

bool judge_step(judge *j, double h, judge_report *report);

// The force of a row, as the engine tells it: lambda, which is negative where the row pulls C back down; where C is the
// length of a vector, minus the length of lambda.
double judge_force(const judge_row *row);
// The same for any kind: as many numbers as the engine tells, which is returned.
int judge_forces(const judge_row *row, double *out);
double judge_kinetic(const judge *j);
double judge_elastic(const judge *j);

// One constraint as a function of its particles' positions p (3 for each): the values of its parts, their gradients over
// the 3 arity coordinates and, for the kinds with one part, the second derivatives. A finite element has no parts here.
typedef struct judge_value
{
    int parts, coordinates;
    double c[JUDGE_MAX_PARTS];
    double gradient[JUDGE_MAX_PARTS][3 * PL_MAX_ARITY];
    double hessian[3 * PL_MAX_ARITY][3 * PL_MAX_ARITY]; // of c[0]
    double low, high;                                   // bounds of lambda: one-sided kinds
} judge_value;

// Where the particles of a row are.
void judge_gather(const judge *j, int row, double *p);
void judge_evaluate(const judge_row *row, const double *p, judge_value *out);
int judge_arity(pl_kind kind);

// A finite element: columns of its F, 3 or 2; 0: the kind is none.
int judge_element(pl_kind kind);
// Its energy; forces on its particles, and its multipliers.
double judge_element_force(const judge_row *row, const double *p, double *force, double *lambda);
void judge_element_stiffness(const judge_row *row, const double *p, double stiffness[][3 * PL_MAX_ARITY]);

#endif
