// surface_mesh.c: builds the collision surfaces of a world: their triangles, edges and vertices, and their bounding
// volume hierarchy.
#include "collide/bvh.h"
#include "collide/collision_filter.h"
#include "model/world.h"
#include "neighbours/surface/surfaces.h"

#include <stdlib.h>
#include <string.h>

static float thickness_at(const pl_world *w, int32_t slot)
{
    return w->state.slot[SLOT_COLLISION][4 * (size_t)slot + 2];
}

// Finds the slots of a face; returns false if the face is not part of a collision surface.
static bool surface_face(const pl_world *w, int64_t face, int32_t slot[3])
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
    surfaces *k = &w->surfaces;
    memory *m = &w->memory;
    int32_t slot[3];
    k->triangles = 0;
    for (int64_t f = 0; f < w->faces.count; f++)
        k->triangles += surface_face(w, f, slot);
    pl_result r = array_reserve(m, &k->triangle, &k->triangle_capacity, 3 * (int64_t)k->triangles, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->triangle_edge, &k->triangle_edge_capacity, 3 * (int64_t)k->triangles, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->owns, &k->owns_capacity, k->triangles, 1);
    if (r == PL_OK)
        r = array_reserve(m, &k->vertex, &k->vertex_capacity, w->state.particles, sizeof(int32_t));
    int32_t at = 0;
    for (int64_t f = 0; r == PL_OK && f < w->faces.count; f++)
        if (surface_face(w, f, slot))
            memcpy(k->triangle + 3 * (size_t)at++, slot, sizeof slot);
    return r;
}

typedef struct side
{
    int32_t low, high; // particle numbers, so that the order of edges does not depend on slots
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
    surfaces *k = &w->surfaces;
    int64_t count = 3 * (int64_t)k->triangles;
    k->edges = 0;
    for (int64_t i = 0; i < count; i++)
    {
        bool fresh = i == 0 || sides[i].low != sides[i - 1].low || sides[i].high != sides[i - 1].high;
        int32_t triangle = sides[i].at / 3, corner = sides[i].at % 3, e = fresh ? k->edges++ : k->edges - 1;
        k->edge_triangle[i] = triangle;
        if (fresh)
        {
            int32_t low = w->numbers.slot_of[sides[i].low];
            k->edge_first[e] = (int32_t)i;
            if (k->slot_edge[low] < 0)
                k->slot_edge[low] = e;
            k->edge[2 * (size_t)e] = low;
            k->edge[2 * (size_t)e + 1] = w->numbers.slot_of[sides[i].high];
            k->edge_face[2 * (size_t)e] = triangle;
            k->edge_face[2 * (size_t)e + 1] = -1;
            k->owns[triangle] |= (uint8_t)(8 << corner);
        }
        else if (k->edge_face[2 * (size_t)e + 1] < 0)
            k->edge_face[2 * (size_t)e + 1] = triangle;
        k->triangle_edge[sides[i].at] = e;
    }
    k->edge_first[k->edges] = (int32_t)count;
}

static pl_result reserve_edges(pl_world *w, int64_t count)
{
    surfaces *k = &w->surfaces;
    memory *m = &w->memory;
    pl_result r = array_reserve(m, &k->edge, &k->edge_capacity, 2 * count, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_face, &k->edge_face_capacity, 2 * count, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_first, &k->edge_first_capacity, count + 1, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_triangle, &k->edge_triangle_capacity, count, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &k->slot_edge, &k->slot_edge_capacity, w->state.slots, sizeof(int32_t));
    for (int32_t slot = 0; r == PL_OK && slot < w->state.slots; slot++)
        k->slot_edge[slot] = -1;
    return r;
}

