// row_colours.c: assigns colours to rows: to all of them from scratch, in the user's order, or to one row that is
// added.
//
// Rows inside a tile are coloured among themselves. Rows that are added later take the lowest free colour outside the
// tiles.
#include "layout/colour.h"
#include "model/world.h"

#include <string.h>

enum
{
    HUB_DEGREE = 12, // links at an inner particle of a cloth, the most that a regular mesh has
};

bool keeps_order(const pl_world *w) { return w->order.settled && !w->particles_stale && !w->colours_stale; }

int32_t tile_of(const pl_world *w, const int32_t *slots, int arity)
{
    // Tiles are ranges of slots of nearly equal size: guess, then step. Particles added or split off since lie behind
    // all tiles.
    const int32_t *first = w->order.tile_first;
    if (!w->order.tiles || slots[0] >= first[w->order.tiles])
        return -1;
    int32_t t = (int32_t)((int64_t)slots[0] * w->order.tiles / first[w->order.tiles]);
    while (first[t] > slots[0])
        t--;
    while (first[t + 1] <= slots[0])
        t++;
    for (int i = 1; i < arity; i++)
        if (slots[i] < first[t] || slots[i] >= first[t + 1])
            return -1;
    return t;
}

void row_slots(const pl_world *w, int kind, int64_t row, int32_t *slots)
{
    int arity = facts_of(kind)->info.arity;
    for (int i = 0; i < arity; i++)
        slots[i] = w->numbers.slot_of[w->rows[kind].index[row * arity + i]];
}

static int cap_of(const pl_world *w, const kind_facts *k) { return k->frames ? COLOUR_CAP : colour_cap(&w->settings); }
static bool may_spoke(const kind_facts *k) { return k->info.arity == 2 && k->writes == 2; }
static bool has_readers(const kind_facts *k) { return k->info.arity > k->writes; }

// A spoke is a link of a hub, a particle with very many links. Solving the spokes one after the other pushes the hub in
// circles and gains energy (a rigid star of 32 equal masses blows up in a second), so they are solved together by
// Jacobi iteration, which is stable.
static bool is_spoke(const kind_facts *k, const int32_t *slots, const int32_t *degree)
{
    if (!may_spoke(k))
        return false;
    if (k->rule == PARAM_ATTACH) // solved together, and not by Jacobi iteration: stages/attachment_stages.h
        return true;
    int32_t a = degree[slots[0]], b = degree[slots[1]], most = a > b ? a : b, least = a > b ? b : a;
    return most > HUB_DEGREE && 4 * least < most;
}

// Counts for each slot how many rows of a kind move it.
static void count_degrees(const pl_world *w, int kind, int32_t *degree)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    memset(degree, 0, (size_t)w->state.particles * sizeof *degree);
    for (int64_t row = 0; row < r->count; row++)
        for (int i = 0; i < k->writes && !row_broken(r, row); i++)
            degree[w->numbers.slot_of[r->index[row * k->info.arity + i]]]++;
}

void colours_clear(pl_world *w)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        if (w->rows[kind].count)
            memset(w->rows[kind].colour, COLOUR_NONE, (size_t)w->rows[kind].count);
}

void colour_kind(pl_world *w, int kind, colour_masks m, int32_t *degree)
{
    const kind_facts *k = facts_of(kind);
    rows *r = &w->rows[kind];
    size_t bytes = (size_t)w->state.particles * sizeof(uint64_t);
    int32_t slots[PL_MAX_ARITY];
    w->colour_ranges[kind].ready = false; // also without rows: the masks may still have those that were removed
    if (r->count == 0)
        return;
    count_degrees(w, kind, degree);
    for (int pass = w->order.tiles ? 0 : 1; pass < 2; pass++)
    {
        memset(m.moved, 0, bytes);
        memset(m.read, 0, bytes);
        for (int64_t row = 0; row < r->count; row++)
        {
            if (r->colour[row] != COLOUR_NONE || row_broken(r, row))
                continue;
            row_slots(w, kind, row, slots);
            bool spoke = is_spoke(k, slots, degree);
            if (pass == 0 && (spoke || tile_of(w, slots, k->info.arity) < 0))
                continue;
            int colour = spoke ? COLOUR_CAP : colour_row(slots, k->info.arity, k->writes, cap_of(w, k), m);
            if (pass == 1)
                r->colour[row] = (uint8_t)(colour == COLOUR_CAP ? COLOUR_JACOBI : COLOUR_PLAIN + colour);
            else if (colour < COLOUR_CAP)
                r->colour[row] = (uint8_t)colour;
        }
    }
}

// ---- single rows ---------------------------------------------------------------------------------------------------

// Sets the bits of a row that has a plain colour; returns the bits of that colour that conflict with earlier rows.
static uint64_t set_bits(const kind_facts *k, const int32_t *slots, int colour, colour_masks m)
{
    uint64_t bit = (uint64_t)1 << colour, taken = 0;
    for (int i = 0; i < k->info.arity; i++)
        taken |= m.moved[slots[i]] | (i < k->writes && has_readers(k) ? m.read[slots[i]] : 0);
    for (int i = 0; i < k->info.arity; i++)
        if (i < k->writes)
            m.moved[slots[i]] |= bit;
        else
            m.read[slots[i]] |= bit;
    return taken & bit;
}

// Reserves an entry for every possible slot; new entries are 0.
static pl_result reserve(pl_world *w, int kind)
{
    colour_ranges *f = &w->colour_ranges[kind];
    const kind_facts *k = facts_of(kind);
    int64_t slots = w->slot_capacity[SLOT_X];
    pl_result result = array_reserve(&w->memory, &f->masks.moved, &f->moved_capacity, slots, sizeof *f->masks.moved);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &f->masks.read, &f->read_capacity, has_readers(k) ? slots : 1,
                               sizeof *f->masks.read);
    if (result == PL_OK && may_spoke(k))
        result = array_reserve(&w->memory, &f->degree, &f->degree_capacity, slots, sizeof *f->degree);
    return result;
}

