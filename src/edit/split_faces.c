// split_faces.c: creates the new boundary faces of split tetrahedra, and the second link of an edge that becomes two.
//
// Both are recorded while vertices split, by their cell and its corners, because particle numbers may still change;
// they are added at the end.
#include "edit/edit_in_place.h"
#include "edit/tear.h"
#include "model/world.h"

#include <stdlib.h>
#include <string.h>

bool cell_has(const cell *c, int32_t number)
{
    for (int i = 0; i < c->points; i++)
        if (c->point[i] == number)
            return true;
    return false;
}

int cells_share(const cell *a, const cell *b)
{
    int shared = 0;
    for (int i = 0; i < b->points; i++)
        shared += cell_has(a, b->point[i]);
    return shared;
}

// ---- faces of tetrahedra -------------------------------------------------------------------------------------------

static pl_result open_face(pl_world *w, const cell *c, const cell *other)
{
    // The faces of (a b c d), oriented outwards, each without one corner.
    static const int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    tear *t = &w->tear;
    pl_result result = array_reserve(&w->memory, &t->open, &t->open_capacity, t->open_count + 1, sizeof *t->open);
    int out = 0;
    while (out < 3 && cell_has(other, c->point[out]))
        out++;
    if (result == PL_OK)
        t->open[t->open_count++] = (opened){c->entry, {side[out][0], side[out][1], side[out][2]}, {0}, 0, 0};
    return result;
}

pl_result split_faces_begin(pl_world *w, const cell *cells, int32_t count)
{
    pl_result result = PL_OK;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; result == PL_OK && k < count && cells[i].points == 4; k++)
            if (cells[i].part != cells[k].part && cells_share(&cells[i], &cells[k]) == 3)
                result = open_face(w, &cells[i], &cells[k]);
    return result;
}

