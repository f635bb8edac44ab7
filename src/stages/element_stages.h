// element_stages.h: the stages of particles (slots), element constraints (rows) and objects: each function processes
// the items [begin, end), on every backend. A CPU worker passes a long range and processes LANES items at a time; a
// CUDA thread passes one item. Only the distribution of ranges differs between backends.
#pragma once
#include "elements/frame_sweep.h"
#include "kernels/predict.h"
#include "kernels/velocity.h"
#include "step/plan.h"

#if defined(__CUDACC__)
#define STAGE_FN static __device__ __forceinline__
#else
#define STAGE_FN static __attribute__((unused))
#endif

// On a GPU the loads of several loop iterations are issued before the first is used.
#if defined(__CUDA_ARCH__)
#define FOUR_AT_ONCE _Pragma("unroll 4")
#define SIXTEEN_AT_ONCE _Pragma("unroll 16")
#else
#define FOUR_AT_ONCE
#define SIXTEEN_AT_ONCE
#endif

// Reports an event to the host. All writers store 1, so their order does not matter.
PL_FN void flag_up(int32_t *flag)
{
#if defined(__CUDACC__)
    atomicExch(flag, 1);
#else
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
#endif
}

// BDF2 needs a history; without one the substep is of first order.
PL_FN bool second_order(const state *s) { return s->second && s->now->smooth > 0; }

// ---- slots ---------------------------------------------------------------------------------------------------------

STAGE_FN void remember(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        store_points(s->slot[SLOT_SAFE_X] + i, load_points(s->slot[SLOT_X] + i));
        store_points(s->slot[SLOT_SAFE_V] + i, load_points(s->slot[SLOT_V] + i));
    }
}

STAGE_FN void wind_faces(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_faces *f = &s->faces;
    air wind = s->wind;
    memcpy(wind.phase, s->substeps[g->substep].phase, sizeof wind.phase);
    for (int32_t k = begin; k < end; k += LANES)
    {
        point x[3], v[3];
        for (int i = 0; i < 3; i++)
        {
            x[i] = gather(s->slot[SLOT_X], f->index[i] + k);
            v[i] = gather(s->slot[SLOT_V], f->index[i] + k);
        }
        store_points(f->force + 4 * (size_t)k, wind_on_face(&wind, x, v, load(f->drag + k), load(f->lift + k)));
    }
}

// Each slot sums its faces in a fixed order, so the sum does not depend on threads.
STAGE_FN void sum_air(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_faces *f = &s->faces;
    for (int32_t i = begin; i < end; i++)
    {
        float sum[4] = {0};
        FOUR_AT_ONCE
        for (int32_t k = f->slot_start[i]; k < f->slot_start[i + 1]; k++)
        {
            float force[4]; // one 16-byte access
            memcpy(force, __builtin_assume_aligned(f->force + 4 * (size_t)f->slot_face[k], 16), sizeof force);
            for (int c = 0; c < 4; c++)
                sum[c] = sum[c] + force[c];
        }
        float *out = s->slot[SLOT_AIR] + 4 * (size_t)i, w = s->slot[SLOT_X][4 * (size_t)i + 3];
        float soften = 1.0f / (1.0f + s->h * sum[3] * w);
        out[0] = soften * sum[0], out[1] = soften * sum[1], out[2] = soften * sum[2], out[3] = 0.0f;
    }
}

PL_FN vec acceleration(const state *s, point x, point v, size_t at_slot)
{
    vec a = vec_of(splat(s->gravity[0]), splat(s->gravity[1]), splat(s->gravity[2]));
    point user = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
    if (s->pushed || s->field_count) // otherwise they are zero, and reading them is saved
        user = load_points(s->slot[SLOT_FORCE] + at_slot);
    vec f = at(user);
    if (s->faces.count && s->wind.half_density > 0.0f)
        f = add(f, at(load_points(s->slot[SLOT_AIR] + at_slot)));
    for (int i = 0; i < s->field_count; i++)
        field_act(&s->fields[i], x, v, user.w, &a, &f);
    return add(a, times(x.w, f));
}

PL_FN prediction predict_plain(const state *s, size_t i, point x, point v)
{
    return predict_first(x, v, acceleration(s, x, v, i), s->h);
}

// Predicts the position of the particle at x with velocity v, at the start of a substep.
PL_FN point predict_slot(const state *s, bool second, size_t i, point x, point v)
{
    prediction p;
    if (second)
    {
        vec a = acceleration(s, x, v, i);
        point x1 = load_points(s->slot[SLOT_X0] + i), v1 = load_points(s->slot[SLOT_V1] + i);
        store_points(s->slot[SLOT_X1] + i, x1);
        p = predict_second(x, x1, v, v1, a, s->h);
    }
    else
        p = predict_plain(s, i, x, v);
    x.w = p.lost;
    store_points(s->slot[SLOT_X0] + i, x);
    return p.next;
}

