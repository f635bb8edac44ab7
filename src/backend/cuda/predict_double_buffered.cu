// predict_double_buffered.cu: runs the prediction in one kernel with the stages that follow it. A warm start reads the
// positions of other particles at the start of the substep, and the poses of their bodies. The prediction and the shape
// matching of the bodies write these, so without double buffering each needs a kernel of its own. Here a substep's
// first kernel reads positions from one array and writes the predicted ones to the other, and the two swap roles: the
// array that was SLOT_X becomes SLOT_X0, so that the copy which the prediction would have made is already there. The
// directions out of bodies (SLOT_NORMAL) have a second array for the same purpose.
//
// If a frame ends after an odd number of substeps, for instance because a list has no room, the arrays are swapped
// back.
#include "backend/cuda/per_particle.h"

schedule_world schedule_of(const device *d)
{
    return schedule_world_of(&d->captured, d->lists.slots > 0, d->surfaces.triangles > 0, d->lists.hard_shapes > 0);
}

// Does a substep double buffer the directions out of bodies?
static bool faces_lead(const device *d)
{
    schedule_world w = schedule_of(d);
    bool faces;
    schedule_leads(&w, d->plan, &faces);
    return faces;
}

// Does a substep double buffer positions?
static bool leads(const device *d)
{
    schedule_world w = schedule_of(d);
    bool faces;
    return schedule_leads(&w, d->plan, &faces);
}

// Do the blocks of each substep's first kernel check the lists in a speculative frame (speculative_frame.cu)?
bool asks_itself(const device *d)
{
    const plan *p = d->plan;
    return per_particle_stage(p->stages[p->head].op) & PER_PARTICLE_LEADS && leads(d) && p->count < STAMPS / 2;
}

// Allocates the second array of the directions out of bodies, if it is needed.
bool ready_beside(device *d, device_error *why)
{
    return grow((void **)&d->faces, &d->faces_bytes, faces_lead(d) ? 16 * (size_t)d->captured.slots : 0, why);
}

void swap_arrays(float **a, float **b)
{
    float *was = *a;
    *a = *b;
    *b = was;
}

static __device__ __forceinline__ void change(float *a, float *b, int32_t slot)
{
    point p = load_points(a + 4 * (size_t)slot), q = load_points(b + 4 * (size_t)slot);
    store_points(a + 4 * (size_t)slot, q);
    store_points(b + 4 * (size_t)slot, p);
}

// Swaps the contents back after an odd number of substeps. end: after the frame's last substep; otherwise before its
// first.
static __global__ void __launch_bounds__(THREADS)
    change_back(const __grid_constant__ state s, float *faces, int32_t substeps, bool end)
{
    wait_for_previous_kernel();
    int32_t at = end ? s.now->to : s.now->from, slot = (int32_t)first_item();
    at = at < substeps ? at : substeps;
    if (at <= 0 || at % 2 == 0 || slot >= s.slots)
        return;
    change(s.slot[SLOT_X], s.slot[SLOT_X0], slot);
    if (faces)
        change(s.slot[SLOT_NORMAL], faces, slot);
}

bool launch_change(device *d, int32_t substeps, bool end, bool early, device_error *why)
{
    float *faces = faces_lead(d) ? d->faces : NULL;
    return !leads(d) ||
           start(why, d->stream, early, d->captured.slots, THREADS, 0, change_back, d->captured, faces, substeps, end);
}
