// frame_table.h: a run's numbers frame by frame, as a table (CSV) that spreadsheets and scripts read.
#ifndef PLIANT_CLI_FRAME_TABLE_H
#define PLIANT_CLI_FRAME_TABLE_H

#include "core/files.h"
#include "probes.h"

struct frame_table
{
    struct out_file out; // closed, when stream is NULL
    bool begun;          // its first line, the names, is written
    pl_tear_counts torn; // what was counted up to the frame before
    int64_t melted, frozen;
    const struct probes *probes; // a column for each, after all others
};

// Whether the name asks for one: it ends in .csv.
bool frame_table_named(const char *path);
// Does nothing, as all that follows, where the name does not.
pl_result frame_table_open(struct frame_table *table, const char *path, const pl_world *world,
                           const struct probes *probes);
// Adds a line of the world as it is now. ms: what the step took; below 0: no step led here.
void frame_table_frame(struct frame_table *table, const pl_world *world, double ms);
// One without a line leaves nothing behind.
pl_result frame_table_close(struct frame_table *table);

#endif
