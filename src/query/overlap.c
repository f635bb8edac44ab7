// overlap.c: finds the particles that overlap a ball or a box.
#include "query/cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct overlap_search
{
    const pl_world *w;
    const pl_region *region;
    placement at;
    int32_t *found;
    int64_t count, capacity;
} overlap_search;

static bool overlaps(const overlap_search *f, int32_t n)
{
    const pl_world *w = f->w;
    const pl_region *r = f->region;
    int32_t slot = w->numbers.slot_of[n];
    if (slot < 0 || !(phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT & (uint32_t)r->mask))
        return false;
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
    vec p = into_frame(&f->at, vec_of(x[0], x[1], x[2]));
    surface_distance s = r->box ? probe_box(p, vec_of(r->half.x, r->half.y, r->half.z), r->radius)
                                : probe_sphere(p, vec_of(0.0f, 0.0f, 0.0f), r->radius);
    return !(s.distance > w->state.slot[SLOT_COLLISION][4 * (size_t)slot]);
}

static double visit(void *arg, int32_t n)
{
    overlap_search *f = arg;
    if (overlaps(f, n))
    {
        if (f->count < f->capacity)
            f->found[f->count] = n;
        f->count++;
    }
    return 0.0;
}

static int by_number(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

// Finds the same through the tree: it yields the numbers in any order, so all are collected and sorted.
static pl_result overlap_in_tree(overlap_search *f, int32_t *out, int capacity)
{
    const pl_region *r = f->region;
    const float *m = f->at.rotation;
    memory own;
    void *block = NULL;
    tree_line line = {{(double)r->position.x, (double)r->position.y, (double)r->position.z}, {0.0, 1.0, 0.0}, {0}};
    for (int k = 0; k < 3; k++)
        line.half[k] = (double)r->radius + (r->box ? fabs((double)m[3 * k]) * (double)r->half.x +
                                                         fabs((double)m[3 * k + 1]) * (double)r->half.y +
                                                         fabs((double)m[3 * k + 2]) * (double)r->half.z
                                                   : 0.0);
    const query_tree *t = &f->w->queries.tree[QUERY_PARTICLES];
    tree_cast(t, &line, 0.0, visit, f); // counts
    if (!f->count || !capacity)
        return PL_OK;
    memory_open(&own, &f->w->memory.hook);
    size_t size = (size_t)f->count * sizeof(int32_t);
    pl_result result = memory_resize(&own, &block, 0, size);
    if (result != PL_OK)
        return result;
    f->found = block, f->capacity = f->count, f->count = 0;
    tree_cast(t, &line, 0.0, visit, f);
    qsort(f->found, (size_t)f->count, sizeof(int32_t), by_number);
    memcpy(out, f->found, (size_t)(f->count < capacity ? f->count : capacity) * sizeof *out);
    memory_free(&own, block, size);
    return PL_OK;
}

pl_result pl_overlap(const pl_world *w, const pl_region *region, int32_t *out, int capacity, int *count)
{
    NEED(w);
    NEED(region);
    NEED(count);
    PLAIN_ROUNDING;
    unsigned trees;
    if (capacity < 0 || (capacity > 0 && !out))
        return fail(PL_ERROR_ARGUMENT, "overlap: capacity is %d with out %s; give room for as many numbers", capacity,
                    out ? "given" : "NULL");
    pl_result result = check_region(region);
    if (result == PL_OK)
        result = query_prepare(w, PL_CAST_PARTICLES, &trees);
    if (result != PL_OK)
        return result;
    overlap_search f = {.w = w, .region = region, .at = placement_of(region->position, region->rotation)};
    if (trees >> QUERY_PARTICLES & 1)
        result = overlap_in_tree(&f, out, capacity);
    else
    {
        f.found = out, f.capacity = capacity;
        for (int32_t n = 0; n < w->numbers.end; n++)
            visit(&f, n);
    }
    if (result == PL_OK)
        *count = (int)f.count;
    return result;
}
