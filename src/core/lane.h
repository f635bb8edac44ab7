// lane.h: the SIMD layer: hides the number of lanes from most kernels. Some files also have functions for one lane alone
// (`#if LANES == 1`).
//
// A kernel is written once, on f32 (one real number for each constraint or particle processed together) and i32 (a
// mask).
// Their types depend on how the file is compiled:
//
//   LANES 1         float                       any CPU, and CUDA, where a thread is a lane
//   LANES 4, 8, 16  a vector of that many       SSE2, NEON, WASM SIMD; AVX2; AVX-512
//   LANE_DOUBLE     double                      the tests' check of gradients against finite differences
//
// Every operation here is exact or correctly rounded on every target, so the result has the same bits for every choice.
// A particle is four consecutive floats. An index is the particle's offset in floats, which saves a shift in the
// address.
// A mask is the result of a comparison: combine masks with & and |, use them with keep, pick, everywhere and anywhere,
// and never as numbers.
// lane_bits returns the bits of a number, not a mask (LANE_DOUBLE does not have it).
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define PL_FN static __device__ __forceinline__
#define PL_BOTH static __host__ __device__ __forceinline__ // also callable from host code that launches kernels
#define PL_WALK PL_FN
#else
#define PL_FN static inline __attribute__((always_inline, unused))
#define PL_BOTH PL_FN
// PL_UNIT: compiled only where it is called. At -O0 gcc compiles a static function even if nothing calls it, unless it
// is inline: with all that is inlined into them, that took three quarters of the time of a build without optimisation.
#if defined(__OPTIMIZE__)
#define PL_UNIT static __attribute__((unused))
#else
#define PL_UNIT static inline __attribute__((unused))
#endif
// For a long traversal of a tree or a grid: the call costs little, and inlining it at each caller would slow the
// compiler down.
#if defined(__OPTIMIZE__)
#define PL_WALK static __attribute__((noinline, unused))
#else
#define PL_WALK PL_UNIT
#endif
#endif

#ifndef LANES
#define LANES 1
#endif

