// contact_data.h: declares what a world holds of contacts: materials, shapes, the contact lists and the multipliers
// (neighbours/contact/contacts.h).
#pragma once
#include "collide/material_mix.h"
#include "model/state.h"
#include "neighbours/carry.h"
#include "neighbours/contact_blocks.h"
#include "neighbours/list.h"

// The multipliers of a contact, kept from one list to the next. For pairs a and b are particle numbers; for shape
// contacts a is a particle number and b a key from shape_contact_key. Those of surface pairs are kept_surface.
typedef struct kept
{
    int32_t a, b;
    float lambda[4];
} kept;

// How hard a contact presses: the multiplier of an impact has a negative sign (kernels/restitution.h).
static inline float pressed_with(float lambda) { return lambda < 0.0f ? -lambda : lambda; }

// The index of the shape's id in the key of a shape contact (stages/list_validity.h).
static inline uint32_t shape_contact_key_entry(int32_t key) { return (uint32_t)key / (2 * FACETS); }
// Is it the key of a plane's normal, not of multipliers?
static inline bool shape_contact_key_normal(int32_t key) { return (uint32_t)key / FACETS % 2 == 1; }

typedef struct kept_list
{
    kept *items;
    int64_t count, capacity;
} kept_list;

typedef struct shape
{
    // As given, with its own copies of the arrays; position, rotation and pivot have the values from then.
    pl_shape_def def;
    double at[3], rotation[4]; // current position and rotation
    double pivot[3];
    double goal_at[3], goal_rotation[4];
    uint32_t id_entry;
    int32_t travels; // it moves to the goal in the coming frame
    bool hot;        // heat flows between it and the particles that touch it
    float temperature;
    int64_t data; // offset of its geometry in state.shape_data, -1: none
    float reach;  // greatest distance of that geometry from the shape's origin
} shape;

// The values of a contact between the materials a and b, a <= b.
typedef struct material_pair
{
    int32_t a, b;
    pl_material values;
} material_pair;

typedef struct contacts
{
    // materials
    pl_material *material;
    int32_t materials;
    int64_t material_capacity;
    material_pair *between; // pairs that have values of their own, by rising a, then b
    int64_t between_count, between_capacity;
    // Counts changes of materials and shapes, for backends that keep copies.
    int32_t shape_version;

    // shapes
    shape *shapes;
    int32_t shape_count;
    int64_t shape_capacity, solid_capacity, placement_capacity, built_capacity, data_capacity;
    placement *built; // placements of the shapes when the contacts were searched
    float *stride;    // for each shape the farthest that a point of it moves in the substep
    int64_t stride_capacity;

    // the particles that collide
    bool colliders_stale;
    bool one_material; // all of them have the same material
    int32_t *collider; // their slots
    int32_t colliders;
    int64_t collider_capacity;
    float radius;             // the largest radius
    int32_t collider_version; // counts updates of `collider`, for backends that keep copies

    // arrange.c: the memory order of particles that no row, face or group names
    uint8_t *held;  // for each slot: is it named by a row, a face or a group?
    int32_t *loose; // slots that are not held and have a radius
    char *moving;
    neighbour_list order;
    int64_t held_capacity, loose_capacity, moving_capacity;

    // the lists
    bool stale;  // search again before the next substep
    bool resume; // repeat the saved world's search, from SLOT_BUILD and the kept contacts
    bool listed; // there are lists
    bool sparse; // the list has few pairs
    float margin, shape_contact_margin;
    neighbour_list neighbours;
    int slab_bits; // a slab has 2^slab_bits layers of blocks
    int32_t slabs;
    int32_t *unit; // for each slot the even slab that contains its cell; `slabs`: none
    int64_t unit_capacity;
    int32_t *stretches; // memory of the arrays of packed_stretches
    int64_t stretch_capacity;
    blocks blocks;
    sortable_items sorted; // pairs sorted by block
    int64_t sorted_capacity[SORTABLE_ARRAYS];
    int32_t *row;     // for each pair its row
    int32_t row_most; // largest row index that fits an int32_t; tests set it lower
    int64_t row_capacity;
    char *packing;
    int64_t packing_capacity;
    carry carry;
    kept_list kept;

    int32_t *near_first;            // for each slot its first shape contact
    uint64_t *near_bits;            // for each slot a bit for each of the first 64 shapes it is near
    int32_t *near_shape, *near_row; // for each shape contact its shape and its row
    int64_t near_first_capacity, near_shape_capacity, near_row_capacity, near_bits_capacity, shape_contacts;
    blocks shape_contact_blocks;
    sortable_items shape_contact_sorted;
    int64_t shape_contact_sorted_capacity[SORTABLE_ARRAYS];
    char *shape_contact_packing;
    int64_t shape_contact_packing_capacity;
    carry shape_contact_carry;
    kept_list kept_shape_contacts;
} contacts;
