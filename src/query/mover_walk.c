// mover_walk.c: moves a capsule through the world: pushed out of overlaps, sliding along walls, up steps, down to the ground.
//
// A motion is divided into parts of at most half a radius, so that stairs are climbed at any speed. Each part slides
// along what it hits (clipped at up to five planes, along the crease of two); one that is blocked on the ground is tried
// again from a step higher. All casts are continuous, with a capsule that is smaller by the skin, and stop a skin before
// what they hit: so nothing is passed through, and a mover that is pressed into a corner rests.
#include "query/mover.h"

#include <math.h>
#include <string.h>

enum
{
    PUSH_ROUNDS = 16,
    SLIDE_ROUNDS = 8,
    PLANES = 5,
    PARTS_MOST = 256,
};

// ---- casts ---------------------------------------------------------------------------------------------------------

static double length3d(const double v[3]) { return sqrt(dot3d(v, v)); }

static void remove_along(double v[3], const double n[3])
{
    double along = dot3d(v, n);
    for (int k = 0; k < 3; k++)
        v[k] -= along * n[k];
}

// Casts the capsule by `by` and moves it as far as it goes. Returns the share of the way; *hit tells what stopped it.
static double advance(mover_state *m, const double by[3], pl_hit *hit)
{
    double far = length3d(by), skin = (double)m->def->skin;
    *hit = (pl_hit){.face = -1, .particle = -1, .part = -1};
    if (!(far > 0.0) || m->result != PL_OK)
        return 1.0;
    cast_state f = m->cast;
    f.hits = hit, f.capacity = 1, f.count = 0, f.all = 0;
    f.leaves = true;
    for (int k = 0; k < 3; k++)
        f.from[k] = m->at[k], f.way[k] = by[k] / far;
    // A grazing hit within the skin lies up to 20 skins ahead.
    f.distance = far + 20.0 * skin;
    m->result = cast_run(&f);
    double go = far;
    if (hit->found)
    {
        const double n[3] = {(double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z};
        double facing = -dot3d(n, f.way);
        go = (double)hit->distance - skin / (facing > 0.05 ? facing : 0.05);
        go = go < 0.0 ? 0.0 : go > far ? far : go;
    }
    if (go >= far)
        hit->found = false;
    for (int k = 0; k < 3; k++)
        m->at[k] += go * f.way[k];
    return go / far;
}

static void remember_touch(mover_state *m, const pl_hit *hit)
{
    pl_mover *o = m->out;
    for (int i = 0; i < o->touches; i++)
        if (o->touch[i].shape.index == hit->shape.index && o->touch[i].object.index == hit->object.index &&
            o->touch[i].part == hit->part)
            return;
    if (o->touches < PL_MOVER_TOUCHES)
        o->touch[o->touches++] = *hit;
}

// ---- out of overlaps -----------------------------------------------------------------------------------------------

void mover_push_out(mover_state *m)
{
    double radius = (double)m->def->radius;
    for (int i = 0; i < PUSH_ROUNDS; i++)
    {
        mover_gap g = mover_nearest(m, radius);
        double deep = radius - g.distance;
        if (!g.found || m->result != PL_OK || deep <= 0.05 * (double)m->def->skin)
            return;
        for (int k = 0; k < 3; k++)
            m->at[k] += deep * g.normal[k];
        remember_touch(m, &g.hit);
    }
}

// ---- ground --------------------------------------------------------------------------------------------------------

// Is what was hit flat enough to stand on? At an edge the ground behind it counts, if it is not higher than `highest`.
static bool can_stand(mover_state *m, const pl_hit *hit, double highest)
{
    double n[3] = {(double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z}, flat[3];
    double rise = dot3d(n, m->up), over[3];
    const double p[3] = {(double)hit->point.x, (double)hit->point.y, (double)hit->point.z};
    if (rise >= m->walkable)
        return true;
    if (rise <= 0.0 || dot3d(p, m->up) > highest)
        return false;
    memcpy(flat, n, sizeof flat);
    remove_along(flat, m->up);
    double size = length3d(flat), back = 0.1 * (double)m->def->radius, above = (double)m->def->radius;
    cast_state f = m->cast;
    pl_hit ground = {.part = -1};
    for (int k = 0; k < 3; k++)
    {
        over[k] = p[k] - back * flat[k] / size + above * m->up[k];
        f.from[k] = over[k], f.way[k] = -m->up[k], f.centre[k] = f.half[k] = 0.0;
    }
    f.form = PL_CAST_BALL, f.radius = f.reach = 0.0;
    f.distance = 2.0 * above;
    f.hits = &ground, f.capacity = 1, f.count = 0;
    m->result = cast_run(&f);
    const double top[3] = {(double)ground.normal.x, (double)ground.normal.y, (double)ground.normal.z};
    // Within the reach of the slope limit from the edge, and not inside a wall.
    return ground.found && ground.distance > 0.0f && dot3d(top, m->up) >= m->walkable &&
           fabs((double)ground.distance - above) < 0.2 * (double)m->def->radius;
}

static void set_ground(mover_state *m, const pl_hit *hit)
{
    m->out->grounded = true;
    m->out->ground = *hit;
    m->out->ground.distance = m->out->ground.fraction = 0.0f;
    m->out->ground_normal = hit->normal;
}

static double height_of(const mover_state *m) { return dot3d(m->at, m->up); }
static double foot_of(const mover_state *m)
{
    return height_of(m) - 0.5 * (double)m->def->length - (double)m->def->radius;
}

// Moves down by `far` at most. Returns whether it stands then; else it stays where it was, unless `fall` is set.
static bool come_down(mover_state *m, double far, bool fall)
{
    double by[3], start[3], highest = foot_of(m) + (double)m->def->step_height;
    pl_hit hit;
    memcpy(start, m->at, sizeof start);
    for (int k = 0; k < 3; k++)
        by[k] = -far * m->up[k];
    advance(m, by, &hit);
    if (m->result == PL_OK && hit.found && can_stand(m, &hit, highest))
    {
        set_ground(m, &hit);
        return true;
    }
    if (!fall)
        memcpy(m->at, start, sizeof start);
    return false;
}

bool mover_come_down(mover_state *m, double far) { return come_down(m, far, false); }

// ---- sliding -------------------------------------------------------------------------------------------------------

typedef struct slide_planes
{
    double normal[PLANES][3];
    int count;
} slide_planes;

static bool allowed(const slide_planes *s, const double v[3], int except)
{
    for (int i = 0; i < s->count; i++)
        if (i != except && dot3d(v, s->normal[i]) < -1e-9 * length3d(v))
            return false;
    return true;
}

// Clips the rest of a motion at all planes that were hit; walks: a slope that it can stand on raises it without slowing
// it down. Returns false if nothing is left.
static bool clip(const slide_planes *s, double rest[3])
{
    for (int i = 0; i < s->count; i++)
    {
        double v[3] = {rest[0], rest[1], rest[2]};
        double into = dot3d(v, s->normal[i]);
        for (int k = 0; k < 3 && into < 0.0; k++)
            v[k] -= into * s->normal[i][k];
        if (allowed(s, v, i))
        {
            memcpy(rest, v, sizeof v);
            return length3d(v) > 0.0;
        }
    }
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < i; j++)
        {
            const double *a = s->normal[i], *b = s->normal[j];
            double crease[3], v[3];
            for (int k = 0; k < 3; k++)
                crease[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            double size = length3d(crease), along = size > 1e-6 ? dot3d(rest, crease) / (size * size) : 0.0;
            for (int k = 0; k < 3; k++)
                v[k] = along * crease[k];
            if (size > 1e-6 && allowed(s, v, -1))
            {
                memcpy(rest, v, sizeof v);
                return length3d(v) > 0.0;
            }
        }
    return false;
}

// The plane that a hit stands for. A walker is stopped by a slope that is too steep as by a wall.
static void plane_of_hit(mover_state *m, const pl_hit *hit, bool walks, double n[3])
{
    n[0] = (double)hit->normal.x, n[1] = (double)hit->normal.y, n[2] = (double)hit->normal.z;
    double rise = dot3d(n, m->up);
    if (!walks || rise >= m->walkable)
        return;
    double flat[3] = {n[0], n[1], n[2]};
    remove_along(flat, m->up);
    double size = length3d(flat);
    for (int k = 0; k < 3 && size > 1e-3; k++)
        n[k] = flat[k] / size;
}

// Slides by `by`. Returns whether it was stopped on the way by something that it does not stand on.
static bool slide(mover_state *m, const double by[3], bool walks)
{
    double rest[3] = {by[0], by[1], by[2]};
    slide_planes s = {.count = 0};
    bool blocked = false;
    for (int i = 0; i < SLIDE_ROUNDS && s.count < PLANES; i++)
    {
        pl_hit hit;
        double share = advance(m, rest, &hit), *n = s.normal[s.count];
        if (!hit.found || m->result != PL_OK)
            break;
        remember_touch(m, &hit);
        plane_of_hit(m, &hit, walks, n);
        double rise = dot3d(n, m->up), into = dot3d(rest, n);
        for (int k = 0; k < 3; k++)
            rest[k] *= 1.0 - share;
        if (walks && rise >= m->walkable && into < 0.0) // up the slope, as fast across `up` as before
        {
            for (int k = 0; k < 3; k++)
                rest[k] -= (1.0 - share) * into / rise * m->up[k];
            if (s.count == 0 && i < SLIDE_ROUNDS / 2)
                continue;
        }
        blocked |= rise < m->walkable;
        s.count++;
        if (!clip(&s, rest) || dot3d(rest, by) <= 0.0)
            break;
    }
    return blocked;
}

// ---- walking -------------------------------------------------------------------------------------------------------

static double progress(const mover_state *m, const double from[3], const double by[3])
{
    const double way[3] = {m->at[0] - from[0], m->at[1] - from[1], m->at[2] - from[2]};
    return dot3d(way, by) / length3d(by);
}

// Tries the same way from a step higher. Returns whether that led farther, to ground that it can stand on.
static bool climb(mover_state *m, const double start[3], const double by[3])
{
    double before[3], lift[3], step = (double)m->def->step_height, foot, gained = progress(m, start, by);
    pl_hit hit;
    memcpy(before, m->at, sizeof before);
    memcpy(m->at, start, sizeof before);
    foot = foot_of(m);
    for (int k = 0; k < 3; k++)
        lift[k] = step * m->up[k];
    double raised = step * advance(m, lift, &hit);
    slide(m, by, true);
    double down[3], highest = foot + step + (double)m->def->skin;
    for (int k = 0; k < 3; k++)
        down[k] = -(raised + (double)m->def->skin) * m->up[k];
    bool better = m->result == PL_OK && progress(m, start, by) > gained + 1e-4 * (double)m->def->radius;
    if (better)
    {
        advance(m, down, &hit);
        const double p[3] = {(double)hit.point.x, (double)hit.point.y, (double)hit.point.z};
        better = hit.found && dot3d(p, m->up) <= highest && can_stand(m, &hit, highest);
    }
    if (better)
        set_ground(m, &hit);
    else
        memcpy(m->at, before, sizeof before);
    return better;
}

// One part of the motion across `up`.
static void walk(mover_state *m, const double by[3], bool on_ground, bool keep_ground)
{
    double start[3];
    memcpy(start, m->at, sizeof start);
    bool blocked = slide(m, by, on_ground);
    if (blocked && on_ground && m->def->step_height > 0.0f && climb(m, start, by))
        return;
    if (on_ground && keep_ground)
        m->out->grounded = come_down(m, (double)m->def->snap + (double)m->def->skin, false);
}

void mover_across(mover_state *m, const double by[3], bool keep_ground)
{
    double far = length3d(by), part = 0.5 * (double)m->def->radius, one[3];
    double parts = far > part ? ceil(far / part) : 1.0;
    parts = parts > PARTS_MOST ? PARTS_MOST : parts;
    for (int k = 0; k < 3; k++)
        one[k] = by[k] / parts;
    for (int i = 0; i < (int)parts && far > 0.0 && m->result == PL_OK; i++)
        walk(m, one, m->out->grounded, keep_ground);
}

void mover_along(mover_state *m, double rise)
{
    double by[3];
    for (int k = 0; k < 3; k++)
        by[k] = rise * m->up[k];
    if (rise > 0.0)
    {
        m->out->grounded = false;
        slide(m, by, false);
        return;
    }
    if (m->out->grounded && m->def->snap > 0.0f)
        return; // it already came down
    m->out->grounded = false;
    double start[3];
    memcpy(start, m->at, sizeof start);
    if (come_down(m, -rise + (double)m->def->skin, true))
        return;
    memcpy(m->at, start, sizeof start);
    slide(m, by, false); // in the air, or along what is too steep
    come_down(m, (double)m->def->skin, false);
}
