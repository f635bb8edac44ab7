// skin_search.c: which pieces of skin are near each other, and which edges go through which triangles.
//
// Triangles that may meet until the horizon are found in the tree of the surface, whose boxes hold positions and velocities:
// what moves along with its neighbours does not meet them. Each vertex and each edge belongs to one triangle, so that each
// pair is looked at once.
#include "world/skin_hunt.h"

#include <string.h>

enum
{
    PART = 64, // triangles that one hand takes at a time
};

// ---- boxes -------------------------------------------------------------------------------------------------------------

static void make_boxes(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    for (int64_t s = begin; s < end; s++)
    {
        box_open(&q->k->box[s]);
        for (int i = 0; i < 3; i++)
        {
            skin_box corner = box_of(q, q->k->triangle[3 * (size_t)q->k->tree->id[s] + (size_t)i]);
            box_join(&q->k->box[s], &corner);
        }
    }
}

static void make_edge_boxes(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    for (int64_t e = begin; e < end; e++)
    {
        skin_box one = box_of(q, q->k->edge[2 * e]), other = box_of(q, q->k->edge[2 * e + 1]);
        box_join(&one, &other);
        q->k->edge_box[e] = one;
    }
}

// The boxes of the nodes, from the last to the first: a node comes before its children.
static void fit_tree(skin *k)
{
    for (int64_t n = k->tree->nodes - 1; n >= 0; n--)
    {
        const bvh_node *node = &k->tree->node[n];
        skin_box *box = &k->node_box[n];
        box_open(box);
        for (int32_t s = node->next; s < node->next + node->count; s++)
            box_join(box, &k->box[s]);
        if (node->count)
            continue;
        box_join(box, box + 1);
        box_join(box, &k->node_box[node->next]);
    }
}

// ---- pairs -------------------------------------------------------------------------------------------------------------

static void try_edges(part *p, int32_t e, int32_t f)
{
    const skin *k = p->q->k;
    const int32_t *a = k->edge + 2 * (size_t)e, *b = k->edge + 2 * (size_t)f;
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
        return;
    if (boxes_meet(p->q, &k->edge_box[e], &k->edge_box[f]))
        wait_for(p, FIND_EDGES, e, f, (int32_t[]){a[0], a[1], b[0], b[1]});
}

// ---- crossings -----------------------------------------------------------------------------------------------------

static void try_crossing(part *p, int32_t e, int32_t triangle)
{
    const skin *k = p->q->k;
    const int32_t *edge = k->edge + 2 * (size_t)e, *t = k->triangle + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        if (t[i] == edge[0] || t[i] == edge[1])
            return;
    if (edge_crosses(p->q->rule.x, edge, t))
        found(p, FIND_CROSSINGS, (skin_pair){SKIN_NOTHING, e, triangle, 0.0f, 0});
}

// ---- triangles -----------------------------------------------------------------------------------------------------

bool skin_may_meet(const pl_world *w, int32_t a, int32_t b)
{
    const float *grain = w->state.slot[SLOT_GRAIN];
    uint32_t one = phase_of(grain, a), other = phase_of(grain, b), both = one & other;
    return both >> PHASE_MASK_AT && ((one ^ other) & PHASE_GROUP || both & PHASE_SELF);
}

static void try_triangles(part *p, int32_t s, int32_t r)
{
    const skin *k = p->q->k;
    int32_t a = k->tree->id[s], b = k->tree->id[r];
    if (!skin_may_meet(p->q->w, k->triangle[3 * (size_t)a], k->triangle[3 * (size_t)b]))
        return;
    bool cross = boxes_cross(&k->box[s], &k->box[r]);
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
            try_vertex(p, k->triangle[3 * (size_t)a + (size_t)i], b, &k->box[r]);
        if (vertex_b)
            try_vertex(p, k->triangle[3 * (size_t)b + (size_t)i], a, &k->box[s]);
        for (int j = 0; edge_a && j < 3; j++)
            if (k->owns[b] >> (3 + j) & 1)
                try_edges(p, k->triangle_edge[3 * (size_t)a + (size_t)i], k->triangle_edge[3 * (size_t)b + (size_t)j]);
    }
}

static void try_triangle(part *p, int32_t s)
{
    const skin *k = p->q->k;
    const skin_box *box = &k->box[s];
    int32_t stack[BVH_DEPTH], top = 0;
    stack[top++] = 0;
    while (top)
    {
        int32_t at = stack[--top];
        const bvh_node *n = k->tree->node + at;
        if (k->node_last[at] <= s || !boxes_meet(p->q, box, &k->node_box[at]))
            continue;
        if (n->count == 0)
        {
            stack[top++] = n->next;
            stack[top++] = at + 1;
            continue;
        }
        for (int32_t r = n->next; r < n->next + n->count; r++)
            if (r > s && boxes_meet(p->q, box, &k->box[r]))
                try_triangles(p, s, r);
    }
}

static void try_parts(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    skin *k = q->k;
    for (int64_t number = begin; number < end; number++)
    {
        part p = {.q = q, .number = number};
        for (int64_t s = number * PART; s < (number + 1) * PART && s < k->triangles; s++)
            try_triangle(&p, (int32_t)s);
        look_at(&p, FIND_VERTICES);
        look_at(&p, FIND_EDGES);
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
    pl_result r = array_reserve(m, &k->box, &k->box_capacity, k->triangles, sizeof *k->box);
    if (r == PL_OK)
        r = array_reserve(m, &k->node_box, &k->node_box_capacity, k->tree->nodes, sizeof *k->node_box);
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_box, &k->edge_box_capacity, k->edges, sizeof *k->edge_box);
    if (r != PL_OK)
        return r;
    crew_run(hands, make_boxes, q, k->triangles, PART);
    if (!q->crossings_only)
        crew_run(hands, make_edge_boxes, q, k->edges, 4 * PART);
    fit_tree(k);
    return r;
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
    float *const *slot = w->state.slot;
    near_rule rule = {slot[SLOT_SKIN],  slot[SLOT_SKIN_V],        slot[SLOT_REST],
                      slot[SLOT_GRAIN], k->thickness + k->margin, k->horizon};
    int64_t parts = (k->triangles + PART - 1) / PART, all = parts + skin_grain_parts(k);
    hunt q = {w, k, rule, slot[SLOT_X], false, parts};
    pl_result r = prepare(&q, hands);
    do
    {
        if (r == PL_OK)
            r = make_room(w, all);
        if (r != PL_OK)
            return r;
        crew_run(hands, try_parts, &q, parts, 1);
        crew_run(hands, try_grains, &q, all - parts, 1);
    }
    while (!all_fit(k, all));
    k->crossings = count_crossings(k, parts);
    return join_finds(w, all);
}

int64_t skin_crossings(pl_world *w)
{
    skin *k = &w->skin;
    if (!k->listed)
        return 0;
    int64_t parts = (k->triangles + PART - 1) / PART;
    hunt q = {w, k, {.x = w->state.slot[SLOT_X]}, w->state.slot[SLOT_X], true, parts};
    crew alone = {0};
    if (prepare(&q, &alone) != PL_OK)
        return 0;
    try_parts(&q, 0, parts);
    return count_crossings(k, parts);
}
