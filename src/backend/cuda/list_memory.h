// list_memory.h: cutting up a region of the device's memory; memory for neighbour lists.
#pragma once
#include "backend/cuda/device_internal.h"

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

// neighbour_memory.cu. Sizes for what the last search needed (now->trouble == LISTS_SHORT) or, at first, for `each` entries a particle;
// then the arrays are cut. False: there are too many entries for any memory.
bool neighbours_grow(neighbour_arrays *l, const neighbour_state *now, bool full, int64_t each, device_error *why);
void neighbours_cut_places(neighbour_arrays *l, bool full, knife *k);
void neighbours_cut_pairs(neighbour_arrays *l, bool full, knife *k);
int32_t with_spare(int64_t needed); // with some to spare
int32_t room_told(void);            // 0: tests do not say
