// strands_pack.c: packs strands into blocks of PAD strands side by side (model/group_kinds/strands.h), and plans their
// stages.
#include "core/arena.h"
#include "groups/strands.h"
#include "model/columns.h"
#include "model/model_columns.h"
#include "plan/planner.h"

#include <stdlib.h>
#include <string.h>

static int compare_strands(const void *one, const void *two)
{
    const strand_order *a = one, *b = two;
    if (a->solver != b->solver)
        return (a->solver > b->solver) - (a->solver < b->solver);
    if (a->points != b->points)
        return (a->points < b->points) - (a->points > b->points); // the longest first
    return (a->strand > b->strand) - (a->strand < b->strand);
}

// Returns the index of the first strand of the block that follows the one at `first`.
static int64_t block_end(const strands *t, int64_t first)
{
    int64_t end = first;
    while (end < t->count && end - first < PAD && t->order[end].solver == t->order[first].solver)
        end++;
    return end;
}

// Sorts the strands into the order of their lanes.
static pl_result sort_strands(pl_world *w)
{
    strands *t = &w->strands;
    t->sorted = 0;
    pl_result result = columns_reserve(w, PER_STRANDS_ORDER, 0, t->count);
    if (result != PL_OK)
        return result;
    t->sorted = t->count;
    for (int64_t i = 0; i < t->count; i++)
        t->order[i] = (strand_order){t->form[i].solver, t->start[i + 1] - strand_first_point(t, i), (int32_t)i};
    if (t->count)
        qsort(t->order, (size_t)t->count, sizeof *t->order, compare_strands);
    return PL_OK;
}

// Gives the points their slots in the order in which the stages read them: those of a row are neighbours.
pl_result strands_place(pl_world *w, int32_t *number, int64_t *count)
{
    const strands *t = &w->strands;
    pl_result result = sort_strands(w);
    for (int64_t i = 0, end; result == PL_OK && i < t->count; i = end)
    {
        end = block_end(t, i);
        for (int32_t k = 0; k < t->order[i].points; k++)
            for (int64_t j = i; j < end; j++)
                if (k < t->order[j].points)
                    number[(*count)++] = t->member[strand_first_point(t, t->order[j].strand) + k];
    }
    return result;
}

pl_result strands_size(pl_world *w)
{
    strands *t = &w->strands;
    t->blocks = t->rows = 0;
    pl_result result = sort_strands(w);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < t->count; i = block_end(t, i))
    {
        t->blocks++;
        t->rows += t->order[i].points;
    }
    return PL_OK;
}

void strands_lay_out(pl_world *w, arena *a)
{
    const strands *t = &w->strands;
    packed_strands *p = &w->state.strands;
    p->blocks = t->blocks;
    p->count = PAD * t->blocks;
    p->rows = t->rows;
    packed_lay_out(&w->state, OWNER_STRANDS, a);
}

// Fills a lane of a block.
static void fill_strand(pl_world *w, int64_t strand, size_t lane, int32_t row, int32_t end)
{
    const strands *t = &w->strands;
    packed_strands *p = &w->state.strands;
    int32_t from = t->start[strand], first = strand_first_point(t, strand), last = t->start[strand + 1] - 1;
    p->correction[lane] = t->form[strand].correction;
    for (int c = 0; c < STRAND_CARRIERS && t->carriers[strand]; c++)
    {
        p->carrier[c][lane] = 4 * (uint32_t)w->numbers.slot_of[t->member[from + c]];
        p->share[c][lane] = t->length[from + c];
    }
    p->carried |= t->carriers[strand] > 0;
    for (int32_t k = 0; row < end; k++, row++)
    {
        int32_t member = first + k < last ? first + k : last;
        size_t at = (size_t)row * PAD + lane % PAD;
        p->index[at] = 4 * (uint32_t)w->numbers.slot_of[t->member[member]];
        p->rest[at] = k > 0 && first + k <= last ? t->length[member] : 0.0f;
        p->hangs[p->index[at] / 4] = k > 0;
        for (int c = 0; c < 3; c++)
            p->pull[c][at] = p->safe[c][at] = first + k <= last ? t->pull[3 * (size_t)member + (size_t)c] : 0.0f;
    }
}

