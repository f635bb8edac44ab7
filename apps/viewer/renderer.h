// renderer.h: draws a model. One renderer serves the window and the recorder; it needs a current OpenGL 3.3 context.
//
//     renderer_create → renderer_resize → renderer_set_model → for each frame: renderer_upload, renderer_draw, renderer_read
#ifndef PLIANT_VIEWER_RENDERER_H
#define PLIANT_VIEWER_RENDERER_H

#include "surface.h"

#ifdef __cplusplus
extern "C" {
#endif

struct renderer;

// What is to be seen.
struct look
{
    enum colour_by colour_by;
    bool shadows, contact, floor; // contact: the shade in folds and where things meet
    bool quick;                   // coarser shadows, for drawing in software
    bool constraints, velocities, wind, contacts, cells, boxes,
        joints;     // lines over the picture; boxes: of the trees of meshes
    bool particles; // of fluids, instead of their surface
};

struct look default_look(void);
// What a frame must bring for this look.
struct wants look_wants(const struct look *look);

bool renderer_create(struct renderer **r);
void renderer_destroy(struct renderer *r);
// samples: for each pixel, 1, 2, 4 ...
bool renderer_resize(struct renderer *r, int width, int height, int samples);
int renderer_max_samples(void);
// The model must live until the next call.
bool renderer_set_model(struct renderer *r, const struct model *m);
// Sends a frame's positions and colours to the card, once.
void renderer_upload(struct renderer *r, const struct frame *f, const struct look *look);
// Draws into the framebuffer (0: the window's), at its lower left corner.
void renderer_draw(struct renderer *r, const struct camera *c, const struct look *look, unsigned framebuffer);
// Draws into a part of the window that begins x pixels from its left edge.
void renderer_show(struct renderer *r, const struct camera *c, const struct look *look, int x);
// Draws into the renderer's own picture and reads it: 3 bytes for each pixel, the top row first.
void renderer_picture(struct renderer *r, const struct camera *c, const struct look *look, uint8_t *rgb);

// What is on the card now, for legends and fitting.
const struct surface *renderer_surface(const struct renderer *r);
// Where a point of the world is in the picture, in pixels from its upper left corner; false: behind the eye.
bool renderer_project(const struct renderer *r, const struct camera *c, vec3 point, float *x, float *y);

#ifdef __cplusplus
}
#endif
#endif
