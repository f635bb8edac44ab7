// pliant_bodies.h: rigid bodies and joints of a benchmark in a world of Pliant.
#ifndef PLIANT_BENCH_PLIANT_BODIES_H
#define PLIANT_BENCH_PLIANT_BODIES_H

#include "body_scene.h"

#include "pliant/pliant.h"

pl_result fill_bodies(pl_world *world, const scene *s);
// Copies the poses of the first count bodies.
void read_poses(pl_world *world, int count, float *out);

#endif
