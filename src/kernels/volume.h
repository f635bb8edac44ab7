// volume.h: the volume inside a closed surface of particles, with a pressure (a balloon).
//   C = V - pressure V0,  V = sum over triangles a . (b x c)/6,  g_i = dV/dx_i = sum over its triangles (b x c)/6
//   dlambda = -(C + a lambda)/(sum w_i |g_i|^2 + a),  a = compliance/h^2;  x_i += w_i g_i dlambda    compliance: m^5/N
// V is a third of sum x_i . g_i, so that one pass over the particles gives both sums. Mueller, Heidelberger, Hennix,
// Ratcliff 2006. Sums have a fixed order: chunks of 256 members, in each 16 running sums (member j goes to sum j mod
// 16) joined as a tree, then the chunks one after the other.
#pragma once
#include "core/vec.h"

enum
{
    VOLUME_CHUNK = 256,
    VOLUME_SUMS = 16,
};

typedef struct volume_body
{
    float rest, pressure, compliance;
    float lambda; // summed over the substep
    float change; // of the last solve
    float now;    // V at the last solve
} volume_body;

typedef struct volume_sum
{
    float volume, weight;
} volume_sum;

#if LANES == 1 && !defined(LANE_DOUBLE)

// The contribution of a triangle to the gradient at its first corner; b and c relative to a point near by.
PL_FN vec volume_gradient(vec b, vec c) { return times(1.0f / 6.0f, cross(b, c)); }

PL_FN void volume_solve(volume_body *b, volume_sum all, float h, int first)
{
    float a = b->compliance / (h * h), lambda = first ? 0.0f : b->lambda, under = all.weight + a;
    float change = under > 0.0f ? -((all.volume - b->pressure * b->rest) + a * lambda) / under : 0.0f;
    b->now = all.volume;
    b->change = change;
    b->lambda = lambda + change;
}

#endif
