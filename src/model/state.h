// state.h: what the stages of a step read and write. Plain pointers and numbers, so that a backend can hold the same
// struct with its own copies of the arrays. Built by layout/compile.c.
//
// A slot is where a particle lives inside: slots are ordered for locality, users keep their own numbers. Each array of
// particles has four floats a slot. Behind the particles and the slots kept free for more come dummy slots that padding rows point at: for each
// tile one and some for everything else, so that no two workers share one.
#pragma once
#include "collide/particle_vs_shape.h"
#include "kernels/contact.h"
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/field.h"
#include "kernels/lattice_match.h"
#include "kernels/shape_match.h"
#include "kernels/oriented.h"
#include "kernels/rigid_motion.h"
#include "kernels/volume.h"
#include "kernels/damage.h"
#include "kernels/wind.h"

enum
{
    PAD = 16,        // rows and slots come in multiples of the widest lane
    COLOUR_CAP = 64, // colours of a kind; rows beyond them are solved the Jacobi way
    MAX_FIELDS = 32,
};

// Arrays of particles. What each holds is told in model/columns.def, like all arrays below.
enum slot_array
{
#define SLOT_COLUMN(name, ...) SLOT_##name,
#include "model/columns.def"
    SLOT_ARRAYS
};

// One kind's rows, packed in the order in which they are solved.
typedef struct packed_rows
{
#define PACKED_ROWS COLUMN_MEMBER
#include "model/columns.def"
    int32_t lambda_step, parts;
    // 1: one number for each row; 0: all rows have the same, and the array holds it PAD times
    uint8_t param_step[PL_MAX_PARAMS], compliance_step, damping_step, stiffness_step;
    bool damped;
    uint8_t damaged, law;                           // worn: rows flow or break under load; law: enum damage_law
    uint8_t arity, params, writes, bounded, frames; // frames: its ends are particles or frames

    // Rows beyond the cap on colours: [jacobi_begin, jacobi_end) of the arrays.
    int32_t jacobi_begin, jacobi_end;
    int32_t jacobi_slots; // that these rows move
} packed_rows;

static inline float *lambda_at(const packed_rows *p, int64_t place, int part)
{
    return p->lambda + (int64_t)part * p->lambda_step + place;
}

typedef struct packed_faces
{
    int32_t count; // padded
#define PACKED_FACES COLUMN_MEMBER
#include "model/columns.def"
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
    int32_t room, chunk_room; // for how many there is memory
#define PACKED_OBJECTS COLUMN_MEMBER
#include "model/columns.def"
} packed_objects;

// Clusters of particles that keep their shape.
typedef struct packed_clusters
{
    int32_t count, members, chunks;
    int32_t widest;     // members of the largest chunk
    int32_t overlap;    // some particle is in more than one
    int32_t flows;      // some cluster is plastic
    int32_t firm;       // some particle is in one cluster alone, which is rigid with stiffness 1
    int32_t spins;      // some cluster gets back what its turning loses
    int32_t quadratics; // clusters that deform quadratically
    int32_t owns;       // some particle has a rotation of its own
#define PACKED_CLUSTERS COLUMN_MEMBER
#include "model/columns.def"
} packed_clusters;

// The frames that slots own (model/frame.h). All are those of oriented particles, which have a form too (kernels/oriented.h).
typedef struct packed_oriented
{
    int32_t count;
    int32_t airy; // the wind feels some
#define PACKED_ORIENTED COLUMN_MEMBER
#include "model/columns.def"
} packed_oriented;

// Overlapping regions on lattices. No particle is in two lattices.
typedef struct packed_lattices
{
    int32_t count, members, cells;
    int32_t lines[3]; // along each axis
#define PACKED_LATTICES COLUMN_MEMBER
#include "model/columns.def"
} packed_lattices;

// Closed surfaces that hold a volume. No particle is in two.
typedef struct packed_volumes
{
    int32_t count, members, triangles, chunks;
#define PACKED_VOLUMES COLUMN_MEMBER
#include "model/columns.def"
} packed_volumes;

// Contacts run in groups: 16 blocks side by side, one in each lane, a row holding the m-th contact of each. No two blocks of a
// colour share a particle, so lanes, groups and workers are independent; inside a block contacts are visited in order.
typedef struct packed_groups
{
    int32_t *row; // for each group its first row, and one more at the end; a row is PAD contacts wide
} packed_groups;

enum
{
    PAIR_COLOURS = 8,   // parities of a block's corner
    SURFACE_ROUNDS = 3, // of looking for skins that may have crossed
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
typedef struct packed_shape_contacts
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
} packed_shape_contacts;

// Pieces of skin near each other: a vertex and a triangle, or two edges. Blocks and colours are those of pairs.
typedef struct packed_surface
{
    int32_t colour[PAIR_COLOURS + 1];
    int32_t all[2];
    packed_groups groups;
    uint32_t *index[4];               // 4 * slot
    float *mode;                      // surface_mode: kernels/surface_contact.h
    float *reach;                     // how near they may come; a tangle: how far it is drawn apart in a substep
    float *normal[3], *weight[4];     // of the substep; a tangle's stay
    float *gap, *aim;                 // of the substep: how far apart they began, how near they may come
    float *limit;                     // of the substep: how far their corners may go
    float *stick, *slide, *bounce;    // mu_s and mu_k, e
    float *lambda[4];                 // normal, tangential x y z
    float *push;                      // 4 floats a row
    int32_t *slot_start, *slot_entry; // for each slot its rows, as 4 * row + corner
    float leeway;                     // m: how far a particle may be off its path
} packed_surface;

// How contacts are driven, for the frame.
typedef struct contact_rule
{
    contact_softness grain; // between loose particles
    contact_softness bare;  // ... and shapes
    contact_softness body;  // of particles in rigid clusters, with anything
    float threshold;        // m/s: slower impacts do not bounce
    float slow;             // m/s: what parts no faster is at rest
    int32_t bouncy;         // some material has a restitution
} contact_rule;

// What one substep needs beside the arrays.
typedef struct substep
{
    float ahead; // the part of the frame that is still to come when it ends
    float phase[GUST_WAVES];
} substep;

// What is known of all particles together since contacts were last looked for (stages/list_validity.h).
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
    int32_t smooth;       // substeps since the last non-smooth event: 0 means that BDF2 has no history to use
    int32_t second;       // the last substep was of second order
    int32_t event;        // an inequality began or ceased to hold in this substep
    int32_t bad;          // a position is not finite
    int32_t torn;         // a row is loaded beyond its strength
    float far[FAR_COUNT]; // how far and fast particles are, at the most
    float far_h;          // s: the substep that was in sight then
    float drifted;        // the square of how far a corner of a skin is off its path, at the most
    float surface_age;    // s, at the substep's end, since pairs of skins were looked for
    int32_t crowded[SURFACE_ROUNDS]; // did a round find pairs of skins that may have crossed
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
    packed_shape_contacts shape_contacts;
    packed_surface surfaces;
    contact_rule contact;
    solid *solids;    // shapes
    char *shape_data; // the geometry of all shapes: see solid.h
    int64_t shape_data_size;
    int32_t shape_data_change; // counts: another number, other bytes
    placement *placements;     // for each shape where it is at the start of each substep, and at the end of the last
    int32_t placement_step;    // substeps + 1
    int32_t tiles;
    int32_t tile_room, tile_runs; // tile_room: tiles for which there is memory
#define PACKED_TILES COLUMN_MEMBER
#include "model/columns.def"

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
