// edits.h: random edits of a running world, the same for every way of running it, and a look at what is packed by brute
// force.
#pragma once
#include "support/support.h"
#include "model/world.h"
#include "groups/group.h"
#include "layout/compile.h"

// ---- what is packed ------------------------------------------------------------------------------------------------

// No two rows of a run touch a particle that one of them moves, and no two stretches of it share a dummy, which workers
// would both write to.
static inline void check_disjoint(const pl_world *w, run q, int32_t *moved, int32_t *read, int32_t *stamp, int tile)
{
    const packed_rows *p = &w->state.rows[q.kind];
    const kind_facts *k = facts_of(q.kind);
    int32_t base = *stamp;
    for (int32_t at = q.begin; at < q.end; at++)
        for (int i = 0; i < k->info.arity; i++)
        {
            int32_t slot = (int32_t)(p->index[i][at] / 4), mine = base + 1 + at / PAD;
            assert_in_range(slot, 0, w->state.slots - 1);
            bool dummy = slot >= w->dummy;
            if (dummy && tile >= 0)
                continue; // a tile is one worker's
            bool other = moved[slot] > base && !(dummy && moved[slot] == mine);
            if (other || (!dummy && i < k->writes && read[slot] > base))
                fail_msg("%s: two rows of a colour share slot %d", k->info.name, slot);
            if (i < k->writes || dummy)
                moved[slot] = mine;
            else
                read[slot] = mine;
        }
    *stamp = base + 2 + q.end / PAD;
}

static inline float number_at(const float *column, uint8_t step, int32_t at) { return column[step ? at : 0]; }

// Every row that holds is in one place, with its own numbers; every other place holds nothing.
static inline void check_rows_of(const pl_world *w, int kind, uint8_t *taken)
{
    const rows *r = &w->rows[kind];
    const packed_rows *p = &w->state.rows[kind];
    const kind_facts *k = facts_of(kind);
    memset(taken, 0, (size_t)p->jacobi_end + 1);
    for (int64_t row = 0; row < r->count; row++)
    {
        int32_t at = r->packed_at[row];
        if (row_broken(r, row) != (at < 0))
            fail_msg("%s %lld is broken and has a place, or neither", k->info.name, (long long)row);
        if (at < 0)
            continue;
        if (at >= p->jacobi_end || taken[at]++)
            fail_msg("%s %lld: place %d is another's", k->info.name, (long long)row, at);
        for (int i = 0; i < k->info.arity; i++)
            assert_int_equal(p->index[i][at], 4 * w->numbers.slot_of[r->index[row * k->info.arity + i]]);
        for (int i = 0; i < k->info.params && !(r->damage && r->damage[row].yield > 0.0f); i++)
            if (number_at(p->param[i], p->param_step[i], at) != r->param[row * k->info.params + i])
                fail_msg("%s %lld has lost its %s", k->info.name, (long long)row, k->info.param_names[i]);
        if (number_at(p->compliance, p->compliance_step, at) != r->soft[row].compliance)
            fail_msg("%s %lld has lost its compliance", k->info.name, (long long)row);
    }
    for (int32_t at = 0; r->count && at < p->jacobi_end; at++)
        if (!taken[at] && p->index[0][at] < 4 * (uint32_t)w->dummy)
            fail_msg("%s: nobody has place %d, and it points at slot %u", k->info.name, at, p->index[0][at] / 4);
}

// Each place is in one run, or the Jacobi way's.
static inline void check_runs(const pl_world *w, uint8_t *taken, int32_t *moved, int32_t *read)
{
    int32_t stamp = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *p = &w->state.rows[kind];
        memset(taken, 0, (size_t)p->jacobi_end + 1);
        for (int64_t i = 0; i < w->run_count; i++)
            for (int32_t at = w->runs[i].begin; w->runs[i].kind == kind && at < w->runs[i].end; at++)
                taken[at]++;
        for (int32_t i = 0; w->state.tiles && i < w->state.tile_start[w->state.tiles]; i++)
            for (int32_t at = w->state.tile_run[i].begin;
                 w->state.tile_run[i].kind == kind && at < w->state.tile_run[i].end; at++)
                taken[at]++;
        for (int32_t at = p->jacobi_begin; at < p->jacobi_end; at++)
            taken[at]++;
        for (int64_t row = 0; row < w->rows[kind].count; row++)
            if (w->rows[kind].packed_at[row] >= 0)
                assert_int_equal(taken[w->rows[kind].packed_at[row]], 1);
    }
    for (int64_t i = 0; i < w->run_count; i++)
        check_disjoint(w, w->runs[i], moved, read, &stamp, -1);
    for (int32_t t = 0; t < w->state.tiles; t++)
        for (int32_t i = w->state.tile_start[t]; i < w->state.tile_start[t + 1]; i++)
            check_disjoint(w, w->state.tile_run[i], moved, read, &stamp, t);
}

static inline void check_slots(const pl_world *w)
{
    int32_t live = 0;
    for (int32_t slot = 0; slot < w->state.slots; slot++)
    {
        int32_t number = w->number_of[slot];
        live += number >= 0;
        if (number >= 0)
            assert_int_equal(w->numbers.slot_of[number], slot);
        for (int i = 0; number < 0 && i < 4; i++)
            if (w->state.slot[SLOT_X][4 * slot + i] != 0.0f || w->state.slot[SLOT_V][4 * slot + i] != 0.0f ||
                w->state.slot[SLOT_COLLISION][4 * slot] != 0.0f)
                fail_msg("slot %d is nobody's, and not empty", slot);
    }
    assert_int_equal(live, w->live);
}

// The lists of objects lie in their room and name the slots of each object's own particles.
static inline void check_objects(const pl_world *w)
{
    const packed_lists *o = &w->state.lists[LISTS_OBJECTS];
    int32_t object = 0;
    if (w->objects_stale)
        return; // nobody reads them
    if (o->count > o->room || o->chunks > o->chunk_room || o->blocks > o->block_room ||
        o->start[o->count] > o->member_room)
        fail_msg("%d objects of %d chunks in a room for %d of %d", o->count, o->chunks, o->room, o->chunk_room);
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        const id_entry *t = &w->entries[i];
        if (t->type != ID_OBJECT || t->owner)
            continue;
        for (int32_t k = 0; k < t->count; k++)
            assert_int_equal(o->member[o->start[object] + k], 4 * w->numbers.slot_of[t->first + k]);
        object++;
    }
    assert_int_equal(object, o->count);
}

static inline void check_packing(pl_world *w)
{
    good(compile(w));
    int32_t most = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        most = w->state.rows[kind].jacobi_end > most ? w->state.rows[kind].jacobi_end : most;
    uint8_t *taken = malloc((size_t)most + 1);
    int32_t *moved = calloc(2 * (size_t)w->state.slots, sizeof *moved);
    check_slots(w);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        check_rows_of(w, kind, taken);
    check_runs(w, taken, moved, moved + w->state.slots);
    check_objects(w);
    free(taken);
    free(moved);
}
