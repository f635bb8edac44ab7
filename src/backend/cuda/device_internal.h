// device_internal.h: what the files of the CUDA backend share.
//
//   device.cu   life, the frame        transfer.cu  arrays to the device and back      graph.cu  a frame as a graph
//   stages.cu   stages of elements     tiles.cu   tiles in shared memory             per_particle.cu    what a particle does for itself
//   links.cu    links, where nothing but their softness is to be asked                cluster_frame.cu  small scenes in one kernel: cluster_frame_plan.cu  which, cluster_frame_pack.cu  what goes where
//   colours_one_kernel.cu   the colours of a kind in one kernel, links_one_kernel.cu  of few links            shape_match.cu  clusters that keep their shape
//   rigid_fused.cu   ... and what their particles do for themselves                        predict_double_buffered.cu the prediction with what follows it
//   contact_colours.cu    colours of pairs       oriented_contacts.cu ... of particles that turn
//   contacts_one_kernel.cu    all colours of a small scene in one kernel       contact_pair.h  a pair in the hands of a lane
//   neighbours.h  the neighbour service, neighbour_cells.h  its cells, neighbour_memory.cu  its memory, sort.cu  sorts and sums
//   neighbour_search.cu   contacts as its client  contact_blocks.cu  rows of pairs
//   shape_contact_lists.cu     lists of touches       carry_multipliers.cu   multipliers from list to list   prefix_sums.h  running sums   cell_tables.h  cells that are counted
//   list_rebuild.cu    when lists are made anew   speculative_frame.cu  frames in which they hold           list_memory.cu   memory for them
//   contact_transfer.cu     lists from the host and back    device_lists.h  how they lie             launch_args.h     what kernels get, and do first
//   surface_lists.cu     lists of skins: when, who is near whom    surface_pack.cu  ... into rows    surface_transfer.cu  ... from the host and back
//   heat.cu  heat after a frame
//   surface_stages.cu  the stages of skins    checkpoint.cu  copies on their way home (async_copy.h), checkpoint_layout.cu  what they are of
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

// Memory on the device that is cut up anew when it becomes too small.
struct region
{
    char *at;
    size_t bytes;
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
    cudaStream_t stream, side, deep; // side, deep: for capturing branches, and branches of branches
    cudaStream_t beside;             // for lists of touches
    cudaEvent_t parted, met;
    cudaEvent_t begin, end;
    cudaGraphExec_t graph;
    bool no_graph; // stages are launched one by one: debug.h
    int32_t *told; // by a kernel that decides a branch

    char *packing;
    size_t packing_bytes, packing_capacity;
    const char *host_packing;
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
    state captured; // what the graph's kernels have as their argument
    const plan *plan;
    size_t tile_bytes; // of shared memory
    int tile_kind;     // the one kind that all tiles hold, or -1
    near_link *links;  // its rows, if they are links (links.cu)
    size_t links_bytes;
    bool links_ready;

    float *faces; // predict_double_buffered.cu
    size_t faces_bytes;
    bool asking; // a calm frame whose first kernels ask for themselves is being captured
    pass_rows passes[PL_KIND_COUNT];
    float4 *passing; // a mail for each slot; NULL: nothing is passed
    region pass_room;
    size_t pass_kernels; // of a frame
    bool turns_ready;

    list_arrays lists;
    region collider_set, places, pairs, shape_contacts, carried, handoffs;
    int32_t *claims; // a number for each relay of a frame
    size_t relays, relay_room;
    surface_arrays surfaces;
    region surface, hunting, surface_pairs, surface_pulls, surface_carried;
    int32_t surface_carry_room;
    int32_t carry_room, shape_contact_carry_room;
    small_frame small;   // no jobs: a kernel a stage
    void *cluster_tasks; // and images
    bool small_ready;    // the images are what rows and faces are
    device_patch *patches;
    size_t patch_capacity;
    size_t small_bytes;
    void *scratch; // CUB's
    size_t scratch_bytes;

    // checkpoint.cu
    async_copies quick, whole;  // positions and velocities; everything
    int64_t copy_number;        // of the last frame that was to be kept
    const copy *copies_on_host; // not NULL: what is read comes from there
    bool dead;                  // it no longer answers

    // gl.cu
    shared_buffer gl[PL_MAX_GL_BUFFERS];
    region numbers; // slot_of
    int32_t numbers_sent;
    int64_t numbers_moves;

    // heat.cu
    heat_arrays warm;
    region warm_places, warm_rows, warm_scratch, warm_told;
    device_warm *pinned_warm;
    size_t pinned_warm_bytes;

    unsigned long long *stamps, *pinned_stamps;
    uint8_t stamp_group[STAMPS];
    int stamp_count, last_group;
};

bool failed(cudaError_t code, const char *what, device_error *why);

extern const cuda_debug *debug; // never NULL

// For tests: a call that debug.h wants to fail.
cudaError_t told_to_fail(void);

#define TRY(call, what)                                                                                                \
    if (cudaError_t told = told_to_fail(); failed(told != cudaSuccess ? told : (call), what, why))                     \
    return false

// ---- on the host ---------------------------------------------------------------------------------------------------

// early: its blocks may come in while the kernel before is still at work.
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

