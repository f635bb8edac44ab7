// convex_sweep.h: how much of its way a body may go before it would pass through something.
//
// Contacts stop a body that moves by less than a part of its width in a substep. One that moves farther is placed where
// it first touches, if otherwise its core, the shape without its outermost quarter, would meet the other one's: so bodies
// that slide, roll or only graze are never held up. For bodies that are deep in each other thinner cores are tried.
// Convex shapes and triangles: conservative advancement (time_of_impact.h). Hollow shapes and distance fields: the
// separation, which changes no faster than any point moves, is followed in steps.
#pragma once
#include "collide/ground_cast.h"
#include "collide/manifold_hollow.h"

#define SWEEP_CORE 0.25f  // of the smallest half width: how much thinner the core is
#define SWEEP_NEAR 0.02f  // of it: cores that are nearer have met
#define SWEEP_TOUCH 0.01f // of it: shapes that are nearer touch
#define SWEEP_MORE 0.1f   // of it: how much deeper a shape may go that is already deep

enum
{
    SWEEP_VERTICES = 64, // of a hull
    SWEEP_STEPS = 64,
    SWEEP_LEVELS = 3, // cores: each is thinner by SWEEP_CORE
};

#if LANES == 1 && !defined(LANE_DOUBLE)

// A core keeps the vertices of a hull.
typedef struct sweep_core
{
    convex shape;
    float vertex[3 * SWEEP_VERTICES];
} sweep_core;

PL_FN float thinner(float half, float by) { return most(half - by, 0.1f * half); }

// The shape without its outermost part; level: of SWEEP_LEVELS. The vertices of a hull move towards its middle.
PL_CALL void core_of(const convex *c, float width, int level, sweep_core *out)
{
    const float by = SWEEP_CORE * (float)level * width;
    convex *k = &out->shape;
    *k = *c;
    if (c->kind == CONVEX_SPHERE || c->kind == CONVEX_CAPSULE)
        k->radius = thinner(c->radius, by);
    else if (c->kind != CONVEX_HULL)
    {
        k->half = vec_of(thinner(c->half.x, by), thinner(c->half.y, by), thinner(c->half.z, by));
        k->radius = c->kind == CONVEX_CYLINDER ? k->half.x : c->radius;
    }
    else
    {
        const float width = most(c->width, 1e-20f), scale = thinner(width, by) / width;
        k->hull.vertices = c->hull.vertices < SWEEP_VERTICES ? c->hull.vertices : SWEEP_VERTICES;
        for (int i = 0; i < k->hull.vertices; i++)
        {
            vec x = add(c->middle, times(scale, sub(poly_vertex(&c->hull, i), c->middle)));
            out->vertex[3 * i] = x.x, out->vertex[3 * i + 1] = x.y, out->vertex[3 * i + 2] = x.z;
        }
        k->hull.vertex = out->vertex;
        k->hull.faces = k->hull.edges = 0;
    }
}

// Stopped there, a body would never move again.
PL_FN int near_at_start(const impact_time *i)
{
    return i->state == IMPACT_INITIAL || (i->state == IMPACT_HIT && i->steps == 0);
}

// From the times at which the cores and the shapes meet: the part of the way that is left.
PL_FN float sweep_part(const impact_time *core, const impact_time *whole)
{
    return whole->state == IMPACT_NONE || near_at_start(whole) ? core->time : least(core->time, whole->time);
}

// The way of the middle of a shape that is deep in B: it must not leave on the other side. b0, b1: the poses of B.
PL_CALL float sweep_middle(const convex *b, const pose *b0, const pose *b1, vec at_start, vec at_end)
{
    vec from = pose_in(b0, at_start), to = pose_in(b1, at_end);
    surface_distance start = convex_probe(b, from);
    if (start.distance > 0.0f)
    {
        cast_hit hit = convex_ray(b, from, sub(to, from), 0.0f);
        return hit.hit ? 0.5f * hit.time : 1.0f;
    }
    return dot(start.normal, convex_probe(b, to).normal) < 0.0f ? 0.0f : 1.0f;
}

