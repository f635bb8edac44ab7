// emulated.cpp: see cuda_runtime.h.
#include "cuda_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <sys/mman.h>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;
float4 tile_memory[1 << 15]; // what a kernel asks for at its launch

// ---- fibres --------------------------------------------------------------------------------------------------------

#if !defined(__x86_64__)
#error "the emulator knows x86-64 only"
#endif

extern "C" void swap_fibres(void **from, void *to);
asm(".text\n.globl swap_fibres\nswap_fibres:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

namespace {
constexpr size_t STACK = 256 * 1024;

struct fibre
{
    char *stack;
    void *at;          // where it was left
    unsigned thread;   // that waits in it
    const int *passed; // the barrier that it waits at, and which time
    int since;
};

struct barrier
{
    unsigned waiting, there;
    int times;
};

std::vector<std::unique_ptr<fibre>> pool;
std::vector<fibre *> idle, waiting;
fibre *now;
void *scheduler;
const std::function<void()> *body;
unsigned next_thread, threads;
barrier block_barrier, warp_barrier[32];
uint64_t brought[32][2][32];
unsigned present[32];

void release(barrier *b)
{
    if (b->there && b->waiting == b->there)
    {
        b->waiting = 0;
        b->times++;
    }
}

void wait_at(barrier *b)
{
    unsigned thread = threadIdx.x;
    now->passed = &b->times;
    now->since = b->times;
    now->thread = thread;
    b->waiting++;
    release(b);
    if (b->times == now->since)
    {
        waiting.push_back(now);
        swap_fibres(&now->at, scheduler);
    }
    threadIdx.x = thread;
}

void run_threads()
{
    while (true)
    {
        while (next_thread < threads)
        {
            unsigned t = next_thread++;
            threadIdx.x = t;
            (*body)();
            present[t / 32] &= ~(1u << t % 32);
            block_barrier.there--;
            warp_barrier[t / 32].there--;
            release(&warp_barrier[t / 32]);
            release(&block_barrier);
        }
        idle.push_back(now);
        swap_fibres(&now->at, scheduler);
    }
}

fibre *fresh()
{
    auto f = std::make_unique<fibre>();
    f->stack = (char *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void **top = (void **)(f->stack + STACK - 64);
    *--top = nullptr; // keeps the stack aligned as a call would
    *--top = (void *)run_threads;
    for (int i = 0; i < 6; i++)
        *--top = nullptr;
    f->at = top;
    pool.push_back(std::move(f));
    return pool.back().get();
}

void resume(fibre *f)
{
    now = f;
    swap_fibres(&scheduler, f->at);
}

void run_block()
{
    next_thread = 0;
    block_barrier = {0, threads, 0};
    for (unsigned w = 0; w * 32 < threads; w++)
    {
        unsigned left = threads - w * 32;
        present[w] = left < 32 ? (1u << left) - 1 : ~0u;
        warp_barrier[w] = {0, left < 32 ? left : 32, 0};
    }
    while (next_thread < threads || !waiting.empty())
    {
        if (next_thread < threads)
        {
            fibre *f = idle.empty() ? fresh() : idle.back();
            if (!idle.empty())
                idle.pop_back();
            resume(f);
        }
        std::vector<fibre *> ready;
        size_t kept = 0;
        for (fibre *f : waiting)
            if (*f->passed != f->since)
                ready.push_back(f);
            else
                waiting[kept++] = f;
        waiting.resize(kept);
        if (ready.empty() && next_thread == threads && kept)
        {
            fprintf(stderr, "emulated: threads wait for each other for ever\n");
            abort();
        }
        for (fibre *f : ready)
        {
            threadIdx.x = f->thread;
            resume(f);
        }
    }
}
} // namespace

void __syncthreads() { wait_at(&block_barrier); }

const uint64_t *warp_exchange(uint64_t mine)
{
    unsigned w = threadIdx.x / 32, lane = threadIdx.x % 32;
    int side = warp_barrier[w].times & 1; // the next exchange uses the other side: nobody is two ahead
    brought[w][side][lane] = mine;
    wait_at(&warp_barrier[w]);
    return brought[w][side];
}

unsigned warp_present() { return present[threadIdx.x / 32]; }

void emulated_grid(dim3 grid, dim3 block, size_t shared, const std::function<void()> &thread)
{
    if (block.x > 1024 || shared > sizeof tile_memory)
        abort();
    gridDim = grid;
    blockDim = block;
    threads = block.x;
    body = &thread;
    for (unsigned b = 0; b < grid.x; b++)
    {
        blockIdx.x = b;
        run_block();
    }
}

// ---- graphs --------------------------------------------------------------------------------------------------------

struct emulated_graph
{
    struct entry
    {
        std::function<void()> call;
        std::shared_ptr<emulated_graph> branch;
        cudaGraphConditionalHandle handle;
    };
    std::vector<entry> entries;
    cudaGraph_t out; // of the last branch
};

static std::vector<unsigned> conditions;

cudaError_t emulated_do(cudaStream_t s, std::function<void()> what)
{
    if (s && s->into)
        s->into->entries.push_back({std::move(what), nullptr, 0});
    else
        what();
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode)
{
    s->into = new emulated_graph();
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *, const void *, size_t,
                                          cudaStreamCaptureMode)
{
    s->into = g;
    return cudaSuccess;
}

static std::vector<emulated_stream *> streams;

// Whoever joined the capture leaves it as well.
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g)
{
    *g = s->into;
    for (emulated_stream *other : streams)
        if (other->into == *g)
            other->into = nullptr;
    return cudaSuccess;
}

// A stream that waits for what is under capture joins the capture.
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned)
{
    if (e->into && !s->into)
        s->into = e->into;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *g, const cudaGraphNode_t **, const cudaGraphEdgeData **,
                                     size_t *count)
{
    *status = s->into ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    *g = s->into;
    *id = *count = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, const cudaGraphEdgeData *, size_t,
                                                unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h, cudaGraph_t, unsigned, unsigned)
{
    *h = conditions.size();
    conditions.push_back(0);
    return cudaSuccess;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle h, unsigned value) { conditions[h] = value; }

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *, const cudaGraphEdgeData *,
                             size_t, cudaGraphNodeParams *p)
{
    auto branch = std::make_shared<emulated_graph>();
    g->entries.push_back({nullptr, branch, p->conditional.handle});
    g->out = branch.get();
    p->conditional.phGraph_out = &g->out;
    *node = nullptr;
    return cudaSuccess;
}

