// plot.c: implements plot.h. The colours are those of Okabe and Ito, which people with any colour vision can tell
// apart.
#include "plot.h"

#include "core/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const colours[PLOT_MAX_LINES] = {"#0072B2", "#E69F00", "#009E73", "#222222"};

enum
{
    WIDTH = 900,
    LEFT = 84,
    RIGHT = 140,
    TOP = 74,
    PANEL = 200, // the height of a panel's plot area
    GAP = 58,
    BUCKETS = 700, // more points than this are drawn as the minimum and the maximum of each bucket
};

struct axis
{
    double least, most, step;
    int decimals;
};

// Chooses a step of 1, 2 or 5 times a power of ten, so that about `wanted` ticks fit.
static struct axis make_axis(double least, double most, bool from_zero, int wanted)
{
    struct axis a;
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

// Writes a tick's number: plain digits, or powers of ten where they get long. A thousands separator as in "1,500" would
// need a locale.
static void put_tick(FILE *f, double value, const struct axis *a)
{
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

static void find_limits(const double *values, int count, double scale, double *least, double *most)
{
    for (int i = 0; i < count; i++)
    {
        double v = values[i] * scale;
        if (v - v == 0.0)
        {
            *least = v < *least ? v : *least;
            *most = v > *most ? v : *most;
        }
    }
}

struct frame
{
    FILE *f;
    const struct plot *plot;
    struct axis x, y;
    int top;
};

static double place_x(const struct frame *p, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - p->x.least) / (p->x.most - p->x.least);
}

static double place_y(const struct frame *p, double y)
{
    return p->top + PANEL * (p->y.most - y) / (p->y.most - p->y.least);
}

static void put_point(const struct frame *p, double x, double y)
{
    fprintf(p->f, "%.1f,%.1f ", place_x(p, x), place_y(p, y));
}

static void put_line(const struct frame *p, const struct plot_line *line, double scale, const char *colour)
{
    int n = p->plot->samples, buckets = n > 2 * BUCKETS ? BUCKETS : n;
    if (n == 1) // a line of one point would not be visible
    {
        fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", place_x(p, p->plot->x[0]),
                place_y(p, line->values[0] * scale), colour);
        return;
    }
    fprintf(p->f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linejoin=\"round\" points=\"",
            colour);
    for (int b = 0; b < buckets; b++)
    {
        int first = (int)((int64_t)n * b / buckets), last = (int)((int64_t)n * (b + 1) / buckets) - 1, low = first,
            high = first;
        for (int i = first; i <= last; i++)
        {
            low = line->values[i] < line->values[low] ? i : low;
            high = line->values[i] > line->values[high] ? i : high;
        }
        int one = low < high ? low : high, two = low < high ? high : low;
        put_point(p, p->plot->x[one], line->values[one] * scale);
        if (two != one)
        {
            put_point(p, p->plot->x[two], line->values[two] * scale);
        }
    }
    fputs("\"/>\n", p->f);
}

static void put_text(FILE *f, const char *text)
{
    for (; *text; text++)
    {
        fputs(*text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "", f);
        if (*text != '&' && *text != '<' && *text != '>')
        {
            fputc((unsigned char)*text < 32 ? ' ' : *text, f); // XML has no control characters
        }
    }
}

