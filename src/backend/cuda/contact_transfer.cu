// contact_transfer.cu: copies colliders, shapes and multipliers to the device, makes the lists of a saved world, and
// copies lists back to the host.
#include "backend/cuda/device_internal.h"

template <class T> static void put(char **at, T **part, int64_t count)
{
    *part = (T *)*at;
    *at += ((size_t)count * sizeof(T) + 255) / 256 * 256;
}

// Sets which particles collide. The multipliers are on the host, which sends them next.
bool device_colliders_set(device *d, const device_colliders *c, list_now *lists, device_error *why)
{
    list_arrays *l = &d->lists;
    const size_t each = sizeof(material_values), pairs = (size_t)c->materials.pairs;
    size_t bytes = 6 * 256 + 4 * (size_t)(c->colliders + c->shapes) + (size_t)c->material_count * each +
                   pairs * (each + sizeof(uint64_t)) + (size_t)c->shapes * sizeof(placement);
    if (!grow((void **)&d->collider_memory.at, &d->collider_memory.bytes, bytes, why))
        return false;
    char *at = d->collider_memory.at;
    int32_t *collider, *id_entry;
    material_values *material, *between;
    uint64_t *key;
    put(&at, &collider, c->colliders), put(&at, &id_entry, c->shapes);
    put(&at, &material, c->material_count), put(&at, &between, c->materials.pairs), put(&at, &key, c->materials.pairs);
    put(&at, &l->built, c->shapes);
    TRY(cudaMemcpyAsync(collider, c->collider, 4 * (size_t)c->colliders, cudaMemcpyHostToDevice, d->stream), "copying");
    TRY(cudaMemcpyAsync(id_entry, c->shape_id_entry, 4 * (size_t)c->shapes, cudaMemcpyHostToDevice, d->stream),
        "copying");
    TRY(cudaMemcpyAsync(material, c->materials.each, (size_t)c->material_count * each, cudaMemcpyHostToDevice,
                        d->stream),
        "copying");
    TRY(cudaMemcpyAsync(between, c->materials.pair, pairs * each, cudaMemcpyHostToDevice, d->stream), "copying");
    TRY(cudaMemcpyAsync(key, c->materials.key, pairs * sizeof *key, cudaMemcpyHostToDevice, d->stream), "copying");
    if (c->built)
        TRY(cudaMemcpyAsync(l->built, c->built, (size_t)c->shapes * sizeof(placement), cudaMemcpyHostToDevice,
                            d->stream),
            "copying");
    TRY(cudaStreamSynchronize(d->stream), "copying");
    bool larger = c->colliders > l->items || c->shapes > l->shapes;
    l->collider = collider, l->shape_id_entry = id_entry;
    l->materials = {material, between, key, c->materials.pairs};
    l->items = c->colliders, l->live = c->live;
    if (!clients_set(d, c->clients, why))
        return false;
    bool any = c->colliders || c->shapes || c->has_surfaces || l->client_items;
    l->slots = any ? (int32_t)(d->slot_capacity / 16) : 0;
    l->shapes = c->shapes, l->hard_shapes = c->hard_shapes, l->radius = c->radius, l->one_material = c->one_material;
    if (larger)
        l->pair_room = l->shape_contact_room = 0;
    lists->listed = 0;
    l->carry_first = NULL; // its arrays are cut again for the new sizes
    d->carry_room = d->shape_contact_carry_room = 0;
    drop_graph(d);
    return lists_room(d, lists, why);
}

bool device_carry_set(device *d, const device_carry *pairs, const device_carry *shape_contacts, list_now *lists,
                      device_error *why)
{
    list_arrays *l = &d->lists;
    list_now need = *lists;
    if (pairs->entries > l->pair_room || shape_contacts->entries > 2 * (int64_t)l->shape_contact_room)
    {
        need.search = neighbour_state{};
        need.search.trouble = LISTS_SHORT;
        need.search.pairs = (int32_t)pairs->entries;
        need.shape_contacts = (int32_t)shape_contacts->entries;
        if (!lists_room(d, &need, why))
            return false;
    }
    size_t slots = 4 * (size_t)l->live;
    const struct
    {
        void *to;
        const void *from;
        size_t bytes;
    } moves[] = {{l->carry_first, pairs->first, slots},
                 {l->carry_count, pairs->count, slots},
                 {l->carry_other, pairs->other, 4 * (size_t)pairs->entries},
                 {l->carry_lambda, pairs->lambda, 16 * (size_t)pairs->entries},
                 {l->shape_contact_carry_first, shape_contacts->first, slots},
                 {l->shape_contact_carry_count, shape_contacts->count, slots},
                 {l->shape_contact_carry_other, shape_contacts->other, 4 * (size_t)shape_contacts->entries},
                 {l->shape_contact_carry_lambda, shape_contacts->lambda, 16 * (size_t)shape_contacts->entries}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].bytes)
            TRY(cudaMemcpyAsync(moves[i].to, moves[i].from, moves[i].bytes, cudaMemcpyHostToDevice, d->stream),
                "sending multipliers");
    TRY(cudaStreamSynchronize(d->stream), "sending multipliers");
    lists->listed = 0;
    lists->carried = 1;
    return true;
}

