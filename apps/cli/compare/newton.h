// newton.h: a trial in which every substep is solved by Newton's method in double precision (reference/).
#ifndef PLIANT_CLI_NEWTON_H
#define PLIANT_CLI_NEWTON_H

#include "trial.h"

// Runs the frames of a trial whose world was just made, and keeps positions and forces as the engine's trial does. Refused if
// the world has something that the reference solver does not cover.
void newton_run(struct trial *t, const struct trial_def *def, const pl_scene *scene, pl_world *world);

#endif
