// facets.h: the contact planes of a triangle surface for a sphere: one for each local minimum of the distance from its
// centre. A flat surface has one, however finely it is divided; a groove has two, a corner of three walls three.
//
// The nearest point of a triangle is a local minimum if it is inside the triangle, or if no triangle that shares its
// edge or corner is nearer. So the inner edges of a flat mesh, which would stop a sliding sphere, do not count.
#pragma once
#include "collide/solid.h"

enum
{
    FACETS = 4,     // largest number of planes for one particle: the nearest ones
    FACET_WALK = 64 // largest number of triangles visited around a corner, in each direction
};

#define FACET_SAME 0.97f // cosine: planes whose normals are closer than this count as one

typedef struct facets
{
    int count;
    float distance[FACETS]; // ascending
    int32_t id[FACETS];
    vec foot[FACETS], normal[FACETS]; // foot: a point of the surface; normal: from there to the sphere
} facets;

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN int facet_before(const facets *l, int i, float distance, int32_t id)
{
    return l->distance[i] < distance || (l->distance[i] == distance && l->id[i] < id);
}

PL_FN void facet_move(facets *l, int to, int from)
{
    l->distance[to] = l->distance[from];
    l->id[to] = l->id[from];
    l->foot[to] = l->foot[from];
    l->normal[to] = l->normal[from];
}

// Keeps the nearest facets, one for each direction, sorted by (distance, number).
PL_FN void facet_offer(facets *l, float distance, int32_t id, vec foot, vec normal)
{
    int kept = 0;
    for (int i = 0; i < l->count; i++)
        if (dot(l->normal[i], normal) > FACET_SAME && facet_before(l, i, distance, id))
            return;
    for (int i = 0; i < l->count; i++)
        if (!(dot(l->normal[i], normal) > FACET_SAME))
            facet_move(l, kept++, i);
    l->count = kept;
    int at = kept;
    while (at > 0 && !facet_before(l, at - 1, distance, id))
        at--;
    if (at == FACETS)
        return;
    l->count = kept < FACETS ? kept + 1 : FACETS;
    for (int i = l->count - 1; i > at; i--)
        facet_move(l, i, i - 1);
    l->distance[at] = distance;
    l->id[at] = id;
    l->foot[at] = foot;
    l->normal[at] = normal;
}

// Adds the facet of a nearest point, with the direction to the centre x as its normal, or the triangle's normal where
// the two agree to rounding. `side`: a point on the side that counts.
PL_FN void facet_add(facets *l, const closest *c, int32_t id, vec x, vec side, const vec *t)
{
    float len;
    vec up = vec_of(0.0f, 1.0f, 0.0f), foot = sub(x, c->between);
    vec face = facing(direction(cross(sub(t[1], t[0]), sub(t[2], t[0])), up, &len), sub(side, foot));
    vec n = direction(c->between, face, &len);
    int inside = c->weight[0] > 0.0f && c->weight[1] > 0.0f && c->weight[2] > 0.0f;
    int rounding = len <= 0x1p-20f * (reach_of(x) + reach_of(t[0]));
    facet_offer(l, len, id, foot, inside || rounding || dot(n, face) > 0.99999f ? face : n);
}

// ---- meshes --------------------------------------------------------------------------------------------------------

PL_FN closest bvh_closest(const bvh *b, int32_t slot, vec x)
{
    return point_triangle(x, bvh_corner(b, slot, 0), bvh_corner(b, slot, 1), bvh_corner(b, slot, 2));
}

// Is this triangle nearer to x than triangle `id`, whose squared distance is square_now? Ties: the lower number.
PL_FN int bvh_comes_nearer(const bvh *b, int32_t slot, vec x, float square_now, int32_t id)
{
    float s = bvh_closest(b, slot, x).square;
    return s < square_now || (s == square_now && b->id[slot] < id);
}

// Is none of the triangles around a corner nearer? Visits them, first across the edge that starts there, then across
// the one that ends there.
PL_FN int bvh_corner_is_nearest(const bvh *b, int32_t slot, int corner, vec x, float square_now)
{
    vec at = bvh_corner(b, slot, corner);
    for (int turn = 0; turn < 2; turn++)
    {
        int32_t half = 3 * slot + (turn ? (corner + 2) % 3 : corner);
        for (int i = 0; i < FACET_WALK; i++)
        {
            int32_t other = b->beside[half], there = other / 3;
            if (other == half)
                break; // boundary of the mesh
            if (there == slot)
                return 1; // visited all around
            if (bvh_comes_nearer(b, there, x, square_now, b->id[slot]))
                return 0;
            vec start = bvh_corner(b, there, other % 3);
            int starts = start.x == at.x && start.y == at.y && start.z == at.z;
            half = 3 * there + (other % 3 + (starts ? 2 : 1)) % 3; // its other edge at the corner
        }
    }
    return 1;
}

