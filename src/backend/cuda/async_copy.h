// async_copy.h: copies of a state on their way home while the next frame runs. checkpoint.cu sends them, checkpoint_layout.cu knows what they are of.
#pragma once
#include "backend/cuda/device.h"

#include <cuda_runtime.h>

// A part of a state on its way home. What they are, is in checkpoint_layout.cu.
enum
{
    PIECES_MOST = 96,
    PIECE_PACKED = SLOT_ARRAYS, // before it the slot arrays; from here on, stretches of what is packed
    PIECE_LIST = PIECE_PACKED + 64,
    PIECE_SURFACE = PIECE_LIST + 11,
};

struct piece
{
    const char *from; // on the device
    size_t bytes, at; // at: in the copy
    size_t packed;    // where it lies in what is packed
    int32_t id;
};

struct piece_list
{
    piece item[PIECES_MOST];
    int32_t count;
    size_t bytes; // of all
};

// One copy at home, in pinned memory.
struct copy
{
    char *at;
    volatile int64_t
        *arrived; // the number of the copy that is there, in pinned memory: it can be read when the device is lost
    size_t room;
    int64_t number; // that was sent, 0: none
    cudaEvent_t landed;
    piece_list pieces;
};

// Copies are made aside on the device, and set out for home from there while the world goes on; there are two at home, so that one is whole.
struct async_copies
{
    char *aside;
    size_t room, refused;     // bytes
    cudaStream_t copy_stream; // home
    cudaEvent_t ready;
    copy kept[2];
    int next;
};

// checkpoint.cu
bool keep_open(device *d, device_error *why);
bool device_keep(device *d, const state *host, device_keeping *what, device_error *why);
float *device_kept(device *d, int64_t number, int64_t *which);
void keep_forget(device *d);
void keep_write(device *d, int array, size_t at, const void *from, size_t bytes, bool shapes_it); // copies learn of it
int64_t device_copies_on_host(device *d, int64_t most, bool wait);
void device_copies_dropped(device *d);
void device_amend(device *d, int array, size_t at, const void *from, size_t bytes);
bool device_patch_set(device *d, const device_patch *list, int64_t count, device_error *why);
bool device_send(device *d, const char *from, size_t bytes, device_error *why);
void keep_free(device *d);

// checkpoint_layout.cu
void list_pieces(const device *d, const state *host, const device_keeping *what, piece_list *out);
bool gather_pieces(device *d, const piece_list *pieces, const device_keeping *what, char *to, device_error *why);
// Reads a piece, from the device or from what is at home of it.
bool fetch(device *d, int32_t id, void *to, const void *from, size_t bytes, device_error *why);
bool fetch_packed(device *d, char *to, device_error *why); // all that a copy has of what is packed
