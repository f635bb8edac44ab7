// sort.cu: stable sorts and prefix sums with CUB, and the size of the scratch memory that they need.
#include "backend/cuda/device_internal.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

// Sorts pairs by block. The keys have 32 bits where that is enough, otherwise 64.
bool sort_blocks(device *d, cudaStream_t stream, device_error *why)
{
    const list_arrays &l = d->lists;
    size_t bytes = d->scratch_bytes;
    if (l.key_bits + 3 > 32)
        return sort_items(d, stream, l.block_in, l.block, l.order_in, l.order, l.pair_room, l.key_bits + 3, why);
    TRY(cub::DeviceRadixSort::SortPairs(d->scratch, bytes, (const uint32_t *)l.block_in, (uint32_t *)l.block,
                                        l.order_in, l.order, l.pair_room, 0, l.key_bits + 3, stream),
        "sorting");
    return true;
}

bool sort_within(region scratch, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                 int32_t *value_out, int32_t count, int bits, device_error *why)
{
    TRY(cub::DeviceRadixSort::SortPairs(scratch.at, scratch.bytes, key, key_out, value, value_out, count, 0, bits,
                                        stream),
        "sorting");
    return true;
}

bool sort_items(device *d, cudaStream_t stream, const uint64_t *key, uint64_t *key_out, const int32_t *value,
                int32_t *value_out, int32_t count, int bits, device_error *why)
{
    region scratch = {(char *)d->scratch, d->scratch_bytes};
    return sort_within(scratch, stream, key, key_out, value, value_out, count, bits, why);
}

size_t scratch_for(int32_t colliders, int32_t pairs, int32_t slots)
{
    size_t most = 0, bytes = 0;
    const uint64_t *key = NULL;
    uint64_t *keys = NULL;
    const int32_t *value = NULL;
    int32_t *values = NULL, all = pairs > colliders ? pairs : colliders, scans = all + all / 4;
    scans = scans > 2 * colliders + 2 ? scans : 2 * colliders + 2;
    scans = scans > slots + 1 ? scans : slots + 1;
    cub::DeviceRadixSort::SortPairs(NULL, bytes, key, keys, value, values, all, 0, 64);
    most = bytes;
    cub::DeviceScan::ExclusiveSum(NULL, bytes, value, values, scans);
    most = bytes > most ? bytes : most;
    cub::DeviceScan::InclusiveSum(NULL, bytes, value, values, scans);
    return (bytes > most ? bytes : most) + 4096;
}

bool sum_through(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why)
{
    size_t bytes = d->scratch_bytes;
    TRY(cub::DeviceScan::InclusiveSum(d->scratch, bytes, from, to, count, stream), "summing");
    return true;
}

bool sum_up(device *d, cudaStream_t stream, const int32_t *from, int32_t *to, int32_t count, device_error *why)
{
    size_t bytes = d->scratch_bytes;
    TRY(cub::DeviceScan::ExclusiveSum(d->scratch, bytes, from, to, count, stream), "summing");
    return true;
}
