// contact.h: keeps two particles, or a particle and a shape's surface, apart, with friction.           index: a b
//   C = |a - b| - reach >= 0 (bodies: contact_gap)    grad_a C = n = (a - b)/|a - b|,  grad_b C = -n,   W = wa + wb
//   C' = C - (1 - beta) min(0, C0) - h e u               C0: the overlap at the substep's start, u: impact speed
//   dlambda = -(C' + c W lambda)/((1 + c) W)             lambda + dlambda >= 0
//   t = lambda_t - (I - n n^T) u/W                       u: the displacement of a relative to b in the substep
//   lambda_t = t while |t| <= stick lambda, else max(slide lambda, stick lambda - 2 (|t| - stick lambda)) t/|t|
// A substep removes only the fraction beta of the overlap C0 that it begins with. Bodies that meet at speed u separate
// at e u.
// lambda and lambda_t are kept over substeps and frames, and each substep starts with them (warm start). A pile comes
// to rest because of the warm start, because lambda may decrease again, and because of the small compliance c relative
// to the masses. Friction as a position constraint: Macklin, Mueller, Chentanez, Kim 2014. Units: m; lambda and
// lambda_t in kg m (force times h^2).
#pragma once
#include "core/vec.h"

#define CONTACT_TINY 1e-9f     // m: two particles closer than this coincide and are separated along y
#define CONTACT_NOTHING -1e30f // the reach of padding rows: they never make contact

typedef struct friction
{
    f32 stick, slide; // mu_s, mu_k
} friction;

