// stages.h: declares the properties of each stage of a step, generated from stages.def and resources.def. All backends
// share it: it is plain C that C++ compilers accept too.
#pragma once
#include <stdint.h>

enum stage_op
{
#define STAGE(NAME, ...) OP_##NAME,
#include "step/stages.def"
#undef STAGE
    OP_COUNT
};

// What a stage runs over. Its items may be computed in any order, by any number of workers.
enum stage_items
{
    ITEMS_ONE,            // a single item
    ITEMS_SLOTS,          // particles
    ITEMS_SHAPE_CONTACTS, // groups of shape contacts; all contacts of a particle are in one group
    ITEMS_ORIENTED,       // oriented particles
    ITEMS_MEMBERS,        // members of clusters, chunk by chunk
    ITEMS_CHUNKS,         // chunks of clusters
    ITEMS_CLUSTERS,       // clusters
    ITEMS_ROWS,           // rows of one kind and colour, or of one kind if the stage moves nothing
    ITEMS_JACOBI_ROWS,    // rows of one kind beyond the cap on colours
    ITEMS_JACOBI_SLOTS,   // particles that Jacobi rows move
    ITEMS_TILES,          // tiles: every kind and colour inside
    ITEMS_FACES,          // faces that have drag or lift
    ITEMS_OBJECT_CHUNKS,  // chunks of objects
    ITEMS_OBJECTS,
    ITEMS_CELLS, // cells of lattices
    ITEMS_LINES, // parts of lines of a lattice along an axis
    ITEMS_VOLUME_CHUNKS,
    ITEMS_VOLUMES,
    ITEMS_PAIRS,    // groups of particle pairs, of one colour if the stage moves particles
    ITEMS_SURFACES, // groups of surface contacts, of one colour if the stage moves particles
};

enum resource_owner
{
    OWNER_PARTICLE,
    OWNER_ROW,
    OWNER_FACE,
    OWNER_GROUP,
    OWNER_PAIR,
    OWNER_SURFACE,
    OWNER_WORLD,
};

enum resource
{
#define RESOURCE(NAME, owner) RESOURCE_##NAME,
#include "step/resources.def"
#undef RESOURCE
    RESOURCE_COUNT // at most 64: a set is one number
};

typedef uint64_t resource_set;
#define R(NAME) ((resource_set)1 << RESOURCE_##NAME)

typedef struct stage_info
{
    const char *name;
    uint8_t items; // enum stage_items
    uint8_t group; // pl_stage_group, for timings
    resource_set reads, reads_group, reads_others, writes, adds;
} stage_info;

const stage_info *stage_of(int op);
const char *resource_name(int resource);
int resource_owner_of(int resource);