static int by_owner(const void *a, const void *b)
{
    const opened *one = a, *other = b;
    if (one->owner != other->owner)
        return one->owner < other->owner ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

// Adds the new faces, one block for each object.
static pl_result add_open_faces(pl_world *w)
{
    tear *t = &w->tear;
    void *block = NULL;
    size_t bytes = 3 * sizeof(int32_t) * (size_t)t->open_count;
    if (t->open_count == 0)
        return PL_OK;
    for (int64_t i = 0; i < t->open_count; i++)
    {
        opened *o = &t->open[i];
        incidence_entry p = incidence_at(w, o->entry);
        for (int k = 0; k < 3; k++)
            o->point[k] = p.index[o->corner[k]];
        o->owner = object_at(w, o->point[0]);
        o->order = i;
    }
    qsort(t->open, (size_t)t->open_count, sizeof *t->open, by_owner);
    pl_result result = memory_resize(&w->memory, &block, 0, bytes);
    int32_t *index = block;
    for (int64_t i = 0, n = 0; result == PL_OK && i < t->open_count; i += n)
    {
        for (n = 0; i + n < t->open_count && t->open[i + n].owner == t->open[i].owner; n++)
            memcpy(index + 3 * n, t->open[i + n].point, sizeof t->open[i].point);
        pl_id id;
        result = pl_add_faces(w, &(pl_faces_def){(int)n, index, 0.0f, 0.0f}, &id); // the faces are packed again later
        if (result == PL_OK)
            w->entries[id.index].owner = (uint32_t)t->open[i].owner;
    }
    memory_free(&w->memory, block, bytes);
    return result;
}

// ---- links along edges ---------------------------------------------------------------------------------------------

static int corner_of(const cell *c, int32_t number)
{
    int corner = 0;
    while (corner < c->points - 1 && c->point[corner] != number)
        corner++;
    return corner;
}

// A link along an edge stays with its part; every other part that has the edge gets a copy.
pl_result split_faces_duplicate(pl_world *w, const incidence_entry *p, int32_t part, const cell *cells, int32_t count)
{
    tear *t = &w->tear;
    int32_t vertex = p->index[p->corner], other = p->index[1 - p->corner];
    pl_result result = PL_OK;
    if (facts_of(p->kind)->writes < 2)
        return PL_OK;
    for (int32_t i = 0; result == PL_OK && i < count; i++)
    {
        bool known = cells[i].part == part || !cell_has(&cells[i], other);
        for (int32_t k = 0; k < i; k++)
            known |= cells[k].part == cells[i].part && cell_has(&cells[k], other);
        if (known)
            continue;
        result = array_reserve(&w->memory, &t->doubled, &t->doubled_capacity, t->doubled_count + 1, sizeof *t->doubled);
        int own = corner_of(&cells[i], vertex), far = corner_of(&cells[i], other);
        if (result == PL_OK)
            t->doubled[t->doubled_count++] =
                (doubled){p->row, p->kind, cells[i].entry, {p->corner ? far : own, p->corner ? own : far}, {0}, 0, 0};
    }
    return result;
}

static pl_result is_linked(pl_world *w, int kind, const int32_t *pair, bool *found)
{
    int32_t *list, n;
    pl_result result = incidence_list(w, pair[0], &list, &n);
    *found = pair[0] == pair[1];
    for (int32_t i = 0; result == PL_OK && i < n && !*found; i++)
    {
        incidence_entry p = incidence_at(w, list[i]);
        *found = p.kind == kind && p.points == 2 && p.index[1 - p.corner] == pair[1];
    }
    return result;
}

static int64_t pair_key(const doubled *d)
{
    int32_t low = d->pair[0] < d->pair[1] ? d->pair[0] : d->pair[1], high = d->pair[0] ^ d->pair[1] ^ low;
    return (int64_t)low << 32 | high;
}

static int by_pair(const void *a, const void *b)
{
    const doubled *one = a, *other = b;
    int64_t p = pair_key(one), q = pair_key(other);
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (p != q)
        return p < q ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

static int by_block(const void *a, const void *b)
{
    const doubled *one = a, *other = b;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->owner != other->owner)
        return one->owner < other->owner ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

// Finds the particle numbers of each recorded link; drops those that exist already and duplicates. Sorts them by kind
// and object.
static pl_result settle_doubled(pl_world *w)
{
    tear *t = &w->tear;
    pl_result result = PL_OK;
    int64_t found = 0, left = 0;
    if (t->doubled_count == 0) // the array may be NULL
        return PL_OK;
    for (int64_t i = 0; result == PL_OK && i < t->doubled_count; i++)
    {
        doubled d = t->doubled[i];
        const int32_t *index = incidence_at(w, d.entry).index;
        bool linked = row_broken(&w->rows[d.kind], d.row);
        d.pair[0] = index[d.corner[0]], d.pair[1] = index[d.corner[1]];
        d.owner = object_at(w, d.pair[0]);
        d.order = i;
        if (!linked)
            result = is_linked(w, d.kind, d.pair, &linked);
        if (!linked)
            t->doubled[found++] = d;
    }
    qsort(t->doubled, (size_t)found, sizeof *t->doubled, by_pair);
    for (int64_t i = 0; i < found; i++)
        if (left == 0 || t->doubled[left - 1].kind != t->doubled[i].kind ||
            pair_key(&t->doubled[left - 1]) != pair_key(&t->doubled[i]))
            t->doubled[left++] = t->doubled[i];
    qsort(t->doubled, (size_t)left, sizeof *t->doubled, by_block);
    t->doubled_count = left;
    return result;
}

// Copies the damage of the original rows, except for the load.
static void copy_damage(pl_world *w, int kind, const doubled *d, int64_t count)
{
    rows *r = &w->rows[kind];
    packed_rows *p = &w->state.rows[kind];
    for (int64_t i = 0, row = r->count - count; r->damage && i < count; i++, row++)
    {
        r->damage[row] = r->damage[d[i].row];
        r->damage[row].load = 0.0f;
        if (!w->order_stale && p->damaged)
        {
            p->damage[r->packed_at[row]] = r->damage[row];
            patch_packed(w, p->damage + r->packed_at[row], sizeof *p->damage);
        }
    }
}

// Adds a block of links of one kind, along edges of one object.
static pl_result add_doubled(pl_world *w, const doubled *d, int64_t count, int32_t *index, float *param,
                             pl_softness *soft)
{
    const rows *r = &w->rows[d->kind];
    int64_t params = facts_of(d->kind)->info.params;
    pl_constraints_def def = {
        .kind = (pl_kind)d->kind, .count = (int)count, .index = index, .param = param, .each = soft};
    pl_id id;
    for (int64_t i = 0; i < count; i++)
    {
        memcpy(index + 2 * i, d[i].pair, sizeof d[i].pair);
        memcpy(param + params * i, r->param + params * d[i].row, (size_t)params * sizeof *param);
        soft[i] = r->soft[d[i].row];
    }
    pl_result result = pl_add_constraints(w, &def, &id);
    if (result != PL_OK)
        return result;
    w->entries[id.index].owner = (uint32_t)d->owner;
    copy_damage(w, d->kind, d, count);
    return PL_OK;
}

static pl_result add_links(pl_world *w)
{
    size_t each = 2 * sizeof(int32_t) + PL_MAX_PARAMS * sizeof(float) + sizeof(pl_softness);
    size_t count = (size_t)w->tear.doubled_count, bytes = each * count;
    void *block = NULL;
    pl_result result = settle_doubled(w);
    if (result != PL_OK || w->tear.doubled_count == 0)
        return result;
    result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    pl_softness *soft = block;
    float *param = (float *)(soft + count);
    int32_t *index = (int32_t *)(param + PL_MAX_PARAMS * count);
    const doubled *all = w->tear.doubled;
    for (int64_t i = 0, n = 0; result == PL_OK && i < w->tear.doubled_count; i += n)
    {
        for (n = 1; i + n < w->tear.doubled_count; n++)
            if (all[i + n].kind != all[i].kind || all[i + n].owner != all[i].owner)
                break;
        result = add_doubled(w, all + i, n, index, param, soft);
    }
    memory_free(&w->memory, block, bytes);
    return result;
}

pl_result split_faces_end(pl_world *w)
{
    pl_result result = add_links(w);
    return result == PL_OK ? add_open_faces(w) : result;
}
