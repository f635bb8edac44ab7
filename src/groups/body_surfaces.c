// body_surfaces.c: lists the triangles of surfaces (cloth, skins of soft bodies) near the shapes of rigid bodies.
//
// A triangle is where its corners are: a row is listed where the box around their places (body_particles.c) reaches that
// of a shape.
#include "collide/broad_phase.h"
#include "collide/collision_filter.h"
#include "groups/body_particles.h"

// The box around the places of the corners. False: a corner collides with nothing.
static bool box_of_triangle(const pl_world *w, const row_search *s, broad_box *box)
{
    const body_particles *b = &w->body_particles;
    for (int c = 0; c < BODY_CORNERS; c++)
    {
        const float *place = b->place + 4 * (size_t)s->particle[c];
        const float *collision = w->state.slot[SLOT_COLLISION] + 4 * (size_t)w->numbers.slot_of[s->particle[c]];
        if (!(place[3] >= 0.0f))
            return false;
        float thick = 0.5f * collision[2], reach = place[3] + (collision[0] > thick ? collision[0] : thick);
        for (int a = 0; a < 3; a++)
        {
            float low = place[a] - reach, high = place[a] + reach;
            box->low[a] = c == 0 || low < box->low[a] ? low : box->low[a];
            box->high[a] = c == 0 || high > box->high[a] ? high : box->high[a];
        }
    }
    return true;
}

pl_result body_surfaces_find(pl_world *w, const broad_box *all)
{
    body_particles *b = &w->body_particles;
    const surfaces *k = &w->surfaces;
    row_search s = {.w = w, .corners = BODY_CORNERS};
    b->surface_version = k->surface_version;
    for (int32_t t = 0; t < k->triangles && s.result == PL_OK; t++)
    {
        broad_box own = {.moves = 1};
        s.channels = UINT32_MAX, s.fixed = true;
        for (int c = 0; c < BODY_CORNERS; c++)
        {
            int32_t slot = k->triangle[3 * (size_t)t + (size_t)c];
            s.particle[c] = w->number_of[slot];
            s.channels &= phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT;
            s.fixed &= inverse_mass(w, slot) == 0.0f;
        }
        if (!box_of_triangle(w, &s, &own) || !boxes_overlap(&own, all))
            continue;
        s.low = BODY_FACE | (uint64_t)t << BODY_PART_BITS;
        body_rows_near(&s, &own);
    }
    return s.result;
}

body_face body_surface_face(const pl_world *w, int32_t triangle)
{
    const surfaces *k = &w->surfaces;
    body_face f = {.open = 0};
    for (int i = 0; i < BODY_CORNERS; i++)
    {
        const int32_t edge = k->triangle_edge[3 * (size_t)triangle + (size_t)i], *two = k->edge_face + 2 * (size_t)edge,
                      other = two[0] == triangle ? two[1] : two[0];
        const int32_t *ends = k->edge + 2 * (size_t)edge;
        int32_t beyond = k->triangle[3 * (size_t)triangle + (size_t)i];
        if (other < 0)
            f.open |= 1 << i;
        for (int c = 0; other >= 0 && c < BODY_CORNERS; c++)
        {
            int32_t slot = k->triangle[3 * (size_t)other + (size_t)c];
            beyond = slot != ends[0] && slot != ends[1] ? slot : beyond;
        }
        f.beyond[i] = 4 * (uint32_t)beyond;
    }
    return f;
}
