// query.h: a query to the neighbour search: which particles are near each other?
//
// Particle i has a reach r_i; i and j are neighbours if |x_i - x_j| < r_i + r_j + margin and the filter allows them. A
// half list holds each pair once, at the particle that comes first in the order of (cell, slot). A full list holds for
// each particle all of its neighbours. In both, a particle's neighbours are sorted by (cell, slot), so that a sum over
// them has the same bits on every backend. The answer is a neighbour_list (list.h) on the CPU and a neighbour_arrays
// (backend/cuda/neighbours.h) on CUDA.
//
// A client fills in a query. A new filter takes two functions and one line in NEIGHBOUR_FILTERS: both backends generate
// their search from that table.
#pragma once
#include "collide/collision_filter.h"

typedef struct neighbour_query
{
    const float *x;         // 4 floats a slot: position
    const float *mass;      // 4 floats a slot; the fourth is the inverse mass; only the contact filter reads it
    const float *collision; // 4 floats a slot: radius, phase, thickness
    const float *rest;      // 4 floats a slot: position at rest, object; only the contact filter reads it
    const int32_t *slot;    // the particles to search among; on CUDA the client supplies them separately
    int32_t count;
    float scale; // the reach of a particle is scale * radius
    float reach; // the largest reach
    // How far two particles may move relative to each other before the list is out of date
    // (stages/neighbour_validity.h).
    float margin;
    int32_t filter; // enum neighbour_filter
    int32_t full;   // 0: half list, 1: full list
    float beside;   // m: added to the reach of every particle; `reach` contains it
} neighbour_query;

// The reach of the particle in a slot.
PL_FN float query_reach(const neighbour_query *q, int32_t slot)
{
    return q->scale * q->collision[4 * (size_t)slot] + q->beside;
}

// ---- filters -------------------------------------------------------------------------------------------------------

PL_FN bool allow_all(const neighbour_query *q, int32_t a, int32_t b)
{
    (void)q, (void)a, (void)b;
    return true;
}

// The filter for contacts between particles. Allows the pairs whose phases let them collide, except two fixed
// particles, surface vertices (they have surface contacts) and particles of one object that its links already hold
// apart.
PL_FN bool allow_contact(const neighbour_query *q, int32_t a, int32_t b)
{
    uint32_t p = phase_of(q->collision, a), r = phase_of(q->collision, b), both = p & r;
    if (both >> PHASE_MASK_AT == 0 || both & PHASE_FLUID)
        return false;
    if (q->mass[4 * (size_t)a + 3] == 0.0f && q->mass[4 * (size_t)b + 3] == 0.0f)
        return false;
    if (is_surface(q->collision, a) || is_surface(q->collision, b))
        return false;
    if ((p ^ r) & PHASE_GROUP)
        return true;
    if (!(both & PHASE_SELF))
        return false;
    const float *ra = q->rest + 4 * (size_t)a, *rb = q->rest + 4 * (size_t)b;
    if (!((p | r) & PHASE_FILTER) || bits_of(ra[3]) != bits_of(rb[3]))
        return true;
    float x = ra[0] - rb[0], y = ra[1] - rb[1], z = ra[2] - rb[2];
    float reach = SPARED_REACH * (q->collision[4 * (size_t)a] + q->collision[4 * (size_t)b]);
    return x * x + y * y + z * z >= reach * reach;
}

PL_FN bool hide_none(const neighbour_query *q, int32_t slot)
{
    (void)q, (void)slot;
    return false;
}

// The filter of fluids: particles in the reserve of an emitter have no neighbours.
PL_FN bool hide_inactive(const neighbour_query *q, int32_t slot)
{
    return phase_of(q->collision, slot) & PHASE_INACTIVE;
}

// enumerator, may the particles in slots a and b be neighbours, has the particle in a slot no neighbours at all. The
// second is asked once for each particle, not for each pair.
#define NEIGHBOUR_FILTERS(X)                                                                                           \
    X(NEIGHBOURS_ALL, allow_all, hide_none)                                                                            \
    X(NEIGHBOURS_CONTACT, allow_contact, hide_none)                                                                    \
    X(NEIGHBOURS_ACTIVE, allow_all, hide_inactive)

#define NEIGHBOUR_ENUM(name, allowed, hidden) name,
enum neighbour_filter
{
    NEIGHBOUR_FILTERS(NEIGHBOUR_ENUM)
};
#undef NEIGHBOUR_ENUM

#define NEIGHBOUR_CASE(name, allowed, hidden)                                                                          \
    case name:                                                                                                         \
        return allowed(q, a, b);
PL_FN bool neighbours_allowed(const neighbour_query *q, int32_t a, int32_t b)
{
    switch (q->filter)
    {
        NEIGHBOUR_FILTERS(NEIGHBOUR_CASE)
    default:
        return false;
    }
}
#undef NEIGHBOUR_CASE

#define NEIGHBOUR_CASE(name, allowed, hidden)                                                                          \
    case name:                                                                                                         \
        return hidden(q, slot);
PL_FN bool neighbours_hidden(const neighbour_query *q, int32_t slot)
{
    switch (q->filter)
    {
        NEIGHBOUR_FILTERS(NEIGHBOUR_CASE)
    default:
        return true;
    }
}
#undef NEIGHBOUR_CASE

// Does the filter look at pairs?
PL_FN bool neighbours_paired(const neighbour_query *q) { return q->filter == NEIGHBOURS_CONTACT; }

// The x coordinate that a search gives a hidden particle: too far away for any other to be near it. It is not searched
// for neighbours itself.
#define HIDDEN_AT 1e30f
