// thread_block_cluster.h: one cluster of 16 blocks, as many as one can have, for stages that are bound by latency: its barrier takes a third of a
// microsecond, the next kernel a whole one and more.
#pragma once
#include "backend/cuda/device_internal.h"

enum
{
    CLUSTER_BLOCKS = 16,
};

// What each has written before, all see after. Between the two there is time for what nobody else writes.
static __device__ __forceinline__ void arrive(void)
{
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

static __device__ __forceinline__ void wait_for_all(void)
{
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

static __device__ __forceinline__ void meet(void)
{
    arrive();
    wait_for_all();
}

// How one is launched; the attributes are the caller's, two of them, and have to live as long.
static inline cudaLaunchConfig_t one_cluster(const device *d, int threads, size_t shared, bool early,
                                             cudaLaunchAttribute *attributes)
{
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(CLUSTER_BLOCKS);
    how.blockDim = dim3((unsigned)threads);
    how.dynamicSmemBytes = shared;
    how.stream = d->stream;
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = CLUSTER_BLOCKS;
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    how.attrs = attributes;
    how.numAttrs = early ? 2 : 1;
    return how;
}

// Not every device, or part of one, has clusters of this size.
template <class Kernel> static bool has_cluster(const device *d, int threads, size_t shared, Kernel *kernel)
{
    if (d->about.major < 9)
        return false;
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = one_cluster(d, threads, shared, false, attributes);
    int most = 0;
    bool able = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess &&
                cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared) == cudaSuccess &&
                cudaOccupancyMaxActiveClusters(&most, kernel, &how) == cudaSuccess;
    cudaGetLastError(); // a refusal is no fault
    return able && most > 0;
}
