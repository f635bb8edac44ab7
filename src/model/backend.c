// backend.c: keeps the copies of the arrays on host and device in step.
#include "model/backend.h"
#include "model/world.h"

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
    world_changed(w, false);
    if (arrays & (ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_D) | ARRAY_BIT(SLOT_COLLISION)))
        w->body_particles.stale = true;
    if (w->backend->which != PL_BACKEND_CPU)
        w->host_changed |= arrays;
}
