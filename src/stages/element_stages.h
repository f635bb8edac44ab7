// element_stages.h: the stages of element constraints (rows), for every kind of the table (stage_common.h).
#pragma once
#include "stages/frame_sweep.h"
#include "stages/stage_common.h"

// The part of the state that a sweep over the rows of one kind needs: small enough for an argument of a CUDA kernel.
typedef struct rows_view
{
    packed_rows rows;
    const float *x; // a CUDA block uses its tile's copies of x and d in shared memory
    float *d;
    const float *d1;
    const substep *substeps;
    const flow *now;
    float inverse_h, inverse_second; // for a substep of first and of second order
    float frame_share;               // the fraction of a frame that a substep is
    int32_t second, pbd;
    frame_view frames;
    bool sleep;       // bodies may sleep
    float relaxation; // of Jacobi iteration
    int32_t averaged;
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
    rows_view v = {s->rows[kind],
                   s->slot[SLOT_X],
                   s->slot[SLOT_D],
                   s->slot[SLOT_D1],
                   s->substeps,
                   s->now,
                   1.0f / s->h,
                   1.5f / s->h,
                   s->frame_share,
                   s->second,
                   s->pbd,
                   view_frames(&s->oriented),
                   s->contact.still_speed > 0.0f,
                   s->relaxation,
                   s->averaged};
    return v;
}

PL_FN sweep sweep_of(const rows_view *v, const stage *g)
{
    bool second = v->second && v->now->smooth > 0;
    float inverse_h = second ? v->inverse_second : v->inverse_h;
    sweep w = {v->rows,
               v->x,
               v->d,
               v->d1,
               second,
               splat(v->substeps[g->substep].ahead),
               second ? (2.0f / 3.0f) * v->frame_share : v->frame_share,
               inverse_h,
               inverse_h * inverse_h,
               v->frames,
               v->sleep,
               v->averaged || v->relaxation != 1.0f,
               v->averaged != 0,
               v->relaxation};
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
        measure_frames(s, PL_KIND_##NAME, stem##_eval, params, parts, bound, begin, end, values);                      \
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
        for (int i = 0; i < params; i++)
            param[i] = column(r->param[i], r->param_step[i], k);
        settled_points(r, s->slot[SLOT_X], arity, k, param, p);
        if (eval)
            eval(p, param, splat(0.0f), &c);
        else
            c.value = root(most(2.0f * energy(p, param), splat(0.0f)));
        store(values + (k - begin), c.value);
    }
}

PL_ROW_KINDS(DEFINE_ROW)
PL_VECTOR_KINDS(DEFINE_BLOCK)
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
        float *to = s->slot[SLOT_D] + 4 * (size_t)r->jacobi_slot[i];
        for (int c = 0; c < 3; c++)
            to[c] = to[c] + sum[c];
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
        // A padding row with a compliance has a multiplier too; which rows are padding depends on earlier edits.
        uint8_t now = r->lambda[k] != 0.0f && r->index[0][k] < 4 * (uint32_t)s->particles;
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
