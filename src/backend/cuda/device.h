// device.h: the part of the CUDA backend that nvcc compiles, behind plain C. Messages of failure come through `why`.
#pragma once
#include "collide/bvh.h"
#include "neighbours/surface/surface_pair.h"
#include "backend/cuda/debug.h"
#include "kernels/heat_conduction.h"
#include "step/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device device;

// The arrays behind a state: one block for everything packed, and the slot arrays.
typedef struct device_shape
{
    const char *packing;
    size_t packing_bytes;
} device_shape;

typedef struct device_error
{
    bool memory;  // the device ran out of it
    bool idle;    // the frame had not begun: everything is as it was
    int refused;  // a pl_result: the device and OpenGL do not go together so, and nothing else is wrong
    bool far;     // a particle that collides is beyond the cells: the frame was stopped, nothing is lost
    bool tangled; // skins cross: the frame was stopped before flow.to, and the host has to say what is drawn where
    char text[512];
} device_error;

// How the search for a neighbour list went (neighbour_arrays.h); goes to the device and comes back.
typedef struct neighbour_state
{
    float margin;                     // with which the list is made
    int32_t trouble;                  // not 0: the search failed (enum list_trouble)
    int32_t places, pairs;            // particles and entries of the list
    int32_t low[3], high[3], bits[3]; // of cells
    int32_t crowded;                  // a cell or a block holds too many to be counted
    int64_t cells;                    // that would be counted, or blocks if these are more
    double inverse;                   // 1/cell
} neighbour_state;

// Contacts as they stand between two frames; goes in and comes out with the flow.
typedef struct list_now
{
    int32_t stale, listed; // as in neighbours/contact/contacts.h
    int32_t sparse;
    float shape_contact_margin;
    int32_t carried;        // multipliers of an older list wait to be found again
    int32_t shape_contacts; // contacts with shapes
    int32_t builds;         // lists made so far
    neighbour_state search; // for particles near each other
} list_now;

// Skins as they stand between two frames (neighbours/surface/surfaces.h); goes in and comes out with the flow.
typedef struct surface_now
{
    int32_t listed, carried;
    int32_t made;    // the substep before which the list was made in this frame, and one: it need not be made twice
    int32_t trouble; // not 0: making a list failed (enum surface_trouble)
    int32_t pairs, crossings;
    float margin, horizon, widest;
    int32_t low[3], high[3], bits[3]; // of cells
    double mean[3];                   // velocity
    unsigned long long rush;          // bits of the square of the greatest speed beside it
    float grain_rush;                 // the same for grains
} surface_now;

// The surface of all skins. Copied when it changes.
typedef struct device_surface
{
    const int32_t *triangle, *triangle_edge, *edge, *vertex, *id, *node_last, *parent;
    const uint8_t *owns;
    const bvh_node *node;
    int32_t triangles, edges, vertices, nodes, slots;
    float thickness;
} device_surface;

// Who collides, and how. Copied when it changes.
typedef struct device_colliders
{
    const int32_t *collider; // slots
    int32_t colliders, live;
    float radius;
    int32_t one_material;
    const float
        *frictions; // PL_MAX_MATERIALS^2 of 4: stick, slide, bounce between particles; then as many against shapes
    const int32_t *shape_id_entry;
    int32_t shapes, hard_shapes; // hard: some are hulls, meshes or fields
    int32_t surfaces_now;        // there are some
    const placement *built;      // where shapes were when the saved lists were made, or NULL
} device_colliders;

// Multipliers by slots: for each slot a stretch of entries (neighbours/contact/contacts.h).
typedef struct device_carry
{
    const int32_t *first, *count, *other;
    const float *lambda;
    int64_t entries;
} device_carry;

// The lists at home: pairs in their order, by slots; touches slot by slot. Arrays of the sizes that list_now tells.
typedef struct device_readback
{
    uint64_t *key; // as in neighbours/list.h
    int32_t *value, *first, *one, *other;
    float *lambda; // 4 for each pair
    int32_t *near_first, *near_shape;
    float *shape_contact_lambda, *shape_contact_plane; // 4 for each touch
    placement *built;
} device_readback;

// A few bytes that have changed.
typedef struct device_patch
{
    uint64_t at; // byte
    uint32_t value;
    int16_t array, bytes; // 1 or 4
} device_patch;

// What is to be kept of a frame.
typedef struct device_keeping
{
    int64_t number;        // from 1
    const list_now *lists; // that are listed, or NULL
    const surface_now *surfaces_now;
    bool contacts, has_surfaces; // there are some, listed or not
    bool must;                   // a copy of everything, whether or not it is its turn
    bool whole;                  // ... has set out
} device_keeping;

// An attribute on its way into an OpenGL buffer: `floats` of each particle, from `offset` on in its slot of an array.
typedef struct device_gl
{
    const int32_t *slot_of; // of each particle; -1: none
    int32_t particles;
    int64_t moves; // when slot_of was last another
    int array, offset, floats;
    bool inverse; // 1/x, of 0: 0
    unsigned buffer;
} device_gl;

