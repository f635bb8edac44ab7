// device_lists.h: layout of the contact lists, the self-collision lists and the heat lists on the device.
#pragma once
#include "backend/cuda/neighbour_arrays.h"

#include "collide/motion_box.h"
#include "stages/element_stages.h"
#include "stages/particle_stages.h"

#include <cuda_runtime.h>

enum list_trouble
{
    LISTS_FIT,
    LISTS_SHORT, // the memory was too small: the host takes more, and the frame continues from there
    LISTS_FAR,   // a particle is beyond the range of the cells
};

enum surface_trouble
{
    SURFACE_FITS,
    SURFACE_SHORT,
    SURFACE_TANGLED, // surfaces cross: the host untangles them
    SURFACE_FAR,
};

// The contact lists on the device: a half list of neighbours, and the rows made from it. `..._room`: capacity.
struct list_arrays : neighbour_arrays
{
    list_now *now;
    // what collides
    const int32_t *collider, *shape_id_entry;
    material_table materials;
    int32_t live, slots, one_material, shapes;
    int32_t client_items; // particles of clients, whose lists are made together with these
    int32_t hard_shapes;  // some shapes are hulls, meshes or height fields
    float radius;
    placement *built;
    int32_t *sorted_index_of; // for each slot that collides its sorted index
    int32_t *cursor;          // for each sorted index
    // counting tables of blocks
    int32_t *block_count, *block_first; // for each block: number of pairs, and first row
    unsigned long long *near_stretch;   // prefix_sums.h
    // pairs
    int32_t *row_of;
    // For each sorted index its rows in the order in which they are solved, as 2 * row + (1: it is the row's second
    // particle).
    int32_t *entry;
    uint64_t *block_in, *block;
    int32_t *order_in, *order;
    int32_t *head, *block_of;
    int32_t *block_start; // for each block its first row, and one more entry at the end
    int32_t *ranges;      // for each colour its first block
    // For each row: the lanes it depends on in its block, and where its particles lie in shared memory
    // (contact_pair.h).
    int2 *dependencies;
    // solve_contacts_one_kernel.cu
    uint32_t *colours; // for each slot a bit for each colour in which it has pairs
    // For each slot and colour the first row that names it, as 2 * row + (1: it is the row's second particle).
    int32_t *first_end;
    float4 *handoff; // for each slot; NULL: one kernel per colour
    // multipliers carried from the old list to the new one
    int32_t *carry_first, *carry_count, *carry_other;
    float4 *carry_lambda;
    // shape contacts
    int32_t shape_contact_room;
    int32_t *near_count, *near_first;
    uint32_t *near_mask; // for each slot a bit for each shape
    float *stride;       // how far each shape moves in the substep
    // Two entries for each shape contact: see shape_contact_key.
    int32_t *shape_contact_carry_first, *shape_contact_carry_count, *shape_contact_carry_other;
    float4 *shape_contact_carry_lambda;
    // rows as the stages read them
    packed_pairs pairs;
    packed_shape_contacts shape_contacts;
};

// The list of a client of the neighbour service (client_lists.cu): the particles that the host gives, and the query.
struct client_arrays : neighbour_arrays
{
    int32_t *given; // slots
    float scale, radius, beside;
    int32_t filter;
};

// The self-collision lists on the device.
struct surface_arrays
{
    surface_now *now;
    // the triangle mesh
    int32_t triangles, edges, vertices, nodes, slots;
    int32_t particles; // particles that belong to no surface
    float thickness, radius;
    const int32_t *particle; // slots of these
    const int32_t *triangle, *triangle_edge, *edge, *vertex, *id, *node_last, *parent;
    const uint8_t *owns;
    const bvh_node *node;
    // search
    surface_box *box, *node_box, *edge_box;
    int32_t *arrived; // for each node: how many of its children have their boxes
    double *chunk;    // partial sums of velocities
    // Number of pairs and first pair: for each triangle its vertex pairs, then for each particle of no surface, then
    // for each triangle its edge pairs.
    int32_t *count, *first;
    int32_t *cell; // 3 for each slot
    // pairs
    int32_t room, pull_room, key_bits;
    surface_pair *pair;
    surface_pull *pull;
    uint64_t *key_in, *key;
    int32_t *order_in, *order, *row_of;
    int32_t *head, *block_of, *block_start, *ranges;
    uint64_t *entry_key_in, *entry_key; // 4 for each pair: slots
    int32_t *entry_in, *entry;
    // multipliers carried from the old list to the new one, by slot, then by edge
    int32_t *carry_count, *carry_first, *carry_cursor, *carry_other;
    float4 *carry_lambda;
    // rows as the stages read them
    packed_surface rows;
};

// Result of heat_open that the host reads.
struct heat_result
{
    neighbour_state search;
    unsigned long long rate; // the greatest rate, as the bits of a double
};

// The particles with a temperature, on the device: a full list of neighbours, and the conductances along it.
struct heat_arrays : neighbour_arrays
{
    int32_t hot_count;
    float widest; // the largest reach of a particle
    double ambient;
    device_heat_particle *given; // in the order of the particle numbers
    pl_heat_def *rules;
    hot_shape *hot;
    const char *shape_data;
    heat_result *now;
    // by sorted index
    int32_t *given_index; // index in `given`
    heat_node *node;
    double *t;        // two buffers
    double *conducts; // conductance of each entry of the list
};
