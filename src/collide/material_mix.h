// material_mix.h: friction and restitution between two materials, for both backends.
#pragma once
#include "core/lane.h"

#if LANES == 1

typedef struct material_values
{
    float stick, slide, bounce, rolling; // static and kinetic friction, restitution, rolling resistance
} material_values;

PL_FN float material_mean(float a, float b) { return root(a * b); }
PL_FN float material_larger(float a, float b) { return a > b ? a : b; }

PL_FN material_values material_mix(material_values p, material_values q)
{
    material_values m = {material_mean(p.stick, q.stick), material_mean(p.slide, q.slide),
                         material_larger(p.bounce, q.bounce), material_larger(p.rolling, q.rolling)};
    return m;
}

#define ROLLING_LEAVES 0.6f // of friction, for a particle that rolls freely

// The share of the friction that acts between two particles that do not rotate.
PL_FN float rolling_share(float rolling) { return ROLLING_LEAVES + (1.0f - ROLLING_LEAVES) * rolling; }

// Materials, and the pairs of them that have values of their own: keys (a << 32 | b, a <= b) in rising order.
typedef struct material_table
{
    const material_values *each, *pair;
    const uint64_t *key;
    int32_t pairs;
} material_table;

PL_FN material_values material_lookup(const material_table *t, int a, int b)
{
    uint64_t key = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    int32_t low = 0, high = t->pairs;
    while (low < high)
    {
        int32_t middle = low + (high - low) / 2;
        if (t->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < t->pairs && t->key[low] == key)
        return t->pair[low];
    return a == b ? t->each[a] : material_mix(t->each[a], t->each[b]);
}

#endif
