// schedule.h: a plan as kernel launches: which stages each kernel of the CUDA backend runs. Decided on the host from the plan and a few
// facts, without a device, so that tests see it on any machine. What is legal comes from step/fuse.h; here is what the kernels can do.
#pragma once
#include "step/fuse.h"

enum
{
    PER_PARTICLE_FEW = 1 << 17, // slots of a scene in which latency counts, and not the memory's bandwidth
};

// The stages in which a particle changes nothing but itself, in the order in which one kernel runs them (per_particle.h): X(stage, bit).
#define PER_PARTICLE_STAGES(X)                                                                                         \
    X(REMEMBER, REMEMBER)                                                                                              \
    X(PROBE, PROBE)                                                                                                    \
    X(PAIRS_WARM, WARM) /* gathered: every particle adds up what its pairs push it by */                               \
    X(SHAPE_CONTACT_WARM, SHAPE_CONTACT_WARM)                                                                          \
    X(SHAPE_CONTACTS, SHAPE_CONTACTS)                                                                                  \
    X(SHAPE_CONTACT_GUARD, GUARD)                                                                                      \
    X(VELOCITY, VELOCITY)                                                                                              \
    X(MATCH_TURN, TURN)                                                                                                \
    X(SHAPE_CONTACT_BOUNCE, SHAPE_CONTACT_BOUNCE)                                                                      \
    X(PAIRS_EVENT, PAIRS_EVENT) /* gathered */                                                                         \
    X(SHAPE_CONTACT_EVENT, SHAPE_CONTACT_EVENT)                                                                        \
    X(FARTHEST, FARTHEST)                                                                                              \
    X(CHECK, CHECK)                                                                                                    \
    X(AIR, AIR)                                                                                                        \
    X(PREDICT, PREDICT)                                                                                                \
    X(SHAPE_CONTACT_LIFT, LIFT)

enum own_place
{
#define PER_PARTICLE_PLACE(op, bit) PER_PARTICLE_PLACE_##bit,
    PER_PARTICLE_STAGES(PER_PARTICLE_PLACE)
#undef PER_PARTICLE_PLACE
};

enum per_particle_bit
{
#define PER_PARTICLE_BIT(op, bit) PER_PARTICLE_##bit = 1 << PER_PARTICLE_PLACE_##bit,
    PER_PARTICLE_STAGES(PER_PARTICLE_BIT)
#undef PER_PARTICLE_BIT
};

enum
{
    PER_PARTICLE_BY_PLACE =
        PER_PARTICLE_WARM | PER_PARTICLE_PAIRS_EVENT, // threads take those that collide, in the order of their cells
    PER_PARTICLE_OF_SHAPES = PER_PARTICLE_PROBE | PER_PARTICLE_SHAPE_CONTACT_WARM | PER_PARTICLE_SHAPE_CONTACTS |
                             PER_PARTICLE_GUARD | PER_PARTICLE_SHAPE_CONTACT_BOUNCE | PER_PARTICLE_SHAPE_CONTACT_EVENT |
                             PER_PARTICLE_LIFT,
    PER_PARTICLE_BEFORE_TILES = PER_PARTICLE_REMEMBER | PER_PARTICLE_VELOCITY | PER_PARTICLE_AIR |
                                PER_PARTICLE_PREDICT, // what a tile's block does when it loads its particles
    PER_PARTICLE_LEADS = PER_PARTICLE_AIR |
                         PER_PARTICLE_PREDICT, // what a double-buffered kernel begins with (predict_double_buffered.cu)
    // rigid_fused.cu: before the bodies' turn; after it and before they get back what their turning has lost; and after that
    BODIES_OPEN = PER_PARTICLE_PROBE | PER_PARTICLE_WARM | PER_PARTICLE_SHAPE_CONTACT_WARM,
    BODIES_BEFORE = BODIES_OPEN | PER_PARTICLE_SHAPE_CONTACTS,
    BODIES_AFTER = PER_PARTICLE_SHAPE_CONTACTS | PER_PARTICLE_VELOCITY,
    BODIES_AT_LAST = PER_PARTICLE_SHAPE_CONTACT_BOUNCE | PER_PARTICLE_PAIRS_EVENT | PER_PARTICLE_SHAPE_CONTACT_EVENT,
    BODIES_END = PER_PARTICLE_TURN | PER_PARTICLE_FARTHEST | PER_PARTICLE_CHECK,
};

// A stage of shape matching together with those before it, and with what comes after the velocities.
enum match_joined
{
    MATCH_JOINED = 1,
    MATCH_JOINED_SPIN,
};

// What decides beside the plan.
typedef struct schedule_world
{
    fuse_world fuse;
    bool contacts;    // there are lists of contacts: a substep is captured by itself
    bool surfaces;    // self-collision
    bool oriented;    // contacts turn particles
    bool hard_shapes; // meshes, hulls, distance fields
    bool large;       // more slots than PER_PARTICLE_FEW
    bool second, bouncy;
    bool clusters;
} schedule_world;

schedule_world schedule_world_of(const state *s, bool contacts, bool surfaces, bool hard_shapes);

// One kernel.
typedef struct launch
{
    int64_t first;         // its first stage in the plan
    int64_t stage;         // the stage whose kernel it is
    uint32_t lead;         // own bits: double buffered, before all others
    uint32_t per_particle; // own bits, before the stage if that is not one of them
    uint32_t after;        // own bits, after the bodies' turn
    uint8_t joined;        // match_joined
    uint8_t bodies;        // rigid_fused.cu runs it
    uint8_t faces;         // ... and double buffers the ways out of bodies
    uint8_t passing;       // tiles: velocities need not be written
    uint8_t hoisted;       // it goes before a kernel of earlier stages
    uint8_t ended;         // hoisted wind: it finds the velocities for itself
} launch;

enum
{
    LAUNCHES_AT_ONCE = 2, // what is hoisted, and the kernel
};

// The launches from stage *i on, in order, and how many; *i: the first stage that none of them runs. 0: that stage is done elsewhere.
int schedule_next(const schedule_world *w, const plan *p, int64_t *i, int64_t end, launch out[LAUNCHES_AT_ONCE]);
// Does a substep have a kernel that begins with a double-buffered prediction? faces: one with which the ways out of bodies are, too?
bool schedule_leads(const schedule_world *w, const plan *p, bool *faces);
// The own bit of a stage; 0: a particle does not do it for itself.
uint32_t per_particle_stage(int op);
// What the clusters' turning has lost is found inside the kernel of their last turn.
bool schedule_spins_inside(const schedule_world *w);
