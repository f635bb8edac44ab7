// camera.h: where one stands, what one looks at, and how a mouse moves it.
#ifndef PLIANT_VIEWER_CAMERA_H
#define PLIANT_VIEWER_CAMERA_H

#include "linear.h"

struct bounds
{
    vec3 min, max;
};

struct camera
{
    vec3 eye, target;
    float fov; // degrees, from the lower to the upper edge
};

struct bounds bounds_of(const float *position, int count);
struct bounds bounds_join(const struct bounds *a, const struct bounds *b);
vec3 bounds_centre(const struct bounds *b);
float bounds_radius(const struct bounds *b);

// A view of the whole box, with some air around it, from the front, a little from the right and from above.
struct camera camera_fit(const struct bounds *b, float aspect);
// Moves it back and forth along its own direction until the box is in the picture.
void camera_frame(struct camera *c, const struct bounds *b, float aspect);
// Turns around the target; angles in radians.
void camera_orbit(struct camera *c, float yaw, float pitch);
// Moves along the picture; in heights of the picture at the target's distance.
void camera_pan(struct camera *c, float right, float up);
// Comes nearer by a factor below 1.
void camera_zoom(struct camera *c, float factor);

mat4 camera_view(const struct camera *c);
// far lies well behind a sphere around `centre`.
mat4 camera_clip_from_world(const struct camera *c, float aspect, vec3 centre, float radius);
// The ray through a point of the picture; x and y from -1 to 1, y up.
void camera_ray(const struct camera *c, float aspect, float x, float y, vec3 *origin, vec3 *direction);

#endif
