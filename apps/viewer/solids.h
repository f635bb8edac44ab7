// solids.h: the shapes that particles collide with, as triangles: first those that are seen, then those seen through.
#ifndef PLIANT_VIEWER_SOLIDS_H
#define PLIANT_VIEWER_SOLIDS_H

#include "surface.h"

struct solids
{
    struct vertex *vertex;
    uint32_t *index;
    int vertices, room_vertices;
    int indices, room_indices; // of all of them
    int seen;                  // so many of the indices are of what hides what is behind it; the others are of glass
};

// False: no memory; what there was room for is there.
bool solids_fill(struct solids *s, const struct model *m, const struct frame *f);
void solids_free(struct solids *s);

#endif