// Makes a saved world's lists before the first frame, from the positions at which they were made.
bool device_resume(device *d, const state *host, list_now *lists, device_error *why)
{
    do
    {
        if (!reserve_shapes(d, host, why) || !lists_room(d, lists, why))
            return false;
        lists->search.trouble = LISTS_FIT;
        d->pinned->lists = *lists;
        memcpy(&d->captured, host, sizeof d->captured);
        relocate_state(d, &d->captured);
        drop_graph(d);
        if (d->placement_count)
        {
            TRY(cudaMemcpyAsync(d->solids, host->solids, (size_t)d->lists.shapes * sizeof(solid),
                                cudaMemcpyHostToDevice, d->stream),
                "copying shapes");
            TRY(cudaMemcpyAsync(d->placements, host->placements, d->placement_count * sizeof(placement),
                                cudaMemcpyHostToDevice, d->stream),
                "copying shapes");
        }
        TRY(cudaMemcpyAsync(d->now, d->pinned, sizeof *d->now, cudaMemcpyHostToDevice, d->stream), "copying");
        if (!make_lists(d, d->stream, 0, true, why))
            return false;
        TRY(cudaMemcpyAsync(d->pinned, d->now, sizeof *d->now, cudaMemcpyDeviceToHost, d->stream), "copying");
        TRY(cudaStreamSynchronize(d->stream), "making lists");
        *lists = d->pinned->lists;
    }
    while (lists->search.trouble == LISTS_SHORT);
    why->far = lists->search.trouble == LISTS_FAR;
    return !why->far;
}

// ---- to the host ---------------------------------------------------------------------------------------------------

// Gathers the multipliers in the order of the pairs into the arrays for carried multipliers, which are free between two
// list builds.
static __global__ void collect(const __grid_constant__ list_arrays l)
{
    EACH(int32_t, p, l.search->pairs)
    l.carry_lambda[p] = ((const float4 *)l.pairs.lambda[0])[l.row_of[p]];
    EACH(int32_t, k, l.now->shape_contacts)
    {
        const packed_shape_contacts &t = l.shape_contacts;
        ((float4 *)l.shape_contact_carry_lambda)[k] =
            make_float4(t.plane[0][k], t.plane[1][k], t.plane[2][k], t.plane[3][k]);
    }
}

bool collect_lists(device *d, const list_now *lists, device_error *why)
{
    int32_t pairs = lists->search.pairs, most = pairs > lists->shape_contacts ? pairs : lists->shape_contacts;
    return start(why, d->stream, false, spread(d, most), WIDE, 0, collect, d->lists);
}

// host_copy == NULL: only the sources and sizes are wanted.
void list_parts(const device *d, const list_now *lists, const device_readback *host_copy, list_part out[LIST_PARTS])
{
    static const device_readback nowhere = {};
    const list_arrays &l = d->lists;
    const device_readback *h = host_copy ? host_copy : &nowhere;
    size_t sorted_count = (size_t)lists->search.sorted_count, pairs = (size_t)lists->search.pairs,
           shape_contacts = (size_t)lists->shape_contacts;
    const list_part parts[LIST_PARTS] = {{h->key, l.key, 8 * sorted_count},
                                         {h->value, l.value, 4 * sorted_count},
                                         {h->first, l.start, 4 * (sorted_count + 1)},
                                         {h->one, l.owner, 4 * pairs},
                                         {h->other, l.neighbour, 4 * pairs},
                                         {h->lambda, l.carry_lambda, 16 * pairs},
                                         {h->near_first, l.near_first, l.shapes ? 4 * (size_t)(l.live + 1) : 0},
                                         {h->near_shape, l.shape_contacts.shape, 4 * shape_contacts},
                                         {h->shape_contact_lambda, l.shape_contacts.lambda[0], 16 * shape_contacts},
                                         {h->shape_contact_plane, l.shape_contact_carry_lambda, 16 * shape_contacts},
                                         {h->built, l.built, (size_t)l.shapes * sizeof(placement)}};
    memcpy(out, parts, sizeof parts);
}

bool device_read_lists(device *d, const list_now *lists, const device_readback *host_copy, device_error *why)
{
    list_part parts[LIST_PARTS];
    if (!d->copies_on_host && !collect_lists(d, lists, why))
        return false;
    list_parts(d, lists, host_copy, parts);
    for (int i = 0; i < LIST_PARTS; i++)
        if (!fetch(d, PIECE_LIST + i, parts[i].to, parts[i].from, parts[i].bytes, why))
            return false;
    if (!d->copies_on_host)
        TRY(cudaStreamSynchronize(d->stream), "reading contacts");
    return true;
}
