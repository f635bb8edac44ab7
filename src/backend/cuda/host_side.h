// host_side.h: the host's side of the CUDA backend.
#pragma once
#include "backend/cuda/device.h"
#include "model/world.h"

// What the host has of a frame and the next one changes, beside what is on the device: noted for each copy that is on its way home, when the
// step after it begins, edits included.
typedef struct moment
{
    int64_t number; // of the copy
    bool taken;
    int64_t frame;
    double time;
    flow flow;
    float last_dt, force_scale;
    list_now lists;
    surface_now surfaces;
    // contacts, skins
    bool listed, stale, resume, surface_listed, surface_resume;
    bool sparse;
    float margin, shape_contact_margin, surface_margin, horizon;
    int64_t crossings;
    kept_list kept, kept_shape_contacts,
        surface_kept; // where there are no lists: a saved world's, or those before an edit
    // where shapes are, and where pins that travel go
    shape *shapes;
    float *pins;
    int64_t shape_count, shape_capacity, pin_count, pin_capacity;
    // what touched
    pl_contact_counts counts;
    held_contact *held;
    int64_t held_count, held_capacity;
    // heat
    warm *warm;
    int64_t warm_count, warm_capacity;
} moment;

enum
{
    MOMENTS = 3,        // two copies are at home, a third sets out
    COPIES_NOTED = 256, // more than two of those that are sent, of 2^26 slots
};

typedef struct cuda_side
{
    const device_api *api;
    device *device;
    list_now lists;
    surface_now surfaces;
    int32_t collider_version, shape_version; // of contacts, as they were when the device was told
    int32_t surface_version;                 // ... and of skins
    bool told_surfaces;                      // there were some then
    int32_t slots, particles;                // of the structure that was sent
    bool lost;                               // the device no longer answers
    bool running;                            // the frame has changed what is there
    int64_t copies;                          // frames that set out for home so far, or were to
    moment moments[MOMENTS];
    int next_moment;
    bool has_copy;           // of the structure that was sent
    bool bare;               // the device was lost, and there was no whole copy
    int64_t noted;           // the last of these whose moment has been taken
    int64_t begun;           // the frame at which the last step began
    int64_t host_checkpoint; // the host itself has what is in this one; 0: no longer
    // Of a world that is too large for it, positions and velocities alone come home: for each such copy when it was. Not all that
    // are counted are sent, hence more than two.
    struct
    {
        int64_t frame;
        double time;
    } copy[COPIES_NOTED];
    int64_t host_frame; // when the host last had everything
    double host_time;
    int64_t fresh; // the copy that is of now, 0: none
    device_patch *words;
    int64_t word_capacity;
} cuda_side;

// device_lost.c: a call has failed: brings the world to where it can go on without the device, and says so.
pl_result cuda_report(pl_world *w, const device_error *why);
pl_result cuda_not_lost(const pl_world *w);
// A frame has failed and the device still answers: the world is as it was before it. False: it cannot be had.
bool cuda_frame_undone(pl_world *w);
void cuda_start_poses(pl_world *w);     // see model/backend.h
void cuda_moment(pl_world *w);          // a step begins
pl_result cuda_keep_copy(pl_world *w);  // a frame was good: it sets out for home
pl_result cuda_keep_first(pl_world *w); // a frame is about to run: a copy of what is before it must be there
void cuda_moments_free(pl_world *w);

// contacts.c: before a frame, after it, and the lists on their way home
pl_result cuda_contacts_begin(pl_world *w);
pl_result cuda_far_away(const pl_world *w); // a particle is beyond the cells
void cuda_contacts_end(pl_world *w);
pl_result cuda_contacts_read(pl_world *w);

// surfaces_host.c: the same for skins
pl_result cuda_surface_begin(pl_world *w);
pl_result cuda_surface_untangle(pl_world *w); // the device has stopped: skins cross
pl_result cuda_surface_far(const pl_world *w);
void cuda_surface_end(pl_world *w);
pl_result cuda_surface_read(pl_world *w);

// heat.c: heat flows where the positions are
pl_result cuda_conduct(pl_world *w, float widest, double dt, bool *done);
