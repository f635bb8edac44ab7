// ground_cast.h: casts, overlap tests and times of impact of convex shapes with planes, triangle meshes and height fields.
// Rays and balls have their own, faster functions in bvh.h and heightfield.h.
// Triangles are met from both sides. Among hits at the same time the one that is met most squarely counts, then the
// triangle of the lowest number.
#pragma once
#include "collide/manifold_mesh.h"
#include "collide/time_of_impact.h"

#if LANES == 1 && !defined(LANE_DOUBLE)

typedef struct ground_hit
{
    cast_hit hit; // in the frame of the ground
    int32_t id;   // the triangle; -1: none
} ground_hit;

// A triangle as a convex shape: its three corners are all that supports need. `x` keeps the corners.
PL_FN convex convex_triangle(const vec *t, vec origin, float radius, float *x)
{
    vec sum = vec_of(0.0f, 0.0f, 0.0f);
    float far = 0.0f;
    for (int i = 0; i < 3; i++)
    {
        vec c = sub(t[i], origin);
        x[3 * i] = c.x, x[3 * i + 1] = c.y, x[3 * i + 2] = c.z;
        sum = add(sum, c);
        far = most(far, length(c));
    }
    convex c = convex_of(CONVEX_HULL, vec_of(0.0f, 0.0f, 0.0f), radius);
    c.hull.vertex = x;
    c.hull.vertices = 3;
    c.middle = times(1.0f / 3.0f, sum);
    c.reach = far + radius;
    return c;
}

// What a search for triangles does with each.
enum ground_task
{
    GROUND_CAST,
    GROUND_OVERLAP,
    GROUND_IMPACT,
};

typedef struct ground_search
{
    int task;
    const convex *shape;
    pose start; // of the shape, in the frame of the ground
    vec way;
    const shape_motion *motion; // GROUND_IMPACT
    float thick, margin;
    vec low, high; // what is reached
    ground_hit best;
    int32_t slot; // of the best triangle of a mesh
    impact_time impact;
} ground_search;

PL_CALL void ground_visit(ground_search *g, const vec *t, int32_t id, int32_t slot)
{
    float x[9];
    // Relative to the shape's start, so that the size of the ground costs no accuracy.
    convex tri = convex_triangle(t, g->start.at, g->thick, x);
    pose start = {g->start.rotation, vec_of(0.0f, 0.0f, 0.0f)};
    if (g->task == GROUND_OVERLAP)
    {
        if (gjk_distance(&tri, g->shape, &start).distance <= g->margin && (g->best.id < 0 || id < g->best.id))
            g->best.id = id;
        return;
    }
    if (g->task == GROUND_IMPACT)
    {
        shape_motion rest;
        rest.from.v = vec_of(0.0f, 0.0f, 0.0f), rest.from.w = 1.0f;
        rest.to = rest.from;
        rest.way = vec_of(0.0f, 0.0f, 0.0f);
        rest.shape.rotation = mat_unit();
        rest.shape.at = rest.way;
        impact_time now = time_of_impact(g->shape, g->motion, &tri, &rest, vec_of(0.0f, 0.0f, 0.0f), g->margin);
        if (now.state == IMPACT_NONE ||
            (g->best.id >= 0 && (now.time > g->impact.time || (now.time == g->impact.time && id > g->best.id))))
            return;
        g->best.id = id;
        g->impact = now;
        return;
    }
    cast_hit now = convex_cast(g->shape, &start, g->way, &tri);
    now.at = add(now.at, g->start.at);
    if (!now.hit)
        return;
    // At an edge between triangles several are hit at one time: the one that is met most squarely has the right normal.
    float near_by = 2e-5f * g->shape->reach / most(length(g->way), 1e-20f), later = now.time - g->best.hit.time;
    float squarely = dot(g->best.hit.normal, g->way) - dot(now.normal, g->way);
    if (g->best.id >= 0 &&
        (later > near_by || (later >= -near_by && (squarely < 0.0f || (squarely == 0.0f && id > g->best.id)))))
        return;
    g->best.hit = now;
    g->best.id = id;
    g->slot = slot;
}

