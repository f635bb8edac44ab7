// cube_table.c: generates the triangles of marching cubes.
//
// On each face of the cube the surface runs from an edge to another one, so that the inside is at its right, seen from
// outside of the cube. Where two opposite corners of a face are inside and two are not, each of the two inside is cut off
// for itself. This depends on the corners of the face alone, so the two cells of a face agree, and no gap can open. The
// runs of all faces join to loops. A loop is cut into triangles by edges that do not lie in a face: the next cell could
// have the same edge, which would then have four triangles. Such cuts exist for all 256 cases (the test tries them).
#include "query/fluid_surface/cube_table.h"

#include <stdbool.h>

typedef struct cube_loops
{
    int8_t next[CUBE_EDGES];   // the edge that the loop goes on to; -1: it does not cross the surface
    uint8_t faces[CUBE_EDGES]; // bits of the two faces of each edge
} cube_loops;

static int edge_between(int a, int b)
{
    int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2, low = a & b;
    int rest = axis == 0 ? low >> 1 : axis == 1 ? (low & 1) | low >> 2 << 1 : low & 3;
    return 4 * axis + rest;
}

// The corners of a face, counter-clockwise seen from outside.
static void face_corners(int face, int corner[4])
{
    int axis = face / 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = face % 2 ? 1 << axis : 0;
    corner[0] = base;
    corner[1] = face % 2 ? base | u : base | v;
    corner[2] = base | u | v;
    corner[3] = face % 2 ? base | v : base | u;
}

static void cross_face(int face, int inside, cube_loops *l)
{
    int corner[4], edge[4];
    bool in[4];
    face_corners(face, corner);
    for (int i = 0; i < 4; i++)
    {
        edge[i] = edge_between(corner[i], corner[(i + 1) % 4]);
        in[i] = (inside >> corner[i] & 1) != 0;
        l->faces[edge[i]] |= (uint8_t)(1 << face);
    }
    for (int i = 0; i < 4; i++)
    {
        int before = (i + 3) % 4;
        if (!in[i] || in[(i + 1) % 4])
            continue;
        while (in[before])
            before = (before + 3) % 4;
        l->next[edge[i]] = (int8_t)edge[before];
    }
}

// Cuts the loop edge[first] to edge[last] into triangles; `out` is NULL to find out whether that can be done.
static bool cut_loop(const cube_loops *l, const uint8_t *edge, int first, int last, uint8_t **out)
{
    if (last - first < 2)
        return true;
    for (int k = first + 1; k < last; k++)
    {
        bool left = k == first + 1 || !(l->faces[edge[first]] & l->faces[edge[k]]);
        bool right = k == last - 1 || !(l->faces[edge[k]] & l->faces[edge[last]]);
        if (!left || !right || !cut_loop(l, edge, first, k, 0) || !cut_loop(l, edge, k, last, 0))
            continue;
        if (out)
        {
            cut_loop(l, edge, first, k, out);
            *(*out)++ = edge[last], *(*out)++ = edge[k], *(*out)++ = edge[first];
            cut_loop(l, edge, k, last, out);
        }
        return true;
    }
    return false;
}

void cube_table_fill(cube_table *t)
{
    *t = (cube_table){0};
    for (int a = 0; a < 8; a++)
        for (int axis = 0; axis < 3; axis++)
            if (!(a >> axis & 1))
            {
                int e = edge_between(a, a | 1 << axis);
                t->start[e] = (uint8_t)a, t->axis[e] = (uint8_t)axis;
            }
    for (int inside = 0; inside < 256; inside++)
    {
        cube_loops l = {.next = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}};
        uint8_t *out = t->edge[inside];
        for (int face = 0; face < 6; face++)
            cross_face(face, inside, &l);
        for (int e = 0; e < CUBE_EDGES; e++)
        {
            uint8_t loop[CUBE_EDGES];
            int length = 0;
            for (int at = e, next; l.next[at] >= 0; at = next)
            {
                loop[length++] = (uint8_t)at;
                next = l.next[at];
                l.next[at] = -1;
            }
            cut_loop(&l, loop, 0, length - 1, &out);
        }
        t->count[inside] = (uint8_t)((out - t->edge[inside]) / 3);
    }
}
