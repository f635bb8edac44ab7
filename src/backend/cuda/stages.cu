// stages.cu: kernels for the stages of elements on an NVIDIA GPU. A thread takes one item of a stage and runs the same
// function that a CPU worker runs on a range (stages/stage_common.h), so this file has only launches and no second
// version of any stage. Each kernel is launched with programmatic dependence on the one before, so that its blocks are
// resident when that ends. The state is an argument of every kernel: it lies in constant memory, one load away from any
// thread.
#include "backend/cuda/prefetch.h"
#include "backend/cuda/wind_face.h"
#include "backend/cuda/links.h"
#include "groups/group_stages.h"
#include "neighbours/clients/client_stages.h"
#include "stages/attachment_stages.h"
#include "stages/chebyshev_stages.h"
#include "stages/component_stages.h"
#include "stages/damage_stages.h"
#include "stages/hierarchy_stages.h"
#include "stages/body_leave_stage.h"
#include "stages/rigid_leave_stage.h"

#define STAGE_KERNEL(name, body)                                                                                       \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        name(const __grid_constant__ state s, const __grid_constant__ launch_args g)                                   \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        wait_for_previous_kernel();                                                                                    \
        stamp_time(g);                                                                                                 \
        if (i < g.end && substep_is_active(s.now, g))                                                                  \
            body(MUTABLE_STATE(s), &g, i, i + 1);                                                                      \
    }

// Reads the constant data of the face before it waits for the previous kernel.
static __global__ void __launch_bounds__(THREADS)
    run_wind(const __grid_constant__ state s, const __grid_constant__ launch_args g)
{
    int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x), k = i < g.end ? i : g.begin;
    const packed_faces *f = &s.faces;
    uint32_t index[3] = {__ldg(f->index[0] + k), __ldg(f->index[1] + k), __ldg(f->index[2] + k)};
    float drag = __ldg(f->drag + k), lift = __ldg(f->lift + k);
    wait_for_previous_kernel();
    stamp_time(g);
    if (i >= g.end || !substep_is_active(s.now, g))
        return;
    const gust_moment *m = &s.substeps[g.substep].gust;
    store_points(f->force + 4 * (size_t)k,
                 blow_on(&s, &s.wind, k, index, g.ended, drag, lift, m, g.substep == 0, gust_end(&s, m)));
}

// Kernels of the stages in which a thread takes one item.
#define KERNEL_item(NAME, function) STAGE_KERNEL(run_##NAME, function)
#define KERNEL_per_particle(NAME, function)
#define KERNEL_wind(NAME, function)
#define KERNEL_host(NAME, function)
#define KERNEL_sweep(NAME, function)
#define KERNEL_jacobi(NAME, function)
#define KERNEL_tiles(NAME, function)
#define KERNEL_match(NAME, function)
#define KERNEL_surface(NAME, function)
#define KERNEL_pairs(NAME, function)
#define KERNEL_rigid(NAME, function)
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) KERNEL_##launcher(NAME, function)
#include "plan/stages.def"

// Solves the thread's row of a colour.
template <int Kind, int Arity, int Writes, int Params, class Sweep>
static __device__ __forceinline__ void visit_row(const rows_view &v, const launch_args &g, Sweep sweep)
{
    const bool copied = Kind < FIRST_FRAME_KIND;
    int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    bool mine = i < g.end;
    row_ahead row;
    point_copies<Arity> p;
    row.open(&v.rows, Params);
    row.load(&v.rows, Arity, Params, mine ? i : g.begin);
    look_at(v, g);
    if (copied && g.follows)
        p.load_x(v.x, row.index);
    wait_for_previous_rows(g.follows);
    stamp_time(g);
    if (!mine || !substep_is_active(v.now, g))
        return;
    rows_view row_view = row.show(v, Arity, Params, i);
    if (copied && !g.follows)
        p.load_x(v.x, row.index);
    if (copied)
    {
        p.load_d(v, row.index);
        p.show(&row_view);
    }
    sweep(&row_view);
    if (copied)
        p.put_back(v.d, row.index, Writes);
}

#define KIND_KERNELS(name, NAME, arity, writes, params, ...)                                                           \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        run_sweep_##name(const __grid_constant__ rows_view v, const __grid_constant__ launch_args g)                   \
    {                                                                                                                  \
        visit_row<PL_KIND_##NAME, arity, writes, params>(v, g,                                                         \
                                                         [&](const rows_view *row) { sweep_##name(row, &g, 0, 1); });  \
    }                                                                                                                  \
    static __global__ void __launch_bounds__(THREADS)                                                                  \
        run_jacobi_##name(const __grid_constant__ rows_view v, const __grid_constant__ launch_args g)                  \
    {                                                                                                                  \
        int32_t i = g.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x);                                           \
        wait_for_previous_kernel();                                                                                    \
        stamp_time(g);                                                                                                 \
        if (i < g.end && substep_is_active(v.now, g))                                                                  \
            jacobi_##name(&v, &g, i, i + 1);                                                                           \
    }
PL_KINDS(KIND_KERNELS)

// ---- launches ------------------------------------------------------------------------------------------------------

typedef void stage_kernel(const state s, const launch_args g);
typedef void rows_kernel(const rows_view v, const launch_args g);

static bool launch_rows(device *d, const launch_args *g, bool early, rows_kernel *const *kernels, device_error *why)
{
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, kernels[g->kind],
                 view_rows(&d->captured, g->kind), *g);
}

static bool launch_sweep(device *d, const launch_args *g, bool early, device_error *why)
{
    static rows_kernel *const kernels[] = {
#define ENTRY(name, ...) run_sweep_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return plain_links(d, g, g->kind) ? launch_links(d, g, early, why) : launch_rows(d, g, early, kernels, why);
}

static bool launch_jacobi(device *d, const launch_args *g, bool early, device_error *why)
{
    static rows_kernel *const kernels[] = {
#define ENTRY(name, ...) run_jacobi_##name,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return launch_rows(d, g, early, kernels, why);
}

static bool launch_wind(device *d, const launch_args *g, bool early, device_error *why)
{
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, run_wind, d->captured, *g);
}

static bool launch_item(device *d, const launch_args *g, bool early, device_error *why)
{
#define ITEM_item(NAME) run_##NAME
#define ITEM_per_particle(NAME) NULL
#define ITEM_wind(NAME) NULL
#define ITEM_host(NAME) NULL
#define ITEM_sweep(NAME) NULL
#define ITEM_jacobi(NAME) NULL
#define ITEM_tiles(NAME) NULL
#define ITEM_match(NAME) NULL
#define ITEM_surface(NAME) NULL
#define ITEM_pairs(NAME) NULL
#define ITEM_rigid(NAME) NULL
    static stage_kernel *const kernels[] = {
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) ITEM_##launcher(NAME),
#include "plan/stages.def"
    };
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, kernels[g->op], d->captured, *g);
}

// A stage of the host alone: check_solver_backend (model/settings.c) refuses worlds with it.
static bool launch_host(device *d, const launch_args *g, bool early, device_error *why)
{
    (void)d, (void)g, (void)early;
    snprintf(why->text, sizeof why->text, "a stage of the CPU was planned for a GPU");
    return false;
}

typedef bool launch_fn(device *d, const launch_args *g, bool early, device_error *why);

bool launch_stage(device *d, const launch_args *g, bool early, device_error *why)
{
    static launch_fn *const launchers[] = {
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) launch_##launcher,
#include "plan/stages.def"
    };
    return g->whole ? launch_bodies(d, g, early, why) : launchers[g->op](d, g, early, why);
}
