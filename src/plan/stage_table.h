// stage_table.h: declares the properties of each stage of a step, generated from stages.def. All backends share it: it
// is plain C that C++ compilers accept too.
#pragma once
#include <stdint.h>

enum stage_op
{
#define STAGE(NAME, ...) OP_##NAME,
#include "plan/stages.def"
    OP_COUNT
};

// What a stage runs over. Its items may be computed in any order, by any number of workers.
enum stage_items
{
#define ITEMS(NAME) ITEMS_##NAME,
#include "plan/stages.def"
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
#include "plan/stages.def"
    RESOURCE_COUNT // at most 128: a set is one number
};

__extension__ typedef unsigned __int128 resource_set; // gcc, clang, emcc and nvcc have it
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
