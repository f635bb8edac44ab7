// pick.h: what lies below the mouse.
#ifndef PLIANT_VIEWER_PICK_H
#define PLIANT_VIEWER_PICK_H

#include "model.h"

// The particle that a ray of unit direction meets first, as a frame shows it: the nearest corner of a face, also of a
// visual's, or a particle that the ray passes closely. -1: none.
int pick_particle(const struct model *m, const struct frame *f, vec3 origin, vec3 direction);

#endif
