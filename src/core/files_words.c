// files_words.c: writes numbers into files as little-endian on every machine; see files.h.
#include "core/files.h"

#include <string.h>

void out_u32(struct out_file *out, uint32_t value)
{
    unsigned char b[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                          (unsigned char)(value >> 24)};
    fwrite(b, 1, sizeof b, out->stream);
}

void out_u64(struct out_file *out, uint64_t value)
{
    out_u32(out, (uint32_t)value);
    out_u32(out, (uint32_t)(value >> 32));
}

static bool little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void out_words(struct out_file *out, const void *words, size_t count)
{
    if (little_endian())
    {
        fwrite(words, 4, count, out->stream);
        return;
    }
    for (size_t i = 0; i < count; i++)
    {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, 4);
        out_u32(out, word);
    }
}

void out_floats(struct out_file *out, const float *values, size_t count) { out_words(out, values, count); }

void out_ints(struct out_file *out, const int32_t *values, size_t count) { out_words(out, values, count); }
