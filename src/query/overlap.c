// overlap.c: finds the particles that overlap a ball or a box. It tests every particle once.
#include "model/world.h"

#include <math.h>

pl_region pl_default_region(void)
{
    return (pl_region){.half = {0.5f, 0.5f, 0.5f}, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .mask = 255};
}

static pl_result check_region(const pl_region *r)
{
    const pl_quat q = r->rotation;
    float size = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!finite3(r->position))
        return fail(PL_ERROR_ARGUMENT, "overlap: the position must be finite");
    if (!(r->radius >= 0.0f && CHECK_FINITE(r->radius)))
        return fail(PL_ERROR_ARGUMENT, "overlap: radius is %g; it must be 0 or above", (double)r->radius);
    if (r->box && !(finite3(r->half) && r->half.x > 0.0f && r->half.y > 0.0f && r->half.z > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "overlap: half is (%g, %g, %g); each must be above 0", (double)r->half.x,
                    (double)r->half.y, (double)r->half.z);
    if (r->box && !(size > 0.9f && size < 1.1f))
        return fail(PL_ERROR_ARGUMENT, "overlap: rotation has length %g; it must be a quaternion of length 1",
                    (double)size);
    if (r->mask < 0 || r->mask > 255)
        return fail(PL_ERROR_ARGUMENT, "overlap: mask is %d; it must be from 0 to 255", r->mask);
    return PL_OK;
}

pl_result pl_overlap(const pl_world *w, const pl_region *region, int32_t *out, int capacity, int *count)
{
    NEED(w);
    NEED(region);
    NEED(count);
    PLAIN_ROUNDING;
    if (capacity < 0 || (capacity > 0 && !out))
        return fail(PL_ERROR_ARGUMENT, "overlap: capacity is %d with out %s; give room for as many numbers", capacity,
                    out ? "given" : "NULL");
    pl_result result = check_region(region);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result != PL_OK)
        return result;
    placement at = placement_of(region->position, region->rotation);
    const vec half = vec_of(region->half.x, region->half.y, region->half.z), middle = vec_of(0.0f, 0.0f, 0.0f);
    *count = 0;
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        int32_t slot = w->numbers.slot_of[n];
        if (slot < 0 || !(phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT & (uint32_t)region->mask))
            continue;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
        vec p = into_frame(&at, vec_of(x[0], x[1], x[2]));
        surface_distance s = region->box ? probe_box(p, half, region->radius) : probe_sphere(p, middle, region->radius);
        if (s.distance > w->state.slot[SLOT_COLLISION][4 * (size_t)slot])
            continue;
        if (*count < capacity)
            out[*count] = n;
        ++*count;
    }
    return PL_OK;
}
