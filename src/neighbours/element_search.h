// element_search.h: declares the search for elements of surfaces (vertices, edges, triangles, and free particles) that
// are near each other, in SIMD lanes (neighbours/surface/element_pairs.h).
//
// The boxes of the elements of a list lie in blocks of BOX_BLOCK, in columns, so that one is tested against several at
// a time. The boxes of the blocks of a level are the next level; the highest has a single block. Elements are listed in
// the order of the leaves of the surface's tree, where neighbours in the list are mostly neighbours in space.
#pragma once
#include "collide/motion_box.h"

enum
{
    BOX_BLOCK = 16,
    BOX_LEVELS = 9,
};

// Bounds of the positions and of the velocities of BOX_BLOCK boxes, along each axis. An unused one is empty.
typedef struct box_block
{
    float low[3][BOX_BLOCK], high[3][BOX_BLOCK], slow[3][BOX_BLOCK], fast[3][BOX_BLOCK];
} box_block;

enum element_kind
{
    ELEMENT_VERTICES,
    ELEMENT_EDGES,
    ELEMENT_TRIANGLES,
    ELEMENT_PARTICLES, // free particles
    ELEMENT_KINDS
};

typedef struct element_list
{
    int32_t count, corners; // elements; corners of each
    int32_t step;           // from one column to the next
    uint32_t *corner;       // `corners` columns: 4 * slot. The last element is repeated until the end of its block.
    int32_t *number;        // a slot, an edge, or a triangle
    // 4 * the index, in the order of the leaves, of the triangle that owns the element, + which of its corners or edges
    // it is. Particles come behind the triangles.
    int32_t *home;
    box_block *block; // of all levels
    int32_t levels;
    int64_t level[BOX_LEVELS]; // the first block of each; level 0: of the elements
    int64_t corner_capacity, number_capacity, home_capacity, block_capacity;
} element_list;

// What a search looks for: pairs of an element of list a and one of list b.
enum element_pairs
{
    PAIRS_VERTICES,  // a vertex and a triangle
    PAIRS_PARTICLES, // a free particle and a triangle
    PAIRS_EDGES,     // two edges, each pair once
    PAIRS_CROSSINGS, // an edge that crosses a triangle
};

typedef struct element_search
{
    const float *x, *v, *rest, *collision, *mass; // 4 floats a slot: state.h
    float near[2], horizon;                       // near: of surfaces, of free particles (surface/near_test.h)
    const element_list *list;                     // of each kind
    int32_t triangles;
} element_search;

typedef struct element_pair
{
    uint64_t key; // the order of pairs (surface/element_pairs.h)
    int32_t a, b; // indices in the lists
    float reach;  // the distance to keep
} element_pair;

// What one part of a search has found. `count` may exceed the room; then the rest is missing.
typedef struct element_finds
{
    element_pair *items;
    int64_t room, count;
} element_finds;

// The search for one SIMD width.
typedef struct element_lanes
{
    // Computes the boxes of blocks [begin, end) of the elements of a list.
    void (*fit_elements)(const element_search *q, element_list *l, int64_t begin, int64_t end);
    // Computes the boxes of blocks [begin, end) of a level above.
    void (*fit_level)(element_list *l, int level, int64_t begin, int64_t end);
    // Finds the pairs whose element of list a is in its blocks [begin, end).
    void (*find)(const element_search *q, enum element_pairs what, int64_t begin, int64_t end, element_finds *out);
} element_lanes;

static inline int64_t element_blocks(int64_t count) { return (count + BOX_BLOCK - 1) / BOX_BLOCK; }
