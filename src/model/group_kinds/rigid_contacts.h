// rigid_contacts.h: defines the contacts of rigid bodies: which shapes may touch (colliders), the pairs that are near
// each other, and the rows that are solved, one for each manifold.
//
// Fields of rows come in blocks of PAD rows, within a block field by field: lanes load neighbouring rows, and all that a
// row needs is near by.
#pragma once
#include "collide/broad_phase.h"
#include "kernels/rigid_points.h"
#include "model/members.h"
#include "pliant/pliant.h"

enum
{
    RIGID_COLOURS = 24,  // rows beyond them are solved one after the other
    RIGID_MANIFOLDS = 4, // of a pair: with a mesh, a height field or a distance field; 1 of all others
    RIGID_IN_WORLD = -2, // in the place of a frame: the second shape is a shape of the world
};

// Where a row has a field, of an array with so many words for each row.
#define RIGID_FIELD(words, field, row) (((size_t)(row) / PAD * (words) + (size_t)(field)) * PAD + (size_t)(row) % PAD)

// What a collider is; below COLLIDER_PLANE: enum convex_kind.
enum collider_kind
{
    COLLIDER_PLANE = 5,
    COLLIDER_MESH,
    COLLIDER_SDF,
    COLLIDER_FIELD,
    COLLIDER_HOLLOW, // a hollow sphere, capsule, box or cylinder
};

// A shape of a body, or of the world. Those of a body come first, in the order of bodies and shapes.
typedef struct rigid_collider
{
    int32_t kind;
    uint32_t member;   // 4 * slot of the body; of a world shape: of a dummy slot
    int32_t frame;     // its frame; -1: it has none; RIGID_IN_WORLD: a world shape
    int32_t shape;     // the number of the world shape, or -1
    float position[3]; // of the shape relative to the centre of mass, along the principal axes
    float rotation[4]; // of the shape relative to these axes
    float half[3], radius;
    float reach;  // no point is farther from the centre of mass
    float width;  // the smallest half width
    int32_t hull; // offset in `hulls`, in words: of its polyhedron; of the geometry of a body's mesh; -1: none
    int64_t data; // offset of the geometry of a mesh of the world in the bytes of all shapes; -1: none
    float thick;  // of a mesh: how far its surface is grown
    int32_t two_sided;
    int32_t wall; // of a hollow shape: its enum convex_kind
} rigid_collider;

typedef struct rigid_pair
{
    int32_t a, b;                 // colliders: a is convex, a < b unless b is a mesh or hollow
    int32_t row[RIGID_MANIFOLDS]; // -1: none
    int32_t swept;                // bit 0: A may be stopped where it meets B, bit 1: B where it meets A
} rigid_pair;

// The pairs of a body that may stop it: [first, end) of `near_by`.
typedef struct rigid_around
{
    int32_t first, end;
    float width; // the smallest half width of the shapes of these pairs
    float reach; // no point of the body's shapes is farther from its centre of mass
} rigid_around;

// What `stop` has of a body.
enum rigid_stop_field
{
    STOP_PART = 0, // of the substep's way that the body may go; 1: all
    STOP_BACK = 1, // 3: m: back from the end of the way
    STOP_TURN = 4, // 4: the orientation there
    STOP_WORDS = 8,
};

// Fields of `kept`, which frames keep.
enum rigid_kept_field
{
    KEPT_NORMAL = 0,    // 3: unit, from A to B, in world axes
    KEPT_A = 3,         // 4 x 3: the points on A relative to its centre of mass, along its principal axes
    KEPT_B = 15,        // 4 x 3: the same on B; on a world shape in the frame of the shape
    KEPT_GAP = 27,      // 4: separation at the substep's start, m
    KEPT_FORCE = 31,    // 4: N
    KEPT_FRICTION = 35, // 3: force on B at the middle of the points, N, in world axes
    KEPT_TWIST = 38,    // torque on B about the normal, N m
    KEPT_ROLL = 39,     // 3: torque on B against rolling, N m
    KEPT_TRAVEL = 42,   // m: how far the two have moved relative to each other since the manifold was found
    KEPT_MARGIN = 43,   // m: points with a larger separation were not reported
    KEPT_STALE = 44,    // m: the manifold is found again beyond this travel
    KEPT_COUNT = 45,    // points
    KEPT_ROUND = 46,    // 1: a shape is round; it rolls over its points, which do not rotate with it
    KEPT_MET = 47,      // 4: 1: the point met in an impact in the last substep
    KEPT_ID = 51,       // 4: bits: the ids of the points
    KEPT_AXIS = 55,     // bits: of the manifold (collide/manifold.h)
    KEPT_WORDS = 56,
};

