// skin.c: the surface of a world's skins, when its pairs are looked for, and their multipliers on the way from list to list.
#include "collide/bvh.h"
#include "stages/skin_list.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

// ---- the surface ---------------------------------------------------------------------------------------------------

static float thickness_at(const pl_world *w, int32_t slot) { return w->state.slot[SLOT_GRAIN][4 * (size_t)slot + 2]; }

// The slots of a face that is skin; false: it is none.
static bool skin_face(const pl_world *w, int64_t face, int32_t slot[3])
{
    const int32_t *number = w->faces.index + 3 * face;
    if (number[0] == number[1] || number[1] == number[2] || number[2] == number[0])
        return false;
    for (int i = 0; i < 3; i++)
    {
        slot[i] = w->numbers.slot_of[number[i]];
        if (!(thickness_at(w, slot[i]) > 0.0f))
            return false;
    }
    return true;
}

static pl_result list_triangles(pl_world *w)
{
    skin *k = &w->skin;
    memory *m = &w->memory;
    int32_t slot[3];
    k->triangles = 0;
    for (int64_t f = 0; f < w->faces.count; f++)
        k->triangles += skin_face(w, f, slot);
    pl_result r = array_reserve(m, &k->triangle, &k->triangle_capacity, 3 * (int64_t)k->triangles, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->triangle_edge, &k->triangle_edge_capacity, 3 * (int64_t)k->triangles, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->owns, &k->owns_capacity, k->triangles, 1);
    if (r == PL_OK)
        r = array_reserve(m, &k->vertex, &k->vertex_capacity, w->live, sizeof(int32_t));
    int32_t at = 0;
    for (int64_t f = 0; r == PL_OK && f < w->faces.count; f++)
        if (skin_face(w, f, slot))
            memcpy(k->triangle + 3 * (size_t)at++, slot, sizeof slot);
    return r;
}

typedef struct side
{
    int32_t low, high; // particle numbers: the order of edges does not depend on slots
    int32_t at;        // 3 * triangle + corner
} side;

static int compare_sides(const void *p, const void *q)
{
    const side *a = p, *b = q;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static void join_sides(pl_world *w, const side *sides)
{
    skin *k = &w->skin;
    int64_t count = 3 * (int64_t)k->triangles;
    k->edges = 0;
    for (int64_t i = 0; i < count; i++)
    {
        bool fresh = i == 0 || sides[i].low != sides[i - 1].low || sides[i].high != sides[i - 1].high;
        int32_t triangle = sides[i].at / 3, corner = sides[i].at % 3, e = fresh ? k->edges++ : k->edges - 1;
        if (fresh)
        {
            k->edge[2 * (size_t)e] = w->numbers.slot_of[sides[i].low];
            k->edge[2 * (size_t)e + 1] = w->numbers.slot_of[sides[i].high];
            k->edge_face[2 * (size_t)e] = triangle;
            k->edge_face[2 * (size_t)e + 1] = -1;
            k->owns[triangle] |= (uint8_t)(8 << corner);
        }
        else if (k->edge_face[2 * (size_t)e + 1] < 0)
            k->edge_face[2 * (size_t)e + 1] = triangle;
        k->triangle_edge[sides[i].at] = e;
    }
}

// Each edge has an owner, the first triangle that has it; so has each vertex.
static pl_result list_edges(pl_world *w)
{
    skin *k = &w->skin;
    int64_t count = 3 * (int64_t)k->triangles;
    size_t bytes = (size_t)count * sizeof(side) + (size_t)w->state.slots;
    void *block = NULL;
    pl_result r = memory_resize(&w->memory, &block, 0, bytes);
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->edge, &k->edge_capacity, 2 * count, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->edge_face, &k->edge_face_capacity, 2 * count, sizeof(int32_t));
    side *sides = block;
    if (r == PL_OK)
    {
        for (int64_t i = 0; i < count; i++)
        {
            int32_t a = w->number_of[k->triangle[i]], b = w->number_of[k->triangle[i - i % 3 + (i + 1) % 3]];
            sides[i] = a < b ? (side){a, b, (int32_t)i} : (side){b, a, (int32_t)i};
        }
        qsort(sides, (size_t)count, sizeof *sides, compare_sides);
        if (k->triangles)
            memset(k->owns, 0, (size_t)k->triangles);
        join_sides(w, sides);
        uint8_t *seen = (uint8_t *)(sides + count);
        for (int64_t i = 0; i < count; i++)
            if (!seen[k->triangle[i]])
            {
                seen[k->triangle[i]] = 1;
                k->owns[i / 3] |= (uint8_t)(1 << i % 3);
            }
        k->vertices = 0;
        for (int32_t slot = 0; slot < w->live; slot++)
            if (seen[slot])
                k->vertex[k->vertices++] = slot;
    }
    memory_free(&w->memory, block, bytes);
    return r;
}

static void fell_tree(pl_world *w)
{
    skin *k = &w->skin;
    if (k->tree)
        bvh_free(&w->memory, k->tree);
    memory_free(&w->memory, k->tree, sizeof *k->tree);
    k->tree = NULL;
}

