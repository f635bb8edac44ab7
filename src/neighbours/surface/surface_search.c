// surface_search.c: runs the search of neighbours/surface/element_pairs.h on several threads, in parts, and sorts what
// it finds.
#include "model/world.h"
#include "neighbours/surface/element_rules.h"
#include "neighbours/surface/particles_near_surface.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

enum
{
    BLOCKS_PER_PART = 4, // blocks of elements in one part; a thread processes one part at a time
    SEARCHES = PAIRS_CROSSINGS + 1,
    KEY_OWNER = 34, // where a pair's key has the first owner (element_pairs.h)
};

// The lists that pairs are sorted into.
enum
{
    FOUND_VERTICES, // of particles, too
    FOUND_EDGES,
    FOUND_CROSSINGS,
    FOUND
};

typedef struct surface_searchers
{
    element_search q;
    pl_world *w;
    int64_t first[SEARCHES + 1]; // the first part of each search, and one more
    int64_t found[FOUND];        // number of pairs in each list
} surface_searchers;

static int found_in(enum element_pairs what)
{
    return what == PAIRS_EDGES ? FOUND_EDGES : what == PAIRS_CROSSINGS ? FOUND_CROSSINGS : FOUND_VERTICES;
}

static int64_t searched_blocks(const surfaces *k, enum element_pairs what)
{
    static const enum element_kind kind[] = {[PAIRS_VERTICES] = ELEMENT_VERTICES,
                                             [PAIRS_PARTICLES] = ELEMENT_PARTICLES,
                                             [PAIRS_EDGES] = ELEMENT_EDGES,
                                             [PAIRS_CROSSINGS] = ELEMENT_EDGES};
    return element_blocks(k->elements[kind[what]].count);
}

static void try_parts(void *arg, int64_t begin, int64_t end)
{
    const surface_searchers *all = arg;
    surfaces *k = &all->w->surfaces;
    for (int64_t part = begin; part < end; part++)
    {
        int what = 0;
        while (part >= all->first[what + 1])
            what++;
        int64_t from = (part - all->first[what]) * BLOCKS_PER_PART, most = searched_blocks(k, (enum element_pairs)what),
                to = from + BLOCKS_PER_PART < most ? from + BLOCKS_PER_PART : most;
        element_finds f = {k->found.items + part * k->found.room, k->found.room, 0};
        all->w->cpu.elements->find(&all->q, (enum element_pairs)what, from, to, &f);
        k->found.count[part] = (int32_t)(f.count < INT32_MAX ? f.count : INT32_MAX);
    }
}

// ---- lists ---------------------------------------------------------------------------------------------------------

// Returns true if every part fitted; otherwise increases the room.
static bool all_fit(surfaces *k, int64_t parts)
{
    int32_t most = 0;
    for (int64_t p = 0; p < parts; p++)
        most = k->found.count[p] > most ? k->found.count[p] : most;
    if (most <= k->found.room)
        return true;
    k->found.room = most + most / 2 + 16;
    return false;
}

static pl_result find_all(surface_searchers *all, const parallel *threads)
{
    pl_world *w = all->w;
    surface_finds *f = &w->surfaces.found;
    int64_t parts = all->first[SEARCHES];
    do
    {
        pl_result r = array_reserve(&w->memory, &f->items, &f->capacity, parts * f->room, sizeof *f->items);
        if (r == PL_OK)
            r = array_reserve(&w->memory, &f->count, &f->count_capacity, parts, sizeof *f->count);
        if (r != PL_OK)
            return r;
        parallel_for(threads, try_parts, all, parts, 1);
    }
    while (!all_fit(&w->surfaces, parts));
    return PL_OK;
}

// Moves the parts to the front of the array, and counts the pairs of each list.
static void join_parts(surface_searchers *all)
{
    surface_finds *f = &all->w->surfaces.found;
    int64_t count = 0;
    for (int what = 0; what < SEARCHES; what++)
        for (int64_t p = all->first[what]; p < all->first[what + 1]; p++)
        {
            memmove(f->items + count, f->items + p * f->room, (size_t)f->count[p] * sizeof *f->items);
            count += f->count[p];
            all->found[found_in((enum element_pairs)what)] += f->count[p];
        }
}

static int bits_of_owners(const surfaces *k) { return cell_bits((int64_t)k->triangles + k->particles); }

static void make_owner_keys(void *arg, int64_t begin, int64_t end)
{
    const surface_searchers *all = arg;
    surfaces *k = &all->w->surfaces;
    int bits = bits_of_owners(k);
    for (int64_t i = begin; i < end; i++)
    {
        uint64_t list = i < all->found[0] ? 0 : i < all->found[0] + all->found[1] ? 1 : 2;
        k->sorted.key[i] = list << bits | k->found.items[i].key >> KEY_OWNER;
        k->sorted.value[i] = (int32_t)i;
    }
}

// Pairs of the same first owner are sorted by their whole keys.
static void sort_by_owner(const surfaces *k, int64_t count)
{
    const uint64_t *key = k->sorted.key;
    int32_t *value = k->sorted.value;
    for (int64_t i = 1; i < count; i++)
    {
        int32_t item = value[i];
        int64_t at = i;
        for (; at > 0 && key[at - 1] == key[at] && k->found.items[value[at - 1]].key > k->found.items[item].key; at--)
            value[at] = value[at - 1];
        value[at] = item;
    }
}

