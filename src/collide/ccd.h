// ccd.h: continuous collision detection: the time at which two moving simplices come within a thickness of each other.
// Vertex against triangle, edge against edge, and a sphere swept along a line against a fixed triangle. Corners move at
// constant velocity over the time 0 to 1.
//
// Conservative advancement. For any unit n, the distance at a later time is at least the minimum, over the pairs of a
// corner i of one and a corner j of the other, of n . (x_i - x_j), which is linear in time for each pair. So the two
// cannot meet before the first pair has closed its gap: a step of that length is safe, and the next step starts there
// with a new n. n is the direction between the nearest points, or the normal of the triangle (of both edges), whichever
// gives the larger separation. The step is never shorter than the distance divided by the largest relative speed.
// Mirtich 1996; Li, Kaufman, Jiang 2021.
//
// No false negatives. A step aims to stop a `slack` above the thickness, and a hit is reported within twice the slack,
// where
//   slack = 2^-18 S,  S = the largest difference of coordinates between corners of the two, at the start or at the end,
// which is more than the sum of all rounding errors (about 50 units of 2^-24 S). So where no hit is reported, the
// distance stays above the smaller of (the thickness - 2 slack) and the distance at which it first came that near; it
// never reaches 0. A hit is reported up to 2 slack too far away: it is early, never late. Two simplices that start
// within the thickness and only move apart are no hit; two that start within `slack` of crossing always are. After
// CCD_STEPS steps the time reached, which is safe, is reported as a hit.
#pragma once
#include "collide/simplex.h"

#define CCD_SLACK 0x1p-18f
#define CCD_STEPS 256 // two on average; long edges that rotate fast and pass each other very closely take the most

typedef struct impact
{
    i32 hit;       // a mask
    f32 time;      // 0 to 1; 1 where there is no hit
    vec normal;    // unit, from the second to the first
    f32 weight[4]; // of the nearest points, as in simplex.h
} impact;

// The projection on n: for all pairs of corners, the gap and its closing speed.
typedef struct slabs
{
    f32 least; // the smallest gap
    f32 step;  // the time until the first pair has closed to `aim`
    f32 last;  // the smallest gap at the end, over the closing pairs
} slabs;

PL_FN void slabs_open(slabs *s)
{
    s->least = splat(0x1p120f);
    s->step = splat(2.0f);
    s->last = splat(0x1p120f);
}

PL_FN void slabs_pair(slabs *s, f32 gap, f32 closing, f32 left, f32 aim)
{
    i32 closes = closing > 0.0f;
    f32 room = most(gap - aim, splat(0.0f));
    s->least = least(s->least, gap);
    s->step = least(s->step, pick(closes, room / pick(closes, closing, splat(1.0f)), splat(2.0f)));
    s->last = least(s->last, pick(closes, gap - closing * left, splat(0x1p120f)));
}

PL_FN slabs slabs_better(slabs a, slabs b, i32 *second)
{
    *second = b.least > a.least;
    slabs r = {pick(*second, b.least, a.least), pick(*second, b.step, a.step), pick(*second, b.last, a.last)};
    return r;
}

// The state of a search: lanes that are done do not change while the others continue.
typedef struct search
{
    impact r;
    i32 live;
    f32 thickness, slack, speed; // speed: upper bound of the relative speed of any two corners
} search;

PL_FN void search_open(search *s, f32 size, f32 thickness, f32 speed)
{
    f32 none = splat(0.0f);
    s->thickness = thickness;
    s->slack = CCD_SLACK * (size + thickness);
    s->speed = speed * 1.00001f;
    s->live = none == 0.0f;
    s->r.hit = none > 0.0f;
    s->r.time = none;
    s->r.normal = vec_of(none, splat(1.0f), none);
    for (int i = 0; i < 4; i++)
        s->r.weight[i] = none;
}

// Ends a lane that is in contact, or advances its time.
PL_FN void search_step(search *s, const closest *now, f32 distance, vec n, slabs k)
{
    impact *r = &s->r;
    i32 crossing = distance <= s->slack;
    i32 touching = crossing | (distance <= s->thickness + 2.0f * s->slack);
    // A slab that does not separate the two proves nothing about later times.
    i32 deeper = crossing | (k.least <= s->slack) | (k.last < most(s->thickness - s->slack, splat(0.0f)));
    i32 hit = s->live & touching & deeper;
    r->hit = r->hit | hit;
    r->normal = pick_vec(s->live, n, r->normal);
    for (int i = 0; i < 4; i++)
        r->weight[i] = pick(s->live, now->weight[i], r->weight[i]);

    // Where n is only rounding error (nearly touching) the slabs may give no step; the speed bound still does.
    i32 moves = s->speed > 0.0f;
    f32 room = most(distance - s->thickness - s->slack, splat(0.0f));
    f32 step = keep(k.least >= s->thickness + s->slack, k.step); // only if the slabs separate the two
    step = most(step, pick(moves, room / pick(moves, s->speed, splat(1.0f)), splat(2.0f)));
    f32 later = r->time + step;
    i32 past = not_so(later <= 1.0f);
    i32 ended = s->live & not_so(hit) & (touching | past);
    s->live = s->live & not_so(hit) & not_so(ended);
    r->time = pick(s->live, later, r->time);
    r->time = pick(ended, splat(1.0f), r->time);
}

// Lanes that have not ended have reached a safe time; it counts as a hit.
PL_FN impact search_close(search *s)
{
    s->r.hit = s->r.hit | s->live;
    return s->r;
}

PL_FN int none_of(i32 mask) { return everywhere(not_so(mask)); }

PL_FN vec facing(vec n, vec toward) { return pick_vec(dot(n, toward) < 0.0f, negative(n), n); }

