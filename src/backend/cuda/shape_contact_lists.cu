// shape_contact_lists.cu: makes the list of shape contacts: for each slot the shapes that it is near, in their order
// (neighbours/contact/shape_contacts.c). The row of a shape contact is its index in the list. The search for pairs runs
// at the same time: neither sees the other's failure before both have ended.
#include "backend/cuda/prefix_sums.h"

#include "stages/contact_stages.h"
#include "stages/list_validity.h"

static __device__ __forceinline__ const float4 *find_carried(const list_arrays &l, int32_t slot, int32_t key)
{
    for (int32_t i = l.shape_contact_carry_first[slot], last = i + l.shape_contact_carry_count[slot]; i < last; i++)
        if (l.shape_contact_carry_other[i] == key)
            return l.shape_contact_carry_lambda + i;
    return NULL;
}

// When a saved world resumes, its shape contacts are restored, not searched.
static __device__ __forceinline__ bool is_wanted(const state &s, const list_arrays &l, int32_t slot, int32_t number,
                                                 int substep, bool resume)
{
    return resume ? find_carried(l, slot, shape_contact_key((uint32_t)l.shape_id_entry[number], 0, false)) != NULL
                  : is_near(&s, slot, number, substep, fall_of(&s), l.now->shape_contact_margin, l.stride[number]);
}

// A few lanes test the shapes of one slot in parallel and store a bit mask of those that are near, so that no shape is
// tested twice.
static __global__ void count_shape_contacts(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
                                            int substep, bool resume, int lanes)
{
    wait_for_previous_kernel();
    int lane = (int)threadIdx.x % lanes, words = mask_words(l.shapes);
    int64_t groups = all_items() / lanes;
    for (int64_t base = 0; base <= l.live; base += groups)
    {
        int64_t slot = base + first_item() / lanes;
        int32_t found = 0;
        for (int w = 0; w < words; w++)
        {
            uint32_t near_by = 0;
            for (int k = lane; k < 32 && 32 * w + k < l.shapes && slot < l.live; k += lanes)
                if (is_wanted(s, l, (int32_t)slot, 32 * w + k, substep, resume))
                {
                    near_by |= 1u << k;
                    found += solid_parts(s.solids + 32 * w + k);
                }
            for (int other = 1; other < lanes; other *= 2)
                near_by |= __shfl_sync(0xffffffffu, near_by, lane ^ other, lanes);
            if (lane == 0 && slot < l.live)
                l.near_mask[slot * words + w] = near_by;
        }
        for (int other = 1; other < lanes; other *= 2)
            found += __shfl_sync(0xffffffffu, found, lane ^ other, lanes);
        if (lane == 0 && slot <= l.live)
            l.near_count[slot] = found;
    }
}

// Prefix sums (prefix_sums.h) that find the first shape contact of each slot.
struct near_sum
{
    list_arrays l;
    const int32_t *count;
    __device__ __forceinline__ int64_t size() const { return (int64_t)l.live + 1; }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t, bool) const
    {
        l.near_first[k] = (int32_t)before;
    }
    __device__ __forceinline__ bool skips(int64_t, int64_t) const { return false; }
};

// Checks whether the list fits. Every thread computes the same result.
static __device__ __forceinline__ bool size_shape_contacts(const list_arrays &l)
{
    int32_t shape_contacts = l.near_first[l.live];
    bool fits = shape_contacts <= l.shape_contact_room;
    if (first_item() == 0)
    {
        l.now->shape_contacts = shape_contacts;
        l.noted[NOTED_SHAPE_CONTACTS] = !fits;
    }
    return fits;
}

static __device__ __forceinline__ void put_shape_contact(const state &s, const list_arrays &l, int32_t k, int32_t slot,
                                                         int32_t number, int part)
{
    const packed_shape_contacts &t = l.shape_contacts;
    material_values g =
        material_lookup(&l.materials, material_of(s.slot[SLOT_COLLISION], slot), s.solids[number].material);
    uint32_t id_entry = (uint32_t)l.shape_id_entry[number];
    const float4 *old = find_carried(l, slot, shape_contact_key(id_entry, part, false));
    const float4 *normal = find_carried(l, slot, shape_contact_key(id_entry, part, true));
    t.index[k] = 4 * (uint32_t)slot;
    t.shape[k] = number;
    t.part[k] = part;
    t.plane[0][k] = normal ? normal->x : 0.0f, t.plane[1][k] = normal ? normal->y : 0.0f;
    t.plane[2][k] = normal ? normal->z : 0.0f;
    t.stick[k] = g.stick, t.slide[k] = g.slide, t.bounce[k] = g.bounce;
    bool lasts = old && (s.contact.bouncy || old->x > 0.0f); // without restitution there are no impacts
    ((float4 *)t.lambda[0])[k] = lasts ? *old : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

static __global__ void fill_shape_contacts(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    wait_for_previous_kernel();
    if (!size_shape_contacts(l))
        return;
    int words = mask_words(l.shapes);
    EACH(int32_t, slot, l.live)
    {
        int32_t k = l.near_first[slot];
        for (int w = 0; w < words; w++)
            for (uint32_t left = l.near_mask[(int64_t)slot * words + w]; left; left &= left - 1)
            {
                int32_t i = 32 * w + __ffs((int)left) - 1;
                for (int part = 0; part < solid_parts(s.solids + i); part++)
                    put_shape_contact(s, l, k++, slot, i, part);
            }
    }
}

bool search_shape_contacts(device *d, cudaStream_t stream, int substep, bool resume, device_error *why)
{
    const list_arrays &l = d->lists;
    const state &s = d->captured;
    int64_t slots = spread(d, l.live + 1);
    int lanes = 1; // several lanes for each slot use threads that would be idle where there are few slots
    while (lanes < 32 && lanes < l.shapes && l.live < 1 << 17)
        lanes *= 2;
    return start(why, stream, false, spread(d, (int64_t)lanes * (l.live + 1)), WIDE, 0, count_shape_contacts, s, l,
                 substep, resume, lanes) &&
           sum_all(stream, near_sum{l, l.near_count}, (int64_t)l.live + 1, l.near_stretch, why) &&
           start(why, stream, true, slots, WIDE, 0, fill_shape_contacts, s, l);
}
