// wax_painter.h: draws the surface of what melts (wax.c) with the program of other meshes.
#ifndef PLIANT_VIEWER_WAX_PAINTER_H
#define PLIANT_VIEWER_WAX_PAINTER_H

#include "graphics.h"
#include "surface.h"

struct wax_painter
{
    GLuint array;
    struct stream vertices, indices;
    struct vertex *vertex;
    uint32_t *index;
    int room, index_room, count; // what fits, and how many indices there are
};

void wax_painter_open(struct wax_painter *p);
void wax_painter_close(struct wax_painter *p);
// Sends the surfaces of a frame. s: what colours tell. False: no memory.
bool wax_painter_upload(struct wax_painter *p, const struct model *m, const struct frame *f, const struct surface *s);
// With the program that is in use.
void wax_painter_draw(const struct wax_painter *p);

// renderer.c: the inputs of the programs for meshes, out of two streams of struct vertex and indices.
void describe_mesh(GLuint *array, struct stream *vertices, struct stream *indices);

#endif
