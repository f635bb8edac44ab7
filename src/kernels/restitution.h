// restitution.h: impacts: how fast two particles, or a particle and a shape, separate after they have met.
//   u+ = -e u-                                      u-, u+: n . (va - vb) when they meet, and after it (Newton)
//
// The position solve stops two that meet like a plastic impact, and where several meet at once it depends on the order
// what becomes of their energy. So what it has done to velocities is taken back first, everywhere; then the impacts
// happen on velocities alone, one after the other, in a few passes over the list:
//   release   v -= w g lambda n0                    g: speed/displacement (velocity.h); n0: the normal of the solve
//   impact    v += w n (-e u- - u)/W                u: n . (va - vb) now
//   press     v += w n min(g lambda, -u/W)          contacts that were released, but have no impact, while u < 0
// An impact changes nothing across n and keeps the momentum and, with e = 1, the energy, in whatever order they come:
// a row of balls that touch passes an impact on. A pass sees it through a row that lies in the order of the list, and
// one contact farther through a row that lies against it; what is not done in a substep is done in the next. There are
// as many passes as iterations, so that no contact is pushed that they do not reach.
//
// u- is the speed at the substep's start, V1, with what gravity adds until they meet. The substep leaves them where they
// touch, so gravity after that must not count: with a, the relative acceleration along n,
//   u- = n . (V1a - V1b) + a tau,    tau = (how far they come closer in the substep)/|n . (V1a - V1b)|
// which keeps u^2/2 + a x over the substep. Impacts change V1 as they change v, so that one sees those before it. (v
// itself does not tell u- where other constraints hold the particles: those push harder while a contact holds against.)
//
// The solve, the warm start and the release of a contact have one normal, that of the substep's start (pair_solving).
// With several, as for contacts without restitution, the release would leave a speed across of u_t h/reach of what it
// takes back, and oblique impacts would lose about as much of their energy.
//
// The multiplier of an impact is no force that lasts: the next substep begins with 0. Until then it tells how hard they
// met, with a negative sign as a mark.
#pragma once
#include "core/vec.h"

#define STRIKE 10.0f // how many times harder than before a contact presses when it is struck
#define SLOWLY 16.0f // how many times the threshold is still slow

// Is a contact released? Either the two meet in this substep, or it changes their speed by more than a contact at rest
// does (by `speed`): in a row that is struck. A contact that pressed with a tenth of it or more before is in a pile,
// which must come to rest: it stays as it was solved. from, to: the multiplier at the substep's start and end.
PL_FN i32 is_struck(f32 from, f32 to, f32 speed, f32 before, float threshold)
{
    return (to > STRIKE * from) & ((speed > threshold) | (before < -threshold));
}

// The restitution of an impact. Two that met in the last substep too, and slowly, are part of a pile: its weight would
// push them together and the impact apart again in each substep, and they would never rest.
PL_FN f32 restitution_of(f32 e, i32 again, f32 before, float threshold)
{
    return keep(not_so(again & (before > -SLOWLY * threshold)), e);
}

// The relative speed of the two of a contact.
typedef struct meeting_speeds
{
    f32 before, now; // n . (V1a - V1b), n . (va - vb)
    f32 pull;        // what gravity adds to `before` until they meet
} meeting_speeds;

// Impulses on v and on V1.
typedef struct rebound
{
    i32 hits;
    f32 push, push_before;
} rebound;

PL_FN rebound rebound_of(meeting_speeds u, f32 e, float threshold, f32 weight)
{
    rebound r;
    r.hits = (u.before < -threshold) & (weight > 0.0f);
    f32 wanted = -(e * least(u.before + u.pull, splat(0.0f))), w = pick(r.hits, weight, splat(1.0f));
    r.push = keep(r.hits & (u.now < wanted), (wanted - u.now) / w);
    r.push_before = keep(r.hits, (wanted - u.before) / w);
    return r;
}

// gravity: the relative acceleration along n; closed: the distance closed in the substep.
PL_FN f32 pull_until_met(f32 gravity, f32 closed, f32 before, float h)
{
    i32 meets = (before < 0.0f) & (closed > 0.0f);
    return keep(meets, gravity * least(closed / pick(meets, -before, splat(1.0f)), splat(h)));
}

// The impulse that a contact without an impact gets back, at most `most_push`.
PL_FN f32 press_again(f32 now, f32 most_push, f32 weight)
{
    i32 presses = (now < 0.0f) & (weight > 0.0f) & (most_push > 0.0f);
    return keep(presses, least(-now / pick(presses, weight, splat(1.0f)), most_push));
}

// Restitution where nothing is taken back: returns the impulse after which the two separate at e times their impact
// speed.
PL_FN f32 bounce(f32 before, f32 now, f32 e, float threshold, f32 weight)
{
    f32 wanted = -(e * before);
    i32 hits = (before < -threshold) & (now < wanted) & (weight > 0.0f);
    return keep(hits, (wanted - now) / pick(hits, weight, splat(1.0f)));
}
