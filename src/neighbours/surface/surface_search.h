// surface_search.h: finds the surface elements that are near each other, and the edges that cross triangles, on CUDA;
// the CPU finds the same pairs in lanes (element_pairs.h) and sorts them into the order in which this traversal finds
// them.
//
// Triangles that may touch until the horizon are found in the bounding volume hierarchy of the surface. Its boxes bound
// positions and velocities, so elements that move together are not listed. Each vertex and each edge is owned by one
// triangle, so that each pair is tested once. The including file defines what happens with a pair:
//   typedef ... finder;
//   search_pair(q, finder, what, a, b, corners)   a vertex and a triangle, or two edges, whose boxes may touch
//   search_crossing(q, finder, edge, triangle)    the edge crosses the triangle
#pragma once
#include "collide/bvh.h"
#include "collide/motion_box.h"
#include "neighbours/surface/element_rules.h"
#include "neighbours/surface/near_test.h"
#include "neighbours/surface_pair.h"

typedef struct surface_walk
{
    near_rule rule;
    const float *mass; // 4 floats a slot; the fourth is the inverse mass
    const int32_t *triangle, *triangle_edge, *edge;
    const uint8_t *owns;
    const bvh_node *node;
    const int32_t *id, *node_last; // id: triangle numbers in the order of the leaves
    surface_box *box, *node_box, *edge_box;
    bool crossings_only;
} surface_walk;

PL_FN void search_pair(const surface_walk *q, finder *f, int what, int32_t a, int32_t b, const int32_t *corner);
PL_FN void search_crossing(const surface_walk *q, finder *f, int32_t edge, int32_t triangle);

// ---- boxes ---------------------------------------------------------------------------------------------------------

// The box of a particle: its position and its velocity.
PL_FN surface_box corner_box(const surface_walk *q, int32_t slot)
{
    four x = four_at(q->rule.x + 4 * (size_t)slot), v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (q->rule.horizon > 0.0f)
        v = four_at(q->rule.v + 4 * (size_t)slot);
    x[3] = v[3] = 0.0f;
    surface_box box = {x, x, v, v};
    return box;
}

PL_FN surface_box triangle_box(const surface_walk *q, int32_t triangle)
{
    surface_box box;
    box_open(&box);
    for (int i = 0; i < 3; i++)
    {
        surface_box corner = corner_box(q, q->triangle[3 * (size_t)triangle + (size_t)i]);
        box_join(&box, &corner);
    }
    return box;
}

PL_FN surface_box edge_box(const surface_walk *q, int32_t e)
{
    surface_box box = corner_box(q, q->edge[2 * (size_t)e]), other = corner_box(q, q->edge[2 * (size_t)e + 1]);
    box_join(&box, &other);
    return box;
}

PL_FN bool may_near(const surface_walk *q, const surface_box *a, const surface_box *b)
{
    return boxes_meet(a, b, q->rule.near, q->rule.horizon);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

PL_FN void try_crossing(const surface_walk *q, finder *f, int32_t e, int32_t triangle)
{
    const int32_t *edge = q->edge + 2 * (size_t)e, *t = q->triangle + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        if (t[i] == edge[0] || t[i] == edge[1])
            return;
    if (edge_crosses(q->rule.x, edge, t))
        search_crossing(q, f, e, triangle);
}

PL_FN void try_vertex(const surface_walk *q, finder *f, int32_t slot, int32_t triangle, const surface_box *box)
{
    const int32_t *t = q->triangle + 3 * (size_t)triangle;
    if (slot == t[0] || slot == t[1] || slot == t[2])
        return;
    surface_box own = corner_box(q, slot);
    int32_t corner[4] = {slot, t[0], t[1], t[2]};
    if (may_near(q, &own, box) && one_moves(q->mass, corner))
        search_pair(q, f, FIND_VERTICES, slot, triangle, corner);
}

PL_FN void try_edges(const surface_walk *q, finder *f, int32_t e, int32_t g)
{
    const int32_t *a = q->edge + 2 * (size_t)e, *b = q->edge + 2 * (size_t)g;
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
        return;
    int32_t corner[4] = {a[0], a[1], b[0], b[1]};
    if (may_near(q, &q->edge_box[e], &q->edge_box[g]) && one_moves(q->mass, corner))
        search_pair(q, f, FIND_EDGES, e, g, corner);
}

PL_FN void try_triangles(const surface_walk *q, finder *f, int32_t s, int32_t r)
{
    size_t a = (size_t)q->id[s], b = (size_t)q->id[r];
    if (!surfaces_may_meet(q->rule.collision, q->triangle[3 * a], q->triangle[3 * b]))
        return;
    bool cross = boxes_cross(&q->box[s], &q->box[r]);
    for (size_t i = 0; i < 3; i++)
    {
        bool vertex_a = q->owns[a] >> i & 1, vertex_b = q->owns[b] >> i & 1;
        bool edge_a = q->owns[a] >> (3 + i) & 1, edge_b = q->owns[b] >> (3 + i) & 1;
        if (edge_a && cross)
            try_crossing(q, f, q->triangle_edge[3 * a + i], (int32_t)b);
        if (edge_b && cross)
            try_crossing(q, f, q->triangle_edge[3 * b + i], (int32_t)a);
        if (q->crossings_only)
            continue;
        if (vertex_a)
            try_vertex(q, f, q->triangle[3 * a + i], (int32_t)b, &q->box[r]);
        if (vertex_b)
            try_vertex(q, f, q->triangle[3 * b + i], (int32_t)a, &q->box[s]);
        for (size_t j = 0; edge_a && j < 3; j++)
            if (q->owns[b] >> (3 + j) & 1)
                try_edges(q, f, q->triangle_edge[3 * a + i], q->triangle_edge[3 * b + j]);
    }
}

// Finds the triangles that a free particle may touch.
PL_FN void search_particle(const surface_walk *q, finder *f, int32_t slot)
{
    const surface_box own = corner_box(q, slot);
    int32_t stack[BVH_DEPTH], top = 0;
    stack[top++] = 0;
    while (top)
    {
        int32_t at = stack[--top];
        const bvh_node *n = q->node + at;
        if (!may_near(q, &own, &q->node_box[at]))
            continue;
        if (n->count == 0)
        {
            stack[top++] = n->next;
            stack[top++] = at + 1;
            continue;
        }
        for (int32_t r = n->next; r < n->next + n->count; r++)
            if (surfaces_may_meet(q->rule.collision, slot, q->triangle[3 * (size_t)q->id[r]]))
                try_vertex(q, f, slot, q->id[r], &q->box[r]);
    }
}

// Finds everything that triangle s may touch among the triangles after it. s: its index in the order of the leaves.
PL_FN void search_triangle(const surface_walk *q, finder *f, int32_t s)
{
    const surface_box box = q->box[s];
    int32_t stack[BVH_DEPTH], top = 0;
    stack[top++] = 0;
    while (top)
    {
        int32_t at = stack[--top];
        const bvh_node *n = q->node + at;
        if (q->node_last[at] <= s || !may_near(q, &box, &q->node_box[at]))
            continue;
        if (n->count == 0)
        {
            stack[top++] = n->next;
            stack[top++] = at + 1;
            continue;
        }
        for (int32_t r = n->next; r < n->next + n->count; r++)
            if (r > s && may_near(q, &box, &q->box[r]))
                try_triangles(q, f, s, r);
    }
}
