// progress.h: a bar with rate and time left, on a terminal only.
#ifndef PLIANT_CLI_PROGRESS_H
#define PLIANT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress
{
    bool shown;
    int64_t first, last;
    double began, drawn; // ms
};

void progress_begin(struct progress *p, bool wanted, int64_t first, int64_t last);
void progress_show(struct progress *p, int64_t frame);
// Clears the line.
void progress_end(struct progress *p);

#endif
