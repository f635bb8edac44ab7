// ranges.c: which values the ends of a colour scale stand for. A single particle that flies away must not make all others look
// alike: 98 of 100 values are within the range.
#include "surface.h"

#include <string.h>

enum
{
    BINS = 512,
};

// The value above which 2 of 100 are, of those from least to largest; from the other end if `low` is set.
static float tail(const float *value, const uint8_t *active, int count, float least, float largest, bool low)
{
    int bin[BINS] = {0}, all = 0, seen, i = low ? 0 : BINS - 1;
    float width = (largest - least) / BINS;
    if (!(width > 0.0f))
    {
        return low ? least : largest;
    }
    for (int p = 0; p < count; p++)
    {
        if (active[p])
        {
            bin[(int)clampf((value[p] - least) / width, 0.0f, BINS - 1)]++;
            all++;
        }
    }
    for (seen = bin[i]; 50 * seen < all && (low ? i < BINS - 1 : i > 0); seen += bin[i])
    {
        i += low ? 1 : -1;
    }
    return least + width * (float)(low ? i : i + 1);
}

// Where nearly all values are 0, the range still shows the others: it ends at a twentieth of the largest.
void value_range(const float *value, const uint8_t *active, int count, bool from_least, struct value_range *out)
{
    float least = 3e38f, largest = -3e38f;
    for (int p = 0; p < count; p++)
    {
        least = active[p] ? fminf(least, value[p]) : least;
        largest = active[p] ? fmaxf(largest, value[p]) : largest;
    }
    *out = (struct value_range){0};
    if (largest < least)
    {
        return;
    }
    least = from_least ? least : 0.0f;
    *out = (struct value_range){.low = least, .high = largest, .most = largest};
    if (largest > least)
    {
        out->high = fmaxf(tail(value, active, count, least, largest, false), least + 0.05f * (largest - least));
        out->low = from_least ? fminf(tail(value, active, count, least, largest, true), out->high) : 0.0f;
    }
}
