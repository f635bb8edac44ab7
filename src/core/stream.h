// stream.h: declares a stream of bytes that saves or loads: one walk over the data serves both directions. A failure
// stays in `result`, and all later calls do nothing. Its error messages are those of snapshots.
#pragma once
#include "core/memory.h"

typedef struct stream
{
    bool saving;
    char *data;                // saving: grows
    size_t size, capacity, at; // at: the number of bytes saved or loaded so far
    pl_result result;
} stream;

void stream_ends(stream *s); // fails: the data ends before what is to be loaded
void stream_bytes(stream *s, void *data, size_t size);
// A number, which must be from low to high. what: its name in the error message.
void stream_number64(stream *s, int64_t *value, int64_t low, int64_t high, const char *what);
void stream_number32(stream *s, int32_t *value, int64_t low, int64_t high, const char *what);
// An array of `count` items. When loading, checks that the bytes are there, then makes room.
void stream_items(stream *s, memory *m, void *data, int64_t *capacity, int64_t count, size_t item);
void stream_flag(stream *s, bool *value, const char *what);
