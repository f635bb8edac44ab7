// body_particle.h: contacts between a rigid body and the particles that touch its shapes, all of a body as one block.
// Multipliers are kept over substeps and frames; particles see them as forces like those of other contacts
// (kernels/contact.h).
//   row i     s = base + n . u_i,  u_i = d_p - d_b - t_b x r     the separation; r: from the body's centre to the particle
//             dlambda = -k (s - o + max(b o + a lambda, -v h)),   lambda' = max(0, lambda + dlambda),  k = 1/(w_p + a)
//             o: the overlap at the substep's start, b: the part of it that is removed, no faster than v; a: compliance
//             t = lambda_t - k (I - n n^T) u_i, limited to the cone of friction
//   body      M y = -sum J_i^T dlambda_i(y),  J_i = (I, -[r]x):  y is the motion that the rows give the body
// A body may have thousands of rows, light and heavy particles. Solved one after the other, or each with a share of the
// body's mass, they converge slowly. But they meet in the body alone, so its six unknowns follow from one small system,
// in which each row that holds adds its k (Woodbury's identity, as for attachments). Which rows hold, stick or slide
// depends on y: a round finds these states at the last y and solves again (a semi-smooth Newton method); after two or
// three rounds they rarely change. Then the rows are changed for this y, the body moves by exactly what they give, and
// the momentum is kept. Where the rounds have not converged, the body would move farther than y: all changes are
// multiplied by the part at which its motion comes nearest to y.
//
// A kept multiplier is the integral part of a controller: where light particles carry a heavy body, it is stable only if
// the compliance exceeds b (step/prepare.c, set_contact). With a/W = 0.36 and b = 0.5, as between particles, 100 kg on
// grains of 0.1 kg bounce forever; with 0.1 and 0.08 they come to rest, and sink a third as far as with 0.36 and 0.1.
//
// A particle does not rotate, so the force acts at its centre, also on the body: then the angular momentum is kept.
// A particle with several rows gives each of them a share of its mass.
// Position-based friction: Macklin, Mueller, Chentanez, Kim 2014; substeps and soft contacts: see rigid_contact.h.
#pragma once
#include "kernels/contact.h"

#define BODY_PART_SPEED 3.0f // m/s: overlap is removed no faster
#define BODY_SOFT 0.1f       // compliance relative to the inverse masses, over the number of iterations
#define BODY_BIAS 0.08f      // b: the part of an overlap that a substep removes

#if LANES == 1 && !defined(LANE_DOUBLE)

// A row as the solve sees it.
typedef struct body_contact
{
    vec normal;
    float separation, overlap; // m: now, and at the substep's start
    vec moved;                 // of the particle relative to the body's point, since the substep's start
    float inverse, soft;       // k, a
    friction mu;
    float slowest; // m: the least that `b o + a lambda` may be
} body_contact;

// The result of a row for a motion of the body's point, and how it depends on that motion.
typedef struct body_result
{
    vec change;          // of the force on the particle
    float along, across; // kg: stiffness along the normal and across it
    contact_lambda lambda;
} body_result;

// by: how far the body's point moves beyond what `separation` and `moved` count already.
PL_FN body_result body_contact_solve(const body_contact *c, vec by, contact_lambda old)
{
    body_result r;
    float aim = most(BODY_BIAS * c->overlap + c->soft * old.normal, c->slowest);
    float value = ((c->separation - dot(c->normal, by)) - c->overlap) + aim;
    float lambda = most(old.normal - c->inverse * value, 0.0f);
    vec u = sub(c->moved, by);
    u = sub(u, times(dot(u, c->normal), c->normal));
    vec wanted = sub(old.tangent, times(c->inverse, u)), t = within_friction(wanted, lambda, c->mu);
    i32 holds = lambda > 0.0f, sticks = holds & (length(wanted) <= c->mu.stick * lambda);
    r.along = keep(holds, c->inverse);
    r.across = keep(sticks, c->inverse);
    r.lambda.normal = lambda, r.lambda.tangent = t;
    r.change = add(times(lambda - old.normal, c->normal), sub(t, old.tangent));
    return r;
}

#endif
