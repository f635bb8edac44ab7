// room.cu: memory for the lists of contacts. It is taken once, with something to spare; a list that outgrows it stops the frame
// (search.cu), more is taken here, and the frame goes on. In between, a frame takes none.
#include "cuda/room.h"
#include "cuda/sums.h"

static bool take_places(device *d, device_error *why)
{
    list_arrays *l = &d->lists;
    int64_t n = l->colliders, table = table_room(*l), most = table > 2 * (n + 1) ? table : 2 * (n + 1);
    return take(
        d, &d->places,
        [=](knife *k) {
            k->cut(&l->key_in, n), k->cut(&l->key, n), k->cut(&l->value_in, n), k->cut(&l->value, n);
            k->cut(&l->spot, n), k->cut(&l->count, 2 * (n + 1)), k->cut(&l->first, 2 * (n + 1)), k->cut(&l->cursor, n);
            k->cut(&l->found, FOUND_AT_ONCE * n);
            int64_t relayed = relay_fits(l) ? l->slots : 0;
            k->cut(&l->place_of, l->slots <= OWN_FEW ? l->slots : 0);
            k->cut(&l->colours, relayed), k->cut(&l->first_end, PAIR_COLOURS * relayed);
            k->cut(&l->ranges, PAIR_COLOURS + 1), k->cut(&l->bounds, 6), k->cut(&l->noted, LIST_NOTES),
                k->cut(&l->arrived, n);
            k->cut(&l->cell_count, table), k->cut(&l->cell_first, table);
            k->cut(&l->block_count, table), k->cut(&l->block_first, table);
            k->cut(&l->stretch, stretches_of(most)), k->cut(&l->near_stretch, stretches_of(l->live + 1));
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
        [=](knife *k) {
            k->cut(&l->one, n), k->cut(&l->other, n), k->cut(&l->row_of, n), k->cut(&l->entry, 2 * n);
            k->cut(&l->turns, turns_listed(l) ? n : 0);
            k->cut(&l->block_in, n), k->cut(&l->block, sorted), k->cut(&l->order_in, n), k->cut(&l->order, n);
            k->cut(&l->head, sorted), k->cut(&l->block_of, sorted), k->cut(&l->block_start, n + 1);
            k->cut(&p->index[0], n), k->cut(&p->index[1], n), k->cut(&p->reach, n), k->cut(&p->lambda[0], 4 * n);
            k->cut(&p->stick, materials), k->cut(&p->slide, materials), k->cut(&p->bounce, materials);
        },
        why);
}

static bool take_touches(device *d, device_error *why)
{
    packed_touches *t = &d->lists.touches;
    int64_t n = d->lists.touch_room;
    return take(
        d, &d->touches,
        [=](knife *k) {
            k->cut(&t->index, n), k->cut(&t->shape, n), k->cut(&t->part, n), k->cut(&t->lambda[0], 4 * n);
            for (int i = 0; i < 4; i++)
                k->cut(&t->plane[i], n);
            for (int i = 0; i < 3; i++)
                k->cut(&t->drift[i], n);
            k->cut(&t->stick, n), k->cut(&t->slide, n), k->cut(&t->bounce, n);
        },
        why);
}

// Nothing else is ever in it, so that all that was taken with it says 0 (relay.cu).
static bool take_mails(device *d, device_error *why)
{
    list_arrays *l = &d->lists;
    l->mail = NULL;
    return !l->colliders || !relay_fits(l) ||
           take(
               d, &d->mails, [=](knife *k) { k->cut(&l->mail, l->slots); }, why);
}

static void cut_carried(list_arrays *l, knife *k, int64_t pairs, int64_t touches)
{
    k->cut(&l->carry_first, l->slots), k->cut(&l->carry_count, l->slots);
    k->cut(&l->touch_carry_first, l->slots), k->cut(&l->touch_carry_count, l->slots);
    k->cut(&l->carry_other, pairs), k->cut(&l->carry_lambda, pairs);
    k->cut(&l->touch_carry_other, touches), k->cut(&l->touch_carry_lambda, touches);
}

// What is carried must outlive a growing list.
static bool take_carried(device *d, device_error *why)
{
    list_arrays *l = &d->lists, old = *l;
    if (l->carry_first && l->pair_room <= d->carry_room && 2 * l->touch_room <= d->touch_carry_room)
        return true;
    region before = d->carried;
    int64_t pairs = l->pair_room > d->carry_room ? l->pair_room : d->carry_room;
    int64_t touches = 2 * l->touch_room > d->touch_carry_room ? 2 * l->touch_room : d->touch_carry_room;
    d->carried.at = NULL;
    d->carried.bytes = 0;
    if (!take(
            d, &d->carried, [=](knife *k) { cut_carried(l, k, pairs, touches); }, why))
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
        } moves[] = {{l->carry_count, old.carry_count, slots},
                     {l->touch_carry_first, old.touch_carry_first, slots},
                     {l->touch_carry_count, old.touch_carry_count, slots},
                     {l->carry_other, old.carry_other, (size_t)d->carry_room * 4},
                     {l->carry_lambda, old.carry_lambda, (size_t)d->carry_room * 16},
                     {l->touch_carry_other, old.touch_carry_other, (size_t)d->touch_carry_room * 4},
                     {l->touch_carry_lambda, old.touch_carry_lambda, (size_t)d->touch_carry_room * 16}};
        for (size_t i = 0; e == cudaSuccess && i < sizeof moves / sizeof *moves; i++)
            e = cudaMemcpyAsync(moves[i].to, moves[i].from, moves[i].bytes, cudaMemcpyDeviceToDevice, d->stream);
        TRY(e, "moving multipliers");
    }
    TRY(cudaStreamSynchronize(d->stream), "moving multipliers");
    cudaFree(before.at);
    d->carry_room = (int32_t)pairs;
    d->touch_carry_room = (int32_t)touches;
    return true;
}

