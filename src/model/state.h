// state.h: declares the state, which the stages of a step read and write. It has plain pointers and numbers, so that a
// backend can hold the same struct with its own copies of the arrays. layout/compile.c builds it.
//
// A slot is the internal index of a particle: slots are ordered for locality, while users keep their own numbers. Each
// array of particles has four floats per slot. Behind the particles and the free slots for later ones lie dummy slots
// that padding rows point at: one for each tile and some for everything else, so that no two workers share one.
#pragma once
#include "collide/particle_vs_shape.h"
#include "kernels/chebyshev.h"
#include "kernels/contact.h"
#include "model/groups.h"
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/field.h"
#include "kernels/fluid.h"
#include "kernels/rigid_motion.h"
#include "kernels/damage.h"
#include "kernels/gas.h"
#include "kernels/wind.h"

enum
{
    PAD = 16,        // rows and slots come in multiples of the widest lane
    COLOUR_CAP = 64, // colours of a kind; rows beyond them are solved by Jacobi iteration
    MAX_FIELDS = 32,
};

// Arrays of particles. model/columns.def describes each of them, and all arrays below.
enum slot_array
{
#define SLOT_COLUMN(name, ...) SLOT_##name,
#include "model/columns.def"
    SLOT_ARRAYS
};

// The rows of one kind, packed in the order in which they are solved.
typedef struct packed_rows
{
#define PACKED_ROWS COLUMN_MEMBER
#include "model/columns.def"
    int32_t lambda_step, parts;
    // 1: one number for each row; 0: all rows have the same number, which the array holds PAD times
    uint8_t param_step[PL_MAX_PARAMS], compliance_step, damping_step, stiffness_step;
    bool damped;
    uint8_t damaged, law;                           // damaged: rows flow or break under load; law: enum damage_law
    uint8_t arity, params, writes, bounded, frames; // frames: its ends are particles or frames

    // Rows beyond the limit of colours: [jacobi_begin, jacobi_end) of the arrays.
    int32_t jacobi_begin, jacobi_end;
    int32_t jacobi_slots; // slots that these rows move
} packed_rows;

static inline float *lambda_at(const packed_rows *p, int64_t packed_at, int part)
{
    return p->lambda + (int64_t)part * p->lambda_step + packed_at;
}

typedef struct packed_faces
{
    int32_t count; // padded
#define PACKED_FACES COLUMN_MEMBER
#include "model/columns.def"
} packed_faces;

enum
{
    TILE_SIZE = 1280, // most particles of a tile: 40 KiB of positions and displacements, so that it fits an L1 cache
};

// A run of rows of one kind that share no particle.
typedef struct run
{
    int32_t kind, begin, end;
} run;

// Lists of particles, each with a rigid motion (kernels/rigid_motion.h).
enum particle_lists
{
    LISTS_OBJECTS,    // the particles of each object, for internal damping
    LISTS_COMPONENTS, // free particles that constraints connect; they keep their angular momentum (layout/components.c)
    PARTICLE_LISTS
};

typedef struct packed_lists
{
    int32_t count, blocks, chunks;
    int32_t room, block_room, chunk_room, member_room; // the numbers for which there is memory
    bool frames;                                       // of components: some of them contain frames
#define PACKED_LISTS COLUMN_MEMBER
#include "model/columns.def"
} packed_lists;

// The clients of the neighbour service that have a full list.
enum neighbour_client_number
{
#define NEIGHBOUR_CLIENT(name, NAME) CLIENT_##NAME,
#include "model/neighbour_clients.def"
    NEIGHBOUR_CLIENTS
};

