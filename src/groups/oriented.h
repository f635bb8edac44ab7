// oriented.h: declares what other files use of oriented particles.
#pragma once
#include "model/world.h"

const orient_pose *oriented_poses(const pl_world *w);          // the newest ones; copies them to the host if needed
const orient_pose *pose_of(const pl_world *w, int32_t number); // of a particle; NULL: it is not oriented
// Adds an oriented member's own second moment at rest to the upper left of a 9 x 9 matrix.
void oriented_moment(const pl_world *w, int32_t own, double mass, double *second);

// ---- oriented_measure.c
struct bone;
// Adds the kinetic energy of the particles' own rotation, and its angular momentum; either may be NULL.
void oriented_measure(const pl_world *w, double *energy, double *angular);
uint64_t oriented_hash(const pl_world *w, uint64_t h);
int32_t oriented_trouble(const pl_world *w); // a particle that spins faster than the limit or not finitely, or -1
void oriented_rotate(const pl_world *w, int first, int count, struct bone *bones);
