// bvh.h: a bounding volume hierarchy of a triangle mesh, and its queries: the nearest point, the signed distance of a
// solid, the first triangle on a ray, and the first contact of a swept sphere.
//
// The tree is flat: a node's left child follows it, its right child is node `next`; a leaf holds `count` triangles
// starting at `next`. Nodes are split in halves by (centroid, number), so the tree is balanced, its form depends on the
// mesh alone, and a stack of BVH_DEPTH is always enough. Triangles are stored in the order of the leaves; id[] is their
// number in the mesh. Queries visit near boxes first. Among equal answers the triangle of the lowest number is
// returned, so the order of the visits does not matter.
#pragma once
#include "collide/mesh_check.h"
#include "collide/ccd.h"

#define BVH_LEAF 4
#define BVH_DEPTH 32
// floats for each triangle: the normal of the face; of the edges ab, bc, ca; of the corners a, b, c
#define BVH_NORMALS 21

typedef struct bvh_node
{
    float low[3];
    int32_t next;
    float high[3];
    int32_t count; // 0: an inner node
} bvh_node;

typedef struct bvh
{
    bvh_node *node;
    float *corner; // 9 for each triangle
    int32_t *id;
    float *normal;   // BVH_NORMALS for each triangle; NULL for a thin mesh
    int32_t *vertex; // 3 for each triangle: the corners' numbers in the mesh, for bvh_refit
    // of a shape: 3 for each triangle, the half edge that shares its edge (facets.h); else NULL
    const int32_t *beside;
    int64_t triangles, nodes, normals; // allocated counts
} bvh;

// solid: the mesh must be closed, and bvh_probe then tells inside from outside. On failure `out` is empty.
pl_result bvh_build(memory *m, const mesh_view *mesh, int solid, bvh *out);
// Moves the vertices of the same triangles (3 floats each): updates the boxes and keeps the tree's form. For thin
// meshes: the normals of a solid are not updated, so rebuild a solid.
void bvh_refit(bvh *b, const float *x);
// The same for a mesh that is known to be valid: thin, and not checked. Triangles without area are allowed.
pl_result bvh_build_thin(memory *m, const mesh_view *mesh, bvh *out);
void bvh_free(memory *m, bvh *b);

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct bvh_near
{
    int32_t slot; // the triangle, in the order of the leaves; -1: none within reach
    closest at;
} bvh_near;

typedef struct bvh_hit
{
    int32_t slot; // -1: none
    float time;   // 0 to 1 along the segment
    vec normal;   // unit; of a ray: the triangle's normal; of a sphere: from the triangle to the centre
    float weight[3];
} bvh_hit;

PL_FN vec bvh_corner(const bvh *b, int32_t slot, int corner)
{
    const float *p = b->corner + 9 * (int64_t)slot + 3 * corner;
    return vec_of(p[0], p[1], p[2]);
}

// A lower bound of the squared distance to anything in the box, as point_triangle computes it: that may err by a few
// units in the last place of the farthest corner's difference, so as much is subtracted.
PL_FN float bvh_box_square(const bvh_node *n, vec x)
{
    vec below = vec_of(n->low[0] - x.x, n->low[1] - x.y, n->low[2] - x.z);
    vec above = vec_of(x.x - n->high[0], x.y - n->high[1], x.z - n->high[2]);
    float slop = 0x1p-20f * most(reach_of(below), reach_of(above));
    vec gap = vec_of(most(most(below.x, above.x) - slop, 0.0f), most(most(below.y, above.y) - slop, 0.0f),
                     most(most(below.z, above.z) - slop, 0.0f));
    return square(gap);
}

// Finds the nearest triangle no farther than `reach`.
PL_WALK bvh_near bvh_nearest(const bvh *b, vec x, float reach)
{
    int32_t stack[BVH_DEPTH], top = 0, at = 0;
    float bound[BVH_DEPTH], best = reach * reach;
    bvh_near r;
    r.slot = -1;
    r.at.square = best;
    float here = bvh_box_square(b->node, x);
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (here <= best && n->count > 0)
        {
            for (int32_t s = n->next; s < n->next + n->count; s++)
            {
                closest c = point_triangle(x, bvh_corner(b, s, 0), bvh_corner(b, s, 1), bvh_corner(b, s, 2));
                if (c.square < best || (c.square == best && (r.slot < 0 || b->id[s] < b->id[r.slot])))
                {
                    best = c.square;
                    r.slot = s;
                    r.at = c;
                }
            }
        }
        else if (here <= best)
        {
            int32_t left = at + 1, right = n->next;
            float l = bvh_box_square(b->node + left, x), q = bvh_box_square(b->node + right, x);
            int swap = q < l;
            stack[top] = swap ? left : right;
            bound[top++] = swap ? l : q;
            at = swap ? right : left;
            here = swap ? q : l;
            continue;
        }
        if (top == 0)
            return r;
        at = stack[--top];
        here = bound[top];
    }
}

