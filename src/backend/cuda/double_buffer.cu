// double_buffer.cu: double buffers the directions out of bodies (SLOT_NORMAL; the second array is `faces`), so that the
// shape matching of bodies runs in one kernel with the warm start before it. The warm start reads the directions out of
// other bodies, and the shape matching writes them, so without double buffering each needs a kernel of its own. Here a
// substep's first kernel reads them from one array and writes them to another, and the two swap roles.
//
// If a frame ends after an odd number of substeps, for instance because a list has no room, the arrays are swapped
// back.
#include "backend/cuda/per_particle.h"

schedule_world schedule_of(const device *d)
{
    return schedule_world_of(&d->captured, d->lists.slots > 0, d->surfaces.triangles > 0, d->lists.hard_shapes > 0);
}

// Does a substep double buffer the directions out of bodies?
static bool faces_double(const device *d)
{
    schedule_world w = schedule_of(d);
    bool faces;
    schedule_leads(&w, d->plan, &faces);
    return faces;
}

// Do the blocks of each substep's first kernel check the lists in a speculative frame (speculative_frame.cu)?
bool kernel_tests_lists(const device *d)
{
    const plan *p = d->plan;
    schedule_world w = schedule_of(d);
    bool faces;
    return per_particle_stage(p->stages[p->head].op) & PER_PARTICLE_LEADS && schedule_leads(&w, p, &faces) &&
           p->count < STAMPS / 2;
}

// Allocates the second array of the directions out of bodies, if it is needed.
bool ready_faces(device *d, device_error *why)
{
    return grow((void **)&d->faces, &d->faces_bytes, faces_double(d) ? 16 * (size_t)d->captured.slots : 0, why);
}

void swap_faces(device *d)
{
    float *was = d->captured.slot[SLOT_NORMAL];
    d->captured.slot[SLOT_NORMAL] = d->faces;
    d->faces = was;
}

// Swaps the contents back after an odd number of substeps. end: after the frame's last substep; otherwise before its
// first.
static __global__ void __launch_bounds__(THREADS)
    faces_back(const __grid_constant__ state s, float *faces, int32_t substeps, bool end)
{
    wait_for_previous_kernel();
    int32_t at = end ? s.now->to : s.now->from, slot = (int32_t)first_item();
    at = at < substeps ? at : substeps;
    if (at <= 0 || at % 2 == 0 || slot >= s.slots)
        return;
    float *a = s.slot[SLOT_NORMAL] + 4 * (size_t)slot, *b = faces + 4 * (size_t)slot;
    point p = load_points(a), q = load_points(b);
    store_points(a, q);
    store_points(b, p);
}

bool launch_faces_back(device *d, int32_t substeps, bool end, bool early, device_error *why)
{
    return !faces_double(d) || start(why, d->stream, early, d->captured.slots, THREADS, 0, faces_back, d->captured,
                                     d->faces, substeps, end);
}
