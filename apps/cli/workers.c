// workers.c: what the engine chose when the defaults were asked for; the only file that looks inside a world.
#include "cli.h"

#include "world/world.h"

int world_lanes(const pl_world *world)
{
    return world->cpu.lanes->lanes;
}

int world_threads(const pl_world *world)
{
    return pool_threads(world->cpu.workers);
}
