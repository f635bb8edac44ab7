// device_radix_sort.cuh: a stable sort by some bits of a key, with the signature of CUB's.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub {
struct DeviceRadixSort
{
    template <class K, class V>
    static cudaError_t SortPairs(void *scratch, size_t &bytes, const K *key, K *key_out, const V *value, V *value_out,
                                 int64_t count, int low, int high, cudaStream_t stream = nullptr)
    {
        if (!scratch)
        {
            bytes = 1;
            return cudaSuccess;
        }
        K mask = high - low >= (int)(8 * sizeof(K)) ? (K) ~(K)0 : (K)(((K)1 << (high - low)) - 1);
        return emulated_do(stream, [=] {
            std::vector<int64_t> order((size_t)count);
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [=](int64_t a, int64_t b) { return (key[a] >> low & mask) < (key[b] >> low & mask); });
            for (int64_t i = 0; i < count; i++)
                key_out[i] = key[order[(size_t)i]], value_out[i] = value[order[(size_t)i]];
        });
    }
};
} // namespace cub
