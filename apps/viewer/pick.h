// pick.h: what lies below the mouse.
#ifndef PLIANT_VIEWER_PICK_H
#define PLIANT_VIEWER_PICK_H

#include "model.h"

// The particle that a ray of unit direction meets first, as a frame shows it: the nearest corner of a face, also of a
// visual's, or a particle that the ray passes closely. -1: none.
// The centres of rigid bodies that have shapes are left out.
int pick_particle(const struct model *m, const struct frame *f, vec3 origin, vec3 direction);

// The number of the body that a ray of unit direction meets first, and how far along the ray; -1: none. Against the triangles
// that are drawn.
int pick_body(const struct model *m, const struct frame *f, vec3 origin, vec3 direction, float *along);

#endif
