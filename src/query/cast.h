// cast.h: a ray or a ball on its way, and what it has met.
#pragma once
#include "model/world.h"

typedef struct flight
{
    const pl_world *w;
    double from[3], way[3]; // way: unit
    double distance, radius;
    uint32_t mask;
    int32_t ignore_first, ignore_end; // particle numbers
    uint32_t ignore_shape;
    // what was met, nearest first
    pl_hit *hits;
    int capacity, count; // count: of those written
    int64_t all;
} flight;

// cast.c: puts a hit where it belongs
void meet(flight *f, const pl_hit *hit);
// With room for one hit, what is farther than it need not be looked at.
static inline double reach_of_flight(const flight *f)
{
    return f->capacity == 1 && f->count ? (double)f->hits[0].distance : f->distance;
}

// cast_targets.c
void cast_at_shape(flight *f, int32_t number);
void cast_at_particle(flight *f, int32_t slot);
void cast_at_face(flight *f, int64_t face);
