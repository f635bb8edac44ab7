// slow_frame.c: see slow_frame.h.
#include "slow_frame.h"

#include <stdio.h>

void slow_frame_note(struct slow_frame *s, int64_t frame, const pl_timing *timing)
{
    if (s->frame == 0 || timing->total > s->timing.total)
    {
        s->frame = frame;
        s->timing = *timing;
    }
}

static const char *const remedies[PL_STAGE_GROUP_COUNT] = {
    [PL_STAGE_PREPARE] =
        "constraints were ordered again, after a cut, a tear or an edit; tear less in one frame, or use "
        "fewer particles",
    [PL_STAGE_PREDICT] = "another program may have used the processor",
    [PL_STAGE_ELEMENTS] = "another program may have used the processor",
    [PL_STAGE_VELOCITY] = "another program may have used the processor",
    [PL_STAGE_GRID] = "neighbours were searched again and again, because something is very fast or has flown away; use "
                      "a damping, a smaller load or more substeps",
    [PL_STAGE_CONTACTS] = "very much touches at once; use fewer particles, a smaller thickness or less speed",
};

bool slow_frame_tell(const struct slow_frame *s, double median, float dt, char *out, size_t size)
{
    double slow = s->timing.total;
    int most = 0;
    if (s->frame == 0 || !(slow > SLOW_TIMES * median) || !(slow > 1000.0 * (double)dt))
        return false;
    for (int i = 1; i < PL_STAGE_GROUP_COUNT; i++)
        most = s->timing.stage[i] > s->timing.stage[most] ? i : most;
    snprintf(out, size, "frame %lld took %.3g ms, %.0f times the median, most of it for %s: %s", (long long)s->frame,
             slow, median > 0.0 ? slow / median : 0.0, pl_stage_name((pl_stage_group)most), remedies[most]);
    return true;
}
