// device.cu: the stages on an NVIDIA GPU. A thread takes one item of a stage and runs the very function that a CPU worker
// runs on a range (stages/items.h), so there is no second version of anything here: only memory, launches and the graph.
//
// A frame is one CUDA graph, captured when the plan or a setting changes and replayed: first what changes from frame to frame goes
// over from pinned memory, then each stage is a kernel, launched programmatically dependent on the one before, so that its blocks are
// in place when that ends. The state is an argument of every kernel: it lies in constant memory, one load from any thread.
#include "cuda/device.h"

#include "stages/items.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum
{
    THREADS = 64,
    TILE_THREADS = 640, // a colour of a tile in one go
};

struct device
{
    cudaDeviceProp about;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaGraphExec_t graph;

    char *packing;
    size_t packing_bytes, packing_capacity;
    const char *host_packing;
    float *slot[SLOT_ARRAYS];
    size_t slot_capacity;
    substep *substeps;
    size_t substep_count, substep_capacity;
    field *fields, *pinned_fields;
    flow *now;    // on the device
    flow *pinned; // on the host
    substep *pinned_substeps;
    state captured; // what the graph's kernels have as their argument
    const plan *plan;
    size_t tile_bytes; // of shared memory
    int tile_kind;     // the one kind that all tiles hold, or -1
};

static bool failed(cudaError_t code, const char *what, device_error *why)
{
    if (code == cudaSuccess)
        return false;
    why->memory = code == cudaErrorMemoryAllocation;
    snprintf(why->text, sizeof why->text, "CUDA: %s: %s", what, cudaGetErrorString(code));
    return true;
}

#define TRY(call, what)                                                                                                \
    if (failed(call, what, why))                                                                                       \
    return false

// ---- kernels -------------------------------------------------------------------------------------------------------

// Lets the next kernel's blocks come in early, and waits for what the kernel before has written.
static __device__ __forceinline__ void fall_in(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
}

// The state is only read; the functions' type does not say so, because on a CPU they share it with those that write.
#define OWN(s) const_cast<state *>(&s)

#define STAGE_KERNEL(name, body)                                                                                       \
    static __global__ void __launch_bounds__(THREADS) name(const __grid_constant__ state s, stage g)                   \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        fall_in();                                                                                                     \
        if (i < g.end)                                                                                                 \
            body(OWN(s), &g, i, i + 1);                                                                                \
    }

STAGE_KERNEL(run_remember, remember)
STAGE_KERNEL(run_wind, wind_faces)
STAGE_KERNEL(run_air, sum_air)
STAGE_KERNEL(run_predict, predict)
STAGE_KERNEL(run_jacobi_move, jacobi_move)
STAGE_KERNEL(run_velocity, update_velocity)
STAGE_KERNEL(run_motion_sum, motion_sum_stage)
STAGE_KERNEL(run_motion_solve, motion_solve_stage)
STAGE_KERNEL(run_motion_damp, motion_damp_stage)
STAGE_KERNEL(run_events, events)
STAGE_KERNEL(run_advance, advance)
STAGE_KERNEL(run_check, check)

// What a row reads and no kernel writes, in registers: read while the kernel before is still at work.
struct row_ahead
{
    uint32_t index[PL_MAX_ARITY];
    float param[PL_MAX_PARAMS];

    __device__ __forceinline__ row_ahead(const packed_rows *r, int arity, int params, int32_t i)
    {
        for (int k = 0; k < arity; k++)
            index[k] = __ldg(r->index[k] + i);
        for (int k = 0; k < params; k++)
            param[k] = __ldg(r->param[k] + (r->param_step[k] ? i : 0));
    }

    // Makes a view of one row, i, that is read from here.
    __device__ __forceinline__ void show(rows_view *v, int arity, int params, int32_t i)
    {
        for (int k = 0; k < arity; k++)
            v->rows.index[k] = index + k - i;
        for (int k = 0; k < params; k++)
        {
            v->rows.param[k] = param + k - i;
            v->rows.param_step[k] = 1;
        }
    }
};

#define KIND_KERNELS(name, NAME, arity, writes, params, ...)                                                           \
    static __global__ void __launch_bounds__(THREADS) run_sweep_##name(const __grid_constant__ rows_view v, stage g)   \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        bool mine = i < g.end;                                                                                         \
        row_ahead row(&v.rows, arity, params, mine ? i : g.begin);                                                     \
        fall_in();                                                                                                     \
        if (!mine)                                                                                                     \
            return;                                                                                                    \
        rows_view own = v;                                                                                             \
        row.show(&own, arity, params, i);                                                                              \
        sweep_##name(&own, &g, i, i + 1);                                                                              \
    }                                                                                                                  \
    static __global__ void __launch_bounds__(THREADS) run_jacobi_##name(const __grid_constant__ rows_view v, stage g)  \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        fall_in();                                                                                                     \
        if (i < g.end)                                                                                                 \
            jacobi_##name(&v, &g, i, i + 1);                                                                           \
    }
