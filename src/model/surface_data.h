// surface_data.h: declares what a world holds of collision surfaces: the mesh and the list of pairs
// (neighbours/surface/surfaces.h).
#pragma once
#include "model/contact_data.h"
#include "neighbours/element_search.h"
#include "neighbours/surface_pair.h"

typedef struct surface_list
{
    surface_pair *items;
    int64_t count, capacity;
} surface_list;

// Search results, in parts with equal room. If the room is too small, it is enlarged and the search is repeated.
typedef struct surface_finds
{
    element_pair *items;
    int32_t *count; // results in each part
    int64_t room, capacity, count_capacity;
} surface_finds;

// The multipliers of a surface pair, kept from one list to the next. The corners are particle numbers, which edits do
// not change: a vertex and the corners of a triangle, ascending, or the ends of one edge and of another, each
// ascending.
typedef struct kept_surface
{
    int32_t corner[4];
    int32_t copy; // KEPT_EDGES: two edges; else how many triangles with the same corners come before this one
    float lambda[4];
} kept_surface;

enum
{
    KEPT_EDGES = -1
};

typedef struct kept_surface_list
{
    kept_surface *items;
    int64_t count, capacity;
} kept_surface_list;

typedef struct surfaces
{
    // the mesh
    bool stale; // faces, particles or thicknesses have changed; build it again
    int32_t triangles, edges, vertices;
    int32_t *triangle;      // 3 slots for each triangle
    int32_t *triangle_edge; // 3 edges for each triangle
    // For each triangle, bits 0 to 2: corners, bits 3 to 5: edges, of which it is the first triangle.
    uint8_t *owns;
    int32_t *edge;           // 2 slots for each edge
    int32_t *edge_face;      // for each edge its first two triangles, -1: none
    int32_t *edge_first;     // for each edge its first entry in edge_triangle; one more for the end
    int32_t *edge_triangle;  // the triangles of each edge, ascending
    int32_t *slot_edge;      // for each slot the first edge of which it is the first corner, -1: none
    int32_t *leaf;           // for each triangle its index in the order of the leaves
    int32_t *vertex;         // slots of the vertices, ascending
    float thickness;         // the largest thickness (m)
    int32_t surface_version; // counts rebuilds, for backends that keep copies
    int32_t *particle;       // slots of free particles that may touch a surface until the horizon
    int32_t particles;
    int64_t particle_capacity;
    struct bvh *tree;   // bounding volume hierarchy of the triangles (collide/bvh.h)
    int32_t *node_last; // for each node the last of its triangles, in the order of the leaves
    int64_t triangle_capacity, triangle_edge_capacity, owns_capacity, edge_capacity, edge_face_capacity,
        vertex_capacity, node_last_capacity, edge_first_capacity, edge_triangle_capacity, slot_edge_capacity,
        leaf_capacity;

    // the list of pairs
    bool listed, resume;   // resume: repeat the list of the saved world
    float margin, horizon; // flow.surface_age is the age of the list
    int32_t *cell;         // 3 cell coordinates for each slot
    int64_t cell_capacity;
    element_list elements[ELEMENT_KINDS];
    surface_finds found;
    surface_list pairs;
    surface_list crossed; // edges and the triangles that they cross
    int64_t crossings;    // crossings found when the list was made
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
    int32_t *row; // for each pair its row
    int64_t row_capacity;
    char *packing;
    int64_t packing_capacity;
    carry carry; // keys: the slots, then the edges
    kept_surface_list kept;
} surfaces;
