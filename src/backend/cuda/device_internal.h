// device_internal.h: types and functions that the files of the CUDA backend share. What is where:
//
//   Frame
//     device.cu                       opens and closes the device, runs a frame
//     graph.cu                        captures a frame as a CUDA graph
//     transfer.cu                     copies arrays to the device and back
//     launch_args.h                   arguments of kernels, and what every kernel does first
//     cluster_frame.cu                a small scene in one kernel; cluster_frame_plan.cu decides which scenes and
//                                     lists the tasks, cluster_frame_pack.cu distributes the data
//     checkpoint.cu                   asynchronous copies to the host (async_copy.h); checkpoint_layout.cu lists
//                                     their content
//     heat.cu                         heat conduction after a frame
//     gl.cu                           copies attributes into OpenGL buffers
//   Elements and particles
//     stages.cu                       stages of elements
//     tiles.cu                        tiles in shared memory
//     links.cu                        undamped links that need no multiplier
//     solve_rows_one_kernel.cu        solves all colours of a kind in one kernel
//     solve_links_one_kernel.cu       solves all colours of a kind of links in one kernel, in scenes with few links
//     per_particle.cu                 stages that read and write one particle at a time
//     shape_match.cu                  shape matching of clusters
//     rigid_fused.cu                  shape matching of rigid bodies fused with the stages of their particles
//     double_buffer.cu                second buffer for the directions out of bodies
//   Contacts
//     solve_contacts.cu               solves the colours of pairs; contact_pair.h: one pair per lane
//     solve_contacts_one_kernel.cu    solves all colours of pairs of a small scene in one kernel
//     oriented_contacts.cu            contacts of oriented particles
//     rigid_contacts.cu               contacts of rigid bodies
//   Lists of contacts
//     neighbours.h                    the neighbour search: neighbour_cells.h its cells, neighbour_memory.cu its memory
//     sort.cu, prefix_sums.h          sorts and prefix sums
//     cell_tables.h                   counting tables of cells and blocks
//     neighbour_search.cu             the neighbour search for contacts
//     contact_blocks.cu               turns pairs into rows
//     shape_contact_lists.cu          lists of shape contacts
//     client_lists.cu                 lists of the other clients of the neighbour service
//     carry_multipliers.cu            carries multipliers from list to list
//     list_rebuild.cu                 decides when lists are made again
//     speculative_frame.cu            frames that assume that all lists stay valid
//     list_memory.cu                  memory of the lists
//     contact_transfer.cu             copies lists to the device and back
//     device_lists.h                  layout of the lists
//   Self-collision of surfaces
//     surface_lists.cu                decides when lists are made, and finds the pairs
//     surface_pack.cu                 turns the pairs into rows
//     surface_transfer.cu             copies lists to the device and back
//     surface_stages.cu               stages of self-collision
#pragma once
#include "backend/cuda/device_lists.h"
#include "backend/cuda/async_copy.h"
#include "backend/cuda/launch_args.h"
#include "backend/cuda/cluster_frame_params.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct near_link; // links.h

// Device memory that is divided into arrays again when it becomes too small.
struct region
{
    char *at;
    size_t bytes;
};

// The memory of a client's list.
struct client_memory
{
    region given, sorted, pairs;
};

// An OpenGL buffer that the device may write into.
struct shared_buffer
{
    unsigned buffer;
    cudaGraphicsResource *resource; // NULL: free
};

struct device
{
    cudaDeviceProp about;
    // side, deep: for capturing branches, and branches inside branches.
    cudaStream_t stream, side, deep;
    cudaStream_t beside;     // makes the lists of shape contacts at the same time as those of pairs
    cudaEvent_t parted, met; // fork of `beside` from a stream, and their join
    cudaEvent_t begin, end;  // of a frame, for timing
    cudaGraphExec_t graph;
    bool no_graph;     // launches stages one by one: debug.h
    int32_t *decision; // without a graph: what a kernel decided about a branch

    char *packing;
    size_t packing_bytes, packing_capacity;
    const char *host_packing; // the packed block on the host; `packing` has the same layout
    float *slot[SLOT_ARRAYS];
    size_t slot_capacity;
    substep *substeps;
    size_t substep_count, substep_capacity;
    field *fields, *pinned_fields;
    frame_now *now, *pinned; // on the device, on the host
    substep *pinned_substeps;
    solid *solids, *pinned_solids;
    placement *placements, *pinned_placements;
    size_t solid_capacity, placement_capacity, placement_count;
    char *shape_data;
    size_t shape_data_capacity;
    int32_t shape_data_change;
    state captured; // the argument of the graph's kernels
    const plan *plan;
    int tile_kind;    // the one kind that all tiles hold, or -1
    near_link *links; // the rows of tile_kind, if they are links (links.cu)
    size_t links_bytes;
    bool links_ready;

