// time_of_impact.h: when two convex shapes that move and turn first come as near as a target distance.
//
// Conservative advancement (Mirtich 1996): along the present normal no point approaches faster than
//   -n.(v_B - v_A) + reach_A spin_A + reach_B spin_B,
// so the shapes cannot meet before the distance over this bound. At most IMPACT_STEPS rounds; a search that needs more
// returns the time it has reached, which is never too late. Orientations are blended as quaternions and normalised; the
// spin of that has the bound 4 tan(angle/4) a unit of time.
// Turns up to half a revolution; positions are relative to A's at the start.
#pragma once
#include "collide/gjk.h"

enum
{
    IMPACT_STEPS = 64,
};

enum impact_state
{
    IMPACT_NONE,    // they stay apart
    IMPACT_HIT,     // they come as near as the target at `time`
    IMPACT_INITIAL, // they are that near at the start
    IMPACT_CLOSE,   // out of rounds: still apart at `time`, but close
};

// The way of a body during a step: rotations at its start and end, displacement, and how far a shape's frame is shifted
// and turned in the body's.
typedef struct shape_motion
{
    quat from, to;
    vec way; // [m]
    pose shape;
} shape_motion;

typedef struct impact_time
{
    int state;
    float time; // 0 to 1
    vec normal; // from A to B, axes of the world
    vec at;     // the middle of the nearest points, relative to A's position at the start, axes of the world
    int steps;
} impact_time;

#if LANES == 1 && !defined(LANE_DOUBLE)

PL_FN quat quat_blend(quat a, quat b, float t)
{
    float sign = dot(a.v, b.v) + a.w * b.w < 0.0f ? -1.0f : 1.0f; // the shorter way
    quat r = {add(times(1.0f - t, a.v), times(sign * t, b.v)), (1.0f - t) * a.w + sign * t * b.w};
    float inverse = 1.0f / root(most(square(r.v) + r.w * r.w, 1e-20f));
    r.v = times(inverse, r.v);
    r.w = inverse * r.w;
    return r;
}

// A bound of the angular speed of quat_blend, rad a unit of time.
PL_FN float quat_angular_speed(quat a, quat b)
{
    float sign = dot(a.v, b.v) + a.w * b.w < 0.0f ? -1.0f : 1.0f;
    vec d = sub(times(sign, b.v), a.v);
    float w = sign * b.w - a.w, chord = 0.25f * (square(d) + w * w); // sin^2 of a quarter of the angle
    return 4.0f * root(chord / most(1.0f - chord, 0.25f));
}

// The pose of a moving shape at a time: rotation, and position relative to the body's at the start.
PL_FN pose shape_motion_at(const shape_motion *s, float t)
{
    mat3 m = mat_of_quat(quat_blend(s->from, s->to, t));
    pose p = {mat_mul(&m, &s->shape.rotation), add(times(t, s->way), mat_times(&m, s->shape.at))};
    return p;
}

// How far a shape's core reaches from the body's centre: a sphere at the centre does not move when it turns.
PL_FN float sweep_reach(const shape_motion *s, const convex *c)
{
    return length(s->shape.at) + (convex_reach(c) - convex_round(c));
}

