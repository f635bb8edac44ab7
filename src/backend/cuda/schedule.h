// schedule.h: turns a plan into kernel launches: decides which stages each kernel of the CUDA backend runs. The host
// decides this from the plan and a few facts, without a device, so that tests can check it on any machine. plan/fuse.h
// says which fusions are legal; this file knows what the kernels can do.
#pragma once
#include "plan/fuse.h"

enum
{
    PER_PARTICLE_FEW = 1 << 17, // slots, at most, of a scene that is bound by latency and not by memory bandwidth
};

// The stages in which a particle changes only itself, in the order in which one kernel runs them (per_particle.h):
// X(stage, bit).
#define PER_PARTICLE_STAGES(X)                                                                                         \
    X(REMEMBER, REMEMBER)                                                                                              \
    X(PROBE, PROBE)                                                                                                    \
    X(PAIRS_WARM, WARM) /* gathered: every particle adds up what its pairs push it by */                               \
    X(SHAPE_CONTACT_WARM, SHAPE_CONTACT_WARM)                                                                          \
    X(SHAPE_CONTACTS, SHAPE_CONTACTS)                                                                                  \
    X(SHAPE_CONTACT_GUARD, GUARD)                                                                                      \
    X(VELOCITY, VELOCITY)                                                                                              \
    X(MATCH_TURN, TURN)                                                                                                \
    X(SHAPE_CONTACT_RELEASE, SHAPE_CONTACT_RELEASE)                                                                    \
    X(SHAPE_CONTACT_BOUNCE, SHAPE_CONTACT_BOUNCE)                                                                      \
    X(PAIRS_EVENT, PAIRS_EVENT) /* gathered */                                                                         \
    X(SHAPE_CONTACT_EVENT, SHAPE_CONTACT_EVENT)                                                                        \
    X(AIR, AIR)                                                                                                        \
    X(PREDICT, PREDICT)                                                                                                \
    X(SHAPE_CONTACT_LIFT, LIFT)                                                                                        \
    X(FARTHEST, FARTHEST) /* all threads of a block together */                                                        \
    X(CHECK, CHECK)

enum per_particle_position
{
#define PER_PARTICLE_POSITION(op, bit) PER_PARTICLE_POSITION_##bit,
    PER_PARTICLE_STAGES(PER_PARTICLE_POSITION)
#undef PER_PARTICLE_POSITION
    PER_PARTICLE_COUNT,
};

enum per_particle_bit
{
#define PER_PARTICLE_BIT(op, bit) PER_PARTICLE_##bit = 1 << PER_PARTICLE_POSITION_##bit,
    PER_PARTICLE_STAGES(PER_PARTICLE_BIT)
#undef PER_PARTICLE_BIT
};

enum
{
    // Threads take the particles that collide in the order of their cells.
    PER_PARTICLE_IN_CELL_ORDER = PER_PARTICLE_WARM | PER_PARTICLE_PAIRS_EVENT,
    // Stages that use contacts with shapes.
    PER_PARTICLE_OF_SHAPES = PER_PARTICLE_PROBE | PER_PARTICLE_SHAPE_CONTACT_WARM | PER_PARTICLE_SHAPE_CONTACTS |
                             PER_PARTICLE_GUARD | PER_PARTICLE_SHAPE_CONTACT_RELEASE |
                             PER_PARTICLE_SHAPE_CONTACT_BOUNCE | PER_PARTICLE_SHAPE_CONTACT_EVENT | PER_PARTICLE_LIFT,
    // Stages that a tile's block runs when it loads its particles.
    PER_PARTICLE_BEFORE_TILES = PER_PARTICLE_REMEMBER | PER_PARTICLE_VELOCITY | PER_PARTICLE_AIR | PER_PARTICLE_PREDICT,
    // Stages that begin a substep in one kernel with the stages after them.
    PER_PARTICLE_LEADS = PER_PARTICLE_AIR | PER_PARTICLE_PREDICT,
    // rigid_fused.cu: before the shape matching of the bodies (OPEN: in a substep's first kernel); after it, until the
    // lost angular momentum is given back (AFTER); after that (AT_LAST); END: the stages that the kernel runs by other
    // code.
    BODIES_OPEN = PER_PARTICLE_PROBE | PER_PARTICLE_WARM | PER_PARTICLE_SHAPE_CONTACT_WARM,
    BODIES_BEFORE = BODIES_OPEN | PER_PARTICLE_SHAPE_CONTACTS,
    BODIES_AFTER = PER_PARTICLE_SHAPE_CONTACTS | PER_PARTICLE_VELOCITY,
    BODIES_AT_LAST = PER_PARTICLE_SHAPE_CONTACT_RELEASE | PER_PARTICLE_SHAPE_CONTACT_BOUNCE | PER_PARTICLE_PAIRS_EVENT |
                     PER_PARTICLE_SHAPE_CONTACT_EVENT,
    BODIES_END = PER_PARTICLE_TURN | PER_PARTICLE_FARTHEST | PER_PARTICLE_CHECK,
};

// How the stages of shape matching are joined in one kernel: the sums, the solve and the move; with _SPIN also the
// angular velocity that is given back.
enum match_joined
{
    MATCH_JOINED = 1,
    MATCH_JOINED_SPIN,
};

// What the schedule depends on besides the plan.
typedef struct schedule_world
{
    fuse_world fuse;
    bool contacts;       // there are lists of contacts: every substep is captured separately
    bool surfaces;       // self-collision
    bool oriented;       // contacts rotate particles
    bool hard_shapes;    // there are hulls, meshes, distance fields or height fields
    bool large;          // there are more slots than PER_PARTICLE_FEW
    bool second, bouncy; // second-order time integration (BDF2); some contacts have restitution
    bool clusters;       // there are shape-matching clusters
} schedule_world;

schedule_world schedule_world_of(const state *s, bool contacts, bool surfaces, bool hard_shapes);

// One kernel launch. Its bits are those of per_particle_bit.
typedef struct launch
{
    int64_t first;            // its first stage in the plan
    int64_t stage;            // the stage whose kernel it uses
    uint32_t lead;            // stages that begin the substep, before all others
    uint32_t per_particle;    // per-particle stages, before `stage` if that is not one of them
    uint32_t after;           // per-particle stages after the shape matching of bodies
    uint8_t joined;           // enum match_joined; 0: not joined
    uint8_t bodies;           // it is the kernel of rigid_fused.cu
    uint8_t faces;            // that kernel double buffers the directions out of bodies
    uint8_t skips_velocities; // tiles: velocities need not be written
    uint8_t hoisted;          // it is launched before a kernel of earlier stages
    uint8_t ended;            // hoisted wind: it computes the velocities itself
} launch;

enum
{
    LAUNCHES_AT_ONCE = 2, // the hoisted stage, and the kernel
};

// Writes the launches from stage *i on, in order, and returns their number; sets *i to the first stage that none of
// them runs. 0: the stage is done inside another kernel.
int schedule_next(const schedule_world *w, const plan *p, int64_t *i, int64_t end, launch out[LAUNCHES_AT_ONCE]);
// Does a substep have a kernel that begins with the prediction and goes on with other stages? *faces: does one of these
// double buffer the directions out of bodies?
bool schedule_leads(const schedule_world *w, const plan *p, bool *faces);
// Returns the per_particle_bit of a stage; 0: it is not a per-particle stage.
uint32_t per_particle_stage(int op);
// Is the angular velocity that shape matching has lost computed inside the kernel of the clusters' last shape matching?
bool schedule_spins_inside(const schedule_world *w);