// Is the triangle's nearest point a local minimum of the distance? A weight of 0: the point is on an edge or corner.
PL_FN int bvh_is_nearest(const bvh *b, int32_t slot, vec x, const closest *c)
{
    int zeros = (c->weight[0] == 0.0f) + (c->weight[1] == 0.0f) + (c->weight[2] == 0.0f);
    if (zeros == 0)
        return 1;
    if (zeros > 1)
        return bvh_corner_is_nearest(b, slot, c->weight[0] != 0.0f ? 0 : c->weight[1] != 0.0f ? 1 : 2, x, c->square);
    int32_t half = 3 * slot + (c->weight[2] == 0.0f ? 0 : c->weight[0] == 0.0f ? 1 : 2), other = b->beside[half];
    for (int i = 0; other != half && i < FACET_WALK; i++, other = b->beside[other])
        if (bvh_comes_nearer(b, other / 3, x, c->square, b->id[slot]))
            return 0;
    return 1;
}

// Collects the facets of a mesh within `reach` of a centre x. Of a closed mesh only those seen from outside.
PL_WALK void bvh_facets(const bvh *b, vec x, vec side, float reach, facets *l)
{
    int32_t stack[BVH_DEPTH], top = 0, at = 0;
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (bvh_box_square(n, x) <= reach * reach)
        {
            if (n->count == 0)
            {
                stack[top++] = n->next;
                at = at + 1;
                continue;
            }
            for (int32_t s = n->next; s < n->next + n->count; s++)
            {
                closest c = bvh_closest(b, s, x);
                if (c.square > reach * reach || !bvh_is_nearest(b, s, x, &c) ||
                    (b->normal && dot(c.between, bvh_pseudonormal(b, s, c.weight)) < 0.0f))
                    continue;
                vec t[3] = {bvh_corner(b, s, 0), bvh_corner(b, s, 1), bvh_corner(b, s, 2)};
                facet_add(l, &c, b->id[s], x, side, t);
            }
        }
        if (top == 0)
            return;
        at = stack[--top];
    }
}

// ---- height fields -------------------------------------------------------------------------------------------------

// The columns and rows of a triangle's corners, in the order of field_triangle.
PL_FN void field_corners(int32_t i, int32_t j, int half, int32_t *column, int32_t *row)
{
    column[0] = i + half, row[0] = j + half;
    column[1] = half ? i + 1 : i, row[1] = half ? j : j + 1;
    column[2] = half ? i : i + 1, row[2] = half ? j + 1 : j;
}

// Does the triangle (i, j, half) contain every corner (column, row) whose weight is not 0?
PL_FN int field_shares(int32_t i, int32_t j, int half, const int32_t *column, const int32_t *row, const float *weight)
{
    int32_t c[3], r[3];
    field_corners(i, j, half, c, r);
    for (int k = 0; k < 3; k++)
    {
        int has = weight[k] == 0.0f;
        for (int m = 0; m < 3; m++)
            has |= c[m] == column[k] && r[m] == row[k];
        if (!has)
            return 0;
    }
    return 1;
}

PL_FN int32_t field_number(const heightfield *f, int32_t i, int32_t j, int half)
{
    return 2 * (i + (f->size[0] - 1) * j) + half;
}

PL_FN int field_is_nearest(const heightfield *f, int32_t i, int32_t j, int half, vec x, const closest *c)
{
    int32_t column[3], row[3], id = field_number(f, i, j, half);
    if (c->weight[0] != 0.0f && c->weight[1] != 0.0f && c->weight[2] != 0.0f)
        return 1;
    field_corners(i, j, half, column, row);
    for (int32_t v = j > 0 ? j - 1 : 0; v <= j + 1 && v < f->size[1] - 1; v++)
        for (int32_t u = i > 0 ? i - 1 : 0; u <= i + 1 && u < f->size[0] - 1; u++)
            for (int k = 0; k < 2; k++)
            {
                int32_t other = field_number(f, u, v, k);
                if (other == id || !field_shares(u, v, k, column, row, c->weight))
                    continue;
                vec t[3];
                field_triangle(f, u, v, k, t);
                float s = point_triangle(x, t[0], t[1], t[2]).square;
                if (s < c->square || (s == c->square && other < id))
                    return 0;
            }
    return 1;
}

// Collects the facets of a height field within `reach` of x. All cells that the sphere can meet lie in [i0, i1] x [j0,
// j1].
PL_WALK void field_facets(const heightfield *f, vec x, float reach, facets *l)
{
    int32_t i0 = field_cell(f, 0, x.x - reach), i1 = field_cell(f, 0, x.x + reach);
    int32_t j0 = field_cell(f, 1, x.z - reach), j1 = field_cell(f, 1, x.z + reach);
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++)
        {
            bvh_node box = field_box(f, i, j);
            if (bvh_box_square(&box, x) > reach * reach)
                continue;
            for (int half = 0; half < 2; half++)
            {
                vec t[3];
                field_triangle(f, i, j, half, t);
                closest c = point_triangle(x, t[0], t[1], t[2]);
                if (c.square <= reach * reach && field_is_nearest(f, i, j, half, x, &c))
                    facet_add(l, &c, field_number(f, i, j, half), x, x, t);
            }
        }
}

#endif
