// checkpoint.cu: frames on their way home, while the next ones run. After a frame what is kept is copied aside on the device, which takes no time to
// speak of, and from there into pinned memory on a stream of its own; there are two copies, so that one of them is always whole.
//
// Readers get positions and velocities from there. If the device is lost, the newest copy of everything that has arrived is what the world goes
// on from: reading then takes from it what else it would take from the device (fetch), so that nobody else need know. Copies that are large are
// made seldom, so that they take no more than a part of the bus's time.
#include "backend/cuda/device_internal.h"

enum
{
    EVERY_FRAME = 32 << 20, // bytes that may set out after each frame
};
static const size_t WHOLE_MOST = (size_t)1
                                 << 30; // twice as much is pinned; larger worlds keep positions and velocities alone

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
        cudaGetLastError(); // it is dealt with
    return code == cudaSuccess;
}

// The device's memory is there for the world: copies take no more than a small part of what is left.
static cudaError_t take_spare(char **at, size_t bytes)
{
    size_t left = 0, all = 0;
    cudaError_t asked = cudaMemGetInfo(&left, &all);
    return asked != cudaSuccess ? asked : bytes > left / 8 ? cudaErrorMemoryAllocation : cudaMalloc(at, bytes);
}

// For the next copy; the other one stays where it is, for it may be needed. Where there is no memory for copies, there are none: that is no
// fault. Behind a copy lies its number.
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

void keep_forget(device *d)
{
    for (async_copies *c : {&d->quick, &d->whole})
        for (copy &k : c->kept)
            k.number = 0;
}

static bool has_copy(const async_copies *c) { return c->kept[0].number || c->kept[1].number; }

// 1: after each frame. 0: never.
static int64_t turn_of(size_t bytes)
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
    TRY(cudaStreamWaitEvent(d->stream, c->kept[1 - c->next].landed, 0), "keeping the frame"); // the one aside has left
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

bool device_keep(device *d, const state *host, device_keeping *what, device_error *why)
{
    piece_list pieces;
    d->copy_number = what->number;
    list_pieces(d, host, what, &pieces);
    int64_t every = turn_of(pieces.bytes);
    bool possible = every > 0 && pieces.bytes <= WHOLE_MOST;
    bool due = possible && (what->number % every == 0 || what->must || !has_copy(&d->whole));
    what->whole = due && make_room(&d->whole, pieces.bytes);
    if (what->whole && !send_to_host(d, &d->whole, &pieces, what, why))
        return false;
    if ((what->whole && every == 1) || what->must)
        return true; // readers have that one
    size_t slots = 2 * 16 * (size_t)host->slots;
    every = turn_of(slots);
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

// The copy of the last frame learns of the edit, and older ones, which an edit of now does not fit, are dropped. Where there is none of the
// last frame, the older ones learn of edits that change what there is (shapes_it): they are the best that there is.
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
