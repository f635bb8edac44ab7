// convergence.h: tells how well a run has converged, and what to change if it has not.
#ifndef PLIANT_CLI_CONVERGENCE_H
#define PLIANT_CLI_CONVERGENCE_H

#include "history.h"

#include <stdio.h>

// Writes a line for each of forces and rigid constraints that are poor: both were measured or, before a run, are
// expected. Returns how many.
int warn_of_convergence(const pl_convergence *c, bool expected, FILE *to, const char *before);

// Writes "; forces off by 5 %, ..." for the summary; nothing if there is nothing to tell.
void tell_convergence(const pl_convergence *c, char *out, size_t size);

// As a member of the statistics' JSON object.
void put_convergence(FILE *f, const pl_convergence *c);

#endif
