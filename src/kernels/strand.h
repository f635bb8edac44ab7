// strand.h: chains of particles that keep the lengths of their links: hair.
//
// Follow the leader (FTL): from the root on, each point moves to its distance from the point above, which has its final
// position already, so that one pass satisfies every link. With the way e from the point above,
//   e' = rest e/|e|,   p += e' - e =: p + c
// The point above is not moved, so a pull changes the momentum of the strand. Dynamic FTL (DFTL) returns it: the pull c of
// a point has the impulse c/(w h), and the point above gets the opposite one, v_above += -s (w_above/w) c/h. The velocity
// is needed only to predict the next substep, so the pass adds it there, and velocities stay those of the motion: with
// a = c/h^2,
//   d_above += -s (w_above/w) h^2 a
// With s = 1 that conserves momentum. Where the upper point is the lighter one, w_above/w counts as 1: what it got back would
// grow from substep to substep, because it comes one substep late. With s < 1 the strand is damped and its upper part lighter: a link bears at most
// the weight of 1/(1 - s) points below it. s = 0 is FTL. Mueller, Kim, Chentanez 2012.
//
// XPBD moves both points of a link by their masses, link after link from the root; it needs several iterations.
//
// A point that a shape pushes away stays at its distance from the point above: the closest such place in the plane
// n . p >= b is on the circle where the plane cuts the sphere around the point above.
#pragma once
#include "core/vec.h"

// The correction of a link: way: from the point above.
PL_FN vec strand_pull(vec way, f32 rest)
{
    f32 reach = length(way);
    i32 live = reach > 0.0f;
    return times(keep(live, (rest - reach) / pick(live, reach, splat(1.0f))), way);
}

// What moves a point out of a plane that it is `gap` behind (above 0), without a change of its distance from the point
// above, or as far as the link reaches.
PL_FN vec strand_slide(vec way, f32 rest, vec normal, f32 gap)
{
    f32 deep = dot(normal, way), high = least(deep + gap, rest);
    vec along = sub(way, times(deep, normal));
    f32 wide = length(along), left = rest * rest - high * high;
    i32 live = (wide > 0.0f) & (left > 0.0f);
    f32 share = keep(live, root(most(left, splat(0.0f))) / pick(live, wide, splat(1.0f)));
    vec to = add(times(high, normal), times(share, along));
    return keep_vec(gap > 0.0f, sub(to, way));
}
