// surface_lists.cu: makes the list of pairs of surfaces on the device as the CPU does (neighbours/surface/surfaces.c,
// neighbours/surface/surface_search.c):
//
//   carry the multipliers over (surface_carry.cu) -> paths, horizon -> boxes, tree -> count, prefix sums, fill
//   -> surface_pack.cu
//
// Before each substep one thread checks whether the list is still valid; only if it is not, the graph's branch that
// makes a new list runs. The thread of a triangle finds the same pairs as the CPU, in the same order, so counts and
// prefix sums give every pair its index. Where surfaces cross, the frame stops, and the host separates them
// (neighbours/surface/untangle.c): that is rare and involves few particles.
#include "backend/cuda/list_validity.h"
#include "backend/cuda/surface_internal.h"

#include "neighbours/surface/particles_near_surface.h"
#include "stages/contact_stages.h"

// What a thread has found: the number of pairs of each sort, and where to write them.
struct finder
{
    int32_t count[FINDS];
    surface_pair *out[FIND_CROSSINGS]; // NULL: only count them
};

#include "neighbours/surface/surface_search.h"

PL_FN void search_pair(const surface_walk *q, finder *f, int what, int32_t a, int32_t b, const int32_t *corner)
{
    uint32_t at[4];
    for (int i = 0; i < 4; i++)
        at[i] = 4 * (uint32_t)corner[i];
    const near_corners index = {at, at + 1, at + 2, at + 3};
    if (!are_near(&q->rule, index, what == FIND_VERTICES))
        return;
    float reach = near_distance(&q->rule, index, what == FIND_VERTICES);
    if (f->out[what])
    {
        surface_pair pair = {what == FIND_VERTICES ? SURFACE_VERTEX : SURFACE_EDGES, a, b, reach, 0};
        f->out[what][f->count[what]] = pair;
    }
    f->count[what]++;
}

PL_FN void search_crossing(const surface_walk *q, finder *f, int32_t edge, int32_t triangle)
{
    (void)q, (void)edge, (void)triangle;
    f->count[FIND_CROSSINGS]++;
}

static __device__ __forceinline__ surface_walk surface_walk_of(const state &s, const surface_arrays &k)
{
    surface_walk q = {{s.slot[SLOT_SURFACE], s.slot[SLOT_SURFACE_V], s.slot[SLOT_REST], s.slot[SLOT_COLLISION],
                       k.thickness + k.now->margin, k.now->horizon},
                      s.slot[SLOT_D],
                      k.triangle,
                      k.triangle_edge,
                      k.edge,
                      k.owns,
                      k.node,
                      k.id,
                      k.node_last,
                      k.box,
                      k.node_box,
                      k.edge_box,
                      false};
    return q;
}

// ---- validity ------------------------------------------------------------------------------------------------------

static __global__ void decide_surface(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                                      const list_now *lists, const __grid_constant__ launch_args g, branch make)
{
    wait_for_previous_kernel();
    stamp_time(g);
    decide_branch(make, substep_is_active(s.now, g) && !surface_holds(s, k.now, lists, g.substep));
}

// ---- paths ---------------------------------------------------------------------------------------------------------

