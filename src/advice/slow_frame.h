// slow_frame.h: finds the frame that took many times as long as the others, and what it did so long.
#ifndef PLIANT_SLOW_FRAME_H
#define PLIANT_SLOW_FRAME_H

#include <pliant/pliant.h>
#include <stddef.h>

// The slowest frame that was seen.
struct slow_frame
{
    int64_t frame; // 0: none yet
    pl_timing timing;
};

// Call it after each step but the first, which also prepares the world.
void slow_frame_note(struct slow_frame *s, int64_t frame, const pl_timing *timing);

// Writes what is slow about it, with what may help; false, and nothing, if it is not SLOW_TIMES the median of all frames or
// takes no longer than the `dt` seconds that it simulates. Times are in ms.
enum
{
    SLOW_TIMES = 10,
};
bool slow_frame_tell(const struct slow_frame *s, double median, float dt, char *out, size_t size);

#endif
