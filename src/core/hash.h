// hash.h: computes the hash of a state (FNV-1a).
#pragma once
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_float(uint64_t h, float a)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    for (int i = 0; i < 4; i++)
        h = (h ^ (bits >> 8 * i & 0xff)) * 1099511628211u;
    return h;
}
