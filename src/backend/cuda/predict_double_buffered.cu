// predict_double_buffered.cu: the prediction in one kernel with what follows it. A warm start reads where others were when the substep began, and how their
// bodies lay, which the prediction and the bodies' turn write: by themselves they need kernels of their own. So a substep's first kernel reads
// that from one array and writes another, beside it, and the two change places: what was SLOT_X is SLOT_X0 from there on, and what the prediction
// would have copied lies where it should. The ways out of bodies have an array beside SLOT_NORMAL for the same end.
//
// A frame that ends after an odd number of substeps, as one does that stops because a list has no room, changes them back.
#include "backend/cuda/per_particle.h"

schedule_world schedule_of(const device *d)
{
    return schedule_world_of(&d->captured, d->lists.slots > 0, d->surfaces.triangles > 0, d->lists.hard_shapes > 0);
}

static bool faces_lead(const device *d)
{
    schedule_world w = schedule_of(d);
    bool faces;
    schedule_leads(&w, d->plan, &faces);
    return faces;
}

static bool leads(const device *d)
{
    schedule_world w = schedule_of(d);
    bool faces;
    return schedule_leads(&w, d->plan, &faces);
}

bool asks_itself(const device *d)
{
    const plan *p = d->plan;
    return per_particle_stage(p->stages[p->head].op) & PER_PARTICLE_LEADS && leads(d) && p->count < STAMPS / 2;
}

bool ready_beside(device *d, device_error *why)
{
    return grow((void **)&d->faces, &d->faces_bytes, faces_lead(d) ? 16 * (size_t)d->captured.slots : 0, why);
}

void change_places(float **a, float **b)
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

// end: after the last of its substeps; else before the first.
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