// One that has a temperature.
typedef struct device_warm
{
    double heat;
    int32_t slot;
    int32_t what; // twice its rule, and one if it is molten
} device_warm;

// Heat that is to flow.
typedef struct device_heat
{
    int32_t count, rule_count, hot_count;
    const pl_heat_def *rules;
    const hot_shape *hot;
    float widest; // HEAT_NEAR times the largest radius
    double ambient;
} device_heat;

// What a frame took, ms: all of it, and each group of stages.
typedef struct device_times
{
    float total, group[16];
} device_times;

// What the module libpliant_cuda.so offers. It is a library of its own, opened when a world asks for CUDA, so that libpliant itself
// needs nothing but libc and threads, and works where there is no CUDA at all.
typedef struct device_api
{
    uint64_t build_id; // a hash of the headers that the module was made of: it must be ours

    // Opens the first device. NULL: see `why`.
    device *(*open)(device_error *why);
    void (*close)(device *d);
    const char *(*name)(const device *d);
    // Takes over a new structure or a new plan.
    bool (*structure)(device *d, const state *host, device_shape shape, device_error *why);
    bool (*plan)(device *d, const plan *p, device_error *why);
    // Copies one kind's parameters, or one slot array, to the device.
    bool (*rows)(device *d, const state *host, int kind, device_error *why);
    bool (*write)(device *d, const state *host, int array, device_error *why);
    // Contacts: who collides; multipliers from outside; the lists that a saved world had, made anew from where it made them.
    bool (*collider_set)(device *d, const device_colliders *c, list_now *lists, device_error *why);
    bool (*carry)(device *d, const device_carry *pairs, const device_carry *shape_contacts, list_now *lists,
                  device_error *why);
    bool (*resume)(device *d, const state *host, list_now *lists, device_error *why);
    // Skins: their surface; multipliers from outside; a list that the host made; the list and, for each pair, its
    // multipliers, normal and weights: three times 4 numbers.
    bool (*surface)(device *d, const device_surface *f, device_error *why);
    bool (*surface_carry)(device *d, const device_carry *c, surface_now *surfaces_now, device_error *why);
    bool (*surface_give)(device *d, const state *host, const surface_pair *pairs, int32_t count,
                         const surface_pull *pulls, int32_t pull_count, surface_now *surfaces_now, device_error *why);
    bool (*surface_read)(device *d, const surface_now *surfaces_now, surface_pair *pairs, float *rows,
                         device_error *why);
    // Runs a frame: the host's settings of the frame go in, the flow and the lists' standing go in and come out.
    bool (*frame)(device *d, const state *host, flow *now, list_now *lists, surface_now *surfaces_now,
                  device_times *times, device_error *why);
    // Copies a slot array, the packed columns of a life (model/columns.h), or the lists to the host's own.
    bool (*read)(device *d, const state *host, int array, device_error *why);
    bool (*read_packed)(device *d, const state *host, int life, device_error *why);
    bool (*read_lists)(device *d, const list_now *lists, const device_readback *host_copy, device_error *why);
    // Begins to copy a frame home, without waiting: positions and velocities, or, when it is its turn, everything that a state is.
    bool (*keep)(device *d, const state *host, device_keeping *what, device_error *why);
    // Such a copy, positions of all slots and then velocities: of that frame, for which it waits, or, of 0, the newest that has
    // arrived. NULL: there is none.
    float *(*kept)(device *d, int64_t number, int64_t *which);
    // From now on, what is read comes from the newest whole copy at home up to `most`, whose number is the answer; 0: there is none.
    // wait: for one that is on its way.
    int64_t (*copies_on_host)(device *d, int64_t most, bool wait);
    void (*drop_copies)(device *d); // ... from the device again
    // Writes into the copy that is read.
    void (*amend)(device *d, int array, size_t at, const void *from, size_t bytes);
    // Writes words, or bytes, where they lie: of a slot array, or, with -1, of what is packed.
    bool (*patch)(device *d, const device_patch *list, int64_t count, device_error *why);
    // Copies a stretch of what is packed.
    bool (*send)(device *d, const char *from, size_t bytes, device_error *why);
    double (*copy_rate)(device *d); // bytes/s, read and written; 0: it could not be measured
    // Where an array lies on the device.
    void *(*address)(const device *d, int array);
    bool (*to_gl)(device *d, const device_gl *what, device_error *why);
    bool (*forget_gl)(device *d, unsigned buffer, device_error *why);
    // Heat: room on the host for so many that are warm, in the order of their numbers; who is near whom, and the greatest rate
    // (kernels/heat_conduction.h); so many steps, after which what is warm is in that room again.
    device_warm *(*heat_room)(device *d, int32_t count, device_error *why);
    bool (*heat_open)(device *d, const device_heat *what, double *rate, device_error *why);
    bool (*heat_flow)(device *d, int steps, double dt, device_error *why);
    void (*debug)(const cuda_debug *switches); // read from now on, whatever they become
} device_api;

// The module's one symbol.
extern __attribute__((visibility("default"))) const device_api pliant_device_api;

#ifdef __cplusplus
}
#endif