static __global__ void clear_paths(const __grid_constant__ state s)
{
    EACH(int32_t, i, s.slots)
    {
        ((float4 *)s.slot[SLOT_SURFACE])[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        ((float4 *)s.slot[SLOT_SURFACE_V])[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
}

// Stores the positions and velocities that paths are extrapolated from. The fourth number of SLOT_SURFACE is 1 for
// vertices of surfaces.
static __global__ void mark_paths(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    EACH(int32_t, i, k.vertices)
    {
        int32_t slot = k.vertex[i];
        float4 x = ((const float4 *)s.slot[SLOT_X])[slot], v = ((const float4 *)s.slot[SLOT_V])[slot];
        ((float4 *)s.slot[SLOT_SURFACE])[slot] = make_float4(x.x, x.y, x.z, 1.0f);
        ((float4 *)s.slot[SLOT_SURFACE_V])[slot] = make_float4(v.x, v.y, v.z, 0.0f);
    }
    EACH(int32_t, n, k.particles)
    {
        int32_t slot = k.particle[n];
        float4 x = ((const float4 *)s.slot[SLOT_X])[slot], v = ((const float4 *)s.slot[SLOT_V])[slot];
        ((float4 *)s.slot[SLOT_SURFACE])[slot] = make_float4(x.x, x.y, x.z, 0.0f);
        ((float4 *)s.slot[SLOT_SURFACE_V])[slot] = make_float4(v.x, v.y, v.z, 0.0f);
    }
}

static __host__ __device__ __forceinline__ int32_t velocity_chunks(const surface_arrays &k)
{
    return (k.vertices + VELOCITY_CHUNK - 1) / VELOCITY_CHUNK;
}

static __global__ void sum_velocities_of_chunk(const __grid_constant__ state s,
                                               const __grid_constant__ surface_arrays k)
{
    EACH(int32_t, i, velocity_chunks(k))
    {
        int32_t from = i * VELOCITY_CHUNK, to = from + VELOCITY_CHUNK < k.vertices ? from + VELOCITY_CHUNK : k.vertices;
        sum_velocities(s.slot[SLOT_SURFACE_V], k.vertex, from, to, k.chunk + 3 * (size_t)i);
    }
}

// Run by three threads, one for each axis.
static __global__ void mean_velocity(const __grid_constant__ surface_arrays k)
{
    double mean = 0.0;
    for (int32_t i = 0; i < velocity_chunks(k); i++)
        mean += k.chunk[3 * (size_t)i + threadIdx.x];
    k.now->mean[threadIdx.x] = mean / k.vertices;
    if (threadIdx.x == 0)
        k.now->relative_speed = 0, k.now->particle_closing_speed = 0.0f;
}

// The bits of nonnegative floating-point numbers have the order of integers, so atomicMax works on them.
static __global__ void find_relative_speed(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    double most = 0.0;
    EACH(int32_t, i, k.vertices)
    {
        double square = relative_speed_squared(s.slot[SLOT_SURFACE_V], k.vertex[i], k.now->mean);
        most = square > most ? square : most;
    }
    unsigned long long bits = (unsigned long long)__double_as_longlong(most);
    if (bits > *(volatile unsigned long long *)&k.now->relative_speed)
        atomicMax(&k.now->relative_speed, bits);
}

static __device__ __forceinline__ double double_of(unsigned long long bits)
{
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static __global__ void choose_reach(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    k.now->margin = SURFACE_MARGIN * k.thickness;
    k.now->horizon = surface_horizon(double_of(k.now->relative_speed), s.h, k.thickness);
    s.now->surface_age = 0.0f;
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

static __global__ void make_boxes(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    surface_walk q = surface_walk_of(s, k);
    EACH(int32_t, i, k.triangles)
    k.box[i] = triangle_box(&q, k.id[i]);
    EACH(int32_t, e, k.edges)
    k.edge_box[e] = edge_box(&q, e);
    EACH(int32_t, n, k.nodes)
    k.arrived[n] = 0;
}

// Bypasses the L1 cache: another multiprocessor may have written the box in this same kernel.
static __device__ __forceinline__ surface_box fresh_box(const surface_box *from)
{
    surface_box box;
    for (int i = 0; i < 4; i++)
        ((float4 *)&box)[i] = __ldcg((const float4 *)from + i);
    return box;
}

// Computes the boxes of the tree from the leaves up: the second thread that arrives at a node finds the boxes of both
// children. A box does not depend on the order of its parts.
static __global__ void fit_tree(const __grid_constant__ surface_arrays k)
{
    EACH(int32_t, leaf, k.nodes)
    {
        bvh_node n = k.node[leaf];
        if (n.count == 0)
            continue;
        surface_box box;
        box_open(&box);
        for (int32_t i = n.next; i < n.next + n.count; i++)
            box_join(&box, &k.box[i]);
        k.node_box[leaf] = box;
        for (int32_t at = k.parent[leaf]; at >= 0; at = k.parent[at])
        {
            __threadfence();
            if (atomicAdd(k.arrived + at, 1) == 0)
                break;
            __threadfence();
            surface_box left = fresh_box(k.node_box + at + 1), right = fresh_box(k.node_box + k.node[at].next);
            box_join(&left, &right);
            k.node_box[at] = left;
        }
    }
}

// ---- particles near surfaces ---------------------------------------------------------------------------------------

static __device__ __forceinline__ free_particles free_particles_of(const state &s, const surface_arrays &k)
{
    free_particles f = {s.slot[SLOT_SURFACE], s.slot[SLOT_SURFACE_V],
                        k.node_box[0],        particle_search_distance(k.radius, k.thickness, k.now->margin),
                        k.now->horizon,       surface_leeway(k.now->margin, k.thickness)};
    return f;
}

static __global__ void find_closing_speed(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    free_particles f = free_particles_of(s, k);
    float most = 0.0f;
    EACH(int32_t, i, k.particles)
    {
        float closing_speed = particles_closing_speed(&f, k.particle[i]);
        most = closing_speed > most ? closing_speed : most;
    }
    if (most > *(volatile float *)&k.now->particle_closing_speed)
        raise_to(&k.now->particle_closing_speed, most);
}

static __global__ void shorten_horizon(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    float wide = k.radius > k.thickness ? k.radius : k.thickness;
    k.now->horizon = particles_horizon(k.now->particle_closing_speed, wide, s.h, k.now->horizon);
}

static __global__ void mark_particles(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    free_particles f = free_particles_of(s, k);
    EACH(int32_t, i, k.particles)
    s.slot[SLOT_SURFACE][4 * (size_t)k.particle[i] + 3] = particle_leeway_count(&f, k.particle[i]);
}

static bool search_particles(device *d, cudaStream_t stream, device_error *why)
{
    const surface_arrays &k = d->surfaces;
    const state &s = d->captured;
    int64_t particles = spread(d, k.particles);
    return !k.particles || (start(why, stream, false, particles, WIDE, 0, find_closing_speed, s, k) &&
                            start(why, stream, false, 1, 1, 0, shorten_horizon, s, k) &&
                            start(why, stream, false, particles, WIDE, 0, mark_particles, s, k));
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

static __host__ __device__ __forceinline__ int32_t finds_of(const surface_arrays &k)
{
    return 2 * k.triangles + k.particles;
}

static __global__ void __launch_bounds__(THREADS)
    count_surface(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    surface_walk q = surface_walk_of(s, k);
    EACH(int32_t, i, k.triangles)
    {
        finder f = {};
        search_triangle(&q, &f, i);
        k.count[i] = f.count[FIND_VERTICES];
        k.count[k.triangles + k.particles + i] = f.count[FIND_EDGES];
        if (f.count[FIND_CROSSINGS])
            atomicAdd(&k.now->crossings, f.count[FIND_CROSSINGS]);
    }
    q.rule.near = particle_search_distance(k.radius, k.thickness, k.now->margin);
    EACH(int32_t, n, k.particles)
    {
        finder f = {};
        if (at_surface(s, k.particle[n]))
            search_particle(&q, &f, k.particle[n]);
        k.count[k.triangles + n] = f.count[FIND_VERTICES];
    }
    if (first_item() == 0)
        k.count[finds_of(k)] = 0;
}

// Checks whether the list fits and whether surfaces cross.
static __global__ void size_surface(const __grid_constant__ surface_arrays k)
{
    k.now->pairs = k.first[finds_of(k)];
    if (k.now->crossings)
        k.now->trouble = SURFACE_TANGLED;
    else if (k.now->pairs < 0 || k.now->pairs > k.room)
        k.now->trouble = SURFACE_SHORT;
}

static __global__ void __launch_bounds__(THREADS)
    fill_surface(const __grid_constant__ state s, const __grid_constant__ surface_arrays k)
{
    if (halted(k))
        return;
    surface_walk q = surface_walk_of(s, k);
    EACH(int32_t, i, k.triangles)
    {
        finder f = {{0, 0, 0}, {k.pair + k.first[i], k.pair + k.first[k.triangles + k.particles + i]}};
        search_triangle(&q, &f, i);
    }
    q.rule.near = particle_search_distance(k.radius, k.thickness, k.now->margin);
    EACH(int32_t, n, k.particles)
    {
        finder f = {{0, 0, 0}, {k.pair + k.first[k.triangles + n], NULL}};
        if (at_surface(s, k.particle[n]))
            search_particle(&q, &f, k.particle[n]);
    }
}

static bool search_surface(device *d, cudaStream_t stream, device_error *why)
{
    const surface_arrays &k = d->surfaces;
    const state &s = d->captured;
    int64_t corners = spread(d, k.vertices > k.particles ? k.vertices : k.particles);
    int64_t hunters = spread(d, k.triangles > k.particles ? k.triangles : k.particles),
            pieces = spread(d, k.edges > k.nodes ? k.edges : k.nodes);
    return start(why, stream, false, spread(d, s.slots), WIDE, 0, clear_paths, s) &&
           start(why, stream, false, corners, WIDE, 0, mark_paths, s, k) &&
           start(why, stream, false, spread(d, velocity_chunks(k)), THREADS, 0, sum_velocities_of_chunk, s, k) &&
           start(why, stream, false, 3, 3, 0, mean_velocity, k) &&
           start(why, stream, false, corners, WIDE, 0, find_relative_speed, s, k) &&
           start(why, stream, false, 1, 1, 0, choose_reach, s, k) &&
           start(why, stream, false, pieces, WIDE, 0, make_boxes, s, k) &&
           start(why, stream, false, spread(d, k.nodes), WIDE, 0, fit_tree, k) && search_particles(d, stream, why) &&
           start(why, stream, false, hunters, THREADS, 0, count_surface, s, k) &&
           sum_up(d, stream, k.count, k.first, finds_of(k) + 1, why) &&
           start(why, stream, false, 1, 1, 0, size_surface, k) &&
           start(why, stream, false, hunters, THREADS, 0, fill_surface, s, k);
}

// ---- launches ------------------------------------------------------------------------------------------------------

// On failure, stops the frame before this substep.
static __global__ void close_surface(const __grid_constant__ state s, const __grid_constant__ surface_arrays k,
                                     int substep)
{
    if (halted(k))
        s.now->to = substep;
    else
        k.now->made = substep + 1;
}

static bool make_surface(device *d, cudaStream_t stream, int substep, device_error *why)
{
    return carry_surface(d, stream, why) && search_surface(d, stream, why) && pack_surface(d, stream, why) &&
           start(why, stream, false, 1, 1, 0, close_surface, d->captured, d->surfaces, substep);
}

bool surface_refresh(device *d, int substep, device_error *why)
{
    branch make;
    launch_args g = {};
    if (!d->surfaces.triangles)
        return true;
    g.substep = substep;
    g.gated = 1;
    g.stamp = d->stamp_count < STAMPS - 1 ? d->stamps + d->stamp_count : NULL;
    if (g.stamp)
        d->stamp_group[d->stamp_count++] = PL_STAGE_GRID;
    d->last_group = PL_STAGE_GRID;
    return open_branch(d, &make, why) &&
           start(why, d->stream, false, 1, 1, 0, decide_surface, d->captured, d->surfaces,
                 (const list_now *)&d->now->lists, g, make) &&
           fill_branch(d, &make, make_surface, substep, why);
}