STAGE_FN void predict(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    bool second = second_order(s);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point x = load_points(s->slot[SLOT_X] + i), v = load_points(s->slot[SLOT_V] + i);
        store_points(s->slot[SLOT_X] + i, predict_slot(s, second, i, x, v));
    }
}

// Returns the new velocity of a particle at the end of a substep; v: its old velocity.
PL_FN point velocity_slot(const state *s, bool second, float inverse_h, size_t i, point x, point v)
{
    point x0 = load_points(s->slot[SLOT_X0] + i);
    if (s->second || s->contact.bouncy)
        store_points(s->slot[SLOT_V1] + i, v);
    return second ? velocity_second(x, x0, load_points(s->slot[SLOT_X1] + i), v, inverse_h, s->fade)
                  : velocity_first(x, x0, v, inverse_h, s->fade);
}

STAGE_FN void update_velocity(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    bool second = second_order(s);
    float inverse_h = 1.0f / s->h;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point x = load_points(s->slot[SLOT_X] + i), v = load_points(s->slot[SLOT_V] + i);
        store_points(s->slot[SLOT_V] + i, velocity_slot(s, second, inverse_h, i, x, v));
    }
}

// NaN compares false with everything, so this test catches NaN and particles that have flown away.
STAGE_FN void check(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    int bad = 0;
    for (int32_t k = begin; k < end; k += LANES)
    {
        point x = load_points(s->slot[SLOT_X] + 4 * (size_t)k), v = load_points(s->slot[SLOT_V] + 4 * (size_t)k);
        f32 size = square(at(x)) + square(at(v));
        bad |= !everywhere(size < 1e30f);
    }
    if (bad)
        flag_up(&s->now->bad);
}

// ---- rows ----------------------------------------------------------------------------------------------------------

// The part of the state that a sweep over the rows of one kind needs: small enough for an argument of a CUDA kernel.
typedef struct rows_view
{
    packed_rows rows;
    float *x; // a CUDA block uses its tile's copy in shared memory
    const float *x0, *x1;
    const substep *substeps;
    const flow *now;
    float inverse_h, inverse_second; // for a substep of first and of second order
    float frame_share;               // the fraction of a frame that a substep is
    int32_t second, pbd;
    frame_view frames;
} rows_view;

#if defined(__CUDACC__)
static __host__ __device__ __forceinline__
#else
PL_FN
#endif
    rows_view
    view_rows(const state *s, int kind)
{
    // For a constraint, BDF2 is implicit Euler over a step of 2/3 h.
    rows_view v = {s->rows[kind],  s->slot[SLOT_X], s->slot[SLOT_X0], s->slot[SLOT_X1],
                   s->substeps,    s->now,          1.0f / s->h,      1.5f / s->h,
                   s->frame_share, s->second,       s->pbd,           view_frames(&s->oriented)};
    return v;
}

PL_FN sweep sweep_of(const rows_view *v, const stage *g)
{
    bool second = v->second && v->now->smooth > 0;
    float inverse_h = second ? v->inverse_second : v->inverse_h;
    sweep w = {v->rows,
               v->x,
               v->x0,
               second ? v->x1 : NULL,
               splat(v->substeps[g->substep].ahead),
               second ? (2.0f / 3.0f) * v->frame_share : v->frame_share,
               inverse_h,
               inverse_h * inverse_h,
               v->frames};
    return w;
}

typedef void rows_fn(const sweep *w, const recipe how, int32_t begin, int32_t end);

// Makes the mode a compile-time constant and, for plain XPBD, also whether multipliers are read and written, so that
// the inner loop has no branch. A multiplier that is not used later (one iteration, and not the frame's last substep)
// is neither read nor written.
PL_FN void choose(rows_fn *rows, const sweep *w, recipe how, int pbd, const stage *g, int32_t begin, int32_t end)
{
#define WITH(MODE, FIRST, KEEP)                                                                                        \
    {                                                                                                                  \
        how.mode = MODE;                                                                                               \
        how.first = FIRST;                                                                                             \
        how.keep = KEEP;                                                                                               \
        rows(w, how, begin, end);                                                                                      \
        return;                                                                                                        \
    }
    if (pbd)
        WITH(MODE_PBD, g->first, 1)
    if (w->rows.damped)
        WITH(MODE_DAMPED, g->first, 1)
    if (!g->first)
        WITH(MODE_XPBD, 0, 1)
    if (g->keep)
        WITH(MODE_XPBD, 1, 1)
    WITH(MODE_XPBD, 1, 0)
#undef WITH
}

