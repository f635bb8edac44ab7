// surface_kept.c: keeps the multipliers of surface pairs from list to list, through edits of the surfaces and in
// snapshots.
//
// An edit gives triangles and edges other numbers, and particles other slots; the numbers of the particles stay. So a
// kept pair is named by the numbers of its corners. Its multipliers are dropped only when one of its two elements is
// gone.
#include "model/world.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

// ---- names of elements ---------------------------------------------------------------------------------------------

static void order_two(int32_t *a, int32_t *b)
{
    int32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low, *b = high;
}

// The numbers of a triangle's corners, ascending.
static void name_triangle(const pl_world *w, int32_t triangle, int32_t name[3])
{
    for (int i = 0; i < 3; i++)
        name[i] = w->number_of[w->surfaces.triangle[3 * (size_t)triangle + (size_t)i]];
    order_two(&name[0], &name[1]);
    order_two(&name[1], &name[2]);
    order_two(&name[0], &name[1]);
}

// Returns the edge between two particles, low < high; -1: there is none. The edges of a slot lie side by side, at the
// corner that has the lower number.
static int32_t find_edge(const pl_world *w, int32_t low, int32_t high)
{
    const surfaces *k = &w->surfaces;
    int32_t from = slot_of(w, low), to = slot_of(w, high);
    if (from < 0 || to < 0)
        return -1;
    for (int32_t e = k->slot_edge[from]; e >= 0 && e < k->edges && k->edge[2 * (size_t)e] == from; e++)
        if (k->edge[2 * (size_t)e + 1] == to)
            return e;
    return -1;
}

// A face may be listed more than once, so its corners alone do not name a triangle. Walks over the triangles with the
// corners `name`, in order. If triangle >= 0, returns how many of them come before it, else the triangle that comes
// after the first `copies` of them. -1: there is none.
static int32_t walk_copies(const pl_world *w, const int32_t name[3], int32_t triangle, int32_t copies)
{
    const surfaces *k = &w->surfaces;
    int32_t e = find_edge(w, name[0], name[1]), last = slot_of(w, name[2]), seen = 0;
    for (int32_t i = e < 0 ? 0 : k->edge_first[e]; e >= 0 && i < k->edge_first[e + 1]; i++)
    {
        const int32_t *t = k->triangle + 3 * (size_t)k->edge_triangle[i];
        if (t[0] != last && t[1] != last && t[2] != last)
            continue;
        if (triangle < 0 ? seen == copies : k->edge_triangle[i] == triangle)
            return triangle < 0 ? k->edge_triangle[i] : seen;
        seen++;
    }
    return -1;
}

// ---- keeping -------------------------------------------------------------------------------------------------------

// Returns false if a corner is gone.
static bool name_pair(const pl_world *w, const surface_pair *p, kept_surface *to)
{
    const surfaces *k = &w->surfaces;
    if (p->mode == SURFACE_VERTEX)
    {
        to->corner[0] = w->number_of[p->a];
        name_triangle(w, p->b, to->corner + 1);
        to->copy = to->corner[1] < 0 ? -1 : walk_copies(w, to->corner + 1, p->b, 0);
        return to->corner[0] >= 0 && to->copy >= 0;
    }
    for (size_t i = 0; i < 2; i++)
    {
        to->corner[i] = w->number_of[k->edge[2 * (size_t)p->a + i]];
        to->corner[2 + i] = w->number_of[k->edge[2 * (size_t)p->b + i]];
    }
    to->copy = KEPT_EDGES;
    return to->corner[0] >= 0 && to->corner[1] >= 0 && to->corner[2] >= 0 && to->corner[3] >= 0;
}

pl_result surface_keep(pl_world *w)
{
    surfaces *k = &w->surfaces;
    if (!k->listed)
        return PL_OK;
    pl_result r = pull(w, ARRAY_BIT(ARRAY_CONTACTS));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->kept.items, &k->kept.capacity, k->pairs.count, sizeof *k->kept.items);
    if (r != PL_OK)
        return r;
    k->kept.count = 0;
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        const surface_pair *p = &k->pairs.items[i];
        size_t row = (size_t)k->row[i];
        kept_surface *to = &k->kept.items[k->kept.count];
        if (p->mode > SURFACE_EDGES || w->state.surfaces.lambda[0][row] == 0.0f || !name_pair(w, p, to))
            continue;
        for (int l = 0; l < 4; l++)
            to->lambda[l] = w->state.surfaces.lambda[l][row];
        k->kept.count++;
    }
    return PL_OK;
}

void surface_drop_gone(pl_world *w)
{
    kept_surface_list *list = &w->surfaces.kept;
    int64_t left = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (kept_surface_holds(w, &list->items[i]))
            list->items[left++] = list->items[i];
    list->count = left;
}

bool kept_surface_holds(const pl_world *w, const kept_surface *item)
{
    bool holds = item->copy >= KEPT_EDGES;
    for (int i = 0; i < 4; i++)
        holds &= slot_of(w, item->corner[i]) >= 0;
    return holds;
}

// ---- carrying ------------------------------------------------------------------------------------------------------

// The index of the edge's owner in the order of the leaves: the search names the edge of the first leaf first.
static int32_t leaf_of_edge(const surfaces *k, int32_t edge) { return k->leaf[k->edge_face[2 * (size_t)edge]]; }

// A kept pair in the present numbers: an entry of `carry`.
typedef struct carried
{
    int32_t key, other; // key < 0: an element is gone
    bool swapped;       // the edges are swapped, so friction acts the other way
} carried;

static carried find_pair(const pl_world *w, const kept_surface *item)
{
    const surfaces *k = &w->surfaces;
    if (item->copy != KEPT_EDGES)
    {
        int32_t triangle = walk_copies(w, item->corner + 1, -1, item->copy);
        return (carried){triangle < 0 ? -1 : slot_of(w, item->corner[0]), triangle, false};
    }
    int32_t a = find_edge(w, item->corner[0], item->corner[1]), b = find_edge(w, item->corner[2], item->corner[3]);
    if (a < 0 || b < 0)
        return (carried){.key = -1};
    bool swapped = leaf_of_edge(k, b) < leaf_of_edge(k, a);
    return (carried){w->state.slots + (swapped ? b : a), swapped ? a : b, swapped};
}

// Sorts the kept multipliers by the first element of a pair: a vertex, by its slot, or an edge.
pl_result surface_carry(pl_world *w)
{
    surfaces *k = &w->surfaces;
    carry *c = &k->carry;
    int32_t keys = w->state.slots + k->edges;
    pl_result r = carry_open(c, &w->memory, keys, k->kept.count);
    for (int pass = 0; r == PL_OK && pass < 2; pass++)
    {
        for (int32_t key = 0; pass == 1 && key < keys; key++)
        {
            c->first[key] = (int32_t)c->entries;
            c->entries += c->count[key];
            c->count[key] = 0;
        }
        for (int64_t i = 0; i < k->kept.count; i++)
        {
            carried to = find_pair(w, &k->kept.items[i]);
            if (to.key < 0)
                continue;
            int32_t at = c->count[to.key]++;
            if (pass == 0)
                continue;
            at += c->first[to.key];
            c->other[at] = to.other;
            float *lambda = c->lambda + 4 * (size_t)at;
            memcpy(lambda, k->kept.items[i].lambda, 4 * sizeof *lambda);
            for (int l = 1; to.swapped && l < 4; l++)
                lambda[l] = -lambda[l];
        }
    }
    return r;
}

void surface_forget(pl_world *w)
{
    w->surfaces.kept.count = 0;
    w->surfaces.listed = w->surfaces.resume = false;
}
