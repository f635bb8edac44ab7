// elements.h: adds the finite elements of an authored object: tetrahedra of a solid, triangles of a fabric.
#pragma once
#include "author/build.h"

// what: the name of the object, for messages.
pl_result check_elastic(const char *what, pl_solid_model model, const pl_elastic *elastic);
pl_result check_fabric(const char *what, pl_cloth_model model, const pl_fabric *fabric);

// x: rest positions of the object's particles, 3 numbers for each. Both functions end a block; the model of links has
// no elements and adds none.
void build_solid(build *b, pl_solid_model model, const pl_elastic *elastic, const float *x, int32_t vertices,
                 const int32_t *tets, int64_t count);
void build_fabric(build *b, pl_cloth_model model, const pl_fabric *fabric, pl_vec3 warp, const float *x,
                  const int32_t *triangles, int64_t count);
