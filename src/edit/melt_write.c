// melt_write.c: rewrites the clusters after melting and freezing (melt.c): sorts members by cluster, drops empty
// clusters and adds blocks for new ones. It also reserves all memory before anything changes.
#include "edit/melt.h"
#include "groups/clusters.h"
#include "model/world.h"

#include <string.h>

// Reserves memory for as many new clusters as there are particles that could form them.
pl_result melt_open(const change *c)
{
    pl_world *w = c->w;
    heat *h = c->h;
    memory *m = &w->memory;
    int64_t end = w->numbers.end, most = w->clusters.members + h->items, *room = h->room;
    pl_result r = array_reserve(m, &h->node, &room[0], end, sizeof *h->node);
    if (r == PL_OK)
        r = array_reserve(m, &h->cluster_of, &room[1], end, sizeof *h->cluster_of);
    if (r == PL_OK)
        r = array_reserve(m, &h->size, &room[2], end, sizeof *h->size);
    if (r == PL_OK)
        r = array_reserve(m, &h->goal, &room[3], end, sizeof *h->goal);
    if (r == PL_OK)
        r = array_reserve(m, &h->mark, &room[4], end, sizeof *h->mark);
    if (r == PL_OK)
        r = array_reserve(m, &h->members, &room[5], most, sizeof *h->members);
    if (r == PL_OK)
        r = array_reserve(m, &h->sorted, &room[6], most, sizeof *h->sorted);
    if (r == PL_OK)
        r = array_reserve(m, &h->tally, &room[7], 2 * (w->clusters.count + h->items + 1), sizeof *h->tally);
    if (r == PL_OK)
        r = array_reserve(m, &h->group, &room[8], end, sizeof *h->group);
    if (r == PL_OK)
        r = array_reserve(m, &h->mixed, &room[9], w->clusters.count + h->items + 1, sizeof *h->mixed);
    if (r == PL_OK)
        r = clusters_reserve(w, h->items, h->items);
    return r == PL_OK ? id_reserve(w, h->items) : r;
}

// Adds blocks for new clusters: consecutive clusters of one object form a block.
static void add_blocks(pl_world *w, int32_t first)
{
    const clusters *all = &w->clusters;
    while (first < all->count)
    {
        int32_t object = object_at(w, all->member[all->start[first]]), last = first + 1;
        while (last < all->count && object_at(w, all->member[all->start[last]]) == object)
            last++;
        id_add(w, (id_entry){.type = ID_CLUSTERS, .owner = (uint32_t)object, .first = first, .count = last - first},
               NULL); // memory is already reserved
        first = last;
    }
}

// Blocks of clusters keep their remaining clusters; new clusters are in new blocks. to: for each cluster its new index.
static void move_entries(const change *c, const int32_t *to)
{
    pl_world *w = c->w;
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        id_entry *t = &w->entries[i];
        if (t->type != ID_CLUSTERS)
            continue;
        int32_t end = to[t->first + t->count];
        t->first = to[t->first];
        t->count = end - t->first;
        if (t->count == 0)
            *t = (id_entry){.generation = t->generation};
    }
    add_blocks(w, to[c->old]);
}

void melt_write(const change *c)
{
    heat *h = c->h;
    clusters *all = &c->w->clusters;
    int32_t *start = h->tally, *to = h->tally + c->clusters + 1, count = 0;
    memset(start, 0, (size_t)(c->clusters + 1) * sizeof *start);
    for (int64_t k = 0; k < c->members; k++)
        start[h->members[k].cluster + 1]++;
    for (int32_t i = 0; i < c->clusters; i++)
    {
        to[i] = count;
        if (start[i + 1])
        {
            all->material[count] = all->material[i];
            all->pose[count++] = all->pose[i];
        }
        start[i + 1] += start[i];
    }
    to[c->clusters] = count;
    for (int64_t k = 0; k < c->members; k++)
        h->sorted[start[h->members[k].cluster]++] = h->members[k];
    all->count = count;
    all->members = c->members;
    for (int64_t k = 0; k < c->members; k++)
    {
        const member *m = &h->sorted[k];
        if (k == 0 || m->cluster != m[-1].cluster)
            all->start[to[m->cluster]] = (int32_t)k;
        all->member[k] = m->particle;
        memcpy(all->rest + 3 * k, m->rest, sizeof m->rest);
        memcpy(all->field + 4 * k, m->field, sizeof m->field);
    }
    all->start[count] = (int32_t)c->members;
    move_entries(c, to);
}
