// thread_block_cluster.h: launches a kernel as one thread block cluster of 16 blocks, the largest possible, for stages
// that are bound by latency: a cluster barrier takes a third of a microsecond, the launch of the next kernel more than
// one.
#pragma once
#include "backend/cuda/device_internal.h"

enum
{
    CLUSTER_BLOCKS = 16,
};

// Writes before arrive() are visible to all threads of the cluster after wait_for_all(). In between, a thread can work
// on data that no other thread writes.
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

// Returns the launch configuration. attributes: two, owned by the caller, which must live as long as the configuration.
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

// Does the device support clusters of this size? Not every device, or partition of one, does.
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
    cudaGetLastError(); // clears the error of a failed query
    return able && most > 0;
}
