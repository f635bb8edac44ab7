// wave.h: runs the stages of a substep of a large pile in one pass over memory. Where pairs lie in slabs
// (neighbours/contact/pairs.c), these stages need not each walk through all of memory:
//     predict; planes of shapes; warm start of the even slabs, the odd slabs, the shape contacts;
//     solve the even slabs, the odd slabs, the shape contacts; velocities, largest displacement and speed
// A slab can run a stage as soon as its neighbouring slabs are one stage ahead. So a wave runs along the slabs and
// takes each through all stages while it is in the cache. Every particle gets its updates in the plan's order, so the
// result is the same.
//
//   unit u                    the cells of even slab u
//   even slab u               moves the particles of unit u
//   odd slab u                moves those of unit u except its first layer, and of the first layer of unit u + 1
//   predict, planes           before anything moves particles of unit u
//   warm odd u                the warm start of odd slab u: after warm even u, u + 1
//   even u                    the solve of even slab u: after warm odd u - 1, u, and the warm start of the shape
//                             contacts of unit u
//   odd u                     after even u, u + 1
//   shape contacts of unit u  after odd u - 1, u; then velocities
//
// Slots are processed in stretches of SLOT_STRETCH. The particles of a stretch may be in several units: the stretch is
// predicted with its first unit, and gets its velocities with its last. Each worker has a run of slabs; what belongs to
// two runs is done before and after all waves. There are WAVE_PHASES phases, with a barrier between them.
#pragma once
#include "backend/cpu/lanes.h"

enum
{
    WAVE_PHASES = 5,
    WAVE_RUN = 3, // slabs of a worker, at least
};

// Returns how many stages of the plan, from the i-th on, a wave of so many workers replaces. 0: none. It is also 0 if
// there are too few slabs for so many runs, because workers may have been added since the slabs were chosen.
int64_t wave_length(const state *s, const plan *p, int64_t i, int64_t end, int workers);
// Runs one phase of a wave for one worker. first: the stage that the wave begins with.
void wave_phase(const lane_table *lanes, state *s, const stage *first, int phase, int worker, int workers);
