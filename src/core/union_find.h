// union_find.h: sets that are joined (union-find). set[i] leads from i towards the member that stands for its set, the lowest; at first set[i] = i.
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
