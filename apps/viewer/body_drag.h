// body_drag.h: drags a rigid body by a point of it, as a spring from that point to the mouse would. Before each step the point
// gets the velocity of a critically damped spring, by the impulse at that point that this body needs for it. So a light body and
// a heavy one follow the mouse alike, and a large time step does no harm.
//   v' = (v + h w^2 (goal - x))/(1 + h w)^2                 the implicit Euler step of x'' = w^2 (goal - x) - 2 w x'
//   K J = v' - v,   K = 1/m - [r] I^-1 [r]                  Baraff 1996: the impulse J at r from the centre of mass
#ifndef PLIANT_VIEWER_BODY_DRAG_H
#define PLIANT_VIEWER_BODY_DRAG_H

#include "linear.h"

struct body_drag
{
    bool on;
    pl_id body;
    vec3 point; // in the axes of the body
    vec3 goal;
};

// point: in the world. False: the id names no body, or one that forces do not move.
bool body_drag_begin(struct body_drag *d, const pl_world *world, pl_id body, vec3 point);
// Where the point is now.
bool body_drag_point(const struct body_drag *d, const pl_world *world, vec3 *point);
// To be called before each step of dt seconds. False: the body is gone.
bool body_drag_pull(const struct body_drag *d, pl_world *world, float dt);

#endif
