// state.h: what the stages of a step read and write. Plain pointers and numbers, so that a backend can hold the same
// struct with its own copies of the arrays. Built by world/compile.c.
//
// A slot is where a particle lives inside: slots are ordered for locality, users keep their own numbers. Each array of
// particles has four floats a slot. Behind the particles and the slots kept free for more come dummy slots that padding rows point at: for each
// tile one and some for everything else, so that no two workers share one.
#pragma once
#include "collide/meet.h"
#include "constraints/contact.h"
#include "pliant/pliant.h"
#include "stages/field.h"
#include "stages/lattice.h"
#include "stages/match.h"
#include "stages/orient.h"
#include "stages/rigid_motion.h"
#include "stages/volume.h"
#include "stages/wear.h"
#include "stages/wind.h"

enum
{
    PAD = 16,        // rows and slots come in multiples of the widest lane
    COLOUR_CAP = 64, // colours of a kind; rows beyond them are solved the Jacobi way
    MAX_FIELDS = 32,
};

enum slot_array
{
    SLOT_X,      // position, inverse mass
    SLOT_V,      // velocity; of bodies, how fast it struck (constraints/contact.h)
    SLOT_X0,     // position at the substep's start; what its prediction lost (stages/remainder.h)
    SLOT_X1,     // ... one substep earlier (BDF2)
    SLOT_V1,     // velocity one substep earlier (BDF2, restitution)
    SLOT_FORCE,  // the user's force, charge
    SLOT_AIR,    // lift and drag of the substep
    SLOT_SAFE_X, // the frame's start, to go back to
    SLOT_SAFE_V,
    SLOT_GRAIN, // radius, phase (bits: collide/crowd.h), thickness, and 1 for a corner of a skin
    SLOT_REST,  // position at rest, object (bits)
    SLOT_BUILD, // position when the contacts were last looked for
    SLOT_SKIN, // position when pairs of skins were last looked for, and how many leeways it may be off its path; 0: any
    SLOT_SKIN_V, // ... and velocity
    SLOT_NORMAL, // of particles in rigid clusters: the way out of the body, how deep it lies below the surface (match.h)
    SLOT_ARRAYS
};

// One kind's rows, packed in the order in which they are solved.
typedef struct packed_rows
{
    uint32_t *index[PL_MAX_ARITY]; // 4 * slot: offsets into a slot array
    float *param[PL_MAX_PARAMS];
    float *compliance, *damping, *stiffness; // stiffness: k' of the 2006 paper
    float *lambda;                           // part by part, lambda_step apart
    int32_t lambda_step, parts;
    uint8_t *active; // inequalities: did the row hold in the last substep
    // 1: one number for each row; 0: all rows have the same, and the array holds it PAD times
    uint8_t param_step[PL_MAX_PARAMS], compliance_step, damping_step, stiffness_step;
    bool damped;

    // Rows that flow or break under load: not NULL where `worn`.
    wear *wear;
    uint8_t worn, law, arity, params; // law: enum wear_law

    // Rows beyond the cap on colours: [jacobi_begin, jacobi_end) of the arrays above.
    int32_t jacobi_begin, jacobi_end;
    float *split;          // 4 floats a slot; the first: how many of these rows share it
    float *delta;          // 4 floats for each row and moved point
    int32_t *jacobi_slot;  // slots that these rows move,
    int32_t *jacobi_start; // for each the first of its entries in
    int32_t *jacobi_entry; // point * rows + row
    int32_t jacobi_slots;
} packed_rows;

static inline float *lambda_at(const packed_rows *p, int64_t place, int part)
{
    return p->lambda + (int64_t)part * p->lambda_step + place;
}

typedef struct packed_faces
{
    int32_t count;      // padded
    uint32_t *index[3]; // 4 * slot
    float *drag, *lift;
    float *force;        // 4 floats for each face: on each of its corners
    int32_t *slot_start; // for each slot the first of its faces in
    int32_t *slot_face;
} packed_faces;

// A run of rows of one kind that share no particle.
typedef struct run
{
    int32_t kind, begin, end;
} run;

// The particles of the objects, for internal damping.
typedef struct packed_objects
{
    int32_t count, chunks;
    int32_t *start;        // for each object the first of its members
    int32_t *member;       // slots
    int32_t *chunk_object; // for each chunk its object
    int32_t *chunk_start;  // for each chunk the first member
    int32_t *object_chunk; // for each object the first of its chunks
    motion_sum *sum;       // for each chunk
    rigid_motion *motion;  // for each object
} packed_objects;

