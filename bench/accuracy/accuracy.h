// accuracy.h: pliant_accuracy, which measures the engine against analytic answers and double-precision references, and prints the tables
// of docs/accuracy.md.
#ifndef BENCH_ACCURACY_H
#define BENCH_ACCURACY_H

#include "pliant/pliant.h"

#include <stdbool.h>

// Ends the program if a call has failed.
void good(pl_result result);

// A world of these substeps, iterations and order (1 or 2: BDF1, BDF2).
pl_world *make_world(int substeps, int iterations, int order);
int add_particle(pl_world *w, double x, double y, double z, double mass);
void link_particles(pl_world *w, int a, int b, double length, double compliance);
void place_of(const pl_world *w, int particle, double out[3]);
void step_frames(pl_world *w, int frames);

// The world of a scene, given as JSON with the conversions of printf.
pl_world *world_of(const char *json, ...);

// The centre of mass, the momentum and the angular momentum about that centre, and the angular velocity of a body with that inertia.
typedef struct motion
{
    double mass, centre[3], velocity[3], momentum[3], spin[3], turning[3];
    double kinetic;
} motion;

motion motion_of(const pl_world *w);
double length3(const double a[3]);

// Each prints one table.
void check_double_pendulum(bool brief);
void check_distance(bool brief);
void check_drift(bool brief);
void check_incline(bool brief);
void check_free_bodies(bool brief);
void check_impacts(bool brief);
void check_stacks(bool brief);
void check_cook(bool brief);
void check_convergence(bool brief);

#endif
