// cuda_runtime.h: as much of CUDA as src/cuda needs, on a CPU, for machines without a GPU. The very sources of the backend are compiled
// against it (build.sh), so that lists, graphs, branches, edits and faults are tested everywhere; a GPU is needed only to be sure
// of the GPU. Streams run at once, memory is the host's, a graph is a list of calls, and a block's threads are fibres: each runs until it
// ends or waits for the others of its warp or block.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __shared__ static // blocks run one after the other
#define __launch_bounds__(...)
#define CUDART_VERSION 13000

struct dim3
{
    unsigned x, y, z;
    explicit dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct alignas(16) float4
{
    float x, y, z, w;
};
struct alignas(16) int4
{
    int x, y, z, w;
};
struct alignas(8) int2
{
    int x, y;
};
struct alignas(8) float2
{
    float x, y;
};
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline int2 make_int2(int x, int y) { return {x, y}; }
static inline float2 make_float2(float x, float y) { return {x, y}; }

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

// ---- threads together ----------------------------------------------------------------------------------------------

// What each lane of the warp brought, once all that are still there have come.
const uint64_t *warp_exchange(uint64_t mine);
void __syncthreads();
unsigned warp_present(); // lanes that have not ended
static inline void __syncwarp(unsigned = ~0u) { warp_exchange(0); }

template <class T> static T __shfl_sync(unsigned, T value, int lane, int width = 32)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    int per_particle = (int)(threadIdx.x & 31);
    const uint64_t *all = warp_exchange(bits);
    memcpy(&value, &all[per_particle / width * width + lane % width], sizeof value);
    return value;
}
static inline unsigned __ballot_sync(unsigned, int mine)
{
    const uint64_t *all = warp_exchange(mine != 0);
    unsigned bits = 0, there = warp_present();
    for (int i = 0; i < 32; i++)
        bits |= there >> i & (unsigned)all[i] & 1 ? 1u << i : 0;
    return bits;
}
static inline int __any_sync(unsigned mask, int mine) { return __ballot_sync(mask, mine) != 0; }
static inline int __all_sync(unsigned mask, int mine) { return __ballot_sync(mask, !mine) == 0; }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline unsigned __float_as_uint(float a)
{
    unsigned bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
static inline float __uint_as_float(unsigned bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}
static inline long long __double_as_longlong(double a)
{
    long long bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
static inline float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
static inline double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
static inline void __threadfence() {}
template <class T> static T __ldg(const T *p) { return *p; }
template <class T> static T __ldcg(const T *p) { return *p; }

template <class T> static T atomicAdd(T *p, T a)
{
    T was = *p;
    *p = was + a;
    return was;
}
template <class T> static T atomicMax(T *p, T a)
{
    T was = *p;
    *p = was > a ? was : a;
    return was;
}
template <class T> static T atomicMin(T *p, T a)
{
    T was = *p;
    *p = was < a ? was : a;
    return was;
}
template <class T> static T atomicExch(T *p, T a)
{
    T was = *p;
    *p = a;
    return was;
}
template <class T> static T atomicOr(T *p, T a)
{
    T was = *p;
    *p = was | a;
    return was;
}

// ---- the runtime ---------------------------------------------------------------------------------------------------

enum cudaError_t
{
    cudaSuccess,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorNotReady = 600,
    cudaErrorInvalidGraphicsContext = 219,
    cudaErrorLaunchFailure = 719,
};
enum cudaMemcpyKind
{
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
};
struct cudaDeviceProp
{
    char name[256];
    int multiProcessorCount, major, minor;
    size_t totalGlobalMem, sharedMemPerBlockOptin;
    int l2CacheSize;
};
struct emulated_graph;
struct emulated_stream
{
    emulated_graph *into; // under capture
};
struct emulated_event
{
    double at;
    emulated_graph *into; // it was recorded under capture
};
typedef emulated_stream *cudaStream_t;
typedef emulated_event *cudaEvent_t;
typedef emulated_graph *cudaGraph_t;
typedef emulated_graph *cudaGraphExec_t;
typedef void *cudaGraphNode_t;
typedef unsigned long long cudaGraphConditionalHandle;
struct cudaGraphEdgeData
{
};
enum cudaStreamCaptureStatus
{
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
};
enum cudaStreamCaptureMode
{
    cudaStreamCaptureModeThreadLocal,
};
enum
{
    cudaStreamNonBlocking = 1,
    cudaStreamSetCaptureDependencies = 1,
    cudaGraphNodeTypeConditional = 13,
    cudaGraphCondTypeIf = 0,
    cudaEventDisableTiming = 2,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
struct cudaGraphNodeParams
{
    int type;
    struct
    {
        cudaGraphConditionalHandle handle;
        int type;
        unsigned size;
        cudaGraph_t *phGraph_out;
    } conditional;
};
enum cudaLaunchAttributeID
{
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeClusterDimension, // never asked for: the device says that it has no clusters
};
struct cudaLaunchAttribute
{
    cudaLaunchAttributeID id;
    struct
    {
        int programmaticStreamSerializationAllowed;
        dim3 clusterDim;
    } val;
};
struct cudaLaunchConfig_t
{
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

const char *cudaGetErrorString(cudaError_t e);
cudaError_t cudaGetLastError();
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int);
cudaError_t cudaDeviceReset();
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all);
cudaError_t emulated_malloc(void **p, size_t bytes);
template <class T> static cudaError_t cudaMalloc(T **p, size_t bytes) { return emulated_malloc((void **)p, bytes); }
template <class T> static cudaError_t cudaMallocHost(T **p, size_t bytes) { return emulated_malloc((void **)p, bytes); }
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t s);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t s);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaEventCreate(cudaEvent_t *e);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b);
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *, const void *, size_t,
                                          cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *g, const cudaGraphNode_t **, const cudaGraphEdgeData **,
                                     size_t *count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, const cudaGraphEdgeData *, size_t,
                                                unsigned);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h, cudaGraph_t, unsigned, unsigned);
