// host_side.h: the data that the CUDA backend keeps on the host, and the functions of its C files.
#pragma once
#include "backend/cuda/device.h"
#include "model/world.h"

// The part of a state that frames change on the host, not on the device. A complete copy of the device's state needs it
// too, so it is recorded for each copy, when the next step begins: edits since the copy are included.
typedef struct host_record
{
    int64_t number; // of the copy
    bool taken;     // the record is complete
    int64_t frame;
    double time;
    flow flow;
    float last_dt, force_scale;
    list_now lists;
    surface_now surfaces;
    // contacts, self-collision
    bool listed, stale, resume, surface_listed, surface_resume;
    bool sparse;
    float margin, shape_contact_margin, surface_margin, horizon;
    int64_t crossings;
    // Multipliers when there are no lists: those of a saved world, or those from before an edit.
    kept_list kept, kept_shape_contacts;
    kept_surface_list surface_kept;
    // where shapes are, and the targets of moving pins
    shape *shapes;
    float *pins;
    int64_t shape_count, shape_capacity, pin_count, pin_capacity;
    // contact events
    pl_contact_counts counts;
    held_contact *held;
    int64_t held_count, held_capacity;
    // heat
    particle_heat *heat_of_particle;
    int64_t heat_count, heat_capacity;
    // which rigid bodies sleep, and their contacts
    rigid_rest *rest;
    rigid_kept *resting;
    int64_t rest_count, rest_capacity, resting_count, resting_capacity;
} host_record;

enum
{
    HOST_RECORDS = 3, // two copies are on the host, a third is being copied
    // More than two intervals between the copies of 2^26 slots, which are sent every 65 frames.
    COPIES_NOTED = 256,
};

typedef struct cuda_side
{
    const device_api *api;
    device *device;
    list_now lists;
    surface_now surfaces;
    // Versions of the contacts that were sent to the device.
    int32_t collider_version, shape_version;
    int32_t surface_version;  // version of the surfaces that were sent
    bool sent_surfaces;       // the world had surfaces then
    int32_t slots, particles; // of the structure that was sent
    bool lost;                // the device no longer answers
    bool running;             // the current frame has changed the state on the device
    int64_t copies;           // number of copies started so far, or due
    host_record records[HOST_RECORDS];
    int next_record;
    bool has_copy;            // of the structure that was sent
    bool bare;                // the device was lost, and there was no complete copy
    int64_t noted;            // number of the newest copy for which a record was made
    int64_t begun;            // the frame at which the last step began
    int64_t host_copy_number; // number of the copy that the host's own arrays still equal; 0: none
    // If the world is too large for complete copies, only positions and velocities are copied: the frame and time of
    // each such copy. Not every number is sent, hence more than two entries.
    struct
    {
        int64_t frame;
        double time;
    } copy[COPIES_NOTED];
    int64_t host_frame; // when the host's arrays were last complete
    double host_time;
    int64_t fresh; // number of the copy that equals the current state; 0: none
    device_patch *words;
    int64_t word_capacity;
} cuda_side;

// device_lost.c: reports a failed call. Unless it failed for lack of memory, the device is lost: brings the world into
// a state from which it can continue without the device.
pl_result cuda_report(pl_world *w, const device_error *why);
pl_result cuda_not_lost(const pl_world *w);
// After a failed frame, while the device still answers: restores the state before the frame. False: it could not be
// restored.
bool cuda_frame_undone(pl_world *w);
void cuda_start_poses(pl_world *w); // see model/backend.h
// Records the host's part of the state. Called when a step begins.
void cuda_record_host(pl_world *w);
// Starts a copy to the host after a good frame.
pl_result cuda_keep_copy(pl_world *w);
// Before a frame runs: makes sure that there is a copy of the state before it.
pl_result cuda_keep_first(pl_world *w);
void cuda_records_free(pl_world *w);

// contacts_host.c: before a frame, after it, and reading the lists
pl_result cuda_contacts_begin(pl_world *w);
pl_result cuda_far_away(const pl_world *w); // reports a particle beyond the range of the cells
void cuda_contacts_end(pl_world *w);
pl_result cuda_contacts_read(pl_world *w);

// surfaces_host.c: the same for self-collision
pl_result cuda_surface_begin(pl_world *w);
pl_result cuda_surface_untangle(pl_world *w); // the device has stopped because surfaces cross
pl_result cuda_surface_far(const pl_world *w);
void cuda_surface_end(pl_world *w);
pl_result cuda_surface_read(pl_world *w);

// heat_host.c: conducts heat on the device, where the positions are
pl_result cuda_conduct(pl_world *w, float widest, double dt, bool *done);