// The tree of the surface at rest: what is near each other there stays so for the most part. Slots' positions, 3 floats each.
static pl_result grow_tree(pl_world *w)
{
    skin *k = &w->skin;
    fell_tree(w);
    if (!k->triangles)
        return PL_OK;
    size_t bytes = 12 * (size_t)w->state.slots;
    void *block = NULL, *tree = NULL;
    pl_result r = memory_resize(&w->memory, &block, 0, bytes);
    if (r == PL_OK)
        r = memory_resize(&w->memory, &tree, 0, sizeof *k->tree);
    if (r != PL_OK)
    {
        memory_free(&w->memory, block, bytes);
        return r;
    }
    k->tree = tree;
    for (int32_t slot = 0; slot < w->live; slot++)
        memcpy((float *)block + 3 * (size_t)slot, w->state.slot[SLOT_REST] + 4 * (size_t)slot, 12);
    mesh_view mesh = {"skin", block, k->triangle, w->live, k->triangles};
    r = bvh_build_thin(&w->memory, &mesh, k->tree);
    memory_free(&w->memory, block, bytes);
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->node_last, &k->node_last_capacity, k->tree->nodes, sizeof(int32_t));
    for (int64_t n = k->tree->nodes - 1; r == PL_OK && n >= 0; n--)
    {
        const bvh_node *node = &k->tree->node[n];
        k->node_last[n] = node->count ? node->next + node->count - 1 : k->node_last[node->next];
    }
    return r;
}

pl_result skin_compile(pl_world *w)
{
    skin *k = &w->skin;
    if (!k->stale)
        return PL_OK;
    int32_t before = k->triangles, edges = k->edges;
    pl_result r = skin_keep(w);
    if (r == PL_OK)
        r = list_triangles(w);
    if (r == PL_OK)
        r = list_edges(w);
    if (r == PL_OK)
        r = grow_tree(w);
    if (r != PL_OK)
    {
        k->triangles = k->edges = 0;
        k->listed = false;
        return r;
    }
    k->thickness = 0.0f;
    for (int32_t i = 0; i < k->vertices; i++)
    {
        float here = thickness_at(w, k->vertex[i]);
        k->thickness = here > k->thickness ? here : k->thickness;
    }
    if (!before != !k->triangles)
        w->plan_stale = true;
    if (before && (before != k->triangles || edges != k->edges))
        k->kept.count = 0; // pairs are told by numbers of triangles and edges, and those have changed
    k->listed = false;
    k->stale = false;
    k->surfaces++;
    return PL_OK;
}

// ---- multipliers ---------------------------------------------------------------------------------------------------

pl_result skin_keep(pl_world *w)
{
    skin *k = &w->skin;
    if (!k->listed)
        return PL_OK;
    pl_result r = pull(w, ARRAY_BIT(ARRAY_CONTACTS));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->kept.items, &k->kept.capacity, k->pairs.count, sizeof(kept));
    if (r != PL_OK)
        return r;
    k->kept.count = 0;
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        const skin_pair *p = &k->pairs.items[i];
        size_t row = (size_t)k->place[i];
        if (p->mode > SKIN_EDGES || w->state.skin.lambda[0][row] == 0.0f ||
            (p->mode == SKIN_VERTEX && w->number_of[p->a] < 0))
            continue;
        kept *to = &k->kept.items[k->kept.count++];
        to->a = p->mode == SKIN_VERTEX ? w->number_of[p->a] : -1 - p->a;
        to->b = p->b;
        for (int l = 0; l < 4; l++)
            to->lambda[l] = w->state.skin.lambda[l][row];
    }
    return PL_OK;
}

// Kept multipliers by what comes first in a pair: a vertex, by its slot, or an edge.
pl_result skin_carry(pl_world *w)
{
    skin *k = &w->skin;
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
            const kept *item = &k->kept.items[i];
            int64_t key = item->a >= 0 ? slot_of(w, item->a) : (int64_t)w->state.slots - 1 - item->a;
            if (key < 0 || key >= keys)
                continue;
            int32_t at = c->count[key]++;
            if (pass == 0)
                continue;
            at += c->first[key];
            c->other[at] = item->b;
            memcpy(c->lambda + 4 * (size_t)at, item->lambda, sizeof item->lambda);
        }
    }
    return r;
}

void skin_forget(pl_world *w)
{
    w->skin.kept.count = 0;
    w->skin.listed = w->skin.resume = false;
}

// ---- when ----------------------------------------------------------------------------------------------------------

// The square of the greatest speed of a corner, as the whole of them sees it.
static double greatest_rush(const pl_world *w)
{
    const skin *k = &w->skin;
    const float *v = w->state.slot[SLOT_SKIN_V];
    double mean[3] = {0}, sum[3], most = 0.0;
    for (int32_t i = 0; i < k->vertices; i += RUSH_CHUNK)
    {
        rush_sum(v, k->vertex, i, i + RUSH_CHUNK < k->vertices ? i + RUSH_CHUNK : k->vertices, sum);
        for (int c = 0; c < 3; c++)
            mean[c] += sum[c];
    }
    for (int c = 0; c < 3; c++)
        mean[c] /= k->vertices;
    for (int32_t i = 0; i < k->vertices; i++)
    {
        double square = rush_of(v, k->vertex[i], mean);
        most = square > most ? square : most;
    }
    return most;
}

