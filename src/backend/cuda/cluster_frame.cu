// cluster_frame.cu: runs a frame of a small cloth, flag or rope in one kernel. A scene of a few thousand particles is
// bound by latency: a frame has hundreds of stages, and a stage costs less than its launch. So one cluster of 16 blocks
// runs all stages, with a barrier of the cluster after each. A block keeps in shared memory what its share of the slots
// reads and writes, and its share of the rows and faces. It accesses the positions, displacements, velocities and
// forces of the other blocks through distributed shared memory. While a thread waits, it loads its row of the next
// colour.
//
// Only links and tethers, without damping, in first order: those read nothing but positions and displacements.
// cluster_frame_plan.cu decides which scenes qualify; cluster_frame_pack.cu distributes the data over the blocks.
#include "backend/cuda/wind_face.h"
#include "backend/cuda/links.h"
#include "backend/cuda/per_particle.h"
#include "backend/cuda/cluster_frame.h"

#if __CUDA_ARCH__ >= 900

extern __shared__ float4 cluster_x[];

// Address of the shared memory of a block of the cluster.
static __device__ __forceinline__ float *memory_of(uint32_t block)
{
    uint64_t at;
    asm("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"((uint64_t)cluster_x), "r"(block));
    return (float *)at;
}

template <class T> static __device__ __forceinline__ T *near_by(size_t address)
{
    return (T *)((char *)cluster_x + address);
}

static __device__ __forceinline__ near_row *near_rows(const cluster_frame &f)
{
    return near_by<near_row>(offsets_of(f).rows);
}
static __device__ __forceinline__ cluster_task *near_tasks(const cluster_frame &f)
{
    return near_by<cluster_task>(offsets_of(f).tasks);
}

// Offset of the four floats at an address in distributed shared memory, in floats from the first block's.
static __device__ __forceinline__ uint32_t offset_of(uint32_t address)
{
    return (uint32_t)(memory_of(address >> 16) - memory_of(0)) + 4 * (address & 0xffff);
}

// ---- filling shared memory -----------------------------------------------------------------------------------------

static __device__ __forceinline__ void keep_rows(const cluster_frame &f, const char *image)
{
    FOUR_AT_ONCE
    for (int32_t i = (int32_t)threadIdx.x; i < f.rows; i += CLUSTER_THREADS)
    {
        near_row r = ((const near_row *)image)[i];
        for (int c = 0; c < 2; c++)
            r.index[c] = offset_of(r.index[c]);
        near_rows(f)[i] = r;
    }
}

