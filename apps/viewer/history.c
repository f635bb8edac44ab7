// history.c: see history.h.
#include "history.h"

#include <math.h>

// Snapshots of large worlds are large; a quarter of a gigabyte of them is enough.
static const size_t most_bytes = (size_t)256 << 20;

static int at(const struct past *p, int i) { return (p->first + i) % PAST_COUNT; }

static void drop_first(struct past *p)
{
    pl_free(p->shot[p->first].data);
    p->shot[p->first].data = NULL;
    p->first = (p->first + 1) % PAST_COUNT;
    p->count--;
}

void past_keep(struct past *p, const pl_world *world, double seconds)
{
    double time = pl_world_time(world), every = seconds / PAST_COUNT;
    void *data;
    size_t size, total = 0;
    if (p->count > 0 && time - p->shot[at(p, p->count - 1)].time < every * 0.999)
    {
        return;
    }
    if (pl_world_save_memory(world, &data, &size) != PL_OK)
    {
        return; // no memory: the past is a comfort, not a duty
    }
    for (int i = 0; i < p->count; i++)
    {
        total += p->shot[at(p, i)].size;
    }
    while (p->count > 0 &&
           (p->count == PAST_COUNT || total + size > most_bytes || time - p->shot[p->first].time > seconds))
    {
        total -= p->shot[p->first].size;
        drop_first(p);
    }
    int n = at(p, p->count++);
    p->shot[n].data = data;
    p->shot[n].size = size;
    p->shot[n].time = time;
}

const void *past_find(struct past *p, double time, size_t *size)
{
    int best = -1;
    for (int i = 0; i < p->count; i++)
    {
        if (best < 0 || fabs(p->shot[at(p, i)].time - time) < fabs(p->shot[at(p, best)].time - time))
        {
            best = i;
        }
    }
    *size = best < 0 ? 0 : p->shot[at(p, best)].size;
    return best < 0 ? NULL : p->shot[at(p, best)].data;
}

double past_oldest(const struct past *p, double otherwise) { return p->count > 0 ? p->shot[p->first].time : otherwise; }

void past_cut(struct past *p, double time)
{
    while (p->count > 0 && p->shot[at(p, p->count - 1)].time > time)
    {
        int n = at(p, --p->count);
        pl_free(p->shot[n].data);
        p->shot[n].data = NULL;
    }
}

void past_free(struct past *p)
{
    while (p->count > 0)
    {
        drop_first(p);
    }
}
