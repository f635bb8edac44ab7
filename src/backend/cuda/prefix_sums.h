// prefix_sums.h: exclusive prefix sums of integer counts. A thread block takes a stretch of the counts. Where there are
// few stretches, each block adds up all counts before its own stretch, so that one kernel is enough; where there are
// many, a kernel before it has summed each stretch.
#pragma once
#include "backend/cuda/cell_tables.h"

enum
{
    SUM_ITEMS = 8, // counts for each thread
    SUM_STRETCH = SUM_ITEMS * WIDE,
    SUM_FEW = 16, // stretches, at most, that one kernel sums alone
};

// Low 32 bits: the sum of the counts. High 32 bits: the number of counts that are not 0.
typedef unsigned long long tally;

static __device__ __forceinline__ tally tally_of(int32_t count)
{
    return (tally)(uint32_t)count + ((tally)(count > 0) << 32);
}

// Returns the sum over the threads before this one, and in *all the sum over the block. The block has WIDE threads, and
// all must call it.
static __device__ __forceinline__ tally sum_before(tally mine, tally *all)
{
    __shared__ tally warps[WIDE / 32];
    int lane = (int)(threadIdx.x & 31), warp = (int)(threadIdx.x / 32);
    tally sum = mine;
    for (int step = 1; step < 32; step *= 2)
    {
        tally other = __shfl_sync(0xffffffffu, sum, lane >= step ? lane - step : lane);
        sum += lane >= step ? other : 0;
    }
    __syncthreads(); // the sums of the last call have been read
    if (lane == 31)
        warps[warp] = sum;
    __syncthreads();
    tally before = 0;
    *all = 0;
    for (int w = 0; w < WIDE / 32; w++)
    {
        before += w < warp ? warps[w] : 0;
        *all += warps[w];
    }
    return before + sum - mine;
}

// Reads four counts at once; arrays are aligned to and padded to four.
static __device__ __forceinline__ void four_counts(const int32_t *count, int64_t k, int64_t n, int32_t *out)
{
    int4 a = k < n ? *(const int4 *)(count + k) : make_int4(0, 0, 0, 0);
    out[0] = a.x, out[1] = k + 1 < n ? a.y : 0, out[2] = k + 2 < n ? a.z : 0, out[3] = k + 3 < n ? a.w : 0;
}

// Sums the counts in [from, to); all threads of the block must call it.
static __device__ __forceinline__ tally sum_of(const int32_t *count, int64_t from, int64_t to, int64_t n)
{
    tally mine = 0, all;
    for (int64_t k = from + 4 * (int64_t)threadIdx.x; k < to; k += 4 * WIDE)
    {
        int32_t four[4];
        four_counts(count, k, n, four);
        mine += tally_of(four[0]) + tally_of(four[1]) + tally_of(four[2]) + tally_of(four[3]);
    }
    sum_before(mine, &all);
    return all;
}

// A Sum has the number of counts (size), the counts (count), and receives the sum before each of them (put). If skips
// returns true, a stretch in which all counts are 0 is left out.
template <class Sum>
static __global__ void __launch_bounds__(WIDE) add_stretches(const __grid_constant__ Sum s, tally *stretch)
{
    wait_for_previous_kernel();
    int64_t n = s.size(), base = (int64_t)blockIdx.x * SUM_STRETCH;
    tally all = sum_of(s.count, base, base + SUM_STRETCH < n ? base + SUM_STRETCH : n, n);
    if (threadIdx.x == 0)
        stretch[blockIdx.x] = all;
}

template <class Sum>
static __global__ void __launch_bounds__(WIDE) sum_stretches(const __grid_constant__ Sum s, const tally *stretch)
{
    wait_for_previous_kernel();
    int64_t n = s.size(), base = (int64_t)blockIdx.x * SUM_STRETCH, first = base + SUM_ITEMS * (int64_t)threadIdx.x;
    if (base >= n || (stretch && !stretch[blockIdx.x] && s.skips(base, base + SUM_STRETCH)))
        return;
    tally mine = 0, before, all;
    if (stretch)
    {
        for (int64_t k = threadIdx.x; k < blockIdx.x; k += WIDE)
            mine += stretch[k];
        sum_before(mine, &before);
    }
    else
        before = sum_of(s.count, 0, base, n);
    int32_t count[SUM_ITEMS];
    for (int i = 0; i < SUM_ITEMS; i += 4)
        four_counts(s.count, first + i, n, count + i);
    mine = 0;
    for (int i = 0; i < SUM_ITEMS; i++)
        mine += tally_of(count[i]);
    before += sum_before(mine, &all);
    for (int i = 0; i < SUM_ITEMS && first + i < n; i++)
    {
        s.put((int32_t)(first + i), before, count[i], first + i == n - 1);
        before += tally_of(count[i]);
    }
}

static inline int64_t stretches_of(int64_t room) { return (room + SUM_STRETCH - 1) / SUM_STRETCH; }

// room: the largest possible number of counts; stretch: memory for a tally of each stretch.
template <class Sum>
static bool sum_all(cudaStream_t stream, const Sum &s, int64_t room, tally *stretch, device_error *why)
{
    int64_t blocks = stretches_of(room);
    bool few = blocks <= SUM_FEW;
    return (few || start(why, stream, true, blocks * WIDE, WIDE, 0, add_stretches<Sum>, s, stretch)) &&
           start(why, stream, true, blocks * WIDE, WIDE, 0, sum_stretches<Sum>, s,
                 (const tally *)(few ? NULL : stretch));
}
