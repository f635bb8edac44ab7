// keep.cu: positions and velocities on their way home, while the next frame runs. After a frame they are copied aside on the device, which
// takes no time to speak of, and from there into pinned memory on a stream of their own; there are two of each, so that nobody waits.
// Readers get them from there; and if the device is lost, they are what the world goes on from.
#include "cuda/inside.h"

void keep_free(device *d)
{
    for (int i = 0; i < 2; i++)
    {
        cudaFree(d->aside[i]);
        cudaFreeHost(d->kept[i]);
        d->aside[i] = d->kept[i] = NULL;
    }
    d->keep_slots = 0;
}

// Where there is no memory for copies, there are none: that is no fault.
static bool keep_room(device *d, int32_t slots)
{
    if (slots <= d->keep_slots)
        return true;
    if (slots == d->keep_refused)
        return false;
    keep_free(d);
    size_t bytes = 32 * (size_t)slots;
    for (int i = 0; i < 2; i++)
        if (cudaMalloc(&d->aside[i], bytes) != cudaSuccess || cudaMallocHost(&d->kept[i], bytes) != cudaSuccess)
        {
            cudaGetLastError(); // it is dealt with
            keep_free(d);
            d->keep_refused = slots;
            return false;
        }
    d->keep_slots = slots;
    return true;
}

void keep_forget(device *d) { d->keep_number[0] = d->keep_number[1] = 0; }

// Copies of large scenes are made so seldom that they take no more than a part of a bus's time.
static bool is_due(const device *d, int32_t slots, int64_t number)
{
    static const char *told = getenv("PLIANT_CUDA_KEEP");
    int64_t every = told ? atoi(told) : 1 + slots / (1 << 20);
    return every > 0 && number % every == 0;
}

bool device_keep(device *d, const state *host, int64_t number, device_error *why)
{
    int i = d->keep_next;
    size_t bytes = 16 * (size_t)host->slots;
    if (!is_due(d, host->slots, number) || !keep_room(d, host->slots))
        return true;
    d->keep_number[i] = 0;
    TRY(cudaStreamWaitEvent(d->stream, d->landed[i], 0), "keeping the frame");
    TRY(cudaMemcpyAsync(d->aside[i], d->slot[SLOT_X], bytes, cudaMemcpyDeviceToDevice, d->stream), "keeping the frame");
    TRY(cudaMemcpyAsync(d->aside[i] + 4 * (size_t)host->slots, d->slot[SLOT_V], bytes, cudaMemcpyDeviceToDevice,
                        d->stream),
        "keeping the frame");
    TRY(cudaEventRecord(d->aside_done, d->stream), "keeping the frame");
    TRY(cudaStreamWaitEvent(d->home, d->aside_done, 0), "keeping the frame");
    TRY(cudaMemcpyAsync(d->kept[i], d->aside[i], 2 * bytes, cudaMemcpyDeviceToHost, d->home), "keeping the frame");
    TRY(cudaEventRecord(d->landed[i], d->home), "keeping the frame");
    d->keep_number[i] = number;
    d->keep_landed[i] = false;
    d->keep_next = 1 - i;
    return true;
}

// Which copies have landed; asked while the device answers.
void keep_poll(device *d)
{
    for (int i = 0; i < 2; i++)
        if (d->keep_number[i] && !d->keep_landed[i])
            d->keep_landed[i] = cudaEventQuery(d->landed[i]) == cudaSuccess;
}

float *device_kept(device *d, int64_t number, int64_t *which)
{
    int best = -1;
    for (int i = 0; i < 2; i++)
    {
        bool wanted = d->keep_number[i] && (number ? d->keep_number[i] == number : d->keep_landed[i]);
        if (wanted && (best < 0 || d->keep_number[i] > d->keep_number[best]))
            best = i;
    }
    if (best < 0 || (!d->keep_landed[best] && cudaEventSynchronize(d->landed[best]) != cudaSuccess))
        return NULL;
    d->keep_landed[best] = true;
    *which = d->keep_number[best];
    return d->kept[best];
}

// Copies that are at home, or on their way, learn of an edit: the world may have to go on from them.
void keep_patch(device *d, const device_patch *list, int64_t count)
{
    for (int i = 0; i < 2; i++)
    {
        if (!d->keep_number[i] || (!d->keep_landed[i] && cudaEventSynchronize(d->landed[i]) != cudaSuccess))
            continue;
        d->keep_landed[i] = true;
        for (int64_t k = 0; k < count; k++)
            if (list[k].array == SLOT_X || list[k].array == SLOT_V)
                memcpy((char *)d->kept[i] + (list[k].array == SLOT_V ? 16 * (size_t)d->captured.slots : 0) + list[k].at,
                       &list[k].value, 4);
    }
}