// A normal that belongs to no edge of the surface, but only to the nearest points of one triangle, gives way to that of the
// triangle: as for contacts.
PL_FN void ground_settle(ground_search *g, const triangle *t)
{
    triangle side;
    vec n, m = g->best.hit.normal;
    float size = length(sub(t->t[1], t->t[0])) + length(sub(t->t[2], t->t[0]));
    if (triangle_seen(t, add(t->t[0], m), &side, &n) >= 0 && normal_verdict(&side, m, n, size) != NORMAL_VALID)
        g->best.hit.normal = n;
}

PL_FN pose pose_unit(void)
{
    pose p = {mat_unit(), vec_of(0.0f, 0.0f, 0.0f)};
    return p;
}

PL_FN int ground_reaches(const ground_search *g, const float *low, const float *high)
{
    return low[0] <= g->high.x && high[0] >= g->low.x && low[1] <= g->high.y && high[1] >= g->low.y &&
           low[2] <= g->high.z && high[2] >= g->low.z;
}

// The box around the way of the shape.
PL_FN void ground_open(ground_search *g, const convex *c, const pose *start, vec way, float thick, float margin,
                       int task)
{
    float grow = thick + margin + 1e-6f * (reach_of(start->at) + reach_of(way));
    vec low, high;
    g->task = task;
    g->shape = c;
    g->start = *start;
    g->way = way;
    g->motion = (const shape_motion *)0;
    g->thick = thick;
    g->margin = margin;
    g->best.id = -1;
    g->slot = 0;
    g->best.hit.hit = 0;
    g->best.hit.time = 1.0f;
    g->best.hit.normal = vec_of(0.0f, 1.0f, 0.0f);
    g->best.hit.at = start->at;
    g->impact.state = IMPACT_NONE;
    g->impact.time = 1.0f;
    g->impact.normal = g->best.hit.normal;
    g->impact.at = way;
    g->impact.steps = 0;
    convex_box_around(c, start, &low, &high);
    g->low =
        vec_of(low.x + least(way.x, 0.0f) - grow, low.y + least(way.y, 0.0f) - grow, low.z + least(way.z, 0.0f) - grow);
    g->high =
        vec_of(high.x + most(way.x, 0.0f) + grow, high.y + most(way.y, 0.0f) + grow, high.z + most(way.z, 0.0f) + grow);
}

PL_FN void ground_in_mesh(ground_search *g, const bvh *b)
{
    int32_t stack[BVH_DEPTH], top = 0, at = 0;
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (ground_reaches(g, n->low, n->high))
        {
            if (n->count == 0)
            {
                stack[top++] = n->next;
                at = at + 1;
                continue;
            }
            for (int32_t s = n->next; s < n->next + n->count; s++)
            {
                vec t[3] = {bvh_corner(b, s, 0), bvh_corner(b, s, 1), bvh_corner(b, s, 2)};
                ground_visit(g, t, b->id[s], s);
            }
        }
        if (top == 0)
            return;
        at = stack[--top];
    }
}

PL_FN void ground_in_field(ground_search *g, const heightfield *f)
{
    int32_t i0 = field_cell(f, 0, g->low.x), i1 = field_cell(f, 0, g->high.x);
    int32_t j0 = field_cell(f, 1, g->low.z), j1 = field_cell(f, 1, g->high.z);
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++)
        {
            bvh_node box = field_box(f, i, j);
            if (!ground_reaches(g, box.low, box.high))
                continue;
            for (int half = 0; half < 2; half++)
            {
                vec t[3];
                field_triangle(f, i, j, half, t);
                ground_visit(g, t, field_number(f, i, j, half), 0);
            }
        }
}

// ---- the functions -------------------------------------------------------------------------------------------------
// start: the pose of the shape in the ground's frame. thick: how far the surface is grown.

