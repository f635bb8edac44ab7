// plan.h: a frame as a list of stages, made by world/plan.c and walked by a backend.
//
// A stage is a function over a range of items (rows, slots, tiles, faces, objects) that may be cut anywhere at a multiple
// of its grain and given to any number of workers. Between two stages every worker waits for the others.
#pragma once
#include "world/state.h"

enum stage_op
{
    OP_REMEMBER,     // slots: keep the frame's start
    OP_WIND,         // faces: lift and drag
    OP_AIR,          // slots: sum them up
    OP_PREDICT,      // slots
    OP_SWEEP,        // rows of one kind and colour
    OP_TILES,        // tiles: every kind and colour inside
    OP_JACOBI,       // rows of one kind beyond the cap on colours: what they ask for
    OP_JACOBI_MOVE,  // slots of those rows: do it
    OP_VELOCITY,     // slots
    OP_MOTION_SUM,   // chunks of objects
    OP_MOTION_SOLVE, // objects
    OP_MOTION_DAMP,  // chunks of objects
    OP_EVENTS,       // rows of an inequality: did one begin or cease to hold
    OP_ADVANCE,      // one item: count smooth substeps
    OP_CHECK,        // slots: is everything finite
    OP_MATCH_SUM,    // chunks of clusters
    OP_MATCH_SOLVE,  // clusters
    OP_MATCH_MOVE,   // chunks of clusters that share no particle
    OP_MATCH_BLEND,  // slots, where clusters overlap
    OP_MATCH_SPIN,   // clusters: what their turning has lost
    OP_MATCH_TURN,   // chunks of clusters: give it back
    OP_MATCH_LOSE,   // chunks of oriented clusters that overlap: what their turning is about to lose
    OP_MATCH_RETURN, // slots: give it back there
    OP_MATCH_YIELD,  // clusters: plastic flow
    OP_ORIENT_KEEP,  // oriented particles: keep the frame's start
    OP_ORIENT_WIND,  // oriented particles: drag
    OP_ORIENT_TURN,  // oriented particles: predict
    OP_ORIENT_SPIN,  // oriented particles: how fast they have turned
    OP_ORIENT_DAMP,  // oriented particles: internal damping
    OP_LATTICE_LOAD, // cells of lattices
    OP_LATTICE_SUM,  // parts of lines along an axis (kind)
    OP_LATTICE_FIND, // cells: where their regions go
    OP_LATTICE_MOVE, // cells
    OP_VOLUME_SUM,   // chunks of volumes
    OP_VOLUME_SOLVE, // volumes
    OP_VOLUME_MOVE,  // chunks of volumes
    OP_WEAR,         // rows of one kind: what flows, and what is loaded beyond its strength
    OP_PAIRS_WARM,   // groups of pairs of one colour: begin with what their multipliers amount to
    OP_PROBE,        // groups of touches: the planes that shapes show to their particles
    OP_TOUCH_WARM,   // groups of touches
    OP_PAIRS,        // groups of pairs of one colour
    OP_TOUCHES,      // groups of touches
    OP_PAIRS_BOUNCE, // groups of pairs of one colour: restitution
    OP_TOUCH_BOUNCE, // groups of touches
    OP_PAIRS_EVENT,  // groups of pairs: is there a contact
    OP_TOUCH_EVENT,  // groups of touches
    OP_FARTHEST,     // slots: how far and how fast
    OP_SKIN_OPEN,    // one item: nobody is in trouble yet
    OP_SKIN_PROBE,   // groups of skins: what pairs show each other
    OP_SKIN_WARM,    // slots
    OP_SKIN,         // groups of skins of one colour
    OP_SKIN_BOUNCE,  // groups of skins of one colour
    OP_SKIN_BOUND,   // slots: no farther than where pairs that are not listed could meet
    OP_SKIN_LIMIT,   // groups of skins: which may have crossed (kind: the round)
    OP_SKIN_CLIP,    // slots: those go back
    OP_SKIN_EVENT,   // groups of skins: is there a contact
    OP_SKIN_DRIFT,   // slots: how far off their paths
    OP_TOUCH_GUARD,  // groups of touches: nothing gets through a shape of triangles or a distance field
    OP_PAIRS_PART,   // groups of pairs of one colour: overlap is taken away before the substep
    OP_TOUCH_LIFT,   // groups of touches: the same
    OP_COUNT
};

typedef struct stage
{
    uint8_t op, kind;
    uint8_t first; // the substep's first iteration: multipliers start at 0
    uint8_t keep;  // multipliers are read again: by another iteration, by the user, or to see events
    uint8_t group; // pl_stage_group, for timings
    int32_t substep;
    int32_t begin, end, grain;
    const int32_t *range; // not NULL: begin and end are found here when the stage runs
    uint8_t whole_slabs;  // pairs: a slab's groups go to one worker, in their order
} stage;

typedef struct plan
{
    stage *stages;
    int64_t count, capacity;
    int64_t head, body; // stages before the first substep, and of each substep
} plan;

// What a stage does with [begin, end) of its items. Each lane width has a table of these: cpu/lanes.h.
typedef void stage_fn(state *s, const stage *g, int32_t begin, int32_t end);
