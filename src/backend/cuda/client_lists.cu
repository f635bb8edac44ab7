// client_lists.cu: the neighbour lists of the clients in model/neighbour_clients.def on the device: full lists, made
// together with those of the contacts, from the positions in SLOT_BUILD. One search serves all clients; the table says
// how far they reach and which pairs they allow.
#include "backend/cuda/neighbours.h"
#include "backend/cuda/list_memory.h"

enum
{
    CLIENT_NOTES = 96,       // neighbours of a particle that are stored while they are counted
    CLIENT_NOTES_FEWER = 64, // the same where there are many particles
    CLIENT_MANY = 1 << 25,
    CLIENT_EACH = 0, // initial capacity: entries per particle beyond those
};

// ---- search --------------------------------------------------------------------------------------------------------

struct client_search
{
    static constexpr bool FULL = true, TRANSPOSED = true;
    const float *build, *mass, *collision, *rest; // slot arrays
    client_arrays l;

    __host__ __device__ __forceinline__ const neighbour_arrays &list() const { return l; }
    __device__ __forceinline__ neighbour_query query() const
    {
        return {
            build,    mass, collision, rest, l.given, l.items, l.scale, l.scale * l.radius + l.beside, l.search->margin,
            l.filter, 1,    l.beside};
    }
    __device__ __forceinline__ const float *moved_from() const { return build; }
    __device__ __forceinline__ int32_t slot(int32_t i) const { return l.given[i]; }
    __device__ __forceinline__ void open() const {}
    __device__ __forceinline__ void placed(int32_t, int32_t, int32_t) const {}
    __device__ __forceinline__ void put(int32_t, int32_t, int32_t) const {}
};

static __global__ void open_client(const __grid_constant__ client_arrays l, const list_now *lists)
{
    wait_for_previous_kernel();
    if (first_item() == 0)
    {
        *l.search = neighbour_state{};
        l.search->margin = lists->search.margin;
    }
    open_cells(l);
}

// A client's list that failed stops the frame as a list of contacts does (close_lists).
static __global__ void close_client(const __grid_constant__ client_arrays l, list_now *lists)
{
    wait_for_previous_kernel();
    neighbour_state *all = &lists->search;
    l.search->sorted_count = l.items;
    if (l.search->trouble == LISTS_FIT || all->trouble != LISTS_FIT)
        return;
    all->trouble = l.search->trouble;
    for (int a = 0; a < 3 && all->trouble == LISTS_FAR; a++)
        all->high[a] = l.search->high[a], all->bits[a] = l.search->bits[a];
}

bool make_clients(device *d, cudaStream_t stream, device_error *why)
{
    region scratch = {(char *)d->scratch, d->scratch_bytes};
    bool made = true;
    for (int i = 0; i < NEIGHBOUR_CLIENTS && made; i++)
    {
        const client_search c = {d->slot[SLOT_BUILD], d->slot[SLOT_D], d->slot[SLOT_COLLISION], d->slot[SLOT_REST],
                                 d->clients[i]};
        if (c.l.items)
            made = start(why, stream, false, spread(d, table_room(c.l) / 4), WIDE, 0, open_client, c.l, d->lists.now) &&
                   make_neighbours(d, c, 0, scratch, stream, why) &&
                   start(why, stream, false, 1, 1, 0, close_client, c.l, d->lists.now);
    }
    return made;
}

// ---- memory --------------------------------------------------------------------------------------------------------

bool clients_set(device *d, const device_client *clients, device_error *why)
{
    d->lists.client_items = 0;
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
    {
        client_arrays *l = &d->clients[i];
        const device_client *c = &clients[i];
        if (c->count > l->items)
            l->pair_room = 0;
        l->items = c->count, l->scale = c->scale, l->radius = c->radius, l->filter = c->filter;
        l->beside = c->beside;
        d->lists.client_items += c->count;
        if (!c->count)
            continue;
        if (!take(
                d, &d->client_regions[i].given, [=](region_divider *k) { k->cut(&l->given, c->count); }, why))
            return false;
        TRY(cudaMemcpyAsync(l->given, c->slot, 4 * (size_t)c->count, cudaMemcpyHostToDevice, d->stream), "copying");
    }
    TRY(cudaStreamSynchronize(d->stream), "copying");
    return true;
}

bool clients_room(device *d, const list_now *now, int32_t *most, device_error *why)
{
    bool same = true;
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
    {
        client_arrays *l = &d->clients[i], before = *l;
        client_memory *m = &d->client_regions[i];
        if (!l->items)
            continue;
        l->notes = l->items < CLIENT_MANY ? CLIENT_NOTES : CLIENT_NOTES_FEWER;
        l->search = &d->now->lists.clients[i];
        if (!neighbours_grow(l, &now->clients[i], true, CLIENT_EACH, why) ||
            !take(
                d, &m->sorted, [=](region_divider *k) { neighbours_cut_sorted(l, true, true, k); }, why) ||
            !take(
                d, &m->pairs, [=](region_divider *k) { neighbours_cut_pairs(l, true, k); }, why))
            return false;
        *most = l->items > *most ? l->items : *most;
        same &= memcmp(&before, l, sizeof before) == 0;
    }
    if (!same)
        drop_graph(d);
    return true;
}

void clients_show(const device *d, state *s)
{
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
    {
        const client_arrays &l = d->clients[i];
        s->neighbours[i] =
            packed_neighbours{l.items, l.value, l.start, l.neighbour, l.many, l.found, l.notes, NULL, NULL};
    }
}

void clients_free(device *d)
{
    for (client_memory &m : d->client_regions)
        cudaFree(m.given.at), cudaFree(m.sorted.at), cudaFree(m.pairs.at);
}
