// legend.c: what colours stand for, in words.
#include "surface.h"

#include <stdio.h>

struct unit
{
    const char *low, *high; // what the colours at the ends are called
    const char *name;
    double factor;
};

static struct unit unit_of(const struct surface *s)
{
    static const struct unit units[COLOUR_BY_COUNT] = {
        [COLOUR_SPEED] = {"blue", "yellow", "m/s", 1.0},
        [COLOUR_STRAIN] = {"blue", "red", "% strain", 100.0},
        [COLOUR_DENSITY] = {"blue", "yellow", "contacts", 1.0},
        [COLOUR_HEAT] = {"blue", "yellow", "degrees", 1.0},
        [COLOUR_RESIDUAL] = {"blue", "yellow", "% violation", 100.0},
        [COLOUR_PRESSURE] = {"blue", "yellow", "Pa", 1.0},
        [COLOUR_BATCH] = {NULL, NULL, "batch", 1.0},
        [COLOUR_TILE] = {NULL, NULL, "tile", 1.0},
    };
    struct unit u = units[s->by];
    if (s->by == COLOUR_DENSITY && s->of_fluid)
    {
        u.name = "kg/m^3";
    }
    return u;
}

void legend_text(const struct surface *s, char *out, size_t size)
{
    struct unit u = unit_of(s);
    out[0] = 0;
    if (s->by == COLOUR_BATCH)
    {
        snprintf(out, size, "constraints (C) of one colour are solved in parallel");
    }
    else if (s->by == COLOUR_TILE)
    {
        snprintf(out, size, s->high > 0.0f ? "a colour for each tile; grey: seams" : "small scenes have no tiles");
    }
    else if (u.name)
    {
        int used = snprintf(out, size, "%.3g (%s) to %.3g %s (%s)", u.factor * (double)s->low, u.low,
                            u.factor * (double)s->high, u.name, u.high);
        if (s->most > 1.001f * s->high && used > 0 && (size_t)used < size) // 2 of 100 are beyond
        {
            snprintf(out + used, size - (size_t)used, "; most: %.3g", u.factor * (double)s->most);
        }
    }
}

void legend_value(const struct surface *s, int particle, char *out, size_t size)
{
    struct unit u = unit_of(s);
    out[0] = 0;
    if (!s->value || !u.name)
    {
        return;
    }
    float v = s->value[particle];
    if (colour_by_number(s->by))
    {
        snprintf(out, size, "%s %d", u.name, (int)v);
        return;
    }
    const char *beyond = v >= 1.0f && s->most > 1.001f * s->high ? "at least " : "";
    snprintf(out, size, "%s%.3g %s", beyond, u.factor * (double)(s->low + v * (s->high - s->low)), u.name);
}