PL_FN slabs slabs_of_vertex(vec n, const vec *x, const vec *u, f32 left, f32 aim)
{
    slabs k;
    slabs_open(&k);
    for (int i = 0; i < 3; i++)
        slabs_pair(&k, -dot(n, x[i]), dot(n, u[i]), left, aim);
    return k;
}

// Tests the vertex p against the triangle a b c; from[] and to[]: p a b c at time 0 and at time 1.
PL_FN impact vertex_triangle_ccd(const vec *from, const vec *to, f32 thickness)
{
    vec origin = vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), start[3], u[3];
    f32 size = splat(0.0f), speed = size;
    for (int i = 0; i < 3; i++) // relative to p; differences at both times lose less than differences of motions
    {
        vec end = sub(to[i + 1], to[0]);
        start[i] = sub(from[i + 1], from[0]);
        u[i] = sub(end, start[i]);
        size = most(size, most(reach_of(start[i]), reach_of(end)));
        speed = most(speed, length(u[i]));
    }
    search s;
    search_open(&s, size, thickness, speed);
    for (int k = 0; k < CCD_STEPS && !none_of(s.live); k++)
    {
        vec x[3];
        for (int i = 0; i < 3; i++)
            x[i] = add(start[i], times(s.r.time, u[i]));
        closest now = point_triangle(origin, x[0], x[1], x[2]);
        f32 distance = root(now.square), len, left = 1.0f - s.r.time, aim = thickness + s.slack;
        vec n = direction(now.between, s.r.normal, &len);
        vec face = facing(direction(cross(sub(x[1], x[0]), sub(x[2], x[0])), n, &len), now.between);
        i32 second;
        slabs best = slabs_better(slabs_of_vertex(n, x, u, left, aim), slabs_of_vertex(face, x, u, left, aim), &second);
        search_step(&s, &now, distance, pick_vec(second, face, n), best);
    }
    return search_close(&s);
}

PL_FN slabs slabs_of_edges(vec n, const vec *x, const vec *u, f32 left, f32 aim)
{
    f32 g[4], c[4];
    g[0] = c[0] = splat(0.0f);
    for (int i = 1; i < 4; i++)
    {
        g[i] = dot(n, x[i]);
        c[i] = dot(n, u[i]);
    }
    slabs k;
    slabs_open(&k);
    for (int i = 0; i < 2; i++)
        for (int j = 2; j < 4; j++)
            slabs_pair(&k, g[i] - g[j], c[j] - c[i], left, aim);
    return k;
}

// Tests the edge p0 p1 against the edge q0 q1; from[] and to[]: p0 p1 q0 q1 at time 0 and at time 1.
PL_FN impact edge_edge_ccd(const vec *from, const vec *to, f32 thickness)
{
    vec start[4], u[4];
    f32 size = splat(0.0f), speed = size;
    for (int i = 0; i < 4; i++) // relative to p0
    {
        vec end = sub(to[i], to[0]);
        start[i] = sub(from[i], from[0]);
        u[i] = sub(end, start[i]);
        size = most(size, most(reach_of(start[i]), reach_of(end)));
    }
    for (int i = 0; i < 4; i++)
        speed = most(speed, length(sub(u[i / 2], u[2 + i % 2])));
    search s;
    search_open(&s, size, thickness, speed);
    for (int k = 0; k < CCD_STEPS && !none_of(s.live); k++)
    {
        vec x[4];
        for (int i = 0; i < 4; i++)
            x[i] = add(start[i], times(s.r.time, u[i]));
        closest now = edge_edge(x[0], x[1], x[2], x[3]);
        f32 distance = root(now.square), len, left = 1.0f - s.r.time, aim = thickness + s.slack;
        vec n = direction(now.between, s.r.normal, &len);
        vec both = facing(direction(cross(sub(x[1], x[0]), sub(x[3], x[2])), n, &len), now.between);
        i32 second;
        slabs best = slabs_better(slabs_of_edges(n, x, u, left, aim), slabs_of_edges(both, x, u, left, aim), &second);
        search_step(&s, &now, distance, pick_vec(second, both, n), best);
    }
    return search_close(&s);
}

// Tests a sphere whose centre moves from `from` to `to` against a fixed, thin, two-sided triangle.
PL_FN impact sphere_triangle_ccd(vec from, vec to, f32 radius, vec a, vec b, vec c)
{
    vec origin = vec_of(splat(0.0f), splat(0.0f), splat(0.0f)), v = sub(to, from);
    vec start[3] = {sub(a, from), sub(b, from), sub(c, from)}, x[3], u[3];
    vec face = cross(sub(b, a), sub(c, a));
    f32 size = reach_of(v), len;
    face = direction(face, vec_of(splat(0.0f), splat(1.0f), splat(0.0f)), &len);
    for (int i = 0; i < 3; i++)
    {
        u[i] = negative(v);
        size = most(size, reach_of(start[i]));
    }
    search s;
    search_open(&s, size, radius, length(v));
    for (int k = 0; k < CCD_STEPS && !none_of(s.live); k++)
    {
        for (int i = 0; i < 3; i++)
            x[i] = sub(start[i], times(s.r.time, v));
        closest now = point_triangle(origin, x[0], x[1], x[2]);
        f32 distance = root(now.square), left = 1.0f - s.r.time, aim = radius + s.slack;
        vec n = direction(now.between, facing(face, negative(v)), &len);
        vec front = facing(face, now.between);
        i32 second;
        slabs best =
            slabs_better(slabs_of_vertex(n, x, u, left, aim), slabs_of_vertex(front, x, u, left, aim), &second);
        search_step(&s, &now, distance, pick_vec(second, front, n), best);
    }
    return search_close(&s);
}
