// fluid_planes.h: reads the contact planes of the substep for particles of fluids: the shapes near each of them.
#pragma once
#include "stages/stage_common.h"

// The shapes near LANES particles. A lane that has fewer than the others gets planes that are far away.
typedef struct fluid_near
{
    int32_t first[LANES], count[LANES], most;
    f32 radius;
} fluid_near;

// slot: 4 * slot of each lane.
PL_FN fluid_near fluid_near_at(const state *s, const uint32_t *slot)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    fluid_near near_by;
    near_by.most = 0;
    for (int lane = 0; lane < LANES; lane++)
    {
        int32_t at = (int32_t)(slot[lane] / 4);
        near_by.first[lane] = t->near_first ? t->near_first[at] : 0;
        near_by.count[lane] = t->near_first ? t->near_first[at + 1] - near_by.first[lane] : 0;
        near_by.most = near_by.count[lane] > near_by.most ? near_by.count[lane] : near_by.most;
    }
    near_by.radius = near_by.most ? gather(s->slot[SLOT_COLLISION], slot).x : splat(0.0f);
    return near_by;
}

// A plane: its outward normal, the signed distance of the particle, now and at the substep's start, and the displacement
// of the surface in the substep.
typedef struct fluid_plane
{
    vec normal, drift;
    f32 away, start;
} fluid_plane;

// The k-th plane of each lane; d: the displacement of the particle in the substep.
PL_FN fluid_plane fluid_plane_at(const state *s, const fluid_near *near_by, int32_t k, vec d)
{
    const packed_shape_contacts *t = &s->shape_contacts;
    float plane[4][LANES], drift[3][LANES];
    for (int lane = 0; lane < LANES; lane++)
    {
        bool has = k < near_by->count[lane];
        int32_t at = near_by->first[lane] + k;
        size_t row = has ? (size_t)(t->near_row ? t->near_row[at] : at) : 0;
        for (int c = 0; c < 3; c++)
            plane[c][lane] = has ? t->plane[c][row] : 0.0f, drift[c][lane] = has ? t->drift[c][row] : 0.0f;
        plane[3][lane] = has ? t->plane[3][row] : CONTACT_NOTHING;
    }
    fluid_plane p;
    p.normal = vec_of(load(plane[0]), load(plane[1]), load(plane[2]));
    p.drift = vec_of(load(drift[0]), load(drift[1]), load(drift[2]));
    p.away = (dot(p.normal, d) - load(plane[3])) + near_by->radius;
    p.start = (dot(p.normal, p.drift) - load(plane[3])) + near_by->radius;
    return p;
}