extern "C" int emulated_graphs; // that have been made, for tests
int emulated_graphs;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long)
{
    emulated_graphs++;
    *exec = new emulated_graph(*g);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s)
{
    for (auto &e : exec->entries)
        if (e.call)
            e.call();
        else if (conditions[e.handle])
            cudaGraphLaunch(e.branch.get(), s);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    delete g;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g)
{
    delete g;
    return cudaSuccess;
}

// ---- memory, streams, events ---------------------------------------------------------------------------------------

const char *cudaGetErrorString(cudaError_t e)
{
    return e == cudaErrorMemoryAllocation ? "out of memory"
           : e == cudaSuccess             ? "no error"
                                          : "unspecified launch failure";
}

cudaError_t cudaGetLastError() { return cudaSuccess; }

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "emulated on a CPU");
    p->multiProcessorCount = 2;
    p->major = 7, p->minor = 5;
    p->totalGlobalMem = (size_t)1 << 32;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    *free_bytes = *all = (size_t)1 << 32;
    return cudaSuccess;
}

// Filled with what is nobody's number, so that reading what was never written shows.
cudaError_t emulated_malloc(void **p, size_t bytes)
{
    *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*p)
        memset(*p, 0xab, bytes);
    return *p || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *p)
{
    free(p);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *p) { return cudaFree(p); }

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t s)
{
    return emulated_do(s, [=] {
        if (bytes)
            memcpy(to, from, bytes);
    });
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t s)
{
    return emulated_do(s, [=] { memset(to, value, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned)
{
    *s = new emulated_stream{nullptr};
    streams.push_back(*s);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    for (size_t i = 0; i < streams.size(); i++)
        if (streams[i] == s)
            streams.erase(streams.begin() + (long)i--);
    delete s;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    *e = new emulated_event{0.0, nullptr};
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) { return cudaEventCreate(e); }

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    delete e;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    e->into = s ? s->into : nullptr;
    return emulated_do(s, [=] {
        timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        e->at = (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
    *ms = (float)(b->at - a->at);
    return cudaSuccess;
}

// ---- OpenGL --------------------------------------------------------------------------------------------------------

enum
{
    GL_BUFFERS = 64
};
static cudaGraphicsResource gl_buffer[GL_BUFFERS];

extern "C" __attribute__((visibility("default"))) void emulated_gl_buffer(unsigned buffer, void *at, size_t bytes)
{
    if (buffer < GL_BUFFERS)
        gl_buffer[buffer] = {at, bytes};
}

extern "C" cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **r, unsigned buffer, unsigned)
{
    *r = &gl_buffer[buffer < GL_BUFFERS ? buffer : 0];
    return (*r)->at ? cudaSuccess : cudaErrorInvalidGraphicsContext;
}

cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource **, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource **, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource *) { return cudaSuccess; }

cudaError_t cudaGraphicsResourceGetMappedPointer(void **at, size_t *bytes, cudaGraphicsResource *r)
{
    *at = r->at;
    *bytes = r->bytes;
    return cudaSuccess;
}