    float *faces; // second buffer for SLOT_NORMAL: double_buffer.cu
    size_t faces_bytes;
    // A speculative frame whose substeps' first kernels test the lists themselves is being captured.
    bool tests_lists;
    ordered_links ordered[PL_KIND_COUNT];
    float4 *link_handoffs; // a handoff for each slot (solve_links_one_kernel.cu); NULL: not used
    region link_handoff_memory;
    size_t link_kernels; // kernels of solve_links_one_kernel.cu in a frame
    bool order_ready;

    list_arrays lists;
    region collider_memory, sorted, pairs, shape_contacts, carried, handoffs; // the memory of `lists`
    client_arrays clients[NEIGHBOUR_CLIENTS];
    client_memory client_regions[NEIGHBOUR_CLIENTS];
    int32_t *claims;                 // a counter for each kernel of a frame that claims its work (launch_args.claims)
    size_t claims_used, claims_room; // counters in use, and allocated
    bool after_rows;                 // during capture: the last kernel solves the rows of one colour
    surface_arrays surfaces;
    region surface, hunting, surface_pairs, surface_pulls, surface_carried; // the memory of `surfaces`
    int32_t surface_carry_room;
    int32_t carry_room, shape_contact_carry_room;
    cluster_frame in_cluster; // count == 0: one kernel per stage
    void *cluster_tasks;      // the tasks and images of `in_cluster`
    bool cluster_ready;       // the images match the current rows and faces
    device_patch *patches;
    size_t patch_capacity;
    size_t cluster_bytes;
    void *scratch; // for CUB
    size_t scratch_bytes;

    // checkpoint.cu
    async_copies quick, whole;  // positions and velocities; the whole state
    int64_t copy_number;        // number of the last frame for which device_keep was called
    const copy *copies_on_host; // not NULL: reads come from this copy
    bool dead;                  // the device no longer answers

    // gl.cu
    shared_buffer gl[PL_MAX_GL_BUFFERS];
    region numbers; // slot_of
    int32_t numbers_sent;
    int64_t numbers_moves;

    // heat.cu
    heat_arrays heat;
    region heat_sorted_memory, heat_rows_memory, heat_scratch_memory, heat_result_memory; // the memory of `heat`
    device_heat_particle *pinned_heat;                                                    // device_heat_room
    size_t pinned_heat_bytes;

    // Time stamps of a frame's groups of stages, on the device and on the host.
    unsigned long long *stamps, *pinned_stamps;
    uint8_t stamp_group[STAMPS];
    int stamp_count, last_group;
};

bool failed(cudaError_t code, const char *what, device_error *why);

extern const cuda_debug *debug; // never NULL

// For tests: the error that debug.h wants this call to return.
cudaError_t injected_failure(void);

#define TRY(call, what)                                                                                                \
    if (cudaError_t injected = injected_failure(); failed(injected != cudaSuccess ? injected : (call), what, why))     \
    return false

// ---- on the host ---------------------------------------------------------------------------------------------------

// Launches a kernel. early: its blocks may start while the kernel before still runs (programmatic dependent launch).
template <class... P, class... A>
static bool start(device_error *why, cudaStream_t stream, bool early, int64_t items, int threads, size_t shared,
                  void (*kernel)(P...), A... arguments)
{
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3((unsigned)((items + threads - 1) / threads));
    how.blockDim = dim3((unsigned)threads);
    how.dynamicSmemBytes = shared;
    how.stream = stream;
    cudaLaunchAttribute soon = {};
    soon.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    soon.val.programmaticStreamSerializationAllowed = 1;
    how.attrs = &soon;
    how.numAttrs = early ? 1 : 0;
    TRY(cudaLaunchKernelEx(&how, kernel, arguments...), "launching a stage");
    return true;
}

// A grid for at most `room` items: enough threads to fill the device; each thread then takes several items.
static inline int64_t spread(const device *d, int64_t room)
{
    int64_t most = (int64_t)d->about.multiProcessorCount * 8 * WIDE;
    return room < 1 ? 1 : room < most ? room : most;
}

