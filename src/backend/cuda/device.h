// device.h: the C interface of the part of the CUDA backend that nvcc compiles. Functions that fail write a message
// into `why`.
#pragma once
#include "collide/bvh.h"
#include "collide/material_mix.h"
#include "neighbours/surface_pair.h"
#include "backend/cuda/debug.h"
#include "kernels/heat_conduction.h"
#include "plan/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device device;

// The packed block behind a state, on the host. The slot arrays are in the state.
typedef struct device_shape
{
    const char *packing;
    size_t packing_bytes;
} device_shape;

typedef struct device_error
{
    bool memory; // the device ran out of memory
    bool idle;   // the frame had not begun: nothing has changed
    // A pl_result: the device cannot use this OpenGL buffer or context; nothing else is wrong.
    int refused;
    // A colliding particle is beyond the range of the cells: the frame was stopped, nothing is lost.
    bool far;
    // Surfaces cross: the frame was stopped before flow.to, and the host has to untangle them.
    bool tangled;
    char text[512];
} device_error;

// Result of a neighbour search (neighbour_arrays.h). Copied to the device and back.
typedef struct neighbour_state
{
    float margin;                     // of the list
    int32_t trouble;                  // not 0: the search failed (enum list_trouble)
    int32_t sorted_count, pairs;      // particles and entries of the list
    int32_t low[3], high[3], bits[3]; // of the cell coordinates
    int32_t crowded;                  // a cell or a block holds too many items to be counted
    int64_t cells;                    // entries that the counting tables need: cells, or blocks if these are more
    double inverse;                   // 1/cell size
} neighbour_state;

// State of the contact lists between two frames. Copied to the device and back with the flow.
typedef struct list_now
{
    int32_t stale, listed; // as in neighbours/contact/contacts.h
    int32_t sparse;        // the last list has few pairs
    float shape_contact_margin;
    int32_t carried;                            // multipliers of an older list wait to be assigned to the next one
    int32_t shape_contacts;                     // contacts with shapes
    int32_t builds;                             // number of lists made so far
    neighbour_state search;                     // of the list of particle pairs
    neighbour_state clients[NEIGHBOUR_CLIENTS]; // of the lists of clients (client_lists.cu)
} list_now;

// State of the self-collision lists between two frames (neighbours/surface/surfaces.h). Copied to the device and back
// with the flow.
typedef struct surface_now
{
    int32_t listed, carried;
    // 1 + the substep before which the list was made in this frame, so that it is not made twice.
    int32_t made;
    int32_t trouble; // not 0: making a list failed (enum surface_trouble)
    int32_t pairs, crossings;
    float margin, horizon, widest;
    int32_t low[3], high[3], bits[3];  // of the cell coordinates
    double mean[3];                    // mean velocity
    unsigned long long relative_speed; // the greatest squared speed relative to the mean, as the bits of a double
    float particle_closing_speed;      // the greatest closing speed of particles of no surface
} surface_now;

// The triangle mesh of all surfaces. Sent when it changes.
typedef struct device_surface
{
    const int32_t *triangle, *triangle_edge, *edge, *vertex, *id, *node_last, *parent;
    const uint8_t *owns;
    const bvh_node *node;
    int32_t triangles, edges, vertices, nodes, slots;
    float thickness;
} device_surface;

// The particles of a client of the neighbour service (neighbours/clients/client.h).
typedef struct device_client
{
    const int32_t *slot;
    int32_t count, filter;
    float scale, radius, beside;
} device_client;

// The colliding particles, their materials, and the shapes. Sent when they change.
typedef struct device_colliders
{
    const int32_t *collider; // slots
    int32_t colliders, live;
    float radius;
    int32_t one_material;
    material_table materials;
    int32_t material_count;
    const int32_t *shape_id_entry;
    int32_t shapes, hard_shapes; // hard_shapes: some are hulls, meshes or height fields
    device_client clients[NEIGHBOUR_CLIENTS];
    int32_t has_surfaces;   // the world has self-colliding surfaces
    const placement *built; // where shapes were when the saved lists were made, or NULL
} device_colliders;

// Multipliers sorted by slot: for each slot a range of entries (neighbours/contact/contacts.h).
typedef struct device_carry
{
    const int32_t *first, *count, *other;
    const float *lambda;
    int64_t entries;
} device_carry;

// Where the host wants the lists: pairs in their order, by slot; shape contacts slot by slot. list_now has the sizes.
typedef struct device_readback
{
    uint64_t *key; // as in neighbours/list.h
    int32_t *value, *first, *one, *other;
    float *lambda; // 4 for each pair
    int32_t *near_first, *near_shape;
    float *shape_contact_lambda, *shape_contact_plane; // 4 for each shape contact
    placement *built;
} device_readback;

// A word or a byte that has changed.
typedef struct device_patch
{
    uint64_t at; // byte offset
    uint32_t value;
    int16_t array, bytes; // 1 or 4
} device_patch;

// What a copy of a frame has to contain.
typedef struct device_keeping
{
    int64_t number;        // of the copy, from 1
    const list_now *lists; // the current lists, or NULL
    const surface_now *surfaces_now;
    bool contacts, has_surfaces; // the world has some, listed or not
    bool must;                   // make a complete copy, whether or not one is due
    bool whole;                  // out: a complete copy was started
} device_keeping;

// An attribute to be copied into an OpenGL buffer: `floats` of each particle, from `offset` on in its slot of an array.
typedef struct device_gl
{
    const int32_t *slot_of; // for each particle; -1: none
    int32_t particles;
    int64_t moves; // changes whenever slot_of changes
    int array, offset, floats;
    bool inverse; // write 1/x, and 0 for 0
    unsigned buffer;
} device_gl;

