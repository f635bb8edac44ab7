// fluid_grains.h: the volume that a grain has in a fluid. Solid particles fill the space by their local spacing
// (fluid_stages.h), so that those of a body or a cloth leave no gaps. A grain that moves by itself is a ball: it has at most
// the volume of one, or a single grain would displace the water of all the space around it, 2.5 spacings^3, and sand would
// float.
#pragma once
#include "collide/collision_filter.h"
#include "stages/stage_common.h"

// A grain is free to move, and no corner of a surface; it collides with the particles of its own object, whatever its links
// (those of bodies do not, those of ropes and cloth are filtered). slot: 4 * slot of each lane.
PL_FN f32 fluid_volume_most(const state *s, const uint32_t *slot)
{
    float most[LANES];
    for (int lane = 0; lane < LANES; lane++)
    {
        const float *collision = s->slot[SLOT_COLLISION];
        const int32_t at = (int32_t)(slot[lane] / 4);
        const float radius = collision[slot[lane]];
        bool grain = (phase_of(collision, at) & (PHASE_SELF | PHASE_FILTER)) == PHASE_SELF &&
                     !is_surface(collision, at) && s->slot[SLOT_D][slot[lane] + 3] > 0.0f;
        most[lane] = grain ? 4.1887902f * ((radius * radius) * radius) : 3e38f;
    }
    return load(most);
}
