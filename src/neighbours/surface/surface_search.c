// surface_search.c: runs the search of neighbours/surface/surface_search.h on several threads. Each thread takes a part
// of the triangles and tests the candidates it finds in batches.
#include "model/world.h"
#include "neighbours/surface/near_batch.h"
#include "neighbours/surface/particles_near_surface.h"
#include "neighbours/surface/surfaces.h"

enum
{
    TRIANGLES_PER_PART = 64,  // triangles in one part; a thread processes one part at a time
    PARTICLES_PER_PART = 256, // free particles in one part
};

typedef struct finder
{
    surfaces *k;
    int64_t number;
    int32_t count[FINDS];
    near_batch batch[2]; // vertices, edges
} finder;

#include "neighbours/surface/surface_search.h"

// ---- boxes ---------------------------------------------------------------------------------------------------------

static void make_boxes(void *arg, int64_t begin, int64_t end)
{
    const surface_walk *q = arg;
    for (int64_t s = begin; s < end; s++)
        q->box[s] = triangle_box(q, q->id[s]);
}

static void make_edge_boxes(void *arg, int64_t begin, int64_t end)
{
    const surface_walk *q = arg;
    for (int64_t e = begin; e < end; e++)
        q->edge_box[e] = edge_box(q, (int32_t)e);
}