static void put_pairs(void *arg, int64_t begin, int64_t end)
{
    const surface_searchers *all = arg;
    const pl_world *w = all->w;
    const surfaces *k = &w->surfaces;
    const element_list *l = k->elements;
    for (int64_t i = begin; i < end; i++)
    {
        const element_pair *p = &k->found.items[k->sorted.value[i]];
        int64_t edge = i - all->found[FOUND_VERTICES], crossing = edge - all->found[FOUND_EDGES];
        bool particle = (int64_t)(p->key >> KEY_OWNER) >= k->triangles;
        const int32_t *a = l[edge >= 0  ? ELEMENT_EDGES
                             : particle ? ELEMENT_PARTICLES
                                        : ELEMENT_VERTICES]
                               .number,
                      *b = l[edge >= 0 && crossing < 0 ? ELEMENT_EDGES : ELEMENT_TRIANGLES].number;
        int mode = edge < 0 ? SURFACE_VERTEX : crossing < 0 ? SURFACE_EDGES : SURFACE_NOTHING;
        surface_pair *to = crossing < 0 ? k->pairs.items + i : k->crossed.items + crossing;
        *to = (surface_pair){mode, a[p->a], b[p->b], p->reach, 0};
    }
}

// Sorts what was found into `pairs` and `crossed`.
static pl_result sort_finds(surface_searchers *all, const parallel *threads)
{
    pl_world *w = all->w;
    surfaces *k = &w->surfaces;
    join_parts(all);
    int64_t pairs = all->found[FOUND_VERTICES] + all->found[FOUND_EDGES], count = pairs + all->found[FOUND_CROSSINGS];
    if (count > INT32_MAX / 64)
        return fail(PL_ERROR_MEMORY, "more than %d surface elements are near each other; use a smaller thickness",
                    INT32_MAX / 64);
    pl_result r = sortable_reserve(&w->memory, &k->sorted, k->sorted_capacity, count);
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->pairs.items, &k->pairs.capacity, pairs, sizeof(surface_pair));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->crossed.items, &k->crossed.capacity, all->found[FOUND_CROSSINGS],
                          sizeof(surface_pair));
    if (r != PL_OK)
        return r;
    parallel_for(threads, make_owner_keys, all, count, 4096);
    radix_sort(&k->sorted, count, count ? bits_of_owners(k) + 2 : 0, threads);
    sort_by_owner(k, count);
    parallel_for(threads, put_pairs, all, count, 4096);
    k->pairs.count = pairs;
    k->crossed.count = all->found[FOUND_CROSSINGS];
    return PL_OK;
}

// ---- the search ----------------------------------------------------------------------------------------------------

// Computes the boxes, and divides the searches from `first` on into parts.
static void prepare(surface_searchers *all, enum element_pairs first, const parallel *threads)
{
    pl_world *w = all->w;
    surfaces *k = &w->surfaces;
    all->q.list = k->elements;
    all->q.mass = w->state.slot[SLOT_D];
    all->q.collision = w->state.slot[SLOT_COLLISION];
    all->q.triangles = k->triangles;
    for (int kind = 0; kind < ELEMENT_KINDS; kind++)
        surface_fit(w, &all->q, (enum element_kind)kind, threads);
    for (int what = 0; what < SEARCHES; what++)
        all->first[what + 1] =
            all->first[what] +
            (what < (int)first
                 ? 0
                 : (searched_blocks(k, (enum element_pairs)what) + BLOCKS_PER_PART - 1) / BLOCKS_PER_PART);
}

pl_result surface_search(pl_world *w, const parallel *threads)
{
    surfaces *k = &w->surfaces;
    float *const *slot = w->state.slot;
    surface_searchers all = {
        .w = w,
        .q = {.x = slot[SLOT_SURFACE],
              .v = slot[SLOT_SURFACE_V],
              .rest = slot[SLOT_REST],
              .near = {k->thickness + k->margin, particle_search_distance(w->contacts.radius, k->thickness, k->margin)},
              .horizon = k->horizon}};
    pl_result r = surface_list_searched_particles(w);
    if (r != PL_OK)
        return r;
    prepare(&all, PAIRS_VERTICES, threads);
    r = find_all(&all, threads);
    if (r == PL_OK)
        r = sort_finds(&all, threads);
    k->crossings = k->crossed.count;
    return r;
}

pl_result surface_crossings(pl_world *w, int64_t *count)
{
    *count = 0;
    if (!has_surface(w))
        return PL_OK;
    parallel alone = {0};
    surface_searchers all = {.w = w, .q = {.x = w->state.slot[SLOT_X]}};
    prepare(&all, PAIRS_CROSSINGS, &alone);
    pl_result r = find_all(&all, &alone);
    for (int64_t p = 0; r == PL_OK && p < all.first[SEARCHES]; p++)
        *count += w->surfaces.found.count[p];
    return r;
}
