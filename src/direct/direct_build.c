// direct_build.c: lists the constraints of a world with the solver direct, and makes the pattern of its matrix.
//
// Constraints are listed in the order of the user, and particles by their numbers: so the bits depend neither on where
// things lie in memory nor on the edits that led to the scene.
#include "direct/direct.h"
#include "direct/direct_rows.h"
#include "model/world.h"

#include <string.h>

enum
{
    BLOCK = 3, // unknowns of a particle
};

// ---- the list ------------------------------------------------------------------------------------------------------

static bool is_solved(const pl_world *w, int kind, int64_t row)
{
    return !row_broken(&w->rows[kind], row) && w->rows[kind].colour[row] != COLOUR_NONE;
}

static pl_result reserve_list(pl_world *w, direct_list *l)
{
    int64_t rows = 0, points = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        if (facts_of(kind)->frames)
            continue;
        rows += w->rows[kind].count;
        points += w->rows[kind].count * facts_of(kind)->info.arity;
    }
    if (points > INT32_MAX / DIRECT_PARTS)
        return fail(PL_ERROR_MEMORY, "too many constraints for the solver direct; use another, such as hierarchy");
    pl_result result = array_reserve(&w->memory, &l->row, &l->row_capacity, rows, sizeof *l->row);
    return result == PL_OK ? array_reserve(&w->memory, &l->block, &l->point_capacity, points, sizeof *l->block)
                           : result;
}

// Gives each particle that a constraint moves a block of unknowns.
static pl_result number_blocks(pl_world *w, direct_system *d, int32_t *blocks)
{
    const int64_t numbers = w->numbers.end;
    pl_result result = array_reserve(&w->memory, &d->block_of, &d->block_of_capacity, numbers + 1, sizeof *d->block_of);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &d->slot, &d->slot_capacity, numbers + 1, sizeof *d->slot);
    if (result != PL_OK)
        return result;
    memset(d->block_of, 0xff, (size_t)numbers * sizeof *d->block_of);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const kind_facts *f = facts_of(kind);
        for (int64_t row = 0; row < w->rows[kind].count && !f->frames; row++)
            for (int i = 0; i < f->writes && is_solved(w, kind, row); i++)
                d->block_of[w->rows[kind].index[f->info.arity * row + i]] = 0;
    }
    *blocks = 0;
    for (int32_t n = 0; n < numbers; n++)
    {
        int32_t slot = w->numbers.slot_of[n];
        bool moves = d->block_of[n] == 0 && slot >= 0 && inverse_mass(w, slot) > 0.0f;
        d->block_of[n] = moves ? *blocks : -1;
        if (moves)
            d->slot[(*blocks)++] = 4 * (uint32_t)slot;
    }
    return PL_OK;
}

static void list_rows(const pl_world *w, const int32_t *block_of, direct_list *l)
{
    l->rows = l->points = l->parts = l->gradients = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const kind_facts *f = facts_of(kind);
        for (int64_t row = 0; row < w->rows[kind].count && !f->frames; row++)
        {
            if (!is_solved(w, kind, row))
                continue;
            l->row[l->rows++] = (direct_row){
                kind, w->rows[kind].packed_at[row], (int32_t)l->points, (int32_t)l->parts, l->gradients, false};
            for (int i = 0; i < f->info.arity; i++)
                l->block[l->points++] = block_of[w->rows[kind].index[f->info.arity * row + i]];
            l->parts += direct_parts(kind);
            l->gradients += (int64_t)direct_parts(kind) * f->writes * BLOCK;
        }
    }
}

// Is the matrix the same for both lists?
static bool is_same(const direct_list *a, const direct_list *b)
{
    bool same = a->rows == b->rows && a->points == b->points &&
                (a->points == 0 || memcmp(a->block, b->block, (size_t)a->points * sizeof *a->block) == 0);
    for (int64_t i = 0; i < a->rows && same; i++)
        same = a->row[i].kind == b->row[i].kind;
    return same;
}

// ---- the pattern ---------------------------------------------------------------------------------------------------

// Pairs of blocks that share a constraint: for each block, the others below it, or above it. Some are listed twice.
typedef struct neighbours
{
    int64_t *start; // one more than blocks
    int32_t *other;
} neighbours;

typedef struct pattern
{
    neighbours above, below;
    int64_t pairs;
    void *memory;
    size_t bytes;
} pattern;

