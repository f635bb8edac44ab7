// lips.c: what comes to light where something splits: the faces of tetrahedra, and the second of what was one edge.
//
// Both are noted while vertices split, by the cell they belong to and its corners, whose numbers may yet change, and added at the end.
#include "world/world.h"

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
    // The sides of (a b c d) seen from outside, each without one corner.
    static const int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    tear *t = &w->tear;
    pl_result result = array_reserve(&w->memory, &t->open, &t->open_capacity, 4 * (t->open_count + 1), sizeof *t->open);
    int out = 0;
    while (out < 3 && cell_has(other, c->point[out]))
        out++;
    for (int k = 0; result == PL_OK && k < 3; k++)
        t->open[4 * t->open_count + k] = side[out][k];
    if (result == PL_OK)
        t->open[4 * t->open_count++ + 3] = c->entry; // by its corners' places: their numbers may yet change
    return result;
}

pl_result lips_open(pl_world *w, const cell *cells, int32_t count)
{
    pl_result result = PL_OK;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; result == PL_OK && k < count && cells[i].points == 4; k++)
            if (cells[i].part != cells[k].part && cells_share(&cells[i], &cells[k]) == 3)
                result = open_face(w, &cells[i], &cells[k]);
    return result;
}

static pl_result add_open_faces(pl_world *w)
{
    tear *t = &w->tear;
    if (t->open_count == 0)
        return PL_OK;
    for (int64_t i = 0; i < t->open_count; i++)
    {
        web_place p = web_at(w, t->open[4 * i + 3]);
        for (int k = 0; k < 3; k++)
            t->open[3 * i + k] = p.index[t->open[4 * i + k]]; // i is never behind what is still to be read
    }
    pl_faces_def def = {(int)t->open_count, t->open, 0.0f, 0.0f};
    uint32_t owner = (uint32_t)object_at(w, t->open[0]);
    pl_id id;
    pl_result result = pl_add_faces(w, &def, &id); // packed anew
    if (result == PL_OK)
        w->things[id.index].owner = owner;
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

// A link along an edge stays with the part that it belongs to; every other part that has the edge gets one like it.
pl_result lips_double(pl_world *w, const web_place *p, int32_t part, const cell *cells, int32_t count)
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
                (doubled){p->row, p->kind, cells[i].entry, {p->corner ? far : own, p->corner ? own : far}, {0}};
    }
    return result;
}

static pl_result is_linked(pl_world *w, int kind, const int32_t *pair, bool *found)
{
    int32_t *list, n;
    pl_result result = web_list(w, pair[0], &list, &n);
    *found = pair[0] == pair[1];
    for (int32_t i = 0; result == PL_OK && i < n && !*found; i++)
    {
        web_place p = web_at(w, list[i]);
        *found = p.kind == kind && p.points == 2 && p.index[1 - p.corner] == pair[1];
    }
    return result;
}

// Finds the ends of each; what has a link already is left out.
static pl_result settle_doubled(pl_world *w)
{
    tear *t = &w->tear;
    pl_result result = PL_OK;
    int64_t left = 0;
    for (int64_t i = 0; result == PL_OK && i < t->doubled_count; i++)
    {
        doubled d = t->doubled[i];
        const int32_t *index = web_at(w, d.entry).index;
        bool found = row_broken(&w->rows[d.kind], d.row);
        d.pair[0] = index[d.corner[0]], d.pair[1] = index[d.corner[1]];
        if (!found)
            result = is_linked(w, d.kind, d.pair, &found);
        for (int64_t k = 0; k < left && !found; k++)
        {
            const int32_t *a = t->doubled[k].pair, *b = d.pair;
            found = t->doubled[k].kind == d.kind && ((a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]));
        }
        if (!found)
            t->doubled[left++] = d;
    }
    t->doubled_count = left;
    return result;
}

// What the rows they are like have, but for the load.
static void copy_wear(pl_world *w, int kind, int64_t first)
{
    rows *r = &w->rows[kind];
    packed_rows *p = &w->state.rows[kind];
    for (int64_t i = 0, row = first; r->wear && i < w->tear.doubled_count; i++)
    {
        if (w->tear.doubled[i].kind != kind)
            continue;
        r->wear[row] = r->wear[w->tear.doubled[i].row];
        r->wear[row].load = 0.0f;
        if (!w->order_stale && p->worn)
        {
            p->wear[r->place[row]] = r->wear[row];
            patch_packed(w, p->wear + r->place[row], sizeof *p->wear);
        }
        row++;
    }
}

static pl_result add_doubled(pl_world *w, int kind, int32_t *index, float *param, pl_softness *soft)
{
    const rows *r = &w->rows[kind];
    int64_t params = facts_of(kind)->info.params, first = r->count;
    pl_constraints_def def = {.kind = (pl_kind)kind, .index = index, .param = param, .each = soft};
    pl_id id;
    for (int64_t i = 0; i < w->tear.doubled_count; i++)
    {
        const doubled *d = &w->tear.doubled[i];
        if (d->kind != kind)
            continue;
        memcpy(index + 2 * def.count, d->pair, sizeof d->pair);
        memcpy(param + params * def.count, r->param + params * d->row, (size_t)params * sizeof *param);
        soft[def.count++] = r->soft[d->row];
    }
    if (def.count == 0)
        return PL_OK;
    pl_result result = pl_add_constraints(w, &def, &id);
    if (result != PL_OK)
        return result;
    w->things[id.index].owner = (uint32_t)object_at(w, index[0]);
    copy_wear(w, kind, first);
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
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        if (facts_of(kind)->info.arity == 2)
            result = add_doubled(w, kind, index, param, soft);
    memory_free(&w->memory, block, bytes);
    return result;
}

pl_result lips_close(pl_world *w)
{
    pl_result result = add_links(w);
    return result == PL_OK ? add_open_faces(w) : result;
}