// Computes the boxes of the nodes from the last to the first: a node comes before its children.
static void fit_tree(surfaces *k)
{
    for (int64_t n = k->tree->nodes - 1; n >= 0; n--)
    {
        const bvh_node *node = &k->tree->node[n];
        surface_box *box = &k->node_box[n];
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

static void found(const surface_walk *q, finder *p, int what, surface_pair pair)
{
    const surface_finds *f = &p->k->found[what];
    if (!q->crossings_only && p->count[what] < f->room)
        f->items[p->number * f->room + p->count[what]] = pair;
    p->count[what]++;
}

static void look_at(const surface_walk *q, finder *p, int what)
{
    near_batch *b = &p->batch[what];
    if (b->count)
        near_look(&q->rule, b, what == FIND_VERTICES);
    for (int32_t i = 0; i < b->count; i++)
        if (b->reach[i] >= 0.0f)
            found(q, p, what,
                  (surface_pair){what == FIND_VERTICES ? SURFACE_VERTEX : SURFACE_EDGES, b->a[i], b->b[i], b->reach[i],
                                 0});
    b->count = 0;
}

PL_FN void search_pair(const surface_walk *q, finder *p, int what, int32_t a, int32_t b, const int32_t *corner)
{
    near_batch *to = &p->batch[what];
    for (int i = 0; i < 4; i++)
        to->index[i][to->count] = 4 * (uint32_t)corner[i];
    to->a[to->count] = a;
    to->b[to->count] = b;
    if (++to->count == NEAR_BATCH)
        look_at(q, p, what);
}

PL_FN void search_crossing(const surface_walk *q, finder *p, int32_t edge, int32_t triangle)
{
    found(q, p, FIND_CROSSINGS, (surface_pair){SURFACE_NOTHING, edge, triangle, 0.0f, 0});
}

typedef struct surface_searchers
{
    surface_walk q;
    pl_world *w;
    int64_t parts; // parts of the triangles; the parts of the free particles follow
} surface_searchers;

static void try_parts(void *arg, int64_t begin, int64_t end)
{
    const surface_searchers *all = arg;
    const surface_walk *q = &all->q;
    surfaces *k = &all->w->surfaces;
    for (int64_t number = begin; number < end; number++)
    {
        finder p = {.k = k, .number = number};
        for (int64_t s = number * TRIANGLES_PER_PART; s < (number + 1) * TRIANGLES_PER_PART && s < k->triangles; s++)
            search_triangle(q, &p, (int32_t)s);
        look_at(q, &p, FIND_VERTICES);
        look_at(q, &p, FIND_EDGES);
        for (int i = 0; i < FINDS; i++)
            k->found[i].count[number] = p.count[i];
    }
}

static void search_particles(void *arg, int64_t begin, int64_t end)
{
    const surface_searchers *all = arg;
    const pl_world *w = all->w;
    const surfaces *k = &w->surfaces;
    surface_walk q = all->q;
    q.rule.near = particle_search_distance(w->contacts.radius, k->thickness, k->margin);
    for (int64_t number = begin; number < end; number++)
    {
        finder p = {.k = &all->w->surfaces, .number = all->parts + number};
        for (int64_t i = number * PARTICLES_PER_PART; i < (number + 1) * PARTICLES_PER_PART && i < k->particles; i++)
            search_particle(&q, &p, k->particle[i]);
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
        surface_finds *f = &w->surfaces.found[i];
        r = array_reserve(&w->memory, &f->items, &f->capacity, parts * f->room, sizeof(surface_pair));
        if (r == PL_OK)
            r = array_reserve(&w->memory, &f->count, &f->count_capacity, parts, sizeof(int32_t));
    }
    return r;
}

// Returns true if every part fitted; otherwise increases the room.
static bool all_fit(surfaces *k, int64_t parts)
{
    bool fits = true;
    for (int i = 0; i < FINDS; i++)
    {
        int32_t most = 0;
        for (int64_t p = 0; p < parts; p++)
            most = k->found[i].count[p] > most ? k->found[i].count[p] : most;
        if (most > k->found[i].room)
        {
            k->found[i].room = most + most / 2 + 16;
            fits = false;
        }
    }
    return fits;
}

static pl_result join_finds(pl_world *w, int64_t parts)
{
    surfaces *k = &w->surfaces;
    int64_t count = 0;
    for (int i = 0; i < FIND_CROSSINGS; i++)
        for (int64_t p = 0; p < parts; p++)
            count += k->found[i].count[p];
    if (count > INT32_MAX / 64)
        return fail(PL_ERROR_MEMORY, "more than %d surface elements are near each other; use a smaller thickness",
                    INT32_MAX / 64);
    pl_result r = array_reserve(&w->memory, &k->pairs.items, &k->pairs.capacity, count, sizeof(surface_pair));
    k->pairs.count = 0;
    for (int i = 0; r == PL_OK && i < FIND_CROSSINGS; i++)
        for (int64_t p = 0; p < parts; p++)
        {
            const surface_finds *f = &k->found[i];
            if (f->count[p])
                memcpy(k->pairs.items + k->pairs.count, f->items + p * f->room,
                       (size_t)f->count[p] * sizeof(surface_pair));
            k->pairs.count += f->count[p];
        }
    return r;
}

static pl_result prepare(surface_searchers *all, const near_rule *rule, bool crossings_only, const parallel *threads)
{
    pl_world *w = all->w;
    surfaces *k = &w->surfaces;
    memory *m = &w->memory;
    pl_result r = array_reserve(m, &k->box, &k->box_capacity, k->triangles, sizeof *k->box);
    if (r == PL_OK)
        r = array_reserve(m, &k->node_box, &k->node_box_capacity, k->tree->nodes, sizeof *k->node_box);
    if (r == PL_OK)
        r = array_reserve(m, &k->edge_box, &k->edge_box_capacity, k->edges, sizeof *k->edge_box);
    if (r != PL_OK)
        return r;
    all->q = (surface_walk){*rule,       w->state.slot[SLOT_D], k->triangle,   k->triangle_edge, k->edge,
                            k->owns,     k->tree->node,         k->tree->id,   k->node_last,     k->box,
                            k->node_box, k->edge_box,           crossings_only};
    parallel_for(threads, make_boxes, &all->q, k->triangles, TRIANGLES_PER_PART);
    if (!crossings_only)
        parallel_for(threads, make_edge_boxes, &all->q, k->edges, 4 * TRIANGLES_PER_PART);
    fit_tree(k);
    return r;
}

static int64_t count_crossings(const surfaces *k, int64_t parts)
{
    int64_t count = 0;
    for (int64_t p = 0; p < parts; p++)
        count += k->found[FIND_CROSSINGS].count[p];
    return count;
}

pl_result surface_search(pl_world *w, const parallel *threads)
{
    surfaces *k = &w->surfaces;
    float *const *slot = w->state.slot;
    near_rule rule = {slot[SLOT_SURFACE],   slot[SLOT_SURFACE_V],     slot[SLOT_REST],
                      slot[SLOT_COLLISION], k->thickness + k->margin, k->horizon};
    surface_searchers all = {.w = w};
    int64_t parts = (k->triangles + TRIANGLES_PER_PART - 1) / TRIANGLES_PER_PART,
            all_parts = parts + (k->particles + PARTICLES_PER_PART - 1) / PARTICLES_PER_PART;
    pl_result r = prepare(&all, &rule, false, threads);
    all.parts = parts;
    do
    {
        if (r == PL_OK)
            r = make_room(w, all_parts);
        if (r != PL_OK)
            return r;
        parallel_for(threads, try_parts, &all, parts, 1);
        parallel_for(threads, search_particles, &all, all_parts - parts, 1);
    }
    while (!all_fit(k, all_parts));
    k->crossings = count_crossings(k, parts);
    return join_finds(w, all_parts);
}

pl_result surface_crossings(pl_world *w, int64_t *count)
{
    surfaces *k = &w->surfaces;
    *count = 0;
    if (!has_surface(w))
        return PL_OK;
    near_rule rule = {.x = w->state.slot[SLOT_X], .collision = w->state.slot[SLOT_COLLISION]};
    surface_searchers all = {.w = w};
    parallel alone = {0};
    int64_t parts = (k->triangles + TRIANGLES_PER_PART - 1) / TRIANGLES_PER_PART;
    pl_result r = prepare(&all, &rule, true, &alone);
    if (r == PL_OK)
        r = make_room(w, parts);
    if (r != PL_OK)
        return r;
    try_parts(&all, 0, parts);
    *count = count_crossings(k, parts);
    return PL_OK;
}
