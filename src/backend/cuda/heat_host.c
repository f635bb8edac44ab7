// heat_host.c: the host's side of heat conduction on the device. Sends the heat of the particles and reads it back;
// positions stay on the device.
#include "backend/cuda/host_side.h"
#include "neighbours/heat/heat.h"

#if defined(PL_CUDA)

typedef struct exchange
{
    pl_world *w;
    device_heat_particle *there;
} exchange;

static void send_some(void *arg, int64_t begin, int64_t end)
{
    const exchange *e = arg;
    const heat *h = &e->w->heat;
    for (int64_t i = begin; i < end; i++)
    {
        const particle_heat *m = &h->of_particle[h->number[i]];
        e->there[i] = (device_heat_particle){m->heat, e->w->numbers.slot_of[h->number[i]],
                                             2 * (m->rule - 1) + (m->molten ? 1 : 0)};
    }
}

static void take_some(void *arg, int64_t begin, int64_t end)
{
    const exchange *e = arg;
    const heat *h = &e->w->heat;
    for (int64_t i = begin; i < end; i++)
    {
        particle_heat *m = &h->of_particle[h->number[i]];
        m->heat = e->there[i].heat;
        m->molten = e->there[i].what & 1;
    }
}

// Leaves the work to the host if a particle is beyond the device's cells, since the host then finds and reports it, or
// if the device has no memory for heat. Nothing is lost: the host has everything until all results have been read back.
static pl_result leave_to_host(pl_world *w, const device_error *why)
{
    return why->far || why->memory ? PL_OK : cuda_report(w, why);
}

pl_result cuda_conduct(pl_world *w, float widest, double dt, bool *done)
{
    const cuda_side *c = w->cuda;
    const heat *h = &w->heat;
    parallel threads = cpu_parallel(&w->cpu);
    device_error why = {0};
    device_heat what = {h->items, (int32_t)h->rule_count, h->hot_count, h->rules, h->hot, widest, (double)h->ambient};
    double rate, step;
    pl_result result = cuda_not_lost(w);
    // The device's positions may be out of date.
    if (result != PL_OK || w->host_changed || w->patch_count || w->order_stale)
        return result;
    exchange e = {w, c->api->heat_room(c->device, h->items, &why)};
    if (!e.there)
        return leave_to_host(w, &why);
    parallel_for(&threads, send_some, &e, h->items, HEAT_WAKE);
    if (!c->api->heat_open(c->device, &what, &rate, &why))
        return leave_to_host(w, &why);
    int steps = heat_steps(w, rate, dt, &step);
    if (!c->api->heat_flow(c->device, steps, step, &why))
        return leave_to_host(w, &why);
    parallel_for(&threads, take_some, &e, h->items, HEAT_WAKE);
    *done = true;
    return PL_OK;
}

#endif
