// side.h: the host's side of the CUDA backend.
#pragma once
#include "cuda/device.h"
#include "world/world.h"

enum
{
    COPIES_NOTED = 256, // more than two of those that are sent, of 2^26 slots
};

typedef struct cuda_side
{
    const device_api *api;
    device *device;
    list_now lists;
    skin_now skin;
    int32_t crowds, surfaces; // of contacts, as they were when the device was told
    int32_t skins;            // ... and of skins
    bool told_skins;          // there were some then
    int32_t slots, particles; // of the structure that was sent
    bool lost;                // the device no longer answers
    int64_t home_frame;       // when the host last had everything
    double home_time;
    int64_t
        copies; // frames that set out for home so far; a large world sends only some of them, hence more than two are noted
    struct
    {
        int64_t frame;
        double time;
    } copy[COPIES_NOTED];
    int64_t fresh; // the copy that is of now, 0: none
    device_patch *words;
    int64_t word_capacity;
} cuda_side;

// A call has failed: brings the world to where it can go on without the device, and says so.
pl_result cuda_report(pl_world *w, const device_error *why);

// contacts.c: before a frame, after it, and the lists on their way home
pl_result cuda_contacts_begin(pl_world *w);
pl_result cuda_far_away(const pl_world *w); // a particle is beyond the cells
void cuda_contacts_end(pl_world *w);
pl_result cuda_contacts_read(pl_world *w);

// skins.c: the same for skins
pl_result cuda_skin_begin(pl_world *w);
pl_result cuda_skin_untangle(pl_world *w); // the device has stopped: skins cross
pl_result cuda_skin_far(const pl_world *w);
void cuda_skin_end(pl_world *w);
pl_result cuda_skin_read(pl_world *w);
