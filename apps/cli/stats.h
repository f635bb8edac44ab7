// stats.h: a run's numbers as one JSON object.
#ifndef PLIANT_CLI_STATS_H
#define PLIANT_CLI_STATS_H

#include "history.h"

// To a file, written beside and renamed, or to stdout for "-".
pl_result stats_write(const char *path, const char *scene, pl_world *world, struct history *h);

#endif
