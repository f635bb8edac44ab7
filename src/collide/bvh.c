// bvh.c: builds the bounding volume hierarchy of a mesh, and the normals by which a solid tells inside from outside.
#include "collide/bvh.h"
#include "core/trig.h"

#include <math.h>
#include <stdlib.h>

// ---- the tree ------------------------------------------------------------------------------------------------------

typedef struct item
{
    double centre[3]; // three times the centroid
    double key;
    int32_t id;
} item;

static int compare_items(const void *p, const void *q)
{
    const item *a = p, *b = q;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

// The axis along which the centroids spread most.
static int widest_axis(const item *items, int64_t count)
{
    int axis = 0;
    double widest = -1.0;
    for (int k = 0; k < 3; k++)
    {
        double low = items[0].centre[k], high = low;
        for (int64_t i = 1; i < count; i++)
        {
            low = items[i].centre[k] < low ? items[i].centre[k] : low;
            high = items[i].centre[k] > high ? items[i].centre[k] : high;
        }
        if (high - low > widest)
        {
            widest = high - low;
            axis = k;
        }
    }
    return axis;
}

typedef struct task
{
    int64_t first, count, parent; // parent: the node whose right child this is, -1 if it is a left one
} task;

// Lays the nodes out depth first, left before right. bvh_refit computes the boxes later.
static int64_t split(item *items, int64_t count, bvh_node *nodes)
{
    task stack[2 * BVH_DEPTH];
    int64_t used = 0;
    int top = 0;
    stack[top++] = (task){0, count, -1};
    while (top > 0)
    {
        task t = stack[--top];
        int64_t at = used++;
        if (t.parent >= 0)
            nodes[t.parent].next = (int32_t)at;
        if (t.count <= BVH_LEAF)
        {
            nodes[at].next = (int32_t)t.first;
            nodes[at].count = (int32_t)t.count;
            continue;
        }
        int axis = widest_axis(items + t.first, t.count);
        for (int64_t i = t.first; i < t.first + t.count; i++)
            items[i].key = items[i].centre[axis];
        qsort(items + t.first, (size_t)t.count, sizeof *items, compare_items);
        int64_t half = t.count / 2;
        nodes[at].count = 0;
        stack[top++] = (task){t.first + half, t.count - half, at};
        stack[top++] = (task){t.first, half, -1};
    }
    return used;
}

static item item_of(const mesh_view *mesh, int64_t t)
{
    item r = {{0.0, 0.0, 0.0}, 0.0, (int32_t)t};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r.centre[k] += (double)mesh->x[3 * (int64_t)mesh->triangle[3 * t + i] + k];
    return r;
}

static pl_result build_tree(memory *m, const mesh_view *mesh, bvh *out)
{
    void *block = NULL;
    size_t bytes = (size_t)mesh->triangles * sizeof(item);
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    item *items = block;
    for (int64_t t = 0; t < mesh->triangles; t++)
        items[t] = item_of(mesh, t);
    split(items, mesh->triangles, out->node);
    for (int64_t s = 0; s < mesh->triangles; s++)
    {
        out->id[s] = items[s].id;
        for (int i = 0; i < 3; i++)
            out->vertex[3 * s + i] = mesh->triangle[3 * (int64_t)items[s].id + i];
    }
    memory_free(m, block, bytes);
    return PL_OK;
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

static void box_of_triangles(const bvh *b, bvh_node *n)
{
    for (int k = 0; k < 3; k++)
    {
        n->low[k] = n->high[k] = b->corner[9 * (int64_t)n->next + k];
        for (int64_t i = 3 * (int64_t)n->next; i < 3 * ((int64_t)n->next + n->count); i++)
        {
            n->low[k] = least(n->low[k], b->corner[3 * i + k]);
            n->high[k] = most(n->high[k], b->corner[3 * i + k]);
        }
    }
}

static int64_t node_count(int64_t triangles)
{
    // Follows `split`: a node of n triangles has children of n/2 and n - n/2, so each level has at most two sizes.
    int64_t small = triangles, smalls = 1, larges = 0, total = 0; // larges: number of nodes of size small + 1
    for (;;)
    {
        total += smalls + larges;
        int64_t small_splits = small > BVH_LEAF ? smalls : 0, large_splits = small + 1 > BVH_LEAF ? larges : 0;
        if (small_splits + large_splits == 0)
            return total;
        int64_t half = small / 2;
        // small = 2 half or 2 half + 1; small + 1 = 2 half + 1 or 2 half + 2
        int64_t odd = small % 2;
        smalls = odd ? small_splits : 2 * small_splits + large_splits;
        larges = odd ? small_splits + 2 * large_splits : large_splits;
        small = half;
    }
}

// ---- normals of faces, edges and corners ---------------------------------------------------------------------------

typedef struct workspace
{
    int32_t *weld, *slot; // slot: the position of each mesh triangle in the leaves
    half_edge *halves;
    float *sum; // 3 for each vertex
} workspace;

static vec normal_of(const float *n) { return vec_of(n[0], n[1], n[2]); }

static void put(float *to, vec a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static vec unit(vec a)
{
    float len;
    return direction(a, vec_of(0.0f, 1.0f, 0.0f), &len);
}

static void face_normals(const bvh *b, const mesh_view *mesh, const workspace *w)
{
    for (int64_t t = 0; t < mesh->triangles; t++)
    {
        int32_t s = w->slot[t];
        vec p[3] = {bvh_corner(b, s, 0), bvh_corner(b, s, 1), bvh_corner(b, s, 2)};
        // Unit edges, so that the product does not underflow for the smallest triangles.
        vec e = unit(sub(p[1], p[0])), f = unit(sub(p[2], p[0])), n = unit(cross(e, f));
        put(b->normal + BVH_NORMALS * (int64_t)s, n);
        for (int i = 0; i < 3; i++)
        {
            vec q = unit(sub(p[(i + 1) % 3], p[i])), r = unit(sub(p[(i + 2) % 3], p[i]));
            float angle = angle_of(length(cross(q, r)), dot(q, r));
            float *sum = w->sum + 3 * (int64_t)w->weld[mesh->triangle[3 * t + i]];
            put(sum, add(normal_of(sum), times(angle, n)));
        }
    }
}

static void edge_and_corner_normals(const bvh *b, const mesh_view *mesh, const workspace *w)
{
    for (int64_t i = 0; i < 3 * mesh->triangles; i += 2) // a closed mesh: half edges come in pairs
    {
        float *face[2], *edge[2];
        for (int k = 0; k < 2; k++)
        {
            int32_t at = w->halves[i + k].at;
            face[k] = b->normal + BVH_NORMALS * (int64_t)w->slot[at / 3];
            edge[k] = face[k] + 3 + 3 * (at % 3);
        }
        vec n = unit(add(normal_of(face[0]), normal_of(face[1])));
        put(edge[0], n);
        put(edge[1], n);
    }
    for (int64_t t = 0; t < mesh->triangles; t++)
        for (int i = 0; i < 3; i++)
            put(b->normal + BVH_NORMALS * (int64_t)w->slot[t] + 12 + 3 * i,
                unit(normal_of(w->sum + 3 * (int64_t)w->weld[mesh->triangle[3 * t + i]])));
}

static pl_result build_normals(memory *m, const mesh_view *mesh, const bvh *b)
{
    size_t v = (size_t)mesh->vertices, t = (size_t)mesh->triangles;
    size_t bytes = t * 3 * sizeof(half_edge) + v * (sizeof(int32_t) + 3 * sizeof(float)) + t * sizeof(int32_t);
    void *block = NULL;
    pl_result result = memory_resize(m, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    workspace w;
    w.halves = block;
    w.sum = (float *)(w.halves + 3 * t);
    w.weld = (int32_t *)(w.sum + 3 * v);
    w.slot = w.weld + v;
    for (int64_t s = 0; s < mesh->triangles; s++)
        w.slot[b->id[s]] = (int32_t)s;
    result = mesh_weld(m, mesh, w.weld);
    if (result == PL_OK)
        result = mesh_pair_edges(mesh, w.weld, w.halves);
    if (result == PL_OK)
    {
        face_normals(b, mesh, &w);
        edge_and_corner_normals(b, mesh, &w);
    }
    memory_free(m, block, bytes);
    return result;
}

// ---- build, refit, free --------------------------------------------------------------------------------------------

void bvh_refit(bvh *b, const float *x)
{
    for (int64_t i = 0; i < 3 * b->triangles; i++)
        for (int k = 0; k < 3; k++)
            b->corner[3 * i + k] = x[3 * (int64_t)b->vertex[i] + k];
    for (int64_t at = b->nodes - 1; at >= 0; at--) // children come after their parents
    {
        bvh_node *n = b->node + at;
        if (n->count > 0)
        {
            box_of_triangles(b, n);
            continue;
        }
        const bvh_node *l = n + 1, *r = b->node + n->next;
        for (int k = 0; k < 3; k++)
        {
            n->low[k] = least(l->low[k], r->low[k]);
            n->high[k] = most(l->high[k], r->high[k]);
        }
    }
}

static pl_result take(memory *m, void *pointer, int64_t count, size_t item_size)
{
    int64_t none = 0;
    return array_reserve(m, pointer, &none, count, item_size);
}

static pl_result reserve(memory *m, int64_t triangles, int solid, bvh *out)
{
    out->triangles = triangles;
    out->nodes = node_count(triangles);
    out->normals = solid ? triangles : 0;
    pl_result result = take(m, &out->node, out->nodes, sizeof *out->node);
    if (result == PL_OK)
        result = take(m, &out->corner, triangles, 9 * sizeof *out->corner);
    if (result == PL_OK)
        result = take(m, &out->id, triangles, sizeof *out->id);
    if (result == PL_OK)
        result = take(m, &out->vertex, triangles, 3 * sizeof *out->vertex);
    if (result == PL_OK && solid)
        result = take(m, &out->normal, triangles, BVH_NORMALS * sizeof *out->normal);
    return result;
}

static pl_result build_bvh(memory *m, const mesh_view *mesh, int solid, bvh *out)
{
    pl_result result = reserve(m, mesh->triangles, solid, out);
    if (result == PL_OK)
        result = build_tree(m, mesh, out);
    if (result == PL_OK)
        bvh_refit(out, mesh->x);
    if (result == PL_OK && solid)
        result = build_normals(m, mesh, out);
    if (result != PL_OK)
        bvh_free(m, out);
    return result;
}

pl_result bvh_build(memory *m, const mesh_view *mesh, int solid, bvh *out)
{
    *out = (bvh){0};
    pl_result result = mesh_check(m, mesh, solid);
    return result == PL_OK ? build_bvh(m, mesh, solid, out) : result;
}

pl_result bvh_build_thin(memory *m, const mesh_view *mesh, bvh *out)
{
    *out = (bvh){0};
    return build_bvh(m, mesh, 0, out);
}

void bvh_free(memory *m, bvh *b)
{
    memory_free(m, b->node, (size_t)b->nodes * sizeof *b->node);
    memory_free(m, b->corner, (size_t)b->triangles * 9 * sizeof *b->corner);
    memory_free(m, b->id, (size_t)b->triangles * sizeof *b->id);
    memory_free(m, b->vertex, (size_t)b->triangles * 3 * sizeof *b->vertex);
    memory_free(m, b->normal, (size_t)b->normals * BVH_NORMALS * sizeof *b->normal);
    *b = (bvh){0};
}
