// cpu_backend.c: implements the CPU backend: runs the plan of a frame with the workers of the world.
#include "backend/cpu/cpu.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/contact/events.h"
#include "world/cpu_backend.h"

#include <string.h>

static pl_result do_nothing(pl_world *w)
{
    (void)w;
    return PL_OK;
}

static pl_result do_nothing_for_kind(pl_world *w, int kind)
{
    (void)w, (void)kind;
    return PL_OK;
}

static void run_stages(pl_world *w, int64_t begin, int64_t end)
{
    cpu_walk(&w->cpu, &w->state, &w->plan, begin, end, &w->timing);
}

// Runs the whole plan at once or, with contacts, substep by substep: the contact lists may have to be rebuilt before
// each substep.
static pl_result run_substeps(pl_world *w)
{
    const plan *p = &w->plan;
    memset(&w->timing, 0, sizeof w->timing);
    if (!has_contacts(w))
    {
        run_stages(w, 0, p->count);
        return PL_OK;
    }
    run_stages(w, 0, p->head);
    for (int s = 0; s < w->settings.substeps; s++)
    {
        double since = cpu_now();
        pl_result result = contacts_refresh(w, s);
        w->timing.stage[PL_STAGE_GRID] += cpu_now() - since;
        if (result != PL_OK)
            return result;
        run_stages(w, p->head + s * p->body, p->head + (s + 1) * p->body);
        result = events_need_substeps(w) ? events_note(w) : PL_OK;
        if (result != PL_OK)
            return result;
    }
    run_stages(w, p->head + w->settings.substeps * p->body, p->count);
    return PL_OK;
}

// The time of each frame tells how many workers pay.
static pl_result run_frame(pl_world *w)
{
    double since = cpu_now();
    pl_result result = run_substeps(w);
    if (!w->cpu.tasks.run)
        pool_frame(w->cpu.workers, cpu_now() - since);
    return result;
}

static void close_nothing(pl_world *w) { (void)w; }

static const char *device_name(const pl_world *w)
{
    (void)w;
    return "cpu";
}

const backend cpu_backend = {.which = PL_BACKEND_CPU,
                             .device = device_name,
                             .structure = do_nothing,
                             .rows = do_nothing_for_kind,
                             .plan = do_nothing,
                             .frame = run_frame,
                             .read = do_nothing_for_kind,
                             .close = close_nothing};
