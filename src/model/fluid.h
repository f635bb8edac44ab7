// fluid.h: the fluid of a world: its kernel, and what its particles need.
#pragma once
#include "model/world.h"

static inline bool is_fluid(const pl_world *w, int32_t slot)
{
    return w->state.slot[SLOT_FLUID][4 * (size_t)slot] > 0.0f;
}

// A gas, which has no surface; a liquid with a temperature is none.
static inline bool is_gas(const pl_world *w, int32_t slot)
{
    int32_t rule = (int32_t)w->state.slot[SLOT_GAS][4 * (size_t)slot + GAS_KIND] - 1;
    return rule >= 0 && w->gas[rule].weight < 0.5f;
}

// Finds the spacing of the world's fluid and what follows from it. All fluids of a world have one spacing.
void fluid_measure(pl_world *w);
// Checks the gases of a loaded snapshot.
pl_result gases_check(const pl_world *w);
// The kernel of a fluid with this spacing.
fluid_kernel fluid_kernel_for(float spacing);
// The memory that the columns of fluids need (packed_fluid.room).
int32_t fluid_room(const pl_world *w);
// Finds how many passes of viscosity substeps of this length need. Returns whether the stages have to be planned again.
bool fluid_follow_step(pl_world *w, float substep);
