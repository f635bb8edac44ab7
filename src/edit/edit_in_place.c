// edit_in_place.c: inserts and removes rows and particles in the packed arrays while a world runs.
//
// A new particle takes the lowest free slot, a new row the lowest free colour and an unused row of it. The slot of a
// removed particle is set to 0, and a removed row names a dummy. If there is no room, everything is
// packed again with the same slots and colours and more room, which does not change the result. Particles are ordered
// again when a quarter more have been added than there were. Rows are coloured again when a row finds no colour or
// would make a hub, or when so many have been added outside the tiles that the tiles no longer pay off.
#include "core/power.h"
#include "edit/edit_in_place.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "layout/packing.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

enum
{
    MOST_JOINED = 4096, // rows added outside the tiles, plus a quarter of all rows
    MOST_GROWTH = 4,
    MOST_CAME = 1024, // particles added behind the others, plus a quarter of those
    MOST_PATCHES = 1 << 20,
};

pl_result edit_begin(pl_world *w)
{
    w->open = true;
    return w->order_stale || !w->roomy ? unpack_all(w, false, false) : PL_OK;
}

// ---- patches for a device ------------------------------------------------------------------------------------------

// Reserves patches for `count` changes and for undoing them: an edit that fails half-way is undone. If there are too
// many, everything is sent again instead.
pl_result patches_reserve(pl_world *w, int64_t count)
{
    if (!patches_wanted(w))
        return PL_OK;
    if (count > MOST_PATCHES)
        return unpack_all(w, false, false);
    return array_reserve(&w->memory, &w->patches, &w->patch_capacity, w->patch_count + 2 * count, sizeof *w->patches);
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static bool is_free(const pl_world *w, const packed_rows *p, int32_t packed_at)
{
    return p->index[0][packed_at] >= 4 * (uint32_t)w->dummy;
}

static int32_t find_free_row(pl_world *w, int kind, int colour)
{
    colour_ranges *f = &w->colour_ranges[kind];
    for (int32_t at = f->next[colour]; at < f->start[colour + 1]; at++)
        if (is_free(w, &w->state.rows[kind], at))
        {
            f->next[colour] = at + 1;
            return at;
        }
    f->next[colour] = f->start[colour + 1];
    return -1;
}

// Writes one number of a row. If the column stores one number for all rows and this one differs, the kind is packed
// again.
static void put_number(pl_world *w, int kind, float *column, uint8_t step, int32_t at, float value)
{
    if (step)
    {
        column[at] = value;
        patch_packed(w, column + at, sizeof *column);
    }
    else
        w->rows_stale[kind] |= memcmp(column, &value, sizeof value) != 0;
}

static void write_index(pl_world *w, int kind, int64_t row)
{
    packed_rows *p = &w->state.rows[kind];
    int32_t at = w->rows[kind].packed_at[row], slots[PL_MAX_ARITY];
    row_slots(w, kind, row, slots);
    for (int i = 0; i < p->arity; i++)
    {
        p->index[i][at] = 4 * (uint32_t)slots[i];
        patch_packed(w, p->index[i] + at, sizeof *p->index[i]);
    }
}

// Writes the packed data of a row.
static void write_row(pl_world *w, int kind, int64_t row)
{
    const rows *r = &w->rows[kind];
    const kind_facts *k = facts_of(kind);
    packed_rows *p = &w->state.rows[kind];
    int32_t at = r->packed_at[row];
    const pl_softness *soft = &r->soft[row];
    write_index(w, kind, row);
    for (int i = 0; i < k->info.params; i++)
        put_number(w, kind, p->param[i], p->param_step[i], at, r->param[row * k->info.params + i]);
    put_number(w, kind, p->compliance, p->compliance_step, at, soft->compliance);
    put_number(w, kind, p->damping, p->damping_step, at, soft->damping);
    put_number(w, kind, p->stiffness, p->stiffness_step, at, per_iteration(soft->stiffness, w->settings.iterations));
    for (int part = 0; part < k->info.parts; part++)
    {
        *lambda_at(p, at, part) = r->lambda[row * k->info.parts + part];
        patch_packed(w, lambda_at(p, at, part), sizeof(float));
    }
    if (k->bound)
    {
        p->active[at] = r->lambda[row] != 0.0f;
        patch_packed(w, p->active + at, 1);
    }
    if (p->damaged)
    {
        p->damage[at] = r->damage[row];
        patch_packed(w, p->damage + at, sizeof *p->damage);
    }
    w->rows_stale[kind] |= !p->damped && soft->compliance > 0.0f && soft->damping > 0.0f;
}

// Gives a row that has a colour an index among the packed rows. If there is no room, everything is packed again.
static pl_result put_row(pl_world *w, int kind, int64_t row)
{
    rows *r = &w->rows[kind];
    colour_ranges *f = &w->colour_ranges[kind];
    int colour = r->colour[row] - COLOUR_PLAIN;
    r->packed_at[row] = -1;
    if (w->order_stale)
        return PL_OK;
    int32_t at = find_free_row(w, kind, colour);
    if (at < 0)
    {
        f->growth += f->growth < MOST_GROWTH;
        return unpack_all(w, false, false);
    }
    r->packed_at[row] = at;
    write_row(w, kind, row);
    if (f->count[colour]++ == 0)
        w->plan_stale = w->runs_stale = true;
    return PL_OK;
}

static int64_t all_rows(const pl_world *w)
{
    int64_t all = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        all += w->rows[kind].count;
    return all;
}

pl_result edit_reserve_rows(pl_world *w, int kind, int64_t count)
{
    const pl_kind_info *k = &facts_of(kind)->info;
    pl_result result = colours_open(w, kind);
    return result == PL_OK ? patches_reserve(w, count * (k->arity + k->params + k->parts + 5)) : result;
}

pl_result edit_insert_rows(pl_world *w, int kind, int64_t first, int64_t count)
{
    pl_result result = colours_open(w, kind);
    w->components_stale = true;
    for (int64_t row = first; result == PL_OK && row < first + count; row++)
    {
        w->order.joined += w->order.tiles > 0;
        bool full = w->order.joined > MOST_JOINED + all_rows(w) / 4;
        if (full || !colour_join(w, kind, row))
            return unpack_all(w, true, false);
        result = put_row(w, kind, row);
    }
    return result;
}

pl_result edit_remove_row(pl_world *w, int kind, int64_t row)
{
    rows *r = &w->rows[kind];
    colour_ranges *f = &w->colour_ranges[kind];
    packed_rows *p = &w->state.rows[kind];
    int32_t at = r->packed_at[row], slots[PL_MAX_ARITY];
    int colour = r->colour[row];
    w->components_stale = true;
    if (!keeps_order(w) || colour == COLOUR_NONE)
        return PL_OK;
    colour_leave(w, kind, row);
    r->colour[row] = COLOUR_NONE;
    if (w->order_stale || at < 0)
        return PL_OK;
    r->packed_at[row] = -1;
    if (colour == COLOUR_JACOBI)
        return unpack_all(w, false, false); // the number of Jacobi rows at its particles has changed
    int32_t tile = -1;
    if (colour < COLOUR_PLAIN)
    {
        row_slots(w, kind, row, slots);
        tile = tile_of(w, slots, 1);
    }
    else if (colour < COLOUR_GROUP)
    {
        int plain = colour - COLOUR_PLAIN;
        f->count[plain]--;
        f->next[plain] = at < f->next[plain] ? at : f->next[plain];
    }
    for (int i = 0; i < p->arity; i++)
    {
        p->index[i][at] = 4 * (uint32_t)spare_slot(w, at, tile);
        patch_packed(w, p->index[i] + at, sizeof *p->index[i]);
    }
    for (int part = 0; part < p->parts; part++)
    {
        *lambda_at(p, at, part) = 0.0f;
        patch_packed(w, lambda_at(p, at, part), sizeof(float));
    }
    if (facts_of(kind)->bound)
    {
        p->active[at] = 0;
        patch_packed(w, p->active + at, 1);
    }
    if (p->damaged)
    {
        p->damage[at] = (damage){0};
        patch_packed(w, p->damage + at, sizeof *p->damage);
    }
    w->rows_stale[kind] |= p->damped; // it may have been the last damped row
    return PL_OK;
}

void edit_undo_rows(pl_world *w, int kind, int64_t first)
{
    for (int64_t row = w->rows[kind].count; row-- > first;)
        edit_remove_row(w, kind, row); // never fails: rows inserted in place are not solved by Jacobi iteration
    w->rows[kind].count = first;
}

// A split changes one of the row's particles. The row keeps its colour: after the split it shares particles with fewer
// rows than before. But a row of a tile runs outside the tiles from then on.
pl_result edit_lift_row(pl_world *w, int kind, int64_t row)
{
    rows *r = &w->rows[kind];
    int parts = facts_of(kind)->info.parts;
    w->components_stale = true;
    if (!keeps_order(w) || r->colour[row] == COLOUR_NONE)
        return PL_OK;
    for (int part = 0; !w->order_stale && part < parts; part++)
        r->lambda[row * parts + part] = *lambda_at(&w->state.rows[kind], r->packed_at[row], part);
    if (r->colour[row] < COLOUR_PLAIN)
        return edit_remove_row(w, kind, row);
    colour_leave(w, kind, row);
    return PL_OK;
}

pl_result edit_reinsert_row(pl_world *w, int kind, int64_t row)
{
    rows *r = &w->rows[kind];
    if (!keeps_order(w) || row_broken(r, row))
        return PL_OK;
    if (r->colour[row] == COLOUR_NONE)
        return edit_insert_rows(w, kind, row, 1);
    colour_enter(w, kind, row);
    if (!w->order_stale && r->colour[row] == COLOUR_JACOBI)
        return unpack_all(w, false, false);
    if (!w->order_stale)
        write_index(w, kind, row);
    return PL_OK;
}

// ---- particles -----------------------------------------------------------------------------------------------------

pl_result edit_reserve_particles(pl_world *w, int64_t count)
{
    int64_t holes = w->used - w->live, end = w->used + (count > holes ? count - holes : 0);
    if (end > w->order.count + w->order.count / 4 + MOST_CAME)
        return unpack_all(w, true, true);
    pl_result result = edit_begin(w);
    if (result == PL_OK && !w->order_stale && end > w->dummy)
        result = unpack_all(w, false, false);
    if (result == PL_OK)
        result = patches_reserve(w, 2 * SLOT_ARRAYS * count); // adding the object patches each slot a second time
    w->objects_stale = true;
    return result;
}

int32_t edit_take_slot(pl_world *w)
{
    w->numbers.moves++;
    if (!keeps_order(w) || w->live == w->used)
        return w->used++;
    while (w->number_of[w->hole] >= 0)
        w->hole++;
    return w->hole++;
}

void edit_free_slot(pl_world *w, int32_t slot)
{
    w->numbers.moves++;
    for (int a = 0; a < SLOT_ARRAYS; a++)
        memset(w->state.slot[a] + 4 * (size_t)slot, 0, 4 * sizeof(float));
    w->number_of[slot] = -1;
    w->hole = slot < w->hole ? slot : w->hole;
    w->objects_stale = w->components_stale = true;
    patch_slot(w, slot);
}

pl_result contacts_pull(pl_world *w)
{
    pl_result result = has_contacts(w) ? contacts_keep(w) : PL_OK;
    return result == PL_OK && has_contacts(w) ? surface_keep(w) : result;
}

void edit_contacts(pl_world *w)
{
    contacts *t = &w->contacts;
    if (!has_lists(w))
        return;
    t->colliders_stale = t->stale = true;
    t->listed = t->resume = w->surfaces.listed = w->surfaces.resume = false;
}

static void drop_kept(const pl_world *w, kept_list *list, bool pairs)
{
    int64_t left = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (slot_of(w, list->items[i].a) >= 0 && (!pairs || slot_of(w, list->items[i].b) >= 0))
            list->items[left++] = list->items[i];
    list->count = left;
}

void edit_parted(pl_world *w)
{
    drop_kept(w, &w->contacts.kept, true);
    drop_kept(w, &w->contacts.kept_shape_contacts, false);
    surface_drop_gone(w);
}
