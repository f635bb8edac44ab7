// specks.c: see specks.h. A counting sort into bins of distance, which is close enough, and keeps the order within a bin.
#include "specks.h"

#include <stdlib.h>

enum
{
    BINS = 1 << 16
};

bool specks_sort(struct specks *k, const struct surface *s, vec3 eye, vec3 forward)
{
    if (k->size < s->balls)
    {
        uint32_t *grown = realloc(k->order, 2 * (size_t)s->balls * sizeof *grown);
        if (!grown)
        {
            return false;
        }
        k->order = grown;
        k->size = s->balls;
    }
    uint32_t *count = calloc(BINS + 1, sizeof *count), *bin = k->order + s->balls;
    float middle = dot(sub(bounds_centre(&s->bounds), eye), forward), reach = bounds_radius(&s->bounds);
    float low = middle - reach, step = (float)(BINS - 1) / (2.0f * reach);
    for (int i = 0; count && i < s->balls; i++)
    {
        float away = dot(sub(v3_at(s->ball[i].position), eye), forward);
        bin[i] = (uint32_t)clampf((away - low) * step, 0.0f, (float)(BINS - 1));
        count[bin[i] + 1]++;
    }
    for (size_t b = 0; count && b < BINS; b++)
    {
        count[b + 1] += count[b];
    }
    for (int i = 0; count && i < s->balls; i++)
    {
        k->order[count[bin[i]]++] = (uint32_t)i;
    }
    bool sorted = count != NULL;
    free(count);
    return sorted;
}

void specks_free(struct specks *k)
{
    free(k->order);
    *k = (struct specks){0};
}
