// creases.h: splits the points of a mesh into vertices with smooth normals: faces that meet at a small angle share one, those
// that meet at a sharp edge do not.
#ifndef PLIANT_VIEWER_CREASES_H
#define PLIANT_VIEWER_CREASES_H

#include "linear.h"

struct creases
{
    int vertices;
    int32_t *point; // for each vertex its point
    vec3 *normal;   // for each vertex the weighted sum of its faces' normals
    int32_t *next;  // for each vertex the next one of the same point, or -1
    int32_t *first; // for each point its newest vertex, or -1
};

// corners: of all faces. False: no memory.
bool creases_open(struct creases *c, int points, size_t corners);
// The vertex of a face with the unit normal n at a point. cosine: of the largest angle at which faces share a vertex.
int32_t crease_vertex(struct creases *c, int32_t point, vec3 n, float weight, float cosine);
void creases_free(struct creases *c);

#endif
