// outputs.h: the names that a run writes to.
#ifndef PLIANT_CLI_OUTPUTS_H
#define PLIANT_CLI_OUTPUTS_H

#include "options.h"

// Refuses two outputs of one name, of which only the last would be left, and one that would replace the scene. Returns an
// exit code. `checkpoint` is "" where there is none.
int outputs_apart(const struct options *o, const char *checkpoint);

#endif
