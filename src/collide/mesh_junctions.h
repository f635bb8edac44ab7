// mesh_junctions.h: neighbours of triangles across edges that they share in part only.
#pragma once
#include "collide/bvh.h"

// beside: for every half edge, in the order of the tree, the next one on the same edge, or itself. Those without another
// one get the edge of another triangle that lies on their middle, if there is one. Such neighbours need not be mutual.
void mesh_junctions(const bvh *b, int32_t *beside);
