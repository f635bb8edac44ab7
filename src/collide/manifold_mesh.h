// manifold_mesh.h: manifolds of a convex shape with a triangle mesh or a height field, one for each direction of the
// surface, without ghost contacts (manifold_triangle.h). The order of the triangles is that of the tree, so the result
// depends on the mesh and the pose alone.
#pragma once
#include "collide/manifold_triangle.h"

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct mesh_job
{
    triangle_job j;
    ground g;
    solid_arrays arrays;
    polyhedron hull;
    vec low, high; // what the shape can reach, in the mesh's frame
    int two_sided;
} mesh_job;

// q: the pose of the shape in the frame of the mesh.
PL_FN void mesh_begin(mesh_job *k, const convex *a, const pose *q, float thick, float margin, int two_sided)
{
    float width = convex_width(a), grow = margin + thick;
    k->j.shape = a;
    k->j.hull = (const polyhedron *)0;
    if (a->kind >= CONVEX_CYLINDER)
    {
        // The prism of a cylinder turns a side downwards, in the frame of the mesh.
        k->hull = polyhedron_for(a, negative(transposed_times(&q->rotation, vec_of(0.0f, 1.0f, 0.0f))), &k->arrays);
        k->j.hull = &k->hull;
    }
    k->j.middle = a->middle;
    k->j.round = convex_round(a);
    k->j.thick = thick;
    k->j.margin = margin;
    k->j.slop = least(SLOP_FACE, SLOP_SHARE * width);
    k->j.slop_edge = least(SLOP_EDGE, 5.0f * SLOP_SHARE * width);
    k->j.to = &k->g;
    k->g.count = 0;
    k->two_sided = two_sided;
    convex_box_around(a, q, &k->low, &k->high);
    k->low = sub(k->low, vec_of(grow, grow, grow));
    k->high = add(k->high, vec_of(grow, grow, grow));
}

PL_FN int mesh_end(mesh_job *k, const pose *q, manifold *out)
{
    return ground_manifolds(&k->g, k->j.round, k->j.slop, q, out);
}

PL_FN int box_reached(const mesh_job *k, const float *low, const float *high)
{
    return low[0] <= k->high.x && high[0] >= k->low.x && low[1] <= k->high.y && high[1] >= k->low.y &&
           low[2] <= k->high.z && high[2] >= k->low.z;
}

PL_FN int triangle_reached(const mesh_job *k, const vec *t)
{
    float low[3] = {least(least(t[0].x, t[1].x), t[2].x), least(least(t[0].y, t[1].y), t[2].y),
                    least(least(t[0].z, t[1].z), t[2].z)};
    float high[3] = {most(most(t[0].x, t[1].x), t[2].x), most(most(t[0].y, t[1].y), t[2].y),
                     most(most(t[0].z, t[1].z), t[2].z)};
    return box_reached(k, low, high);
}

// ---- meshes --------------------------------------------------------------------------------------------------------

// A triangle of a mesh with what lies across its edges; q: the frame in which it is wanted.
PL_FN triangle triangle_of_mesh(const bvh *b, int32_t slot, const pose *q, int two_sided)
{
    triangle t;
    for (int i = 0; i < 3; i++)
    {
        int32_t half = 3 * slot + i, other = b->beside ? b->beside[half] : half;
        t.t[i] = pose_in(q, bvh_corner(b, slot, i));
        t.open[i] = other == half;
        t.beyond[i] = t.open[i] ? t.t[i] : pose_in(q, bvh_corner(b, other / 3, (other % 3 + 2) % 3));
    }
    t.id = b->id[slot];
    t.two_sided = two_sided;
    return t;
}

PL_FN void mesh_triangle(mesh_job *k, const bvh *b, int32_t slot, const pose *q)
{
    vec own[3] = {bvh_corner(b, slot, 0), bvh_corner(b, slot, 1), bvh_corner(b, slot, 2)};
    if (!triangle_reached(k, own))
        return;
    triangle t = triangle_of_mesh(b, slot, q, k->two_sided);
    manifold_triangle(&k->j, &t);
}

// thick: how far the surface is grown. out: room for GROUND_MANIFOLDS; normals point from the shape into the mesh.
// Returns the number of manifolds.
PL_CALL int manifold_mesh(const convex *a, const bvh *b, const pose *q, float thick, int two_sided, float margin,
                          manifold *out)
{
    mesh_job k;
    int32_t stack[BVH_DEPTH], top = 0, at = 0;
    mesh_begin(&k, a, q, thick, margin, two_sided);
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (box_reached(&k, n->low, n->high))
        {
            if (n->count == 0)
            {
                stack[top++] = n->next;
                at = at + 1;
                continue;
            }
            for (int32_t s = n->next; s < n->next + n->count; s++)
                mesh_triangle(&k, b, s, q);
        }
        if (top == 0)
            return mesh_end(&k, q, out);
        at = stack[--top];
    }
}

// ---- height fields -------------------------------------------------------------------------------------------------

PL_FN triangle triangle_of_field(const heightfield *f, int32_t i, int32_t j, int half, const pose *q)
{
    triangle t;
    vec own[3];
    field_triangle(f, i, j, half, own);
    // The vertices across its edges, as columns and rows; beside the grid there is none.
    const int32_t column[3] = {half ? i + 2 : i - 1, half ? i : i + 1, half ? i : i + 1};
    const int32_t row[3] = {half ? j : j + 1, half ? j : j + 1, half ? j + 2 : j - 1};
    for (int c = 0; c < 3; c++)
    {
        t.t[c] = pose_in(q, own[c]);
        t.open[c] = column[c] < 0 || column[c] >= f->size[0] || row[c] < 0 || row[c] >= f->size[1];
        t.beyond[c] = t.open[c] ? t.t[c] : pose_in(q, field_corner(f, column[c], row[c]));
    }
    t.id = field_number(f, i, j, half);
    t.two_sided = 0;
    return t;
}

PL_FN void field_triangle_at(mesh_job *k, const heightfield *f, int32_t i, int32_t j, int half, const pose *q)
{
    vec own[3];
    field_triangle(f, i, j, half, own);
    if (!triangle_reached(k, own))
        return;
    triangle t = triangle_of_field(f, i, j, half, q);
    manifold_triangle(&k->j, &t);
}

PL_CALL int manifold_field(const convex *a, const heightfield *f, const pose *q, float thick, float margin,
                           manifold *out)
{
    mesh_job k;
    mesh_begin(&k, a, q, thick, margin, 0);
    if (!(k.low.y > f->high))
    {
        int32_t i0 = field_cell(f, 0, k.low.x), i1 = field_cell(f, 0, k.high.x);
        int32_t j0 = field_cell(f, 1, k.low.z), j1 = field_cell(f, 1, k.high.z);
        for (int32_t j = j0; j <= j1; j++)
            for (int32_t i = i0; i <= i1; i++)
                for (int half = 0; half < 2; half++)
                    field_triangle_at(&k, f, i, j, half, q);
    }
    return mesh_end(&k, q, out);
}

#endif
