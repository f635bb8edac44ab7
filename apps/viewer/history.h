// history.h: snapshots of the last seconds, to go back to.
#ifndef PLIANT_VIEWER_HISTORY_H
#define PLIANT_VIEWER_HISTORY_H

#include <pliant/pliant.h>

enum
{
    PAST_COUNT = 100,
};

struct past
{
    struct
    {
        void *data;
        size_t size;
        double time;
    } shot[PAST_COUNT]; // a ring
    int first, count;
};

// Keeps a snapshot where one is due; older than `seconds`, they are dropped.
void past_keep(struct past *p, const pl_world *world, double seconds);
// The snapshot nearest to a time; NULL: none.
const void *past_find(struct past *p, double time, size_t *size);
// Forgets what came after a time: it is no longer the past of what comes next.
void past_cut(struct past *p, double time);
double past_oldest(const struct past *p, double otherwise);
void past_free(struct past *p);

#endif
