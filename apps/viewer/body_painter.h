// body_painter.h: draws the bodies of a model: one call for each mesh, with an instance for each shape.
#ifndef PLIANT_VIEWER_BODY_PAINTER_H
#define PLIANT_VIEWER_BODY_PAINTER_H

#include "graphics.h"
#include "surface.h"

struct body_painter
{
    GLuint picture, shade; // programs
    GLuint array;
    struct stream vertices, indices, instances;
    struct body_instance *instance;
    int room, count;
    const struct bodies *bodies;
};

bool body_painter_open(struct body_painter *p);
void body_painter_close(struct body_painter *p);
// Sends the meshes to the graphics card. They must live until the next call.
void body_painter_set(struct body_painter *p, const struct bodies *b);
// Sends the poses and colours of a frame. s: has the values that colours tell. False: no memory.
bool body_painter_upload(struct body_painter *p, const struct model *m, const struct frame *f, const struct surface *s);
// shadow: only depths are drawn.
void body_painter_draw(const struct body_painter *p, bool shadow);

#endif