PL_KINDS(KIND_KERNELS)

// A block takes a tile: positions into shared memory, every kind and colour of it there, and back. Padding rows point
// outside the tile and are passed over. While a colour is at work, the next one's rows are on their way.
static __device__ __forceinline__ void fetch(const void *p) { asm volatile("prefetch.global.L1 [%0];" ::"l"(p)); }

static __device__ __forceinline__ void fetch_run(const state *s, int32_t r, int32_t last)
{
    if (r >= last)
        return;
    run q = s->tile_run[r];
    const packed_rows *rows = &s->rows[q.kind];
    int32_t k = q.begin + (int32_t)threadIdx.x;
    for (int i = 0; k < q.end && i < PL_MAX_ARITY; i++)
        if (rows->index[i])
            fetch(rows->index[i] + k);
    for (int i = 0; k < q.end && i < PL_MAX_PARAMS; i++)
        if (rows->param_step[i])
            fetch(rows->param[i] + k);
}

// `sweep`: what to do with a row; one that knows its kind needs half the registers of one that asks.
template <class Sweep> static __device__ __forceinline__ void visit_tile(const state *s, Sweep sweep)
{
    extern __shared__ float4 tile_x[];
    int32_t tile = (int32_t)blockIdx.x, first = s->tile_first[tile], last = s->tile_first[tile + 1];
    int32_t run_first = s->tile_start[tile], run_last = s->tile_start[tile + 1];
    fetch_run(s, run_first, run_last);
    fall_in();
    float4 *x = (float4 *)s->slot[SLOT_X];
    for (int32_t i = first + (int32_t)threadIdx.x; i < last; i += TILE_THREADS)
        tile_x[i - first] = x[i];
    __syncthreads();
    float *shifted = (float *)tile_x - 4 * (ptrdiff_t)first; // so that offsets of slots work unchanged
    for (int32_t r = run_first; r < run_last; r++)
    {
        run q = s->tile_run[r];
        fetch_run(s, r + 1, run_last);
        for (int32_t k = q.begin + (int32_t)threadIdx.x; k < q.end; k += TILE_THREADS)
            if (s->rows[q.kind].index[0][k] < 4 * (uint32_t)s->particles)
                sweep(q.kind, shifted, k);
        __syncthreads();
    }
    for (int32_t i = first + (int32_t)threadIdx.x; i < last; i += TILE_THREADS)
        x[i] = tile_x[i - first];
}

static __global__ void __launch_bounds__(TILE_THREADS) run_tiles(const __grid_constant__ state s, stage g)
{
    visit_tile(&s, [&](int kind, float *x, int32_t k) {
        rows_view v = view_rows(&s, kind);
        v.x = x;
        sweep_kind(kind, &v, &g, k, k + 1);
    });
}

