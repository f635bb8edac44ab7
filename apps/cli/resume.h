// resume.h: a run that goes on from a snapshot.
#ifndef PLIANT_CLI_RESUME_H
#define PLIANT_CLI_RESUME_H

#include "options.h"

// Makes the world of o->resume. What --set changes is applied where it can be, and refused where it would be ignored.
pl_result resume_world(const pl_scene *scene, const struct options *o, const pl_world_def *def, pl_world **world);

#endif