// Fields of `work`, which are valid during a substep.
enum rigid_work_field
{
    WORK_ARM = 0,        // 4 x 3: from the centre of A to the points
    WORK_BETWEEN = 12,   // 3: from the centre of A to that of B, or to the origin of a world shape
    WORK_INERTIA_A = 15, // 6: inverse inertia in world axes, xx yy zz xy yz zx
    WORK_INERTIA_B = 21,
    WORK_MATRIX = 27, // 10: lower half of the matrix of the normals
    WORK_OFFSET = 37, // n . (low part of A - low part of B): displacements begin with them
    WORK_CENTRE = 38, // 3: from the centre of A to the middle of the points
    WORK_SIZE = 41,   // m: how far the points are from their middle
    // Of a world shape in the substep; 0 of bodies:
    WORK_APART = 42, // 3: its origin relative to the centre of A
    WORK_DRIFT = 45, // 3: displacement of its origin
    WORK_TURN = 48,  // 3: its rotation, a vector of the length 2 tan(angle/2)
    WORK_SLIP = 51,  // 3: velocity of its surface beside that: a conveyor belt
    // For restitution:
    WORK_LEAD = 54,   // 4: m/s: what the rest of the substep adds to the speed of an impact
    WORK_FIRST = 58,  // 4: forces at the substep's start, N
    WORK_BEFORE = 62, // 4: speeds of the points along the normal at the substep's start, m/s
    WORK_HIT = 66,    // 4: 1 where an impact happens on velocities
    WORK_DUE = 70,    // 1: the manifold must be found again
    WORK_MASS_A = 71, // inverse masses, 1/kg
    WORK_MASS_B = 72,
    // Of friction, from the arms at the substep's end (kernels/rigid_contact.h, rigid_rubbing):
    WORK_ALONG = 73, // 3: a direction across n
    WORK_RUB = 76,   // 4: the matrix of it and of n x it: xx, yy, xy and the inverse of its determinant
    WORK_WORDS = 80,
};

// The load of a pair over the substeps of a frame, on A. Only in a world that watches its contacts.
typedef struct rigid_note
{
    float most;      // N: the largest normal force of a substep; 0: no contact
    float force[3];  // N: in that substep, with friction; normal and point are of the same substep
    float normal[3]; // unit, towards A
    float point[3];
    float impulse[3]; // N s: of all substeps
    float approach;   // m/s: the largest speed at which points that press came together
} rigid_note;

// Fields of `rub`, which are set when rows are listed.
enum rigid_rub_field
{
    RUB_STICK = 0, // coefficients of static and kinetic friction, restitution
    RUB_SLIDE = 1,
    RUB_BOUNCE = 2,
    RUB_ROLL = 3, // m: arm of the rolling resistance
    RUB_SPIN = 4, // m: arm of the torsional friction beside that of the contact area
    RUB_REACH_A = 5,
    RUB_REACH_B = 6,
    RUB_WORDS = 7,
};

// Ranges of items, each from its entry to the next one.
enum rigid_range
{
    RANGE_PAIRS = 0,
    RANGE_ROWS = 2,
    RANGE_COLOURS = 4, // of each colour, then of the rows without one
    RANGE_BODIES = RANGE_COLOURS + RIGID_COLOURS + 2,
    RIGID_RANGES = RANGE_BODIES + 2,
};

// What the world keeps of a row under names that outlive lists.
typedef struct rigid_kept
{
    uint64_t a, b;    // rigid_collider_name: the smaller first
    int32_t manifold; // of the pair
    float field[KEPT_WORDS];
} rigid_kept;

// The form of a hull or of a mesh, which equal shapes share.
typedef struct rigid_hull
{
    uint64_t hash;
    int64_t at; // words
    int32_t words;
    float reach, width, middle[3];
} rigid_hull;

typedef struct rigid_contacts
{
    // colliders
    bool colliders_stale;
    rigid_collider *collider;
    uint64_t *name; // rigid_collider_name of each
    int32_t *material;
    int32_t *owner; // the number of its body, or of its shape of the world
    int64_t colliders, collider_capacity, name_capacity, material_capacity, owner_capacity;
    int32_t of_bodies; // the first ones are of bodies
    int32_t shape_version;
    int64_t bodies; // when they were listed
    rigid_hull *hull;
    uint32_t *word;
    int64_t hulls, hull_capacity, words, word_capacity;
    // the list. It is valid while every collider stays in its box.
    bool stale;  // find new boxes
    bool listed; // the packed arrays hold the pairs of these boxes
    bool found;  // new boxes were found, and the particles near them have not been listed yet
    bool loaded; // from a snapshot: the boxes are those of the saved world, and stay
    broad_box *box;
    int64_t boxes, box_capacity;
    broad_phase broad;
    rigid_pair *pair;
    int64_t pairs, pair_capacity;
    int64_t *excluded; // pairs of bodies that joints connect, sorted
    int64_t excluded_count, excluded_capacity;
    rigid_around *around; // of each body
    int32_t *near_by;     // 2 * pair, + 1 if the body is its second one
    int64_t around_capacity, near_capacity;
    uint64_t *used; // for each body the colours of its rows
    int64_t used_capacity;
    int32_t *graph; // of bodies
    int64_t graph_capacity;
    int32_t colours; // that lists had so far: the plan has stages for these,
    bool uncoloured; // and for rows without a colour
    int32_t height;  // of the tallest stack, bodies
    int32_t range[RIGID_RANGES];
    int64_t pair_room, row_room; // of the packed arrays
    // rows by name, sorted: valid while the list is not
    rigid_kept *kept;
    int64_t kept_count, kept_capacity;
    // rows of sleeping bodies, which are in no list
    rigid_kept *resting;
    int64_t resting_count, resting_capacity;
} rigid_contacts;

typedef struct packed_rigid_contacts
{
    int32_t colliders, pair_room, row_room, words;
    int32_t of_bodies; // colliders of bodies; the others are shapes of the world
    int32_t noted;     // 1: loads of pairs are recorded for contact events
    int32_t bodies;
#define PACKED_RIGID_CONTACTS COLUMN_MEMBER
#include "model/columns.def"
} packed_rigid_contacts;