// Lists the edges. Each edge and each vertex has an owner: the first triangle that contains it.
static pl_result list_edges(pl_world *w)
{
    surfaces *k = &w->surfaces;
    int64_t count = 3 * (int64_t)k->triangles;
    size_t bytes = (size_t)count * sizeof(side) + (size_t)w->state.slots;
    void *block = NULL;
    pl_result r = memory_resize(&w->memory, &block, 0, bytes);
    if (r == PL_OK)
        r = reserve_edges(w, count);
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
        for (int32_t slot = 0; slot < w->state.particles; slot++)
            if (seen[slot])
                k->vertex[k->vertices++] = slot;
    }
    memory_free(&w->memory, block, bytes);
    return r;
}

void surface_bvh_free(pl_world *w)
{
    surfaces *k = &w->surfaces;
    if (k->tree)
        bvh_free(&w->memory, k->tree);
    memory_free(&w->memory, k->tree, sizeof *k->tree);
    k->tree = NULL;
}

// Builds the hierarchy from positions at rest, 3 floats for each slot: triangles that are near each other at rest
// mostly stay so.
static pl_result grow_tree(pl_world *w)
{
    surfaces *k = &w->surfaces;
    surface_bvh_free(w);
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
    for (int32_t slot = 0; slot < w->state.particles; slot++)
        memcpy((float *)block + 3 * (size_t)slot, w->state.slot[SLOT_REST] + 4 * (size_t)slot, 12);
    mesh_view mesh = {"surface", block, k->triangle, w->state.particles, k->triangles};
    r = bvh_build_thin(&w->memory, &mesh, k->tree);
    memory_free(&w->memory, block, bytes);
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->node_last, &k->node_last_capacity, k->tree->nodes, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->leaf, &k->leaf_capacity, k->triangles, sizeof(int32_t));
    for (int32_t s = 0; r == PL_OK && s < k->triangles; s++)
        k->leaf[k->tree->id[s]] = s;
    for (int64_t n = k->tree->nodes - 1; r == PL_OK && n >= 0; n--)
    {
        const bvh_node *node = &k->tree->node[n];
        k->node_last[n] = node->count ? node->next + node->count - 1 : k->node_last[node->next];
    }
    return r;
}

// Marks the slots that are corners of a surface. Every other particle with a radius is a free particle, whatever its
// thickness.
static void mark_corners(pl_world *w)
{
    const surfaces *k = &w->surfaces;
    float *collision = w->state.slot[SLOT_COLLISION];
    bool changed = false;
    int32_t next = 0;
    for (int32_t slot = 0; slot < w->state.particles; slot++)
    {
        bool corner = next < k->vertices && k->vertex[next] == slot; // vertices are sorted by slot
        next += corner;
        changed |= is_surface(collision, slot) != corner;
        put_corner(collision, slot, corner, material_of(collision, slot));
    }
    if (!changed)
        return;
    mark_changed(w, ARRAY_BIT(SLOT_COLLISION));
    w->contacts.colliders_stale = w->contacts.stale = true;
}

pl_result surface_compile(pl_world *w)
{
    surfaces *k = &w->surfaces;
    if (!k->stale)
        return PL_OK;
    int32_t before = k->triangles;
    pl_result r = surface_keep(w);
    if (r == PL_OK)
        r = pull(w, ARRAY_BIT(SLOT_COLLISION) | ARRAY_BIT(SLOT_REST));
    if (r == PL_OK)
        r = list_triangles(w);
    if (r == PL_OK)
        r = list_edges(w);
    if (r == PL_OK)
        r = grow_tree(w);
    if (r == PL_OK)
        r = surface_list_elements(w);
    if (r != PL_OK)
    {
        k->triangles = k->edges = 0;
        k->listed = false;
        return r;
    }
    mark_corners(w);
    k->thickness = 0.0f;
    for (int32_t i = 0; i < k->vertices; i++)
    {
        float here = thickness_at(w, k->vertex[i]);
        k->thickness = here > k->thickness ? here : k->thickness;
    }
    if (!before != !k->triangles)
        w->plan_stale = true;
    k->listed = false;
    k->stale = false;
    k->surface_version++;
    return PL_OK;
}
