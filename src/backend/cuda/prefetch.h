// prefetch.h: reads the constant data of a row into registers before the previous kernel ends.
#pragma once
#include "backend/cuda/device_internal.h"

// The data of a row that no kernel writes, in registers. It is read while the previous kernel, or the previous colour,
// is still running.
struct row_ahead
{
    uint32_t index[PL_MAX_ARITY];
    float param[PL_MAX_PARAMS], compliance;

    // Loads the parameters that all rows share.
    __device__ __forceinline__ void open(const packed_rows *r, int params)
    {
        UNROLL
        for (int k = 0; k < params; k++)
            if (!r->param_step[k])
                param[k] = __ldg(r->param[k]);
        if (!r->compliance_step)
            compliance = __ldg(r->compliance);
    }

    __device__ __forceinline__ void load(const packed_rows *r, int arity, int params, int32_t i)
    {
        UNROLL
        for (int k = 0; k < arity; k++)
            index[k] = __ldg(r->index[k] + i);
        UNROLL
        for (int k = 0; k < params; k++)
            if (r->param_step[k])
                param[k] = __ldg(r->param[k] + i);
        if (r->compliance_step)
            compliance = __ldg(r->compliance + i);
    }

    // Returns a view in which row i is row 0, with the data held here.
    __device__ __forceinline__ rows_view show(const rows_view &all, int arity, int params, int32_t i) const
    {
        rows_view v = all;
        UNROLL
        for (int k = 0; k < arity; k++)
            v.rows.index[k] = const_cast<uint32_t *>(index + k);
        UNROLL
        for (int k = 0; k < params; k++)
        {
            v.rows.param[k] = const_cast<float *>(param + k);
            v.rows.param_step[k] = 0;
        }
        v.rows.compliance = const_cast<float *>(&compliance);
        v.rows.damping += v.rows.damping_step ? i : 0;
        v.rows.stiffness += v.rows.stiffness_step ? i : 0;
        v.rows.lambda += i;
        return v;
    }
};

// Forces the kernel's arguments to be loaded now, while the previous kernel is still running: their first access has a
// high latency.
static __device__ __forceinline__ void look_at(const rows_view &v, const launch_args &g)
{
#if defined(__CUDA_ARCH__)
    asm volatile("" ::"l"(v.x), "l"(v.d), "l"(v.rows.lambda), "l"(v.rows.stiffness), "r"((int)v.rows.damped),
                 "l"(v.now), "r"(v.pbd), "f"(v.inverse_h), "r"((int)g.keep), "l"(g.stamp));
#else
    (void)v, (void)g;
#endif
}
