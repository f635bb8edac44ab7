// specks.c: see specks.h. A counting sort into bins of distance, which is close enough, and keeps the order within a bin; then a
// picture of one bit a pixel, 64 of them at a time.
#include "specks.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BINS = 1 << 16
};

static bool make_room(struct specks *k, int count, const struct pass *pass)
{
    size_t words = (size_t)((pass->width + 63) / 64) * (size_t)pass->height;
    if (k->size < count)
    {
        uint32_t *grown = realloc(k->order, 2 * (size_t)count * sizeof *grown);
        k->order = grown ? grown : k->order;
        k->size = grown ? count : k->size;
    }
    if (k->words < words)
    {
        uint64_t *grown = realloc(k->taken, words * sizeof *grown);
        k->taken = grown ? grown : k->taken;
        k->words = grown ? words : k->words;
    }
    k->first = k->first ? k->first : malloc((BINS + 1) * sizeof *k->first);
    if (k->size < count || k->words < words || !k->first)
    {
        return false;
    }
    memset(k->taken, 0, words * sizeof *k->taken);
    return true;
}

static void sort(struct specks *k, const struct ball *ball, int count, const struct pass *pass)
{
    uint32_t *first = k->first, *bin = k->order + count;
    vec3 forward = v3(-pass->view.m[2], -pass->view.m[6], -pass->view.m[10]);
    float middle = dot(sub(bounds_centre(pass->bounds), pass->eye), forward), reach = bounds_radius(pass->bounds);
    float low = middle - reach, step = (float)(BINS - 1) / (2.0f * reach);
    memset(first, 0, (BINS + 1) * sizeof *first);
    for (int i = 0; i < count; i++)
    {
        float away = dot(sub(v3_at(ball[i].position), pass->eye), forward);
        bin[i] = (uint32_t)clampf((away - low) * step, 0.0f, (float)(BINS - 1));
        first[bin[i] + 1]++;
    }
    for (size_t b = 0; b < BINS; b++)
    {
        first[b + 1] += first[b];
    }
    for (int i = 0; i < count; i++)
    {
        k->order[first[bin[i]]++] = (uint32_t)i;
    }
}

// ---- pixels that are taken -----------------------------------------------------------------------------------------

// The bits of [from, to] that lie in a word.
static uint64_t bits_of(int word, int from, int to)
{
    int low = from - 64 * word, high = to - 64 * word;
    uint64_t above = low <= 0 ? ~0ull : ~0ull << low, below = high >= 63 ? ~0ull : ~(~0ull << (high + 1));
    return above & below;
}

static bool row_taken(const uint64_t *row, int from, int to)
{
    for (int w = from / 64; w <= to / 64; w++)
    {
        uint64_t bits = bits_of(w, from, to);
        if ((row[w] & bits) != bits)
        {
            return false;
        }
    }
    return true;
}

static void take_row(uint64_t *row, int from, int to)
{
    for (int w = from / 64; w <= to / 64; w++)
    {
        row[w] |= bits_of(w, from, to);
    }
}

// The first and the last pixel from a number on, or up to it, kept within the picture. By hand: rounding calls cost more than the rest.
static int pixel_from(float x) { return x > 0.0f ? (int)x : 0; }
static int pixel_to(float x, int size) { return x < 0.0f ? -1 : (int)x < size ? (int)x : size - 1; }

// With one sample a pixel is taken by whoever covers its middle, but for a hair's breadth; with several only by what covers all of it.
static float slack_of(const struct pass *pass) { return pass->samples > 1 ? 0.75f : 0.05f; }

// What surely belongs to it. In the shadow map a speck is a square.
static void take(struct specks *k, const struct pass *pass, float x, float y, float half)
{
    size_t words = (size_t)((pass->width + 63) / 64);
    float inner = half - slack_of(pass);
    int bottom = pixel_to(y + inner - 0.5f, pass->height);
    for (int row = pixel_from(y - inner + 0.5f); inner > 0.0f && row <= bottom; row++)
    {
        float up = (float)row + 0.5f - y, across = pass->shadow ? inner : sqrtf(fmaxf(inner * inner - up * up, 0.0f));
        int from = pixel_from(x - across + 0.5f), to = pixel_to(x + across - 0.5f, pass->width);
        if (from <= to)
        {
            take_row(k->taken + (size_t)row * words, from, to);
        }
    }
}

static bool hidden(const struct specks *k, const struct pass *pass, float x, float y, float half)
{
    size_t words = (size_t)((pass->width + 63) / 64);
    float outer = half + slack_of(pass);
    int left = pixel_from(x - outer + 0.5f), right = pixel_to(x + outer - 0.5f, pass->width);
    int top = pixel_from(y - outer + 0.5f), bottom = pixel_to(y + outer - 0.5f, pass->height);
    if (left > right)
    {
        return true;
    }
    if (right / 64 - left / 64 > 1) // a wide one
    {
        bool all = true;
        for (int row = top; all && row <= bottom; row++)
        {
            all = row_taken(k->taken + (size_t)row * words, left, right);
        }
        return all;
    }
    // The same one or two words in every row.
    size_t next = (size_t)(right / 64 - left / 64);
    uint64_t first = bits_of(left / 64, left, right), second = next ? bits_of(right / 64, left, right) : 0;
    const uint64_t *at = k->taken + (size_t)top * words + (size_t)(left / 64);
    uint64_t open = 0;
    for (int row = top; row <= bottom && !open; row++, at += words)
    {
        open = (first & ~at[0]) | (second & ~at[next]);
    }
    return !open;
}

// ---- all together --------------------------------------------------------------------------------------------------

float speck_width(const struct pass *pass, float radius, float away)
{
    float width = 2.0f * radius * pass->pixels / fmaxf(pass->perspective ? away : 1.0f, 1e-6f);
    return clampf(width, 1.0f, (float)SPECK_MOST);
}

int specks_choose(struct specks *k, const struct ball *ball, int count, const struct pass *pass)
{
    const float *m = pass->clip_from_world.m;
    int kept = 0;
    if (!make_room(k, count, pass))
    {
        return -1;
    }
    sort(k, ball, count, pass);
    for (int i = 0; i < count; i++)
    {
        const struct ball *b = &ball[k->order[i]];
        const float *p = b->position;
        float away = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
        if (away <= 0.0f)
        {
            continue; // behind the eye
        }
        float x = (0.5f + 0.5f * (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / away) * (float)pass->width;
        float y = (0.5f + 0.5f * (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / away) * (float)pass->height;
        float half = 0.5f * speck_width(pass, b->radius, away);
        bool outside = !(x > -half && x < (float)pass->width + half && y > -half && y < (float)pass->height + half);
        if (!outside && !hidden(k, pass, x, y, half))
        {
            take(k, pass, x, y, half);
            k->order[kept++] = k->order[i];
        }
    }
    return kept;
}

void specks_free(struct specks *k)
{
    free(k->order);
    free(k->taken);
    free(k->first);
    *k = (struct specks){0};
}
