// plot.c: implements plot.h. The colours are those of Okabe and Ito, which people with any colour vision can tell
// apart.
#include "plot.h"

#include "core/files.h"
#include "plot_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[PLOT_MAX_LINES] = {"#0072B2", "#E69F00", "#009E73", "#222222",
                                                    "#D55E00", "#CC79A7", "#56B4E9", "#999999"};

enum
{
    WIDTH = 900,
    LEFT = 84,
    LEGEND = 140,      // the least width beside the plot area
    LEGEND_MOST = 380, // and the most
    LETTER = 7,
    TOP = 74,
    PANEL = 200, // the height of a panel's plot area
    GAP = 58,
    BUCKETS = 700, // more points than this are drawn as the minimum and the maximum of each bucket
};

static bool is_drawn(double value, bool log) { return value - value == 0.0 && (!log || value > 0.0); }

static void find_limits(const double *values, int count, double scale, bool log, double *least, double *most)
{
    for (int i = 0; i < count; i++)
    {
        double v = values[i] * scale;
        if (is_drawn(v, log))
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
    int top, right; // of the plot area
};

static double place_x(const struct frame *p, double x) { return LEFT + (p->right - LEFT) * axis_place(&p->x, x); }

static double place_y(const struct frame *p, double y) { return p->top + PANEL * (1.0 - axis_place(&p->y, y)); }

static void put_point(const struct frame *p, double x, double y)
{
    fprintf(p->f, "%.1f,%.1f ", place_x(p, x), place_y(p, y));
}

struct line_data
{
    const double *x, *y;
    int count;
    double scale;
};

static struct line_data data_of(const struct plot *plot, const struct plot_panel *panel, int line)
{
    const struct plot_line *l = &panel->lines[line];
    return (struct line_data){l->x ? l->x : plot->x, l->values, l->x ? l->samples : plot->samples,
                              panel->scale == 0.0 ? 1.0 : panel->scale};
}

static void put_dot(const struct frame *p, double x, double y, const char *colour)
{
    fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", place_x(p, x), place_y(p, y), colour);
}

// Draws points first to last, which are all finite: above 2 BUCKETS of them, the lowest and the highest of each bucket.
static void put_stretch(const struct frame *p, const struct line_data *d, int first, int last, const char *colour)
{
    int n = last - first, buckets = n > 2 * BUCKETS ? BUCKETS : n;
    fprintf(p->f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linejoin=\"round\" points=\"",
            colour);
    for (int b = 0; b < buckets; b++)
    {
        int begin = first + (int)((int64_t)n * b / buckets), end = first + (int)((int64_t)n * (b + 1) / buckets) - 1;
        int low = begin, high = begin;
        for (int i = begin; i <= end; i++)
        {
            low = d->y[i] < d->y[low] ? i : low;
            high = d->y[i] > d->y[high] ? i : high;
        }
        int one = low < high ? low : high, two = low < high ? high : low;
        put_point(p, d->x[one], d->y[one] * d->scale);
        if (two != one)
        {
            put_point(p, d->x[two], d->y[two] * d->scale);
        }
    }
    fputs("\"/>\n", p->f);
}

// A line is interrupted where values are not drawn; a value alone between such gaps is a dot.
static void put_line(const struct frame *p, const struct line_data *d, bool marks, const char *colour)
{
    int first = 0;
    for (int i = 0; i <= d->count; i++)
    {
        bool drawn = i < d->count && is_drawn(d->y[i] * d->scale, p->y.log) && is_drawn(d->x[i], p->x.log);
        if (drawn && marks)
        {
            put_dot(p, d->x[i], d->y[i] * d->scale, colour);
        }
        if (drawn)
        {
            continue;
        }
        if (i - first == 1 && !marks)
        {
            put_dot(p, d->x[first], d->y[first] * d->scale, colour);
        }
        else if (i - first > 1)
        {
            put_stretch(p, d, first, i, colour);
        }
        first = i + 1;
    }
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
    int bottom = p->top + PANEL, right = p->right;
    double y, x;
    for (bool more = axis_next_tick(&p->y, true, &y); more; more = axis_next_tick(&p->y, false, &y))
    {
        double at = p->top + PANEL * (p->y.most - y) / (p->y.most - p->y.least);
        fprintf(f,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, at, right, LEFT - 8, at + 4);
        axis_put_tick(f, y, &p->y);
        fputs("</text>\n", f);
    }
    for (bool more = axis_next_tick(&p->x, true, &x); more; more = axis_next_tick(&p->x, false, &x))
    {
        double at = LEFT + (right - LEFT) * (x - p->x.least) / (p->x.most - p->x.least);
        fprintf(f, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, p->top, bottom);
        if (last)
        {
            fprintf(f, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", at, bottom + 18);
            axis_put_tick(f, x, &p->x);
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
        int x = p->right + 18, y = p->top + 14 + 22 * i;
        const char *colour = colours[panel->count == 1 ? 0 : i];
        fprintf(p->f,
                "<path d=\"M%d %dh22\" stroke=\"%s\" stroke-width=\"3\" stroke-linecap=\"round\"/><text "
                "class=\"legend\" x=\"%d\" y=\"%d\">",
                x, y, colour, x + 30, y + 4);
        put_text(p->f, panel->lines[i].name);
        fputs("</text>\n", p->f);
    }
}

static void put_panel(FILE *f, const struct plot *plot, int number, const struct axis *x, int right)
{
    const struct plot_panel *panel = &plot->panels[number];
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < panel->count; i++)
    {
        struct line_data d = data_of(plot, panel, i);
        find_limits(d.y, d.count, d.scale, panel->log_y, &least, &most);
    }
    struct frame p = {.f = f, .plot = plot, .x = *x, .top = TOP + number * (PANEL + GAP) + 24, .right = right};
    p.y = panel->log_y ? axis_log(least, most) : axis_linear(least, most, panel->from_zero, 5);
    put_axes(&p, panel, number + 1 == plot->panel_count);
    for (int i = 0; i < panel->count; i++)
    {
        struct line_data d = data_of(plot, panel, i);
        put_line(&p, &d, panel->lines[i].marks, colours[panel->count == 1 ? 0 : i]);
    }
    put_legend(&p, panel);
}

static struct axis make_x_axis(const struct plot *plot)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < plot->panel_count; k++)
    {
        for (int i = 0; i < plot->panels[k].count; i++)
        {
            struct line_data d = data_of(plot, &plot->panels[k], i);
            find_limits(d.x, d.count, 1.0, plot->log_x, &least, &most);
        }
    }
    if (plot->log_x)
    {
        return axis_log(least, most);
    }
    struct axis x = axis_linear(least, most, false, 8);
    x.most = most > least ? most : x.most; // lines reach the edge; ticks keep their round values
    return x;
}