static void choose_reach(pl_world *w)
{
    skin *k = &w->skin;
    k->margin = SKIN_MARGIN * k->thickness;
    k->horizon = skin_horizon(greatest_rush(w), w->state.h, k->thickness);
}

static void mark_paths(pl_world *w)
{
    const skin *k = &w->skin;
    state *s = &w->state;
    memset(s->slot[SLOT_SKIN], 0, 16 * (size_t)s->slots);
    memset(s->slot[SLOT_SKIN_V], 0, 16 * (size_t)s->slots);
    for (int32_t i = 0; i < k->vertices; i++)
    {
        size_t at = 4 * (size_t)k->vertex[i];
        memcpy(s->slot[SLOT_SKIN] + at, s->slot[SLOT_X] + at, 12);
        memcpy(s->slot[SLOT_SKIN_V] + at, s->slot[SLOT_V] + at, 12);
        s->slot[SLOT_SKIN][at + 3] = 1.0f;
    }
}

static pl_result build(pl_world *w)
{
    skin *k = &w->skin;
    crew hands = cpu_crew(&w->cpu);
    pl_result r = events_flush(w);
    if (r == PL_OK)
        r = skin_keep(w);
    if (r == PL_OK)
        r = skin_carry(w);
    k->listed = false;
    if (r == PL_OK)
        r = skin_list_grains(w);
    if (r == PL_OK)
        r = skin_search(w, &hands);
    if (r == PL_OK)
        r = skin_untangle(w);
    if (r == PL_OK)
        r = skin_pack(w, &hands);
    k->listed = r == PL_OK;
    k->resume = false;
    return r;
}

static bool still_holds(const pl_world *w)
{
    const skin *k = &w->skin;
    return k->listed && k->crossings == 0 &&
           skin_list_holds(w->flow.skin_age, w->state.h, k->horizon, w->flow.drifted, k->margin);
}

pl_result skin_refresh(pl_world *w, bool stale)
{
    skin *k = &w->skin;
    if (!has_skin(w))
        return PL_OK;
    pl_result r = k->resume ? build(w) : PL_OK;
    if (r == PL_OK && (stale || !still_holds(w)))
    {
        crew hands = cpu_crew(&w->cpu);
        mark_paths(w);
        choose_reach(w);
        skin_mark_grains(w, &hands);
        w->flow.skin_age = 0.0f;
        r = build(w);
    }
    w->state.skin.leeway = skin_leeway(k->margin, k->thickness);
    return r;
}

void skin_free(pl_world *w)
{
    skin *k = &w->skin;
    memory *m = &w->memory;
    array_free(m, &k->triangle, &k->triangle_capacity, sizeof(int32_t));
    array_free(m, &k->triangle_edge, &k->triangle_edge_capacity, sizeof(int32_t));
    array_free(m, &k->owns, &k->owns_capacity, 1);
    array_free(m, &k->edge, &k->edge_capacity, sizeof(int32_t));
    array_free(m, &k->edge_face, &k->edge_face_capacity, sizeof(int32_t));
    array_free(m, &k->vertex, &k->vertex_capacity, sizeof(int32_t));
    array_free(m, &k->grain, &k->grain_capacity, sizeof(int32_t));
    fell_tree(w);
    array_free(m, &k->node_last, &k->node_last_capacity, sizeof(int32_t));
    array_free(m, &k->box, &k->box_capacity, sizeof(skin_box));
    array_free(m, &k->node_box, &k->node_box_capacity, sizeof(skin_box));
    array_free(m, &k->edge_box, &k->edge_box_capacity, sizeof(skin_box));
    array_free(m, &k->cell, &k->cell_capacity, sizeof(int32_t));
    for (int i = 0; i < FINDS; i++)
    {
        array_free(m, &k->found[i].items, &k->found[i].capacity, sizeof(skin_pair));
        array_free(m, &k->found[i].count, &k->found[i].count_capacity, sizeof(int32_t));
    }
    array_free(m, &k->pairs.items, &k->pairs.capacity, sizeof(skin_pair));
    array_free(m, &k->pulls, &k->pull_capacity, sizeof(skin_pull));
    array_free(m, &k->mark, &k->mark_capacity, sizeof(int32_t));
    sortable_free(m, &k->sorted, k->sorted_capacity);
    blocks_free(&k->blocks, m);
    array_free(m, &k->place, &k->place_capacity, sizeof(int32_t));
    array_free(m, &k->packing, &k->packing_capacity, 1);
    carry_free(&k->carry, m);
    array_free(m, &k->kept.items, &k->kept.capacity, sizeof(kept));
}