// The list of such a client, as its stages read it. Its particles are sorted by (cell, slot); a particle's index in
// that order is its sorted index. On a CPU the neighbours of sorted index i are neighbour[start[i]] to
// neighbour[start[i + 1] - 1]. On a device, `many` is not NULL: sorted index i has many[i] neighbours; the k-th is
// found[4 * (k / 4 * count + i) + k % 4] for k < notes, so that threads side by side read four each side by side, and
// neighbour[start[i] + k - notes] beyond.
typedef struct packed_neighbours
{
    int32_t count;                           // particles
    const int32_t *slot, *start, *neighbour; // neighbour: sorted indices
    const int32_t *many, *found;
    int32_t notes;
    // For SIMD lanes, of clients with stages: group i holds the particles [PAD i, PAD (i + 1)). Its rows are row[i] to
    // row[i + 1] - 1; the k-th has the k-th neighbour of each of them, as 4 * sorted index; one that has fewer names
    // itself. NULL on a device.
    const int32_t *row;
    const uint32_t *in_lanes;
} packed_neighbours;

// The fluid of a world (kernels/fluid.h). The columns are in the order of the client's list: scratch of a substep.
typedef struct packed_fluid
{
    float spacing; // m; 0: there is none
    fluid_kernel kernel;
    int32_t solids; // there are solid particles with a radius
    int32_t mixed;  // its particles do not all have one mass, or there are solids
    int32_t gases;  // how many rules there are in
    gas_rule gas[GAS_RULES];
    int32_t tense;  // some particle has a tension
    int32_t wets;   // some of them adheres to solids
    int32_t phases; // they are of several phases
    int32_t rubs;   // some particle has friction on walls
    int32_t whirls; // some particle has vorticity confinement
    int32_t airy;   // some particle has drag against the air
    int32_t dyed;   // the dye of some particle spreads
    int32_t room;   // 1: there is memory for the columns; 2: also for those of tension and implicit viscosity
    int32_t passes; // of implicit viscosity; 0: it is explicit (kernels/fluid_viscosity.h)
    float smoothing, viscosity; // the largest of its particles
    float contrast;             // 2 w/(w + w') of the lightest and the heaviest particle: 1 for equal masses
    float reach;                // the largest eigenvalue of that iteration, less 1
    float sight;                // spacings: how far beyond the radius of a particle shapes are seen
#define PACKED_FLUID COLUMN_MEMBER
#include "model/columns.def"
} packed_fluid;

// What the Chebyshev method keeps of each slot (kernels/chebyshev.h).
typedef struct packed_acceleration
{
    int32_t slots; // 0: it is not used
    float radius2; // the square of the spectral radius
#define PACKED_ACCELERATION COLUMN_MEMBER
#include "model/columns.def"
} packed_acceleration;

// The coarse levels of the solver hierarchy (kernels/hierarchy.h). Nodes and links come in multiples of PAD for each level
// and colour; the last PAD nodes belong to no level: unused links and parents name them.
typedef struct packed_hierarchy
{
    int32_t nodes, links;
    float pull; // m/s^2: what the bounds give for
#define PACKED_HIERARCHY COLUMN_MEMBER
#include "model/columns.def"
} packed_hierarchy;

// Contacts run in groups: 16 blocks side by side, one in each lane; a row holds the m-th contact of each block. No two
// blocks of a colour share a particle, so lanes, groups and workers are independent; the contacts of a block are solved
// in order.
typedef struct packed_groups
{
    int32_t *row; // for each group its first row, and one more at the end; a row is PAD contacts wide
} packed_groups;

enum
{
    PAIR_COLOURS = 8,   // parities of a block's corner
    SURFACE_ROUNDS = 3, // rounds that search for surfaces that may have crossed
};

// Pairs of particles near each other. Padding repeats the block's last contact with a reach that no distance is below.
typedef struct packed_pairs
{
    int32_t colour[PAIR_COLOURS + 1]; // for each colour's stage its first group
    const int32_t *slab; // NULL, or for every fourth of these a slab's first group: a stage is cut only there
    int32_t slabs;
    int32_t all[2]; // 0, number of groups
    packed_groups groups;
    uint32_t *index[2];            // 4 * slot
    float *reach;                  // sum of the radii
    float *stick, *slide, *bounce; // mu_s and mu_k, less the share of rolling; e
    int32_t step;                  // numbers from one row of PAD to the next, in each column
    uint8_t material_step;         // 0: all rows have the same numbers, held PAD times
    float *lambda[4];              // normal, tangential x y z
    float *carried;                // with restitution: the normal one that the substep starts with
} packed_pairs;

