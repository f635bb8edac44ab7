// query_data.h: declares what a world keeps for queries: trees over boxes, and the shapes of bodies in the form that casts
// use. All of it is a cache: it is rebuilt from the world, is in no snapshot, and does not change any result.
#pragma once
#include "collide/solid.h"

#include <stdatomic.h>

enum
{
    QUERY_WAYS = 4,
    QUERY_LEVELS = 16,
    QUERY_LINEAR = 32, // up to so many items are tested one by one
};

typedef struct query_box
{
    float low[3], high[3];
} query_box;

// Items in the order of the Morton codes of their centres. Every four neighbours in that order have a common box, four
// of those again, and so on.
typedef struct query_tree
{
    int32_t *order;
    query_box *node; // level after level; level 0 has a box for every four items
    int64_t order_capacity, node_capacity;
    int64_t level[QUERY_LEVELS + 1];
    int levels;
    int64_t count;
    bool sorted;      // `order` holds every item that there is
    bool fresh;       // the boxes are those of the present state
    int asked;        // queries since the items changed
    double side, was; // sum of the sides of the lowest boxes: now, and when the items were sorted
} query_tree;

// A shape of the world or of a body, placed.
typedef struct query_part
{
    solid solid;      // of a cylinder: size[0] length, size[3] radius
    bool cylinder;    // SOLID_CAPSULE else
    bool sensor;      // no query finds it
    bool unbounded;   // planes, and hollow shapes: all of space may be inside
    int32_t body;     // number of the body; -1: a shape of the world
    int32_t part;     // number of the shape in the world or the body
    uint32_t entry;   // index of the id of the shape or the body
    const char *data; // what solid.data is relative to
    placement at;
    query_box box;
    double reach;            // no point is farther from its position; 0: unbounded
    uint64_t category, mask; // for pl_query_filter
} query_part;

// The geometry of a hull or mesh of a body, kept while the body exists.
typedef struct query_geometry
{
    uint32_t entry, generation;
    int32_t part;
    float reach;
    void *bytes;
    size_t size;
} query_geometry;

enum query_tree_kind
{
    QUERY_PARTS,
    QUERY_PARTICLES,
    QUERY_FACES,
    QUERY_TREES
};

typedef struct queries
{
    atomic_flag busy;        // one thread at a time brings the cache up to date
    uint64_t changes, items; // the world's when the cache was made
    bool linear;             // tests: no tree is used
    query_tree tree[QUERY_TREES];
    query_part *part;
    int64_t part_count, part_capacity;
    bool parts_placed;
    query_geometry *geometry;
    int64_t geometry_count, geometry_capacity;
} queries;