// between: the position of body B minus that of A at the start. target: the distance at which they count as met [m].
PL_CALL impact_time time_of_impact(const convex *a, const shape_motion *sa, const convex *b, const shape_motion *sb,
                                   vec between, float target)
{
    float spin = quat_angular_speed(sa->from, sa->to) * sweep_reach(sa, a) +
                 quat_angular_speed(sb->from, sb->to) * sweep_reach(sb, b);
    float fine = most(0.05f * target, 1e-6f * (convex_reach(a) + convex_reach(b)) + 1e-7f * length(between));
    vec way = sub(sb->way, sa->way);
    impact_time r = {IMPACT_CLOSE, 0.0f, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0};
    for (; r.steps < IMPACT_STEPS; r.steps++)
    {
        pose pa = shape_motion_at(sa, r.time), pb = shape_motion_at(sb, r.time);
        pose p = pose_between(&pa.rotation, &pb.rotation, add(between, sub(pb.at, pa.at)));
        gjk_result g = gjk_distance(a, b, &p);
        r.normal = mat_times(&pa.rotation, g.normal);
        vec middle =
            times(0.5f, add(add(g.a, times(convex_round(a), g.normal)), sub(g.b, times(convex_round(b), g.normal))));
        r.at = add(pa.at, mat_times(&pa.rotation, middle));
        float left = g.distance - target;
        if (left <= fine)
        {
            r.state = r.steps == 0 && left <= 0.0f ? IMPACT_INITIAL : IMPACT_HIT;
            return r;
        }
        float speed = spin - dot(r.normal, way);
        if (!(speed * (1.0f - r.time) > left))
        {
            r.state = IMPACT_NONE;
            r.time = 1.0f;
            return r;
        }
        r.time = least(r.time + left / speed, 1.0f);
    }
    return r;
}

// ---- casts: shapes that move without turning -----------------------------------------------------------------------

typedef struct cast_hit
{
    int hit;
    float time; // 0 to 1 along the way
    vec normal; // of the surface that is hit, towards the cast shape; in B's frame
    vec at;     // the point of contact, in B's frame
} cast_hit;

// Moves A by `way` (in B's frame) from `start`, the pose of A in B's frame. A shape that overlaps at the start hits at
// 0. The distance is a convex function of time: Newton's steps approach the first touch from before.
PL_CALL cast_hit convex_cast(const convex *a, const pose *start, vec way, const convex *b)
{
    cast_hit r = {0, 0.0f, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    pose p = *start;
    float fine = 2e-6f * (convex_reach(a) + convex_reach(b)) + 2e-7f * length(start->at);
    for (int i = 0; i < IMPACT_STEPS; i++)
    {
        p.at = add(start->at, times(r.time, way));
        gjk_result g = gjk_distance(b, a, &p);
        // Very near, the direction between the points is rounding error: that of the round before counts.
        r.normal = i > 0 && g.core <= 1e-4f * convex_reach(b) ? r.normal : g.normal;
        r.at = add(g.a, times(convex_round(b), r.normal));
        if (b->kind != CONVEX_HULL || b->hull.faces > 0) // not a triangle
        {
            surface_distance s = convex_probe(b, r.at);
            r.at = sub(r.at, times(s.distance, s.normal));
        }
        float slope = dot(r.normal, way);
        if (g.distance <= fine)
        {
            r.hit = g.distance <= 0.0f || slope < 0.0f; // not if it only passes by within rounding
            return r;
        }
        if (!(-slope * (1.0f - r.time) > g.distance - fine))
            return r;
        r.time = least(r.time - g.distance / slope, 1.0f);
    }
    r.hit = 1;
    return r;
}

// A ray (radius 0) or a ball, from `from` by `way`, in the shape's frame.
PL_CALL cast_hit convex_ray(const convex *b, vec from, vec way, float radius)
{
    cast_hit r = {0, 0.0f, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    float fine = 2e-6f * convex_reach(b) + 4e-7f * (reach_of(from) + radius);
    for (int i = 0; i < IMPACT_STEPS; i++)
    {
        vec x = add(from, times(r.time, way));
        surface_distance s = convex_probe(b, x);
        float gap = s.distance - radius, slope = dot(s.normal, way);
        r.normal = s.normal;
        r.at = sub(x, times(s.distance, s.normal));
        if (gap <= fine)
        {
            r.hit = gap <= 0.0f || slope < 0.0f;
            return r;
        }
        if (!(-slope * (1.0f - r.time) > gap - fine))
            return r;
        r.time = least(r.time - gap / slope, 1.0f);
    }
    r.hit = 1;
    return r;
}

#endif