// How stiff a contact is, and how fast it removes overlap.
typedef struct contact_softness
{
    float soft;  // c: compliance relative to the masses
    float share; // 1/(1 + c)
    float spare; // 1 - beta: the fraction of the initial overlap that a substep does not remove
    float swift; // m: limits the overlap removed in one substep: removing more would turn it into velocity
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

// Limits the tangential multiplier t for the normal multiplier `lambda`. The part of t above stick lambda is the slip
// (times 1/W); from static to kinetic friction the limit falls by twice that part. A contact of a resting pile that
// rounding errors drive to its limit then yields only a little, where a jump from static to kinetic friction would kick
// its particles. With a slower fall heaps stand steeper (mu_k counts for less); with a faster one particles are kicked
// again.
PL_FN vec within_friction(vec t, f32 lambda, friction g)
{
    f32 size = length(t), stick = g.stick * lambda, slide = g.slide * lambda;
    f32 limit = most(slide, stick - 2.0f * (size - stick));
    f32 s = pick(size > stick, limit / most(size, splat(1e-30f)), splat(1.0f));
    return times(s, t);
}

// The separating speed of two particles in contact at the substep's start. With restitution also the speed one substep
// earlier (then) and the target speed (wanted).
typedef struct parting
{
    f32 now, then, wanted;
} parting;

// Returns the multipliers that a contact starts the substep with. A body of particles follows its contacts over several
// substeps; by then the multipliers have grown to more than what stops it, and would throw it back at half of its
// speed. So a body's contact starts from zero as soon as the two separate faster than a resting heap does (`slow`).
// With restitution it keeps only the part that brings the pair to the target speed, assuming that the next substep adds
// as much speed as the last one did.
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

// Is the pair in contact now, or does it still have a multiplier?
PL_FN i32 contact_live(vec d, f32 reach, f32 lambda)
{
    f32 d2 = square(d);
    return ((reach > 0.0f) & (d2 < reach * reach)) | (lambda != 0.0f);
}

PL_FN vec contact_normal(vec d, f32 len)
{
    i32 apart = len > CONTACT_TINY;
    f32 inverse = 1.0f / pick(apart, len, splat(1.0f));
    return vec_of(keep(apart, inverse * d.x), pick(apart, inverse * d.y, splat(1.0f)), keep(apart, inverse * d.z));
}

// The direction in which a is pushed, and the normal of the face that it must stay in front of (0: there is none).
typedef struct stance
{
    vec normal, face;
} stance;

// Computes the contact normal for particles of bodies. The spheres do not show a body's faces, so each particle stores
// the outward direction of its body, g, and its depth below the surface.
//   x: from b to a, of length 1;   fa, fb: g and depth of each, 0 for loose particles
// The field of the particle that is nearer to its surface is used; if both are about as near, the one that faces the
// other more. Where the other particle is in front of that face, the face's direction is the normal; beside it (an
// edge, a corner), the normal is that of the spheres; behind it, the contact is one-sided: near the surface x is
// mirrored out of the body, deep inside the outward direction is used. Macklin, Mueller, Chentanez, Kim 2014, 5.1.
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

// C, made monotonic for a particle behind the face: |d| - reach, minus twice its distance behind the face. len: |d|.
PL_FN f32 contact_gap(vec d, f32 len, vec face, f32 reach)
{
    return len - reach + 2.0f * least(dot(d, face), splat(0.0f));
}

// Returns the normal multiplier after one solve with constraint value c.
PL_FN f32 pressed(f32 c, f32 mass, f32 soft, f32 share, f32 lambda)
{
    return most(lambda - share * (mass * c + soft * lambda), splat(0.0f));
}

// The part that all contact solves share: returns the change of the normal and the tangential multiplier as one
// impulse. c: the constraint value to be removed; u: the relative displacement of the two in the substep; mass: 1/W.
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

// Returns the part of the initial overlap that may remain: with C' = C - this, the substep removes the fraction beta of
// it, and at most `swift`.
PL_FN f32 left_over(f32 c0, softness_lanes p)
{
    f32 overlap = least(c0, splat(0.0f));
    return least(p.spare * overlap, overlap + p.swift);
}

// Two particles in the substep: a - b now and at its start, and the displacement of a relative to b since.
typedef struct contact_way
{
    vec d, d0, u;
} contact_way;

// Solves one contact and returns its impulse: a moves by wa times it, b by -wb times it. weight: wa + wb; wanted [m]:
// how far the two shall separate in the substep (restitution).
PL_FN vec contact_visit(contact_way o, f32 weight, f32 wanted, stance f, f32 reach, friction g, softness_lanes p,
                        contact_lambda *h)
{
    f32 left = left_over(contact_gap(o.d0, length(o.d0), f.face, reach), p);
    f32 c = contact_gap(o.d, length(o.d), f.face, reach) - left - wanted;
    return hold_apart(f.normal, c, o.u, 1.0f / weight, g, p.soft, p.share, h);
}

// The same against a shape, which the solver does not move: n . d >= offset. The shape moves by `drift` in the substep.
// d: the displacement of the particle; low: where it starts from.
PL_FN vec shape_contact_visit(point d, vec low, vec n, f32 offset, vec drift, friction g, softness_lanes p, f32 wanted,
                              contact_lambda *h)
{
    f32 c = dot(n, at(d)) - offset, c0 = dot(n, add(low, drift)) - offset;
    c = c - left_over(c0, p) - wanted;
    return hold_apart(n, c, sub(sub(at(d), low), drift), 1.0f / d.w, g, p.soft, p.share, h);
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

// Restitution of bodies: each particle stores the impact speed in the w of its velocity, and its contacts push until
// the two separate at e times that speed. The stored speed decays by 2 % a substep, so it outlasts an impact.
PL_FN f32 struck_fades(f32 speed) { return keep(speed > 1e-6f, 0.98f * speed); }

// A particle stores one impact speed but has many contacts: only those count that are in an impact themselves.
PL_FN i32 strikes(f32 parts, f32 then, float slow) { return (parts < -slow) | (parts - then > slow); }

PL_FN f32 struck(f32 last, i32 body, f32 before, float threshold)
{
    return most(last, keep(body & (before < -threshold), -before));
}
