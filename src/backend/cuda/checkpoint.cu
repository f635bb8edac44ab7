// checkpoint.cu: copies frames to the host while the next ones run. After a frame the state is copied within the
// device, which takes almost no time, and from there into pinned memory on a stream of its own. There are two copies on
// the host, so that one of them is always complete.
//
// Reads of positions and velocities use these copies. If the device is lost, the world continues from the newest
// complete copy that has arrived: fetch then reads from the copy instead of the device, so that its callers need not
// distinguish. Large copies are made less often, so that they use only a part of the bus's bandwidth.
#include "backend/cuda/device_internal.h"

enum
{
    EVERY_FRAME = 32 << 20, // bytes that may be copied after each frame
};
// Bytes. Twice as much is pinned; for larger worlds only positions and velocities are copied.
static const size_t WHOLE_MOST = (size_t)1 << 30;

bool keep_open(device *d, device_error *why)
{
    for (async_copies *c : {&d->quick, &d->whole})
    {
        TRY(cudaStreamCreateWithFlags(&c->copy_stream, cudaStreamNonBlocking), "making a stream");
        TRY(cudaEventCreateWithFlags(&c->ready, cudaEventDisableTiming), "making an event");
        for (copy &k : c->kept)
            TRY(cudaEventCreateWithFlags(&k.landed, cudaEventDisableTiming), "making an event");
    }
    return true;
}

static void drop_copy(copy *k)
{
    cudaFreeHost(k->at);
    k->at = NULL;
    k->room = 0;
    k->number = 0;
}

void keep_free(device *d)
{
    for (async_copies *c : {&d->quick, &d->whole})
    {
        if (c->copy_stream)
            cudaStreamSynchronize(c->copy_stream);
        cudaFree(c->aside);
        if (c->copy_stream)
            cudaStreamDestroy(c->copy_stream);
        if (c->ready)
            cudaEventDestroy(c->ready);
        for (copy &k : c->kept)
        {
            drop_copy(&k);
            if (k.landed)
                cudaEventDestroy(k.landed);
        }
    }
}

static bool has_memory(cudaError_t code)
{
    if (code != cudaSuccess)
        cudaGetLastError(); // the error is handled: clear it
    return code == cudaSuccess;
}

// The device's memory is for the world: copies take at most an eighth of what is free.
static cudaError_t take_spare(char **at, size_t bytes)
{
    size_t left = 0, all = 0;
    cudaError_t result = cudaMemGetInfo(&left, &all);
    return result != cudaSuccess ? result : bytes > left / 8 ? cudaErrorMemoryAllocation : cudaMalloc(at, bytes);
}

// Makes room for the next copy. The other copy stays as it is, since it may be needed. If there is no memory for
// copies, none are made; that is not an error. The number of a copy lies behind its data.
static bool make_room(async_copies *c, size_t bytes)
{
    copy *k = &c->kept[c->next];
    size_t room = (bytes + bytes / 4 + 255) / 256 * 256;
    if (c->refused && bytes >= c->refused)
        return false;
    if (bytes > c->room)
    {
        cudaFree(c->aside);
        c->aside = NULL;
        c->room = has_memory(take_spare(&c->aside, room + 256)) ? room : 0;
    }
    if (bytes > k->room)
    {
        drop_copy(k);
        k->room = has_memory(cudaMallocHost(&k->at, room + 256)) ? room : 0;
        k->arrived = k->room ? (volatile int64_t *)(k->at + room) : NULL;
    }
    if (bytes > c->room || bytes > k->room)
        c->refused = bytes;
    return bytes <= c->room && bytes <= k->room;
}

// Invalidates all copies.
void keep_forget(device *d)
{
    for (async_copies *c : {&d->quick, &d->whole})
        for (copy &k : c->kept)
            k.number = 0;
}

static bool has_copy(const async_copies *c) { return c->kept[0].number || c->kept[1].number; }

// Frames between two copies of this size: 1: after each frame, 0: never.
static int64_t interval_of(size_t bytes)
{
    if (debug->keep_every)
        return debug->keep_every < 0 ? 0 : debug->keep_every;
    return 1 + (int64_t)(bytes / EVERY_FRAME);
}