static const char style[] =
    "<style>text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;fill:#222}"
    ".title{font-size:19px;font-weight:600}.subtitle{font-size:13px;fill:#666}.panel{font-size:14px;font-weight:600}"
    ".unit{font-weight:400;fill:#666}.tick{font-size:12px;fill:#555}.legend{font-size:13px}"
    ".grid{stroke:#e6e6e6;stroke-width:1}.axis{stroke:#888;stroke-width:1;fill:none}</style>\n";

// Leaves as much room for the legend as the longest name needs.
static int find_right(const struct plot *plot)
{
    size_t longest = 0;
    for (int k = 0; k < plot->panel_count; k++)
    {
        for (int i = 0; i < plot->panels[k].count; i++)
        {
            size_t length = strlen(plot->panels[k].lines[i].name);
            longest = length > longest ? length : longest;
        }
    }
    int width = 60 + LETTER * (int)(longest < 60 ? longest : 60);
    return WIDTH - (width < LEGEND ? LEGEND : width < LEGEND_MOST ? width : LEGEND_MOST);
}

void plot_put(FILE *f, const struct plot *plot)
{
    int height = TOP + 24 + plot->panel_count * (PANEL + GAP) - GAP + 60;
    int right = find_right(plot);
    struct axis x = make_x_axis(plot);
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
        put_panel(f, plot, i, &x, right);
    }
    fprintf(f, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + right) / 2, height - 18);
    put_text(f, plot->x_title);
    fputs("</text>\n</svg>\n", f);
}

pl_result plot_write(const char *path, const struct plot *plot)
{
    struct out_file out;
    pl_result result = out_open(&out, path);
    if (result != PL_OK)
    {
        return result;
    }
    plot_put(out.stream, plot);
    return out_finish(&out);
}
