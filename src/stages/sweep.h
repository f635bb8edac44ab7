// sweep.h: the generic solve of rows: gather their points, solve, scatter. The kernel is a constant argument of
// always-inlined functions, so each kind gets its own loop without a macro or a copy.
//
// Two groups of rows are processed at a time: the chain load -> root -> division -> store is bound by latency, and a
// second, independent chain fills the gaps (540 against 400 M links/s on Zen 4 with eight lanes).
#pragma once
#include "elements/kinds.h"
#include "kernels/displacement.h"
#include "model/state.h"

typedef void eval_fn(const point *p, const f32 *param, f32 ahead, row *c);
typedef void block_fn(const point *p, const f32 *param, vector_row *c);
typedef f32 energy_fn(const point *p, const f32 *param);
typedef void frame_fn(const frame_end *e, const f32 *param, frame_rows *c);

// What a sweep knows about its kind at compile time.
typedef struct recipe
{
    eval_fn *eval;   // for a row
    block_fn *block; // for a block of `parts`
    frame_fn *frame; // for `parts` between frames
    int arity, writes, params, bound, parts;
    int mode;
    int first; // the multipliers start at 0
    int keep;  // the multipliers are stored
} recipe;

// What a sweep knows at run time.
typedef struct sweep
{
    packed_rows rows; // a copy, so that the compiler knows that the loop's stores do not change it
    const float *x;
    float *d;
    const float *d1;
    bool second; // the substep is of second order: d1 is used
    f32 ahead;
    float drift_share; // the fraction of a frame that the step spans
    float inverse_h, inverse_h2;
    frame_view frames;
    bool sleep;             // bodies may sleep
    bool relaxed, averaged; // of Jacobi iteration
    float relaxation;
} sweep;

// The frames of the slots.
PL_BOTH frame_view view_frames(const packed_oriented *o)
{
    frame_view v = {o->count ? o->of_slot : NULL, (const float *)o->pose, (float *)o->way, (const float *)o->inertia};
    return v;
}

typedef struct flight
{
    point p[ROW_POINTS]; // relative to the position of the first point at the substep's start plus its displacement
    point d[ROW_POINTS]; // displacements
    f32 param[PL_MAX_PARAMS];
    softness soft;
    f32 lambda[VECTOR_PARTS];
} flight;

PL_FN f32 column(const float *values, uint8_t step, int32_t k) { return load(values + (step ? k : 0)); }

// A kind of one point has a position in the world as its first three parameters: it becomes relative to x, where the
// point starts.
PL_FN void row_anchor(const packed_rows *r, const float *x, int32_t k, f32 *param)
{
    point x0 = gather(x, r->index[0] + k);
    param[0] = param[0] - x0.x, param[1] = param[1] - x0.y, param[2] = param[2] - x0.z;
}

// The i-th point of a row relative to its first, where d and d0 are their displacements.
PL_FN point row_point(const packed_rows *r, const float *x, int32_t k, int i, point d, point d0)
{
    vec b = add(gather_between(x, r->index[i] + k, r->index[0] + k), sub(at(d), at(d0)));
    point p = {b.x, b.y, b.z, d.w};
    return p;
}

PL_FN void row_points(const sweep *w, int arity, int32_t k, flight *f)
{
    const f32 none = splat(0.0f);
    const point first = {none, none, none, f->d[0].w};
    f->p[0] = arity == 1 ? f->d[0] : first;
    if (arity == 1)
        row_anchor(&w->rows, w->x, k, f->param);
    UNROLL
    for (int i = 1; i < arity; i++)
        f->p[i] = row_point(&w->rows, w->x, k, i, f->d[i], f->d[0]);
}

// The low part of the position of a row's i-th point; without the mass.
PL_FN point row_low(const packed_rows *r, const float *x, int32_t k, int i)
{
    vec a = low_part(gather(x, r->index[i] + k));
    point low = {a.x, a.y, a.z, splat(0.0f)};
    return low;
}

// The points of a row between two substeps, when the displacements are part of the positions; without the masses.
PL_FN void settled_points(const packed_rows *r, const float *x, int arity, int32_t k, f32 *param, point *p)
{
    const f32 none = splat(0.0f);
    const point low = row_low(r, x, k, 0), first = {none, none, none, none};
    p[0] = arity == 1 ? low : first;
    if (arity == 1)
        row_anchor(r, x, k, param);
    for (int i = 1; i < arity; i++)
        p[i] = row_point(r, x, k, i, row_low(r, x, k, i), low);
}

