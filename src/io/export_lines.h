// export_lines.h: the strands of hair for exports: polylines through particles.
#ifndef PLIANT_IO_EXPORT_LINES_H
#define PLIANT_IO_EXPORT_LINES_H

#include <pliant/pliant.h>

struct strand_lines
{
    int count;      // lines
    int32_t *start; // count + 1: where the points of each line begin; of no line: NULL
    int32_t *point; // particle numbers
};

// Lists the strands of a world. A failure leaves none.
pl_result strand_lines_take(struct strand_lines *l, const pl_world *world);
// How many points all lines have together.
int strand_lines_points(const struct strand_lines *l);
void strand_lines_free(struct strand_lines *l);

#endif
