// room.h: cutting up a region of the device's memory.
#pragma once
#include "cuda/inside.h"

// Cuts a region up: with at == NULL it only measures.
struct knife
{
    char *at;
    size_t used;

    template <class T> void cut(T **part, int64_t count)
    {
        *part = at ? (T *)(at + used) : NULL;
        used += ((size_t)count * sizeof(T) + 255) / 256 * 256;
    }
};

// Takes the region for what `lay` cuts from it. What was in it is gone if it moves.
template <class Lay> static bool take(device *d, region *r, Lay lay, device_error *why)
{
    knife measure = {NULL, 0};
    lay(&measure);
    if (measure.used > r->bytes)
    {
        cudaFree(r->at);
        r->at = NULL;
        r->bytes = 0;
        TRY(cudaMalloc(&r->at, measure.used), "taking memory on the device");
        r->bytes = measure.used;
        TRY(cudaMemsetAsync(r->at, 0, measure.used, d->stream), "clearing memory");
    }
    knife k = {r->at, 0};
    lay(&k);
    return true;
}
