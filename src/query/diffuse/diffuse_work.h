// diffuse_work.h: what the steps of advancing diffuse particles share (Ihmsen et al. 2012).
//
//   1. diffuse_fluid.c   sorts the particles of the fluid into cells, and finds how many diffuse particles each makes
//   2. diffuse_move.c    finds what each diffuse particle is, and moves it
//   3. diffuse.c         removes those that are gone, and adds the new ones
//
// Every particle sums over the fluid in the order of the cells, and random numbers are a hash of the frame, the number of
// a particle and what they are for: neither threads nor memory change the result.
#pragma once
#include "core/chance.h"
#include "model/world.h"
#include "neighbours/list.h"

#define DIFFUSE_REACH 2.0f // spacings: which particles of the fluid are near
#define DIFFUSE_FEW 6      // with fewer of them it is spray
#define DIFFUSE_DEEP 1.5f // spacings: with this depth, by the pressure, it is one too: at walls there are fewer of them
#define DIFFUSE_MANY 20   // with more of them it is a bubble
#define DIFFUSE_OFFSET 0.25f // spacings: how far from a particle of the fluid it is made, at most
#define DIFFUSE_SPREAD 0.1f  // how much its velocity differs from that of the fluid
#define DIFFUSE_AIR 10.0f    // s: how long spray stays in the air, at most

// A particle of the fluid, in the order of the cells.
typedef struct diffuse_fluid
{
    float x[3], v[3];
    float normal[3]; // out of the fluid, of unit length; 0 inside of it
    int32_t number;
    float depth; // spacings of resting fluid that have its pressure
    float rate;  // diffuse particles a second
} diffuse_fluid;

struct pl_diffuse
{
    memory m;
    pl_diffuse_def def;
    const pl_world *w; // in a step
    parallel threads;
    float dt, spacing, reach;
    uint32_t frame; // steps so far

    int32_t *slot; // the particles of the fluid
    diffuse_fluid *fluid;
    neighbour_list list; // sorts them; only its cells are used
    int64_t slot_capacity, fluid_capacity;

    int32_t count;
    float *x, *v, *life, *air; // air: time since it left the fluid
    uint8_t *kind, *gone;
    int64_t room[6]; // of these arrays
};

// The particles of the fluid in the rows of cells around a point: sorted indices.
typedef struct diffuse_rows
{
    int32_t from[CELL_ROWS_AROUND], to[CELL_ROWS_AROUND], count;
} diffuse_rows;

pl_result diffuse_find_fluid(pl_diffuse *d); // lists and sorts the fluid; none: spacing is 0
void diffuse_find_rates(pl_diffuse *d);
void diffuse_move(pl_diffuse *d);
diffuse_rows diffuse_rows_near(const pl_diffuse *d, const float x[3]);

// A pseudo-random number from 0 to 1, the same on every machine.
static inline float diffuse_chance(const pl_diffuse *d, int32_t number, uint32_t use)
{
    return chance_share((d->frame * 0x9e3779b1u + (uint32_t)number) * 0x85ebca6bu + use * 0xc2b2ae35u + d->def.seed);
}

static inline vec diffuse_vec(const float *x) { return vec_of(x[0], x[1], x[2]); }
static inline void diffuse_put(float *to, vec a) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }
