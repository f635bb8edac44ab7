// plot.h: writes line plots over time as SVG, a few panels one above the other.
#ifndef PLIANT_IO_PLOT_H
#define PLIANT_IO_PLOT_H

#include <pliant/pliant.h>

struct plot_line
{
    const char *name;
    const double *values; // one for each x
};

enum
{
    PLOT_MAX_LINES = 4,
};

struct plot_panel
{
    const char *title; // "energy"
    const char *unit;  // "J"
    double scale;      // values are multiplied by this; 0 counts as 1
    bool from_zero;    // the axis begins at 0
    struct plot_line lines[PLOT_MAX_LINES];
    int count;
};

struct plot
{
    const char *title, *subtitle;
    const char *x_title; // "time, s"
    const double *x;
    int samples;
    const struct plot_panel *panels;
    int panel_count;
};

// Writes to a temporary name and renames it when complete.
pl_result plot_write(const char *path, const struct plot *plot);

#endif
