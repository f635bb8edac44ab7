// contact.h: keeps two particles, or a particle and a surface, apart, with friction.           index: a b
//   C = |a - b| - reach >= 0 (bodies: contact_gap)    grad_a C = n = (a - b)/|a - b|,  grad_b C = -n,   W = wa + wb
//   C' = C - (1 - beta) min(0, C0) - h e u               a substep takes only beta of the overlap C0 it began with; bodies that met at u part at e u
//   dlambda = -(C' + c W lambda)/((1 + c) W)             lambda + dlambda >= 0
//   t = lambda_t - (I - n n^T)(d - d0)/W                 d = a - b now, d0 at the substep's start
//   lambda_t = t while |t| <= stick lambda, else max(slide lambda, stick lambda - 2 (|t| - stick lambda)) t/|t|
// lambda and lambda_t live on over substeps and frames, and each substep begins with them (warm.): that, letting lambda
// shrink again, and the slight compliance c relative to the masses are what lets a pile stand still. Friction as a position
// constraint: Macklin, Mueller, Chentanez, Kim 2014. Units: m; lambda and lambda_t in kg m (force times h^2).
#pragma once
#include "core/vec.h"

#define CONTACT_TINY 1e-9f     // m: nearer than this, two particles coincide and are parted along y
#define CONTACT_NOTHING -1e30f // the reach of padding: nothing is within it

typedef struct friction
{
    f32 stick, slide; // mu_s, mu_k
} friction;

// How a contact is driven.
typedef struct contact_softness
{
    float soft;  // c: compliance relative to the masses
    float share; // 1/(1 + c)
    float spare; // 1 - beta: the part of an old overlap that a substep leaves alone
    float swift; // m: more of it a substep does not take, for it makes speed of what it takes
} contact_softness;

typedef struct softness_lanes
{
    f32 soft, share, spare, swift;
} softness_lanes;

PL_FN softness_lanes either_softness(i32 mask, contact_softness a, contact_softness b)
{
    softness_lanes p = {pick(mask, splat(a.soft), splat(b.soft)), pick(mask, splat(a.share), splat(b.share)),
                        pick(mask, splat(a.spare), splat(b.spare)), pick(mask, splat(a.swift), splat(b.swift))};
    return p;
}

typedef struct contact_lambda
{
    f32 normal;
    vec tangent;
} contact_lambda;

// The tangential multiplier t within its limits, for the normal multiplier `lambda`. What t has beyond stick lambda is the slip
// (times 1/W), and from static to kinetic friction the limit falls by twice that: a contact of a resting pile that roundings drive
// to its limit yields by as little, where a jump from one friction to the other would kick its grains. Slower, and heaps stand
// steeper (mu_k counts for less); faster, and grains are kicked again.
PL_FN vec within_friction(vec t, f32 lambda, friction g)
{
    f32 size = length(t), stick = g.stick * lambda, slide = g.slide * lambda;
    f32 limit = most(slide, stick - 2.0f * (size - stick));
    f32 s = pick(size > stick, limit / most(size, splat(1e-30f)), splat(1.0f));
    return times(s, t);
}

// How fast two that touch part at a substep's start; where something bounces also how fast they did one substep earlier, and how fast they shall.
typedef struct parting
{
    f32 now, then, wanted;
} parting;

// A body follows its contacts over several substeps, and by then their multipliers have gathered more than stops it: they would throw it back,
// at half of its speed. So what a body's contact remembers is forgotten as soon as the two part faster than a heap at rest does, `slow`. Of those that shall part
// at some speed it remembers only what brings them to it, if another substep gives as much speed as the last.
PL_FN contact_lambda remembered(contact_lambda h, i32 body, parting p, float slow)
{
    f32 gain = p.now - p.then, left = p.wanted - p.now;
    i32 bounces = p.wanted > slow, some = bounces & (left > 0.0f) & (gain > 0.0f);
    i32 all = (body == 0) | (h.normal == 0.0f) | (bounces & (left >= gain)) | ((bounces == 0) & (p.now <= slow));
    f32 part = pick(all, splat(1.0f), keep(some, left / pick(some, gain, splat(1.0f))));
    i32 lasts = part > 0.0f;
    contact_lambda r = {keep(lasts, part * h.normal), keep_vec(lasts, times(part, h.tangent))};
    return r;
}

// Do the particles touch, or did they?
PL_FN i32 contact_live(point a, point b, f32 reach, f32 lambda)
{
    f32 d2 = square(sub(at(a), at(b)));
    return ((reach > 0.0f) & (d2 < reach * reach)) | (lambda != 0.0f);
}

PL_FN vec contact_normal(vec d, f32 len)
{
    i32 apart = len > CONTACT_TINY;
    f32 inverse = 1.0f / pick(apart, len, splat(1.0f));
    return vec_of(keep(apart, inverse * d.x), pick(apart, inverse * d.y, splat(1.0f)), keep(apart, inverse * d.z));
}

// How two particles face each other: the way in which a is pushed, and the face that it must not be behind (0: there is none).
typedef struct stance
{
    vec normal, face;
} stance;

