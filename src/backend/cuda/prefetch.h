// prefetch.h: reads the constant data of a row, and the positions of its points, into registers before the previous
// kernel ends.
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

// Copies of the points of a row, in registers. Positions change only between substeps: where the previous kernel, or
// the previous colour, solves rows of the same substep, they are read while it runs.
template <int Arity> struct point_copies
{
    alignas(16) float x[4 * Arity], d[4 * Arity], d1[4 * Arity];
    uint32_t offset[Arity];

    // Reads past the L1 cache, which may hold positions of the substep before.
    __device__ __forceinline__ void load_x(const float *from, const uint32_t *index)
    {
        UNROLL
        for (int i = 0; i < Arity; i++)
        {
            float4 p = __ldcg((const float4 *)(from + index[i]));
            store_points(x + 4 * i, point{p.x, p.y, p.z, p.w});
        }
    }

    // Reads the displacements; those of the last substep too, if they are used.
    __device__ __forceinline__ void load_d(const rows_view &v, const uint32_t *index)
    {
        UNROLL
        for (int i = 0; i < Arity; i++)
        {
            store_points(d + 4 * i, load_points(v.d + index[i]));
            if (v.second)
                store_points(d1 + 4 * i, load_points(v.d1 + index[i]));
        }
    }

    // Makes a row's view read and write the copies.
    __device__ __forceinline__ void show(rows_view *v)
    {
        UNROLL
        for (int i = 0; i < Arity; i++)
        {
            offset[i] = 4 * i;
            v->rows.index[i] = offset + i;
        }
        v->x = x, v->d = d, v->d1 = d1;
    }

    __device__ __forceinline__ void put_back(float *to, const uint32_t *index, int writes) const
    {
        UNROLL
        for (int i = 0; i < Arity; i++)
            if (i < writes)
                store_points(to + index[i], load_points(d + 4 * i));
    }
};

// Waits for the previous kernel. follows: that one solves rows of the same substep too, so that this one has read the
// positions already. The first of such kernels lets the next one start only after its own wait: by then the positions
// have been written.
static __device__ __forceinline__ void wait_for_previous_rows(bool follows)
{
    if (follows)
        allow_next_kernel();
    wait_for_previous_writes();
    if (!follows)
        allow_next_kernel();
}

// Kinds from this one on have ends with an orientation, which are not copied.
enum
{
#define ENTRY(...) +1
    FIRST_FRAME_KIND = 0 PL_ROW_KINDS(ENTRY) PL_VECTOR_KINDS(ENTRY)
#undef ENTRY
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