// transfer.cu
bool grow(void **block, size_t *capacity, size_t bytes, device_error *why);
bool device_structure(device *d, const state *host, device_shape shape, device_error *why);
bool device_rows(device *d, const state *host, int kind, device_error *why);
bool device_write(device *d, const state *host, int array, device_error *why);
bool device_read(device *d, const state *host, int array, device_error *why);
bool device_read_packed(device *d, const state *host, int life, device_error *why);
void relocate_state(const device *d, state *s);
bool reserve_substeps(device *d, size_t count, device_error *why);
bool reserve_shapes(device *d, const state *host, device_error *why);

// gl.cu
bool device_to_gl(device *d, const device_gl *what, device_error *why);
bool device_forget_gl(device *d, unsigned buffer, device_error *why);
void gl_free(device *d);

// heat.cu
device_heat_particle *device_heat_room(device *d, int32_t count, device_error *why);
bool device_heat_open(device *d, const device_heat *what, double *rate, device_error *why);
bool device_heat_flow(device *d, int steps, double dt, device_error *why);
void heat_free(device *d);

// graph.cu
bool make_graph(device *d, device_error *why);
void drop_graph(device *d);
// Under capture a branch is a conditional node of the graph; without a graph the host reads the decision from the
// device.
typedef bool branch_body(device *d, cudaStream_t stream, int substep, device_error *why);
bool open_branch(device *d, branch *b, device_error *why);
bool fill_branch(device *d, const branch *b, branch_body *body, int substep, device_error *why);
bool run_stages(device *d, device_error *why); // runs a frame without a graph

// stages.cu, tiles.cu, links.cu, per_particle.cu, shape_match.cu, solve_contacts.cu: launch one stage; `early` as in
// start
bool launch_stage(device *d, const launch_args *g, bool early, device_error *why);
bool launch_tiles(device *d, const launch_args *g, bool early, device_error *why);
bool ready_links(device *d, device_error *why);
bool launch_per_particle(device *d, const launch_args *g, bool early, device_error *why);
bool launch_per_particle_simple(device *d, const launch_args *g, bool early, int64_t items, int threads,
                                device_error *why);
// Returns the number of colours that one kernel runs, and which; 0: none.
int sweeps_join(const device *d, const stage *from, int64_t left, colour_list *l);
bool launch_sweeps(device *d, const launch_args *g, const colour_list *l, bool early, device_error *why);
bool launch_match(device *d, const launch_args *g, bool early, device_error *why);

// rigid_fused.cu
bool launch_bodies(device *d, const launch_args *g, bool early, device_error *why);

// double_buffer.cu
schedule_world schedule_of(const device *d);
bool ready_faces(device *d, device_error *why);
void swap_faces(device *d);
// Can the first kernel of a substep test whether the lists are valid?
bool kernel_tests_lists(const device *d);
bool launch_faces_back(device *d, int32_t substeps, bool end, bool early, device_error *why);

bool launch_pairs(device *d, const launch_args *g, bool early, device_error *why);
bool dependencies_listed(const list_arrays *l);
// Finds the dependencies between pairs (contact_pair.h) when the lists are made.
bool note_dependencies(device *d, cudaStream_t stream, device_error *why);

// oriented_contacts.cu
bool contacts_are_oriented(const device *d); // does any particle have a rotation of its own?
bool launch_oriented_pairs(device *d, const launch_args *g, bool early, device_error *why);
bool launch_oriented_per_particle(device *d, const launch_args *g, bool early, bool shapes, int64_t items, int threads,
                                  device_error *why);

// solve_contacts_one_kernel.cu
bool contacts_one_kernel_fits(const list_arrays *l);
// Returns the number of colours that one kernel runs; 0: none.
int contacts_one_kernel_joins(const device *d, const stage *from, int64_t left);
bool ready_contacts_one_kernel(device *d, const plan *p, device_error *why);
// Clears the claim counters at the start of a frame, those of solve_links_one_kernel.cu included.
bool clear_claims(device *d, device_error *why);
bool launch_contacts_one_kernel(device *d, launch_args *g, bool early, device_error *why);

// solve_links_one_kernel.cu
// Returns the number of colours that one kernel runs; 0: none.
int links_one_kernel_joins(const device *d, const stage *from, int64_t left);
bool ready_links_one_kernel(device *d, const plan *p, device_error *why);
bool ready_order(device *d, device_error *why);
bool launch_links_one_kernel(device *d, launch_args *g, bool early, device_error *why);