// A grid for `room` items of which there may be fewer: enough to fill the device, each thread taking several.
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
device_warm *device_heat_room(device *d, int32_t count, device_error *why);
bool device_heat_open(device *d, const device_heat *what, double *rate, device_error *why);
bool device_heat_flow(device *d, int steps, double dt, device_error *why);
void heat_free(device *d);

// graph.cu
bool make_graph(device *d, device_error *why);
void drop_graph(device *d);
// Under capture a branch is a node of the graph; else the host asks the device what was decided.
typedef bool branch_body(device *d, cudaStream_t stream, int substep, device_error *why);
bool open_branch(device *d, branch *b, device_error *why);
bool fill_branch(device *d, const branch *b, branch_body *body, int substep, device_error *why);
bool run_stages(device *d, device_error *why); // a frame without a graph

// stages.cu, tiles.cu, links.cu, per_particle.cu, shape_match.cu, contact_colours.cu: launch one stage; `early` as above
bool launch_stage(device *d, const launch_args *g, bool early, device_error *why);
bool launch_tiles(device *d, const launch_args *g, bool early, device_error *why);
bool ready_links(device *d, device_error *why);
bool launch_per_particle(device *d, const launch_args *g, bool early, device_error *why);
bool launch_per_particle_simple(device *d, const launch_args *g, bool early, int64_t items, int threads,
                                device_error *why);
int sweeps_join(const device *d, const stage *from, int64_t left,
                colour_list *l); // how many colours one kernel runs; 0: none
bool launch_sweeps(device *d, const launch_args *g, const colour_list *l, bool early, device_error *why);
bool launch_match(device *d, const launch_args *g, bool early, device_error *why);

// rigid_fused.cu
bool launch_bodies(device *d, const launch_args *g, bool early, device_error *why);

// predict_double_buffered.cu
schedule_world schedule_of(const device *d);
bool ready_beside(device *d, device_error *why);
void change_places(float **a, float **b);
bool asks_itself(const device *d); // a substep's first kernel can ask whether lists hold
bool launch_change(device *d, int32_t substeps, bool end, bool early, device_error *why);

bool launch_pairs(device *d, const launch_args *g, bool early, device_error *why);
bool turns_listed(const list_arrays *l);
bool note_turns(device *d, cudaStream_t stream, device_error *why); // with the lists

// oriented_contacts.cu
bool contacts_turn(const device *d); // some particle turns by itself
bool launch_oriented_pairs(device *d, const launch_args *g, bool early, device_error *why);
bool launch_oriented_per_particle(device *d, const launch_args *g, bool early, bool shapes, int64_t items, int threads,
                                  device_error *why);

// contacts_one_kernel.cu
bool relay_fits(const list_arrays *l);
int relay_joins(const device *d, const stage *from, int64_t left); // how many colours one kernel runs; 0: none
bool ready_relay(device *d, const plan *p, device_error *why);
bool open_relays(device *d, device_error *why); // at the frame's beginning, for those of links_one_kernel.cu too
bool launch_relay(device *d, launch_args *g, bool early, device_error *why);

// links_one_kernel.cu
int pass_joins(const device *d, const stage *from, int64_t left); // how many colours one kernel runs; 0: none
bool ready_pass(device *d, const plan *p, device_error *why);
bool ready_turns(device *d, device_error *why);
bool launch_pass(device *d, launch_args *g, bool early, device_error *why);

// cluster_frame.cu, cluster_frame_plan.cu
bool ready_small(device *d, device_error *why);  // before a frame is captured
bool ready_images(device *d, device_error *why); // before a frame
bool launch_small(device *d, const launch_args *g, device_error *why);

// neighbour_search.cu, contact_blocks.cu, shape_contact_lists.cu: make lists, on a stream
bool find_neighbours(device *d, cudaStream_t stream, bool resume, device_error *why);
bool search_pairs(device *d, cudaStream_t stream, bool resume, device_error *why);
bool search_shape_contacts(device *d, cudaStream_t stream, int substep, bool resume, device_error *why);

// sort.cu
bool sort_items(device *d, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                int32_t *value_out, int32_t count, int bits, device_error *why);
bool sort_within(region scratch, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                 int32_t *value_out, int32_t count, int bits, device_error *why); // ... in other scratch than CUB's
bool sort_blocks(device *d, cudaStream_t stream, device_error *why);
bool sum_through(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why);
bool sum_up(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why);
size_t scratch_for(int32_t colliders, int32_t pairs, int32_t slots); // bytes

// carry_multipliers.cu
bool make_lists(device *d, cudaStream_t stream, int substep, bool resume, device_error *why);

// list_rebuild.cu
bool lists_refresh(device *d, int substep, device_error *why); // into the graph under capture

// speculative_frame.cu: into the graph under capture
bool speculate_or_not(device *d, int32_t substeps, bool early, branch_body *speculative, branch_body *stirred,
                      device_error *why);
bool lists_hold_on(device *d, int substep, bool early, device_error *why);
void set_asking(const device *d, launch_args *g); // before it is launched

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
bool collect_lists(device *d, const list_now *lists, device_error *why); // before they are read

// surface_lists.cu, surface_pack.cu
bool surface_refresh(device *d, int substep, device_error *why); // into the graph under capture
bool pack_surface(device *d, cudaStream_t stream, device_error *why);
bool carry_surface(device *d, cudaStream_t stream, device_error *why);

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