// Reinterprets a float as its bits.
PL_FN uint32_t bits_of(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

PL_FN float float_of(uint32_t bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

#if LANES == 1

#if defined(LANE_DOUBLE)
typedef double f32;
#else
typedef float f32;
#endif
typedef int32_t i32;

PL_FN f32 root(f32 a)
{
#if defined(__CUDACC__)
    return __fsqrt_rn(a);
#elif defined(LANE_DOUBLE)
    return sqrt(a);
#else
    return sqrtf(a);
#endif
}

PL_FN f32 splat(float a) { return (f32)a; }
PL_FN f32 keep(i32 mask, f32 a) { return mask ? a : (f32)0; }
PL_FN f32 pick(i32 mask, f32 a, f32 b) { return mask ? a : b; }
#if !defined(LANE_DOUBLE)
PL_FN i32 lane_bits(f32 a) { return (i32)bits_of(a); }
PL_FN f32 of_lane_bits(i32 a) { return float_of((uint32_t)a); }
#endif
PL_FN int everywhere(i32 mask) { return mask; }
PL_FN int anywhere(i32 mask) { return mask; }
PL_FN uint32_t mask_bits(i32 mask) { return mask != 0; }

// One particle for each lane, its four numbers in separate variables.
typedef struct point
{
    f32 x, y, z, w;
} point;

#if !defined(LANE_DOUBLE)
PL_FN f32 load(const float *from) { return *from; }
PL_FN void store(float *to, f32 a) { *to = a; }

// Loads the LANES consecutive particles at x.
PL_FN point load_points(const float *x)
{
#if defined(__CUDACC__)
    float4 q = *(const float4 *)x; // one 16-byte load
    point r = {q.x, q.y, q.z, q.w};
#else
    point r = {x[0], x[1], x[2], x[3]};
#endif
    return r;
}

PL_FN void store_points(float *x, point p)
{
#if defined(__CUDACC__)
    *(float4 *)x = make_float4(p.x, p.y, p.z, p.w);
#else
    x[0] = p.x;
    x[1] = p.y;
    x[2] = p.z;
    x[3] = p.w;
#endif
}

PL_FN point gather(const float *x, const uint32_t *index) { return load_points(x + *index); }
PL_FN void scatter(float *x, const uint32_t *index, point p) { store_points(x + *index, p); }
#endif

#else // vectors

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef float f32 __attribute__((vector_size(4 * LANES)));
typedef int32_t i32 __attribute__((vector_size(4 * LANES)));
typedef float quad __attribute__((vector_size(16)));

typedef struct point
{
    f32 x, y, z, w;
} point;

PL_FN f32 root(f32 a)
{
#if LANES == 16
    return (f32)_mm512_sqrt_ps((__m512)a);
#elif LANES == 8
    return (f32)_mm256_sqrt_ps((__m256)a);
#elif defined(__x86_64__)
    return (f32)_mm_sqrt_ps((__m128)a);
#elif defined(__aarch64__)
    return (f32)vsqrtq_f32((float32x4_t)a);
#elif defined(__wasm_simd128__)
    return (f32)wasm_f32x4_sqrt((v128_t)a);
#else
    f32 r;
    for (int i = 0; i < LANES; i++)
        r[i] = sqrtf(a[i]);
    return r;
#endif
}

// a - 0 is a for every a, -0 and NaN too, so this is a copy into every lane.
PL_FN f32 splat(float a) { return a - (f32){0}; }
PL_FN f32 keep(i32 mask, f32 a) { return (f32)((i32)a & mask); }
PL_FN f32 pick(i32 mask, f32 a, f32 b) { return (f32)(((i32)a & mask) | ((i32)b & ~mask)); }
PL_FN i32 lane_bits(f32 a) { return (i32)a; }
PL_FN f32 of_lane_bits(i32 a) { return (f32)a; }

PL_FN int everywhere(i32 mask)
{
    int r = -1;
    for (int i = 0; i < LANES; i++)
        r &= mask[i];
    return r;
}

PL_FN int anywhere(i32 mask)
{
#if LANES == 16
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif LANES == 8
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
    int r = 0;
    for (int i = 0; i < LANES; i++)
        r |= mask[i];
    return r;
#endif
}

// One bit for each lane of a mask, the first lane's the lowest.
PL_FN uint32_t mask_bits(i32 mask)
{
#if LANES == 16
    return _mm512_movepi32_mask((__m512i)mask);
#elif LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i32x4_bitmask((v128_t)mask);
#else
    const i32 one = {1, 2, 4, 8}, bits = mask & one;
    return (uint32_t)((bits[0] | bits[1]) | (bits[2] | bits[3]));
#endif
}

PL_FN f32 load(const float *from)
{
    f32 r;
    memcpy(&r, from, sizeof r);
    return r;
}

PL_FN void store(float *to, f32 a) { memcpy(to, &a, sizeof a); }

PL_FN quad quad_at(const float *x, size_t offset)
{
    quad r;
    memcpy(&r, __builtin_assume_aligned(x + offset, 16), sizeof r);
    return r;
}

PL_FN void quad_put(float *x, size_t offset, quad a) { memcpy(__builtin_assume_aligned(x + offset, 16), &a, sizeof a); }

#define SHUFFLE __builtin_shufflevector

// Transposes 4 x 4 blocks, in each group of four lanes at once.
#if LANES == 4
#define LOWS(a, b) SHUFFLE(a, b, 0, 4, 1, 5)
#define HIGHS(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#define FRONTS(a, b) SHUFFLE(a, b, 0, 1, 4, 5)
#define BACKS(a, b) SHUFFLE(a, b, 2, 3, 6, 7)
#elif LANES == 8
#define LOWS(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGHS(a, b) SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FRONTS(a, b) SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define BACKS(a, b) SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define LOWS(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGHS(a, b) SHUFFLE(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define FRONTS(a, b) SHUFFLE(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define BACKS(a, b) SHUFFLE(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#endif

PL_FN point transpose(point a)
{
    f32 xy0 = LOWS(a.x, a.y), xy1 = HIGHS(a.x, a.y), zw0 = LOWS(a.z, a.w), zw1 = HIGHS(a.z, a.w);
    point r = {FRONTS(xy0, zw0), BACKS(xy0, zw0), FRONTS(xy1, zw1), BACKS(xy1, zw1)};
    return r;
}

// JOIN(AT, k) joins the particles k, k + 4, k + 8 ... into one vector; SPLIT stores such a vector back.
#if LANES == 4
PL_FN f32 join_rows(quad a) { return a; }
#define JOIN(AT, k) join_rows(AT(k))
#define SPLIT(PUT, k, a) PUT(k, a)
#elif LANES == 8
PL_FN f32 join_rows(quad a, quad b) { return SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }
PL_FN quad high_row(f32 a) { return (quad)_mm256_extractf128_ps((__m256)a, 1); }
#define JOIN(AT, k) join_rows(AT(k), AT((k) + 4))
#define SPLIT(PUT, k, a) (PUT(k, SHUFFLE(a, a, 0, 1, 2, 3)), PUT((k) + 4, high_row(a)))
#else
typedef float octet __attribute__((vector_size(32)));
PL_FN f32 join_rows(quad a, quad b, quad c, quad d)
{
    octet low = SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7), high = SHUFFLE(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
    return SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
#define JOIN(AT, k) join_rows(AT(k), AT((k) + 4), AT((k) + 8), AT((k) + 12))
#define SPLIT(PUT, k, a)                                                                                               \
    (PUT(k, (quad)_mm512_extractf32x4_ps((__m512)a, 0)), PUT((k) + 4, (quad)_mm512_extractf32x4_ps((__m512)a, 1)),     \
     PUT((k) + 8, (quad)_mm512_extractf32x4_ps((__m512)a, 2)),                                                         \
     PUT((k) + 12, (quad)_mm512_extractf32x4_ps((__m512)a, 3)))
#endif

// Loads the particles at the offsets in `index`: 16-byte loads, then a transpose in registers.
PL_FN point gather(const float *x, const uint32_t *index)
{
#define AT(k) quad_at(x, index[k])
    point rows = {JOIN(AT, 0), JOIN(AT, 1), JOIN(AT, 2), JOIN(AT, 3)};
#undef AT
    return transpose(rows);
}

PL_FN void scatter(float *x, const uint32_t *index, point p)
{
    point rows = transpose(p);
#define PUT(k, a) quad_put(x, index[k], a)
    SPLIT(PUT, 0, rows.x);
    SPLIT(PUT, 1, rows.y);
    SPLIT(PUT, 2, rows.z);
    SPLIT(PUT, 3, rows.w);
#undef PUT
}

// Loads the LANES consecutive particles at x.
PL_FN point load_points(const float *x)
{
#define AT(k) quad_at(x, 4 * (k))
    point rows = {JOIN(AT, 0), JOIN(AT, 1), JOIN(AT, 2), JOIN(AT, 3)};
#undef AT
    return transpose(rows);
}

PL_FN void store_points(float *x, point p)
{
    point rows = transpose(p);
#define PUT(k, a) quad_put(x, 4 * (k), a)
    SPLIT(PUT, 0, rows.x);
    SPLIT(PUT, 1, rows.y);
    SPLIT(PUT, 2, rows.z);
    SPLIT(PUT, 3, rows.w);
#undef PUT
}

#endif

// Minimum and maximum of our own: libm and the processors differ on -0 and NaN. x86 has an instruction for exactly these.
#if LANES > 1 && defined(__x86_64__)
#if LANES == 16
PL_FN f32 least(f32 a, f32 b) { return (f32)_mm512_min_ps((__m512)a, (__m512)b); }
PL_FN f32 most(f32 a, f32 b) { return (f32)_mm512_max_ps((__m512)a, (__m512)b); }
#elif LANES == 8
PL_FN f32 least(f32 a, f32 b) { return (f32)_mm256_min_ps((__m256)a, (__m256)b); }
PL_FN f32 most(f32 a, f32 b) { return (f32)_mm256_max_ps((__m256)a, (__m256)b); }
#else
PL_FN f32 least(f32 a, f32 b) { return (f32)_mm_min_ps((__m128)a, (__m128)b); }
PL_FN f32 most(f32 a, f32 b) { return (f32)_mm_max_ps((__m128)a, (__m128)b); }
#endif
#else
PL_FN f32 least(f32 a, f32 b) { return pick(a < b, a, b); }
PL_FN f32 most(f32 a, f32 b) { return pick(a > b, a, b); }
#endif
PL_FN f32 clamp(f32 a, float low, float high) { return most(least(a, splat(high)), splat(low)); }
PL_FN f32 magnitude(f32 a) { return pick(a < 0.0f, -a, a); }