void cudaGraphSetConditional(cudaGraphConditionalHandle h, unsigned value);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *, const cudaGraphEdgeData *,
                             size_t, cudaGraphNodeParams *p);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s);
cudaError_t cudaGraphDestroy(cudaGraph_t g);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g);
template <class F> static cudaError_t cudaFuncSetAttribute(F *, int, int) { return cudaSuccess; }
template <class F> static cudaError_t cudaOccupancyMaxActiveClusters(int *most, F *, const cudaLaunchConfig_t *)
{
    *most = 0;
    return cudaSuccess;
}
enum
{
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};
static inline void cudaTriggerProgrammaticLaunchCompletion() {}
static inline void cudaGridDependencySynchronize() {}

// OpenGL's buffers are what a test says: emulated_gl_buffer is looked up in the module.
struct cudaGraphicsResource
{
    void *at;
    size_t bytes;
};
extern "C" void emulated_gl_buffer(unsigned buffer, void *at, size_t bytes); // NULL: there is none
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource **, cudaStream_t);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource **, cudaStream_t);
cudaError_t cudaGraphicsResourceGetMappedPointer(void **at, size_t *bytes, cudaGraphicsResource *r);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource *r);

// Now, or when the graph under capture is launched.
cudaError_t emulated_do(cudaStream_t s, std::function<void()> what);
void emulated_grid(dim3 grid, dim3 block, size_t shared, const std::function<void()> &thread);

template <class... P, class... A>
static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *how, void (*kernel)(P...), A... arguments)
{
    dim3 grid = how->gridDim, block = how->blockDim;
    size_t shared = how->dynamicSmemBytes;
    std::tuple<A...> all(arguments...);
    return emulated_do(how->stream, [=] { emulated_grid(grid, block, shared, [&] { std::apply(kernel, all); }); });
}
