// mover_gap.c: the signed distance of the axis of a capsule from a shape.
//
// Along the axis p(s) the signed distance of a convex shape is a convex function of s, whose slope is n . axis: bisection
// finds its least value, inside and outside. That of a hollow shape is least at an end. Meshes, height fields and
// distance fields are probed at points of the axis, and the best of them is refined in the same way.
#include "query/mover.h"

#include <math.h>

enum
{
    HALVINGS = 24,
    AXIS_PARTS = 16,
};

typedef struct gap_search
{
    mover_state *m;
    mover_gap best;
    double reach;
} gap_search;

// The axis in the frame of a shape: its middle, and half of it.
typedef struct local_axis
{
    const query_part *part;
    double middle[3], half[3];
    float reach;
} local_axis;

// A distance, and the point of the axis that has it.
typedef struct axis_distance
{
    surface_distance s;
    vec x;
} axis_distance;

static axis_distance probe_at(const local_axis *a, double s)
{
    vec x = vec_of((float)(a->middle[0] + s * a->half[0]), (float)(a->middle[1] + s * a->half[1]),
                   (float)(a->middle[2] + s * a->half[2]));
    return (axis_distance){part_probe(a->part, x, a->reach), x};
}

static double slope_of(const local_axis *a, const axis_distance *d)
{
    return (double)d->s.normal.x * a->half[0] + (double)d->s.normal.y * a->half[1] + (double)d->s.normal.z * a->half[2];
}

// The least distance for s from low to high.
static axis_distance least_between(const local_axis *a, double low, double high)
{
    axis_distance best = probe_at(a, low), other = probe_at(a, high);
    bool falls = slope_of(a, &best)<0.0, rises = slope_of(a, &other)> 0.0;
    best = other.s.distance < best.s.distance ? other : best;
    for (int i = 0; i < HALVINGS && falls && rises; i++)
    {
        double middle = 0.5 * (low + high);
        axis_distance now = probe_at(a, middle);
        best = now.s.distance < best.s.distance ? now : best;
        if (slope_of(a, &now) > 0.0)
            high = middle;
        else
            low = middle;
    }
    return best;
}

static axis_distance least_on_axis(const local_axis *a)
{
    const solid *s = &a->part->solid;
    if (s->kind <= SOLID_HULL && !(s->flags & SOLID_TWO_SIDED))
        return least_between(a, -1.0, 1.0);
    axis_distance best = probe_at(a, -1.0);
    int at = 0;
    for (int i = 1; i <= AXIS_PARTS; i++)
    {
        axis_distance now = probe_at(a, 2.0 * i / AXIS_PARTS - 1.0);
        if (now.s.distance < best.s.distance)
            best = now, at = i;
    }
    double low = 2.0 * (at > 0 ? at - 1 : 0) / AXIS_PARTS - 1.0;
    double high = 2.0 * (at < AXIS_PARTS ? at + 1 : AXIS_PARTS) / AXIS_PARTS - 1.0;
    axis_distance fine = least_between(a, low, high);
    return fine.s.distance < best.s.distance ? fine : best;
}

static void nearer_part(cast_state *f, const query_part *p)
{
    gap_search *g = f->user;
    const mover_state *m = g->m;
    double half = 0.5 * (double)m->def->length, away[3], axis[3];
    local_axis a = {.part = p, .reach = (float)g->reach};
    for (int k = 0; k < 3; k++)
    {
        away[k] = m->at[k] - (double)p->at.at[k] - (double)p->at.low[k];
        axis[k] = half * m->up[k];
    }
    rotate_into(&p->at, away, a.middle);
    rotate_into(&p->at, axis, a.half);
    axis_distance least = least_on_axis(&a);
    surface_distance s = least.s;
    double distance = (double)s.distance;
    if (!(distance < g->reach))
        return;
    pl_hit hit = part_hit(f, p, 0.0);
    bool nearer = !g->best.found || distance < g->best.distance ||
                  (distance == g->best.distance && hit_comes_before(&hit, &g->best.hit));
    if (!nearer)
        return;
    vec n = rotated(&p->at, s.normal);
    g->best = (mover_gap){distance, {(double)n.x, (double)n.y, (double)n.z}, hit, true};
    g->best.hit.normal = vec3_of(n);
    g->best.hit.point = vec3_of(out_of_frame(&p->at, sub(least.x, times(s.distance, s.normal))));
}

mover_gap mover_nearest(mover_state *m, double reach)
{
    gap_search g = {.m = m, .reach = reach};
    cast_state f = m->cast;
    double grow = reach - f.radius;
    f.at_part = nearer_part, f.user = &g;
    f.count = 0, f.distance = 0.0;
    for (int k = 0; k < 3; k++)
        f.from[k] = m->at[k], f.half[k] += grow > 0.0 ? grow : 0.0;
    if (m->result == PL_OK)
        m->result = cast_run(&f);
    return g.best;
}