// A block does so much work that a branch costs nothing, and a loop for each mode would be five times the code.
PL_FN void choose_block(rows_fn *rows, const sweep *w, recipe how, int pbd, const stage *g, int32_t begin, int32_t end)
{
    how.mode = pbd ? MODE_PBD : w->rows.damped ? MODE_DAMPED : MODE_XPBD;
    how.first = g->first;
    how.keep = g->keep || how.mode != MODE_XPBD || !g->first;
    rows(w, how, begin, end);
}

#define DEFINE_VISITS(name, arity, writes, params, bound, parts, eval, block, frame, pick_fn, sweep_fn, jacobi_fn)     \
    STAGE_FN void sweep_##name(const rows_view *v, const stage *g, int32_t begin, int32_t end)                         \
    {                                                                                                                  \
        const sweep w = sweep_of(v, g);                                                                                \
        const recipe how = {eval, block, frame, arity, writes, params, bound, parts, MODE_XPBD, 0, 1};                 \
        pick_fn(sweep_fn, &w, how, v->pbd, g, begin, end);                                                             \
    }                                                                                                                  \
    STAGE_FN void jacobi_##name(const rows_view *v, const stage *g, int32_t begin, int32_t end)                        \
    {                                                                                                                  \
        const sweep w = sweep_of(v, g);                                                                                \
        const recipe how = {eval, block, frame, arity, writes, params, bound, parts, MODE_XPBD, 0, 1};                 \
        pick_fn(jacobi_fn, &w, how, v->pbd, g, begin, end);                                                            \
    }