static bool send_to_host(device *d, async_copies *c, const piece_list *pieces, const device_keeping *what,
                         device_error *why)
{
    copy *k = &c->kept[c->next];
    k->number = *k->arrived = 0;
    k->pieces = *pieces;
    // Wait until the previous copy has left `aside`.
    TRY(cudaStreamWaitEvent(d->stream, c->kept[1 - c->next].landed, 0), "keeping the frame");
    if (!gather_pieces(d, &k->pieces, what, c->aside, why))
        return false;
    TRY(cudaEventRecord(c->ready, d->stream), "keeping the frame");
    TRY(cudaStreamWaitEvent(c->copy_stream, c->ready, 0), "keeping the frame");
    TRY(cudaMemcpyAsync(k->at, c->aside, k->pieces.bytes, cudaMemcpyDeviceToHost, c->copy_stream), "keeping the frame");
    TRY(cudaMemcpyAsync((void *)k->arrived, c->aside + k->pieces.bytes, sizeof what->number, cudaMemcpyDeviceToHost,
                        c->copy_stream),
        "keeping the frame");
    TRY(cudaEventRecord(k->landed, c->copy_stream), "keeping the frame");
    k->number = what->number;
    c->next = 1 - c->next;
    return true;
}

// Starts the copies that are due after a frame: a complete one, or one of positions and velocities.
bool device_keep(device *d, const state *host, device_keeping *what, device_error *why)
{
    piece_list pieces;
    d->copy_number = what->number;
    list_pieces(d, host, what, &pieces);
    int64_t every = interval_of(pieces.bytes);
    bool possible = every > 0 && pieces.bytes <= WHOLE_MOST;
    bool due = possible && (what->number % every == 0 || what->must || !has_copy(&d->whole));
    what->whole = due && make_room(&d->whole, pieces.bytes);
    if (what->whole && !send_to_host(d, &d->whole, &pieces, what, why))
        return false;
    if ((what->whole && every == 1) || what->must)
        return true; // readers use the complete copy
    size_t slots = 2 * 16 * (size_t)host->slots;
    every = interval_of(slots);
    if (every < 1 || what->number % every)
        return true;
    list_pieces(d, host, NULL, &pieces);
    return !make_room(&d->quick, pieces.bytes) || send_to_host(d, &d->quick, &pieces, what, why);
}

static bool has_landed(const copy *k) { return k->number && *k->arrived == k->number; }

static bool wait_for(const copy *k)
{
    return k->number && (has_landed(k) || (cudaEventSynchronize(k->landed) == cudaSuccess && has_landed(k)));
}

float *device_kept(device *d, int64_t number, int64_t *which)
{
    const copy *best = NULL;
    for (const async_copies *c : {&d->whole, &d->quick})
        for (const copy &k : c->kept)
            if ((number ? k.number && k.number == number : has_landed(&k)) && (!best || k.number > best->number))
                best = &k;
    if (!best || !wait_for(best))
        return NULL;
    *which = best->number;
    return (float *)best->at;
}

int64_t device_copies_on_host(device *d, int64_t most, bool wait)
{
    const copy *best = NULL;
    for (const copy &k : d->whole.kept)
        if (k.number && k.number <= most && (wait ? wait_for(&k) : has_landed(&k)) &&
            (!best || k.number > best->number))
            best = &k;
    d->copies_on_host = best;
    return best ? best->number : 0;
}

void device_copies_dropped(device *d) { d->copies_on_host = NULL; }

// ---- edits ---------------------------------------------------------------------------------------------------------

// Writes an edit of a slot array, or (array < 0) of the packed block, into the pieces of a copy that it overlaps.
static void write_copy(const copy *k, int array, size_t at, const void *from, size_t bytes)
{
    for (int32_t i = 0; i < k->pieces.count; i++)
    {
        const piece *p = &k->pieces.item[i];
        bool packed = p->id >= PIECE_PACKED && p->id < PIECE_LIST;
        size_t first = packed ? p->packed : 0;
        if (array >= 0 ? p->id != array : !packed)
            continue;
        size_t low = at > first ? at : first, high = at + bytes < first + p->bytes ? at + bytes : first + p->bytes;
        if (low < high)
            memcpy(k->at + p->at + (low - first), (const char *)from + (low - at), high - low);
    }
}

void device_amend(device *d, int array, size_t at, const void *from, size_t bytes)
{
    if (d->copies_on_host)
        write_copy(d->copies_on_host, array, at, from, bytes);
}

// Applies an edit to the copy of the last frame, and drops older ones, which do not fit an edit made now. If there is
// no copy of the last frame, edits that change what the world consists of (shapes_it) are applied to the older copies:
// they are the newest there are.
void keep_write(device *d, int array, size_t at, const void *from, size_t bytes, bool shapes_it)
{
    for (async_copies *c : {&d->quick, &d->whole})
    {
        bool newest = false;
        for (const copy &k : c->kept)
            newest |= k.number && k.number == d->copy_number;
        if (!newest && !shapes_it)
            continue;
        for (copy &k : c->kept)
            if ((newest && k.number != d->copy_number) || !wait_for(&k))
                k.number = 0;
            else
                write_copy(&k, array, at, from, bytes);
    }
}
