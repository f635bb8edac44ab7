// crossing.c: finds triangles that cross, from pairs of the bounding volume hierarchy. Two triangles cross if an edge
// of one goes through the other, or if both lie in one plane and overlap. It computes in double from float input. Only
// the test of two triangles in one plane has tolerances, of the order of the resolution of float.
#include "author/crossing.h"

#include <math.h>

typedef struct corners
{
    double x[3][3];
} corners;

static corners corners_of(const bvh *b, int32_t slot)
{
    corners c;
    for (int i = 0; i < 3; i++)
        widen(b->corner + 9 * (int64_t)slot + 3 * i, c.x[i]);
    return c;
}

int segment_crosses(const double *p, const double *q, const double t[3][3], int strict)
{
    double below = box_product(t[0], t[1], t[2], p), above = box_product(t[0], t[1], t[2], q);
    if (!((below < 0.0 && above > 0.0) || (below > 0.0 && above < 0.0)))
        return 0;
    int plus = 0, minus = 0;
    for (int i = 0; i < 3; i++)
    {
        double s = box_product(p, q, t[i], t[(i + 1) % 3]);
        plus += s > 0.0;
        minus += s < 0.0;
    }
    return strict ? plus == 3 || minus == 3 : plus == 0 || minus == 0;
}

static int same_place(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static int has_corner(const corners *t, const double *x)
{
    return same_place(t->x[0], x) || same_place(t->x[1], x) || same_place(t->x[2], x);
}

// Returns whether an edge of a goes through b. Edges that start or end at a corner of b are skipped, because they
// cannot be told from touching there.
static int pierces(const corners *a, const corners *b)
{
    for (int i = 0; i < 3; i++)
    {
        const double *p = a->x[i], *q = a->x[(i + 1) % 3];
        if (!has_corner(b, p) && !has_corner(b, q) && segment_crosses(p, q, b->x, 0))
            return 1;
    }
    return 0;
}

static void normal_of(const corners *t, double n[3])
{
    double u[3], v[3];
    sub3(t->x[1], t->x[0], u);
    sub3(t->x[2], t->x[0], v);
    cross3(u, v, n);
}

// Returns whether a line along an edge of a, in the plane with normal n, separates the two.
static int edge_separates(const corners *a, const corners *b, const double n[3], double slack)
{
    for (int i = 0; i < 3; i++)
    {
        double e[3], out[3], d[3];
        sub3(a->x[(i + 1) % 3], a->x[i], e);
        cross3(e, n, out);
        sub3(a->x[(i + 2) % 3], a->x[i], d);
        double own = dot3(d, out), nearest = 1e300;
        for (int k = 0; k < 3; k++)
        {
            sub3(b->x[k], a->x[i], d);
            double s = own < 0.0 ? dot3(d, out) : -dot3(d, out); // outward distance
            nearest = s < nearest ? s : nearest;
        }
        if (nearest >= -slack * sqrt(dot3(out, out)))
            return 1;
    }
    return 0;
}

// Returns whether both lie in one plane, within the resolution of float, and overlap.
static int overlap_flat(const corners *a, const corners *b)
{
    double n[3], d[3], size = 0.0;
    normal_of(a, n);
    double len = sqrt(dot3(n, n));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(a->x[i][k] - a->x[0][k]), fabs(b->x[i][k] - a->x[0][k])));
    for (int i = 0; i < 3; i++)
    {
        sub3(b->x[i], a->x[0], d);
        if (fabs(dot3(d, n)) > 1e-7 * size * len)
            return 0;
    }
    double slack = 1e-6 * size;
    return !edge_separates(a, b, n, slack) && !edge_separates(b, a, n, slack);
}

static int triangles_cross(const corners *a, const corners *b)
{
    return pierces(a, b) || pierces(b, a) || overlap_flat(a, b);
}

static int boxes_touch(const bvh_node *n, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++)
        if (n->low[k] > high[k] || n->high[k] < low[k])
            return 0;
    return 1;
}

// Returns the triangle with the lowest number, above this one's, that crosses it.
static int32_t crossed_by(const bvh *b, int32_t slot)
{
    corners mine = corners_of(b, slot);
    float low[3], high[3];
    for (int k = 0; k < 3; k++)
    {
        const float *c = b->corner + 9 * (int64_t)slot + k;
        low[k] = fminf(c[0], fminf(c[3], c[6]));
        high[k] = fmaxf(c[0], fmaxf(c[3], c[6]));
    }
    int32_t stack[BVH_DEPTH + 1], top = 0, best = -1;
    stack[top++] = 0;
    while (top > 0)
    {
        const bvh_node *n = b->node + stack[--top];
        if (!boxes_touch(n, low, high))
            continue;
        if (n->count == 0)
        {
            stack[top++] = n->next;
            stack[top++] = (int32_t)(n - b->node) + 1;
            continue;
        }
        for (int32_t s = n->next; s < n->next + n->count; s++)
        {
            if (b->id[s] <= b->id[slot] || (best >= 0 && b->id[s] > best))
                continue;
            corners other = corners_of(b, s);
            if (triangles_cross(&mine, &other))
                best = b->id[s];
        }
    }
    return best;
}

pl_result find_crossing(memory *m, const mesh_view *mesh, mesh_crossing *out)
{
    bvh tree;
    *out = (mesh_crossing){-1, -1, {0.0, 0.0, 0.0}};
    pl_result result = bvh_build(m, mesh, 0, &tree);
    for (int32_t s = 0; result == PL_OK && s < tree.triangles; s++)
    {
        int32_t b = crossed_by(&tree, s);
        if (b >= 0 && (out->a < 0 || tree.id[s] < out->a))
        {
            out->a = tree.id[s];
            out->b = b;
        }
    }
    for (int i = 0; out->a >= 0 && i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->at[k] += (double)mesh->x[3 * (int64_t)mesh->triangle[3 * out->a + i] + k] / 3.0;
    if (result == PL_OK)
        bvh_free(m, &tree);
    return result;
}

pl_result refuse_crossing(const mesh_view *mesh, const mesh_crossing *c, const int32_t *from)
{
    if (c->a < 0)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT,
                "%s: the mesh intersects itself: triangles %d and %d intersect near (%g, %g, %g), so its inside is not "
                "defined; repair the mesh",
                mesh->name, from ? from[c->a] : c->a, from ? from[c->b] : c->b, c->at[0], c->at[1], c->at[2]);
}