enum
{
    TABLE_LEAST = 1 << 13, // cells that are counted, to begin with
    TABLE_FEW = 1 << 15,   // that are always counted
    TABLE_MOST = 1 << 22,
    TABLE_EACH = 64, // for each that collides: where few are scattered widely, most cells are empty
    CROWD = 1024,    // in a cell or a block that are too many for that
};

static int64_t most_cells(int32_t colliders)
{
    int64_t most = TABLE_EACH * (int64_t)colliders;
    return most < TABLE_FEW ? TABLE_FEW : most > TABLE_MOST ? TABLE_MOST : most;
}

static int32_t more_than(int64_t needed) { return (int32_t)(needed + needed / 8 + 1024); }

// As much as the lists turned out to need.
static bool set_rooms(list_arrays *l, const list_now *now, device_error *why)
{
    bool short_of = now->trouble == LISTS_SHORT;
    int bits = now->bits[0] + now->bits[1] + now->bits[2];
    if (short_of && (now->pairs < 0 || now->pairs > INT32_MAX / 8))
    {
        why->memory = true;
        snprintf(why->text, sizeof why->text, "more than %d pairs of particles are near each other; use smaller radii",
                 INT32_MAX / 8);
        return false;
    }
    // For tests of lists that outgrow their room: how many entries there are to begin with.
    if (debug->list_room && !l->pair_room)
        l->pair_room = l->touch_room = debug->list_room > 64 ? debug->list_room : 64;
    if (!l->pair_room)
        l->pair_room = l->colliders ? more_than(5 * (int64_t)l->colliders) : 64;
    if (!l->touch_room)
        l->touch_room = l->shapes ? more_than(l->live / 2) : 64;
    if (!l->key_bits)
        l->key_bits = 13;
    if (!l->crowd)
        l->crowd = debug->cell_crowd > 0 ? debug->cell_crowd : CROWD;
    if (short_of && now->pairs > l->pair_room)
        l->pair_room = more_than(now->pairs);
    if (short_of && now->touches > l->touch_room)
        l->touch_room = more_than(now->touches);
    if (!l->table)
        l->table = TABLE_LEAST;
    l->crowded |= short_of && (now->cells > most_cells(l->colliders) || now->crowded);
    if (short_of && now->cells > l->table && !l->crowded)
        l->table = (int32_t)((now->cells + now->cells / 4 + 3) / 4 * 4);
    // Sorted eight bits at a time, with a block's colour above them.
    if (short_of && l->crowded && bits > l->key_bits)
        l->key_bits = (bits + 3 + 7) / 8 * 8 - 3;
    return true;
}

bool lists_room(device *d, const list_now *now, device_error *why)
{
    list_arrays *l = &d->lists, before = *l;
    if (!l->slots || (now->trouble != LISTS_SHORT && l->carry_first))
        return true;
    if (!set_rooms(l, now, why))
        return false;
    l->now = &d->now->lists;
    if (!take_carried(d, why) || !take_mails(d, why) || !take_places(d, why) || !take_pairs(d, why) ||
        !take_touches(d, why))
        return false;
    size_t scratch = scratch_for(l->colliders, l->pair_room, l->slots);
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
    region *const all[] = {&d->crowd, &d->places, &d->pairs, &d->touches, &d->carried, &d->mails};
    for (region *r : all)
        cudaFree(r->at);
    cudaFree(d->scratch);
    cudaFree(d->claims);
}
