// plot.h: writes line plots as SVG, a few panels one above the other: over time, or error against cost.
#ifndef PLIANT_IO_PLOT_H
#define PLIANT_IO_PLOT_H

#include <pliant/pliant.h>
#include <stdio.h>

struct plot_line
{
    const char *name;
    const double *values; // one for each x; those that are not finite are left out
    const double *x;      // NULL: the plot's
    int samples;          // of its own x
    bool marks;           // draw a dot at each value
};

enum
{
    PLOT_MAX_LINES = 8,
};

struct plot_panel
{
    const char *title; // "energy"
    const char *unit;  // "J"
    double scale;      // values are multiplied by this; 0 counts as 1
    bool from_zero;    // the axis begins at 0
    bool log_y;        // the axis is logarithmic; values that are not positive are left out
    struct plot_line lines[PLOT_MAX_LINES];
    int count;
};

struct plot
{
    const char *title, *subtitle;
    const char *x_title; // "time, s"
    bool log_x;          // the axis is logarithmic
    const double *x;     // for all lines without their own
    int samples;
    const struct plot_panel *panels;
    int panel_count;
};

// Writes the <svg> element, to be part of a page or a file of its own.
void plot_put(FILE *f, const struct plot *plot);
// Writes to a temporary name and renames it when complete.
pl_result plot_write(const char *path, const struct plot *plot);

#endif
