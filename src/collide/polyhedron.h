// polyhedron.h: a convex polyhedron for contacts between bodies: vertices, faces as polygons, edges with their faces.
//
// Faces of a hull whose vertices lie in one plane up to rounding (POLY_FLAT times the extent) are merged: a box whose
// corners are rounded numbers still has six faces, so that it rests on four points and not on a triangle.
// Limits: POLY_VERTICES vertices, so a number of a vertex has 7 bits and a pair of edges fits a feature id. More points
// are reduced to the ones that keep the hull largest; `lost` tells how far the rest lies outside.
// The arrays lie in one block without pointers, so that a device gets them by one copy.
#pragma once
#include "collide/hull.h"

enum
{
    POLY_VERTICES = 128,
    POLY_FACES = 2 * POLY_VERTICES - 4,
    POLY_EDGES = 3 * POLY_VERTICES - 6,
};

#define POLY_FLAT 2e-5

typedef struct polyhedron
{
    const float *vertex;   // 3 for each
    const float *plane;    // 4 for each face: unit outward normal, offset; no vertex lies above any of them
    const uint16_t *first; // faces + 1: where the vertices of each face begin in `loop`
    const uint8_t *loop;   // the vertices of the faces, anticlockwise seen from outside
    const uint8_t *edge;   // 4 for each: low and high vertex, face on the left from low to high, face on the right
    int32_t vertices, faces, edges;
} polyhedron;

typedef struct poly_block
{
    int32_t size; // bytes, including this struct
    int32_t vertices, faces, edges;
    int32_t vertex, plane, first, loop, edge; // offsets of the arrays in bytes from the start of this struct
    float centre[3];                          // of its volume
    float reach;                              // no vertex is farther from the origin
    float inner;                              // the least distance of a face from `centre`
    float lost;                               // no given point lies farther outside
} poly_block;

// Builds the polyhedron of points. `*bytes` begins with a poly_block. most: the largest number of vertices, 4 to
// POLY_VERTICES. Fewer than 4 points, or all in one plane, fail; then *bytes is NULL.
pl_result polyhedron_build(memory *m, const char *name, const float *x, int64_t count, int most, void **bytes,
                           size_t *size);
void polyhedron_free(memory *m, void *bytes, size_t size);

PL_FN polyhedron polyhedron_of(const void *bytes)
{
    const poly_block *b = (const poly_block *)bytes;
    const char *at = (const char *)bytes;
    polyhedron p = {(const float *)(at + b->vertex),
                    (const float *)(at + b->plane),
                    (const uint16_t *)(at + b->first),
                    (const uint8_t *)(at + b->loop),
                    (const uint8_t *)(at + b->edge),
                    b->vertices,
                    b->faces,
                    b->edges};
    return p;
}

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN vec poly_vertex(const polyhedron *p, int i)
{
    return vec_of(p->vertex[3 * i], p->vertex[3 * i + 1], p->vertex[3 * i + 2]);
}

PL_FN vec poly_normal(const polyhedron *p, int f)
{
    return vec_of(p->plane[4 * f], p->plane[4 * f + 1], p->plane[4 * f + 2]);
}

// The vertex farthest along d, the first among equals.
PL_FN int poly_support(const polyhedron *p, vec d, float *height)
{
    int best = 0;
    *height = dot(d, poly_vertex(p, 0));
    for (int i = 1; i < p->vertices; i++)
    {
        float h = dot(d, poly_vertex(p, i));
        if (h > *height)
        {
            *height = h;
            best = i;
        }
    }
    return best;
}

// ---- a box as a polyhedron -----------------------------------------------------------------------------------------
// Vertex i: bit k is set where coordinate k is positive. Face 2 k: the negative side of axis k, 2 k + 1 the positive.
// Edge 4 k + b: along axis k.

typedef struct box_arrays
{
    float vertex[24], plane[24];
    uint16_t first[7];
    uint8_t loop[24], edge[48];
} box_arrays;

PL_FN polyhedron polyhedron_of_box(vec half, box_arrays *s)
{
    const float h[3] = {half.x, half.y, half.z};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            s->vertex[3 * i + k] = i >> k & 1 ? h[k] : -h[k];
    for (int f = 0; f < 6; f++)
    {
        int k = f / 2, u = 1 << (k + 1) % 3, w = 1 << (k + 2) % 3, up = f & 1, base = up << k;
        for (int i = 0; i < 3; i++)
            s->plane[4 * f + i] = i != k ? 0.0f : up ? 1.0f : -1.0f;
        s->plane[4 * f + 3] = h[k];
        s->first[f] = (uint16_t)(4 * f);
        s->loop[4 * f] = (uint8_t)base;
        s->loop[4 * f + 1] = (uint8_t)(base + (up ? u : w));
        s->loop[4 * f + 2] = (uint8_t)(base + u + w);
        s->loop[4 * f + 3] = (uint8_t)(base + (up ? w : u));
    }
    s->first[6] = 24;
    for (int e = 0; e < 12; e++)
    {
        int k = e / 4, i = (k + 1) % 3, j = (k + 2) % 3, a = e & 1, b = e >> 1 & 1;
        int fi = 2 * i + a, fj = 2 * j + b, left = a == b; // axis i x axis j is axis k: the face of i is on the left
        s->edge[4 * e] = (uint8_t)((a << i) + (b << j));
        s->edge[4 * e + 1] = (uint8_t)((a << i) + (b << j) + (1 << k));
        s->edge[4 * e + 2] = (uint8_t)(left ? fi : fj);
        s->edge[4 * e + 3] = (uint8_t)(left ? fj : fi);
    }
    polyhedron p = {s->vertex, s->plane, s->first, s->loop, s->edge, 8, 6, 12};
    return p;
}

#endif
