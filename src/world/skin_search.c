// skin_search.c: which pieces of skin are near each other, and which edges go through which triangles (collide/skin_hunt.h), by many
// hands: each takes a part of the triangles, and has what it finds looked at many at a time.
#include "collide/skin_flock.h"
#include "world/skin_batch.h"
#include "world/world.h"

enum
{
    PART = 64,    // triangles that one hand takes at a time
    GRAINS = 256, // ... or grains
};

typedef struct finder
{
    skin *k;
    int64_t number;
    int32_t count[FINDS];
    near_batch batch[2]; // vertices, edges
} finder;

#include "collide/skin_hunt.h"

// ---- boxes ---------------------------------------------------------------------------------------------------------

static void make_boxes(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    for (int64_t s = begin; s < end; s++)
        q->box[s] = triangle_box(q, q->id[s]);
}

static void make_edge_boxes(void *arg, int64_t begin, int64_t end)
{
    const hunt *q = arg;
    for (int64_t e = begin; e < end; e++)
        q->edge_box[e] = edge_box(q, (int32_t)e);
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

// ---- pairs ---------------------------------------------------------------------------------------------------------

static void found(const hunt *q, finder *p, int what, skin_pair pair)
{
    const skin_finds *f = &p->k->found[what];
    if (!q->crossings_only && p->count[what] < f->room)
        f->items[p->number * f->room + p->count[what]] = pair;
    p->count[what]++;
}

static void look_at(const hunt *q, finder *p, int what)
{
    near_batch *b = &p->batch[what];
    if (b->count)
        near_look(&q->rule, b, what == FIND_VERTICES);
    for (int32_t i = 0; i < b->count; i++)
        if (b->reach[i] >= 0.0f)
            found(q, p, what,
                  (skin_pair){what == FIND_VERTICES ? SKIN_VERTEX : SKIN_EDGES, b->a[i], b->b[i], b->reach[i], 0});
    b->count = 0;
}

PL_FN void hunt_pair(const hunt *q, finder *p, int what, int32_t a, int32_t b, const int32_t *corner)
{
    near_batch *to = &p->batch[what];
    for (int i = 0; i < 4; i++)
        to->index[i][to->count] = 4 * (uint32_t)corner[i];
    to->a[to->count] = a;
    to->b[to->count] = b;
    if (++to->count == NEAR_BATCH)
        look_at(q, p, what);
}

PL_FN void hunt_crossing(const hunt *q, finder *p, int32_t edge, int32_t triangle)
{
    found(q, p, FIND_CROSSINGS, (skin_pair){SKIN_NOTHING, edge, triangle, 0.0f, 0});
}

typedef struct search_party
{
    hunt q;
    pl_world *w;
    int64_t parts; // of the triangles; those of the grains follow
} search_party;

static void try_parts(void *arg, int64_t begin, int64_t end)
{
    const search_party *all = arg;
    const hunt *q = &all->q;
    skin *k = &all->w->skin;
    for (int64_t number = begin; number < end; number++)
    {
        finder p = {.k = k, .number = number};
        for (int64_t s = number * PART; s < (number + 1) * PART && s < k->triangles; s++)
            hunt_triangle(q, &p, (int32_t)s);
        look_at(q, &p, FIND_VERTICES);
        look_at(q, &p, FIND_EDGES);
        for (int i = 0; i < FINDS; i++)
            k->found[i].count[number] = p.count[i];
    }
}

static void try_grains(void *arg, int64_t begin, int64_t end)
{
    const search_party *all = arg;
    const pl_world *w = all->w;
    const skin *k = &w->skin;
    hunt q = all->q;
    q.rule.near = flock_near(w->contacts.radius, k->thickness, k->margin);
    for (int64_t number = begin; number < end; number++)
    {
        finder p = {.k = &all->w->skin, .number = all->parts + number};
        for (int64_t i = number * GRAINS; i < (number + 1) * GRAINS && i < k->grains; i++)
            hunt_grain(&q, &p, k->grain[i]);
        look_at(&q, &p, FIND_VERTICES);
        for (int i = 0; i < FINDS; i++)
            k->found[i].count[p.number] = p.count[i];
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
        return fail(PL_ERROR_MEMORY, "more than %d surface elements are near each other; use a smaller thickness",
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

static pl_result prepare(search_party *all, const near_rule *rule, bool crossings_only, const crew *hands)
{
    pl_world *w = all->w;
    skin *k = &w->skin;
    memory *m = &w->memory;
    pl_result r = array_reserve(m, &k->box, &k->box_capacity, k->triangles, sizeof *k->box);
    if (r == PL_OK)
        r = array_reserve(m, &k->node_box, &k->node_box_capacity, k->tree->nodes, sizeof *k->node_box);
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_box, &k->edge_box_capacity, k->edges, sizeof *k->edge_box);
    if (r != PL_OK)
        return r;
    all->q = (hunt){*rule,       w->state.slot[SLOT_X], k->triangle,   k->triangle_edge, k->edge,
                    k->owns,     k->tree->node,         k->tree->id,   k->node_last,     k->box,
                    k->node_box, k->edge_box,           crossings_only};
    crew_run(hands, make_boxes, &all->q, k->triangles, PART);
    if (!crossings_only)
        crew_run(hands, make_edge_boxes, &all->q, k->edges, 4 * PART);
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
    search_party all = {.w = w};
    int64_t parts = (k->triangles + PART - 1) / PART, all_parts = parts + (k->grains + GRAINS - 1) / GRAINS;
    pl_result r = prepare(&all, &rule, false, hands);
    all.parts = parts;
    do
    {
        if (r == PL_OK)
            r = make_room(w, all_parts);
        if (r != PL_OK)
            return r;
        crew_run(hands, try_parts, &all, parts, 1);
        crew_run(hands, try_grains, &all, all_parts - parts, 1);
    }
    while (!all_fit(k, all_parts));
    k->crossings = count_crossings(k, parts);
    return join_finds(w, all_parts);
}

int64_t skin_crossings(pl_world *w)
{
    skin *k = &w->skin;
    if (!k->listed)
        return 0;
    near_rule rule = {.x = w->state.slot[SLOT_X], .grain = w->state.slot[SLOT_GRAIN]};
    search_party all = {.w = w};
    crew alone = {0};
    int64_t parts = (k->triangles + PART - 1) / PART;
    if (prepare(&all, &rule, true, &alone) != PL_OK || make_room(w, parts) != PL_OK)
        return 0;
    try_parts(&all, 0, parts);
    return count_crossings(k, parts);
}