// Clusters of particles that keep their shape.
typedef struct packed_clusters
{
    int32_t count, chunks;
    int32_t widest;   // members of the largest chunk
    int32_t overlap;  // some particle is in more than one
    int32_t flows;    // some cluster is plastic
    int32_t firm;     // some particle is in one cluster alone, which is rigid with stiffness 1
    int32_t spins;    // some cluster gets back what its turning loses
    int32_t *start;   // for each cluster the first of its members
    uint32_t *member; // 4 * slot
    float *rest;      // for each member 4 floats: position at rest from the centre, its share of the particle's mass
    float *field;     // for each member 4 floats: the way out of the body at rest, depth
    int32_t *chunk_cluster; // for each chunk its cluster
    int32_t *chunk_start;   // for each chunk the first member
    int32_t *cluster_chunk; // for each cluster the first of its chunks
    int32_t *slot_start;    // for each slot the first of its entries in
    int32_t *slot_entry;    // member, cluster
    match_sum *sum;         // for each chunk
    float *lost;            // for each chunk 4 floats: what its turning loses, times the substep
    match_body *body;       // for each cluster
    match_pose *pose;       // for each cluster
    float *quadratic;       // 81 floats for each cluster that needs them
    int32_t owns;           // some particle has a rotation of its own:
    int32_t *own;           // for each member its number among these, or -1
} packed_clusters;

// Particles with a rotation of their own.
typedef struct packed_oriented
{
    int32_t count;
    int32_t airy;     // the wind feels some
    uint32_t *member; // 4 * slot
    int32_t *of_slot; // for each slot its number here, or -1
    orient_form *form;
    orient_pose *pose;
    orient_pose *safe; // the frame's start, to go back to
    orient_way *way;
} packed_oriented;

// Overlapping regions on lattices. No particle is in two lattices.
typedef struct packed_lattices
{
    int32_t count, cells;
    int32_t lines[3];
    lattice_line *line[3]; // along each axis
    lattice_spot *spot;    // for each cell
    lattice_body *body;    // for each lattice
    float *sum[2];         // 12 numbers a cell
    float *ends;           // as many: see lattice_windows
    int32_t *spot_of;      // for each member its cell
} packed_lattices;

// Closed surfaces that hold a volume. No particle is in two.
typedef struct packed_volumes
{
    int32_t count, chunks;
    int32_t *start;        // for each volume the first of its members
    uint32_t *member;      // 4 * slot
    int32_t *corner_start; // for each member the first of its triangles in
    uint32_t *corner;      // the two corners that follow it: 4 * slot
    int32_t *chunk_volume; // for each chunk its volume
    int32_t *chunk_start;  // for each chunk the first member
    int32_t *volume_chunk; // for each volume the first of its chunks
    volume_sum *sum;       // for each chunk
    float *gradient;       // for each member 4 floats
    volume_body *body;     // for each volume
} packed_volumes;

// Contacts run in groups: 16 blocks side by side, one in each lane, a row holding the m-th contact of each. No two blocks of a
// colour share a particle, so lanes, groups and workers are independent; inside a block contacts are visited in order.
typedef struct packed_groups
{
    int32_t *row; // for each group its first row, and one more at the end; a row is PAD contacts wide
} packed_groups;

enum
{
    PAIR_COLOURS = 8, // parities of a block's corner
    SKIN_ROUNDS = 3,  // of looking for skins that may have crossed
};

// Particles near each other. Padding repeats the block's last contact with a reach that nothing can be within.
typedef struct packed_pairs
{
    int32_t colour[PAIR_COLOURS + 1]; // for each colour's stage its first group
    const int32_t *slab; // NULL, or for every fourth of these a slab's first group: a stage is cut only there
    int32_t slabs;
    int32_t all[2]; // 0, groups
    packed_groups groups;
    uint32_t *index[2];            // 4 * slot
    float *reach;                  // sum of the radii
    float *stick, *slide, *bounce; // mu_s and mu_k, less what rolling takes; e
    int32_t step;                  // numbers from one row of PAD to the next, in each column
    uint8_t material_step;         // 0: all rows have the same, held PAD times
    float *lambda[4];              // normal, tangential x y z
} packed_pairs;

// Where pairs lie in slabs: stretches of slots, by the units of cells that their particles are in.
enum
{
    SLOT_STRETCH = 1024,
};

typedef struct packed_stretches
{
    int32_t count;
    int32_t *low, *high;           // for each stretch its first and last unit; 0 and `slabs`: some particle is in none
    int32_t *low_start, *low_item; // for each unit the stretches that it is the first of
    int32_t *high_start, *high_item; // ... the last of
} packed_stretches;