PL_FN void gather_rows(const sweep *w, const recipe how, int32_t k, flight *f)
{
    const packed_rows *r = &w->rows;
    UNROLL
    for (int i = 0; i < how.arity; i++)
        f->d[i] = gather(w->d, r->index[i] + k);
    UNROLL
    for (int i = 0; i < how.params; i++)
        f->param[i] = column(r->param[i], r->param_step[i], k);
    row_points(w, how.arity, k, f);
    UNROLL
    for (int i = 0; i < how.parts; i++)
        f->lambda[i] = how.first ? splat(0.0f) : load(r->lambda + (size_t)i * (size_t)r->lambda_step + k);
    f->soft.a = f->soft.gamma = f->soft.k = splat(0.0f);
    if (how.mode == MODE_PBD)
        f->soft.k = column(r->stiffness, r->stiffness_step, k);
    else
    {
        f32 compliance = column(r->compliance, r->compliance_step, k);
        f->soft.a = compliance * w->inverse_h2;
        if (how.mode == MODE_DAMPED)
            f->soft.gamma = compliance * column(r->damping, r->damping_step, k) * w->inverse_h;
    }
}

// The displacement of a point since the substep's start. For BDF2, the resulting velocity times its step: less a third
// of that of the last substep.
PL_FN vec row_moved(const sweep *w, int32_t k, const flight *f, int i)
{
    vec moved = moved_by(gather(w->x, w->rows.index[i] + k), f->d[i]);
    if (w->second)
        moved = sub(moved, times(splat(1.0f / 3.0f), at(gather(w->d1, w->rows.index[i] + k))));
    return moved;
}

// The change of C since the substep's start: from the displacement of all points along the gradient, including those
// that are only read, and from the drift of C itself.
PL_FN f32 motion_along(const sweep *w, const recipe how, int32_t k, const flight *f, const row *c)
{
    f32 sum = w->drift_share * c->drift;
    UNROLL
    for (int i = 0; i < how.arity; i++)
        sum = sum + dot(c->g[i], row_moved(w, k, f, i));
    return keep(c->norm > 0.0f, sum / c->norm);
}

PL_FN void solve_rows(const sweep *w, const recipe how, int32_t k, flight *f)
{
    row c;
    c.drift = splat(0.0f);
    how.eval(f->p, f->param, w->ahead, &c);
    if (how.mode == MODE_DAMPED)
        f->soft.motion = motion_along(w, how, k, f, &c);
    f32 s = visit(&c, &f->soft, f->lambda, how.mode, how.bound);
    UNROLL
    for (int i = 0; i < how.writes; i++)
        move(&f->d[i], s, c.g[i]);
}

PL_FN void scatter_rows(const sweep *w, const recipe how, int32_t k, const flight *f)
{
    const packed_rows *r = &w->rows;
    if (how.keep)
    {
        UNROLL
        for (int i = 0; i < how.parts; i++)
            store(r->lambda + (size_t)i * (size_t)r->lambda_step + k, f->lambda[i]);
    }
    UNROLL
    for (int i = 0; i < how.writes; i++)
        scatter(w->d, r->index[i] + k, f->d[i]);
}

PL_FN void sweep_rows(const sweep *w, const recipe how, int32_t begin, int32_t end)
{
#if LANES > 1 && LANES < 16
    for (int32_t k = begin; k < end; k += 2 * LANES)
    {
        flight f, g;
        gather_rows(w, how, k, &f);
        gather_rows(w, how, k + LANES, &g);
        solve_rows(w, how, k, &f);
        solve_rows(w, how, k + LANES, &g);
        scatter_rows(w, how, k, &f);
        scatter_rows(w, how, k + LANES, &g);
    }
#else
    for (int32_t k = begin; k < end; k += LANES)
    {
        flight f;
        gather_rows(w, how, k, &f);
        solve_rows(w, how, k, &f);
        scatter_rows(w, how, k, &f);
    }
#endif
}

// Stores the displacement that a row beyond the limit on colours wants for its point i.
PL_FN void ask(const packed_rows *r, int32_t k, int i, f32 s, vec g)
{
    size_t rows = (size_t)(r->jacobi_end - r->jacobi_begin), at_row = (size_t)(k - r->jacobi_begin);
    point d = {s * g.x, s * g.y, s * g.z, splat(0.0f)};
    store_points(r->delta + 4 * ((size_t)i * rows + at_row), d);
}

// Gives each point of a row in a Jacobi iteration its share of the mass. Returns the part of the correction to apply.
PL_FN f32 share_points(const sweep *w, const recipe how, int32_t k, flight *f)
{
    const packed_rows *r = &w->rows;
    f32 rows = splat(1.0f);
    UNROLL
    for (int i = 0; i < how.arity; i++)
    {
        f32 sharing = gather(r->split, r->index[i] + k).x;
        if (w->averaged)
            rows = most(sharing, rows);
        else
            f->p[i].w = f->p[i].w * sharing;
    }
    return w->relaxation / rows;
}

