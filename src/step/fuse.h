// fuse.h: which neighbouring stages of a plan may run as one, derived from what they read and write (stages.def). Shared by all backends, so
// that none asks which stage stands beside which.
//
// A backend has loops (a CPU's stretch of slots, a kernel with a thread for a particle, a block for a body or a tile) that take one item
// through several stages before the next item. That is legal where, of everything that one of the stages writes, the others access only
// entries of the same item. A loop says which stages it can run and in which order it runs them (`fusion`); fuse_run says how many stages of
// a plan it takes.
#pragma once
#include "step/plan.h"

// The items of a loop that runs several stages.
enum fuse_level
{
    FUSE_PARTICLE,
    FUSE_CLUSTER, // a cluster with its particles
    FUSE_TILE,    // a tile with its particles and rows
    FUSE_SLAB,    // a slab of cells with its pairs, if neighbouring slabs are one stage ahead: backend/cpu/wave.h
};

// What the world's structure decides.
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

// What a loop can do.
typedef struct fusion
{
    int level;
    int count;
    uint8_t order[FUSE_MOST]; // the stages that it knows, in the order in which it runs them
    resource_set renamed;     // resources that it double buffers: what is read is not what is written
    uint32_t
        gathered; // bits of `order`: stages of pairs that each particle does for itself, adding up what its pairs give it
} fusion;

// A number of stages from some place in a plan on.
typedef struct fused_run
{
    int64_t count; // 0: not even the first
    uint32_t bits; // of the fusion's order
} fused_run;

fuse_world fuse_world_of(const state *s);

// The stages from `from` on, of `left`, that the loop can run as one. begun: bits of stages that are in it already.
fused_run fuse_run(const fusion *f, const fuse_world *w, const stage *from, int64_t left, uint32_t begun);
// May two stages be in one loop of this level? renamed, gathered: as in a fusion; gathered holds for both.
bool fuse_may(const fuse_world *w, int level, int a, int b, resource_set renamed, bool gathered);
// May b, which follows a, go before it? recomputed: resources that b finds for itself instead of reading them.
bool fuse_commute(const fuse_world *w, int a, int b, resource_set recomputed);
// May all of these be in one loop? An op may be there twice: as colours that follow each other.
bool fuse_together(const fuse_world *w, int level, const uint8_t *ops, int count, resource_set renamed, bool gathered);
// How many stages from here on are colours of the first; at least 1.
int64_t fuse_colours(const stage *from, int64_t left);
// How many stages from here on are the first stage on other rows, in the same iteration or one like it; at least 1.
int64_t fuse_alike(const stage *from, int64_t left);
// The first stage from here on that accesses one of these; `left` if there is none.
int64_t fuse_next_access(const stage *from, int64_t left, resource_set any);
// Everything that a stage accesses, and what of it changes.
resource_set stage_accesses(int op);
resource_set stage_changes(int op);
// The bit of a stage in a loop's order; 0: the loop does not know it.
uint32_t fuse_bit(const fusion *f, int op);
