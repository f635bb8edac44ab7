// views.h: what every shader knows of the scene: from where it is looked at, by the camera and by the sun, and where the ground is.
#ifndef PLIANT_VIEWER_VIEWS_H
#define PLIANT_VIEWER_VIEWS_H

#include "painter.h"
#include "renderer.h"

// The block `scene` of the shaders.
struct scene_block
{
    mat4 clip_from_world, world_from_clip, shadow_from_world;
    float eye[4], forward[4], sun[4], screen[4], ground[4], middle[4];
};

// What there is to look at, and how large the pictures are.
struct setting
{
    const struct model *model;
    const struct bounds *bounds; // of everything, now
    int width, height, samples, shadow_size;
};

// The direction to the sun: from the left, high, a little from the front, so that folds and edges read.
vec3 views_to_sun(void);
mat4 views_clip(const struct setting *s, const struct camera *c);
// The sun's view, with what is common to both; then the camera's, which keeps where the shadows are.
struct pass views_sun(const struct setting *s, const struct camera *c, const struct look *look, struct scene_block *b);
struct pass views_camera(const struct setting *s, const struct camera *c, struct scene_block *b);

#endif