// Counts the pairs of each block with later ones, or lists them backwards.
static void visit_pairs(const direct_list *l, neighbours *above, bool count)
{
    for (int64_t r = 0; r < l->rows; r++)
    {
        const int32_t *block = l->block + l->row[r].first_point;
        const int writes = facts_of(l->row[r].kind)->writes;
        for (int i = 0; i < writes; i++)
            for (int k = 0; k < i; k++)
            {
                int32_t low = block[i] < block[k] ? block[i] : block[k],
                        high = block[i] < block[k] ? block[k] : block[i];
                if (low < 0 || low == high)
                    continue;
                if (count)
                    above->start[low]++;
                else
                    above->other[--above->start[low]] = high;
            }
    }
}

static void sum_up(int64_t *start, int32_t blocks)
{
    for (int32_t b = 0; b < blocks; b++)
        start[b + 1] += start[b];
}

// Lists, for each block, the blocks below it in rising order, each once, out of those above each block.
static void turn_around(pattern *p, int32_t blocks)
{
    for (int32_t low = 0; low < blocks; low++)
        for (int64_t k = p->above.start[low]; k < p->above.start[low + 1]; k++)
            p->below.start[p->above.other[k] + 1]++;
    sum_up(p->below.start, blocks);
    for (int32_t low = 0; low < blocks; low++)
        for (int64_t k = p->above.start[low]; k < p->above.start[low + 1]; k++)
            p->below.other[p->below.start[p->above.other[k]]++] = low;
    for (int32_t b = blocks; b > 0; b--)
        p->below.start[b] = p->below.start[b - 1];
    p->below.start[0] = 0;
    int64_t to = 0;
    for (int32_t b = 0; b < blocks; b++)
    {
        int64_t from = p->below.start[b], end = p->below.start[b + 1], first = to;
        for (int64_t k = from; k < end; k++)
            if (to == first || p->below.other[to - 1] != p->below.other[k])
                p->below.other[to++] = p->below.other[k];
        p->below.start[b] = first;
    }
    p->below.start[blocks] = to;
}

static pl_result find_pattern(pl_world *w, const direct_system *d, pattern *p)
{
    const int64_t starts = (int64_t)d->blocks + 2;
    for (int64_t r = 0; r < d->list.rows; r++)
    {
        int writes = facts_of(d->list.row[r].kind)->writes;
        p->pairs += writes * (writes - 1) / 2;
    }
    p->bytes = 2 * (size_t)starts * sizeof(int64_t) + 2 * (size_t)p->pairs * sizeof(int32_t);
    pl_result result = memory_resize(&w->memory, &p->memory, 0, p->bytes);
    if (result != PL_OK)
        return result;
    p->above.start = p->memory;
    p->below.start = p->above.start + starts;
    p->above.other = (int32_t *)(p->below.start + starts);
    p->below.other = p->above.other + p->pairs;
    visit_pairs(&d->list, &p->above, true);
    sum_up(p->above.start, d->blocks);
    visit_pairs(&d->list, &p->above, false);
    turn_around(p, d->blocks);
    return PL_OK;
}

// ---- the matrix ----------------------------------------------------------------------------------------------------

static pl_result fill_matrix(pl_world *w, direct_system *d, const neighbours *below)
{
    sparse_lower *a = &d->matrix;
    const int64_t entries = 9 * below->start[d->blocks] + 6 * (int64_t)d->blocks;
    memory *m = &w->memory;
    a->rows = BLOCK * d->blocks;
    pl_result result = array_reserve(m, &a->start, &d->start_capacity, a->rows + 1, sizeof *a->start);
    if (result == PL_OK)
        result = array_reserve(m, &a->column, &d->column_capacity, entries, sizeof *a->column);
    if (result == PL_OK)
        result = array_reserve(m, &a->value, &d->value_capacity, entries, sizeof *a->value);
    if (result != PL_OK)
        return result;
    int64_t at = 0;
    for (int32_t row = 0; row < a->rows; row++)
    {
        int32_t block = row / BLOCK;
        a->start[row] = at;
        for (int64_t k = below->start[block]; k < below->start[block + 1]; k++)
            for (int32_t c = 0; c < BLOCK; c++)
                a->column[at++] = BLOCK * below->other[k] + c;
        for (int32_t column = BLOCK * block; column <= row; column++)
            a->column[at++] = column;
    }
    a->start[a->rows] = at;
    return cholesky_open(&d->factor, m, a, BLOCK);
}