pl_result colours_reserve(pl_world *w)
{
    pl_result result = PL_OK;
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        result = w->colour_ranges[kind].ready ? reserve(w, kind) : PL_OK;
    return result;
}

pl_result colours_open(pl_world *w, int kind)
{
    colour_ranges *f = &w->colour_ranges[kind];
    pl_result result = reserve(w, kind);
    if (result != PL_OK || f->ready)
        return result;
    memset(f->masks.moved, 0, (size_t)f->moved_capacity * sizeof *f->masks.moved);
    memset(f->masks.read, 0, (size_t)f->read_capacity * sizeof *f->masks.read);
    if (f->degree)
        memset(f->degree, 0, (size_t)f->degree_capacity * sizeof *f->degree);
    f->ready = true;
    for (int64_t row = 0; row < w->rows[kind].count; row++)
        colour_enter(w, kind, row);
    return PL_OK;
}

void colour_enter(pl_world *w, int kind, int64_t row)
{
    colour_ranges *f = &w->colour_ranges[kind];
    const kind_facts *k = facts_of(kind);
    int colour = w->rows[kind].colour[row];
    int32_t slots[PL_MAX_ARITY];
    if (!f->ready || colour == COLOUR_NONE)
        return;
    row_slots(w, kind, row, slots);
    for (int i = 0; f->degree && i < k->writes; i++)
        f->degree[slots[i]]++;
    if (colour >= COLOUR_PLAIN && colour < COLOUR_GROUP)
        set_bits(k, slots, colour - COLOUR_PLAIN, f->masks);
}

void colour_leave(pl_world *w, int kind, int64_t row)
{
    colour_ranges *f = &w->colour_ranges[kind];
    const kind_facts *k = facts_of(kind);
    int colour = w->rows[kind].colour[row];
    int32_t slots[PL_MAX_ARITY];
    if (!f->ready || colour == COLOUR_NONE)
        return;
    if (has_readers(k))
    {
        f->ready = false; // other rows of the colour may read the same particle
        return;
    }
    row_slots(w, kind, row, slots);
    for (int i = 0; f->degree && i < k->writes; i++)
        f->degree[slots[i]]--;
    if (colour >= COLOUR_PLAIN && colour < COLOUR_GROUP)
        for (int i = 0; i < k->writes; i++)
            f->masks.moved[slots[i]] &= ~((uint64_t)1 << (colour - COLOUR_PLAIN));
}

bool colour_join(pl_world *w, int kind, int64_t row)
{
    colour_ranges *f = &w->colour_ranges[kind];
    const kind_facts *k = facts_of(kind);
    int32_t slots[PL_MAX_ARITY];
    row_slots(w, kind, row, slots);
    for (int i = 0; f->degree && i < k->writes; i++)
        f->degree[slots[i]]++;
    uint64_t taken = 0;
    for (int i = 0; i < k->info.arity; i++)
        taken |= f->masks.moved[slots[i]] | (i < k->writes && has_readers(k) ? f->masks.read[slots[i]] : 0);
    int colour = taken == UINT64_MAX ? COLOUR_CAP : __builtin_ctzll(~taken);
    if (colour >= cap_of(w, k) || is_spoke(k, slots, f->degree))
    {
        f->ready = false;
        return false;
    }
    set_bits(k, slots, colour, f->masks);
    w->rows[kind].colour[row] = (uint8_t)(COLOUR_PLAIN + colour);
    return true;
}

// Checks that no two rows of a colour use a particle that one of them moves, inside and outside the tiles.
pl_result colours_check(pl_world *w, int kind)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    int32_t slots[PL_MAX_ARITY];
    void *block = NULL;
    size_t each = (size_t)w->used * sizeof(uint64_t);
    if (r->count == 0)
        return PL_OK;
    pl_result result = memory_resize(&w->memory, &block, 0, 4 * each + 1);
    if (result != PL_OK)
        return result;
    uint64_t *mask = block;
    colour_masks masks[2] = {{mask, mask + w->used}, {mask + 2 * (int64_t)w->used, mask + 3 * (int64_t)w->used}};
    bool good = true;
    for (int64_t row = 0; good && row < r->count; row++)
    {
        int colour = r->colour[row], plain = colour >= COLOUR_PLAIN;
        good = (colour == COLOUR_NONE) == row_broken(r, row) && (colour <= COLOUR_JACOBI || colour == COLOUR_NONE);
        if (!good || colour >= COLOUR_GROUP)
            continue;
        row_slots(w, kind, row, slots);
        good = (plain || tile_of(w, slots, k->info.arity) >= 0) &&
               !set_bits(k, slots, plain ? colour - COLOUR_PLAIN : colour, masks[plain]);
    }
    memory_free(&w->memory, block, 4 * each + 1);
    return good ? PL_OK : fail(PL_ERROR_ARGUMENT, "%s: two rows of a colour share a particle", k->info.name);
}

void colours_forget(pl_world *w)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        w->colour_ranges[kind].ready = false;
}

void colours_free(pl_world *w)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        colour_ranges *f = &w->colour_ranges[kind];
        array_free(&w->memory, &f->masks.moved, &f->moved_capacity, sizeof *f->masks.moved);
        array_free(&w->memory, &f->masks.read, &f->read_capacity, sizeof *f->masks.read);
        array_free(&w->memory, &f->degree, &f->degree_capacity, sizeof *f->degree);
    }
}
