// volumes_pack.c: packs the volumes (closed triangle surfaces whose enclosed volume is kept) into the arrays that the
// stages read (kernels/volume.h), and plans their stages.
#include "core/arena.h"
#include "groups/volumes.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <string.h>

// The members of a volume are its particles, in the order in which its triangles first name them.
typedef struct packing
{
    int32_t members, chunks;
} packing;

static packing measure(const pl_world *w, uint8_t *seen)
{
    const volumes *v = &w->volumes;
    packing p = {0};
    memset(seen, 0, (size_t)w->numbers.end);
    for (int64_t i = 0; i < v->count; i++)
    {
        int32_t before = p.members;
        for (int64_t k = 3 * (int64_t)v->start[i]; k < 3 * (int64_t)v->start[i + 1]; k++)
        {
            p.members += !seen[v->triangle[k]];
            seen[v->triangle[k]] = 1;
        }
        p.chunks += (p.members - before + VOLUME_CHUNK - 1) / VOLUME_CHUNK;
    }
    return p;
}

pl_result volumes_size(pl_world *w)
{
    volumes *v = &w->volumes;
    uint8_t *seen = NULL;
    int64_t capacity = 0;
    v->members = v->chunks = 0;
    if (v->count == 0)
        return PL_OK;
    pl_result result = array_reserve(&w->memory, &seen, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
    {
        packing p = measure(w, seen);
        v->members = p.members, v->chunks = p.chunks;
    }
    array_free(&w->memory, &seen, &capacity, 1);
    return result;
}

void volumes_lay_out(pl_world *w, arena *a)
{
    const volumes *v = &w->volumes;
    packed_volumes *p = &w->state.volumes;
    p->count = (int32_t)v->count;
    p->members = v->members;
    p->triangles = v->count ? v->start[v->count] : 0;
    p->chunks = v->chunks;
    packed_lay_out(&w->state, OWNER_VOLUMES, a);
}

// Fills a volume's members and, for each member, its triangles: the two corners that follow it.
static int32_t fill_volume(pl_world *w, int64_t i, int32_t member, int32_t *member_of)
{
    const volumes *v = &w->volumes;
    packed_volumes *p = &w->state.volumes;
    int32_t first = member;
    int64_t begin = 3 * (int64_t)v->start[i], end = 3 * (int64_t)v->start[i + 1];
    for (int64_t k = begin; k < end; k++)
        member_of[w->numbers.slot_of[v->triangle[k]]] = -1;
    for (int64_t k = begin; k < end; k++)
    {
        int32_t slot = w->numbers.slot_of[v->triangle[k]];
        if (member_of[slot] < 0)
        {
            p->corner_start[member] = 0;
            p->member[member] = 4 * (uint32_t)slot;
            member_of[slot] = member++;
        }
        p->corner_start[member_of[slot]]++;
    }
    int32_t at = (int32_t)begin; // each corner of a triangle makes one entry
    for (int32_t m = first; m < member; m++)
    {
        int32_t here = p->corner_start[m];
        p->corner_start[m] = at;
        at += here;
    }
    p->corner_start[member] = at;
    for (int64_t k = begin; k < end; k++)
    {
        int32_t m = member_of[w->numbers.slot_of[v->triangle[k]]], e = p->corner_start[m]++;
        for (int c = 1; c < 3; c++)
            p->corner[2 * (size_t)e + (size_t)c - 1] =
                4 * (uint32_t)w->numbers.slot_of[v->triangle[k / 3 * 3 + (k + c) % 3]];
    }
    memmove(p->corner_start + first + 1, p->corner_start + first, (size_t)(member - first) * sizeof *p->corner_start);
    p->corner_start[first] = (int32_t)begin;
    return member;
}

void volumes_fill(pl_world *w, int32_t *member_of)
{
    const volumes *v = &w->volumes;
    packed_volumes *p = &w->state.volumes;
    int32_t member = 0, chunk = 0;
    for (int32_t i = 0; i < p->count; i++)
    {
        p->start[i] = member;
        p->volume_chunk[i] = chunk;
        member = fill_volume(w, i, member, member_of);
        for (int32_t k = p->start[i]; k < member; k += VOLUME_CHUNK)
        {
            p->chunk_volume[chunk] = i;
            p->chunk_start[chunk++] = k;
        }
        p->body[i] = v->body[i];
    }
    if (p->count == 0)
        return;
    p->start[p->count] = p->chunk_start[chunk] = member;
    p->volume_chunk[p->count] = chunk;
}

void volumes_unpack(pl_world *w)
{
    if (w->volumes.count)
        memcpy(w->volumes.body, w->state.volumes.body, (size_t)w->volumes.count * sizeof *w->volumes.body);
}

// ---- stages --------------------------------------------------------------------------------------------------------

static void plan_volumes(planner *p, bool first)
{
    const packed_volumes *v = &p->world->state.volumes;
    stage g = {.first = first, .grain_size = 1};
    if (!v->count)
        return;
    g.op = OP_VOLUME_SUM, g.end = v->chunks;
    plan_stage(p, g);
    g.op = OP_VOLUME_SOLVE, g.end = v->count;
    plan_stage(p, g);
    g.op = OP_VOLUME_MOVE, g.end = v->chunks;
    plan_stage(p, g);
}

void volumes_plan(planner *p, enum plan_hook hook, int iteration)
{
    if (hook == PLAN_BEFORE_CONTACTS)
        plan_volumes(p, iteration == 0);
}