// If pairs lie in slabs: ranges of slots, by the units of cells that their particles are in.
enum
{
    SLOT_STRETCH = 1024,
};

typedef struct packed_stretches
{
    int32_t count;
    int32_t *low, *high;             // for each range its first and last unit; 0 and `slabs`: some particle is in none
    int32_t *low_start, *low_item;   // for each unit the ranges that begin with it
    int32_t *high_start, *high_item; // for each unit the ranges that end with it
} packed_stretches;

// Particles near shapes; a block is a particle.
typedef struct packed_shape_contacts
{
    int32_t range[2]; // 0, number of groups
    const int32_t
        *unit; // NULL, or if pairs lie in slabs: for each unit of cells its first group, then that of the rest, and one
               // more
    packed_groups groups;
    uint32_t *index; // 4 * slot
    int32_t *shape;  // -1: padding
    int32_t *part;   // a shape of triangles has FACETS rows, one below the other; the first of them searches for all
    float *plane[4]; // of the substep: outward normal, and the least n . d, radius included; d: the displacement
    float *drift[3]; // displacement of the surface in the substep
    float *stick, *slide, *bounce;
    float *lambda[4];
    float *carried; // as of pairs
    // The contacts of slot i: near_row[near_first[i]] to near_row[near_first[i + 1] - 1]; without near_row, the numbers
    // from near_first[i] on. near_first is NULL if there are no shapes.
    const int32_t *near_first, *near_row;
} packed_shape_contacts;

// Pieces of surfaces near each other: a vertex and a triangle, or two edges. Blocks and colours are those of pairs.
typedef struct packed_surface
{
    int32_t colour[PAIR_COLOURS + 1];
    int32_t all[2];
    packed_groups groups;
    uint32_t *index[4];               // 4 * slot
    float *mode;                      // surface_mode: kernels/surface_contact.h
    float *reach;                     // the least distance; for tangled surfaces: how far they are pulled apart in a
                                      // substep
    float *normal[3], *weight[4];     // of the substep; those of tangled surfaces stay
    float *gap, *aim;                 // of the substep: distance at its start, least distance allowed
    float *limit;                     // of the substep: how far their corners may move
    float *stick, *slide, *bounce;    // mu_s and mu_k, e
    float *lambda[4];                 // normal, tangential x y z
    float *push;                      // 4 floats a row
    int32_t *slot_start, *slot_entry; // for each slot its rows, as 4 * row + corner
    float leeway;                     // m: how far a particle may be off its path
} packed_surface;

// How contacts are solved in the frame.
typedef struct contact_rule
{
    contact_softness particle; // between free particles
    contact_softness bare;     // between free particles and shapes
    contact_softness body;     // of particles in rigid clusters, with anything
    float threshold;           // m/s: slower impacts do not bounce
    float slow;                // m/s: contacts that separate no faster are at rest
    int32_t bouncy;            // some material has a restitution
    int32_t rigid_bouncy;      // the same, for contacts of rigid bodies
    float rigid_softness;      // kernels/rigid_contact.h: c
    float body_softness;       // kernels/body_particle.h: a over the inverse masses
    float still_speed;         // m/s: a rigid body that is slower than this; 0: bodies do not sleep
    float still_time;          // s: for this time may fall asleep
} contact_rule;

// The numbers of one substep beside the arrays.
typedef struct substep
{
    float ahead;             // the part of the frame that remains when the substep ends
    float phase[GUST_WAVES]; // of gusts, at the substep's end
    gust_moment gust;
} substep;

