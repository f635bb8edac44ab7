// carry_multipliers.cu: the first and the last kernel of making lists. The first clears the counters and copies the
// multipliers of the old lists, sorted by slot, so that the new ones can find them (contact_blocks.cu,
// shape_contact_lists.cu). The last marks the new lists as valid.
#include "backend/cuda/cell_tables.h"

#include "stages/contact_stages.h"
#include "stages/list_validity.h"

// Copies the multipliers in the order of the pairs, with a range for each slot. A pair whose multiplier is 0 is not
// carried: its `other` is -1.
static __device__ __forceinline__ void carry_pairs(const list_arrays &l)
{
    EACH(int32_t, p, l.search->pairs)
    {
        float4 lambda = ((const float4 *)l.pairs.lambda[0])[l.row_of[p]];
        l.carry_other[p] = lambda.x == 0.0f ? -1 : l.value[l.neighbour[p]];
        l.carry_lambda[p] = lambda;
    }
    EACH(int32_t, i, l.search->sorted_count)
    {
        l.carry_first[l.value[i]] = l.start[i];
        l.carry_count[l.value[i]] = l.start[i + 1] - l.start[i];
    }
}

// Copies the multipliers of shape contacts slot by slot, and, for shapes of several parts, the normals of their planes.
static __device__ __forceinline__ void carry_shape_contacts(const state &s, const list_arrays &l)
{
    const packed_shape_contacts &t = l.shape_contacts;
    EACH(int32_t, slot, l.live)
    {
        int32_t first = l.near_first[slot], last = l.near_first[slot + 1], at = 2 * first;
        l.shape_contact_carry_first[slot] = at;
        for (int32_t k = first; k < last; k++)
        {
            float4 lambda = ((const float4 *)t.lambda[0])[k];
            uint32_t id_entry = (uint32_t)l.shape_id_entry[t.shape[k]];
            if (t.part[k] > 0 && lambda.x == 0.0f)
                continue;
            l.shape_contact_carry_other[at] = shape_contact_key(id_entry, t.part[k], false);
            l.shape_contact_carry_lambda[at++] = lambda;
            if (lambda.x == 0.0f || solid_parts(&s.solids[t.shape[k]]) == 1)
                continue;
            l.shape_contact_carry_other[at] = shape_contact_key(id_entry, t.part[k], true);
            l.shape_contact_carry_lambda[at++] = make_float4(t.plane[0][k], t.plane[1][k], t.plane[2][k], 0.0f);
        }
        l.shape_contact_carry_count[slot] = at - 2 * first;
    }
}

static __global__ void open_lists(const __grid_constant__ state s, const __grid_constant__ list_arrays l, int substep)
{
    wait_for_previous_kernel();
    if (!l.now->carried && l.now->listed)
    {
        if (l.items)
            carry_pairs(l);
        carry_shape_contacts(s, l);
    }
    EACH(int32_t, i, l.shapes)
    {
        const placement *from = s.placements + (size_t)i * (size_t)s.placement_step + substep;
        l.stride[i] = placement_moved(from, from + 1, s.solids[i].reach);
    }
    open_cells(l);
    EACH(int64_t, k, table_room(l) / 4)
    ((int4 *)l.block_count)[k] = make_int4(0, 0, 0, 0);
}

// Marks the new lists as valid; the carried multipliers have been assigned. If the lists do not fit into their memory,
// the frame stops before this substep.
static __global__ void close_lists(const __grid_constant__ state s, const __grid_constant__ list_arrays l, int substep,
                                   bool resume)
{
    wait_for_previous_kernel();
    list_now *now = l.now;
    if (halted(l) || l.noted[NOTED_SHAPE_CONTACTS])
    {
        if (first_item() > 0)
            return;
        if (!halted(l))
            l.search->trouble = LISTS_SHORT;
        s.now->to = substep;
        return;
    }
    EACH(int32_t, slot, l.slots)
    l.carry_count[slot] = l.shape_contact_carry_count[slot] = 0;
    if (!resume)
        EACH(int32_t, i, l.shapes)
    l.built[i] = s.placements[(size_t)i * (size_t)s.placement_step + (size_t)substep];
    if (first_item() > 0)
        return;
    now->listed = 1;
    now->carried = 0;
    l.search->sorted_count = l.items;
    l.search->pairs = l.items ? l.search->pairs : 0;
    now->shape_contacts = l.shapes ? now->shape_contacts : 0;
    now->sparse = list_is_sparse(l.items, l.search->pairs);
    now->builds++;
    if (!resume)
    {
        now->stale = 0;
        travel_forget(&s);
    }
}

// Shape contacts and pairs do not depend on each other: they are searched at the same time, on two streams.
static bool search_both(device *d, cudaStream_t stream, int substep, bool resume, device_error *why)
{
    if (!d->lists.shapes)
        return search_pairs(d, stream, resume, why);
    TRY(cudaEventRecord(d->parted, stream), "parting");
    TRY(cudaStreamWaitEvent(d->beside, d->parted, 0), "parting");
    bool searched = search_shape_contacts(d, d->beside, substep, resume, why) && search_pairs(d, stream, resume, why);
    // The streams are joined even after a failure, since otherwise the capture could not end.
    bool met = !failed(cudaEventRecord(d->met, d->beside), "meeting", why) &&
               !failed(cudaStreamWaitEvent(stream, d->met, 0), "meeting", why);
    return searched && met;
}

bool make_lists(device *d, cudaStream_t stream, int substep, bool resume, device_error *why)
{
    const list_arrays &l = d->lists;
    int64_t most = l.pair_room > l.slots ? l.pair_room : l.slots;
    most = most > table_room(l) / 8 ? most : table_room(l) / 8;
    return start(why, stream, false, spread(d, most), WIDE, 0, open_lists, d->captured, l, substep) &&
           search_both(d, stream, substep, resume, why) && make_clients(d, stream, why) &&
           start(why, stream, false, spread(d, l.slots), WIDE, 0, close_lists, d->captured, l, substep, resume);
}
