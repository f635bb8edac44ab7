// surface_carry.cu: keeps the multipliers of a list of pairs of surfaces for the next one, sorted by a key for each vertex
// and edge. surface_pack.cu finds them again.
#include "backend/cuda/surface_internal.h"

#include "stages/contact_stages.h"

static __global__ void open_carry(const __grid_constant__ surface_arrays k)
{
    if (k.now->carried)
        return;
    EACH(int32_t, i, k.slots + k.edges + 1)
    k.carry_count[i] = k.carry_cursor[i] = 0;
}

static __device__ __forceinline__ int32_t carry_key(const surface_arrays &k, const surface_pair &p)
{
    return p.mode == SURFACE_VERTEX ? p.a : k.slots + p.a;
}

// Is the pair's multiplier carried over: does it press, or has it held something back?
static __device__ __forceinline__ bool is_carried(const surface_arrays &k, int32_t i)
{
    return k.pair[i].mode <= SURFACE_EDGES && load_normal(k.rows.lambda, (size_t)k.row_of[i]) != 0.0f;
}

static __global__ void count_carry(const __grid_constant__ surface_arrays k)
{
    if (k.now->carried || !k.now->listed)
        return;
    EACH(int32_t, i, k.now->pairs)
    if (is_carried(k, i))
        atomicAdd(k.carry_count + carry_key(k, k.pair[i]), 1);
}

// Entries of a key are in any order: an entry is found by its other element, and each occurs once.
static __global__ void fill_carry(const __grid_constant__ surface_arrays k)
{
    if (k.now->carried || !k.now->listed)
        return;
    EACH(int32_t, i, k.now->pairs)
    {
        if (!is_carried(k, i))
            continue;
        int32_t key = carry_key(k, k.pair[i]), at = k.carry_first[key] + atomicAdd(k.carry_cursor + key, 1);
        k.carry_other[at] = k.pair[i].b;
        k.carry_lambda[at] = ((const float4 *)k.rows.lambda[0])[k.row_of[i]];
    }
}

static __global__ void close_carry(const __grid_constant__ surface_arrays k)
{
    k.now->carried = 1;
    k.now->listed = 0;
    k.now->crossings = 0;
}

bool carry_surface(device *d, cudaStream_t stream, device_error *why)
{
    const surface_arrays &k = d->surfaces;
    int32_t keys = k.slots + k.edges + 1;
    return start(why, stream, false, spread(d, keys), WIDE, 0, open_carry, k) &&
           start(why, stream, false, spread(d, k.room), WIDE, 0, count_carry, k) &&
           sum_up(d, stream, k.carry_count, k.carry_first, keys, why) &&
           start(why, stream, false, spread(d, k.room), WIDE, 0, fill_carry, k) &&
           start(why, stream, false, 1, 1, 0, close_carry, k);
}