// Fills a block with lanes of dummy slots.
static void clear_block(pl_world *w, int32_t block, int32_t row, int32_t end)
{
    packed_strands *p = &w->state.strands;
    const uint32_t dummy = 4 * (uint32_t)(w->dummy + w->order.tiles);
    for (size_t lane = (size_t)block * PAD; lane < (size_t)(block + 1) * PAD; lane++)
    {
        p->correction[lane] = 0.0f;
        for (int c = 0; c < STRAND_CARRIERS; c++)
            p->carrier[c][lane] = dummy, p->share[c][lane] = 0.0f;
    }
    for (size_t at = (size_t)row * PAD; at < (size_t)end * PAD; at++)
    {
        p->index[at] = dummy, p->rest[at] = 0.0f;
        for (int c = 0; c < 3; c++)
            p->pull[c][at] = p->safe[c][at] = 0.0f;
    }
}

void strands_fill(pl_world *w, int32_t *scratch)
{
    (void)scratch;
    const strands *t = &w->strands;
    packed_strands *p = &w->state.strands;
    int32_t block = 0, row = 0, solver = 0;
    p->carried = 0;
    if (t->count)
        memset(p->hangs, 0, (size_t)w->state.slots);
    for (int64_t i = 0, end; i < t->count; i = end, block++)
    {
        int32_t after = row + t->order[i].points;
        end = block_end(t, i);
        while (solver <= t->order[i].solver)
            p->solver[solver++] = PAD * block;
        p->block_row[block] = row;
        clear_block(w, block, row, after);
        for (int64_t k = i; k < end; k++)
            fill_strand(w, t->order[k].strand, (size_t)block * PAD + (size_t)(k - i), row, after);
        row = after;
    }
    while (solver <= PL_STRAND_SOLVERS)
        p->solver[solver++] = PAD * block;
    if (t->count)
        p->block_row[block] = row;
}

// Copies the pulls, or those at the start of the frame, to the user's arrays.
static void copy_pulls(pl_world *w, float *const from[3])
{
    strands *t = &w->strands;
    const packed_strands *p = &w->state.strands;
    for (int64_t i = 0, end, block = 0; i < t->count; i = end, block++)
    {
        end = block_end(t, i);
        for (int64_t k = i; k < end; k++)
            for (int32_t point = 0; point < t->order[k].points; point++)
            {
                size_t at = (size_t)(p->block_row[block] + point) * PAD + (size_t)(k - i);
                size_t member = (size_t)(strand_first_point(t, t->order[k].strand) + point);
                for (int c = 0; c < 3; c++)
                    t->pull[3 * member + (size_t)c] = from[c][at];
            }
    }
}

void strands_unpack(pl_world *w) { copy_pulls(w, w->state.strands.pull); }

// A failed frame: the pulls are those of its start again.
void strands_back(pl_world *w)
{
    if (groups_packed(w))
        copy_pulls(w, w->state.strands.safe);
}

// ---- stages --------------------------------------------------------------------------------------------------------

// Plans a stage over the strands of one solver: the last block of each may write to the same dummy slot.
static void plan_strands(planner *p, int op, int solver, bool first)
{
    const packed_strands *t = &p->world->state.strands;
    stage g = {.op = (uint8_t)op, .kind = (uint8_t)solver, .first = first, .grain_size = PAD};
    g.begin = t->solver[solver], g.end = t->solver[solver + 1];
    if (t->count && g.begin < g.end)
        plan_stage(p, g);
}

void strands_plan(planner *p, enum plan_hook hook, int iteration)
{
    for (int solver = 0; hook == PLAN_ITERATION_END && solver < PL_STRAND_SOLVERS; solver++)
        plan_strands(p, OP_STRAND_PASS, solver, iteration == 0);
    if (hook == PLAN_FRAME)
        plan_strands(p, OP_STRAND_KEEP, PL_STRAND_DFTL, false);
    if (hook == PLAN_PREDICT)
        plan_strands(p, OP_STRAND_RETURN, PL_STRAND_DFTL, false);
}
