// lattices.c: adds, checks and changes lattices (lattice shape matching). lattices_pack.c makes their packed form.
#include "core/arena.h"
#include "groups/group.h"
#include "groups/lattice_box.h"
#include "groups/lattices.h"
#include "groups/melting.h"
#include "groups/particle_rotation.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

extern const group_kind lattices_kind;

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

// taken: a flag for each particle number; filled: a flag for each cell.
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
            return fail(PL_ERROR_ARGUMENT, "lattice: particle %d is in a lattice already; remove that lattice first",
                        member[i]);
        if (filled[cell_index(b, cell + 3 * i)])
            return fail(PL_ERROR_ARGUMENT, "lattice: cell %d %d %d has two particles; it may have one", cell[3 * i],
                        cell[3 * i + 1], cell[3 * i + 2]);
        taken[member[i]] = 1;
        filled[cell_index(b, cell + 3 * i)] = 1;
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
        result = group_begin(w, &lattices_kind, 1, def->count);
    if (result != PL_OK)
        return result;
    l->rule[l->count] = (lattice_rule){def->half_width, def->stiffness};
    l->start[l->count++] = (int32_t)l->members;
    memcpy(l->member + l->members, def->particles, (size_t)def->count * sizeof *l->member);
    memcpy(l->cell + 3 * l->members, def->cells, 3 * (size_t)def->count * sizeof *l->cell);
    for (int i = 0; i < def->count; i++, l->members++)
    {
        static const float unturned[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        memcpy(l->rest + 3 * l->members, w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, def->particles[i]),
               3 * sizeof(float));
        memcpy(l->rotation + 4 * l->members, unturned, sizeof unturned);
    }
    l->start[l->count] = (int32_t)l->members;
    return group_end(w, &lattices_kind, l->count - 1, lattice);
}

bool pl_is_lattice(const pl_world *w, pl_id block)
{
    return w && block.index > 0 && block.index < w->entry_count && w->entries[block.index].type == ID_LATTICE &&
           w->entries[block.index].generation == block.generation;
}

pl_result pl_set_lattice(pl_world *w, pl_id lattice, int half_width, float stiffness)
{
    NEED(w);
    const id_entry *t = id_find(w, lattice, ID_LATTICE, "set lattice");
    pl_result result = t ? check_numbers(half_width, stiffness) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    w->lattices.rule[t->first] = (lattice_rule){half_width, stiffness};
    return PL_OK;
}

static pl_result lattices_check(pl_world *w)
{
    const lattices *l = &w->lattices;
    int64_t where;
    if (!all_finite(l->rest, 3 * l->members, &where) || !all_finite(l->rotation, 4 * l->members, &where))
        return PL_ERROR_FORMAT;
    pl_result result = PL_OK;
    for (int64_t i = 0; i < l->count && result == PL_OK; i++)
    {
        int64_t first = l->start[i];
        result = check_numbers(l->rule[i].half, l->rule[i].stiffness);
        if (result == PL_OK)
            result = check_all(w, l->member + first, l->cell + 3 * first, l->start[i + 1] - first, i);
    }
    return result;
}

static void rotate_lattices(const pl_world *w, int first, int count, bone *bones)
{
    const lattices *l = &w->lattices;
    const packed_lattices *p = &w->state.lattices;
    for (int64_t k = 0; k < l->members; k++)
        if (l->member[k] >= first && l->member[k] < first + count)
            bone_set_rotation(&bones[l->member[k] - first],
                              groups_packed(w) ? p->cell[p->cell_of[k]].rotation : l->rotation + 4 * k, NULL);
}

static void lattices_info(const pl_world *w, pl_group_info *info) { info->lattices = w->lattices.count; }

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_start = ROLE_STRUCTURE,
    ROLE_rule = ROLE_PARAMETER,
    ROLE_member = ROLE_STRUCTURE,
    ROLE_cell = ROLE_STRUCTURE,
    ROLE_rest = ROLE_STRUCTURE,
    ROLE_rotation = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_LATTICES(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind lattices_kind = {
    .words = "lattices",
    .member_words = "members of lattices",
    .id_entry = ID_LATTICE,
    GROUP_COLUMNS(LATTICES),
    .count = offsetof(pl_world, lattices.count),
    .members = offsetof(pl_world, lattices.members),
    .most = INT32_MAX / 8,
    .roles = roles,
    .member_column = MODEL_LATTICES_member,
    .single = true,
    .uses_masses = true,
    .melting = MELT_NEVER,
    .lay_out = lattices_lay_out,
    .fill = lattices_fill,
    .unpack = lattices_unpack,
    .plan = lattices_plan,
    .check = lattices_check,
    .rotate = rotate_lattices,
    .info = lattices_info,
};
