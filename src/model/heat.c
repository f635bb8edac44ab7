// heat.c: keeps the temperatures of particles that are added, removed or split.
#include "model/world.h"

#include <string.h>

pl_result heat_reserve(pl_world *w, int64_t count)
{
    heat *h = &w->heat;
    pl_result result = array_reserve(&w->memory, &h->of_particle, &h->capacity, count, sizeof *h->of_particle);
    if (result == PL_OK && count > h->count)
    {
        memset(h->of_particle + h->count, 0, (size_t)(count - h->count) * sizeof *h->of_particle);
        h->count = count;
    }
    return result;
}

void heat_lost(pl_world *w, int32_t number)
{
    if (number < w->heat.count)
        memset(&w->heat.of_particle[number], 0, sizeof *w->heat.of_particle);
}

pl_result heat_split(pl_world *w, int32_t from, int32_t to)
{
    if (from >= w->heat.count || !w->heat.of_particle[from].rule)
        return PL_OK;
    pl_result result = heat_reserve(w, (int64_t)to + 1);
    if (result == PL_OK)
        w->heat.of_particle[to] = w->heat.of_particle[from];
    return result;
}