static __device__ __forceinline__ void keep_words(char *to, const char *from, size_t bytes)
{
    FOUR_AT_ONCE
    for (int32_t i = (int32_t)threadIdx.x; i < (int32_t)(bytes / 4); i += CLUSTER_THREADS)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

static __device__ __forceinline__ void keep_faces(const state &s, const cluster_frame &f, const char *image)
{
    const int32_t words = sizeof(near_face) / 4;
    cluster_offsets p = offsets_of(f);
    const uint32_t *face = (const uint32_t *)(image + (p.faces - p.rows));
    const uint32_t *corner = (const uint32_t *)(image + (p.corners - p.rows));
    FOUR_AT_ONCE
    for (int32_t i = (int32_t)threadIdx.x; i < f.faces * words; i += CLUSTER_THREADS)
        near_by<uint32_t>(p.faces)[i] = i % words < 3 ? offset_of(face[i]) : face[i];
    FOUR_AT_ONCE
    for (int32_t i = (int32_t)threadIdx.x; i < f.corners; i += CLUSTER_THREADS)
        near_by<uint32_t>(p.corners)[i] = offset_of(corner[i]) / 4;
    keep_words(near_by<char>(p.substeps), (const char *)s.substeps, (size_t)f.substeps * sizeof(substep));
}

// ---- stages --------------------------------------------------------------------------------------------------------

// A thread's row of a colour, if it has one. load: the i-th row of the block's.
struct next_row
{
    cluster_stretch in;
    near_row row;

    __device__ __forceinline__ void open(const cluster_frame &f, const cluster_task &j)
    {
        in.count = 0;
        if (j.op == CLUSTER_SWEEP)
            in = near_by<cluster_stretch>(offsets_of(f).stretches)[j.stretch];
        load(f, (int32_t)threadIdx.x);
    }

    __device__ __forceinline__ void load(const cluster_frame &f, int32_t i)
    {
        if (i < in.count)
            row = near_rows(f)[in.first + i];
    }
};

template <class Sweep>
static __device__ __forceinline__ void sweep_near(rows_view v, float inverse_h, const cluster_frame &f,
                                                  const cluster_task &j, next_row r, Sweep sweep)
{
    const int32_t *number = near_by<int32_t>(offsets_of(f).numbers) + r.in.first;
    float *lambda = v.rows.lambda;
    v.x = memory_of(0), v.d = memory_of(0) + 4 * NEAR_D * CLUSTER_SHARE;
    v.inverse_h = v.inverse_second = inverse_h;
    for (int32_t i = (int32_t)threadIdx.x; i < r.in.count; i += CLUSTER_THREADS)
    {
        if (i >= CLUSTER_THREADS)
            r.load(f, i);
        rows_view row_view = plain_view(v, r.row.index, &r.row.param, &r.row.softness);
        stage g = plain_stage();
        if (j.first && !j.keep && !v.pbd)
        {
            sweep(&row_view, &g);
            continue;
        }
        row_view.pbd = v.pbd;
        row_view.rows.stiffness = row_view.rows.compliance, row_view.rows.stiffness_step = 0;
        row_view.rows.lambda = lambda + number[i];
        g.first = j.first, g.keep = j.keep;
        sweep(&row_view, &g);
    }
}

static __device__ __forceinline__ void sweep_colour(const state &s, float inverse_h, const cluster_frame &f,
                                                    const cluster_task &j, const next_row &r)
{
    switch (j.kind)
    {
#define ENTRY(name, NAME, arity, writes, params, ...)                                                                  \
    case PL_KIND_##NAME:                                                                                               \
        if (IS_LINK(arity, params))                                                                                    \
            sweep_near(view_rows(&s, PL_KIND_##NAME), inverse_h, f, j, r,                                              \
                       [](const rows_view *v, const stage *g) { sweep_##name(v, g, 0, 1); });                          \
        break;
        PL_KINDS(ENTRY)
#undef ENTRY
    }
}

// A copy of the state without its rows. With them the compiler keeps it in local memory instead of registers, which made
// a frame of 70 x 70 particles 75 times slower.
struct near_state
{
    alignas(16) char bytes[offsetof(state, rows)];

    __device__ __forceinline__ explicit near_state(const state &s) { memcpy(bytes, &s, sizeof bytes); }
    __device__ __forceinline__ state *get() { return (state *)bytes; }
};

// The state for the stages of one slot, the i-th of the block: arrays in shared memory are indexed by i, the others by
// slot.
static __device__ __forceinline__ void open_own_state(state *t, const state &s, const cluster_frame &f, int32_t slot,
                                                      int32_t i)
{
    cluster_offsets p = offsets_of(f);
#define ENTRY(array, n) t->slot[array] = (float *)cluster_x + 4 * (n)*CLUSTER_SHARE;
    EACH_NEAR(ENTRY)
#undef ENTRY
    t->slot[SLOT_SAFE_X] = s.slot[SLOT_SAFE_X] + 4 * (ptrdiff_t)(slot - i);
    t->slot[SLOT_SAFE_V] = s.slot[SLOT_SAFE_V] + 4 * (ptrdiff_t)(slot - i);
    t->faces.slot_start = near_by<int32_t>(p.starts);
    t->faces.slot_face = near_by<int32_t>(p.corners);
    t->faces.force = memory_of(0) + p.forces / sizeof(float);
}

static __device__ __forceinline__ void own_slot(const state &s, const cluster_frame &f, const cluster_task &j,
                                                int32_t slot, int32_t i)
{
    near_state own(s);
    state *t = own.get();
    launch_args g = {};
    open_own_state(t, s, f, slot, i);
    g.substep = j.substep;
    if (j.per_particle & PER_PARTICLE_REMEMBER)
        remember(t, &g, i, i + 1);
    if (j.per_particle & PER_PARTICLE_VELOCITY)
        update_velocity(t, &g, i, i + 1);
    if (j.per_particle & PER_PARTICLE_CHECK)
        check(t, &g, i, i + 1);
    if (j.per_particle & PER_PARTICLE_AIR)
        sum_air(t, &g, i, i + 1);
    if (j.per_particle & PER_PARTICLE_PREDICT)
        predict(t, &g, i, i + 1);
}

// Wind on the block's faces. Their corners may lie in other blocks.
static __device__ __forceinline__ void blow_near(const state &s, const cluster_frame &f, const cluster_task &j)
{
    near_state own(s);
    state *t = own.get();
    cluster_offsets p = offsets_of(f);
#define ENTRY(array, n) t->slot[array] = memory_of(0) + 4 * (n)*CLUSTER_SHARE;
    EACH_NEAR(ENTRY)
#undef ENTRY
    const substep *all = near_by<substep>(p.substeps);
    const gust_moment *m = &all[j.substep].gust;
    const float *end = all[m->until < 0 ? 0 : m->until].phase;
    for (int32_t i = (int32_t)threadIdx.x; i < f.faces; i += CLUSTER_THREADS)
    {
        near_face face = near_by<near_face>(p.faces)[i];
        if (face.number)
            store_points(near_by<float>(p.forces) + 4 * i, blow_on(t, &s.wind, face.number - 1, face.index, false,
                                                                   face.drag, face.lift, m, j.substep == 0, end));
    }
}

// Copies a slot's arrays from global into shared memory, or (write_back) back.
static __device__ __forceinline__ void copy_slot(const state &s, const cluster_frame &f, int32_t slot, int32_t i,
                                                 bool write_back)
{
#define ENTRY(array, n)                                                                                                \
    if (array != SLOT_AIR || f.faces)                                                                                  \
    {                                                                                                                  \
        float4 *far_away = (float4 *)s.slot[array] + slot, *here = cluster_x + (n)*CLUSTER_SHARE + i;                  \
        if (!write_back)                                                                                               \
            *here = *far_away;                                                                                         \
        else if (array != SLOT_FORCE)                                                                                  \
            *far_away = *here;                                                                                         \
    }
    EACH_NEAR(ENTRY)
#undef ENTRY
}

#endif

static __global__ void __launch_bounds__(CLUSTER_THREADS, 1)
    run_cluster_frame(const __grid_constant__ state s, const __grid_constant__ cluster_frame f,
                      const __grid_constant__ launch_args g)
{
#if __CUDA_ARCH__ >= 900
    const char *image = f.image + blockIdx.x * image_bytes(f);
    cluster_offsets p = offsets_of(f);
    int32_t i = (int32_t)threadIdx.x;
    int32_t slot = i < f.share ? ((const int32_t *)(image + (p.slots - p.rows)))[i] : -1;
    float inverse_h = 1.0f / s.h;
    stamp_time(g);
    keep_words(near_by<char>(p.tasks), (const char *)f.tasks, (size_t)f.count * sizeof(cluster_task));
    keep_words(near_by<char>(p.numbers), image + (p.numbers - p.rows), p.end - p.numbers);
    keep_rows(f, image);
    if (f.faces)
        keep_faces(s, f, image);
    if (slot >= 0)
        copy_slot(s, f, slot, i, false);
    __syncthreads();
    cluster_task j = near_tasks(f)[0];
    next_row row;
    row.open(f, j);
    meet();
    for (int32_t n = 1; n <= f.count; n++)
    {
        if (j.op == CLUSTER_SWEEP)
            sweep_colour(s, inverse_h, f, j, row);
        else if (j.op == CLUSTER_WIND)
            blow_near(s, f, j);
        else if (slot >= 0)
            own_slot(s, f, j, slot, i);
        arrive();
        if (n < f.count)
        {
            j = near_tasks(f)[n];
            row.open(f, j);
        }
        wait_for_all();
    }
    if (slot >= 0)
        copy_slot(s, f, slot, i, true);
#else
    (void)s, (void)f, (void)g;
#endif
}

bool cluster_frame_fits(const device *d, const cluster_frame &f)
{
    size_t bytes = offsets_of(f).end;
    return bytes <= d->about.sharedMemPerBlockOptin && has_cluster(d, CLUSTER_THREADS, bytes, run_cluster_frame);
}

bool launch_cluster_frame(device *d, const launch_args *g, device_error *why)
{
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = one_cluster(d, CLUSTER_THREADS, offsets_of(d->in_cluster).end, false, attributes);
    TRY(cudaLaunchKernelEx(&how, run_cluster_frame, d->captured, d->in_cluster, *g), "launching a frame");
    return true;
}
