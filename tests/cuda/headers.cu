// headers.cu: every kind of the table in a CUDA kernel, from the very headers that the CPU compiles: a thread is a lane.
// This proves that the headers are CUDA; the backend that runs them on a GPU comes later.
#include "constraints/constraints.h"

typedef void eval_function(const point *p, const f32 *param, f32 ahead, row *c);
typedef void rest_function(const point *p, f32 *param);

// gather, solve, scatter, for one constraint a thread; instantiated for every kind.
template <int arity, int writes, int params, int bound, eval_function *eval, rest_function *rest>
static __device__ void sweep(float *x, const int32_t *index, float *param, float *lambda, softness soft, int mode)
{
    int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int32_t *own = index + arity * thread;
    point p[arity];
    for (int i = 0; i < arity; i++)
        p[i] = gather(x, own + i);
    f32 number[params];
    for (int i = 0; i < params; i++)
        number[i] = load(param + params * thread + i);

    row c;
    eval(p, number, 0.0f, &c);
    f32 multiplier = load(lambda + thread);
    f32 s = visit(&c, &soft, &multiplier, mode, bound);
    for (int i = 0; i < writes; i++)
    {
        move(&p[i], s, c.g[i]);
        scatter(x, own + i, p[i]);
    }
    store(lambda + thread, multiplier);

    rest(p, number);
    for (int i = 0; i < params; i++)
        store(param + params * thread + i, number[i]);
}

#define KERNEL(name, NAME, arity, writes, params, bound, stem, scale)                                                  \
    extern "C" __global__ void sweep_##name(float *x, const int32_t *index, float *param, float *lambda,               \
                                            softness soft, int mode)                                                   \
    {                                                                                                                  \
        sweep<arity, writes, params, bound, stem##_eval, stem##_rest>(x, index, param, lambda, soft, mode);            \
    }

PL_KINDS(KERNEL)