// A particle with a temperature.
typedef struct device_heat_particle
{
    double heat;
    int32_t slot;
    int32_t what; // 2 * rule + (1 if molten)
} device_heat_particle;

// Input of heat conduction.
typedef struct device_heat
{
    int32_t count, rule_count, hot_count;
    const pl_heat_def *rules;
    const hot_shape *hot;
    float widest; // HEAT_NEAR times the largest radius
    double ambient;
} device_heat;

// Time of a frame, ms: the total, and for each group of stages.
typedef struct device_times
{
    float total, group[16];
} device_times;

// The interface of the module libpliant_cuda.so. It is a library of its own, opened when a world asks for CUDA, so that
// libpliant itself needs only libc and threads, and works without CUDA.
typedef struct device_api
{
    // A hash of the headers that the module was built from. It must equal that of the library.
    uint64_t build_id;

    // Opens the first device. NULL: it failed, see `why`.
    device *(*open)(device_error *why);
    void (*close)(device *d);
    const char *(*name)(const device *d);
    // Sends a new structure or sets a new plan.
    bool (*structure)(device *d, const state *host, device_shape shape, device_error *why);
    bool (*plan)(device *d, const plan *p, device_error *why);
    // Copies one kind's parameters, or one slot array, to the device.
    bool (*rows)(device *d, const state *host, int kind, device_error *why);
    bool (*write)(device *d, const state *host, int array, device_error *why);
    // Contacts. set_colliders: which particles collide; carry: multipliers from the host; resume: makes the lists of a
    // saved world again, from the positions at which they were made.
    bool (*set_colliders)(device *d, const device_colliders *c, list_now *lists, device_error *why);
    bool (*carry)(device *d, const device_carry *pairs, const device_carry *shape_contacts, list_now *lists,
                  device_error *why);
    bool (*resume)(device *d, const state *host, list_now *lists, device_error *why);
    // Self-collision. surface: the triangle mesh; surface_carry: multipliers from the host; surface_give: a list that
    // the host made; surface_read: the list and, for each pair, its multipliers, normal and weights: three times 4
    // floats.
    bool (*surface)(device *d, const device_surface *f, device_error *why);
    bool (*surface_carry)(device *d, const device_carry *c, surface_now *surfaces_now, device_error *why);
    bool (*surface_give)(device *d, const state *host, const surface_pair *pairs, int32_t count,
                         const surface_pull *pulls, int32_t pull_count, surface_now *surfaces_now, device_error *why);
    bool (*surface_read)(device *d, const surface_now *surfaces_now, surface_pair *pairs, float *rows,
                         device_error *why);
    // Runs a frame. The host's settings of the frame go in; the flow and the state of the lists go in and come out.
    bool (*frame)(device *d, const state *host, flow *now, list_now *lists, surface_now *surfaces_now,
                  device_times *times, device_error *why);
    // Copy to the host: a slot array, the packed columns of one life (model/columns.h), or the lists.
    bool (*read)(device *d, const state *host, int array, device_error *why);
    bool (*read_packed)(device *d, const state *host, int life, device_error *why);
    bool (*read_lists)(device *d, const list_now *lists, const device_readback *host_copy, device_error *why);
    // Starts to copy a frame to the host, without waiting: positions and velocities, or, when a complete copy is due,
    // the whole state.
    bool (*keep)(device *d, const state *host, device_keeping *what, device_error *why);
    // Returns such a copy: positions of all slots, then velocities. number: of the copy, for which it waits; 0: the
    // newest that has arrived. NULL: there is none.
    float *(*kept)(device *d, int64_t number, int64_t *which);
    // From now on, reads come from the newest complete copy on the host whose number is at most `most`. Returns that
    // number; 0: there is none. wait: also waits for a copy that has not arrived yet.
    int64_t (*copies_on_host)(device *d, int64_t most, bool wait);
    void (*drop_copies)(device *d); // reads come from the device again
    // Writes into the copy that is being read.
    void (*amend)(device *d, int array, size_t at, const void *from, size_t bytes);
    // Writes words or bytes in place: into a slot array, or, with array == -1, into the packed block.
    bool (*patch)(device *d, const device_patch *list, int64_t count, device_error *why);
    // Copies a part of the packed block to the device.
    bool (*send)(device *d, const char *from, size_t bytes, device_error *why);
    double (*copy_rate)(device *d); // bytes/s, read plus written; 0: it could not be measured
    // Address of a slot array on the device.
    void *(*address)(const device *d, int array);
    bool (*to_gl)(device *d, const device_gl *what, device_error *why);
    bool (*forget_gl)(device *d, unsigned buffer, device_error *why);
    // Heat. heat_room: a host buffer for `count` warm particles, in the order of their numbers; heat_open: makes the
    // neighbour list and finds the greatest rate (kernels/heat_conduction.h); heat_flow: runs the steps and writes the
    // result into that buffer.
    device_heat_particle *(*heat_room)(device *d, int32_t count, device_error *why);
    bool (*heat_open)(device *d, const device_heat *what, double *rate, device_error *why);
    bool (*heat_flow)(device *d, int steps, double dt, device_error *why);
    void (*debug)(const cuda_debug *switches); // sets the switches; they are read in place from now on
} device_api;

// The only symbol that the module exports.
extern __attribute__((visibility("default"))) const device_api pliant_device_api;

#ifdef __cplusplus
}
#endif