#define DEFINE_ROW(name, NAME, arity, writes, params, bound, stem, scale, parts)                                       \
    DEFINE_VISITS(name, arity, writes, params, bound, 1, stem##_eval, NULL, NULL, choose, sweep_rows, jacobi_rows)     \
    STAGE_FN void measure_##name(const state *s, int32_t begin, int32_t end, float *values)                            \
    {                                                                                                                  \
        measure_rows(s, PL_KIND_##NAME, stem##_eval, NULL, arity, params, begin, end, values);                         \
    }

#define DEFINE_BLOCK(name, NAME, arity, writes, params, bound, stem, scale, parts)                                     \
    DEFINE_VISITS(name, arity, writes, params, bound, parts, NULL, stem##_eval, NULL, choose_block, sweep_blocks,      \
                  jacobi_blocks)                                                                                       \
    STAGE_FN void measure_##name(const state *s, int32_t begin, int32_t end, float *values)                            \
    {                                                                                                                  \
        measure_rows(s, PL_KIND_##NAME, NULL, stem##_energy, arity, params, begin, end, values);                       \
    }

#define DEFINE_FRAME(name, NAME, arity, writes, params, bound, stem, scale, parts)                                     \
    DEFINE_VISITS(name, arity, writes, params, bound, parts, NULL, NULL, stem##_eval, choose_block, sweep_frames,      \
                  jacobi_frames)                                                                                       \
    STAGE_FN void measure_##name(const state *s, int32_t begin, int32_t end, float *values)                            \
    {                                                                                                                  \
        measure_frames(s, PL_KIND_##NAME, stem##_eval, params, parts, begin, end, values);                             \
    }

// Computes C of a row. For a block, whose C has several parts, computes the number for which value^2/2/compliance is
// the energy.
PL_FN void measure_rows(const state *s, int kind, eval_fn *eval, energy_fn *energy, int arity, int params,
                        int32_t begin, int32_t end, float *values)
{
    const packed_rows *r = &s->rows[kind];
    for (int32_t k = begin; k < end; k += LANES)
    {
        point p[ROW_POINTS];
        f32 param[PL_MAX_PARAMS];
        row c;
        for (int i = 0; i < arity; i++)
            p[i] = gather(s->slot[SLOT_X], r->index[i] + k);
        for (int i = 0; i < params; i++)
            param[i] = column(r->param[i], r->param_step[i], k);
        if (eval)
            eval(p, param, splat(0.0f), &c);
        else
            c.value = root(most(2.0f * energy(p, param), splat(0.0f)));
        store(values + (k - begin), c.value);
    }
}

PL_ROW_KINDS(DEFINE_ROW)
PL_BLOCK_KINDS(DEFINE_BLOCK)
PL_FRAME_KINDS(DEFINE_FRAME)

// Dispatches a kind's number to its kernel; this is the only place that does so.
STAGE_FN void sweep_kind(int kind, const rows_view *v, const stage *g, int32_t begin, int32_t end)
{
    switch (kind)
    {
#define ENTRY(name, NAME, ...)                                                                                         \
    case PL_KIND_##NAME:                                                                                               \
        sweep_##name(v, g, begin, end);                                                                                \
        break;
        PL_KINDS(ENTRY)
#undef ENTRY
    }
}

STAGE_FN void jacobi_kind(int kind, const rows_view *v, const stage *g, int32_t begin, int32_t end)
{
    switch (kind)
    {
#define ENTRY(name, NAME, ...)                                                                                         \
    case PL_KIND_##NAME:                                                                                               \
        jacobi_##name(v, g, begin, end);                                                                               \
        break;
        PL_KINDS(ENTRY)
#undef ENTRY
    }
}

STAGE_FN void sweep_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const rows_view v = view_rows(s, g->kind);
    sweep_kind(g->kind, &v, g, begin, end);
}

STAGE_FN void tiles_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    for (int32_t i = s->tile_start[begin]; i < s->tile_start[end]; i++)
    {
        const run *r = &s->tile_run[i];
        const rows_view v = view_rows(s, r->kind);
        sweep_kind(r->kind, &v, g, r->begin, r->end);
    }
}

STAGE_FN void jacobi_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const rows_view v = view_rows(s, g->kind);
    jacobi_kind(g->kind, &v, g, begin, end);
}

// One slot at a time; the tables for more lanes use this function.
#if LANES == 1

STAGE_FN void jacobi_move(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rows *r = &s->rows[g->kind];
    for (int32_t i = begin; i < end; i++)
    {
        float sum[3] = {0};
        for (int32_t k = r->jacobi_start[i]; k < r->jacobi_start[i + 1]; k++)
        {
            const float *d = r->delta + 4 * (size_t)r->jacobi_entry[k];
            for (int c = 0; c < 3; c++)
                sum[c] = sum[c] + d[c];
        }
        float *x = s->slot[SLOT_X] + 4 * (size_t)r->jacobi_slot[i];
        for (int c = 0; c < 3; c++)
            x[c] = x[c] + sum[c];
        if (r->frames)
            jacobi_turn_frame(s, r, i);
    }
}

#endif

STAGE_FN void events(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rows *r = &s->rows[g->kind];
    int changed = 0;
    for (int32_t k = begin; k < end; k++)
    {
        uint8_t now = r->lambda[k] != 0.0f;
        changed |= now != r->active[k];
        r->active[k] = now;
    }
    if (changed)
        flag_up(&s->now->event);
}

STAGE_FN void advance(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g, (void)begin, (void)end;
    s->now->second = second_order(s);
    s->now->smooth = s->now->event ? 0 : s->now->smooth + (s->now->smooth < 1000);
    s->now->event = 0;
}

#if LANES == 1 // objects are summed one particle at a time; the tables for more lanes use these functions

STAGE_FN void motion_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_objects *o = &s->objects;
    for (int32_t c = begin; c < end; c++)
    {
        int32_t object = o->chunk_object[c], first = o->chunk_start[c], last = o->chunk_start[c + 1];
        vec origin = at(load_points(s->slot[SLOT_X] + 4 * (size_t)o->member[o->start[object]]));
        motion_sum sums[MOTION_SUMS];
        memset(sums, 0, sizeof sums);
        for (int32_t k = first; k < last; k++)
        {
            size_t i = 4 * (size_t)o->member[k];
            motion_add(&sums[(k - first) % MOTION_SUMS], load_points(s->slot[SLOT_X] + i),
                       load_points(s->slot[SLOT_V] + i), origin);
        }
        for (int half = MOTION_SUMS / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                motion_join(&sums[i], &sums[i + half]);
        o->sum[c] = sums[0];
    }
}

STAGE_FN void motion_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_objects *o = &s->objects;
    for (int32_t i = begin; i < end; i++)
    {
        motion_sum sum;
        memset(&sum, 0, sizeof sum);
        for (int32_t c = o->object_chunk[i]; c < o->object_chunk[i + 1]; c++)
            motion_join(&sum, &o->sum[c]);
        o->motion[i] = motion_of(&sum, at(load_points(s->slot[SLOT_X] + 4 * (size_t)o->member[o->start[i]])));
    }
}

STAGE_FN void motion_damp_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_objects *o = &s->objects;
    for (int32_t c = begin; c < end; c++)
        for (int32_t k = o->chunk_start[c]; k < o->chunk_start[c + 1]; k++)
        {
            size_t i = 4 * (size_t)o->member[k];
            point v = motion_damp(&o->motion[o->chunk_object[c]], load_points(s->slot[SLOT_X] + i),
                                  load_points(s->slot[SLOT_V] + i), s->internal_k);
            store_points(s->slot[SLOT_V] + i, v);
        }
}

#endif
