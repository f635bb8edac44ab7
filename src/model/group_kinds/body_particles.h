// body_particles.h: defines the contacts between rigid bodies and particles: the rows that are solved, one for each
// particle near a shape of a body, some for each triangle of a surface near a shape, and how they are grouped. Rows of a
// body are consecutive; up to BODY_CHUNK of them are a chunk, whose terms are summed together. Points are the particles
// that have rows.
#pragma once
#include "core/radix_sort.h"
#include "model/members.h"

enum
{
    BODY_CHUNK = 32,
    BODY_UNKNOWNS = 6,  // of a body: displacement and rotation
    BODY_TERMS = 27,    // the lower half of the matrix of these, and the right side
    BODY_CORNERS = 3,   // of a triangle
    BODY_FACE_ROWS = 4, // of a triangle and a shape: so many points touch (collide/surface_manifold.h)
    BODY_ROUNDS = 3,    // times that the states of the contacts are found again in a pass (kernels/body_particle.h)
};

// What a stage of these contacts does (stage.kind).
enum body_pass
{
    BODY_WARM,   // applies the multipliers of the last substep
    BODY_SOLVE,  // solves the contacts on displacements
    BODY_IMPACT, // makes what has met separate, on velocities
};

// A point that touches: a particle, or a point of a triangle, the mean of its corners by weights.
typedef struct body_row
{
    uint32_t member[BODY_CORNERS]; // 4 * slot of the particle, or of the corners
    int32_t point[BODY_CORNERS];   // their places among the points
    int32_t corners;               // 1 or 3
    int32_t rows;                  // of the first row of a pair: how many it has; 0: a further one
    int32_t collider;              // of packed_rigid_contacts
    int32_t body;                  // among the bodies with rows
    float stick, slide, bounce;
} body_row;

// What else the first row of a triangle knows.
typedef struct body_face
{
    uint32_t beyond[BODY_CORNERS]; // 4 * slot of the corner across each edge
    int32_t open;                  // bits: edges that have none
} body_face;

// What a row has during a substep.
typedef struct body_work
{
    float normal[3]; // unit, from the body to the point
    float base;      // m: the separation is base + normal . (d_p - d_b - t_b x arm)
    float arm[3];    // from the centre of mass to the point at the substep's start
    float overlap;   // m: the separation at the substep's start where it is below 0
    float low[3];    // m: the relative displacement that the substep begins with (kernels/displacement.h)
    float weight;    // 1/kg: of the point, where rows share a particle: a part of it
    float soft;      // 1/kg: compliance of the contact
    float inverse;   // kg: 1/(weight + soft); 0: neither of the two can move
    float near;      // 1: it may touch in this substep
    float first;     // N: the normal force at the substep's start, before impacts are dropped; below 0: of an impact
    float before;    // m/s: speed along the normal at the substep's start
    float target;    // m/s: speed along the normal after an impact; below 0: there is none
    float push[3];   // kg m or kg m/s: the change of the pass
    float wall[3];   // 1/m: of a fluid's particle: -grad of what the shape fills around it (kernels/fluid_body.h)
} body_work;

// Where a row touched in the last substep, for those who read contacts (query/rigid_contacts.c).
typedef struct body_touch
{
    float normal[3];            // unit, from the body to the point
    float separation;           // m: at the substep's start
    float arm[3];               // from the centre of mass to the point at the substep's start
    float weight[BODY_CORNERS]; // of the corners
} body_touch;

typedef struct body_sum
{
    double s[BODY_TERMS];
} body_sum;

typedef struct body_chunk
{
    int32_t begin, end; // rows
    int32_t body;
} body_chunk;

typedef struct body_entry
{
    uint32_t member;    // 4 * slot
    int32_t frame;      // or -1
    int32_t begin, end; // chunks
} body_entry;

// The motion of a body in a pass.
typedef struct body_motion
{
    double y[BODY_UNKNOWNS]; // as the last round has found it
    float part;              // of the changes of the rows that is applied, 0 to 1
} body_motion;

typedef struct body_point
{
    uint32_t member;    // 4 * slot
    int32_t begin, end; // of `entry`: its rows, each with the corner that it is there
} body_point;

// The rows of a body with the particles of one object: a contact that is watched.
typedef struct body_pair
{
    int32_t begin, end; // of `pair_row`
} body_pair;

// What they do to the body over a frame.
typedef struct body_note
{
    float impulse[3];                    // N s
    float force[3], normal[3], point[3]; // N, unit, m: in the substep with the largest normal force
    float most, approach;                // N, m/s
    int32_t row;                         // that presses hardest then
} body_note;
// What a particle of a fluid that has rows knows in an iteration (kernels/fluid_body.h).
typedef struct body_fluid
{
    int32_t sorted;    // its sorted index in the list of fluids; -1: it is no fluid
    float open;        // product of 1 - B over its rows
    float gradient[3]; // 1/m: sum of `wall` over its rows
    float outside;     // product of 1 - B over the shapes of the world
    float value;       // C
    float inverse;     // 1/2 / sum w |grad C|^2; 0: it has no multiplier
    float lambda;      // before the iteration
    float change;      // of the multiplier, to apply
} body_fluid;

// Ranges of items, each from its entry to the next one.
enum body_range
{
    BODY_RANGE_ROWS = 0,
    BODY_RANGE_CHUNKS = 2,
    BODY_RANGE_BODIES = 4,
    BODY_RANGE_POINTS = 6,
    BODY_RANGE_PAIRS = 8,
    BODY_RANGES = 10,
};

// The multipliers of a row under a name that outlives lists: that of the collider, and the numbers of the particles.
typedef struct body_kept
{
    uint64_t collider;
    int32_t particle[BODY_CORNERS]; // of a single particle: the others are -1
    int32_t part;                   // which of the rows of a pair
    uint32_t tag;
    float force[4]; // N: normal, below 0: of an impact; tangential
    uint32_t unused;
} body_kept;

// A row of a contact that is watched: of a body and an object, by its id.
typedef struct body_watched
{
    int32_t body, object, row;
} body_watched;

typedef struct body_particles
{
    bool stale;  // find new places
    bool listed; // the packed arrays hold the rows of these places
    float
        *place; // 4 for each particle number: where it was when the rows were listed, and how far it may be from there
    int64_t places, place_capacity;
    sortable_items sort; // rows: collider, and the particle's number or the triangle
    int64_t sort_capacity[SORTABLE_ARRAYS];
    int64_t rows;
    int32_t *corner; // of each row: the numbers of its particles, BODY_CORNERS; -1: none
    int64_t corner_capacity;
    int32_t surface_version; // of the surfaces whose triangles are listed
    int32_t *first;          // for each particle number its point
    int64_t first_capacity;
    body_watched *watched; // sorted, if contacts are watched
    int64_t watched_capacity;
    int64_t row_room; // of the packed arrays
    body_kept *kept;  // sorted: valid while the list is not
    int64_t kept_count, kept_capacity;
} body_particles;

typedef struct packed_body_particles
{
    int32_t row_room, chunk_room, body_room; // row_room 0: there are no such contacts
    int32_t noted;                           // 1: loads are recorded for contact events
#define PACKED_BODY_PARTICLES COLUMN_MEMBER
#include "model/columns.def"
} packed_body_particles;