static pl_result reserve_numbers(pl_world *w, direct_system *d)
{
    const int64_t unknowns = BLOCK * (int64_t)d->blocks, parts = d->list.parts;
    double **arrays[] = {&d->d,      &d->tried,  &d->right,        &d->move,     &d->mass,   &d->triangle,
                         &d->lambda, &d->change, &d->tried_lambda, &d->residual, &d->weight, &d->gradient};
    const int64_t counts[] = {unknowns, unknowns, unknowns, unknowns, d->blocks, DIRECT_PARTS * parts,
                              parts,    parts,    parts,    parts,    parts,     d->list.gradients};
    int64_t all = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        all += counts[i];
    pl_result result = array_reserve(&w->memory, &d->numbers, &d->number_capacity, all, sizeof *d->numbers);
    double *at = d->numbers;
    for (size_t i = 0; result == PL_OK && i < sizeof counts / sizeof *counts; i++)
    {
        *arrays[i] = at;
        at += counts[i];
    }
    return result;
}

static pl_result make_matrix(pl_world *w, direct_system *d)
{
    pattern p = {0};
    d->factor.memory = d->factor.memory ? &w->memory : NULL; // the world may have been loaded meanwhile
    cholesky_close(&d->factor);
    pl_result result = find_pattern(w, d, &p);
    if (result == PL_OK)
        result = fill_matrix(w, d, &p.below);
    if (result == PL_OK)
        result = reserve_numbers(w, d);
    if (p.memory)
        memory_free(&w->memory, p.memory, p.bytes);
    return result;
}

pl_result direct_prepare(pl_world *w)
{
    if (w->settings.solver != PL_SOLVER_DIRECT)
    {
        direct_free(w);
        return PL_OK;
    }
    void *block = w->direct;
    pl_result result = check_solver_backend(&w->settings, w->backend->which);
    if (result == PL_OK)
        result = block ? PL_OK : memory_resize(&w->memory, &block, 0, sizeof *w->direct);
    if (result != PL_OK)
        return result;
    direct_system *d = w->direct = w->state.direct = block;
    int32_t blocks = 0;
    result = reserve_list(w, &d->fresh);
    if (result == PL_OK)
        result = number_blocks(w, d, &blocks);
    if (result != PL_OK)
        return result;
    list_rows(w, d->block_of, &d->fresh);
    bool same = d->ready && blocks == d->blocks && is_same(&d->fresh, &d->list);
    direct_list old = d->list;
    d->list = d->fresh, d->fresh = old;
    d->blocks = blocks;
    d->ready = same || make_matrix(w, d) == PL_OK;
    return d->ready ? PL_OK : PL_ERROR_MEMORY;
}

void direct_free(pl_world *w)
{
    direct_system *d = w->direct;
    memory *m = &w->memory;
    if (!d)
        return;
    d->factor.memory = d->factor.memory ? m : NULL;
    cholesky_close(&d->factor);
    for (int i = 0; i < 2; i++)
    {
        direct_list *l = i ? &d->fresh : &d->list;
        array_free(m, &l->row, &l->row_capacity, sizeof *l->row);
        array_free(m, &l->block, &l->point_capacity, sizeof *l->block);
    }
    array_free(m, &d->block_of, &d->block_of_capacity, sizeof *d->block_of);
    array_free(m, &d->slot, &d->slot_capacity, sizeof *d->slot);
    array_free(m, &d->matrix.start, &d->start_capacity, sizeof *d->matrix.start);
    array_free(m, &d->matrix.column, &d->column_capacity, sizeof *d->matrix.column);
    array_free(m, &d->matrix.value, &d->value_capacity, sizeof *d->matrix.value);
    array_free(m, &d->numbers, &d->number_capacity, sizeof *d->numbers);
    memory_free(m, d, sizeof *d);
    w->direct = w->state.direct = NULL;
}

double direct_multiplications(const direct_system *d)
{
    const cholesky *c = &d->factor;
    double work = 2.0 * (double)c->factor_entries;
    for (int32_t k = 0; k < c->rows; k++)
    {
        double below = (double)(c->l_start[k + 1] - c->l_start[k]);
        work += 0.5 * below * (below + 3.0);
    }
    return work;
}
