// split.c: splits a vertex into two or more, and moves the rows and faces that name it to one of them, or breaks them.
//
// Rows that shared the old vertex already have different colours, and after the split they share no more particles than
// before. So the colouring stays valid, and a split patches a few indices in place. A row of a tile whose particle
// splits runs outside the tiles from then on. A row that breaks gives up its colour and its packed row
// (edit_in_place.c).
#include "edit/edit_in_place.h"
#include "edit/tear.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "model/world.h"
#include "neighbours/contact/contacts.h"

#include <string.h>

pl_result tear_begin(pl_world *w)
{
    pl_result result = pull(w, ALL_ARRAYS);
    if (result == PL_OK)
        result = damage_pull(w);
    if (result == PL_OK)
        result = contacts_pull(w); // their lists name the particles before the split
    if (result == PL_OK)
        result = incidence_open(w);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &w->tear.mark, &w->tear.mark_capacity, w->numbers.end, sizeof(int32_t));
    if (result != PL_OK)
        return result;
    memset(w->tear.mark, 0, (size_t)w->tear.mark_capacity * sizeof(int32_t));
    w->tear.on = true;
    w->tear.open_count = w->tear.doubled_count = 0;
    // Clusters and other groups are packed with the masses of their particles.
    if (!keeps_order(w))
        return unpack_all(w, true, false);
    result = edit_begin(w);
    return result == PL_OK && has_groups(w) ? groups_open(w) : result;
}

pl_result tear_row(pl_world *w, int kind, int64_t row)
{
    rows *r = &w->rows[kind];
    int arity = facts_of(kind)->info.arity, parts = facts_of(kind)->info.parts;
    pl_result result = r->damage ? PL_OK : damage_reserve(w, kind, r->count);
    if (result != PL_OK || r->damage[row].broken > 0.0f)
        return result;
    result = edit_remove_row(w, kind, row);
    if (result != PL_OK)
        return result;
    r->damage[row].broken = 1.0f;
    memset(r->lambda + row * parts, 0, (size_t)parts * sizeof *r->lambda);
    incidence_drop(w, w->tear.incidence.base[kind] + row * arity, arity);
    w->tear.broken++;
    return PL_OK;
}

// ---- parts of the cells at a vertex --------------------------------------------------------------------------------

// Groups the cells into parts: two cells that share all corners but one, and that `apart` does not separate, are in one
// part.
static int32_t find_parts(const pl_world *w, cell *cells, int32_t count, apart_fn *apart, const void *user)
{
    int32_t parts = 0;
    for (int32_t first = 0; first < count; first++)
    {
        if (cells[first].part >= 0)
            continue;
        cells[first].part = parts;
        for (bool grew = true; grew;)
        {
            grew = false;
            for (int32_t i = 0; i < count; i++)
                for (int32_t k = 0; k < count && cells[i].part < 0; k++)
                    if (cells[k].part == parts && cells_share(&cells[i], &cells[k]) >= cells[i].points - 1 &&
                        !apart(user, w, &cells[i], &cells[k]))
                    {
                        cells[i].part = parts;
                        grew = true;
                    }
        }
        parts++;
    }
    return parts;
}

// Finds whether two particles are in one cell, or each in one with the same third particle. Overwrites the last result
// of incidence_cells.
static pl_result find_way(pl_world *w, int32_t from, int32_t to, bool *found)
{
    cell *cells;
    int32_t count, near[64], nears = 0;
    pl_result result = incidence_cells(w, from, &cells, &count);
    *found = false;
    for (int32_t i = 0; result == PL_OK && i < count; i++)
        for (int k = 0; k < cells[i].points; k++)
        {
            *found |= cells[i].point[k] == to;
            if (nears < 64 && cells[i].point[k] != from)
                near[nears++] = cells[i].point[k];
        }
    for (int32_t n = 0; result == PL_OK && !*found && n < nears; n++)
    {
        result = incidence_cells(w, near[n], &cells, &count);
        for (int32_t i = 0; result == PL_OK && i < count; i++)
            *found |= cell_has(&cells[i], to);
    }
    return result;
}

enum
{
    PART_NONE = -1, // it spans several parts, and breaks
    PART_FAR = -2,  // a link to a particle outside the cells at the vertex: handled afterwards
};

// Returns the part that a row at the vertex belongs to: the part of the cell that contains all its points; for a hinge,
// the part of both its triangles.
static int32_t part_of(const cell *cells, int32_t count, int32_t vertex, const incidence_entry *p)
{
    int32_t part = PART_NONE;
    bool across = false;
    if (p->points > 4)
        return PART_NONE; // a patch of several cells
    for (int32_t i = 0; i < count; i++)
    {
        int shared = 0;
        for (int k = 0; k < p->points; k++)
            shared += p->index[k] != vertex && cell_has(&cells[i], p->index[k]);
        if (shared == p->points - 1)
            return cells[i].part;
        if (p->points < 4 || shared < 2)
            continue;
        across |= part >= 0 && part != cells[i].part;
        part = part < 0 ? cells[i].part : part;
    }
    if (p->points == 4)
        return across ? PART_NONE : part < 0 ? 0 : part;
    return p->points == 2 ? PART_FAR : 0;
}

