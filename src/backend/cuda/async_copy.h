// async_copy.h: asynchronous copies of the state from the device to the host, made while the next frame runs.
// checkpoint.cu makes the copies; checkpoint_layout.cu says what is in them.
#pragma once
#include "backend/cuda/device.h"

#include <cuda_runtime.h>

// One contiguous piece of a state in a copy (checkpoint_layout.cu lists the pieces). Its id is below PIECE_PACKED for
// slot arrays, below PIECE_LIST for parts of the packed block, below PIECE_SURFACE for parts of the contact lists.
enum
{
    PIECES_MOST = 168,
    PIECE_PACKED = SLOT_ARRAYS,
    PIECE_LIST = PIECE_PACKED + 128,
    PIECE_SURFACE = PIECE_LIST + 11,
};

struct piece
{
    const char *from; // on the device
    size_t bytes, at; // at: offset in the copy
    size_t packed;    // offset in the packed block
    int32_t id;
};

struct piece_list
{
    piece item[PIECES_MOST];
    int32_t count;
    size_t bytes; // of all pieces
};

// One copy on the host, in pinned memory.
struct copy
{
    char *at;
    // The number of the copy that has arrived. It lies in pinned memory, so that it can be read after the device is
    // lost.
    volatile int64_t *arrived;
    size_t room;
    int64_t number; // of the copy that was started; 0: none
    cudaEvent_t landed;
    piece_list pieces;
};

// A copy is first made on the device (aside), and from there copied to the host on its own stream while the next frame
// runs. There are two copies on the host, so that one of them is always complete.
struct async_copies
{
    char *aside;
    // Bytes. room: the size of `aside`; refused: a size for which there was no memory.
    size_t room, refused;
    cudaStream_t copy_stream; // device to host
    cudaEvent_t ready;
    copy kept[2];
    int next;
};

// checkpoint.cu
bool keep_open(device *d, device_error *why);
bool device_keep(device *d, const state *host, device_keeping *what, device_error *why);
float *device_kept(device *d, int64_t number, int64_t *which);
void keep_forget(device *d);
// Applies an edit to the copies as well. shapes_it: see checkpoint.cu.
void keep_write(device *d, int array, size_t at, const void *from, size_t bytes, bool shapes_it);
int64_t device_copies_on_host(device *d, int64_t most, bool wait);
void device_copies_dropped(device *d);
void device_amend(device *d, int array, size_t at, const void *from, size_t bytes);
bool device_patch_set(device *d, const device_patch *list, int64_t count, device_error *why);
bool device_send(device *d, const char *from, size_t bytes, device_error *why);
void keep_free(device *d);

// checkpoint_layout.cu
void list_pieces(const device *d, const state *host, const device_keeping *what, piece_list *out);
bool gather_pieces(device *d, const piece_list *pieces, const device_keeping *what, char *to, device_error *why);
// Reads a piece from the device, or from the copy on the host if copies_on_host is set.
bool fetch(device *d, int32_t id, void *to, const void *from, size_t bytes, device_error *why);
bool fetch_packed(device *d, char *to, device_error *why); // reads all packed pieces of the copy
