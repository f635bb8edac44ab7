// backend.c: implements the CPU backend, and keeps the copies of the arrays on host and device in step.
#include "model/backend.h"
#include "model/world.h"

#include <string.h>

static pl_result nothing(pl_world *w)
{
    (void)w;
    return PL_OK;
}

static pl_result no_rows(pl_world *w, int kind)
{
    (void)w, (void)kind;
    return PL_OK;
}

static void walk_stages(pl_world *w, int64_t begin, int64_t end)
{
    cpu_walk(&w->cpu, &w->state, &w->plan, begin, end, &w->timing);
}

// Runs the whole plan at once or, with contacts, substep by substep: the contact lists may have to be rebuilt before
// each substep.
static pl_result walk(pl_world *w)
{
    const plan *p = &w->plan;
    memset(&w->timing, 0, sizeof w->timing);
    if (!has_contacts(w))
    {
        walk_stages(w, 0, p->count);
        return PL_OK;
    }
    walk_stages(w, 0, p->head);
    for (int s = 0; s < w->settings.substeps; s++)
    {
        double since = cpu_now();
        pl_result result = contacts_refresh(w, s);
        w->timing.stage[PL_STAGE_GRID] += cpu_now() - since;
        if (result != PL_OK)
            return result;
        walk_stages(w, p->head + s * p->body, p->head + (s + 1) * p->body);
        result = w->events.on ? events_note(w) : PL_OK;
        if (result != PL_OK)
            return result;
    }
    walk_stages(w, p->head + w->settings.substeps * p->body, p->count);
    return PL_OK;
}

static void closed(pl_world *w) { (void)w; }

static const char *host(const pl_world *w)
{
    (void)w;
    return "cpu";
}

const backend cpu_backend = {.which = PL_BACKEND_CPU,
                             .device = host,
                             .structure = nothing,
                             .rows = no_rows,
                             .plan = nothing,
                             .frame = walk,
                             .read = no_rows,
                             .close = closed};

pl_backend pl_world_backend(const pl_world *world) { return world ? world->backend->which : PL_BACKEND_CPU; }
const char *pl_world_device(const pl_world *world) { return world ? world->backend->device(world) : "none"; }

double pl_world_copy_rate(pl_world *world)
{
    return world && world->backend->copy_rate ? world->backend->copy_rate(world) : 0.0;
}

pl_result pull(const pl_world *w, uint32_t arrays)
{
    uint32_t wanted = arrays & w->device_newer;
    pl_world *world = (pl_world *)w; // no value changes, only where the newest copy is
    if (wanted && w->patch_count)
    {
        pl_result result = w->backend->patch(world);
        if (result != PL_OK)
            return result;
    }
    for (int array = 0; array < 32; array++)
        if (wanted & ARRAY_BIT(array))
        {
            pl_result result = w->backend->read(world, array);
            if (result != PL_OK)
                return result;
            world->device_newer &= ~ARRAY_BIT(array);
        }
    return PL_OK;
}

void mark_changed(pl_world *w, uint32_t arrays)
{
    if (w->backend != &cpu_backend)
        w->host_changed |= arrays;
}

static pl_result keep_all(pl_world *w)
{
    pl_result result = pull(w, ALL_ARRAYS);
    if (result == PL_OK)
        result = rows_unpack(w);
    if (result == PL_OK)
        result = contacts_keep(w);
    return result == PL_OK ? surface_keep(w) : result;
}

static void let_go(pl_world *w)
{
    contacts *t = &w->contacts;
    w->device_newer = w->host_changed = 0;
    t->resume = t->resume || (t->listed && !t->stale);
    t->listed = false;
    w->surfaces.resume = w->surfaces.resume || (w->surfaces.listed && !t->stale);
    w->surfaces.listed = false;
    w->order_stale = true;
}

pl_result unpack_world(pl_world *w)
{
    pl_result result = keep_all(w);
    if (result == PL_OK)
        let_go(w);
    return result;
}

pl_result pl_world_set_backend(pl_world *w, pl_backend which)
{
    NEED(w);
    if ((unsigned)which > PL_BACKEND_CUDA)
        return fail(PL_ERROR_ARGUMENT, "backend is %d; it must be PL_BACKEND_CPU or PL_BACKEND_CUDA", (int)which);
    if (which == w->backend->which)
        return PL_OK;
    pl_result result = keep_all(w);
    const backend *before = w->backend;
    if (result == PL_OK && which == PL_BACKEND_CUDA)
        result = cuda_open(w);
    if (result != PL_OK)
        return result;
    before->close(w);
    if (which == PL_BACKEND_CPU)
        w->backend = &cpu_backend;
    let_go(w);
    return PL_OK;
}
