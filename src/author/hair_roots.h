// hair_roots.h: chooses where strands of hair grow: given places, or random ones on an ellipsoid, a mesh or the faces of
// an object.
#pragma once
#include "model/world.h"

enum hair_use // of random numbers
{
    USE_PLACE,
    USE_ALONG,
    USE_ACROSS,
    USE_LENGTH,
    USE_LEAN,                     // and the next two
    USE_DIRECTION = USE_LEAN + 3, // and the next two
    USES = 16,
};

typedef struct hair_root
{
    float x[3], out[3];  // position, m; direction of growth
    int32_t carriers[3]; // particle numbers; only on an object
    float shares[3];
} hair_root;

// Fills def->count roots.
pl_result hair_find_roots(pl_world *w, const pl_hair_def *def, hair_root *roots);
// A pseudo-random number from 0 to below 1 for each strand and use.
float hair_chance(const pl_hair_def *def, int strand, int use);
