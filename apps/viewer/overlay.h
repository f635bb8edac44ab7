// overlay.h: lines over the picture: constraints, velocities, wind, contacts, cells, joints.
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
    int plain; // so many are thin and hidden by what is before them; the others are wide and lie over everything
};

// A line, and one with a tip. False: no memory.
bool overlay_line(struct overlay *o, vec3 a, vec3 b, const uint8_t colour[4]);
bool overlay_arrow(struct overlay *o, vec3 from, vec3 step, const uint8_t colour[4]);
// overlay_joints.c: all joints of a frame.
bool overlay_joints(struct overlay *o, const struct model *m, const struct frame *f);

// overlay_contacts.c: contacts of rigid bodies.
bool overlay_rigid_contacts(struct overlay *o, const struct model *m, const struct frame *f);

// False: no memory, and fewer lines than asked for.
bool overlay_fill(struct overlay *o, const struct model *m, const struct frame *f, const struct look *look);
void overlay_free(struct overlay *o);

#endif