// Maxima over all particles since the contact lists were last built (stages/neighbour_validity.h).
enum
{
    FAR_MOVED, // the square of the largest displacement
    FAR_SPEED, // the square of the largest speed
    FAR_WAYS,  // the largest displacement after another substep, along x, y, z, and against them
    WAYS = 6,
    FAR_COUNT = FAR_WAYS + WAYS,
};

// Numbers that change while a frame runs, so they are kept beside the arrays.
typedef struct flow
{
    int32_t smooth;       // substeps since the last non-smooth event; 0: BDF2 has no history to use
    int32_t second;       // the last substep was of second order
    int32_t event;        // an inequality began or ceased to hold in this substep
    int32_t bad;          // a position is not finite
    int32_t torn;         // a row is loaded beyond its strength
    int32_t rigid_left;   // a rigid body may leave the box for which pairs of bodies were listed
    int32_t place_left;   // a particle may leave the place for which its contacts with bodies were listed
    int32_t rigid_still;  // a rigid body has been still for long enough to fall asleep
    float far[FAR_COUNT]; // the largest displacement and speed of the particles
    float far_h;          // s: the length of the substep that found these maxima
    float drifted;        // m^2: the largest squared deviation of a particle from its path over its allowed leeways
    float surface_age;    // s, at the substep's end, since the surface contact lists were built
    int32_t crowded[SURFACE_ROUNDS]; // whether a round found surfaces that may have crossed
    chebyshev_now chebyshev;
    int32_t from, to; // substeps to run: a device may have to stop in the middle of a frame and continue later
} flow;

typedef struct state
{
    int32_t particles, slots; // slots: with dummies, padded
    float *slot[SLOT_ARRAYS];
    packed_faces faces;
    packed_lists lists[PARTICLE_LISTS];
#define GROUP_KIND(name, NAME, id, form, words) GROUP_STATE_##form(name)
#define GROUP_STATE_PACKED(name) packed_##name name;
#define GROUP_STATE_PLAIN(name)
#include "model/groups.def"
    packed_rigid_contacts rigid_contacts;
    packed_body_particles body_particles;
    packed_pairs pairs;
    packed_stretches stretches;
    packed_shape_contacts shape_contacts;
    packed_surface surfaces;
    packed_fluid fluid;
    packed_acceleration acceleration;
    packed_hierarchy hierarchy;
    struct direct_system *direct; // of the solver direct (direct/direct.h); host only
    packed_neighbours neighbours[NEIGHBOUR_CLIENTS];
    contact_rule contact;
    solid *solids;    // shapes
    char *shape_data; // the geometry of all shapes: see solid.h
    int64_t shape_data_size;
    int32_t shape_data_change; // a version number: it changes with the bytes
    placement *placements;     // for each shape its placement at the start of each substep, and at the end of the last
    int32_t placement_step;    // substeps + 1
    int32_t tiles;
    int32_t tile_room, tile_runs; // tile_room: tiles for which there is memory
#define PACKED_TILES COLUMN_MEMBER
#include "model/columns.def"

    // numbers of the frame
    float h, gravity[3];
    float frame_share; // 1/substeps
    float fade;        // 1/(1 + damping h)
    float internal_k;  // internal_damping h/(1 + internal_damping h)
    int32_t second;    // BDF2 is selected
    int32_t pbd;       // classic PBD instead of XPBD
    float relaxation;  // of Jacobi iteration
    int32_t averaged;  // Jacobi iteration averages instead of splitting masses
    int32_t pushed;    // some particle may have a user force
    int32_t field_count;
    field *fields;
    air wind;
    substep *substeps;
    flow *now;
    // Last, so that a kernel can keep a copy of all else in registers (backend/cuda/cluster_frame.cu).
    packed_rows rows[PL_KIND_COUNT];
} state;

// A frame as a list of stages (plan/stage.h).
typedef struct plan
{
    struct stage *stages;
    int64_t count, capacity;
    int64_t head, body; // the number of stages before the first substep, and of each substep
} plan;
