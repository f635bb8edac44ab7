// contacts.h: what a world keeps of contacts: who is near whom, since when, and how hard they press.
//
// Neighbours are looked for with a margin and the list is kept until it may no longer hold: while no two particles have come farther
// from each other than the margin since, every pair that touches is in it. Before each substep what is known of the distances come so
// far, and what speeds add in the substep, are held against that (stages/list_validity.h); a resting pile keeps its list for good. The margin
// grows with the speed, up to MARGIN_MOST radii, or MARGIN_SPARSE after a list of few pairs: particles that fly more than half of that in
// one substep may pass through each other.
// When things have slowed down so much that half the margin would do, it is too wide: most of the list would be pairs that never meet.
#pragma once
#include "neighbours/contact_blocks.h"
#include "neighbours/list.h"
#include "stages/list_validity.h"
#include "model/state.h"

#define ROLLING_LEAVES 0.6f // of the friction between grains that roll freely

// A multiplier on its way from one list to the next: particle numbers, or a particle and a key of shape_contact_key.
typedef struct kept
{
    int32_t a, b;
    float lambda[4];
} kept;

static inline uint32_t shape_contact_key_entry(int32_t key) { return (uint32_t)key / (2 * FACETS); }

typedef struct kept_list
{
    kept *items;
    int64_t count, capacity;
} kept_list;

// The same by slots: for each slot a stretch of entries.
typedef struct carry
{
    int32_t *first, *count; // for each slot
    int32_t *other;
    float *lambda; // 4 for each
    int64_t entries, first_capacity, count_capacity, other_capacity, lambda_capacity;
} carry;

typedef struct shape
{
    pl_shape_def def;      // as given, with its own arrays; position, rotation and pivot as they were then
    double at[3], turn[4]; // now
    double pivot[3];
    double goal_at[3], goal_turn[4];
    uint32_t id_entry;
    int32_t travels; // to the goal, in the coming frame
    bool hot;        // heat flows between it and what touches it
    float temperature;
    int64_t data; // its geometry in state.shape_data, -1: none
    float reach;  // ... and how far that goes from the shape's origin
} shape;

typedef struct contacts
{
    // materials
    pl_material material[PL_MAX_MATERIALS];
    int32_t materials;
    int32_t shape_version; // how often materials or shapes came or went, for backends with copies
    pl_material between[PL_MAX_MATERIALS * PL_MAX_MATERIALS];
    uint8_t between_set[PL_MAX_MATERIALS * PL_MAX_MATERIALS];

    // shapes
    shape *shapes;
    int32_t shape_count;
    int64_t shape_capacity, solid_capacity, placement_capacity, built_capacity, data_capacity;
    placement *built; // where they were when contacts were looked for
    float *stride;    // how far a point of each comes in the substep, at the most
    int64_t stride_capacity;

    // which particles collide
    bool colliders_stale;
    bool one_material;
    int32_t *collider;
    int32_t colliders;
    int64_t collider_capacity;
    float radius;             // the largest
    int32_t collider_version; // how often they were looked up, for backends with copies

    // arrange.c: in which order particles that nothing holds lie in memory
    uint8_t *held; // for each slot: do rows or faces name it
    int32_t *loose;
    char *moving;
    neighbour_list order;
    int64_t held_capacity, loose_capacity, moving_capacity;

    // the lists
    bool stale;  // look anew before the next substep
    bool resume; // ... from SLOT_BUILD and the kept touches, as the saved world did
    bool listed; // there is a list
    bool sparse; // ... with few pairs
    float margin, shape_contact_margin;
    neighbour_list neighbours;
    int slab_bits; // of how many layers of blocks a slab is
    int32_t slabs;
    int32_t *unit; // for each slot the even slab that its cell is in; `slabs`: none
    int64_t unit_capacity;
    int32_t *stretches; // the arrays of packed_stretches
    int64_t stretch_capacity;
    blocks blocks;
    sortable_items sorted; // pairs by block
    int64_t sorted_capacity[SORTABLE_ARRAYS];
    int32_t *place;     // for each pair its row
    int32_t place_most; // what an int32_t can tell; tests set it lower
    int64_t place_capacity;
    char *packing;
    int64_t packing_capacity;
    carry carry;
    kept_list kept;

    int32_t *near_first; // for each slot its touches
    uint64_t *near_bits; // ... and which of the first shapes it is near to
    int32_t *near_shape, *near_place;
    int64_t near_first_capacity, near_shape_capacity, near_place_capacity, near_bits_capacity, shape_contacts;
    blocks shape_contact_blocks;
    sortable_items shape_contact_sorted;
    int64_t shape_contact_sorted_capacity[SORTABLE_ARRAYS];
    char *shape_contact_packing;
    int64_t shape_contact_packing_capacity;
    carry shape_contact_carry;
    kept_list kept_shape_contacts;
} contacts;

// carry_multipliers.c
pl_result carry_open(carry *c, memory *m, int32_t slots, int64_t entries);
void carry_free(carry *c, memory *m);
// From kept multipliers, by particle numbers, to the slots of now; what has lost a particle is dropped. pairs: `b` names a
// particle too, and not a shape.
pl_result carry_kept(pl_world *w, carry *c, const kept_list *list, bool pairs);
// Grains that roll freely hold each other less.
pl_material between_free_particles(pl_material m);
const float *carry_find(const carry *c, int32_t slot, int32_t other);
pl_result carry_list(pl_world *w, const parallel *hands); // from the pairs that are listed
// pairs.c: from the positions at `from`
pl_result pairs_build(pl_world *w, const float *from);
