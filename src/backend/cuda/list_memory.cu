// list_memory.cu: memory for the contact lists. It is taken once, with a reserve. A list that outgrows it stops the
// frame (neighbour_search.cu), more memory is taken here, and the frame continues. A frame itself allocates nothing.
#include "backend/cuda/list_memory.h"
#include "backend/cuda/prefix_sums.h"

enum
{
    CONTACT_NOTES = 32, // neighbours of a particle that are stored while they are counted
    CONTACT_EACH = 5,   // initial capacity: pairs per particle
};

static bool take_sorted(device *d, device_error *why)
{
    list_arrays *l = &d->lists;
    int64_t n = l->items, table = table_room(*l);
    return take(
        d, &d->sorted,
        [=](region_divider *k) {
            neighbours_cut_sorted(l, false, false, k);
            int64_t in_one_kernel = contacts_one_kernel_fits(l) ? l->slots : 0;
            k->cut(&l->cursor, n), k->cut(&l->sorted_index_of, l->slots <= PER_PARTICLE_FEW ? l->slots : 0);
            k->cut(&l->colours, in_one_kernel), k->cut(&l->first_end, PAIR_COLOURS * in_one_kernel);
            k->cut(&l->ranges, PAIR_COLOURS + 1), k->cut(&l->block_count, table), k->cut(&l->block_first, table);
            k->cut(&l->near_stretch, stretches_of(l->live + 1));
            k->cut(&l->near_count, l->live + 1), k->cut(&l->near_first, l->live + 1),
                k->cut(&l->near_mask, (int64_t)l->live * mask_words(l->shapes)), k->cut(&l->stride, l->shapes);
        },
        why);
}

static bool take_pairs(device *d, device_error *why)
{
    list_arrays *l = &d->lists;
    packed_pairs *p = &l->pairs;
    int64_t n = l->pair_room, materials = l->one_material ? PAD : n, sorted = l->crowded ? n : 0;
    p->material_step = !l->one_material;
    return take(
        d, &d->pairs,
        [=](region_divider *k) {
            neighbours_cut_pairs(l, false, k);
            k->cut(&l->row_of, n), k->cut(&l->entry, 2 * n);
            k->cut(&l->dependencies, dependencies_listed(l) ? n : 0);
            k->cut(&l->block_in, n), k->cut(&l->block, sorted), k->cut(&l->order_in, n), k->cut(&l->order, n);
            k->cut(&l->head, sorted), k->cut(&l->block_of, sorted), k->cut(&l->block_start, n + 1);
            k->cut(&p->index[0], n), k->cut(&p->index[1], n), k->cut(&p->reach, n), k->cut(&p->lambda[0], 4 * n);
            k->cut(&p->carried, n);
            k->cut(&p->stick, materials), k->cut(&p->slide, materials), k->cut(&p->bounce, materials);
        },
        why);
}

static bool take_shape_contacts(device *d, device_error *why)
{
    packed_shape_contacts *t = &d->lists.shape_contacts;
    int64_t n = d->lists.shape_contact_room;
    return take(
        d, &d->shape_contacts,
        [=](region_divider *k) {
            k->cut(&t->index, n), k->cut(&t->shape, n), k->cut(&t->part, n), k->cut(&t->lambda[0], 4 * n);
            k->cut(&t->carried, n);
            for (int i = 0; i < 4; i++)
                k->cut(&t->plane[i], n);
            for (int i = 0; i < 3; i++)
                k->cut(&t->drift[i], n);
            k->cut(&t->stick, n), k->cut(&t->slide, n), k->cut(&t->bounce, n);
        },
        why);
}

// This region holds only handoffs, so that a new one is all 0, as solve_contacts_one_kernel.cu requires.
static bool take_handoffs(device *d, device_error *why)
{
    list_arrays *l = &d->lists;
    l->handoff = NULL;
    return !l->items || !contacts_one_kernel_fits(l) ||
           take(
               d, &d->handoffs, [=](region_divider *k) { k->cut(&l->handoff, l->slots); }, why);
}

static void cut_carried(list_arrays *l, region_divider *k, int64_t pairs, int64_t shape_contacts)
{
    k->cut(&l->carry_first, l->slots), k->cut(&l->carry_count, l->slots);
    k->cut(&l->shape_contact_carry_first, l->slots), k->cut(&l->shape_contact_carry_count, l->slots);
    k->cut(&l->carry_other, pairs), k->cut(&l->carry_lambda, pairs);
    k->cut(&l->shape_contact_carry_other, shape_contacts), k->cut(&l->shape_contact_carry_lambda, shape_contacts);
}

