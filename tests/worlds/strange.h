// strange.h: changes scenes at random: numbers become extreme ones, keys and values change places, members go or are doubled.
// Most of what comes out is refused; what is taken is a world with strange but legal values.
#ifndef PLIANT_TESTS_STRANGE_H
#define PLIANT_TESTS_STRANGE_H

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene_text
{
    char *data; // ends in 0
    size_t length;
} scene_text;

static inline uint32_t strange_dice(uint64_t *seed, uint32_t sides)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % sides);
}

static inline void strange_number(uint64_t *seed, char *out, size_t size, const char *old)
{
    static const char *const numbers[] = {"0",    "1",     "-1",   "1e-38", "1e-45", "1e-30", "1e-20", "1e-12", "1e-6",
                                          "0.5",  "2",     "7",    "100",   "1000",  "1e6",   "1e9",   "1e12",  "1e20",
                                          "1e30", "3e38",  "1e39", "-1e6",  "-0",    "1e-3",  "65536", "255",   "16384",
                                          "1e-9", "-1e20", "3",    "4",     "0.999", "1e5",   "1e400"};
    uint32_t which = strange_dice(seed, sizeof numbers / sizeof *numbers + 12);
    if (which < sizeof numbers / sizeof *numbers)
        snprintf(out, size, "%s", numbers[which]);
    else // near what was there
        snprintf(out, size, "%.9g",
                 strtod(old, NULL) * (0.5 + (double)strange_dice(seed, 1000) / 500.0) + (which % 3 == 0 ? 1e-3 : 0.0));
}

static inline void strange_splice(scene_text *t, size_t at, size_t gone, const char *put, size_t count)
{
    char *fresh = malloc(t->length - gone + count + 1);
    if (!fresh)
        abort();
    memcpy(fresh, t->data, at);
    memcpy(fresh + at, put, count);
    memcpy(fresh + at + count, t->data + at + gone, t->length - at - gone + 1);
    free(t->data);
    t->data = fresh;
    t->length = t->length - gone + count;
}

// The n-th place (modulo their number) at which a number begins; SIZE_MAX: there is none.
static inline size_t strange_place(const scene_text *t, uint64_t *seed)
{
    size_t count = 0, places[4096];
    bool quoted = false;
    for (size_t i = 1; i < t->length && count < sizeof places / sizeof *places; i++)
    {
        quoted ^= t->data[i] == '"';
        if (!quoted && (isdigit((unsigned char)t->data[i]) || t->data[i] == '-') && strchr(" ,:[", t->data[i - 1]))
            places[count++] = i;
    }
    return count ? places[strange_dice(seed, (uint32_t)count)] : SIZE_MAX;
}

static inline size_t strange_end(const char *number) { return strspn(number, "0123456789+-.eE"); }

// Replaces a number by another one.
static inline void strange_change(scene_text *t, uint64_t *seed)
{
    char put[64];
    size_t at = strange_place(t, seed);
    if (at == SIZE_MAX)
        return;
    strange_number(seed, put, sizeof put, t->data + at);
    strange_splice(t, at, strange_end(t->data + at), put, strlen(put));
}

// Damage of a ruder sort: bytes doubled, gone, exchanged, replaced.
static inline void strange_damage(scene_text *t, uint64_t *seed)
{
    static const char *const bits[] = {
        "{",  "}", "[", "]", "\"", ",", ":", "null", "true", "\\u0000", "\xff", "[[[[", "-", "1e", "\"name\": \"\"",
        "{}", "[]"};
    if (t->length < 8)
        return;
    size_t at = strange_dice(seed, (uint32_t)t->length), some = strange_dice(seed, 40), left = t->length - at;
    some = some < left ? some : left;
    const char *bit = bits[strange_dice(seed, sizeof bits / sizeof *bits)];
    char part[64];
    memcpy(part, t->data + at, some);
    switch (strange_dice(seed, 4))
    {
    case 0:
        strange_splice(t, at, some, "", 0);
        break;
    case 1:
        strange_splice(t, at, 0, part, some);
        break;
    case 2:
        strange_splice(t, at, 0, bit, strlen(bit));
        break;
    default:
        strange_splice(t, strange_dice(seed, (uint32_t)t->length), 0, part, some);
    }
}

// A copy of a scene with a few numbers changed; `rude`: and with its form damaged.
static inline scene_text strange_scene(const char *text, size_t length, uint64_t *seed, bool rude)
{
    scene_text t = {malloc(length + 1), length};
    if (!t.data)
        abort();
    memcpy(t.data, text, length);
    t.data[length] = 0;
    for (uint32_t n = 1 + strange_dice(seed, 3); n > 0; n--)
        strange_change(&t, seed);
    for (uint32_t n = rude ? 1 + strange_dice(seed, 3) : 0; n > 0; n--)
        strange_damage(&t, seed);
    return t;
}

#endif