static void put_axes(const struct frame *p, const struct plot_panel *panel, bool last)
{
    FILE *f = p->f;
    int bottom = p->top + PANEL, right = WIDTH - RIGHT;
    for (double y = p->y.least; y <= p->y.most + p->y.step / 2; y += p->y.step)
    {
        fprintf(f,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, place_y(p, y), right, LEFT - 8, place_y(p, y) + 4);
        put_tick(f, y, &p->y);
        fputs("</text>\n", f);
    }
    for (double x = p->x.least; x <= p->x.most + p->x.step * 1e-3; x += p->x.step)
    {
        fprintf(f, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", place_x(p, x), p->top, bottom);
        if (last)
        {
            fprintf(f, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", place_x(p, x), bottom + 18);
            put_tick(f, x, &p->x);
            fputs("</text>", f);
        }
        fputc('\n', f);
    }
    fprintf(f, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n<text class=\"panel\" x=\"%d\" y=\"%d\">", LEFT, p->top,
            bottom, right, LEFT, p->top - 12);
    put_text(f, panel->title);
    fputs("<tspan class=\"unit\" dx=\"6\">", f);
    put_text(f, panel->unit);
    fputs("</tspan></text>\n", f);
}

static void put_legend(const struct frame *p, const struct plot_panel *panel)
{
    for (int i = 0; i < panel->count; i++)
    {
        int x = WIDTH - RIGHT + 18, y = p->top + 14 + 22 * i;
        const char *colour = colours[panel->count == 1 ? 0 : i];
        fprintf(p->f,
                "<path d=\"M%d %dh22\" stroke=\"%s\" stroke-width=\"3\" stroke-linecap=\"round\"/><text "
                "class=\"legend\" x=\"%d\" y=\"%d\">",
                x, y, colour, x + 30, y + 4);
        put_text(p->f, panel->lines[i].name);
        fputs("</text>\n", p->f);
    }
}

static void put_panel(FILE *f, const struct plot *plot, int number, const struct axis *x)
{
    const struct plot_panel *panel = &plot->panels[number];
    double least = INFINITY, most = -INFINITY, scale = panel->scale == 0.0 ? 1.0 : panel->scale;
    for (int i = 0; i < panel->count; i++)
    {
        find_limits(panel->lines[i].values, plot->samples, scale, &least, &most);
    }
    struct frame p = {.f = f, .plot = plot, .x = *x, .top = TOP + number * (PANEL + GAP) + 24};
    p.y = make_axis(least, most, panel->from_zero, 5);
    put_axes(&p, panel, number + 1 == plot->panel_count);
    for (int i = 0; i < panel->count; i++)
    {
        put_line(&p, &panel->lines[i], scale, colours[panel->count == 1 ? 0 : i]);
    }
    put_legend(&p, panel);
}

static const char style[] =
    "<style>text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;fill:#222}"
    ".title{font-size:19px;font-weight:600}.subtitle{font-size:13px;fill:#666}.panel{font-size:14px;font-weight:600}"
    ".unit{font-weight:400;fill:#666}.tick{font-size:12px;fill:#555}.legend{font-size:13px}"
    ".grid{stroke:#e6e6e6;stroke-width:1}.axis{stroke:#888;stroke-width:1;fill:none}</style>\n";

pl_result plot_write(const char *path, const struct plot *plot)
{
    struct out_file out;
    int height = TOP + 24 + plot->panel_count * (PANEL + GAP) - GAP + 60;
    double least = INFINITY, most = -INFINITY;
    pl_result result = out_open(&out, path);
    if (result != PL_OK)
    {
        return result;
    }
    FILE *f = out.stream;
    find_limits(plot->x, plot->samples, 1.0, &least, &most);
    struct axis x = make_axis(least, most, false, 8);
    x.most = most > least ? most : x.most; // lines reach the edge; ticks keep their round values
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s", WIDTH,
            height, WIDTH, height, style);
    fprintf(f, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n<text class=\"title\" x=\"%d\" y=\"34\">", WIDTH,
            height, LEFT);
    put_text(f, plot->title);
    fprintf(f, "</text>\n<text class=\"subtitle\" x=\"%d\" y=\"55\">", LEFT);
    put_text(f, plot->subtitle);
    fputs("</text>\n", f);
    for (int i = 0; i < plot->panel_count; i++)
    {
        put_panel(f, plot, i, &x);
    }
    fprintf(f, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT + (WIDTH - LEFT - RIGHT) / 2,
            height - 18);
    put_text(f, plot->x_title);
    fputs("</text>\n</svg>\n", f);
    return out_finish(&out);
}
