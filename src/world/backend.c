// backend.c: the CPU as a backend, and keeping two copies in step.
#include "world/backend.h"
#include "world/world.h"

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

static pl_result walk(pl_world *w)
{
    cpu_walk(&w->cpu, &w->state, &w->plan, &w->timing);
    return PL_OK;
}

static void closed(pl_world *w) { (void)w; }

static const char *host(const pl_world *w)
{
    (void)w;
    return "cpu";
}

const backend cpu_backend = {PL_BACKEND_CPU, host, nothing, no_rows, nothing, walk, no_rows, closed};

pl_backend pl_world_backend(const pl_world *world) { return world->backend->which; }
const char *pl_world_device(const pl_world *world) { return world->backend->device(world); }

pl_result pull(const pl_world *w, uint32_t arrays)
{
    uint32_t wanted = arrays & w->away;
    pl_world *world = (pl_world *)w; // what a reader sees does not change: only where it lies
    for (int array = 0; array < 32; array++)
        if (wanted & ARRAY_BIT(array))
        {
            pl_result result = w->backend->read(world, array);
            if (result != PL_OK)
                return result;
            world->away &= ~ARRAY_BIT(array);
        }
    return PL_OK;
}

void touch(pl_world *w, uint32_t arrays)
{
    if (w->backend != &cpu_backend)
        w->touched |= arrays;
}