// The pseudonormal at a nearest point: of the face, an edge or a corner (Baerentzen and Aanaes 2005).
PL_FN vec bvh_pseudonormal(const bvh *b, int32_t slot, const float *weight)
{
    int zeros = (weight[0] == 0.0f) + (weight[1] == 0.0f) + (weight[2] == 0.0f), which = 0;
    if (zeros == 1)
        which = weight[2] == 0.0f ? 1 : weight[0] == 0.0f ? 2 : 3;
    else if (zeros == 2)
        which = weight[0] != 0.0f ? 4 : weight[1] != 0.0f ? 5 : 6;
    const float *n = b->normal + BVH_NORMALS * (int64_t)slot + 3 * which;
    return vec_of(n[0], n[1], n[2]);
}

// The signed distance of x, given its nearest triangle.
PL_FN surface_distance bvh_side(const bvh *b, vec x, const bvh_near *r)
{
    surface_distance s;
    float len;
    vec n = bvh_pseudonormal(b, r->slot, r->at.weight), d = direction(r->at.between, n, &len);
    int inside = dot(r->at.between, n) < 0.0f;
    // So near that the difference is only rounding error: use the surface's normal.
    float size = reach_of(bvh_corner(b, r->slot, 0)) + reach_of(x);
    s.normal = len <= 0x1p-22f * size ? n : inside ? negative(d) : d;
    s.distance = inside ? -len : len;
    return s;
}

// The signed distance of a solid. If nothing is within `reach`, the distance is `reach` (outside), and found is 0.
PL_FN surface_distance bvh_probe(const bvh *b, vec x, float reach, int *found)
{
    bvh_near r = bvh_nearest(b, x, reach);
    surface_distance none = {reach, vec_of(0.0f, 1.0f, 0.0f)};
    *found = r.slot >= 0;
    return r.slot >= 0 ? bvh_side(b, x, &r) : none;
}

// ---- rays and swept spheres ----------------------------------------------------------------------------------------

// The time at which the line from o along d enters the box grown by `grow`, within [0, until]; 2 if it does not. The
// box is enlarged for rounding.
PL_FN float bvh_box_time(const bvh_node *n, vec o, vec d, float grow, float until)
{
    float from[3] = {o.x, o.y, o.z}, along_it[3] = {d.x, d.y, d.z}, enter = 0.0f, leave = until;
    for (int k = 0; k < 3; k++)
    {
        float low = n->low[k] - grow - from[k], high = n->high[k] + grow - from[k], v = along_it[k];
        float slop = 0x1p-21f * (magnitude(low) + magnitude(high));
        low = low - slop;
        high = high + slop;
        if (v < 0.0f)
        {
            float swap = -low;
            low = -high;
            high = swap;
            v = -v;
        }
        if (v * 0x1p60f <= most(magnitude(low), magnitude(high))) // hardly moves: inside or outside all the time
        {
            if (low > v || high < 0.0f)
                return 2.0f;
            continue;
        }
        enter = most(enter, low / v);
        leave = least(leave, high / v);
    }
    enter = enter * 0.999999f;
    return enter <= leave * 1.000001f ? enter : 2.0f;
}

// Intersects a ray with one triangle, watertight: in coordinates along the ray's main axis the edge functions of
// neighbouring triangles agree to the bit on their common edge, so no ray passes between them. Woop, Benthin, Wald
// 2013.
PL_FN int ray_triangle(vec o, vec d, vec a, vec b, vec c, float *time, float *weight)
{
    float ax = magnitude(d.x), ay = magnitude(d.y), az = magnitude(d.z);
    int k = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    vec v[4] = {d, sub(a, o), sub(b, o), sub(c, o)};
    for (int i = 0; i < 4; i++) // rotate the axes so that the main axis is z
        v[i] = k == 0 ? vec_of(v[i].y, v[i].z, v[i].x) : k == 1 ? vec_of(v[i].z, v[i].x, v[i].y) : v[i];
    float sx = v[0].x / v[0].z, sy = v[0].y / v[0].z;
    for (int i = 1; i < 4; i++)
        v[i] = vec_of(v[i].x - sx * v[i].z, v[i].y - sy * v[i].z, v[i].z / v[0].z);
    float wa = v[3].x * v[2].y - v[3].y * v[2].x, wb = v[1].x * v[3].y - v[1].y * v[3].x;
    float wc = v[2].x * v[1].y - v[2].y * v[1].x, sum = wa + wb + wc;
    if ((wa < 0.0f || wb < 0.0f || wc < 0.0f) && (wa > 0.0f || wb > 0.0f || wc > 0.0f))
        return 0;
    if (sum == 0.0f)
        return 0;
    weight[0] = wa / sum;
    weight[1] = wb / sum;
    weight[2] = wc / sum;
    *time = weight[0] * v[1].z + weight[1] * v[2].z + weight[2] * v[3].z;
    return *time >= 0.0f && *time <= 1.0f;
}

