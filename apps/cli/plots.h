// plots.h: the plots of a run, as `--plot` names them: a file, or panels=file, such as energy,probes=x.svg.
#ifndef PLIANT_CLI_PLOTS_H
#define PLIANT_CLI_PLOTS_H

#include "history.h"

// Returns whether only panels that exist are named, and the file.
bool plot_is_known(const char *plot, const char **path);
// Checks that the files can be written.
pl_result plots_check(const char *const *plots, int count);
// Writes them one after the other, up to the first that fails.
pl_result plots_write(const struct history *h, const pl_world *world, const char *scene, const char *const *plots,
                      int count);

#endif
