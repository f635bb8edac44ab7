// list_validity.h: decides how long contact lists are valid, and which particles are near which shapes, with the same
// result on every backend. The list of particle pairs follows the rule of all neighbour lists
// (stages/neighbour_validity.h). The list of shape contacts is valid while the largest displacement of a particle plus
// the largest displacement of a shape's surface is within its margin.
#pragma once
#include "collide/collision_filter.h"
#include "stages/neighbour_validity.h"

#if LANES == 1

typedef struct margins
{
    float pairs, shape_contacts;
} margins;

// Each part of a shape contact has two keys: its multipliers, and the normal of its plane (for shapes of several
// parts).
PL_FN int32_t shape_contact_key(uint32_t id_entry, int part, bool normal)
{
    return (int32_t)(2 * FACETS * id_entry) + (normal ? FACETS : 0) + part;
}

#define MARGIN_FAR 1e30f // m: larger margins count as this one, so that they are finite whatever the speed

// Returns the margins for particles that move by `stride` in a substep.
PL_FN margins margins_for(float stride, float radius, bool sparse)
{
    float far = MARGIN_SUBSTEPS * stride;
    margins m = {margin_for(stride, radius, sparse), far < MARGIN_FAR ? far : MARGIN_FAR};
    if (m.shape_contacts < m.pairs) // both lists are built together: the smaller margin would end both
        m.shape_contacts = m.pairs;
    return m;
}

// shapes: the largest displacement of a surface by the end of the substep.
PL_FN bool lists_hold(travel t, bool pairs, bool shape_contacts, margins m, margins wanted, float shapes)
{
    if (pairs && !neighbours_hold(t, m.pairs, wanted.pairs))
        return false;
    return !shape_contacts || t.come + shapes <= m.shape_contacts;
}

// The cells of a height field are visited one by one; for a particle with a long reach only the bounding box of the
// field is tested.
PL_FN bool ground_is_far(const state *s, const solid *solid, vec p, float reach)
{
    heightfield f = field_of(geometry_of(s->shape_data, solid));
    vec low = field_corner(&f, 0, 0), high = field_corner(&f, f.size[0] - 1, f.size[1] - 1);
    if (p.y > f.high + reach || p.x < low.x - reach || p.x > high.x + reach || p.z < low.z - reach ||
        p.z > high.z + reach)
        return true;
    int found = 1;
    if (reach < 4.0f * f.spacing[0])
        field_probe(&f, p, reach, &found);
    return !found;
}

// The distance to a surface from which on a shape acts on a particle: its radius; fluids fill the space before they
// touch.
PL_FN float shape_sight(const state *s, int32_t slot)
{
    return s->slot[SLOT_COLLISION][4 * (size_t)slot] + s->fluid.sight * s->slot[SLOT_FLUID][4 * (size_t)slot];
}

// Is a particle near enough to a shape to be in its contact list? stride: the motion of the shape in the substep.
PL_FN bool is_near(const state *s, int32_t slot, int32_t number, int substep, float fall, float margin, float stride)
{
    const solid *solid = &s->solids[number];
    const float *x = s->slot[SLOT_X] + 4 * (size_t)slot, *v = s->slot[SLOT_V] + 4 * (size_t)slot;
    if (s->slot[SLOT_D][4 * (size_t)slot + 3] == 0.0f ||
        !(phase_of(s->slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT & (uint32_t)solid->mask))
        return false;
    const placement *pose = s->placements + (size_t)number * (size_t)s->placement_step + substep;
    float way = way_of(s, v[0] * v[0] + v[1] * v[1] + v[2] * v[2], fall) + stride;
    float reach = shape_sight(s, slot) + (way > margin ? way : margin);
    vec p = into_frame(pose, vec_of(x[0], x[1], x[2]));
    float far = solid->reach + reach;
    if (solid->kind == SOLID_FIELD)
        return !ground_is_far(s, solid, p, reach + solid->size[3]);
    if (solid->reach > 0.0f && !(solid->flags & SOLID_INSIDE) && square(p) > far * far)
        return false;
    return probe_solid(s->shape_data, solid, p, reach).distance < reach;
}

#endif
