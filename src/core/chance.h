// chance.h: pseudo-random numbers that are a hash of a number, the same on every machine.
#pragma once
#include <stdint.h>

// A number from 0 to 2^24 - 1, which a float holds exactly.
static inline uint32_t chance_bits(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    x = x ^ x >> 16;
    return x >> 8;
}

// From 0 to below 1.
static inline float chance_share(uint32_t x) { return (float)chance_bits(x) * (1.0f / 16777216.0f); }

// From -1 to below 1.
static inline float chance_both(uint32_t x) { return (float)chance_bits(x) * (2.0f / 16777216.0f) - 1.0f; }
