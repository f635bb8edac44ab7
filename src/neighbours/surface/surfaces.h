// skin.h: surfaces that collide as surfaces: with each other and with themselves, by their vertices, edges and triangles.
//
// A face whose corners all have a thickness is skin. Pairs of a vertex and a triangle, and of two edges, that share no corner
// are looked for together with how they move: a pair is listed when it is nearer than its reach and a margin, and what the
// two can near each other by until the list's horizon if everyone goes on as it does now. So a cloth that falls lists no more than
// one that lies. The list holds until the horizon, while nobody is farther off its path than a quarter of the margin; the
// substep to come may take another quarter, and SURFACE_PART of the thickness, before two that are not listed could meet.
//
// Crossings, an edge through a triangle, are looked for with each list. There are none unless a scene starts with them or
// particles that are held are moved through a skin; then neighbours/surface/untangle.c draws them apart.
#pragma once
#include "neighbours/contact_blocks.h"
#include "collide/motion_box.h"
#include "neighbours/surface/surface_pair.h"
#include "neighbours/contact/contacts.h"

typedef struct surface_list
{
    surface_pair *items;
    int64_t count, capacity;
} surface_list;

// What one hand finds, in parts of equal room: too small a room is grown, and the search done again.
typedef struct surface_finds
{
    surface_pair *items;
    int32_t *count; // for each part
    int64_t room, capacity, count_capacity;
} surface_finds;

typedef struct surfaces
{
    // the surface
    bool stale; // faces, particles or thicknesses have changed
    int32_t triangles, edges, vertices;
    int32_t *triangle;       // 3 slots each
    int32_t *triangle_edge;  // 3 each
    uint8_t *owns;           // bits 0 to 2: corners, 3 to 5: edges, of which it is the first triangle
    int32_t *edge;           // 2 slots each
    int32_t *edge_face;      // its first two triangles, -1: none
    int32_t *vertex;         // slots, in their order
    float thickness;         // the largest
    int32_t surface_version; // how often it was made, for backends with copies
    int32_t *grain;          // slots of particles that are of no skin and may meet one until the horizon
    int32_t grains;
    int64_t grain_capacity;
    struct bvh *tree;   // collide/bvh.h
    int32_t *node_last; // for each node the last of its triangles, in the order of the leaves
    int64_t triangle_capacity, triangle_edge_capacity, owns_capacity, edge_capacity, edge_face_capacity,
        vertex_capacity, node_last_capacity;

    // the list
    bool listed, resume;                    // resume: make the list of the saved world again
    float margin, horizon;                  // flow.surface_age: since when
    int64_t crossings;                      // when it was made
    surface_box *box, *node_box, *edge_box; // of triangles in the order of the leaves, nodes, edges
    int32_t *cell;                          // 3 for each slot
    int64_t box_capacity, node_box_capacity, edge_box_capacity, cell_capacity;
    surface_finds found[FINDS];
    surface_list pairs;
    surface_pull *pulls;
    int64_t pull_count, pull_capacity;
    int32_t *mark; // scratch of untangle.c
    int64_t mark_capacity;
    float cell_size;
    int32_t low[3];
    int bits[3];
    sortable_items sorted;
    int64_t sorted_capacity[SORTABLE_ARRAYS];
    blocks blocks;
    int32_t *place; // for each pair its row
    int64_t place_capacity;
    char *packing;
    int64_t packing_capacity;
    carry carry; // by slot, then by edge
    kept_list kept;
} surfaces;

// surface_mesh.c
pl_result surface_compile(pl_world *w); // after the particles have their slots
void surface_bvh_free(pl_world *w);
// surfaces.c
pl_result surface_refresh(pl_world *w, bool stale); // before a substep
pl_result surface_keep(pl_world *w);                // brings the multipliers home
pl_result surface_carry(pl_world *w);               // from the kept ones to k->carry
void surface_forget(pl_world *w);
void surfaces_free(pl_world *w);
bool has_surface(const pl_world *w);
// particles_near_surface.c: how many leeways each grain has, which may shorten the horizon; and those that may meet a skin
void surface_mark_grains(pl_world *w, const parallel *hands);
pl_result surface_list_grains(pl_world *w);
// surface_search.c: fills found[] from SLOT_SURFACE and SLOT_SURFACE_V
pl_result surface_search(pl_world *w, const parallel *hands);
int64_t surface_crossings(pl_world *w); // as the particles lie now
// untangle.c: what crosses is no longer kept apart, but drawn apart
pl_result surface_untangle(pl_world *w);
// surface_pack.c
pl_result surface_pack(pl_world *w, const parallel *hands);
static inline void surface_corners(const surfaces *k, const surface_pair *p, int32_t corner[4])
{
    pair_corners(k->triangle, k->edge, k->pulls, p, corner);
}
