// heat.h: the temperatures of a world, by particle number. Once a frame heat is conducted (conduction.c), and particles
// that have melted or frozen change their clusters (edit/melt.c). Both happen between frames, as tearing does, so every
// backend sees the same.
#pragma once
#include "model/world.h"

// One thread looks through this many particles in less time than it takes to wake the worker threads, which sleep while
// a device steps.
#define HEAT_WAKE (1 << 18)

double temperature_of(const pl_heat_def *r, const particle_heat *m);
double heat_at(const pl_heat_def *r, double temperature, bool molten);
pl_result heat_frame(pl_world *w, float dt, bool edited); // after a frame; edited: the host has changed something since
int heat_steps(pl_world *w, double rate, double dt, double *step); // number and length of the steps
pl_result heat_check(pl_world *w);                                 // checks data read from a snapshot
pl_result heat_check_temperature(const char *what, float t);
pl_result heat_check_rule(const pl_world *w, const pl_heat_def *d);
pl_result heat_check_radii(const pl_world *w, int32_t first, int32_t count);
void heat_free(pl_world *w);
