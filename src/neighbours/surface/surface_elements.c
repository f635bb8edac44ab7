// surface_elements.c: lists the elements of surfaces in the order of the leaves of the tree, each at the triangle that
// owns it, and fits their boxes (neighbours/element_search.h).
#include "collide/bvh.h"
#include "model/world.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

// ---- lists ---------------------------------------------------------------------------------------------------------

// Chooses how the levels of boxes lie behind each other.
static pl_result list_open(pl_world *w, element_list *l, int64_t count, int corners)
{
    memory *m = &w->memory;
    int64_t blocks = element_blocks(count), all = blocks;
    l->count = (int32_t)count;
    l->corners = corners;
    l->step = (int32_t)(blocks * BOX_BLOCK);
    l->level[0] = 0;
    for (l->levels = 1; l->levels == 1 || blocks > 1; l->levels++)
    {
        l->level[l->levels] = all;
        blocks = element_blocks(blocks);
        all += blocks;
    }
    pl_result r = array_reserve(m, &l->corner, &l->corner_capacity, corners * (int64_t)l->step, sizeof *l->corner);
    if (r == PL_OK)
        r = array_reserve(m, &l->number, &l->number_capacity, count, sizeof *l->number);
    if (r == PL_OK)
        r = array_reserve(m, &l->home, &l->home_capacity, count, sizeof *l->home);
    if (r == PL_OK)
        r = array_reserve(m, &l->block, &l->block_capacity, all, sizeof *l->block);
    return r;
}

static void list_put(element_list *l, int32_t at, int32_t number, int32_t home, const int32_t *slot)
{
    l->number[at] = number;
    l->home[at] = home;
    for (int i = 0; i < l->corners; i++)
        l->corner[i * (int64_t)l->step + at] = 4 * (uint32_t)slot[i];
}

// Repeats the last element until the end of its block.
static void list_close(element_list *l)
{
    for (int i = 0; i < l->corners; i++)
        for (int32_t at = l->count; at && at < l->step; at++)
            l->corner[i * (int64_t)l->step + at] = l->corner[i * (int64_t)l->step + l->count - 1];
}

pl_result surface_list_elements(pl_world *w)
{
    surfaces *k = &w->surfaces;
    element_list *vertices = &k->elements[ELEMENT_VERTICES], *edges = &k->elements[ELEMENT_EDGES],
                 *triangles = &k->elements[ELEMENT_TRIANGLES];
    pl_result r = list_open(w, vertices, k->vertices, 1);
    if (r == PL_OK)
        r = list_open(w, edges, k->edges, 2);
    if (r == PL_OK)
        r = list_open(w, triangles, k->triangles, 3);
    if (r != PL_OK)
        return r;
    int32_t vertex = 0, edge = 0;
    for (int32_t s = 0; s < k->triangles; s++)
    {
        int32_t number = k->tree->id[s];
        const int32_t *corner = k->triangle + 3 * (size_t)number, *sides = k->triangle_edge + 3 * (size_t)number;
        list_put(triangles, s, number, 4 * s, corner);
        for (int i = 0; i < 3; i++)
        {
            if (k->owns[number] >> i & 1)
                list_put(vertices, vertex++, corner[i], 4 * s + i, &corner[i]);
            if (k->owns[number] >> (3 + i) & 1)
                list_put(edges, edge++, sides[i], 4 * s + i, k->edge + 2 * (size_t)sides[i]);
        }
    }
    list_close(vertices);
    list_close(edges);
    list_close(triangles);
    return PL_OK;
}

pl_result surface_list_searched_particles(pl_world *w)
{
    surfaces *k = &w->surfaces;
    element_list *l = &k->elements[ELEMENT_PARTICLES];
    pl_result r = list_open(w, l, k->particles, 1);
    for (int32_t i = 0; r == PL_OK && i < k->particles; i++)
        list_put(l, i, k->particle[i], 4 * (k->triangles + i), &k->particle[i]);
    if (r == PL_OK)
        list_close(l);
    return r;
}

void surface_elements_free(pl_world *w)
{
    for (int kind = 0; kind < ELEMENT_KINDS; kind++)
    {
        element_list *l = &w->surfaces.elements[kind];
        array_free(&w->memory, &l->corner, &l->corner_capacity, sizeof *l->corner);
        array_free(&w->memory, &l->number, &l->number_capacity, sizeof *l->number);
        array_free(&w->memory, &l->home, &l->home_capacity, sizeof *l->home);
        array_free(&w->memory, &l->block, &l->block_capacity, sizeof *l->block);
    }
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

typedef struct fitting
{
    const element_lanes *lanes;
    const element_search *q;
    element_list *l;
    int level;
} fitting;

static void fit_some(void *arg, int64_t begin, int64_t end)
{
    const fitting *f = arg;
    if (f->level == 0)
        f->lanes->fit_elements(f->q, f->l, begin, end);
    else
        f->lanes->fit_level(f->l, f->level, begin, end);
}

void surface_fit(pl_world *w, const element_search *q, enum element_kind kind, const parallel *threads)
{
    enum
    {
        BLOCKS_PER_PART = 16
    };
    fitting f = {w->cpu.elements, q, &w->surfaces.elements[kind], 0};
    int64_t blocks = element_blocks(f.l->count);
    for (; f.level < f.l->levels && blocks; f.level++)
    {
        parallel_for(threads, fit_some, &f, blocks, BLOCKS_PER_PART);
        blocks = f.level + 1 < f.l->levels ? element_blocks(blocks) : 0;
    }
}
