// list_memory.h: divides a region of device memory into arrays; sizes of neighbour lists.
#pragma once
#include "backend/cuda/device_internal.h"

// Divides a region into arrays. With at == NULL it only measures.
struct region_divider
{
    char *at;
    size_t used;

    template <class T> void cut(T **part, int64_t count)
    {
        *part = at ? (T *)(at + used) : NULL;
        used += ((size_t)count * sizeof(T) + 255) / 256 * 256;
    }
};

// Makes the region large enough for what `lay` cuts from it, and cuts it. If the region grows, its content is lost and
// it is cleared.
template <class Lay> static bool take(device *d, region *r, Lay lay, device_error *why)
{
    region_divider measure = {NULL, 0};
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
    region_divider k = {r->at, 0};
    lay(&k);
    return true;
}

// neighbour_memory.cu. neighbours_grow sets the sizes: to what the last search needed (now->trouble == LISTS_SHORT) or,
// at first, to `each` entries per particle. False: there are too many entries for any memory. Then the other two cut
// the arrays.
bool neighbours_grow(neighbour_arrays *l, const neighbour_state *now, bool full, int64_t each, device_error *why);
void neighbours_cut_sorted(neighbour_arrays *l, bool full, bool transposed, region_divider *k);
void neighbours_cut_pairs(neighbour_arrays *l, bool full, region_divider *k);
int32_t with_spare(int64_t needed); // adds a reserve
int32_t debug_list_room(void);      // initial size that a test asks for; 0: none
