// wave.h: a large pile in one pass. Where pairs lie in slabs (neighbours/contact/pairs.c), a substep's stages
//     predict; show planes; begin with the even slabs, the odd ones, the touches; visit the even slabs, the odd ones, the touches;
//     velocities, and how far and fast particles are
// need not each walk through all of memory: what a slab needs is done when its neighbours are one stage ahead. So a wave runs
// along the slabs and takes each through all stages while it is in the cache, in an order that no particle can tell from the
// plan's.
//
//   even slab u        moves unit u of the cells
//   odd slab u         ... unit u but for its first layer, and the first layer of unit u + 1
//   predict, planes    before anything moves unit u
//   warm odd u         after warm even u, u + 1
//   even u             after the touches of unit u have begun, after warm odd u - 1, u
//   odd u              after even u, u + 1
//   touches of unit u  after odd u - 1, u; then velocities
//
// Slots are taken in stretches, whose particles may be in several units: a stretch is predicted with its first, and ends with its
// last. Each worker has a run of slabs; what belongs to two runs is done before and after all waves. WAVE_PHASES phases, and all
// wait for each other between them.
#pragma once
#include "backend/cpu/lanes.h"

enum
{
    WAVE_PHASES = 5,
    WAVE_RUN = 3, // slabs of a worker, at the least
};

// How many stages of the plan, from the i-th on, a wave of so many workers can take the place of; 0: none, also where there are
// too few slabs for so many runs: workers may have been added since the slabs were cut.
int64_t wave_length(const state *s, const plan *p, int64_t i, int64_t end, int workers);
// first: the stage that the wave begins with.
void wave_phase(const lane_table *lanes, state *s, const stage *first, int phase, int worker, int workers);
