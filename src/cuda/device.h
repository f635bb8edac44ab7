// device.h: the part of the CUDA backend that nvcc compiles, behind plain C. Messages of failure come through `why`.
#pragma once
#include "world/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device device;

// The arrays behind a state: one block for everything packed, and the slot arrays.
typedef struct device_shape
{
    const char *packing;
    size_t packing_bytes;
} device_shape;

typedef struct device_error
{
    bool memory; // the device ran out of it
    char text[512];
} device_error;

// What the module libpliant_cuda.so offers. It is a library of its own, opened when a world asks for CUDA, so that libpliant itself
// needs nothing but libc and threads, and works where there is no CUDA at all.
typedef struct device_api
{
    size_t state_bytes; // of the build that made the module: it must be ours

    // Opens the first device. NULL: see `why`.
    device *(*open)(device_error *why);
    void (*close)(device *d);
    const char *(*name)(const device *d);
    // Takes over a new structure or a new plan.
    bool (*structure)(device *d, const state *host, device_shape shape, device_error *why);
    bool (*plan)(device *d, const plan *p, device_error *why);
    // Copies one kind's parameters, or one slot array, to the device.
    bool (*rows)(device *d, const state *host, int kind, device_error *why);
    bool (*write)(device *d, const state *host, int array, device_error *why);
    // Runs a frame: the host's settings of the frame go in, the flow goes in and comes out.
    bool (*frame)(device *d, const state *host, flow *now, float *milliseconds, device_error *why);
    // Copies a slot array, or every kind's multipliers, to the host's own.
    bool (*read)(device *d, const state *host, int array, device_error *why);
    bool (*read_multipliers)(device *d, const state *host, device_error *why);
} device_api;

// The module's one symbol.
extern __attribute__((visibility("default"))) const device_api pliant_device_api;

#ifdef __cplusplus
}
#endif
