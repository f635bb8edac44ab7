// rigid_contacts.h: declares the measures of the contacts of rigid bodies.
#pragma once
#include "model/world.h"

typedef struct rigid_depth
{
    int64_t contacts; // manifolds that press
    double most;      // m: the largest overlap
} rigid_depth;

// Nothing is measured while there is no list: after an edit or a load, until the next step.
pl_result rigid_depth_measure(const pl_world *w, rigid_depth *out);
