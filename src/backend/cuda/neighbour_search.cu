// neighbour_search.cu: finds contacts between particles with the neighbour search (neighbours.h): a half list of the
// particles that collide, made from the positions in SLOT_BUILD. Each pair is entered into its block of cells as it is
// written (contact_blocks.cu).
#include "backend/cuda/neighbours.h"

struct contact_search
{
    static constexpr bool FULL = false, TRANSPOSED = false;
    state s;
    list_arrays l;
    bool resume; // restores a saved world's list from the positions in SLOT_BUILD, which stay unchanged

    __host__ __device__ __forceinline__ const neighbour_arrays &list() const { return l; }
    __device__ __forceinline__ neighbour_query query() const
    {
        return {s.slot[SLOT_BUILD],
                s.slot[SLOT_D],
                s.slot[SLOT_COLLISION],
                s.slot[SLOT_REST],
                l.collider,
                l.items,
                1.0f,
                l.radius,
                l.search->margin,
                NEIGHBOURS_CONTACT,
                0};
    }
    __device__ __forceinline__ const float *moved_from() const { return s.slot[resume ? SLOT_BUILD : SLOT_X]; }
    __device__ __forceinline__ int32_t slot(int32_t i) const { return l.collider[i]; }

    // Sets SLOT_BUILD to the present positions: from now on motion is measured from there.
    __device__ __forceinline__ void open() const
    {
        const float4 *x = (const float4 *)s.slot[SLOT_X];
        float4 *build = (float4 *)s.slot[SLOT_BUILD];
        if (first_item() == 0)
            l.now->carried = 1; // by now the multipliers of the old list have been carried over
        if (!resume)
            EACH(int32_t, i, s.slots)
        build[i] = x[i];
    }

    __device__ __forceinline__ void placed(int32_t sorted_index, int32_t, int32_t slot) const
    {
        l.cursor[sorted_index] = 0;
        if (l.slots <= PER_PARTICLE_FEW)
            l.sorted_index_of[slot] = sorted_index;
    }

    __device__ __forceinline__ void put(int32_t p, int32_t i, int32_t j) const
    {
        uint64_t key = block_key(l.key[i], l.key[j], l.search->bits);
        if (l.crowded)
            put_block_key(l, l.block_in, p, key), l.order_in[p] = p;
        else
            enter_block(l, p, block_number(key, l.search));
    }
};

bool find_neighbours(device *d, cudaStream_t stream, bool resume, device_error *why)
{
    contact_search c = {d->captured, d->lists, resume};
    region scratch = {(char *)d->scratch, d->scratch_bytes};
    return make_neighbours(d, c, d->captured.slots, scratch, stream, why);
}