// width: the smaller half width of the two.
PL_CALL float sweep_convex(const convex *a, const shape_motion *sa, const convex *b, const shape_motion *sb,
                           vec between, float width)
{
    sweep_core ca, cb;
    impact_time core;
    for (int level = 1; level <= SWEEP_LEVELS; level++)
    {
        core_of(a, width, level, &ca);
        core_of(b, width, level, &cb);
        core = time_of_impact(&ca.shape, sa, &cb.shape, sb, between, SWEEP_NEAR * width);
        if (!near_at_start(&core))
            break;
    }
    if (core.state == IMPACT_NONE)
        return 1.0f;
    if (near_at_start(&core))
    {
        pose a0 = shape_motion_at(sa, 0.0f), a1 = shape_motion_at(sa, 1.0f), b0 = shape_motion_at(sb, 0.0f),
             b1 = shape_motion_at(sb, 1.0f);
        b0.at = add(b0.at, between), b1.at = add(b1.at, between);
        return least(sweep_middle(b, &b0, &b1, pose_out(&a0, a->middle), pose_out(&a1, a->middle)),
                     sweep_middle(a, &a0, &a1, pose_out(&b0, b->middle), pose_out(&b1, b->middle)));
    }
    impact_time whole = time_of_impact(a, sa, b, sb, between, SWEEP_TOUCH * width);
    return sweep_part(&core, &whole);
}

// ---- meshes and height fields --------------------------------------------------------------------------------------

typedef struct sweep_search
{
    const convex *shape;
    sweep_core *core;
    const shape_motion *motion;
    vec at; // of the body in the ground's frame at the start
    float thick, width;
    int two_sided, level;
    vec low, high;
    float part;
} sweep_search;

PL_FN shape_motion motion_none(void)
{
    shape_motion rest;
    rest.from.v = vec_of(0.0f, 0.0f, 0.0f), rest.from.w = 1.0f;
    rest.to = rest.from;
    rest.way = vec_of(0.0f, 0.0f, 0.0f);
    rest.shape.rotation = mat_unit();
    rest.shape.at = rest.way;
    return rest;
}

// The same for a triangle with the normal n; from, to: relative to its first corner.
PL_FN float middle_crosses(const vec *t, vec n, vec from, vec to)
{
    float above = dot(n, from), after = dot(n, to);
    if (above * after >= 0.0f)
        return 1.0f;
    float time = above / (above - after);
    vec x = add(t[0], add(from, times(time, sub(to, from))));
    for (int i = 0; i < 3; i++)
        if (dot(cross(sub(t[i < 2 ? i + 1 : 0], t[i]), sub(x, t[i])), n) < 0.0f)
            return 1.0f;
    return 0.5f * time;
}

PL_CALL void sweep_triangle(sweep_search *k, const vec *t)
{
    float x[9], len;
    convex tri = convex_triangle(t, k->at, k->thick, x);
    const shape_motion rest = motion_none();
    const vec none = vec_of(0.0f, 0.0f, 0.0f);
    pose start = shape_motion_at(k->motion, 0.0f);
    vec n = direction(cross(sub(t[1], t[0]), sub(t[2], t[0])), none, &len);
    vec from = sub(add(k->at, pose_out(&start, k->shape->middle)), t[0]);
    if (!k->two_sided && dot(n, from) < 0.0f) // it is behind
        return;
    impact_time core;
    for (int level = 1; level <= SWEEP_LEVELS; level++)
    {
        if (level != k->level)
            core_of(k->shape, k->width, level, k->core);
        k->level = level;
        core = time_of_impact(&k->core->shape, k->motion, &tri, &rest, none, SWEEP_NEAR * k->width);
        if (!near_at_start(&core))
            break;
    }
    if (core.state == IMPACT_NONE)
        return;
    if (near_at_start(&core))
    {
        pose stop = shape_motion_at(k->motion, 1.0f);
        k->part = least(k->part, middle_crosses(t, n, from, sub(add(k->at, pose_out(&stop, k->shape->middle)), t[0])));
        return;
    }
    impact_time whole = time_of_impact(k->shape, k->motion, &tri, &rest, none, SWEEP_TOUCH * k->width);
    k->part = least(k->part, sweep_part(&core, &whole));
}

