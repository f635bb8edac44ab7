// convergence.h: tells how well a run has converged.
#ifndef PLIANT_CLI_CONVERGENCE_H
#define PLIANT_CLI_CONVERGENCE_H

#include "history.h"

#include <stdio.h>

// Writes "; forces off by 5 %, ..." for the summary; nothing if there is nothing to tell.
void tell_convergence(const pl_convergence *c, char *out, size_t size);

// As a member of the statistics' JSON object.
void put_convergence(FILE *f, const pl_convergence *c);

#endif
