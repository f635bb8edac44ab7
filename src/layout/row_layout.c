// row_layout.c: assigns rows their order in memory: tile by tile and colour by colour, padded, with room for more rows
// once a world has been edited.
#include "layout/colour.h"
#include "layout/packing.h"

#include <string.h>

int32_t spare_slot(const pl_world *w, int64_t packed_at, int32_t tile)
{
    return w->dummy + (tile >= 0 ? tile : w->order.tiles + (int32_t)(packed_at / PAD % w->spares));
}

static uint32_t offset_of(int32_t slot) { return 4 * (uint32_t)slot; }
static int32_t slot_at(uint32_t offset) { return (int32_t)(offset / 4); }

int64_t groups_of(const pl_world *w) { return ((int64_t)w->order.tiles + 1) * COLOUR_CAP + 2; }

static int32_t group_of(const pl_world *w, int kind, int64_t row)
{
    int32_t slots[PL_MAX_ARITY], colour = w->rows[kind].colour[row];
    if (colour == COLOUR_NONE)
        return -1;
    if (colour >= COLOUR_PLAIN)
        return w->order.tiles * COLOUR_CAP + colour - COLOUR_PLAIN; // the last two: groups, Jacobi
    row_slots(w, kind, row, slots);
    return tile_of(w, slots, 1) * COLOUR_CAP + colour;
}

// Number of packed rows for `count` rows of a group: more for plain colours, where rows may be added, and some for one
// colour that is not used yet.
static int64_t rows_for(const pl_world *w, int kind, int64_t plain, int64_t count, bool *fresh)
{
    if (!w->roomy || plain < 0 || plain >= COLOUR_CAP)
        return round_up(count);
    if (count)
        return round_up(count) + (PAD << w->colour_ranges[kind].growth) * (1 + count / 512);
    bool one = *fresh;
    *fresh = false;
    return one ? PAD << w->colour_ranges[kind].growth : 0;
}

void size_groups(pl_world *w, int kind, sorting *s)
{
    colour_ranges *f = &w->colour_ranges[kind];
    int64_t seams = (int64_t)w->order.tiles * COLOUR_CAP, count = w->rows[kind].count;
    bool fresh = count > 0;
    s->groups = groups_of(w);
    memset(s->group_start, 0, (size_t)(s->groups + 1) * sizeof *s->group_start);
    for (int64_t row = 0; row < count; row++)
    {
        s->group[row] = group_of(w, kind, row);
        if (s->group[row] >= 0)
            s->group_start[s->group[row]]++;
    }
    s->padded = 0;
    for (int64_t g = 0; g <= s->groups; g++)
    {
        int64_t here = g < s->groups ? s->group_start[g] : 0, plain = g - seams;
        s->group_start[g] = (int32_t)s->padded;
        s->padded += rows_for(w, kind, plain, here, &fresh);
        if (plain < 0)
            continue;
        f->start[plain] = s->group_start[g];
        if (plain < COLOUR_CAP)
        {
            f->count[plain] = (int32_t)here;
            f->next[plain] = f->start[plain];
        }
    }
}

// Assigns each row its index among the packed rows: inside a group by the slot of its first particle, so that
// neighbours are solved together.
void place_rows(const pl_world *w, int kind, const sorting *s, int32_t *by_slot, int32_t *slot_start, int32_t *next)
{
    const rows *r = &w->rows[kind];
    int arity = facts_of(kind)->info.arity;
    memset(slot_start, 0, (size_t)(w->used + 1) * sizeof *slot_start);
    for (int64_t row = 0; row < r->count; row++)
        slot_start[w->numbers.slot_of[r->index[row * arity]] + 1]++;
    for (int32_t i = 0; i < w->used; i++)
        slot_start[i + 1] += slot_start[i];
    for (int64_t row = 0; row < r->count; row++)
        by_slot[slot_start[w->numbers.slot_of[r->index[row * arity]]]++] = (int32_t)row;
    memcpy(next, s->group_start, (size_t)s->groups * sizeof *next);
    for (int64_t i = 0; i < r->count; i++)
    {
        int32_t group = s->group[by_slot[i]];
        r->packed_at[by_slot[i]] = group < 0 ? -1 : next[group]++;
    }
}