PL_CALL cast_hit cast_at_plane(const convex *c, const pose *start, vec way)
{
    vec down = negative(transposed_times(&start->rotation, vec_of(0.0f, 1.0f, 0.0f))), low = convex_support(c, down);
    float height = (start->at.y - dot(down, low)) - convex_round(c);
    cast_hit r = {height <= 0.0f || (way.y < 0.0f && height + way.y <= 0.0f), 1.0f, {0.0f, 1.0f, 0.0f}, start->at};
    r.time = height <= 0.0f ? 0.0f : r.hit ? least(height / -way.y, 1.0f) : 1.0f;
    r.at = add(pose_out(start, low), times(r.time, way));
    r.at.y = 0.0f;
    return r;
}

PL_CALL ground_hit cast_at_mesh(const convex *c, const pose *start, vec way, const bvh *b, float thick)
{
    ground_search g;
    ground_open(&g, c, start, way, thick, 0.0f, GROUND_CAST);
    ground_in_mesh(&g, b);
    if (g.best.id >= 0)
    {
        pose unit = pose_unit();
        triangle t = triangle_of_mesh(b, g.slot, &unit, 1);
        ground_settle(&g, &t);
    }
    return g.best;
}

PL_CALL ground_hit cast_at_field(const convex *c, const pose *start, vec way, const heightfield *f, float thick)
{
    ground_search g;
    ground_open(&g, c, start, way, thick, 0.0f, GROUND_CAST);
    ground_in_field(&g, f);
    if (g.best.id >= 0)
    {
        pose unit = pose_unit();
        int32_t cell = g.best.id / 2, columns = f->size[0] - 1;
        triangle t = triangle_of_field(f, cell % columns, cell / columns, g.best.id % 2, &unit);
        ground_settle(&g, &t);
    }
    return g.best;
}

// The lowest number of a triangle that is nearer to the shape than `margin`, or -1.
PL_CALL int32_t overlap_mesh(const convex *c, const pose *at, const bvh *b, float thick, float margin)
{
    ground_search g;
    ground_open(&g, c, at, vec_of(0.0f, 0.0f, 0.0f), thick, margin, GROUND_OVERLAP);
    ground_in_mesh(&g, b);
    return g.best.id;
}

PL_CALL int32_t overlap_field(const convex *c, const pose *at, const heightfield *f, float thick, float margin)
{
    ground_search g;
    ground_open(&g, c, at, vec_of(0.0f, 0.0f, 0.0f), thick, margin, GROUND_OVERLAP);
    ground_in_field(&g, f);
    return g.best.id;
}

// The first impact of a body that moves and turns; s: its motion in the frame of the ground, from its position `at`.
// Returns the triangle, or -1. `out->at` is relative to `at`.
PL_FN void impact_open(ground_search *g, const convex *c, const shape_motion *s, vec at, float thick, float target)
{
    // Anything within reach of the body's centre, whatever its rotation.
    float reach = length(s->shape.at) + c->reach;
    convex ball = convex_sphere(reach);
    pose start = {mat_unit(), at};
    ground_open(g, &ball, &start, s->way, thick, target, GROUND_IMPACT);
    g->shape = c;
    g->motion = s;
}

PL_CALL int32_t impact_with_mesh(const convex *c, const shape_motion *s, vec at, const bvh *b, float thick,
                                 float target, impact_time *out)
{
    ground_search g;
    impact_open(&g, c, s, at, thick, target);
    ground_in_mesh(&g, b);
    *out = g.impact;
    return g.best.id;
}

PL_CALL int32_t impact_with_field(const convex *c, const shape_motion *s, vec at, const heightfield *f, float thick,
                                  float target, impact_time *out)
{
    ground_search g;
    impact_open(&g, c, s, at, thick, target);
    ground_in_field(&g, f);
    *out = g.impact;
    return g.best.id;
}

#endif
