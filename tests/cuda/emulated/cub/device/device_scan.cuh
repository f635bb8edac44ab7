// device_scan.cuh: sums of all that comes before, with the signatures of CUB's.
#pragma once
#include <cuda_runtime.h>

namespace cub {
struct DeviceScan
{
    template <class T>
    static cudaError_t ExclusiveSum(void *scratch, size_t &bytes, const T *from, T *to, int64_t count,
                                    cudaStream_t stream = nullptr)
    {
        return scan(scratch, bytes, from, to, count, stream, false);
    }
    template <class T>
    static cudaError_t InclusiveSum(void *scratch, size_t &bytes, const T *from, T *to, int64_t count,
                                    cudaStream_t stream = nullptr)
    {
        return scan(scratch, bytes, from, to, count, stream, true);
    }

  private:
    template <class T>
    static cudaError_t scan(void *scratch, size_t &bytes, const T *from, T *to, int64_t count, cudaStream_t stream,
                            bool inclusive)
    {
        if (!scratch)
        {
            bytes = 1;
            return cudaSuccess;
        }
        return emulated_do(stream, [=] {
            T sum = 0;
            for (int64_t i = 0; i < count; i++)
            {
                T here = from[i];
                to[i] = inclusive ? sum + here : sum;
                sum += here;
            }
        });
    }
};
} // namespace cub
