// made_of.h: whether a world that has run was made of a scene.
#ifndef PLIANT_CLI_MADE_OF_H
#define PLIANT_CLI_MADE_OF_H

#include <pliant/pliant.h>

// Makes the scene's world and compares what does not change while a world runs. Fails with PL_ERROR_ARGUMENT, and in words
// that begin with the snapshot's name, where they differ.
pl_result made_of(const pl_scene *scene, const pl_world *world, const char *snapshot);

#endif
