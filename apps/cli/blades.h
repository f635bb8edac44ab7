// blades.h: whether a scene's cuts cut anything, found out as it runs.
#ifndef PLIANT_CLI_BLADES_H
#define PLIANT_CLI_BLADES_H

#include <pliant/pliant.h>

struct blades
{
    bool *cut; // for each of the scene's; NULL: none has passed yet
    bool *passed;
};

// pl_scene_before_step, and a look at what its blades did.
pl_result blades_before_step(struct blades *b, const pl_scene *scene, pl_world *world);
// A warning for each that is through and met nothing.
void blades_tell(const struct blades *b, const pl_scene *scene, const pl_world *world);
void blades_free(struct blades *b);

#endif
