// radix_sort.c: a parallel radix sort, least significant digit first. Each chunk counts its digits. A running sum over
// (digit, chunk) gives the destination of each chunk's items of each digit. Each chunk writes its items there in order,
// so equal keys keep their order for any number of threads.
#include "core/radix_sort.h"

#include <string.h>

pl_result sortable_reserve(memory *m, sortable_items *s, int64_t *capacity, int64_t count)
{
    pl_result r = array_reserve(m, &s->key, &capacity[0], count, sizeof *s->key);
    if (r == PL_OK)
        r = array_reserve(m, &s->value, &capacity[1], count, sizeof *s->value);
    if (r == PL_OK) // the spare arrays are swapped with them, so they need the same capacity
        r = array_reserve(m, &s->spare_key, &capacity[2], capacity[0], sizeof *s->key);
    if (r == PL_OK)
        r = array_reserve(m, &s->spare_value, &capacity[3], capacity[1], sizeof *s->value);
    if (r == PL_OK)
        r = array_reserve(m, &s->counts, &capacity[4], radix_chunks(count) * RADIX_DIGITS, sizeof *s->counts);
    return r;
}

void sortable_free(memory *m, sortable_items *s, int64_t *capacity)
{
    array_free(m, &s->key, &capacity[0], sizeof *s->key);
    array_free(m, &s->value, &capacity[1], sizeof *s->value);
    array_free(m, &s->spare_key, &capacity[2], sizeof *s->key);
    array_free(m, &s->spare_value, &capacity[3], sizeof *s->value);
    array_free(m, &s->counts, &capacity[4], sizeof *s->counts);
}

typedef struct pass
{
    const sortable_items *s;
    int64_t count;
    int shift;
} pass;

static int64_t chunk_end(const pass *p, int64_t chunk)
{
    int64_t end = (chunk + 1) * RADIX_CHUNK;
    return end < p->count ? end : p->count;
}

static void count_digits(void *arg, int64_t begin, int64_t end)
{
    const pass *p = arg;
    for (int64_t chunk = begin; chunk < end; chunk++)
    {
        int32_t *counts = p->s->counts + chunk * RADIX_DIGITS;
        memset(counts, 0, RADIX_DIGITS * sizeof *counts);
        for (int64_t i = chunk * RADIX_CHUNK; i < chunk_end(p, chunk); i++)
            counts[p->s->key[i] >> p->shift & (RADIX_DIGITS - 1)]++;
    }
}

static void place_digits(void *arg, int64_t begin, int64_t end)
{
    const pass *p = arg;
    const sortable_items *s = p->s;
    for (int64_t chunk = begin; chunk < end; chunk++)
    {
        int32_t *next = s->counts + chunk * RADIX_DIGITS;
        for (int64_t i = chunk * RADIX_CHUNK; i < chunk_end(p, chunk); i++)
        {
            int32_t to = next[s->key[i] >> p->shift & (RADIX_DIGITS - 1)]++;
            s->spare_key[to] = s->key[i];
            s->spare_value[to] = s->value[i];
        }
    }
}

static void sum_digits(const pass *p)
{
    int64_t chunks = radix_chunks(p->count);
    int32_t sum = 0;
    for (int64_t digit = 0; digit < RADIX_DIGITS; digit++)
        for (int64_t chunk = 0; chunk < chunks; chunk++)
        {
            int32_t *at = p->s->counts + chunk * RADIX_DIGITS + digit, here = *at;
            *at = sum;
            sum += here;
        }
}

void radix_sort(sortable_items *s, int64_t count, int bits, const parallel *c)
{
    radix_sort_from(s, count, 0, bits, c);
}

void radix_sort_from(sortable_items *s, int64_t count, int from, int bits, const parallel *c)
{
    for (int shift = from; shift < bits; shift += RADIX_BITS)
    {
        pass p = {s, count, shift};
        parallel_for(c, count_digits, &p, radix_chunks(count), 1);
        sum_digits(&p);
        parallel_for(c, place_digits, &p, radix_chunks(count), 1);
        uint64_t *key = s->key;
        int32_t *value = s->value;
        s->key = s->spare_key, s->value = s->spare_value;
        s->spare_key = key, s->spare_value = value;
    }
}
