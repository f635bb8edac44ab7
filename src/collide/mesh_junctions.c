// mesh_junctions.c: neighbours of triangles across edges that they share in part only, as where a long edge meets two
// short ones (T-junctions). Without them a body that slides over such an edge would be caught by it.
#include "collide/mesh_junctions.h"

#include <math.h>

#define JUNCTION_NEAR 1e-5 // of the length of the edge: how far edges that lie on each other may be apart

typedef struct edge_line
{
    double from[3], along[3], square;
} edge_line;

static edge_line line_of(const bvh *b, int32_t half)
{
    const float *t = b->corner + 9 * (int64_t)(half / 3), *p = t + 3 * (half % 3), *q = t + 3 * ((half % 3 + 1) % 3);
    edge_line l = {.square = 0.0};
    for (int k = 0; k < 3; k++)
    {
        l.from[k] = (double)p[k], l.along[k] = (double)q[k] - (double)p[k];
        l.square += l.along[k] * l.along[k];
    }
    return l;
}

// How far the point x is from the edge, squared.
static double away(const edge_line *l, const double x[3])
{
    double t = 0.0, sum = 0.0;
    for (int k = 0; k < 3; k++)
        t += (x[k] - l->from[k]) * l->along[k];
    t = t < 0.0 ? 0.0 : t > l->square ? 1.0 : t / l->square;
    for (int k = 0; k < 3; k++)
        sum += (x[k] - l->from[k] - t * l->along[k]) * (x[k] - l->from[k] - t * l->along[k]);
    return sum;
}

static int parallel_edges(const edge_line *a, const edge_line *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double c = a->along[i] * b->along[j] - a->along[j] * b->along[i];
        sum += c * c;
    }
    return sum <= 1e-8 * a->square * b->square;
}

static int box_has(const bvh_node *n, const double x[3], double room)
{
    for (int k = 0; k < 3; k++)
        if (x[k] < (double)n->low[k] - room || x[k] > (double)n->high[k] + room)
            return 0;
    return 1;
}

// The edge of another triangle on which the middle of the edge `half` lies; of several, that of the triangle with the
// lowest number. `half` itself: there is none.
static int32_t edge_across(const bvh *b, int32_t half)
{
    const edge_line own = line_of(b, half);
    const double room = JUNCTION_NEAR * sqrt(own.square);
    double middle[3];
    int32_t stack[BVH_DEPTH], top = 0, at = 0, best = half;
    for (int k = 0; k < 3; k++)
        middle[k] = own.from[k] + 0.5 * own.along[k];
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (box_has(n, middle, room))
        {
            if (n->count == 0)
            {
                stack[top++] = n->next;
                at = at + 1;
                continue;
            }
            for (int32_t h = 3 * n->next; h < 3 * (n->next + n->count); h++)
            {
                edge_line other = line_of(b, h);
                if (h / 3 != half / 3 && away(&other, middle) <= room * room && parallel_edges(&own, &other) &&
                    (best == half || b->id[h / 3] < b->id[best / 3]))
                    best = h;
            }
        }
        if (top == 0)
            return best;
        at = stack[--top];
    }
}

void mesh_junctions(const bvh *b, int32_t *beside)
{
    for (int64_t h = 0; h < 3 * b->triangles; h++)
        if (beside[h] == h)
            beside[h] = edge_across(b, (int32_t)h);
}