// Particles near shapes; a block is a particle.
typedef struct packed_touches
{
    int32_t range[2]; // 0, groups
    const int32_t
        *unit; // NULL, or where pairs lie in slabs: for each unit of cells its first group, for the rest, and one more
    packed_groups groups;
    uint32_t *index; // 4 * slot
    int32_t *shape;  // -1: padding
    int32_t *part;   // a shape of triangles has FACETS rows, one below the other; the first of them looks for all
    float *plane[4]; // of the substep: outward normal, and the least n . x, radius included
    float *drift[3]; // how far the surface runs in the substep
    float *stick, *slide, *bounce;
    float *lambda[4];
} packed_touches;

// Pieces of skin near each other: a vertex and a triangle, or two edges. Blocks and colours are those of pairs.
typedef struct packed_skin
{
    int32_t colour[PAIR_COLOURS + 1];
    int32_t all[2];
    packed_groups groups;
    uint32_t *index[4];               // 4 * slot
    float *mode;                      // skin_mode: constraints/skin.h
    float *reach;                     // how near they may come; a tangle: how far it is drawn apart in a substep
    float *normal[3], *weight[4];     // of the substep; a tangle's stay
    float *gap, *aim;                 // of the substep: how far apart they began, how near they may come
    float *limit;                     // of the substep: how far their corners may go
    float *stick, *slide, *bounce;    // mu_s and mu_k, e
    float *lambda[4];                 // normal, tangential x y z
    float *push;                      // 4 floats a row
    int32_t *slot_start, *slot_entry; // for each slot its rows, as 4 * row + corner
    float leeway;                     // m: how far a particle may be off its path
} packed_skin;

// How contacts are driven, for the frame.
typedef struct contact_rule
{
    give grain;      // between loose particles
    give bare;       // ... and shapes
    give body;       // of particles in rigid clusters, with anything
    float threshold; // m/s: slower impacts do not bounce
    float slow;      // m/s: what parts no faster is at rest
    int32_t bouncy;  // some material has a restitution
} contact_rule;

// What one substep needs beside the arrays.
typedef struct substep
{
    float ahead; // the part of the frame that is still to come when it ends
    float phase[GUST_WAVES];
} substep;

// What is known of all particles together since contacts were last looked for (stages/refresh.h).
enum
{
    FAR_MOVED, // the square of how far one has come
    FAR_SPEED, // the square of the greatest speed
    FAR_WAYS,  // how far one may have come after another substep, along x, y, z, and against them
    WAYS = 6,
    FAR_COUNT = FAR_WAYS + WAYS,
};

// Changes while a frame runs, so it lives beside the arrays.
typedef struct flow
{
    int32_t smooth;               // substeps since the last non-smooth event: 0 means that BDF2 has no history to use
    int32_t second;               // the last substep was of second order
    int32_t event;                // an inequality began or ceased to hold in this substep
    int32_t bad;                  // a position is not finite
    int32_t torn;                 // a row is loaded beyond its strength
    float far[FAR_COUNT];         // how far and fast particles are, at the most
    float far_h;                  // s: the substep that was in sight then
    float drifted;                // the square of how far a corner of a skin is off its path, at the most
    float skin_age;               // s, at the substep's end, since pairs of skins were looked for
    int32_t crowded[SKIN_ROUNDS]; // did a round find pairs of skins that may have crossed
    int32_t from, to; // substeps that run: a device may have to stop in the middle of a frame, and go on later
} flow;

typedef struct state
{
    int32_t particles, slots; // slots: with dummies, padded
    float *slot[SLOT_ARRAYS];
    packed_rows rows[PL_KIND_COUNT];
    packed_faces faces;
    packed_objects objects;
    packed_clusters clusters;
    packed_oriented oriented;
    packed_lattices lattices;
    packed_volumes volumes;
    packed_pairs pairs;
    packed_stretches stretches;
    packed_touches touches;
    packed_skin skin;
    contact_rule contact;
    solid *solids;    // shapes
    char *shape_data; // the geometry of all shapes: see solid.h
    int64_t shape_data_size;
    int32_t shape_data_change; // counts: another number, other bytes
    placement *placements;     // for each shape where it is at the start of each substep, and at the end of the last
    int32_t placement_step;    // substeps + 1
    int32_t tiles;
    int32_t *tile_first; // for each tile its first slot, and one more at the end
    int32_t *tile_start; // for each tile the first of its runs in
    run *tile_run;

    // of the frame
    float h, gravity[3];
    float frame_share; // 1/substeps
    float fade;        // 1/(1 + damping h)
    float internal_k;  // internal_damping h/(1 + internal_damping h)
    int32_t second;    // BDF2 wanted
    int32_t pbd;       // classic PBD instead of XPBD
    int32_t pushed;    // some particle may have a force of the user's
    int32_t field_count;
    field *fields;
    air wind;
    substep *substeps;
    flow *now;
} state;
