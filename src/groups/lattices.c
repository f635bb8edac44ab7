// lattices.c: overlapping regions on a lattice: adding them, changing them, taking them out. lattices_pack.c packs them.
#include "core/arena.h"
#include "groups/lattice_box.h"
#include "model/model_columns.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

pl_lattice_def pl_default_lattice_def(void) { return (pl_lattice_def){.half_width = 2, .stiffness = 1.0f}; }

enum
{
    MOST_HALF = 1 << 12,
};

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_numbers(int half, float stiffness)
{
    if (half < 1 || half > MOST_HALF)
        return fail(PL_ERROR_ARGUMENT, "lattice: half_width is %d cells; it must be from 1 to %d", half, MOST_HALF);
    if (!(stiffness > 0.0f && stiffness <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "lattice: stiffness is %g; it must be above 0 and at most 1", (double)stiffness);
    return PL_OK;
}

// taken: room for every particle number; filled: for every cell.
static pl_result check_cells(const pl_world *w, const int32_t *member, const int32_t *cell, int64_t count,
                             const lattice_box *b, uint8_t *taken, uint8_t *filled)
{
    memset(filled, 0, (size_t)b->cells);
    for (int64_t i = 0; i < count; i++)
    {
        if (slot_of(w, member[i]) < 0)
            return fail(PL_ERROR_ARGUMENT, "lattice: particle %d does not exist; numbers go from 0 to %d", member[i],
                        w->numbers.end - 1);
        if (taken[member[i]])
            return fail(PL_ERROR_ARGUMENT, "lattice: particle %d is in a lattice already", member[i]);
        if (filled[place_in(b, cell + 3 * i)])
            return fail(PL_ERROR_ARGUMENT, "lattice: cell %d %d %d has two particles; it may have one", cell[3 * i],
                        cell[3 * i + 1], cell[3 * i + 2]);
        taken[member[i]] = 1;
        filled[place_in(b, cell + 3 * i)] = 1;
    }
    return PL_OK;
}

static pl_result check_all(pl_world *w, const int32_t *member, const int32_t *cell, int64_t count, int64_t lattices)
{
    uint8_t *taken = NULL, *filled = NULL;
    int64_t taken_capacity = 0, filled_capacity = 0;
    const lattice_box b = box_of(cell, count);
    int64_t cells = b.cells;
    for (int64_t i = 0; i < lattices && cells <= MOST_CELLS; i++)
        cells += box_of(w->lattices.cell + 3 * (int64_t)w->lattices.start[i],
                        w->lattices.start[i + 1] - w->lattices.start[i])
                     .cells;
    if (cells > MOST_CELLS)
        return fail(PL_ERROR_ARGUMENT,
                    "lattice: its cells fill a box of %d x %d x %d; at most %d, empty ones too, fit all lattices of a "
                    "world",
                    b.size[0], b.size[1], b.size[2], MOST_CELLS);
    pl_result result = array_reserve(&w->memory, &taken, &taken_capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &filled, &filled_capacity, b.cells, 1);
    if (result == PL_OK)
    {
        memset(taken, 0, (size_t)w->numbers.end + 1);
        for (int64_t i = 0; lattices && i < w->lattices.start[lattices]; i++)
            taken[w->lattices.member[i]] = 1;
        result = check_cells(w, member, cell, count, &b, taken, filled);
    }
    array_free(&w->memory, &taken, &taken_capacity, 1);
    array_free(&w->memory, &filled, &filled_capacity, 1);
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result reserve(pl_world *w, int64_t more)
{
    lattices *l = &w->lattices;
    pl_result r = columns_reserve(w, PER_LATTICES_START, 0, l->count + 2);
    if (r == PL_OK)
        r = columns_reserve(w, PER_LATTICES_GROUP, 0, l->count + 1);
    return r == PL_OK ? columns_reserve(w, PER_LATTICES_MEMBER, 0, l->members + more) : r;
}

pl_result pl_add_lattice(pl_world *w, const pl_lattice_def *def, pl_id *lattice)
{
    NEED(w);
    NEED(def);
    NEED(def->particles);
    NEED(def->cells);
    PLAIN_ROUNDING;
    if (def->count < 1 || def->count > MOST_CELLS)
        return fail(PL_ERROR_ARGUMENT, "lattice: count is %d; it must be from 1 to %d", def->count, MOST_CELLS);
    lattices *l = &w->lattices;
    pl_result result = check_numbers(def->half_width, def->stiffness);
    if (result == PL_OK)
        result = check_all(w, def->particles, def->cells, def->count, l->count);
    if (result == PL_OK)
        result = heat_check_added(w, def->particles, def->count, "a lattice");
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = groups_open(w);
    if (result == PL_OK)
        result = reserve(w, def->count);
    if (result == PL_OK)
        result = thing_reserve(w, 1);
    if (result != PL_OK)
        return result;
    thing t = {.type = THING_LATTICE, .first = (int32_t)l->count, .count = 1};
    l->rule[l->count] = (lattice_rule){def->half_width, def->stiffness};
    l->start[l->count++] = (int32_t)l->members;
    memcpy(l->member + l->members, def->particles, (size_t)def->count * sizeof *l->member);
    memcpy(l->cell + 3 * l->members, def->cells, 3 * (size_t)def->count * sizeof *l->cell);
    for (int i = 0; i < def->count; i++, l->members++)
    {
        static const float unturned[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        memcpy(l->rest + 3 * l->members, w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, def->particles[i]),
               3 * sizeof(float));
        memcpy(l->turn + 4 * l->members, unturned, sizeof unturned);
    }
    l->start[l->count] = (int32_t)l->members;
    w->flow.smooth = 0;
    return thing_add(w, t, lattice);
}

bool pl_is_lattice(const pl_world *w, pl_id block)
{
    return w && block.index > 0 && block.index < w->thing_count && w->things[block.index].type == THING_LATTICE &&
           w->things[block.index].generation == block.generation;
}

pl_result pl_set_lattice(pl_world *w, pl_id lattice, int half_width, float stiffness)
{
    NEED(w);
    const thing *t = thing_of(w, lattice, THING_LATTICE, "set lattice");
    pl_result result = t ? check_numbers(half_width, stiffness) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    w->lattices.rule[t->first] = (lattice_rule){half_width, stiffness};
    return PL_OK;
}

pl_result lattices_check(pl_world *w)
{
    const lattices *l = &w->lattices;
    int64_t where;
    if (l->count == 0)
        return l->members == 0 ? PL_OK : PL_ERROR_FORMAT;
    if (l->start[0] != 0 || l->start[l->count] != l->members || !all_finite(l->rest, 3 * l->members, &where) ||
        !all_finite(l->turn, 4 * l->members, &where))
        return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < l->count; i++)
        if (l->start[i] >= l->start[i + 1] || l->start[i + 1] > l->members)
            return PL_ERROR_FORMAT;
    for (int64_t i = 1; i < w->thing_count; i++)
        if (w->things[i].type == THING_LATTICE && w->things[i].count != 1)
            return PL_ERROR_FORMAT;
    pl_result result = PL_OK;
    for (int64_t i = 0; i < l->members; i++)
        if (slot_of(w, l->member[i]) < 0)
            return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < l->count && result == PL_OK; i++)
    {
        int64_t first = l->start[i];
        result = check_numbers(l->rule[i].half, l->rule[i].stiffness);
        if (result == PL_OK)
            result = check_all(w, l->member + first, l->cell + 3 * first, l->start[i + 1] - first, i);
    }
    return result;
}

void lattices_compact(pl_world *w, int64_t at)
{
    lattices *l = &w->lattices;
    int64_t from = l->start[at], to = l->start[at + 1], gone = to - from;
    columns_remove(w, PER_LATTICES_MEMBER, 0, from, gone);
    columns_remove(w, PER_LATTICES_GROUP, 0, at, 1);
    columns_remove(w, PER_LATTICES_START, 0, at, 1);
    l->count--;
    l->members -= gone;
    for (int64_t i = at; i <= l->count; i++)
        l->start[i] -= (int32_t)gone;
}

void lattices_free(pl_world *w) { columns_free(w, MODEL_OF_LATTICES); }