// The carried multipliers are copied, because they are needed after the lists have grown.
static bool take_carried(device *d, device_error *why)
{
    list_arrays *l = &d->lists, old = *l;
    if (l->carry_first && l->pair_room <= d->carry_room && 2 * l->shape_contact_room <= d->shape_contact_carry_room)
        return true;
    region before = d->carried;
    int64_t pairs = l->pair_room > d->carry_room ? l->pair_room : d->carry_room;
    int64_t shape_contacts = 2 * l->shape_contact_room > d->shape_contact_carry_room ? 2 * l->shape_contact_room
                                                                                     : d->shape_contact_carry_room;
    d->carried.at = NULL;
    d->carried.bytes = 0;
    if (!take(
            d, &d->carried, [=](region_divider *k) { cut_carried(l, k, pairs, shape_contacts); }, why))
    {
        d->carried = before;
        *l = old;
        return false;
    }
    if (before.at && old.carry_first)
    {
        size_t slots = (size_t)l->slots * sizeof(int32_t);
        cudaError_t e = cudaMemcpyAsync(l->carry_first, old.carry_first, slots, cudaMemcpyDeviceToDevice, d->stream);
        const struct
        {
            void *to;
            const void *from;
            size_t bytes;
        } moves[] = {
            {l->carry_count, old.carry_count, slots},
            {l->shape_contact_carry_first, old.shape_contact_carry_first, slots},
            {l->shape_contact_carry_count, old.shape_contact_carry_count, slots},
            {l->carry_other, old.carry_other, (size_t)d->carry_room * 4},
            {l->carry_lambda, old.carry_lambda, (size_t)d->carry_room * 16},
            {l->shape_contact_carry_other, old.shape_contact_carry_other, (size_t)d->shape_contact_carry_room * 4},
            {l->shape_contact_carry_lambda, old.shape_contact_carry_lambda, (size_t)d->shape_contact_carry_room * 16}};
        for (size_t i = 0; e == cudaSuccess && i < sizeof moves / sizeof *moves; i++)
            e = cudaMemcpyAsync(moves[i].to, moves[i].from, moves[i].bytes, cudaMemcpyDeviceToDevice, d->stream);
        TRY(e, "moving multipliers");
    }
    TRY(cudaStreamSynchronize(d->stream), "moving multipliers");
    cudaFree(before.at);
    d->carry_room = (int32_t)pairs;
    d->shape_contact_carry_room = (int32_t)shape_contacts;
    return true;
}

// Sets the capacities to what the last search needed, with a reserve.
static bool set_rooms(list_arrays *l, const list_now *now, device_error *why)
{
    l->notes = CONTACT_NOTES;
    if (!neighbours_grow(l, &now->search, false, CONTACT_EACH, why))
        return false;
    if (!l->shape_contact_room)
        l->shape_contact_room = debug_list_room();
    if (!l->shape_contact_room)
        l->shape_contact_room = l->shapes ? with_spare(l->live / 2) : 64;
    if (now->search.trouble == LISTS_SHORT && now->shape_contacts > l->shape_contact_room)
        l->shape_contact_room = with_spare(now->shape_contacts);
    return true;
}

bool lists_room(device *d, const list_now *now, device_error *why)
{
    list_arrays *l = &d->lists, before = *l;
    if (!l->slots || (now->search.trouble != LISTS_SHORT && l->carry_first))
        return true;
    if (!set_rooms(l, now, why))
        return false;
    l->now = &d->now->lists;
    l->search = &d->now->lists.search;
    if (!take_carried(d, why) || !take_handoffs(d, why) || !take_sorted(d, why) || !take_pairs(d, why) ||
        !take_shape_contacts(d, why))
        return false;
    int32_t items = l->items;
    if (!clients_room(d, now, &items, why))
        return false;
    size_t scratch = scratch_for(items, l->pair_room, l->slots);
    if (!grow(&d->scratch, &d->scratch_bytes, scratch, why))
        return false;
    if (memcmp(&before, l, sizeof before) != 0 && d->graph)
    {
        cudaGraphExecDestroy(d->graph);
        d->graph = NULL;
    }
    return true;
}

void lists_free(device *d)
{
    region *const all[] = {&d->collider_memory, &d->sorted, &d->pairs, &d->shape_contacts, &d->carried, &d->handoffs};
    for (region *r : all)
        cudaFree(r->at);
    clients_free(d);
    cudaFree(d->scratch);
    cudaFree(d->claims);
}
