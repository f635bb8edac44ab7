// stream.c: implements stream.h.
#include "core/stream.h"

#include <stdlib.h>
#include <string.h>

void stream_ends(stream *s)
{
    if (s->result == PL_OK)
        s->result = fail(PL_ERROR_FORMAT, "snapshot: it ends at byte %zu; it is truncated or not a snapshot", s->size);
}

void stream_bytes(stream *s, void *data, size_t size)
{
    if (s->result != PL_OK || size == 0)
        return;
    if (s->saving)
    {
        if (s->at + size > s->capacity)
        {
            size_t grown = (s->at + size) * 3 / 2 + 4096;
            char *fresh = realloc(s->data, grown);
            if (!fresh)
            {
                s->result = fail(PL_ERROR_MEMORY, "snapshot: out of memory at %zu bytes; free some memory", grown);
                return;
            }
            s->data = fresh;
            s->capacity = grown;
        }
        memcpy(s->data + s->at, data, size);
    }
    else if (size > s->size - s->at)
    {
        stream_ends(s);
        return;
    }
    else
        memcpy(data, s->data + s->at, size);
    s->at += size;
}

void stream_number64(stream *s, int64_t *value, int64_t low, int64_t high, const char *what)
{
    stream_bytes(s, value, sizeof *value);
    if (s->result == PL_OK && (*value < low || *value > high))
        s->result = fail(PL_ERROR_FORMAT, "snapshot: %s is %lld; it must be from %lld to %lld", what, (long long)*value,
                         (long long)low, (long long)high);
}

void stream_number32(stream *s, int32_t *value, int64_t low, int64_t high, const char *what)
{
    int64_t wide = *value;
    stream_number64(s, &wide, low, high, what);
    if (!s->saving)
        *value = s->result == PL_OK ? (int32_t)wide : 0;
}

void stream_items(stream *s, memory *m, void *data, int64_t *capacity, int64_t count, size_t item)
{
    if (s->result != PL_OK || count == 0)
        return;
    if (!s->saving && (size_t)count > (s->size - s->at) / item)
        stream_ends(s);
    if (s->result == PL_OK && !s->saving)
        s->result = array_reserve(m, data, capacity, count, item);
    void *block;
    memcpy(&block, data, sizeof block);
    stream_bytes(s, block, (size_t)count * item);
}

void stream_flag(stream *s, bool *value, const char *what)
{
    int32_t wide = *value;
    stream_number32(s, &wide, 0, 1, what);
    *value = wide;
}
