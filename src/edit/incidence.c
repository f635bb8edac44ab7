// incidence.c: lists the rows and faces that name each particle, as linked lists of entries, and finds the cells at a
// particle (its tetrahedra, else its faces or triangles). The lists are built when something tears for the first time
// and kept up to date by tearing; any other edit of the structure makes them stale and they are built again. The order
// of a linked list depends on its history, so readers get it sorted.
#include "edit/tear.h"
#include "model/world.h"

#include <string.h>

static int points_of(int kind) { return kind == TEAR_FACES ? 3 : facts_of(kind)->info.arity; }

incidence_entry incidence_at(pl_world *w, int32_t entry)
{
    int kind = 0;
    while (entry >= w->tear.incidence.base[kind + 1])
        kind++;
    int points = points_of(kind);
    int64_t at = entry - w->tear.incidence.base[kind], row = at / points;
    int32_t *index = kind == TEAR_FACES ? w->faces.index : w->rows[kind].index;
    return (incidence_entry){kind, (int32_t)(at % points), points, row, index + row * points};
}

static void link_entry(incidence *b, int32_t entry, int32_t number)
{
    b->next[entry] = b->head[number];
    b->head[number] = entry;
}

static void unlink_entry(incidence *b, int32_t entry, int32_t number)
{
    int32_t *at = &b->head[number];
    while (*at >= 0 && *at != entry)
        at = &b->next[*at];
    if (*at == entry)
        *at = b->next[entry];
}

pl_result incidence_open(pl_world *w)
{
    incidence *b = &w->tear.incidence;
    if (b->ready)
        return PL_OK;
    b->base[0] = 0;
    for (int kind = 0; kind < TEAR_LISTS; kind++)
        b->base[kind + 1] =
            b->base[kind] + points_of(kind) * (kind == TEAR_FACES ? w->faces.count : w->rows[kind].count);
    if (b->base[TEAR_LISTS] > INT32_MAX)
        return fail(PL_ERROR_ARGUMENT, "tearing: the world has too many constraints; split it into several worlds");
    pl_result result = array_reserve(&w->memory, &b->head, &b->head_capacity, w->numbers.end, sizeof *b->head);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &b->next, &b->next_capacity, b->base[TEAR_LISTS], sizeof *b->next);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; i < w->numbers.end; i++)
        b->head[i] = -1;
    for (int kind = 0; kind < TEAR_LISTS; kind++)
    {
        const int32_t *index = kind == TEAR_FACES ? w->faces.index : w->rows[kind].index;
        const damage *damage_of = kind == TEAR_FACES ? NULL : w->rows[kind].damage;
        int points = points_of(kind);
        for (int64_t e = 0; e < b->base[kind + 1] - b->base[kind]; e++)
            if (!damage_of || !(damage_of[e / points].broken > 0.0f))
                link_entry(b, (int32_t)(b->base[kind] + e), index[e]);
    }
    b->ready = true;
    return PL_OK;
}

pl_result incidence_grow(pl_world *w, int32_t number)
{
    incidence *b = &w->tear.incidence;
    pl_result result = array_reserve(&w->memory, &b->head, &b->head_capacity, number + 1, sizeof *b->head);
    if (result == PL_OK)
        b->head[number] = -1;
    return result;
}

void incidence_move(pl_world *w, int32_t entry, int32_t to)
{
    incidence_entry p = incidence_at(w, entry);
    unlink_entry(&w->tear.incidence, entry, p.index[p.corner]);
    p.index[p.corner] = to;
    link_entry(&w->tear.incidence, entry, to);
}

void incidence_drop(pl_world *w, int64_t first, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
    {
        incidence_entry p = incidence_at(w, (int32_t)first + i);
        unlink_entry(&w->tear.incidence, (int32_t)first + i, p.index[p.corner]);
    }
}

pl_result incidence_list(pl_world *w, int32_t number, int32_t **list, int32_t *count)
{
    tear *t = &w->tear;
    int32_t n = 0;
    for (int32_t e = t->incidence.head[number]; e >= 0; e = t->incidence.next[e])
        n++;
    pl_result result = array_reserve(&w->memory, &t->list, &t->list_capacity, n, sizeof *t->list);
    if (result != PL_OK)
        return result;
    *count = 0;
    for (int32_t e = t->incidence.head[number]; e >= 0; e = t->incidence.next[e])
    {
        int32_t at = (*count)++;
        for (; at > 0 && t->list[at - 1] > e; at--)
            t->list[at] = t->list[at - 1];
        t->list[at] = e;
    }
    *list = t->list;
    return PL_OK;
}

int incidence_rank(int kind)
{
    if (kind == TEAR_FACES)
        return 2;
    if (facts_of(kind)->rule == PARAM_TET || kind == PL_KIND_TET_VOLUME)
        return 3;
    return facts_of(kind)->rule == PARAM_TRIANGLE ? 1 : 0;
}

pl_result incidence_cells(pl_world *w, int32_t number, cell **cells, int32_t *count)
{
    tear *t = &w->tear;
    int32_t *list, n;
    int best = 1;
    pl_result result = incidence_list(w, number, &list, &n);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->cells, &t->cell_capacity, n, sizeof *t->cells);
    if (result != PL_OK)
        return result;
    *count = 0;
    for (int32_t i = 0; i < n; i++)
    {
        int r = incidence_rank(incidence_at(w, list[i]).kind);
        best = r > best ? r : best;
    }
    for (int32_t i = 0; i < n; i++)
    {
        incidence_entry p = incidence_at(w, list[i]);
        if (incidence_rank(p.kind) != best)
            continue;
        cell *c = &t->cells[(*count)++];
        *c = (cell){.entry = list[i], .part = -1, .points = p.points};
        memcpy(c->point, p.index, (size_t)p.points * sizeof *p.index);
    }
    *cells = t->cells;
    return PL_OK;
}

void incidence_free(pl_world *w)
{
    incidence *b = &w->tear.incidence;
    array_free(&w->memory, &b->head, &b->head_capacity, sizeof *b->head);
    array_free(&w->memory, &b->next, &b->next_capacity, sizeof *b->next);
}
