// summary.h: what a run tells at its end.
#ifndef PLIANT_CLI_SUMMARY_H
#define PLIANT_CLI_SUMMARY_H

#include "history.h"

void print_summary(const char *title, const pl_world *world, struct history *h);
// Tells what the run has shown to be wrong.
void warn_of_run(const pl_scene *scene, const pl_world *world, struct history *h);

#endif
