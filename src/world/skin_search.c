// skin_search.c: which pieces of skin are near each other, and which edges go through which triangles.
//
// Triangles whose boxes meet are found in the tree of the surface, whose boxes are those of the ways until the horizon, as
// the whole of the skin sees them. Each vertex and each edge belongs to one triangle, so that each pair is looked at once.
#include "collide/bvh.h"
#include "constraints/skin.h"
#include "world/world.h"

#include <string.h>

enum
{
    PART = 64, // triangles that one hand takes at a time
};

typedef struct hunt
{
    pl_world *w;
    skin *k;
    const float *x, *v;  // 4 floats a slot
    float mean[3];       // the skin's velocity
    float horizon, wide; // wide: by how much a box is larger on each side
    bool crossings_only;
} hunt;

static vec point_at(const float *x, int32_t slot)
{
    const float *p = x + 4 * (size_t)slot;
    return vec_of(p[0], p[1], p[2]);
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

static void box_open(float box[6])
{
    for (int c = 0; c < 3; c++)
        box[c] = 1e30f, box[3 + c] = -1e30f;
}

static void box_add(float box[6], int c, float a)
{
    box[c] = a < box[c] ? a : box[c];
    box[3 + c] = a > box[3 + c] ? a : box[3 + c];
}

// The way of a particle until the horizon.
static void box_way(const hunt *q, float box[6], int32_t slot)
{
    for (int c = 0; c < 3; c++)
    {
        float a = q->x[4 * (size_t)slot + (size_t)c];
        float u = q->horizon > 0.0f ? (q->v[4 * (size_t)slot + (size_t)c] - q->mean[c]) * q->horizon : 0.0f;
        box_add(box, c, a - q->wide);
        box_add(box, c, a + q->wide);
        box_add(box, c, a + u - q->wide);
        box_add(box, c, a + u + q->wide);
    }
}

static bool boxes_meet(const float *a, const float *b)
{
    return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

// Flat boxes side by side in a plane do not count.
static bool boxes_cross(const float *a, const float *b)
{
    return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5] &&
           ((a[0] < b[3] && b[0] < a[3]) + (a[1] < b[4] && b[1] < a[4]) + (a[2] < b[5] && b[2] < a[5]) >= 2);
}

static void make_boxes(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    skin *k = q->k;
    for (int64_t s = begin; s < end; s++)
    {
        const int32_t *corner = k->triangle + 3 * (size_t)k->tree->id[s];
        float *box = k->box + 6 * s, *tight = k->tight + 6 * s;
        box_open(box);
        box_open(tight);
        for (int i = 0; i < 3; i++)
        {
            box_way(q, box, corner[i]);
            for (int c = 0; c < 3; c++)
                box_add(tight, c, q->x[4 * (size_t)corner[i] + (size_t)c]);
        }
    }
}

static void make_edge_boxes(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    for (int64_t e = begin; e < end; e++)
    {
        float *box = q->k->edge_box + 6 * e;
        box_open(box);
        box_way(q, box, q->k->edge[2 * e]);
        box_way(q, box, q->k->edge[2 * e + 1]);
    }
}

static void fit_tree(skin *k)
{
    for (int64_t n = k->tree->nodes - 1; n >= 0; n--)
    {
        bvh_node *node = &k->tree->node[n];
        float box[6];
        box_open(box);
        for (int c = 0; c < 3; c++)
        {
            for (int32_t s = node->next; s < node->next + node->count; s++)
            {
                box_add(box, c, k->box[6 * (size_t)s + (size_t)c]);
                box_add(box, c, k->box[6 * (size_t)s + 3 + (size_t)c]);
            }
            if (node->count == 0)
            {
                box_add(box, c, node[1].low[c]);
                box_add(box, c, node[1].high[c]);
                box_add(box, c, k->tree->node[node->next].low[c]);
                box_add(box, c, k->tree->node[node->next].high[c]);
            }
            node->low[c] = box[c];
            node->high[c] = box[3 + c];
        }
    }
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

typedef struct part
{
    const hunt *q;
    int64_t number;
    int32_t count[FINDS];
} part;

static void found(part *p, int what, skin_pair pair)
{
    const skin_finds *f = &p->q->k->found[what];
    if (!p->q->crossings_only && p->count[what] < f->room)
        f->items[p->number * f->room + p->count[what]] = pair;
    p->count[what]++;
}

// How near the two come, or may come: half the thickness of each, but no more than they are apart at rest.
static float reach_between(const hunt *q, const int32_t corner[4], bool vertex)
{
    const float *grain = q->w->state.slot[SLOT_GRAIN], *rest = q->w->state.slot[SLOT_REST];
    float thick[4], reach;
    bool together = true;
    for (int i = 0; i < 4; i++)
    {
        thick[i] = grain[4 * (size_t)corner[i] + 2];
        together &= bits_of(rest[4 * (size_t)corner[i] + 3]) == bits_of(rest[4 * (size_t)corner[0] + 3]);
    }
    if (vertex)
        reach = 0.5f * (thick[0] + most(thick[1], most(thick[2], thick[3])));
    else
        reach = 0.5f * (most(thick[0], thick[1]) + most(thick[2], thick[3]));
    if (!together)
        return reach;
    vec r[4];
    for (int i = 0; i < 4; i++)
        r[i] = point_at(rest, corner[i]);
    closest c = vertex ? point_triangle(r[0], r[1], r[2], r[3]) : edge_edge(r[0], r[1], r[2], r[3]);
    return least(reach, 0.9f * root(c.square));
}

static bool is_near(const hunt *q, const int32_t corner[4], bool vertex)
{
    vec x[4], u[4];
    float mobile = 0.0f;
    for (int i = 0; i < 4; i++)
    {
        x[i] = point_at(q->x, corner[i]);
        u[i] = point_at(q->v, corner[i]);
        mobile = mobile + q->w->state.slot[SLOT_X][4 * (size_t)corner[i] + 3];
    }
    if (mobile == 0.0f)
        return false;
    closest c = vertex ? point_triangle(x[0], x[1], x[2], x[3]) : edge_edge(x[0], x[1], x[2], x[3]);
    float near = q->k->thickness + q->k->margin + q->horizon * skin_rush(vertex, u);
    return c.square < near * near;
}

static void try_vertex(part *p, int32_t slot, int32_t triangle, const float *box)
{
    const hunt *q = p->q;
    const int32_t *t = q->k->triangle + 3 * (size_t)triangle;
    if (slot == t[0] || slot == t[1] || slot == t[2])
        return;
    float way[6];
    box_open(way);
    box_way(q, way, slot);
    const int32_t corner[4] = {slot, t[0], t[1], t[2]};
    if (boxes_meet(way, box) && is_near(q, corner, true))
        found(p, FIND_VERTICES, (skin_pair){SKIN_VERTEX, slot, triangle, reach_between(q, corner, true), 0});
}

static void try_edges(part *p, int32_t e, int32_t f)
{
    const hunt *q = p->q;
    const int32_t *a = q->k->edge + 2 * (size_t)e, *b = q->k->edge + 2 * (size_t)f;
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
        return;
    const int32_t corner[4] = {a[0], a[1], b[0], b[1]};
    if (boxes_meet(q->k->edge_box + 6 * (size_t)e, q->k->edge_box + 6 * (size_t)f) && is_near(q, corner, false))
        found(p, FIND_EDGES, (skin_pair){SKIN_EDGES, e, f, reach_between(q, corner, false), 0});
}

// ---- crossings -----------------------------------------------------------------------------------------------------

static double volume(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Does the edge go through the triangle? Its ends lie on either side, and its line runs round all sides the same way.
static bool crosses(const hunt *q, const int32_t *edge, const int32_t *t)
{
    double a[3][3], e[3], n[3][3], end = 0.0;
    for (int c = 0; c < 3; c++)
    {
        double from = q->x[4 * (size_t)edge[0] + (size_t)c];
        for (int i = 0; i < 3; i++)
            a[i][c] = (double)q->x[4 * (size_t)t[i] + (size_t)c] - from;
        e[c] = (double)q->x[4 * (size_t)edge[1] + (size_t)c] - from;
    }
    for (int i = 0; i < 3; i++)
    {
        n[0][i] = a[1][i] - a[0][i];
        n[1][i] = a[2][i] - a[0][i];
        n[2][i] = e[i] - a[0][i];
    }
    double begin = -volume(a[0], n[0], n[1]);
    end = volume(n[2], n[0], n[1]);
    if (!((begin > 0.0 && end < 0.0) || (begin < 0.0 && end > 0.0)))
        return false;
    double u = volume(e, a[0], a[1]), v = volume(e, a[1], a[2]), w = volume(e, a[2], a[0]);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

static void try_crossing(part *p, int32_t e, int32_t triangle)
{
    const skin *k = p->q->k;
    const int32_t *edge = k->edge + 2 * (size_t)e, *t = k->triangle + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        if (t[i] == edge[0] || t[i] == edge[1])
            return;
    if (crosses(p->q, edge, t))
        found(p, FIND_CROSSINGS, (skin_pair){SKIN_NOTHING, e, triangle, 0.0f, 0});
}

// ---- triangles -----------------------------------------------------------------------------------------------------

static bool may_meet(const hunt *q, int32_t a, int32_t b)
{
    const float *grain = q->w->state.slot[SLOT_GRAIN];
    uint32_t one = phase_of(grain, a), other = phase_of(grain, b), both = one & other;
    return both >> PHASE_MASK_AT && ((one ^ other) & PHASE_GROUP || both & PHASE_SELF);
}

static void try_triangles(part *p, int32_t s, int32_t r)
{
    const skin *k = p->q->k;
    int32_t a = k->tree->id[s], b = k->tree->id[r];
    if (!may_meet(p->q, k->triangle[3 * (size_t)a], k->triangle[3 * (size_t)b]))
        return;
    bool cross = boxes_cross(k->tight + 6 * (size_t)s, k->tight + 6 * (size_t)r);
    for (int i = 0; i < 3; i++)
    {
        bool vertex_a = k->owns[a] >> i & 1, vertex_b = k->owns[b] >> i & 1;
        bool edge_a = k->owns[a] >> (3 + i) & 1, edge_b = k->owns[b] >> (3 + i) & 1;
        if (edge_a && cross)
            try_crossing(p, k->triangle_edge[3 * (size_t)a + (size_t)i], b);
        if (edge_b && cross)
            try_crossing(p, k->triangle_edge[3 * (size_t)b + (size_t)i], a);
        if (p->q->crossings_only)
            continue;
        if (vertex_a)
            try_vertex(p, k->triangle[3 * (size_t)a + (size_t)i], b, k->box + 6 * (size_t)r);
        if (vertex_b)
            try_vertex(p, k->triangle[3 * (size_t)b + (size_t)i], a, k->box + 6 * (size_t)s);
        for (int j = 0; edge_a && j < 3; j++)
            if (k->owns[b] >> (3 + j) & 1)
                try_edges(p, k->triangle_edge[3 * (size_t)a + (size_t)i], k->triangle_edge[3 * (size_t)b + (size_t)j]);
    }
}

static void try_triangle(part *p, int32_t s)
{
    const skin *k = p->q->k;
    const float *box = k->box + 6 * (size_t)s;
    int32_t stack[BVH_DEPTH], top = 0;
    stack[top++] = 0;
    while (top)
    {
        int32_t at = stack[--top];
        const bvh_node *n = k->tree->node + at;
        if (k->node_last[at] <= s || n->low[0] > box[3] || box[0] > n->high[0] || n->low[1] > box[4] ||
            box[1] > n->high[1] || n->low[2] > box[5] || box[2] > n->high[2])
            continue;
        if (n->count == 0)
        {
            stack[top++] = n->next;
            stack[top++] = at + 1;
            continue;
        }
        for (int32_t r = n->next; r < n->next + n->count; r++)
            if (r > s && boxes_meet(box, k->box + 6 * (size_t)r))
                try_triangles(p, s, r);
    }
}

static void try_parts(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    skin *k = q->k;
    for (int64_t number = begin; number < end; number++)
    {
        part p = {q, number, {0}};
        for (int64_t s = number * PART; s < (number + 1) * PART && s < k->triangles; s++)
            try_triangle(&p, (int32_t)s);
        for (int i = 0; i < FINDS; i++)
            k->found[i].count[number] = p.count[i];
    }
}

// ---- lists ---------------------------------------------------------------------------------------------------------

static pl_result make_room(pl_world *w, int64_t parts)
{
    pl_result r = PL_OK;
    for (int i = 0; i < FINDS && r == PL_OK; i++)
    {
        skin_finds *f = &w->skin.found[i];
        r = array_reserve(&w->memory, &f->items, &f->capacity, parts * f->room, sizeof(skin_pair));
        if (r == PL_OK)
            r = array_reserve(&w->memory, &f->count, &f->count_capacity, parts, sizeof(int32_t));
    }
    return r;
}

// True when all was room enough; else there is more room now.
static bool all_fit(skin *k, int64_t parts)
{
    bool fit = true;
    for (int i = 0; i < FINDS; i++)
    {
        int32_t most = 0;
        for (int64_t p = 0; p < parts; p++)
            most = k->found[i].count[p] > most ? k->found[i].count[p] : most;
        if (most > k->found[i].room)
        {
            k->found[i].room = most + most / 2 + 16;
            fit = false;
        }
    }
    return fit;
}

static pl_result join_finds(pl_world *w, int64_t parts)
{
    skin *k = &w->skin;
    int64_t count = 0;
    for (int i = 0; i < FIND_CROSSINGS; i++)
        for (int64_t p = 0; p < parts; p++)
            count += k->found[i].count[p];
    if (count > INT32_MAX / 64)
        return fail(PL_ERROR_MEMORY, "more than %d pieces of skin are near each other; a smaller thickness would help",
                    INT32_MAX / 64);
    pl_result r = array_reserve(&w->memory, &k->pairs.items, &k->pairs.capacity, count, sizeof(skin_pair));
    k->pairs.count = 0;
    for (int i = 0; r == PL_OK && i < FIND_CROSSINGS; i++)
        for (int64_t p = 0; p < parts; p++)
        {
            const skin_finds *f = &k->found[i];
            if (f->count[p])
                memcpy(k->pairs.items + k->pairs.count, f->items + p * f->room,
                       (size_t)f->count[p] * sizeof(skin_pair));
            k->pairs.count += f->count[p];
        }
    return r;
}

static pl_result prepare(hunt *q, const crew *hands)
{
    skin *k = q->k;
    memory *m = &q->w->memory;
    pl_result r = array_reserve(m, &k->box, &k->box_capacity, 6 * (int64_t)k->triangles, sizeof(float));
    if (r == PL_OK)
        r = array_reserve(m, &k->tight, &k->tight_capacity, 6 * (int64_t)k->triangles, sizeof(float));
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_box, &k->edge_box_capacity, 6 * (int64_t)k->edges, sizeof(float));
    if (r != PL_OK)
        return r;
    crew_run(hands, make_boxes, q, k->triangles, PART);
    if (!q->crossings_only)
        crew_run(hands, make_edge_boxes, q, k->edges, 4 * PART);
    fit_tree(k);
    return r;
}

static void find_mean(hunt *q)
{
    double mean[3] = {0};
    for (int32_t i = 0; i < q->k->vertices; i++)
        for (int c = 0; c < 3; c++)
            mean[c] += (double)q->v[4 * (size_t)q->k->vertex[i] + (size_t)c];
    for (int c = 0; c < 3; c++)
        q->mean[c] = (float)(mean[c] / q->k->vertices);
}

static int64_t count_crossings(const skin *k, int64_t parts)
{
    int64_t count = 0;
    for (int64_t p = 0; p < parts; p++)
        count += k->found[FIND_CROSSINGS].count[p];
    return count;
}

pl_result skin_search(pl_world *w, const crew *hands)
{
    skin *k = &w->skin;
    hunt q = {.w = w,
                .k = k,
                .x = w->state.slot[SLOT_SKIN],
                .v = w->state.slot[SLOT_SKIN_V],
                .horizon = k->horizon,
                .wide = 0.501f * (k->thickness + k->margin)};
    int64_t parts = (k->triangles + PART - 1) / PART;
    find_mean(&q);
    pl_result r = prepare(&q, hands);
    do
    {
        if (r == PL_OK)
            r = make_room(w, parts);
        if (r != PL_OK)
            return r;
        crew_run(hands, try_parts, &q, parts, 1);
    } while (!all_fit(k, parts));
    k->crossings = count_crossings(k, parts);
    return join_finds(w, parts);
}

int64_t skin_crossings(pl_world *w)
{
    skin *k = &w->skin;
    if (!k->listed)
        return 0;
    hunt q = {.w = w, .k = k, .x = w->state.slot[SLOT_X], .v = w->state.slot[SLOT_V], .crossings_only = true};
    crew alone = {0};
    int64_t parts = (k->triangles + PART - 1) / PART;
    if (prepare(&q, &alone) != PL_OK)
        return 0;
    try_parts(&q, 0, parts);
    return count_crossings(k, parts);
}
