// manifold_plane.h: manifolds of convex shapes with a plane and with a signed distance field.
// Shape A is the convex one, B the ground. `q` is the pose of A in B's frame: everything is computed relative to A,
// after differences of coordinates in B's frame, so that large grounds cost no accuracy. Normals are in A's frame.
//   plane   B's half space is y <= 0, as SOLID_PLANE; exact
//   field   points of A (vertices, and the middles of edges and faces) are probed; contacts of about the same normal
//           form a manifold. Between the points the shape may sink in: choose a field smoother than they are apart.
#pragma once
#include "collide/manifold_cylinder.h"
#include "collide/sdf.h"

enum
{
    GROUND_MANIFOLDS = 4, // of one shape with a mesh, height field or distance field: the deepest
};

#define GROUND_SAME 0.998f // cosine (3.6 degrees): contacts whose normals are closer form one manifold

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_CALL void contact_choose(contact_set *s, float round, vec n, float slop, const pose *q, manifold *m)
{
    int chosen[MANIFOLD_POINTS], left = choose_points(s, n, slop, chosen);
    m->normal = n;
    for (int k = 0; k < left; k++)
    {
        int i = chosen[k];
        manifold_point *to = &m->point[m->count++];
        to->a = add(s->at[i], times(round, n));
        to->b = pose_out(q, add(to->a, times(s->separation[i], n)));
        to->separation = s->separation[i];
        to->id = s->id[i];
    }
}

// Adds the points of a shape's core that may be the lowest along the unit vector d, in its frame: at most CLIP_ROOM.
PL_FN void lowest_points(const convex *c, vec d, float offset, float margin, contact_set *s)
{
    s->count = 0;
    if (c->kind == CONVEX_SPHERE || c->kind == CONVEX_CAPSULE || c->kind == CONVEX_CYLINDER)
    {
        polygon g;
        g.count = 1;
        g.at[0] = vec_of(0.0f, 0.0f, 0.0f);
        g.number[0] = 0;
        if (c->kind != CONVEX_SPHERE)
            shown_polygon(c, d, 0, &g);
        for (int i = 0; i < g.count; i++)
        {
            float gap = offset - dot(d, g.at[i]) - convex_round(c);
            if (gap <= margin)
                contact_put(s, g.at[i], gap, id_of(FEATURE_VERTEX_A, g.number[i]));
        }
        return;
    }
    solid_arrays arrays;
    polyhedron h = polyhedron_for(c, d, &arrays);
    for (int i = 0; i < h.vertices; i++)
    {
        vec x = poly_vertex(&h, i);
        float gap = offset - dot(d, x) - c->radius;
        if (gap > margin)
            continue;
        if (s->count == CLIP_ROOM) // full: the deepest stay
        {
            int highest = 0;
            for (int k = 1; k < CLIP_ROOM; k++)
                highest = s->separation[k] > s->separation[highest] ? k : highest;
            if (s->separation[highest] <= gap)
                continue;
            s->at[highest] = x, s->separation[highest] = gap, s->id[highest] = id_of(FEATURE_VERTEX_A, (uint32_t)i);
            continue;
        }
        contact_put(s, x, gap, id_of(FEATURE_VERTEX_A, (uint32_t)i));
    }
}

// A convex shape and a plane. The normal points from the shape into the ground.
PL_CALL void manifold_plane(const convex *a, const pose *q, float margin, manifold *m)
{
    contact_set s;
    vec d = negative(transposed_times(&q->rotation, vec_of(0.0f, 1.0f, 0.0f)));
    const float slop = least(SLOP_FACE, SLOP_SHARE * convex_width(a));
    m->count = 0;
    m->axis = 0;
    m->normal = d;
    lowest_points(a, d, q->at.y, margin, &s);
    contact_choose(&s, convex_round(a), d, slop, q, m);
}

// ---- manifolds of one shape with ground of many normals ------------------------------------------------------------

// Collects contacts, one set for each normal.
typedef struct ground
{
    int count;
    vec normal[GROUND_MANIFOLDS];
    float deepest[GROUND_MANIFOLDS];
    contact_set set[GROUND_MANIFOLDS];
} ground;

// Sorts by id: vertices of the shape come first, so they win among equals, whatever the order of the triangles.
PL_FN void contact_sort(contact_set *s)
{
    for (int i = 1; i < s->count; i++)
    {
        vec at = s->at[i];
        float separation = s->separation[i];
        uint32_t id = s->id[i];
        int k = i;
        for (; k > 0 && s->id[k - 1] > id; k--)
            s->at[k] = s->at[k - 1], s->separation[k] = s->separation[k - 1], s->id[k] = s->id[k - 1];
        s->at[k] = at, s->separation[k] = separation, s->id[k] = id;
    }
}

// A set that is full is reduced to four points, and the deepest ones stay among them.
PL_FN void ground_thin(contact_set *s, vec n, float slop)
{
    contact_sort(s);
    int chosen[MANIFOLD_POINTS], left = choose_points(s, n, slop, chosen);
    contact_set few;
    few.count = 0;
    for (int k = 0; k < left; k++)
        contact_put(&few, s->at[chosen[k]], s->separation[chosen[k]], s->id[chosen[k]]);
    *s = few;
}