PL_FN int sweep_reaches(const sweep_search *k, const float *low, const float *high)
{
    return low[0] <= k->high.x && high[0] >= k->low.x && low[1] <= k->high.y && high[1] >= k->low.y &&
           low[2] <= k->high.z && high[2] >= k->low.z;
}

// motion: of the body, in the frame of the ground, from `at`.
PL_CALL void sweep_open(sweep_search *k, const convex *a, sweep_core *core, const shape_motion *motion, vec at,
                        float thick, float width)
{
    const float grow = length(motion->shape.at) + a->reach + thick + 1e-6f * (reach_of(at) + reach_of(motion->way));
    const vec w = motion->way;
    k->shape = a, k->core = core, k->level = 0;
    k->motion = motion, k->at = at;
    k->thick = thick, k->width = width;
    k->two_sided = 0;
    k->part = 1.0f;
    k->low = vec_of(at.x + least(w.x, 0.0f) - grow, at.y + least(w.y, 0.0f) - grow, at.z + least(w.z, 0.0f) - grow);
    k->high = vec_of(at.x + most(w.x, 0.0f) + grow, at.y + most(w.y, 0.0f) + grow, at.z + most(w.z, 0.0f) + grow);
}

PL_CALL float sweep_mesh(sweep_search *k, const bvh *b)
{
    int32_t stack[BVH_DEPTH], top = 0, at = 0;
    for (;;)
    {
        const bvh_node *n = b->node + at;
        if (sweep_reaches(k, n->low, n->high))
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
                sweep_triangle(k, t);
            }
        }
        if (top == 0)
            return k->part;
        at = stack[--top];
    }
}

PL_CALL float sweep_field(sweep_search *k, const heightfield *f)
{
    int32_t i0 = field_cell(f, 0, k->low.x), i1 = field_cell(f, 0, k->high.x);
    int32_t j0 = field_cell(f, 1, k->low.z), j1 = field_cell(f, 1, k->high.z);
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++)
        {
            bvh_node box = field_box(f, i, j);
            for (int half = 0; half < 2 && sweep_reaches(k, box.low, box.high); half++)
            {
                vec t[3];
                field_triangle(f, i, j, half, t);
                sweep_triangle(k, t);
            }
        }
    return k->part;
}

// ---- hollow shapes and distance fields -----------------------------------------------------------------------------

// The smallest separation of the manifolds.
PL_FN float least_separation(const manifold *m, int count)
{
    float least_one = 1e30f;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m[i].count; j++)
            least_one = least(least_one, m[i].point[j].separation);
    return least_one;
}

// One of the two is given. A body that has left a hollow shape is as deep as can be.
PL_CALL float sweep_separation(const convex *a, const convex *wall, const sdf *field, float thick, const pose *q)
{
    manifold m[GROUND_MANIFOLDS];
    if (field) // outside of its grid it may be a fifth too large
        return 0.8f * least_separation(m, manifold_sdf(a, field, thick, q, 1e30f, m));
    int count = manifold_hollow(a, wall, q, 1e30f, m);
    return count ? least_separation(m, count) : -1e30f;
}

PL_CALL float sweep_steps(const convex *a, const shape_motion *motion, vec at, const convex *wall, const sdf *field,
                          float thick, float width)
{
    const float reach = length(motion->shape.at) + a->reach, touch = SWEEP_TOUCH * width;
    const float speed = most(length(motion->way) + quat_angular_speed(motion->from, motion->to) * reach, 1e-20f);
    float time = 0.0f, first = -1.0f, deep = -SWEEP_CORE * width;
    for (int i = 0; i < SWEEP_STEPS; i++)
    {
        pose q = shape_motion_at(motion, time);
        q.at = add(q.at, at);
        float gap = sweep_separation(a, wall, field, thick, &q);
        if (i == 0)
            deep = most(least(deep, gap - SWEEP_MORE * width), -0.9f * width);
        if (gap <= deep)
            return first > 0.0f ? first : time;
        if (first < 0.0f && gap <= touch)
            first = time;
        time = time + most((first < 0.0f ? gap - 0.5f * touch : gap - deep) / speed, 1e-3f);
        if (time >= 1.0f)
            return 1.0f;
    }
    return first > 0.0f ? first : time;
}

#endif