#define TILE_KERNEL(name, NAME, ...)                                                                                   \
    static __global__ void __launch_bounds__(TILE_THREADS, 2)                                                          \
        run_tiles_##name(const __grid_constant__ state s, stage g)                                                     \
    {                                                                                                                  \
        rows_view v = view_rows(&s, PL_KIND_##NAME);                                                                   \
        visit_tile(&s, [&](int, float *x, int32_t k) {                                                                 \
            v.x = x;                                                                                                   \
            sweep_##name(&v, &g, k, k + 1);                                                                            \
        });                                                                                                            \
    }
PL_KINDS(TILE_KERNEL)

typedef void stage_kernel(const state s, stage g);
typedef void rows_kernel(const rows_view v, stage g);

static stage_kernel *tile_kernel(int kind)
{
    static stage_kernel *const tiles[] = {
#define ENTRY(name, ...) run_tiles_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return kind < 0 ? run_tiles : tiles[kind];
}

static rows_kernel *rows_kernel_of(const stage *g)
{
    static rows_kernel *const sweeps[] = {
#define ENTRY(name, ...) run_sweep_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    static rows_kernel *const jacobis[] = {
#define ENTRY(name, ...) run_jacobi_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return g->op == OP_SWEEP ? sweeps[g->kind] : g->op == OP_JACOBI ? jacobis[g->kind] : NULL;
}

static stage_kernel *kernel_of(const device *d, const stage *g)
{
    switch (g->op)
    {
    case OP_REMEMBER:
        return run_remember;
    case OP_WIND:
        return run_wind;
    case OP_AIR:
        return run_air;
    case OP_PREDICT:
        return run_predict;
    case OP_TILES:
        return tile_kernel(d->tile_kind);
    case OP_JACOBI_MOVE:
        return run_jacobi_move;
    case OP_VELOCITY:
        return run_velocity;
    case OP_MOTION_SUM:
        return run_motion_sum;
    case OP_MOTION_SOLVE:
        return run_motion_solve;
    case OP_MOTION_DAMP:
        return run_motion_damp;
    case OP_EVENTS:
        return run_events;
    case OP_ADVANCE:
        return run_advance;
    case OP_CHECK:
        return run_check;
    default:
        return NULL;
    }
}

// ---- life ----------------------------------------------------------------------------------------------------------

static bool open_device(device *d, device_error *why)
{
    int count = 0;
    cudaError_t asked = cudaGetDeviceCount(&count);
    if (asked == cudaErrorInsufficientDriver)
    {
        snprintf(why->text, sizeof why->text, "CUDA: this machine has no NVIDIA driver, or one older than CUDA %d.%d",
                 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
        return false;
    }
    if (asked != cudaErrorNoDevice)
        TRY(asked, "looking for a device");
    if (count == 0)
    {
        snprintf(why->text, sizeof why->text, "CUDA: this machine has no NVIDIA GPU");
        return false;
    }
    TRY(cudaSetDevice(0), "choosing the device");
    TRY(cudaGetDeviceProperties(&d->about, 0), "asking the device");
    TRY(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), "making a stream");
    TRY(cudaEventCreate(&d->begin), "making an event");
    TRY(cudaEventCreate(&d->end), "making an event");
    TRY(cudaMalloc(&d->now, sizeof *d->now), "taking memory");
    TRY(cudaMalloc(&d->fields, MAX_FIELDS * sizeof *d->fields), "taking memory");
    TRY(cudaMallocHost(&d->pinned_fields, MAX_FIELDS * sizeof *d->fields), "taking pinned memory");
    TRY(cudaMallocHost(&d->pinned, sizeof *d->pinned), "taking pinned memory");
    return true;
}

static void device_close(device *d);

static device *device_open(device_error *why)
{
    device *d = (device *)calloc(1, sizeof *d);
    if (d && open_device(d, why))
        return d;
    device_close(d);
    return NULL;
}

static void device_close(device *d)
{
    if (!d)
        return;
    if (d->stream)
        cudaStreamSynchronize(d->stream);
    if (d->graph)
        cudaGraphExecDestroy(d->graph);
    cudaFree(d->packing);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        cudaFree(d->slot[a]);
    cudaFree(d->substeps);
    cudaFree(d->now);
    cudaFree(d->fields);
    cudaFreeHost(d->pinned_fields);
    cudaFreeHost(d->pinned);
    cudaFreeHost(d->pinned_substeps);
    if (d->begin)
        cudaEventDestroy(d->begin);
    if (d->end)
        cudaEventDestroy(d->end);
    if (d->stream)
        cudaStreamDestroy(d->stream);
    free(d);
}

static const char *device_name(const device *d) { return d->about.name; }

// ---- the structure -------------------------------------------------------------------------------------------------

static bool grow(void **block, size_t *capacity, size_t bytes, device_error *why)
{
    if (bytes <= *capacity)
        return true;
    cudaFree(*block);
    *block = NULL;
    *capacity = 0;
    TRY(cudaMalloc(block, bytes), "taking memory on the device");
    *capacity = bytes;
    return true;
}

// A pointer into the host's packing, as one into the device's.
template <class T> static void relocate(const device *d, T *&p)
{
    if (p)
        p = (T *)(d->packing + ((const char *)p - d->host_packing));
}

static void relocate_state(const device *d, state *s)
{
    for (int a = 0; a < SLOT_ARRAYS; a++)
        s->slot[a] = d->slot[a];
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        packed_rows *r = &s->rows[k];
        for (int i = 0; i < PL_MAX_ARITY; i++)
            relocate(d, r->index[i]);
        for (int i = 0; i < PL_MAX_PARAMS; i++)
            relocate(d, r->param[i]);
        relocate(d, r->compliance), relocate(d, r->damping), relocate(d, r->stiffness), relocate(d, r->lambda);
        relocate(d, r->active), relocate(d, r->split), relocate(d, r->delta);
        relocate(d, r->jacobi_slot), relocate(d, r->jacobi_start), relocate(d, r->jacobi_entry);
    }
    packed_faces *f = &s->faces;
    for (int i = 0; i < 3; i++)
        relocate(d, f->index[i]);
    relocate(d, f->drag), relocate(d, f->lift), relocate(d, f->force), relocate(d, f->slot_start),
        relocate(d, f->slot_face);
    packed_objects *o = &s->objects;
    relocate(d, o->start), relocate(d, o->member), relocate(d, o->chunk_object), relocate(d, o->chunk_start);
    relocate(d, o->object_chunk), relocate(d, o->sum), relocate(d, o->motion);
    relocate(d, s->tile_first), relocate(d, s->tile_start), relocate(d, s->tile_run);
    s->substeps = d->substeps;
    s->fields = d->fields;
    s->now = d->now;
}

static bool device_structure(device *d, const state *host, device_shape shape, device_error *why)
{
    if (!grow((void **)&d->packing, &d->packing_capacity, shape.packing_bytes, why))
        return false;
    d->packing_bytes = shape.packing_bytes;
    d->host_packing = shape.packing;
    size_t slot_bytes = 16 * (size_t)host->slots;
    if (slot_bytes > d->slot_capacity)
    {
        for (int a = 0; a < SLOT_ARRAYS; a++)
        {
            size_t none = 0;
            if (!grow((void **)&d->slot[a], &none, slot_bytes + slot_bytes / 2, why))
                return false;
        }
        d->slot_capacity = slot_bytes + slot_bytes / 2;
    }
    for (int a = 0; a < SLOT_ARRAYS; a++)
        TRY(cudaMemcpyAsync(d->slot[a], host->slot[a], slot_bytes, cudaMemcpyHostToDevice, d->stream),
            "copying particles");
    TRY(cudaMemcpyAsync(d->packing, shape.packing, shape.packing_bytes, cudaMemcpyHostToDevice, d->stream),
        "copying constraints");
    d->tile_bytes = 0;
    for (int32_t t = 0; t < host->tiles; t++)
    {
        size_t bytes = 16 * (size_t)(host->tile_first[t + 1] - host->tile_first[t]); // at most 20 KiB: TILE_SIZE
        d->tile_bytes = bytes > d->tile_bytes ? bytes : d->tile_bytes;
    }
    d->tile_kind = host->tiles ? host->tile_run[0].kind : -1;
    for (int32_t r = 0; host->tiles && r < host->tile_start[host->tiles]; r++)
        if (host->tile_run[r].kind != d->tile_kind)
            d->tile_kind = -1;
    TRY(cudaStreamSynchronize(d->stream), "copying the structure");
    return true;
}

static bool device_rows(device *d, const state *host, int kind, device_error *why)
{
    const packed_rows *r = &host->rows[kind];
    const char *from = (const char *)r->param[0],
               *to = (const char *)r->lambda; // parameters lie before the multipliers
    TRY(cudaMemcpyAsync(d->packing + (from - d->host_packing), from, (size_t)(to - from), cudaMemcpyHostToDevice,
                        d->stream),
        "copying parameters");
    return true;
}

static bool device_write(device *d, const state *host, int array, device_error *why)
{
    TRY(cudaMemcpyAsync(d->slot[array], host->slot[array], 16 * (size_t)host->slots, cudaMemcpyHostToDevice, d->stream),
        "copying particles");
    return true;
}

static bool device_read(device *d, const state *host, int array, device_error *why)
{
    TRY(cudaMemcpyAsync(host->slot[array], d->slot[array], 16 * (size_t)host->slots, cudaMemcpyDeviceToHost, d->stream),
        "reading particles");
    TRY(cudaStreamSynchronize(d->stream), "reading particles");
    return true;
}

static bool device_read_multipliers(device *d, const state *host, device_error *why)
{
    for (int k = 0; k < PL_KIND_COUNT; k++)
        if (host->rows[k].jacobi_end)
        {
            float *to = host->rows[k].lambda;
            TRY(cudaMemcpyAsync(to, d->packing + ((const char *)to - d->host_packing),
                                sizeof(float) * (size_t)host->rows[k].lambda_step * (size_t)host->rows[k].parts,
                                cudaMemcpyDeviceToHost, d->stream),
                "reading multipliers");
        }
    TRY(cudaStreamSynchronize(d->stream), "reading multipliers");
    return true;
}

// ---- the plan as a graph -------------------------------------------------------------------------------------------

static bool launch(device *d, const stage *g, bool first, device_error *why)
{
    int64_t items = (int64_t)g->end - g->begin;
    if (items <= 0)
        return true;
    cudaLaunchConfig_t how = {};
    bool tiles = g->op == OP_TILES;
    how.gridDim = dim3((unsigned)(tiles ? items : (items + THREADS - 1) / THREADS));
    how.blockDim = dim3(tiles ? TILE_THREADS : THREADS);
    how.dynamicSmemBytes = tiles ? d->tile_bytes : 0;
    how.stream = d->stream;
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    how.attrs = &early;
    how.numAttrs = first ? 0 : 1; // the first follows a copy
    rows_kernel *rows = rows_kernel_of(g);
    cudaError_t launched = rows ? cudaLaunchKernelEx(&how, rows, view_rows(&d->captured, g->kind), *g)
                                : cudaLaunchKernelEx(&how, kernel_of(d, g), d->captured, *g);
    TRY(launched, "launching a stage");
    return true;
}

static bool capture(device *d, const plan *p, device_error *why)
{
    TRY(cudaMemcpyAsync(d->now, d->pinned, sizeof(flow), cudaMemcpyHostToDevice, d->stream), "capturing");
    TRY(cudaMemcpyAsync(d->substeps, d->pinned_substeps, d->substep_count * sizeof(substep), cudaMemcpyHostToDevice,
                        d->stream),
        "capturing");
    if (d->captured.field_count)
        TRY(cudaMemcpyAsync(d->fields, d->pinned_fields, MAX_FIELDS * sizeof(field), cudaMemcpyHostToDevice, d->stream),
            "capturing");
    for (int64_t i = 0; i < p->count; i++)
        if (!launch(d, &p->stages[i], i == 0, why))
            return false;
    TRY(cudaMemcpyAsync(d->pinned, d->now, sizeof(flow), cudaMemcpyDeviceToHost, d->stream), "capturing");
    return true;
}

static bool reserve_substeps(device *d, size_t count, device_error *why)
{
    if (count > d->substep_capacity)
    {
        cudaFreeHost(d->pinned_substeps);
        d->pinned_substeps = NULL;
        size_t none = 0;
        cudaFree(d->substeps);
        d->substeps = NULL;
        d->substep_capacity = 0;
        TRY(cudaMallocHost(&d->pinned_substeps, count * sizeof(substep)), "taking pinned memory");
        if (!grow((void **)&d->substeps, &none, count * sizeof(substep), why))
            return false;
        d->substep_capacity = count;
    }
    d->substep_count = count;
    return true;
}

// A new plan is captured together with the next frame's settings.
static bool device_plan(device *d, const plan *p, device_error *why)
{
    int32_t last = 0;
    for (int64_t i = 0; i < p->count; i++)
        last = p->stages[i].substep > last ? p->stages[i].substep : last;
    d->plan = p;
    if (d->graph)
        cudaGraphExecDestroy(d->graph);
    d->graph = NULL;
    return reserve_substeps(d, (size_t)last + 1, why);
}

static bool make_graph(device *d, device_error *why)
{
    if (d->graph)
        cudaGraphExecDestroy(d->graph);
    d->graph = NULL;
    TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal), "beginning the capture");
    bool captured = capture(d, d->plan, why);
    cudaGraph_t graph = NULL;
    cudaError_t ended = cudaStreamEndCapture(d->stream, &graph);
    if (captured)
        captured = !failed(ended, "capturing the frame", why) &&
                   !failed(cudaGraphInstantiate(&d->graph, graph, 0), "making the graph", why);
    if (graph)
        cudaGraphDestroy(graph);
    return captured;
}

