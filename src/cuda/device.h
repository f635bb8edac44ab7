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
    char text[256];
} device_error;

// Opens the first device. NULL: see `why`.
device *device_open(device_error *why);
void device_close(device *d);
const char *device_name(const device *d);

// Takes over a new structure: copies everything, and captures the plan as a graph.
bool device_structure(device *d, const state *host, device_shape shape, device_error *why);
bool device_plan(device *d, const plan *p, device_error *why);
// Copies one kind's parameters, or one slot array, to the device.
bool device_rows(device *d, const state *host, int kind, device_error *why);
bool device_write(device *d, const state *host, int array, device_error *why);
// Runs a frame: the host's settings of the frame go in, the flow goes in and comes out.
bool device_frame(device *d, const state *host, flow *now, float *milliseconds, device_error *why);
// Copies a slot array, or every kind's multipliers, to the host's own.
bool device_read(device *d, const state *host, int array, device_error *why);
bool device_read_multipliers(device *d, const state *host, device_error *why);

#ifdef __cplusplus
}
#endif
