// direct_solve.c: an iteration of the solver direct: see direct.h.
#include "direct/direct_terms.h"
#include "elements/row.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

// A over W is at least this, in the matrix alone. Where a step fails, it is raised until a smaller one succeeds (Levenberg 1944,
// Marquardt 1963).
#define LEAST_SOFTNESS 1e-8
#define MOST_SOFTNESS 1.0

// The merit, over that at the substep's start, with which an iteration ends: the square of what is left of the residual.
#define SOLVED 1e-6
#define SMALL 1e-5 // a step over the largest displacement of the substep: it is the last one

enum
{
    STEPS = 8,    // most steps of an iteration, the failed ones included
    HALVINGS = 2, // of a step that makes the residual larger
    SWEEPS = 4,   // after such a step
};

static direct_step step_of(state *s, const stage *g)
{
    bool second = s->second && s->now->smooth > 0;
    return (direct_step){.d = s->direct,
                         .s = s,
                         .second = second,
                         .inverse_h = (second ? 1.5 : 1.0) / (double)s->h,
                         .ahead = (double)s->substeps[g->substep].ahead,
                         .drift_share = (second ? 2.0 / 3.0 : 1.0) * (double)s->frame_share,
                         .softness = LEAST_SOFTNESS};
}

// ---- the linear system ---------------------------------------------------------------------------------------------

// The place in the matrix of entry (0, 0) of two blocks, low <= high; that of entry (a, c) is a rows below it.
static int64_t column_of(const sparse_lower *m, int32_t high, int32_t low)
{
    int64_t first = 0, count = (m->start[3 * high + 1] - m->start[3 * high] - 1) / 3;
    while (count > 0)
    {
        int64_t half = count / 2;
        bool later = m->column[m->start[3 * high] + 3 * (first + half)] < 3 * low;
        first = later ? first + half + 1 : first;
        count = later ? count - half - 1 : half;
    }
    return 3 * first;
}

// Adds g_i^T g_k to the block of two points; inside a block, its lower triangle.
static void add_points(sparse_lower *m, const double *gi, const double *gk, int parts, int step, int32_t bi, int32_t bk)
{
    const int64_t column = column_of(m, bi, bk);
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < (bi == bk ? a + 1 : 3); c++)
        {
            double sum = 0.0;
            for (int part = 0; part < parts; part++)
                sum += gi[part * step + a] * gk[part * step + c];
            m->value[m->start[3 * bi + a] + column + c] += sum;
        }
}

static void add_row(direct_system *d, const direct_row *row)
{
    const int parts = direct_parts(row->kind), writes = facts_of(row->kind)->writes, step = 3 * writes;
    const int32_t *block = d->list.block + row->first_point;
    const double *g = d->gradient + row->first_gradient, *residual = d->residual + row->first_part;
    const double pull = -d->lambda[row->first_part];
    for (int i = 0; i < writes; i++)
    {
        if (block[i] < 0)
            continue;
        for (int part = 0; part < parts; part++)
            for (int a = 0; a < 3; a++)
                d->right[3 * (int64_t)block[i] + a] +=
                    g[part * step + 3 * i + a] * (row->slack ? pull : residual[part]);
        for (int k = 0; k < writes && !row->slack; k++)
            if (block[k] >= 0 && block[k] <= block[i])
                add_points(&d->matrix, g + 3 * i, g + 3 * k, parts, step, block[i], block[k]);
    }
}

// Solves for the motion of all blocks. Returns false if that cannot be told.
static bool solve_system(direct_system *d)
{
    memset(d->right, 0, 3 * (size_t)d->blocks * sizeof *d->right);
    memset(d->matrix.value, 0, (size_t)d->matrix.start[d->matrix.rows] * sizeof *d->matrix.value);
    for (int32_t u = 0; u < d->matrix.rows; u++)
        d->matrix.value[d->matrix.start[u + 1] - 1] = d->mass[u / 3] > 0.0 ? d->mass[u / 3] : 1.0;
    for (int64_t r = 0; r < d->list.rows; r++)
        add_row(d, &d->list.row[r]);
    if (cholesky_factor(&d->factor, &d->matrix) != 0)
        return false;
    cholesky_solve(&d->factor, d->right, d->move);
    return true;
}

// Computes the change of the multipliers of a row. One that would pull where it may only push goes to 0.
static void change_row(direct_system *d, const direct_row *row)
{
    const int parts = direct_parts(row->kind), writes = facts_of(row->kind)->writes, bound = facts_of(row->kind)->bound;
    const int32_t *block = d->list.block + row->first_point;
    const double *g = d->gradient + row->first_gradient;
    double *change = d->change + row->first_part, *lambda = d->lambda + row->first_part;
    if (row->slack)
    {
        *change = -*lambda;
        return;
    }
    for (int part = 0; part < parts; part++)
    {
        change[part] = d->residual[row->first_part + part];
        for (int i = 0; i < writes; i++)
            for (int a = 0; a < 3 && block[i] >= 0; a++)
                change[part] -= g[3 * (writes * part + i) + a] * d->move[3 * (int64_t)block[i] + a];
    }
    direct_solve_upper(direct_triangle(d, row), parts, change);
    const double next = *lambda + *change;
    if (!((bound == BOUND_AT_MOST && next > 0.0) || (bound == BOUND_AT_LEAST && next < 0.0)))
        return;
    *change = -*lambda;
    for (int i = 0; i < writes; i++)
        for (int a = 0; a < 3 && block[i] >= 0; a++)
            if (d->mass[block[i]] > 0.0)
                d->right[3 * (int64_t)block[i] + a] -=
                    next * d->triangle[DIRECT_PARTS * (int64_t)row->first_part] * g[3 * i + a];
}