// cluster_frame.cu, cluster_frame_plan.cu
bool ready_cluster_frame(device *d, device_error *why); // called before a frame is captured
bool ready_images(device *d, device_error *why);        // called before a frame runs
bool launch_cluster_frame(device *d, const launch_args *g, device_error *why);

// neighbour_search.cu, contact_blocks.cu, shape_contact_lists.cu: make lists, on a stream
bool find_neighbours(device *d, cudaStream_t stream, bool resume, device_error *why);
bool search_pairs(device *d, cudaStream_t stream, bool resume, device_error *why);
bool search_shape_contacts(device *d, cudaStream_t stream, int substep, bool resume, device_error *why);

// sort.cu
bool sort_items(device *d, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                int32_t *value_out, int32_t count, int bits, device_error *why);
// The same with scratch memory other than CUB's.
bool sort_within(region scratch, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                 int32_t *value_out, int32_t count, int bits, device_error *why);
bool sort_blocks(device *d, cudaStream_t stream, device_error *why);
bool sum_through(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why);
bool sum_up(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why);
size_t scratch_for(int32_t colliders, int32_t pairs, int32_t slots); // bytes

// carry_multipliers.cu
bool make_lists(device *d, cudaStream_t stream, int substep, bool resume, device_error *why);

// client_lists.cu
bool clients_set(device *d, const device_client *clients, device_error *why);
bool make_clients(device *d, cudaStream_t stream, device_error *why);
// Takes memory; raises *most to the number of particles of the largest client.
bool clients_room(device *d, const list_now *now, int32_t *most, device_error *why);
void clients_show(const device *d, state *s); // points the state at the lists
void clients_free(device *d);

// list_rebuild.cu
bool lists_refresh(device *d, int substep, device_error *why); // adds to the graph under capture

// speculative_frame.cu: adds to the graph under capture
bool speculate_or_not(device *d, int32_t substeps, bool early, branch_body *speculative, branch_body *stirred,
                      device_error *why);
bool lists_hold_on(device *d, int substep, bool early, device_error *why);
void set_list_test(const device *d, launch_args *g); // called before a launch

// list_memory.cu
bool lists_room(device *d, const list_now *now, device_error *why);
void lists_free(device *d);

// contact_transfer.cu
bool device_colliders_set(device *d, const device_colliders *c, list_now *lists, device_error *why);
bool device_carry_set(device *d, const device_carry *pairs, const device_carry *shape_contacts, list_now *lists,
                      device_error *why);
bool device_resume(device *d, const state *host, list_now *lists, device_error *why);
bool device_read_lists(device *d, const list_now *lists, const device_readback *host_copy, device_error *why);
enum
{
    LIST_PARTS = 11,
};
struct list_part
{
    void *to;
    const void *from;
    size_t bytes;
};
void list_parts(const device *d, const list_now *lists, const device_readback *host_copy, list_part out[LIST_PARTS]);
bool collect_lists(device *d, const list_now *lists, device_error *why); // called before the lists are read

// surface_lists.cu, surface_pack.cu
bool surface_refresh(device *d, int substep, device_error *why); // adds to the graph under capture
bool pack_surface(device *d, cudaStream_t stream, device_error *why);
bool carry_surface(device *d, cudaStream_t stream, device_error *why);

// rigid_contacts.cu
bool launch_rigid(device *d, const launch_args *g, bool early, device_error *why);

// surface_stages.cu
bool launch_surface(device *d, const launch_args *g, bool early, device_error *why);

// surface_transfer.cu
bool surface_room(device *d, const surface_now *now, device_error *why);
void surfaces_free(device *d);
bool device_surface_set(device *d, const device_surface *f, device_error *why);
bool device_surface_carry(device *d, const device_carry *c, surface_now *surfaces_now, device_error *why);
bool device_surface_give(device *d, const state *host, const surface_pair *pairs, int32_t count,
                         const surface_pull *pulls, int32_t pull_count, surface_now *surfaces_now, device_error *why);
bool device_surface_read(device *d, const surface_now *surfaces_now, surface_pair *pairs, float *rows,
                         device_error *why);
bool collect_surfaces(device *d, const surface_now *surfaces_now, int what, float *to, device_error *why);
