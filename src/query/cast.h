// cast.h: declares a cast under way: its ray or ball, its filters and its hits.
#pragma once
#include "model/world.h"

typedef struct cast_state
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
} cast_state;

// cast.c: inserts a hit into the list, which is sorted by distance.
void add_hit(cast_state *f, const pl_hit *hit);
// Returns the distance that is still of interest: with room for one hit, targets farther than it need no test.
static inline double reach_of_cast(const cast_state *f)
{
    return f->capacity == 1 && f->count ? (double)f->hits[0].distance : f->distance;
}

// cast_targets.c
void cast_at_shape(cast_state *f, int32_t number);
void cast_at_particle(cast_state *f, int32_t slot);
void cast_at_face(cast_state *f, int64_t face);