// Computes the changes of all multipliers, and returns to the particles what one-sided rows must not have done.
static void find_changes(direct_system *d)
{
    memset(d->right, 0, 3 * (size_t)d->blocks * sizeof *d->right);
    for (int64_t r = 0; r < d->list.rows; r++)
        change_row(d, &d->list.row[r]);
    for (int32_t u = 0; u < d->matrix.rows; u++)
        d->move[u] += d->mass[u / 3] > 0.0 ? d->right[u] / d->mass[u / 3] : 0.0;
}

// ---- an iteration --------------------------------------------------------------------------------------------------

static void load_blocks(const direct_step *w, bool first)
{
    direct_system *d = w->d;
    for (int32_t b = 0; b < d->blocks; b++)
    {
        const float *at = w->s->slot[SLOT_D] + d->slot[b];
        d->mass[b] = at[3] > 0.0f ? 1.0 / (double)at[3] : 0.0;
        for (int a = 0; a < 3; a++)
            d->d[3 * b + a] = (double)at[a];
    }
    if (first)
        memset(d->lambda, 0, (size_t)d->list.parts * sizeof *d->lambda);
}

// Moves by the step or, where that makes the residual larger, by a half or a quarter of it. Returns the part; 0: all of them
// do.
static double line_search(const direct_step *w, double *merit)
{
    direct_system *d = w->d;
    double part = 1.0;
    for (int halving = 0; halving <= HALVINGS; halving++, part *= 0.5)
    {
        double now = 0.0;
        for (int32_t u = 0; u < d->matrix.rows; u++)
            d->tried[u] = d->d[u] + part * d->move[u];
        for (int64_t i = 0; i < d->list.parts; i++)
            d->tried_lambda[i] = d->lambda[i] + part * d->change[i];
        for (int64_t r = 0; r < d->list.rows; r++)
            now += direct_try(w, &d->list.row[r]);
        if (!(now < *merit))
            continue;
        memcpy(d->d, d->tried, (size_t)d->matrix.rows * sizeof *d->d);
        memcpy(d->lambda, d->tried_lambda, (size_t)d->list.parts * sizeof *d->lambda);
        *merit = now;
        return part;
    }
    return 0.0;
}

// Is the step so small that it is the last one?
static bool is_small(const direct_system *d)
{
    double most = 0.0, step = 0.0;
    for (int32_t u = 0; u < d->matrix.rows; u++)
    {
        most = fabs(d->d[u]) > most ? fabs(d->d[u]) : most;
        step = fabs(d->move[u]) > step ? fabs(d->move[u]) : step;
    }
    return step <= SMALL * most;
}

// Newton's method, until the residual is a thousandth of what the substep began with, or nothing moves any more. What keeps a whole step from success is mostly a few
// constraints that turn far, as those of a fold that runs along a rope; sweeps over single constraints solve them.
static void solve(direct_step *w, bool begins)
{
    direct_system *d = w->d;
    for (int step = 0; step < STEPS; step++)
    {
        double merit = 0.0;
        for (int64_t r = 0; r < d->list.rows; r++)
            merit += direct_open(w, &d->list.row[r]);
        d->aim = step == 0 && begins ? SOLVED * merit : d->aim;
        if (!(merit > d->aim) || !solve_system(d))
            break;
        find_changes(d);
        const bool last = is_small(d);
        double part = line_search(w, &merit);
        if (last || (part > 0.0 && merit <= d->aim))
            break;
        if (part == 1.0)
            w->softness = w->softness > 100.0 * LEAST_SOFTNESS ? 0.01 * w->softness : LEAST_SOFTNESS;
        else if (part == 0.0)
            w->softness = w->softness < 1e-3 * MOST_SOFTNESS ? 1e3 * w->softness : MOST_SOFTNESS;
        for (int sweep = 0; sweep < SWEEPS && part < 1.0; sweep++)
            for (int64_t r = 0; r < d->list.rows; r++)
                direct_sweep(w, &d->list.row[r]);
    }
}

// The multiplier that others read: of a vector, minus its length.
static void store_multipliers(const direct_step *w, const direct_row *row)
{
    const packed_rows *r = &w->s->rows[row->kind];
    const double *lambda = w->d->lambda + row->first_part;
    if (direct_parts(row->kind) != r->parts)
        *lambda_at(r, row->at, 0) = (float)-sqrt(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]);
    for (int i = 0; i < r->parts && direct_parts(row->kind) == r->parts; i++)
        *lambda_at(r, row->at, i) = (float)lambda[i];
}

void direct_iterate(state *s, const stage *g)
{
    direct_step w = step_of(s, g);
    direct_system *d = w.d;
    if (!d || !d->ready)
        return;
    load_blocks(&w, g->first);
    solve(&w, g->first);
    for (int32_t b = 0; b < d->blocks; b++)
        for (int a = 0; a < 3 && d->mass[b] > 0.0; a++)
            s->slot[SLOT_D][d->slot[b] + (uint32_t)a] = (float)d->d[3 * b + a];
    for (int64_t r = 0; r < d->list.rows; r++)
        store_multipliers(&w, &d->list.row[r]);
}
