// grains.c: the benchmark scenes of grains: spheres of 10 cm poured into a box, ten layers high, and how deep they overlap;
// and tanks of fluid.
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static float chance(int number, int use)
{
    return (float)(scramble((uint32_t)number * 8u + (uint32_t)use + 77u) >> 8) * (1.0f / 16777216.0f);
}

bool make_grains(scene *s, int count)
{
    int across = 1;
    while ((double)across * across * 10.0 < (double)count)
    {
        ++across;
    }
    s->particles = count;
    s->radius = 0.1f;
    s->half = 0.5f * (0.235f * (float)across + 0.15f);
    s->settle = count > 100000 ? 90 : 150; // ten layers are at rest by then
    s->position = malloc((size_t)count * 3 * sizeof *s->position);
    s->velocity = malloc((size_t)count * 3 * sizeof *s->velocity);
    s->mass = malloc((size_t)count * sizeof *s->mass);
    if (!s->position || !s->velocity || !s->mass)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        int layer = i / (across * across), in = i % (across * across);
        float shift = layer % 2 ? 0.117f : 0.0f, *x = s->position + 3 * (size_t)i, *v = s->velocity + 3 * (size_t)i;
        x[0] = -s->half + 0.235f * ((float)(in % across) + 0.5f) + 0.03f * (chance(i, 0) - 0.5f) + shift;
        x[1] = 0.15f + 0.18f * (float)layer + 0.01f * chance(i, 2);
        x[2] = -s->half + 0.235f * ((float)(in / across) + 0.5f) + 0.03f * (chance(i, 1) - 0.5f) + shift;
        v[0] = 2.0f * chance(i, 3) - 1.0f, v[1] = -1.0f, v[2] = 2.0f * chance(i, 4) - 1.0f;
        s->mass[i] = 1.0f;
    }
    return true;
}

// The engine makes it; only what the overlap needs is told here.
void tell_glass(scene *s)
{
    s->told = "glass";
    s->particles = 5000;
    s->radius = 0.04f;
    s->half = 1.1f;
    s->settle = 240;
}

// The engine fills it.
bool make_tank(scene *s, int across, int along)
{
    s->spacing = 0.02f;
    s->tank[0] = across, s->tank[1] = 20, s->tank[2] = along;
    s->particles = across * 20 * along;
    s->settle = 60; // a second: it has settled
    return true;
}

// ---- overlap, by a grid of its own ---------------------------------------------------------------------------------

typedef struct bins
{
    int side, high;
    int *first, *next;
} bins;

static int bin_of(const bins *b, const scene *s, const float *x)
{
    int i = (int)((x[0] + s->half) / 0.2f), j = (int)((x[2] + s->half) / 0.2f), k = (int)(x[1] / 0.2f);
    i = i < 0 ? 0 : i >= b->side ? b->side - 1 : i;
    j = j < 0 ? 0 : j >= b->side ? b->side - 1 : j;
    k = k < 0 ? 0 : k >= b->high ? b->high - 1 : k;
    return (k * b->side + j) * b->side + i;
}

static void add_overlaps(const bins *b, const scene *s, const float *x, int i, double *sum, long *count)
{
    int at = bin_of(b, s, x + 3 * (size_t)i), ci = at % b->side, cj = at / b->side % b->side,
        ck = at / b->side / b->side;
    for (int n = 0; n < 27; ++n)
    {
        int u = ci + n % 3 - 1, v = cj + n / 3 % 3 - 1, w = ck + n / 9 - 1;
        if (u < 0 || v < 0 || w < 0 || u >= b->side || v >= b->side || w >= b->high)
        {
            continue;
        }
        for (int j = b->first[(w * b->side + v) * b->side + u]; j >= 0; j = b->next[j])
        {
            double dx = x[3 * (size_t)i] - x[3 * (size_t)j], dy = x[3 * (size_t)i + 1] - x[3 * (size_t)j + 1];
            double dz = x[3 * (size_t)i + 2] - x[3 * (size_t)j + 2],
                   depth = 2.0 * s->radius - sqrt(dx * dx + dy * dy + dz * dz);
            if (j > i && depth > 0.0)
            {
                *sum += depth / s->radius;
                ++*count;
            }
        }
    }
}

// Mean overlap of the pairs that overlap, over the radius.
double grains_overlap(const scene *s, const float *x)
{
    bins b = {(int)(2.0f * s->half / 0.2f) + 1, 16, NULL, NULL};
    size_t cells = (size_t)b.side * (size_t)b.side * (size_t)b.high;
    b.first = malloc(cells * sizeof *b.first);
    b.next = malloc((size_t)s->particles * sizeof *b.next);
    double sum = 0.0;
    long count = 0;
    if (b.first && b.next)
    {
        for (size_t i = 0; i < cells; ++i)
        {
            b.first[i] = -1;
        }
        for (int i = 0; i < s->particles; ++i)
        {
            int at = bin_of(&b, s, x + 3 * (size_t)i);
            b.next[i] = b.first[at];
            b.first[at] = i;
        }
        for (int i = 0; i < s->particles; ++i)
        {
            add_overlaps(&b, s, x, i, &sum, &count);
        }
    }
    free(b.first);
    free(b.next);
    return count ? sum / (double)count : 0.0;
}
