// fuse.h: decides which neighbouring stages of a plan may run as one, from what they read and write (stages.def). All
// backends share it, so that none hard-codes pairs of stages.
//
// A backend has loops (a CPU's range of slots, a kernel with a thread per particle, a block per body or tile) that take
// one item through several stages before the next item. That is legal if, of everything that one of the stages writes,
// the others access only entries of the same item. A loop lists the stages it can run and the order in which it runs
// them (`fusion`); fuse_run returns how many stages of a plan it takes.
#pragma once
#include "plan/stage.h"

// The items of a loop that runs several stages.
enum fuse_level
{
    FUSE_PARTICLE,
    FUSE_CLUSTER, // a cluster with its particles
    FUSE_TILE,    // a tile with its particles and rows
    FUSE_SLAB,    // a slab of cells with its pairs, if neighbouring slabs are one stage ahead: backend/cpu/wave.h
};

// The properties of a world that decide what may be fused.
typedef struct fuse_world
{
    resource_set absent; // resources that this world does not have
    bool overlap;        // some particle is in two clusters
    bool whole;          // every cluster is one chunk
} fuse_world;

enum
{
    FUSE_MOST = 32, // stages of a loop
};

// The abilities of a loop.
typedef struct fusion
{
    int level;
    int count;
    uint8_t order[FUSE_MOST]; // the stages that it can run, in the order in which it runs them
    resource_set renamed;     // resources that it double buffers: reads and writes go to different copies
    uint32_t
        gathered; // bits of `order`: stages of pairs that each particle computes for itself by summing over its pairs
} fusion;

// A number of consecutive stages of a plan.
typedef struct fused_run
{
    int64_t count; // 0: the loop cannot run even the first
    uint32_t bits; // of the fusion's order
} fused_run;

fuse_world fuse_world_of(const state *s);

// Returns how many of the `left` stages from `from` on the loop can run as one. begun: bits of stages that are in it
// already.
fused_run fuse_run(const fusion *f, const fuse_world *w, const stage *from, int64_t left, uint32_t begun);
// Returns whether two stages may be in one loop of this level. renamed, gathered: as in a fusion; gathered holds for
// both.
bool fuse_may(const fuse_world *w, int level, int a, int b, resource_set renamed, bool gathered);
// Returns whether b, which follows a, may run before it. recomputed: resources that b computes itself instead of
// reading them.
bool fuse_commute(const fuse_world *w, int a, int b, resource_set recomputed);
// Returns whether all of these may be in one loop. An op may be there twice: as consecutive colours.
bool fuse_together(const fuse_world *w, int level, const uint8_t *ops, int count, resource_set renamed, bool gathered);
// Returns how many stages from here on are colours of the first; at least 1.
int64_t fuse_colours(const stage *from, int64_t left);
// Returns how many stages from here on are the first stage on other rows, in the same iteration or one like it; at
// least 1.
int64_t fuse_alike(const stage *from, int64_t left);
// Returns the index of the first stage from here on that accesses one of these; `left` if there is none.
int64_t fuse_next_access(const stage *from, int64_t left, resource_set any);
// All resources that a stage accesses, and those of them that it changes.
resource_set stage_accesses(int op);
resource_set stage_changes(int op);
// Returns the bit of a stage in a loop's order; 0: the loop cannot run it.
uint32_t fuse_bit(const fusion *f, int op);
