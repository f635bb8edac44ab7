// stages.cu: the stages of elements on an NVIDIA GPU. A thread takes one item of a stage and runs the very function that a CPU
// worker runs on a range (stages/items.h), so there is no second version of anything here: only launches. Each kernel is launched
// programmatically dependent on the one before, so that its blocks are in place when that ends. The state is an argument of every
// kernel: it lies in constant memory, one load from any thread.
#include "cuda/ahead.h"
#include "cuda/blow.h"
#include "cuda/links.h"
#include "stages/lattice_items.h"
#include "stages/match_items.h"
#include "stages/orient_items.h"
#include "stages/volume_items.h"
#include "stages/wear_items.h"

#define STAGE_KERNEL(name, body)                                                                                       \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        name(const __grid_constant__ state s, const __grid_constant__ job g)                                           \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        fall_in();                                                                                                     \
        stamp_time(g);                                                                                                 \
        if (i < g.end && its_turn(s.now, g))                                                                           \
            body(OWN(s), &g, i, i + 1);                                                                                \
    }

// What a face has of its own is read ahead.
static __global__ void __launch_bounds__(THREADS)
    run_wind(const __grid_constant__ state s, const __grid_constant__ job g)
{
    int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x), k = i < g.end ? i : g.begin;
    const packed_faces *f = &s.faces;
    uint32_t index[3] = {__ldg(f->index[0] + k), __ldg(f->index[1] + k), __ldg(f->index[2] + k)};
    float drag = __ldg(f->drag + k), lift = __ldg(f->lift + k);
    air wind = s.wind;
    fall_in();
    stamp_time(g);
    if (i >= g.end || !its_turn(s.now, g))
        return;
    memcpy(wind.phase, s.substeps[g.substep].phase, sizeof wind.phase);
    store_points(f->force + 4 * (size_t)k, blow_on(&s, &wind, index, g.ended, drag, lift));
}

// Stages whose items a thread takes one by one.
#define KERNEL_item(NAME, function) STAGE_KERNEL(run_##NAME, function)
#define KERNEL_own(NAME, function)
#define KERNEL_wind(NAME, function)
#define KERNEL_sweep(NAME, function)
#define KERNEL_jacobi(NAME, function)
#define KERNEL_tiles(NAME, function)
#define KERNEL_match(NAME, function)
#define KERNEL_skin(NAME, function)
#define KERNEL_pairs(NAME, function)
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) KERNEL_##launcher(NAME, function)
#include "step/stages.def"
#undef STAGE

#define KIND_KERNELS(name, NAME, arity, writes, params, ...)                                                           \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        run_sweep_##name(const __grid_constant__ rows_view v, const __grid_constant__ job g)                           \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        bool mine = i < g.end;                                                                                         \
        row_ahead row;                                                                                                 \
        row.open(&v.rows, params);                                                                                     \
        row.load(&v.rows, arity, params, mine ? i : g.begin);                                                          \
        look_at(v, g);                                                                                                 \
        fall_in();                                                                                                     \
        stamp_time(g);                                                                                                 \
        if (!mine || !its_turn(v.now, g))                                                                              \
            return;                                                                                                    \
        rows_view own = row.show(v, arity, params, i);                                                                 \
        sweep_##name(&own, &g, 0, 1);                                                                                  \
    }                                                                                                                  \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        run_jacobi_##name(const __grid_constant__ rows_view v, const __grid_constant__ job g)                          \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        fall_in();                                                                                                     \
        stamp_time(g);                                                                                                 \
        if (i < g.end && its_turn(v.now, g))                                                                           \
            jacobi_##name(&v, &g, i, i + 1);                                                                           \
    }
PL_KINDS(KIND_KERNELS)

// ---- launches ------------------------------------------------------------------------------------------------------

typedef void stage_kernel(const state s, const job g);
typedef void rows_kernel(const rows_view v, const job g);

static bool launch_rows(device *d, const job *g, bool early, rows_kernel *const *kernels, device_error *why)
{
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, kernels[g->kind],
                 view_rows(&d->captured, g->kind), *g);
}

static bool launch_sweep(device *d, const job *g, bool early, device_error *why)
{
    static rows_kernel *const kernels[] = {
#define ENTRY(name, ...) run_sweep_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return plain_links(d, g, g->kind) ? launch_links(d, g, early, why) : launch_rows(d, g, early, kernels, why);
}

static bool launch_jacobi(device *d, const job *g, bool early, device_error *why)
{
    static rows_kernel *const kernels[] = {
#define ENTRY(name, ...) run_jacobi_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return launch_rows(d, g, early, kernels, why);
}

static bool launch_wind(device *d, const job *g, bool early, device_error *why)
{
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, run_wind, d->captured, *g);
}

static bool launch_item(device *d, const job *g, bool early, device_error *why)
{
#define ITEM_item(NAME) run_##NAME
#define ITEM_own(NAME) NULL
#define ITEM_wind(NAME) NULL
#define ITEM_sweep(NAME) NULL
#define ITEM_jacobi(NAME) NULL
#define ITEM_tiles(NAME) NULL
#define ITEM_match(NAME) NULL
#define ITEM_skin(NAME) NULL
#define ITEM_pairs(NAME) NULL
    static stage_kernel *const kernels[] = {
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) ITEM_##launcher(NAME),
#include "step/stages.def"
#undef STAGE
    };
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, kernels[g->op], d->captured, *g);
}

typedef bool launch_fn(device *d, const job *g, bool early, device_error *why);

bool launch_stage(device *d, const job *g, bool early, device_error *why)
{
    static launch_fn *const launchers[] = {
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) launch_##launcher,
#include "step/stages.def"
#undef STAGE
    };
    return g->whole ? launch_bodies(d, g, early, why) : launchers[g->op](d, g, early, why);
}