static bool device_frame(device *d, const state *host, flow *now, float *milliseconds, device_error *why)
{
    state wanted;
    memcpy(&wanted, host, sizeof wanted);
    relocate_state(d, &wanted);
    if (!d->graph || memcmp(&wanted, &d->captured, sizeof wanted) != 0)
    {
        memcpy(&d->captured, &wanted, sizeof wanted);
        if (!make_graph(d, why))
            return false;
    }
    *d->pinned = *now;
    memcpy(d->pinned_fields, host->fields, (size_t)host->field_count * sizeof(field));
    memcpy(d->pinned_substeps, host->substeps, d->substep_count * sizeof(substep));
    TRY(cudaEventRecord(d->begin, d->stream), "timing");
    TRY(cudaGraphLaunch(d->graph, d->stream), "running the frame");
    TRY(cudaEventRecord(d->end, d->stream), "timing");
    TRY(cudaStreamSynchronize(d->stream), "running the frame");
    TRY(cudaEventElapsedTime(milliseconds, d->begin, d->end), "timing");
    *now = *d->pinned;
    return true;
}

extern "C" const device_api pliant_device_api = {
    sizeof(state), device_open,  device_close, device_name, device_structure,        device_plan,
    device_rows,   device_write, device_frame, device_read, device_read_multipliers,
};