void fill_rows(pl_world *w, int kind, const sorting *s)
{
    const rows *r = &w->rows[kind];
    const kind_facts *k = facts_of(kind);
    packed_rows *p = &w->state.rows[kind];
    // Padding rows point at the dummy slot of their tile, or at one of the dummies for all other rows.
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t at = s->group_start[g]; at < s->group_start[g + 1]; at++)
        {
            int64_t tile = g / COLOUR_CAP;
            for (int i = 0; i < k->info.arity; i++)
                p->index[i][at] = offset_of(spare_slot(w, at, tile < w->order.tiles ? (int32_t)tile : -1));
            for (int part = 0; part < k->info.parts; part++)
                *lambda_at(p, at, part) = 0.0f;
            if (k->bound)
                p->active[at] = 0;
        }
    for (int64_t row = 0; row < r->count; row++)
    {
        int32_t slots[PL_MAX_ARITY], at = r->packed_at[row];
        if (at < 0)
            continue;
        row_slots(w, kind, row, slots);
        for (int i = 0; i < k->info.arity; i++)
            p->index[i][at] = offset_of(slots[i]);
        for (int part = 0; part < k->info.parts; part++)
            *lambda_at(p, at, part) = r->lambda[row * k->info.parts + part];
        if (k->bound)
            p->active[at] = r->lambda[row] != 0.0f;
    }
    w->rows_stale[kind] = true;
}

// For rows solved by Jacobi iteration: counts how many of them share each particle, and lists for each particle the
// entries it sums.
void fill_jacobi(pl_world *w, int kind, int32_t *next)
{
    packed_rows *p = &w->state.rows[kind];
    int writes = facts_of(kind)->writes;
    int32_t n = p->jacobi_end - p->jacobi_begin, entries = 0;
    p->jacobi_slots = 0;
    if (n == 0)
        return;
    memset(next, 0, (size_t)w->used * sizeof *next);
    for (int i = 0; i < writes; i++)
        for (int32_t k = p->jacobi_begin; k < p->jacobi_end; k++)
            if (slot_at(p->index[i][k]) < w->used)
                next[slot_at(p->index[i][k])]++;
    for (int32_t slot = 0; slot < w->state.slots; slot++)
    {
        int32_t shared = slot < w->used ? next[slot] : 0;
        p->split[4 * (size_t)slot] = shared ? (float)shared : 1.0f;
        if (!shared)
            continue;
        p->jacobi_slot[p->jacobi_slots] = slot;
        p->jacobi_start[p->jacobi_slots++] = entries;
        next[slot] = entries;
        entries += shared;
    }
    p->jacobi_start[p->jacobi_slots] = entries;
    for (int i = 0; i < writes; i++)
        for (int32_t k = 0; k < n; k++)
        {
            int32_t slot = slot_at(p->index[i][p->jacobi_begin + k]);
            if (slot < w->used)
                p->jacobi_entry[next[slot]++] = i * n + k;
        }
}

int64_t count_tile_runs(const pl_world *w, const sorting *sorted)
{
    int64_t runs = 0, seams = (int64_t)w->order.tiles * COLOUR_CAP;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t g = 0; g < seams; g++)
            runs += sorted[kind].group_start[g] < sorted[kind].group_start[g + 1];
    return runs;
}

// The runs are listed tile by tile, in a tile kind by kind, in a kind colour by colour.
void list_tile_runs(pl_world *w, const sorting *sorted)
{
    state *s = &w->state;
    int32_t at = 0;
    for (int32_t tile = 0; tile < w->order.tiles; tile++)
    {
        s->tile_start[tile] = at;
        for (int kind = 0; kind < PL_KIND_COUNT; kind++)
            for (int c = 0; c < COLOUR_CAP && !is_solved_apart(&w->settings, kind); c++)
            {
                const int32_t *start = sorted[kind].group_start + (int64_t)tile * COLOUR_CAP + c;
                if (start[0] < start[1])
                    s->tile_run[at++] = (run){kind, start[0], start[1]};
            }
    }
    s->tile_start[w->order.tiles] = at;
    if (w->order.tiles)
        memcpy(s->tile_first, w->order.tile_first, (size_t)(w->order.tiles + 1) * sizeof *s->tile_first);
    s->tiles = at ? w->order.tiles : 0;
}

// Lists the runs outside the tiles: every colour of a small scene, or the rows across tiles of a large one.
pl_result list_runs(pl_world *w)
{
    w->run_count = 0;
    pl_result result =
        array_reserve(&w->memory, &w->runs, &w->run_capacity, PL_KIND_COUNT * COLOUR_CAP, sizeof *w->runs);
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        for (int c = 0; c < COLOUR_CAP; c++)
        {
            const colour_ranges *f = &w->colour_ranges[kind];
            if (f->count[c])
                w->runs[w->run_count++] = (run){kind, f->start[c], f->start[c + 1]};
        }
    w->runs_stale = false;
    return result;
}
