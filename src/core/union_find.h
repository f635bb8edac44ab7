// union_find.h: disjoint sets (union-find). set[i] leads from i to the representative of its set, which is the lowest
// member. Initially set[i] = i.
#pragma once
#include <stdint.h>

static inline int32_t union_find(int32_t *set, int32_t i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

static inline void union_join(int32_t *set, int32_t a, int32_t b)
{
    a = union_find(set, a), b = union_find(set, b);
    set[a > b ? a : b] = a > b ? b : a;
}