// The same vertex on two triangles: the deeper contact stays. Two points in one place: a vertex of the shape stays, as
// its id does not change from triangle to triangle.
PL_FN int ground_knows(contact_set *s, vec at, float separation, uint32_t id, float slop)
{
    for (int i = 0; i < s->count; i++)
    {
        int same = s->id[i] == id, vertex = id >> 28 == FEATURE_VERTEX_A, was = s->id[i] >> 28 == FEATURE_VERTEX_A;
        if (!same && (square(sub(s->at[i], at)) > slop * slop || (vertex && was)))
            continue;
        if (vertex > was || (vertex == was && separation < s->separation[i]))
            s->at[i] = at, s->separation[i] = separation, s->id[i] = id;
        return 1;
    }
    return 0;
}

// Adds a contact with normal n (unit, from A into the ground). Where all sets are taken, the shallowest gives way.
PL_CALL void ground_add(ground *g, vec n, vec at, float separation, uint32_t id, float slop)
{
    int where = -1, shallow = 0;
    float like = GROUND_SAME;
    for (int i = 0; i < g->count; i++)
    {
        float d = dot(g->normal[i], n);
        if (d > like)
        {
            like = d;
            where = i;
        }
        shallow = g->deepest[i] > g->deepest[shallow] ? i : shallow;
    }
    if (where < 0)
    {
        if (g->count == GROUND_MANIFOLDS && g->deepest[shallow] <= separation)
            return;
        where = g->count < GROUND_MANIFOLDS ? g->count++ : shallow;
        g->normal[where] = n;
        g->deepest[where] = separation;
        g->set[where].count = 0;
    }
    contact_set *s = &g->set[where];
    // The normal is that of the deepest contact.
    if (separation < g->deepest[where] - slop)
        g->normal[where] = n;
    g->deepest[where] = least(g->deepest[where], separation);
    if (ground_knows(s, at, separation, id, slop))
        return;
    if (s->count == CLIP_ROOM)
        ground_thin(s, g->normal[where], slop);
    contact_put(s, at, separation, id);
}

// Turns the sets into manifolds, in the order in which they were found. Returns their number.
PL_FN int ground_manifolds(ground *g, float round, float slop, const pose *q, manifold *out)
{
    for (int i = 0; i < g->count; i++)
    {
        out[i].count = 0;
        out[i].axis = 0;
        contact_sort(&g->set[i]);
        contact_choose(&g->set[i], round, g->normal[i], slop, q, &out[i]);
    }
    return g->count;
}

// ---- distance fields -----------------------------------------------------------------------------------------------

typedef struct field_probe_job
{
    const sdf *field;
    const pose *q;
    float radius, margin, slop, thick;
    ground *to;
} field_probe_job;

PL_CALL void field_probe_point(const field_probe_job *j, vec x, uint32_t id)
{
    surface_distance s = sdf_probe(j->field, pose_out(j->q, x));
    float gap = s.distance - j->thick - j->radius;
    if (gap <= j->margin)
        ground_add(j->to, negative(transposed_times(&j->q->rotation, s.normal)), x, gap, id, j->slop);
}

PL_FN void field_probe_poly(const field_probe_job *j, const polyhedron *h)
{
    for (int i = 0; i < h->vertices; i++)
        field_probe_point(j, poly_vertex(h, i), id_of(FEATURE_VERTEX_A, (uint32_t)i));
    for (int e = 0; e < h->edges; e++)
    {
        int a = h->edge[4 * e], b = h->edge[4 * e + 1];
        field_probe_point(j, times(0.5f, add(poly_vertex(h, a), poly_vertex(h, b))), id_of_edges(a, b, 0, 0));
    }
    for (int f = 0; f < h->faces; f++)
    {
        vec sum = vec_of(0.0f, 0.0f, 0.0f);
        for (int i = h->first[f]; i < h->first[f + 1]; i++)
            sum = add(sum, poly_vertex(h, h->loop[i]));
        field_probe_point(j, times(1.0f / (float)(h->first[f + 1] - h->first[f]), sum),
                          id_of(FEATURE_ROUND, (uint32_t)(f + 16)));
    }
}

// A convex shape and a distance field that is thicker by `thick`. out: room for GROUND_MANIFOLDS. Returns their number.
PL_CALL int manifold_sdf(const convex *a, const sdf *field, float thick, const pose *q, float margin, manifold *out)
{
    ground g;
    g.count = 0;
    const float round = convex_round(a), slop = least(SLOP_FACE, SLOP_SHARE * convex_width(a));
    const field_probe_job j = {field, q, round, margin, slop, thick, &g};
    if (a->kind == CONVEX_SPHERE || a->kind == CONVEX_CAPSULE)
    {
        int parts = a->kind == CONVEX_SPHERE ? 0 : 4;
        for (int i = 0; i <= parts; i++)
            field_probe_point(&j, vec_of(0.0f, parts ? a->half.y * (0.5f * (float)i - 1.0f) : 0.0f, 0.0f),
                              id_of(FEATURE_VERTEX_A, (uint32_t)i));
    }
    else
    {
        solid_arrays arrays;
        polyhedron h = polyhedron_for(a, vec_of(1.0f, 0.0f, 0.0f), &arrays);
        // The vertices of a prism stand outside of the cylinder: they are moved onto it.
        for (int i = 0; a->kind == CONVEX_CYLINDER && i < 3 * h.vertices; i++)
            arrays.prism.vertex[i] = i % 3 == 1 ? arrays.prism.vertex[i] : 0.9659258f * arrays.prism.vertex[i];
        field_probe_poly(&j, &h);
    }
    return ground_manifolds(&g, round, slop, q, out);
}

#endif
