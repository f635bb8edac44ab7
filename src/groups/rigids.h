// rigids.h: declares what other files use of rigid bodies.
#pragma once
#include "groups/particle_rotation.h"
#include "model/rigid_rest.h"

// What a body is made of, ready to be added.
typedef struct rigid_made
{
    rigid_form form;
    orient_pose pose;       // of the principal axes
    const rigid_part *part; // at least one
    int64_t parts;
} rigid_made;

// Gives particles frames; makes bodies of particles. A body without a frame does not rotate.
pl_result rigid_frames_add(pl_world *w, const int32_t *particles, const rigid_made *made, int count, pl_id *id);
pl_result rigids_add(pl_world *w, const int32_t *particles, const rigid_made *made, int count, pl_id *id);
// The inertia of a body's frame; a body that is locked against rotation has an inverse of 0.
frame_inertia rigid_frame(const rigid_form *f);
// Returns the number of the body whose particle it is, or -1. hint: a number to try first; it is set to the next one.
int64_t rigid_of(const pl_world *w, int32_t particle, int64_t *hint);
// Returns the number of the body that an id names, or -1 after fail().
int64_t rigid_find(const pl_world *w, pl_id body, const char *what, int64_t *hint);
// The world's position of a point of a slot, in double, and the other way round.
void slot_place(const pl_world *w, int32_t slot, double out[3]);
void slot_put(pl_world *w, int32_t slot, const double x[3]);

// ---- rigid_state.c
int32_t rigid_slot(const pl_world *w, int64_t body);
orient_pose *rigid_pose(pl_world *w, int64_t body); // in the unpacked arrays; NULL: its frame was taken away
// The position and the rotation of a body's own axes. Call rigid_pull before.
double_quat rigid_place(const pl_world *w, int64_t body, double x[3]);
pl_result rigid_pull(const pl_world *w);                    // gets what poses and velocities are read from
pl_result rigid_open(pl_world *w);                          // call before they are changed
double_quat rigid_axes_now(const orient_pose *p);           // the orientation of the principal axes, low part included
double_quat rigid_axes_of(const pl_world *w, int64_t body); // the same of a body. Call rigid_pull before.

// ---- rigid_force.c
pl_result rigid_check_values(const pl_rigid_def *d); // gravity, damping, locks