PL_FN void ray_leaf(const bvh *b, const bvh_node *n, vec from, vec way, bvh_hit *r)
{
    for (int32_t s = n->next; s < n->next + n->count; s++)
    {
        float time, w[3];
        vec p = bvh_corner(b, s, 0), q = bvh_corner(b, s, 1), u = bvh_corner(b, s, 2);
        if (!ray_triangle(from, way, p, q, u, &time, w) || time > r->time)
            continue;
        if (time == r->time && r->slot >= 0 && b->id[s] > b->id[r->slot])
            continue;
        float len;
        r->slot = s;
        r->time = time;
        r->normal = direction(cross(sub(q, p), sub(u, p)), r->normal, &len);
        for (int i = 0; i < 3; i++)
            r->weight[i] = w[i];
    }
}

PL_FN void sphere_leaf(const bvh *b, const bvh_node *n, vec from, vec to, float radius, bvh_hit *r)
{
    for (int32_t s = n->next; s < n->next + n->count; s++)
    {
        impact i = sphere_triangle_ccd(from, to, radius, bvh_corner(b, s, 0), bvh_corner(b, s, 1), bvh_corner(b, s, 2));
        if (!i.hit || i.time > r->time || (i.time == r->time && r->slot >= 0 && b->id[s] > b->id[r->slot]))
            continue;
        r->slot = s;
        r->time = i.time;
        r->normal = i.normal;
        for (int k = 0; k < 3; k++)
            r->weight[k] = i.weight[k];
    }
}

// Finds the first hit of a ray (radius < 0) or a sphere that moves from `from` to `to`.
PL_FN bvh_hit bvh_line(const bvh *b, vec from, vec to, float radius)
{
    int32_t stack[BVH_DEPTH], top = 0, at = 0;
    float bound[BVH_DEPTH];
    vec way = sub(to, from);
    bvh_hit r = {-1, 1.0f, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    // A sphere's contact is detected within the slack, which grows with the distance of the triangle's corners.
    const bvh_node *all_of_it = b->node;
    vec low = vec_of(all_of_it->low[0], all_of_it->low[1], all_of_it->low[2]);
    vec high = vec_of(all_of_it->high[0], all_of_it->high[1], all_of_it->high[2]);
    float size = most(most(reach_of(sub(low, from)), reach_of(sub(high, from))), reach_of(way)) + most(radius, 0.0f);
    float grow = radius < 0.0f ? 0.0f : radius + 4.0f * CCD_SLACK * size;
    float here = bvh_box_time(all_of_it, from, way, grow, 1.0f);
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (here <= r.time && n->count > 0)
        {
            if (radius < 0.0f)
                ray_leaf(b, n, from, way, &r);
            else
                sphere_leaf(b, n, from, to, radius, &r);
        }
        else if (here <= r.time)
        {
            int32_t left = at + 1, right = n->next;
            float l = bvh_box_time(b->node + left, from, way, grow, r.time);
            float q = bvh_box_time(b->node + right, from, way, grow, r.time);
            int swap = q < l;
            stack[top] = swap ? left : right;
            bound[top++] = swap ? l : q;
            at = swap ? right : left;
            here = swap ? q : l;
            continue;
        }
        if (top == 0)
            return r;
        at = stack[--top];
        here = bound[top];
    }
}

PL_FN bvh_hit bvh_ray(const bvh *b, vec from, vec to) { return bvh_line(b, from, to, -1.0f); }

// For a thin, two-sided mesh: the sphere passes neither through a triangle nor past an edge nearer than `radius`. A
// sphere that starts in contact and moves away is no hit.
PL_WALK bvh_hit bvh_sweep(const bvh *b, vec from, vec to, float radius) { return bvh_line(b, from, to, radius); }

#endif