// Bodies made of particles have faces, which their spheres do not show: a particle knows the way out of its body, g, and its depth.
//   x: from b to a, of length 1;   fa, fb: g and depth of each, 0 for loose particles
// The field of the one that is nearer to its surface counts; of two as near, the one that faces the other more. Where the other lies
// before that face, the face is the normal; beside it (an edge, a corner), the spheres meet as spheres; behind it, the contact
// is one-sided: near the surface x is mirrored out of the body, deep inside the way out is taken. Macklin, Mueller, Chentanez, Kim 2014, 5.1.
PL_FN stance body_facing(vec x, point fa, point fb, f32 reach)
{
    const f32 none = splat(1e30f);
    f32 to_a = -dot(at(fa), x), to_b = dot(at(fb), x);
    f32 deep_a = pick(square(at(fa)) > 0.0f, fa.w, none), deep_b = pick(square(at(fb)) > 0.0f, fb.w, none);
    f32 less = deep_b - deep_a, alike = 0.125f * reach;
    i32 first = (less >= alike) | ((less > -alike) & (to_a > to_b));
    vec g = vec_of(pick(first, -fa.x, fb.x), pick(first, -fa.y, fb.y), pick(first, -fa.z, fb.z));
    f32 along = pick(first, to_a, to_b), depth = pick(first, deep_a, deep_b);
    i32 behind = along < 0.0f, face = (along >= 0.5f) | (behind & (depth > 0.75f * reach));
    f32 twice = keep(behind, 2.0f * along);
    vec n = sub(x, times(twice, g));
    stance f = {vec_of(pick(face, g.x, n.x), pick(face, g.y, n.y), pick(face, g.z, n.z)), g};
    return f;
}

// C, which grows all the way when a comes out from behind b's face: |d| - reach, less twice how far behind it is. len: |d|.
PL_FN f32 contact_gap(vec d, f32 len, vec face, f32 reach)
{
    return len - reach + 2.0f * least(dot(d, face), splat(0.0f));
}

// The normal multiplier after a visit that finds the overlap c.
PL_FN f32 pressed(f32 c, f32 mass, f32 soft, f32 share, f32 lambda)
{
    return most(lambda - share * (mass * c + soft * lambda), splat(0.0f));
}

// What all visits share: by how much the normal and the tangential multiplier change, as one push. c: the overlap that is left to
// this visit; u: how far the two have run past each other in the substep; mass: 1/W.
PL_FN vec hold_apart(vec n, f32 c, vec u, f32 mass, friction g, f32 soft, f32 share, contact_lambda *h)
{
    f32 lambda = pressed(c, mass, soft, share, h->normal);
    u = sub(u, times(dot(u, n), n));
    vec t = within_friction(sub(h->tangent, times(mass, u)), lambda, g);
    vec push = add(times(lambda - h->normal, n), sub(t, h->tangent));
    h->normal = lambda;
    h->tangent = t;
    return push;
}

// How much of the overlap that a substep begins with may stay: with C' = C - this, beta of it and at most `swift` goes.
PL_FN f32 left_over(f32 c0, softness_lanes p)
{
    f32 overlap = least(c0, splat(0.0f));
    return least(p.spare * overlap, overlap + p.swift);
}

// What a visit needs of the substep's start and the masses alone: a - b then, its length, and 1/W.
typedef struct contact_start
{
    vec d;
    f32 len, mass;
    f32 wanted; // m: how far they are to part in the substep
} contact_start;

PL_FN contact_start contact_start_of(point a, point b, vec d0, f32 wanted)
{
    contact_start o = {d0, length(d0), 1.0f / (a.w + b.w), wanted};
    return o;
}

// One visit: what the pair is pushed by (a moves by wa times it, b by -wb times it).
PL_FN vec contact_visit(point a, point b, stance f, contact_start o, f32 reach, friction g, softness_lanes p,
                        contact_lambda *h)
{
    vec d = sub(at(a), at(b));
    f32 left = left_over(contact_gap(o.d, o.len, f.face, reach), p);
    f32 c = contact_gap(d, length(d), f.face, reach) - left - o.wanted;
    return hold_apart(f.normal, c, sub(d, o.d), o.mass, g, p.soft, p.share, h);
}

// The same against a surface that only its maker moves: n . x >= offset, and it runs by `drift` in the substep.
PL_FN vec shape_contact_visit(point a, vec a0, vec n, f32 offset, vec drift, friction g, softness_lanes p, f32 wanted,
                              contact_lambda *h)
{
    f32 c = dot(n, at(a)) - offset, c0 = dot(n, add(a0, drift)) - offset;
    c = c - left_over(c0, p) - wanted;
    return hold_apart(n, c, sub(sub(at(a), a0), drift), 1.0f / a.w, g, p.soft, p.share, h);
}

PL_FN void pushed(point *a, vec push)
{
    a->x = a->x + a->w * push.x;
    a->y = a->y + a->w * push.y;
    a->z = a->z + a->w * push.z;
}

PL_FN void pulled(point *a, vec push)
{
    a->x = a->x - a->w * push.x;
    a->y = a->y - a->w * push.y;
    a->z = a->z - a->w * push.z;
}

// Restitution of bodies: how fast the two met is remembered with their velocities, and until they part e times as fast their contacts press. The
// memory fades, by as much in a substep: it outlasts an impact.
PL_FN f32 struck_fades(f32 speed) { return keep(speed > 1e-6f, 0.98f * speed); }

// A particle has one such memory, and many contacts: those count that are in the midst of an impact themselves.
PL_FN i32 strikes(f32 parts, f32 then, float slow) { return (parts < -slow) | (parts - then > slow); }

PL_FN f32 struck(f32 last, i32 body, f32 before, float threshold)
{
    return most(last, keep(body & (before < -threshold), -before));
}

// Restitution: the impulse after which they part e times as fast as they met, for impacts faster than a threshold.
//   before, now: n . (va - vb) at the substep's start, and after it
PL_FN f32 bounce(f32 before, f32 now, f32 e, float threshold, f32 weight)
{
    f32 wanted = -(e * before);
    i32 hits = (before < -threshold) & (now < wanted) & (weight > 0.0f);
    return keep(hits, (wanted - now) / pick(hits, weight, splat(1.0f)));
}
