// fluid_painter.h: draws the surface of fluids: what is behind it is seen through it, bent and coloured by how much fluid
// lies before it; the sky is mirrored in it.
//
// Its picture is made of what is drawn already, so it comes after everything else: first how thick the fluid is in each
// pixel, then the surface that is nearest to the eye.
#ifndef PLIANT_VIEWER_FLUID_PAINTER_H
#define PLIANT_VIEWER_FLUID_PAINTER_H

#include "graphics.h"
#include "surface.h"

struct fluid_painter
{
    GLuint thickness_program, shade_program, surface_program;
    GLuint array;
    struct stream vertices, indices;
    struct vertex *vertex;
    int room, count; // vertices that fit; indices
    float clear;     // m of fluid that white has the colour of the fluid behind
    GLint clear_at;
    struct target thickness, shade; // as the camera and as the sun see it
    struct target behind;           // a copy of the picture, where that is drawn into itself
};

bool fluid_painter_open(struct fluid_painter *p);
void fluid_painter_close(struct fluid_painter *p);
bool fluid_painter_resize(struct fluid_painter *p, int width, int height, int samples);
// Sends the surface of a frame, if it has one. False: no memory.
bool fluid_painter_upload(struct fluid_painter *p, const struct model *m, const struct frame *f);
// Draws how thick it is for the sun, whose block `scene` is bound, into a map like the shadow map; false: not made.
bool fluid_painter_shade(struct fluid_painter *p);
// Draws over the picture. samples: what the picture was resolved from, with its depths; its framebuffer is 0 if there is none.
void fluid_painter_draw(struct fluid_painter *p, const struct target *samples, const struct target *picture,
                        GLuint shadow_map);

#endif
