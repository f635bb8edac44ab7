// outputs.h: the names that a run writes to.
#ifndef PLIANT_CLI_OUTPUTS_H
#define PLIANT_CLI_OUTPUTS_H

#include "io/export.h"
#include "options.h"

// Refuses two outputs of one name, of which only the last would be left, and one that would replace the scene. Returns an
// exit code. `checkpoint` is "" where there is none.
int outputs_apart(const struct options *o, const char *checkpoint);

// The times of what is exported; dt: of the scene.
struct export_timing outputs_timing(const struct options *o, float dt);
// Tells how other programs read the files that were written, once for each format.
void outputs_tell(const struct options *o, float dt);

#endif