// ---- splitting a vertex --------------------------------------------------------------------------------------------

// Makes an entry name another particle and updates the packed row.
static pl_result move_corner(pl_world *w, int32_t entry, const incidence_entry *p, int32_t to)
{
    if (p->kind == TEAR_FACES)
    {
        incidence_move(w, entry, to);
        return PL_OK;
    }
    pl_result result = edit_lift_row(w, p->kind, p->row);
    if (result != PL_OK)
        return result;
    incidence_move(w, entry, to);
    return edit_reinsert_row(w, p->kind, p->row);
}

// Moves everything at the vertex to the vertex of its part; `number` has the vertex of each part.
static pl_result move_others(pl_world *w, int32_t vertex, const cell *cells, int32_t count, const int32_t *number)
{
    int32_t *list, n;
    pl_result result = incidence_list(w, vertex, &list, &n);
    for (int32_t i = 0; result == PL_OK && i < n; i++)
    {
        incidence_entry p = incidence_at(w, list[i]);
        int32_t part = part_of(cells, count, vertex, &p);
        for (int32_t k = 0; k < count; k++)
            if (cells[k].entry == list[i])
                part = cells[k].part;
        if (p.kind == PL_KIND_TETHER && p.corner == 0)
            part = PART_NONE; // its path to the anchor has changed
        if (p.points == 2 && part >= 0)
            result = split_faces_duplicate(w, &p, part, cells, count);
        if (result == PL_OK && part > 0)
            result = move_corner(w, list[i], &p, number[part]);
        if (part == PART_NONE)
            result = tear_row(w, p.kind, p.row);
    }
    return result;
}

// Moves links to particles that share no cell with the vertex, such as links that skip one particle: they go to the
// part from which a path over a third particle still exists.
static pl_result move_far(pl_world *w, int32_t vertex, const int32_t *number, int32_t parts)
{
    int32_t *list, n, far[256], fars = 0;
    pl_result result = incidence_list(w, vertex, &list, &n);
    for (int32_t i = 0; result == PL_OK && i < n && fars < 256; i++)
        if (incidence_at(w, list[i]).points == 2)
            far[fars++] = list[i];
    for (int32_t i = 0; result == PL_OK && i < fars; i++)
    {
        incidence_entry p = incidence_at(w, far[i]);
        bool found = false;
        for (int32_t part = 0; result == PL_OK && !found && part < parts; part++)
        {
            result = find_way(w, number[part], p.index[1 - p.corner], &found);
            if (!found || part == 0)
                continue;
            result = move_corner(w, far[i], &p, number[part]);
        }
    }
    return result;
}

// Breaks links between neighbours that passed over the vertex and have no path any more.
static pl_result break_bridges(pl_world *w, const int32_t *near, int32_t nears)
{
    pl_result result = PL_OK;
    for (int32_t a = 0; result == PL_OK && a < nears; a++)
    {
        int32_t *list, n, link[256], links = 0;
        result = incidence_list(w, near[a], &list, &n);
        for (int32_t i = 0; result == PL_OK && i < n && links < 256; i++)
        {
            incidence_entry p = incidence_at(w, list[i]);
            bool mine = p.points == 2 && p.corner == 0;
            for (int32_t b = 0; mine && b < nears; b++)
                if (p.index[1] == near[b])
                    link[links++] = list[i];
        }
        for (int32_t i = 0; result == PL_OK && i < links; i++)
        {
            incidence_entry p = incidence_at(w, link[i]);
            bool found;
            result = find_way(w, p.index[0], p.index[1], &found);
            if (result == PL_OK && !found)
                result = tear_row(w, p.kind, p.row);
        }
    }
    return result;
}

enum
{
    MOST_PARTS = 16,
    MOST_CELLS = 96,
};

