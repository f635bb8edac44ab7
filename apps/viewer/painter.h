// painter.h: whoever draws a set of particles. Impostors are the first; the surface of a fluid would be another: it gets the
// same particles and is asked in the same two passes, and what targets of its own it needs in between is its own affair.
#ifndef PLIANT_VIEWER_PAINTER_H
#define PLIANT_VIEWER_PAINTER_H

#include "surface.h"

// From where a pass looks, and into what. The framebuffer, the block `scene` and the shadow map are bound already.
struct pass
{
    bool shadow;          // as the sun sees it: only depths count
    bool perspective;     // false: parallel rays
    mat4 clip_from_world; // what projects
    mat4 view;            // its rows are the picture's right, its up, and the way back to the eye
    vec3 eye;
    float pixels; // of one metre, at a distance of one metre where there is perspective
    int width, height, samples;
    const struct bounds *bounds; // of everything
};

struct painter
{
    const char *name;
    bool (*open)(void **self);
    // Sends the particles to the card, once for each frame. They stay where they are until the next call.
    void (*upload)(void *self, const struct ball *ball, int count);
    void (*draw)(void *self, const struct pass *pass);
    void (*close)(void *self); // NULL is well
};

extern const struct painter impostors; // spheres

#endif