// Applies a part of a correction; arguments and result are those of `visit`, and before: the multiplier before it.
PL_FN f32 relax(const row *c, f32 part, f32 before, f32 *lambda, f32 s, int bound)
{
    if (bound == BOUND_EQUAL)
    {
        s = part * s;
        *lambda = before + s * c->norm;
        return s;
    }
    f32 after = bounded(before + part * (*lambda - before), bound);
    *lambda = after;
    return keep(c->norm > 0.0f, (after - before) / c->norm);
}

// Solves rows beyond the limit on colours, which share particles (Jacobi). Each row uses only its share of a particle's
// mass (mass splitting: Tonge, Benevolenski, Voroshilov 2012), so that the sum of all displacements neither overshoots
// nor breaks x = x~ + M^-1 grad lambda.
PL_FN void jacobi_rows(const sweep *w, const recipe how, int32_t begin, int32_t end)
{
    const packed_rows *r = &w->rows;
    for (int32_t k = begin; k < end; k += LANES)
    {
        flight f;
        gather_rows(w, how, k, &f);
        f32 part = share_points(w, how, k, &f), before = f.lambda[0];
        row c;
        c.drift = splat(0.0f);
        how.eval(f.p, f.param, w->ahead, &c);
        if (how.mode == MODE_DAMPED)
            f.soft.motion = motion_along(w, how, k, &f, &c);
        f32 s = visit(&c, &f.soft, f.lambda, how.mode, how.bound);
        if (w->relaxed)
            s = relax(&c, part, before, f.lambda, s, how.bound);
        store(r->lambda + k, f.lambda[0]);
        UNROLL
        for (int i = 0; i < how.writes; i++)
            ask(r, k, i, f.d[i].w * s, c.g[i]);
    }
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// Solves one block: updates f's multipliers and computes their change and the stress.
PL_FN void solve_block_rows(const sweep *w, const recipe how, int32_t k, flight *f, vector_row *c, f32 *change,
                            vec *stress)
{
    f32 motion[VECTOR_PARTS];
    for (int part = 0; part < how.parts; part++)
        motion[part] = splat(0.0f);
    how.block(f->p, f->param, c);
    if (how.mode == MODE_DAMPED)
    {
        vec moved[ROW_POINTS];
        UNROLL
        for (int i = 0; i < how.arity; i++)
            moved[i] = row_moved(w, k, f, i);
        block_motion(c, moved, how.arity, how.parts, motion);
    }
    block_visit(c, f->p, how.arity, how.parts, &f->soft, motion, f->lambda, change, how.mode);
    if (how.parts >= how.arity - 1) // else the stress is unused (block_move)
        vector_row_stress(c, change, how.arity - 1, how.parts, stress);
}

PL_FN void sweep_blocks(const sweep *w, const recipe how, int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end; k += LANES)
    {
        flight f;
        vector_row c;
        f32 change[VECTOR_PARTS];
        vec stress[VECTOR_COLUMNS], by[ROW_POINTS];
        gather_rows(w, how, k, &f);
        solve_block_rows(w, how, k, &f, &c, change, stress);
        block_moves(&c, change, stress, how.arity, how.parts, by);
        UNROLL
        for (int i = 0; i < how.arity; i++)
            move(&f.d[i], splat(1.0f), by[i]);
        scatter_rows(w, how, k, &f);
    }
}

PL_FN void jacobi_blocks(const sweep *w, const recipe how, int32_t begin, int32_t end)
{
    const packed_rows *r = &w->rows;
    for (int32_t k = begin; k < end; k += LANES)
    {
        flight f;
        vector_row c;
        vec stress[VECTOR_COLUMNS], by[ROW_POINTS];
        f32 change[VECTOR_PARTS];
        f32 before[VECTOR_PARTS], part;
        gather_rows(w, how, k, &f);
        part = share_points(w, how, k, &f);
        UNROLL
        for (int i = 0; i < how.parts; i++)
            before[i] = f.lambda[i];
        solve_block_rows(w, how, k, &f, &c, change, stress);
        if (w->relaxed)
        {
            UNROLL
            for (int i = 0; i < how.parts; i++)
                f.lambda[i] = before[i] + part * (f.lambda[i] - before[i]);
        }
        UNROLL
        for (int i = 0; i < how.parts; i++)
            store(r->lambda + (size_t)i * (size_t)r->lambda_step + k, f.lambda[i]);
        block_moves(&c, change, stress, how.arity, how.parts, by);
        UNROLL
        for (int i = 0; i < how.arity; i++)
            ask(r, k, i, w->relaxed ? f.d[i].w * part : f.d[i].w, by[i]);
    }
}
