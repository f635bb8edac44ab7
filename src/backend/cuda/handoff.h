// handoff.h: stores a displacement together with the number of updates it has had (by blocks of pairs in
// solve_contacts_one_kernel.cu, by rows in solve_links_one_kernel.cu), in one access of 16 bytes, so that no other
// memory access has to be ordered.
#pragma once
#include "backend/cuda/device_internal.h"

static __device__ __forceinline__ void put_handoff(float4 *to, point p, unsigned had)
{
#if defined(__CUDA_ARCH__)
    asm volatile("{\n.reg .b64 low, high;\n.reg .b128 all;\nmov.b64 low, {%1, %2};\nmov.b64 high, {%3, %4};\n"
                 "mov.b128 all, {low, high};\nst.relaxed.gpu.global.b128 [%0], all;\n}" ::"l"(to),
                 "r"(__float_as_uint(p.x)), "r"(__float_as_uint(p.y)), "r"(__float_as_uint(p.z)), "r"(had)
                 : "memory");
#else
    *to = make_float4(p.x, p.y, p.z, __uint_as_float(had));
#endif
}

// Reads the displacement; returns true if it has had exactly `had` updates.
static __device__ __forceinline__ bool get_handoff(const float4 *from, unsigned had, point *p)
{
#if defined(__CUDA_ARCH__)
    unsigned x, y, z, w;
    asm volatile("{\n.reg .b64 low, high;\n.reg .b128 all;\nld.relaxed.gpu.global.b128 all, [%4];\n"
                 "mov.b128 {low, high}, all;\nmov.b64 {%0, %1}, low;\nmov.b64 {%2, %3}, high;\n}"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(from)
                 : "memory");
    p->x = __uint_as_float(x), p->y = __uint_as_float(y), p->z = __uint_as_float(z);
    return w == had;
#else
    p->x = from->x, p->y = from->y, p->z = from->z;
    return __float_as_uint(from->w) == had;
#endif
}
