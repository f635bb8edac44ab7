// cast.h: declares a cast under way: its ray or ball, its filters and its hits.
#pragma once
#include "model/world.h"

typedef struct flight
{
    const pl_world *w;
    double from[3], way[3]; // way: unit vector
    double distance, radius;
    uint32_t mask;
    int32_t ignore_first, ignore_end; // particle numbers
    uint32_t ignore_shape;
    // the hits, nearest first
    pl_hit *hits;
    int capacity, count; // count: of hits written
    int64_t all;
} flight;

// cast.c: inserts a hit at its place in the list.
void meet(flight *f, const pl_hit *hit);
// Returns the distance that is still of interest: with room for one hit, targets farther than it need no test.
static inline double reach_of_flight(const flight *f)
{
    return f->capacity == 1 && f->count ? (double)f->hits[0].distance : f->distance;
}

// cast_targets.c
void cast_at_shape(flight *f, int32_t number);
void cast_at_particle(flight *f, int32_t slot);
void cast_at_face(flight *f, int64_t face);
