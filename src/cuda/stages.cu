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
STAGE_KERNEL(run_jacobi_move, jacobi_move)
STAGE_KERNEL(run_motion_sum, motion_sum_stage)
STAGE_KERNEL(run_motion_solve, motion_solve_stage)
STAGE_KERNEL(run_motion_damp, motion_damp_stage)
STAGE_KERNEL(run_events, events)
STAGE_KERNEL(run_advance, advance)
STAGE_KERNEL(run_match_blend, match_blend_stage)
STAGE_KERNEL(run_match_spin, match_spin_stage)
STAGE_KERNEL(run_match_return, match_return_stage)
STAGE_KERNEL(run_match_yield, match_yield_stage)
STAGE_KERNEL(run_orient_keep, orient_keep_stage)
STAGE_KERNEL(run_orient_wind, orient_wind_stage)
STAGE_KERNEL(run_orient_predict, orient_predict_stage)
STAGE_KERNEL(run_orient_spin, orient_spin_stage)
STAGE_KERNEL(run_orient_damp, orient_damp_stage)
STAGE_KERNEL(run_lattice_load, lattice_load_stage)
STAGE_KERNEL(run_lattice_sum, lattice_sum_stage)
STAGE_KERNEL(run_lattice_find, lattice_solve_stage)
STAGE_KERNEL(run_lattice_move, lattice_move_stage)
STAGE_KERNEL(run_volume_sum, volume_sum_stage)
STAGE_KERNEL(run_volume_solve, volume_solve_stage)
STAGE_KERNEL(run_volume_move, volume_move_stage)
STAGE_KERNEL(run_wear, wear_stage)

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

static stage_kernel *kernel_of(const stage *g)
{
    switch (g->op)
    {
    case OP_WIND:
        return run_wind;
    case OP_JACOBI_MOVE:
        return run_jacobi_move;
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
    case OP_MATCH_BLEND:
        return run_match_blend;
    case OP_MATCH_SPIN:
        return run_match_spin;
    case OP_MATCH_RETURN:
        return run_match_return;
    case OP_MATCH_YIELD:
        return run_match_yield;
    case OP_ORIENT_KEEP:
        return run_orient_keep;
    case OP_ORIENT_WIND:
        return run_orient_wind;
    case OP_ORIENT_TURN:
        return run_orient_predict;
    case OP_ORIENT_SPIN:
        return run_orient_spin;
    case OP_ORIENT_DAMP:
        return run_orient_damp;
    case OP_LATTICE_LOAD:
        return run_lattice_load;
    case OP_LATTICE_SUM:
        return run_lattice_sum;
    case OP_LATTICE_FIND:
        return run_lattice_find;
    case OP_LATTICE_MOVE:
        return run_lattice_move;
    case OP_VOLUME_SUM:
        return run_volume_sum;
    case OP_VOLUME_SOLVE:
        return run_volume_solve;
    case OP_VOLUME_MOVE:
        return run_volume_move;
    case OP_WEAR:
        return run_wear;
    default:
        return NULL;
    }
}

bool launch_stage(device *d, const job *g, bool early, device_error *why)
{
    if (g->op == OP_TILES && d->tile_kind >= 0 && plain_links(d, g, d->tile_kind))
        return launch_link_tiles(d, g, early, why);
    if (g->op == OP_TILES)
        return launch_tiles(d, g, early, why);
    if (g->op == OP_SWEEP && plain_links(d, g, g->kind))
        return launch_links(d, g, early, why);
    if (g->own)
        return launch_own(d, g, early, why);
    if (g->op >= OP_SKIN_OPEN && g->op <= OP_SKIN_DRIFT)
        return launch_skin(d, g, early, why);
    switch (g->op)
    {
    case OP_MATCH_SUM:
    case OP_MATCH_SOLVE:
    case OP_MATCH_MOVE:
    case OP_MATCH_LOSE:
        return launch_match(d, g, early, why);
    }
    if (g->range)
        return launch_pairs(d, g, early, why);
    int64_t items = (int64_t)g->end - g->begin;
    rows_kernel *rows = rows_kernel_of(g);
    if (rows)
        return start(why, d->stream, early, items, THREADS, 0, rows, view_rows(&d->captured, g->kind), *g);
    return start(why, d->stream, early, items, THREADS, 0, kernel_of(g), d->captured, *g);
}
