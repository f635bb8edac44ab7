// quickhull.h: the exact convex hull of points with integer coordinates. Used by hull.c alone.
#pragma once
#include "core/memory.h"

#define QUICKHULL_BITS 38 // bits of a coordinate: a sum of products of three of them stays below 127 bits

typedef struct hull_face
{
    int32_t v[3];      // anticlockwise, seen from outside
    int32_t beside[3]; // the face across the edge from v[i] to v[i + 1]
    int32_t outside;   // the first point in its list of points above it, -1: none
    int32_t mark;      // 0: removed, 1: on the hull, 2: visible from the point that is added
} hull_face;

typedef struct quickhull
{
    const int64_t *q; // 3 for each point
    int64_t count;
    int32_t *next; // the next point in the list of the same face
    hull_face *face;
    int64_t faces, face_room;
    int32_t *list; // faces visible from the newest point
    int64_t list_room;
    int32_t *rim; // half edges around them: 3 face + corner, on the side of the face that stays
    int64_t rim_room;
} quickhull;

// start: four points that span a tetrahedron. On success the faces with mark != 0 are the hull.
pl_result quickhull_run(memory *m, quickhull *h, const int32_t start[4]);
void quickhull_free(memory *m, quickhull *h);

// +1: d lies above the triangle a b c (where it appears anticlockwise), -1 below, 0 in its plane.
int quickhull_side(const quickhull *h, int32_t a, int32_t b, int32_t c, int32_t d);
