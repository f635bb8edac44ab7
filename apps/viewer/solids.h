// solids.h: the shapes that particles collide with, as triangles: first those that are seen, then those seen through, with the rigid
// bodies of glass.
#ifndef PLIANT_VIEWER_SOLIDS_H
#define PLIANT_VIEWER_SOLIDS_H

#include "surface.h"

// One that is seen through: its share of the indices.
struct pane
{
    int first, count;
    vec3 middle;
};

struct solids
{
    struct vertex *vertex;
    uint32_t *index;
    int vertices, room_vertices;
    int indices, room_indices; // of all of them
    int seen;                  // so many of the indices are of what hides what is behind it; the others are of glass
    struct pane *pane;
    int panes, room_panes;
};

// False: no memory; what there was room for is there.
bool solids_fill(struct solids *s, const struct model *m, const struct frame *f);
// Orders the panes from the farthest to the nearest.
void solids_sort(struct solids *s, vec3 eye);
void solids_free(struct solids *s);

#endif
