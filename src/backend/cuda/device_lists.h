// device_lists.h: lists of contacts and of skins as they lie on the device.
#pragma once
#include "backend/cuda/neighbour_arrays.h"

#include "collide/motion_box.h"
#include "stages/element_stages.h"

#include <cuda_runtime.h>

enum list_trouble
{
    LISTS_FIT,
    LISTS_SHORT, // the room was too small: the host makes more, and the frame goes on from there
    LISTS_FAR,   // a particle is beyond the cells
};

enum surface_trouble
{
    SURFACE_FITS,
    SURFACE_SHORT,
    SURFACE_TANGLED, // the host draws them apart
    SURFACE_FAR,
};

// The lists of contacts on the device: a half list of neighbours, and what is made of it. `room`: how many there is memory for.
struct list_arrays : neighbour_arrays
{
    list_now *now;
    // who collides
    const int32_t *collider, *shape_id_entry;
    const float *frictions;
    int32_t live, slots, one_material, shapes;
    int32_t hard_shapes; // some are hulls, meshes or fields
    float radius;
    placement *built;
    int32_t *place_of; // for each slot that collides
    int32_t *cursor;   // for each place
    // blocks that are counted
    int32_t *block_count, *block_first; // for each block: how many pairs, and the first row
    unsigned long long *near_stretch;   // prefix_sums.h
    // pairs
    int32_t *row_of;
    int32_t
        *entry; // for each place its rows in the order in which they are visited, as 2 * row + (1: it is the second)
    uint64_t *block_in, *block;
    int32_t *order_in, *order;
    int32_t *head, *block_of;
    int32_t *block_start; // for each block its first row, and one more at the end
    int32_t *ranges;      // for each colour its first block
    int2 *turns; // for each row: whom it waits for in its block, and where its particles are kept (contact_pair.h)
    // contacts_one_kernel.cu
    uint32_t *colours;  // for each slot a bit for each colour in which it has pairs
    int32_t *first_end; // for each slot and colour the first row that names it, as 2 * row + (1: it is the second)
    float4 *handoff;    // for each slot; NULL: colours are kernels of their own
    // multipliers on their way
    int32_t *carry_first, *carry_count, *carry_other;
    float4 *carry_lambda;
    // touches
    int32_t shape_contact_room;
    int32_t *near_count, *near_first;
    uint32_t *near_mask; // for each slot a bit for each shape
    float *stride;       // how far each shape comes in the substep
    int32_t *shape_contact_carry_first, *shape_contact_carry_count,
        *shape_contact_carry_other; // two entries for each touch: see shape_contact_key
    float4 *shape_contact_carry_lambda;
    // rows, as the stages see them
    packed_pairs pairs;
    packed_shape_contacts shape_contacts;
};

// Skins on the device.
struct surface_arrays
{
    surface_now *now;
    // the surface
    int32_t triangles, edges, vertices, nodes, slots;
    int32_t grains; // particles that are of no skin
    float thickness, radius;
    const int32_t *grain; // their slots
    const int32_t *triangle, *triangle_edge, *edge, *vertex, *id, *node_last, *parent;
    const uint8_t *owns;
    const bvh_node *node;
    // looking
    surface_box *box, *node_box, *edge_box;
    int32_t *arrived;       // for each node: how many of its children have their boxes
    double *chunk;          // sums of velocities
    int32_t *count, *first; // for each triangle its pairs with vertices; each grain's; each triangle's of edges
    int32_t *cell;          // 3 for each slot
    // pairs
    int32_t room, pull_room, key_bits;
    surface_pair *pair;
    surface_pull *pull;
    uint64_t *key_in, *key;
    int32_t *order_in, *order, *row_of;
    int32_t *head, *block_of, *block_start, *ranges;
    uint64_t *entry_key_in, *entry_key; // 4 for each pair: slots
    int32_t *entry_in, *entry;
    // multipliers on their way, by slot, then by edge
    int32_t *carry_count, *carry_first, *carry_cursor, *carry_other;
    float4 *carry_lambda;
    // rows, as the stages see them
    packed_surface rows;
};

// What the host reads while heat flows.
struct heat_told
{
    neighbour_state search;
    unsigned long long rate; // bits of the greatest
};

// The particles that have a temperature, on the device: a full list of neighbours, and what flows along it.
struct heat_arrays : neighbour_arrays
{
    int32_t hot_count;
    float widest; // the largest own reach
    double ambient;
    device_warm *told; // in the order of the particle numbers
    pl_heat_def *rules;
    hot_shape *hot;
    const char *shape_data;
    heat_told *now;
    // by place
    int32_t *told_as; // its number in `told`
    warm_spot *warm;
    double *t;        // 2 for each
    double *conducts; // for each entry of the list
};
