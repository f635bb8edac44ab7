// dispatch.c: finds the lane widths that this build and this CPU support, and chooses the best one.
#include "backend/cpu/lanes.h"

extern const lane_table lane_table_1, lane_table_4, lane_table_8, lane_table_8_vl, lane_table_16;

static bool has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

static bool has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

const lane_table *lanes_of(int lanes)
{
    switch (lanes)
    {
    case 1:
        return &lane_table_1;
#if defined(PL_LANES_4)
    case 4:
        return &lane_table_4;
#endif
    case 8:
#if defined(PL_LANES_8_vl)
        if (has_avx512())
            return &lane_table_8_vl;
#endif
#if defined(PL_LANES_8)
        if (has_avx2())
            return &lane_table_8;
#endif
        return NULL;
#if defined(PL_LANES_16)
    case 16:
        return has_avx512() ? &lane_table_16 : NULL;
#endif
    default:
        (void)has_avx2;
        (void)has_avx512;
        return NULL;
    }
}

// Two vectors of eight lanes in flight are faster than one of sixteen wherever both were measured (docs/benchmarks.md).
const lane_table *lanes_best(void)
{
    static const int order[] = {8, 16, 4, 1};
    for (int i = 0;; i++)
        if (lanes_of(order[i]))
            return lanes_of(order[i]);
}

// The widths are a subset of 16, 8 and 4, followed by 1. A static table of every subset needs no memory and no lock.
const int *pl_lane_widths(void)
{
    static const int subsets[8][5] = {{1}, {4, 1}, {8, 1}, {8, 4, 1}, {16, 1}, {16, 4, 1}, {16, 8, 1}, {16, 8, 4, 1}};
    return subsets[(lanes_of(16) ? 4 : 0) + (lanes_of(8) ? 2 : 0) + (lanes_of(4) ? 1 : 0)];
}
