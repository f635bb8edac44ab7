// rounding.h: sets the processor's floating-point modes that all results depend on: round to nearest, no flushing of
// denormals, no traps. The host program may have changed them, so every function that creates or advances a state sets
// them and restores them afterwards.
#pragma once
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef struct rounding
{
    uint64_t before;
} rounding;

static inline rounding rounding_set(void)
{
    rounding r = {0};
#if defined(__x86_64__)
    r.before = _mm_getcsr();
    _mm_setcsr(0x1f80);
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(r.before));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
#endif
    return r;
}

static inline void rounding_restore(const rounding *r)
{
    (void)r;
#if defined(__x86_64__)
    _mm_setcsr((unsigned)r->before);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(r->before));
#endif
}

// Sets the modes until the end of the enclosing block.
#define PLAIN_ROUNDING __attribute__((cleanup(rounding_restore), unused)) rounding plain_rounding = rounding_set()
