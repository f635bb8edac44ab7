// overlay.h: lines over the picture: constraints, velocities, wind, contacts, cells.
#ifndef PLIANT_VIEWER_OVERLAY_H
#define PLIANT_VIEWER_OVERLAY_H

#include "renderer.h"

struct line_point
{
    float position[3];
    uint8_t colour[4];
};

struct overlay
{
    struct line_point *point; // two for each line
    int count, capacity;
    int plain; // so many are hidden by what is before them; the others lie over everything
};

// False: no memory, and fewer lines than asked for.
bool overlay_fill(struct overlay *o, const struct model *m, const struct frame *f, const struct look *look);
void overlay_free(struct overlay *o);

#endif
