// plot_axis.h: the axes of plots: their ends, their ticks, and where a value lies on them.
#ifndef PLIANT_IO_PLOT_AXIS_H
#define PLIANT_IO_PLOT_AXIS_H

#include <stdbool.h>
#include <stdio.h>

struct axis
{
    double least, most, step; // of a logarithmic axis: log10 of its ends
    int decimals;
    bool log, fine; // fine: ticks also at 2 and 5 times a power of ten
};

// An axis that has about `wanted` ticks at 1, 2 or 5 times a power of ten.
struct axis axis_linear(double least, double most, bool from_zero, int wanted);
// A logarithmic one, from 1, 2 or 5 times a power of ten to another.
struct axis axis_log(double least, double most);
// Steps through the ticks, in the units of the ends: *value is the first or the next one. false: no more.
bool axis_next_tick(const struct axis *a, bool first, double *value);
// Writes a tick's number: plain digits, or powers of ten where they get long.
void axis_put_tick(FILE *f, double value, const struct axis *a);
// Returns where a value lies on its axis, from 0 to 1.
double axis_place(const struct axis *a, double value);

#endif
