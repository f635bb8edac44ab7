// report.h: what a comparison leaves behind: a table, a CSV file, plots, and a page.
#ifndef PLIANT_CLI_REPORT_H
#define PLIANT_CLI_REPORT_H

#include "comparison.h"
#include "io/plot.h"

enum report_plot
{
    PLOT_SWEEPS, // error against sweeps of a frame
    PLOT_COST,   // error against milliseconds
    PLOT_TIME,   // residual, energy and probes of each trial over simulated time
    REPORT_PLOTS,
};

// Prints the table of trials.
void report_print(const struct comparison *c, FILE *to);
// Writes trials.csv, the plots and index.html into the folder of the comparison. Returns an exit code.
int report_write(const struct comparison *c);

// report_plots.c: hands one plot to `put`. false: there is nothing to plot, or no memory.
bool report_plot(const struct comparison *c, enum report_plot which, void (*put)(void *user, const struct plot *plot),
                 void *user);

// report_page.c
void page_write(const struct comparison *c, FILE *to);
// The columns of the table and of the page.
void report_cells(const struct comparison *c, int trial, char cells[][48]);
extern const char *const report_columns[];
enum
{
    REPORT_COLUMNS = 10,
};
// "errors against 64 substeps of 32 iterations, BDF2"; "" without one
void report_tell_reference(const struct comparison *c, char *out, size_t size);

#endif