// Splits one vertex if its at most MOST_CELLS cells form 2 to MOST_PARTS parts; otherwise leaves it as it is.
static pl_result split_vertex(pl_world *w, int32_t vertex, apart_fn *apart, const void *user, bool *split)
{
    cell cells[MOST_CELLS], *found;
    int32_t count, number[MOST_PARTS] = {vertex}, near[MOST_CELLS * 3], nears = 0;
    double share[MOST_PARTS];
    *split = false;
    pl_result result = incidence_cells(w, vertex, &found, &count);
    if (result != PL_OK || count < 2 || count > MOST_CELLS)
        return result;
    memcpy(cells, found, (size_t)count * sizeof *cells);
    int32_t parts = find_parts(w, cells, count, apart, user);
    if (parts < 2 || parts > MOST_PARTS)
        return PL_OK;
    result = split_faces_begin(w, cells, count);
    for (int32_t part = 0; part < parts; part++)
        share[part] = part_share(w, cells, count, part);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < cells[i].points; k++)
        {
            bool known = cells[i].point[k] == vertex;
            for (int32_t n = 0; n < nears; n++)
                known |= near[n] == cells[i].point[k];
            if (!known)
                near[nears++] = cells[i].point[k];
        }
    for (int32_t part = 1; result == PL_OK && part < parts; part++)
        result = particle_copy(w, vertex, &number[part]);
    float whole = inverse_mass(w, w->numbers.slot_of[vertex]);
    for (int32_t part = 0; result == PL_OK && part < parts; part++)
    {
        int32_t slot = w->numbers.slot_of[number[part]];
        if (whole > 0.0f) // a fixed particle has fixed parts
            w->state.slot[SLOT_D][4 * (size_t)slot + 3] = (float)((double)whole / share[part]);
        patch_slot(w, slot);
    }
    if (result == PL_OK)
        result = move_others(w, vertex, cells, count, number);
    if (result == PL_OK)
        result = move_far(w, vertex, number, parts);
    if (result == PL_OK)
        result = break_bridges(w, near, nears);
    tear *t = &w->tear;
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->todo, &t->todo_capacity, t->todo_count + nears, sizeof *t->todo);
    for (int32_t n = 0; result == PL_OK && n < nears; n++)
    {
        t->mark[near[n]] = 1;
        t->todo[t->todo_count++] = near[n];
    }
    t->mark[vertex] = 1;
    t->splits += parts - 1;
    *split = true;
    return result;
}

static bool never(const void *user, const pl_world *w, const cell *a, const cell *b)
{
    (void)user, (void)w, (void)a, (void)b;
    return false;
}

pl_result tear_vertex(pl_world *w, int32_t vertex, apart_fn *apart, const void *user, bool *split)
{
    bool more;
    w->tear.todo_count = 0;
    pl_result result = split_vertex(w, vertex, apart, user, split);
    // Neighbours may have lost the edge that joined their cells.
    for (int64_t i = 0; result == PL_OK && i < w->tear.todo_count; i++)
        result = split_vertex(w, w->tear.todo[i], never, NULL, &more);
    return result;
}

// ---- finishing -----------------------------------------------------------------------------------------------------

// Breaks the tethers of objects that tear: the path from a particle to its anchor may lead through a tear.
static pl_result drop_tethers(pl_world *w)
{
    pl_result result = PL_OK;
    const rows *r = &w->rows[PL_KIND_TETHER];
    for (int64_t i = 0; result == PL_OK && i < r->count; i++)
        if (!(r->damage && r->damage[i].broken > 0.0f) && w->entries[object_at(w, r->index[2 * i])].torn)
            result = tear_row(w, PL_KIND_TETHER, i);
    return result;
}

// Removes groups of kinds with ends_torn whose particles tore.
static pl_result groups_torn(pl_world *w)
{
    pl_result result = PL_OK;
    for (int64_t i = w->entry_count - 1; result == PL_OK && i > 0; i--)
    {
        const id_entry *t = &w->entries[i];
        const group_kind *k = group_kind_of(t->type);
        group_members m = k && k->ends_torn ? members_of(w, k, t->first, t->count) : (group_members){NULL, 0};
        bool torn = false;
        for (int64_t n = 0; n < m.count && !torn; n++)
            torn = w->tear.mark[m.number[n]] == 1;
        if (torn)
            result = pl_remove(w, id_of_entry(w, i));
    }
    return result;
}

pl_result tear_end(pl_world *w)
{
    pl_result result = PL_OK;
    for (int32_t n = 0; n < w->numbers.end; n++)
        if (w->tear.mark[n] && w->numbers.slot_of[n] >= 0)
            w->entries[object_at(w, n)].torn = 1;
    if (w->rows[PL_KIND_TETHER].count)
        result = drop_tethers(w);
    if (result == PL_OK)
        result = groups_torn(w);
    if (result == PL_OK)
        result = split_faces_end(w);
    w->flow.smooth = 0;
    contacts *t = &w->contacts;
    t->colliders_stale = t->stale = true;
    w->surfaces.stale |= has_surface(w);
    t->listed = t->resume = w->surfaces.listed = w->surfaces.resume = false;
    w->faces_stale = w->objects_stale = true;
    return result;
}

void tear_free(pl_world *w)
{
    tear *t = &w->tear;
    memory *m = &w->memory;
    incidence_free(w);
    array_free(m, &t->root, &t->root_capacity, sizeof *t->root);
    array_free(m, &t->mark, &t->mark_capacity, sizeof *t->mark);
    array_free(m, &t->list, &t->list_capacity, sizeof *t->list);
    array_free(m, &t->cells, &t->cell_capacity, sizeof *t->cells);
    array_free(m, &t->open, &t->open_capacity, sizeof *t->open);
    array_free(m, &t->doubled, &t->doubled_capacity, sizeof *t->doubled);
    array_free(m, &t->todo, &t->todo_capacity, sizeof *t->todo);
    array_free(m, &t->side, &t->side_capacity, sizeof *t->side);
}
