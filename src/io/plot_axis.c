// plot_axis.c: see plot_axis.h.
#include "plot_axis.h"

#include <math.h>

// Chooses a step of 1, 2 or 5 times a power of ten, so that about `wanted` ticks fit.
struct axis axis_linear(double least, double most, bool from_zero, int wanted)
{
    struct axis a = {0};
    if (!(least - least == 0.0 && most - most == 0.0) || least > most)
    {
        least = 0.0;
        most = 1.0;
    }
    if (from_zero)
    {
        least = least < 0.0 ? least : 0.0;
        most = most > 0.0 ? most : 0.0;
    }
    double size = fabs(least) > fabs(most) ? fabs(least) : fabs(most);
    if (most - least <= 1e-9 * size || most - least < 1e-300)
    {
        double room = size > 0.0 ? 0.1 * size : 1.0;
        least -= from_zero && least == 0.0 ? 0.0 : room;
        most += room;
    }
    double raw = (most - least) / wanted, power = 1.0;
    int exponent = 0;
    for (; power > raw; power /= 10.0)
    {
        exponent--;
    }
    for (; power * 10.0 <= raw; power *= 10.0)
    {
        exponent++;
    }
    double times = raw / power;
    times = times <= 1.0 ? 1.0 : times <= 2.0 ? 2.0 : times <= 5.0 ? 5.0 : 10.0;
    exponent += times == 10.0;
    a.step = times * power;
    a.least = floor(least / a.step) * a.step;
    a.most = ceil(most / a.step) * a.step;
    a.decimals = exponent < 0 ? -exponent : 0;
    return a;
}

// Rounds a logarithm down or up to that of 1, 2 or 5 times a power of ten.
static double round_log(double value, bool up)
{
    static const double steps[] = {0.0, 0.30103, 0.69897, 1.0};
    double power = floor(value + (up ? -1e-6 : 1e-6)), rest = value - power;
    int i = up ? 0 : 3;
    while (up ? steps[i] < rest - 1e-6 && i < 3 : steps[i] > rest + 1e-6 && i > 0)
    {
        i += up ? 1 : -1;
    }
    return power + steps[i];
}

struct axis axis_log(double least, double most)
{
    struct axis a = {.log = true};
    bool any = least > 0.0 && most >= least;
    a.least = any ? round_log(log10(least), false) : 0.0;
    a.most = any ? round_log(log10(most), true) : 1.0;
    a.most = a.most > a.least + 0.1 ? a.most : a.least + 1.0;
    a.fine = a.most - a.least < 3.0;
    return a;
}

// Steps through the ticks of an axis, in the units of its ends: *value is the first or the next one. false: no more.
bool axis_next_tick(const struct axis *a, bool first, double *value)
{
    if (!a->log)
    {
        *value = first ? a->least : *value + a->step;
        return *value <= a->most + a->step * 1e-3;
    }
    double above = first ? a->least - 1e-6 : *value + 1e-3;
    *value = a->fine ? round_log(above, true) : ceil(above - 1e-6);
    return *value <= a->most + 1e-3;
}

// Where a value lies on its axis, from 0 to 1.
double axis_place(const struct axis *a, double value)
{
    return ((a->log ? log10(value) : value) - a->least) / (a->most - a->least);
}

// Writes a tick's number: plain digits, or powers of ten where they get long. A thousands separator as in "1,500" would
// need a locale.
void axis_put_tick(FILE *f, double value, const struct axis *a)
{
    if (a->log)
    {
        fprintf(f, fabs(value) < 5.0 ? "%.5g" : "%.0e", pow(10.0, value));
        return;
    }
    double size = fabs(a->least) > fabs(a->most) ? fabs(a->least) : fabs(a->most);
    if (fabs(value) < a->step * 1e-6)
    {
        value = 0.0; // never "-0"
    }
    if (size >= 1e6 || a->decimals > 4)
    {
        fprintf(f, value == 0.0 ? "0" : "%.3g", value);
    }
    else
    {
        fprintf(f, "%.*f", a->decimals, value);
    }
}
