// report_plots.c: the plots of a comparison.
#include "io/plot.h"
#include "report.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PANELS_MOST = 16,
    NAME = 64,
};

struct panels
{
    struct plot plot;
    struct plot_panel panels[PANELS_MOST];
    char subtitle[240], titles[PANELS_MOST][80];
    char (*names)[NAME]; // of the lines
    double *values;      // all of them, one block
    size_t used;
};

static bool panels_open(struct panels *p, const struct comparison *c, size_t values)
{
    size_t names = (size_t)c->variations.trials + PLOT_MAX_LINES;
    *p = (struct panels){.plot = {.title = c->title, .panels = p->panels}};
    p->names = calloc(names, sizeof *p->names);
    p->values = calloc(values + 1, sizeof *p->values);
    return p->names && p->values;
}

static void panels_close(struct panels *p)
{
    free(p->names);
    free(p->values);
}

static double *take_values(struct panels *p, int count)
{
    double *values = p->values + p->used;
    p->used += (size_t)count;
    return values;
}

// ---- error against cost --------------------------------------------------------------------------------------------

struct measure
{
    const char *title, *unit;
    double (*value)(const struct comparison *c, int trial); // NAN: not measured
};

static double position_error(const struct comparison *c, int trial)
{
    const struct trial_error *e = &c->errors[trial];
    return e->measured && e->size > 0.0 ? 100.0 * e->position / e->size : (double)NAN;
}

static double force_error(const struct comparison *c, int trial)
{
    const struct trial_error *e = &c->errors[trial];
    return e->force_measured ? 100.0 * e->force : (double)NAN;
}

static double stretch(const struct comparison *c, int trial)
{
    const struct trial *t = &c->trials[trial];
    return t->state == TRIAL_DONE && t->residual.count ? 100.0 * t->residual.mean : (double)NAN;
}

static double overlap(const struct comparison *c, int trial)
{
    const struct trial *t = &c->trials[trial];
    return t->state == TRIAL_DONE && t->penetration.contacts ? 100.0 * t->penetration.mean : (double)NAN;
}

static const struct measure measures[] = {
    {"distance from the reference", "% of the size of the scene", position_error},
    {"error of the forces", "%", force_error},
    {"mean stretch at the end", "%", stretch},
    {"mean overlap at the end", "% of the radius", overlap},
};

static double cost_of(const struct comparison *c, enum report_plot which, int trial)
{
    const struct trial *t = &c->trials[trial];
    if (t->state != TRIAL_DONE)
    {
        return (double)NAN;
    }
    double frames = c->scene_dt / t->dt; // of the trial in one of the scene
    return which == PLOT_COST ? frames * t->ms.median : frames * comparison_sweeps(c, trial);
}

// Whether two trials differ in the variation on the horizontal axis at most.
static bool same_line(const struct variations *v, int axis, int a, int b)
{
    for (int i = 0; i < v->count; i++)
    {
        if (i != axis && variation_choice(v, a, i) != variation_choice(v, b, i))
        {
            return false;
        }
    }
    return true;
}

// Fills in the line that begins with trial `first`.
static bool add_line(struct panels *p, const struct comparison *c, enum report_plot which, const struct measure *m,
                     int first, int axis, struct plot_panel *panel)
{
    int count = axis < 0 ? 1 : c->variations.items[axis].count, n = 0, shown = 0;
    double *x = take_values(p, count), *y = take_values(p, count);
    for (int t = first; t < c->variations.trials; t++)
    {
        if (same_line(&c->variations, axis, first, t))
        {
            x[n] = cost_of(c, which, t);
            y[n] = m->value(c, t);
            shown += y[n] > 0.0 && x[n] > 0.0;
            n++;
        }
    }
    panel->lines[panel->count++] =
        (struct plot_line){.name = p->names[first], .values = y, .x = x, .samples = n, .marks = true};
    return shown > 0;
}

static bool is_first(const struct comparison *c, int axis, int trial)
{
    return axis < 0 || variation_choice(&c->variations, trial, axis) == 0;
}

// Adds the panels of one measure, with as many lines as each holds.
static void add_measure(struct panels *p, const struct comparison *c, enum report_plot which, const struct measure *m,
                        int axis)
{
    bool shown = false;
    int begun = p->plot.panel_count;
    struct plot_panel *panel = NULL;
    for (int t = 0; t < c->variations.trials; t++)
    {
        if (!is_first(c, axis, t))
        {
            continue;
        }
        if ((!panel || panel->count == PLOT_MAX_LINES) && p->plot.panel_count == PANELS_MOST)
        {
            break;
        }
        if (!panel || panel->count == PLOT_MAX_LINES)
        {
            panel = &p->panels[p->plot.panel_count++];
            *panel = (struct plot_panel){.title = m->title, .unit = m->unit, .log_y = true};
        }
        shown |= add_line(p, c, which, m, t, axis, panel);
    }
    if (!shown)
    {
        p->plot.panel_count = begun;
    }
}

static bool plot_errors(struct panels *p, const struct comparison *c, enum report_plot which)
{
    const size_t count = sizeof measures / sizeof *measures;
    int axis = variations_axis(&c->variations);
    if (!panels_open(p, c, 2 * count * ((size_t)c->variations.trials + 1)))
    {
        return false;
    }
    for (int t = 0; t < c->variations.trials; t++)
    {
        variations_label(&c->variations, t, axis, p->names[t], NAME);
    }
    p->plot.log_x = true;
    p->plot.x_title =
        which == PLOT_COST ? "milliseconds for a frame of the scene" : "substeps × iterations in a frame of the scene";
    for (size_t m = 0; m < count; m++)
    {
        add_measure(p, c, which, &measures[m], axis);
    }
    return p->plot.panel_count > 0;
}

// ---- over time -----------------------------------------------------------------------------------------------------

static void add_history(struct panels *p, const struct comparison *c, const char *title, const char *unit,
                        const double *(*series)(const struct history *h, int probe), int probe, double scale)
{
    struct plot_panel *panel = &p->panels[p->plot.panel_count];
    *panel = (struct plot_panel){.title = title, .unit = unit, .scale = scale};
    for (int t = 0; t < c->variations.trials && panel->count < PLOT_MAX_LINES; t++)
    {
        const struct history *h = &c->trials[t].history;
        if (h->time && h->samples > 1)
        {
            panel->lines[panel->count++] = (struct plot_line){
                .name = p->names[t], .values = series(h, probe), .x = h->time, .samples = h->samples};
        }
    }
    p->plot.panel_count += panel->count > 0 && p->plot.panel_count + 1 < PANELS_MOST;
}

static const double *residual_series(const struct history *h, int probe) { return (void)probe, h->residual_mean; }
static const double *energy_series(const struct history *h, int probe) { return (void)probe, h->total; }
static const double *probe_series(const struct history *h, int probe)
{
    return h->probed + (size_t)probe * ((size_t)h->capacity + 1);
}

static bool plot_time(struct panels *p, const struct comparison *c)
{
    if (!panels_open(p, c, 0))
    {
        return false;
    }
    for (int t = 0; t < c->variations.trials; t++)
    {
        variations_label(&c->variations, t, -1, p->names[t], NAME);
    }
    p->plot.x_title = "time, s";
    const struct probes *probes = &c->trials[0].probes;
    for (int i = 0; i < probes->count; i++)
    {
        add_history(p, c, probes->items[i].text, probe_unit(&probes->items[i]), probe_series, i, 1.0);
    }
    add_history(p, c, "mean stretch", "%", residual_series, 0, 100.0);
    add_history(p, c, "energy: kinetic, potential and elastic", "J", energy_series, 0, 1.0);
    return p->plot.panel_count > 0;
}

bool report_plot(const struct comparison *c, enum report_plot which, void (*put)(void *user, const struct plot *plot),
                 void *user)
{
    struct panels p;
    bool good = which == PLOT_COST && c->jobs > 1 ? panels_open(&p, c, 0) && false
                : which == PLOT_TIME              ? plot_time(&p, c)
                                                  : plot_errors(&p, c, which);
    if (good)
    {
        report_tell_reference(c, p.subtitle, sizeof p.subtitle);
        p.plot.subtitle = p.subtitle;
        if (which == PLOT_TIME)
        {
            bool all = c->variations.trials <= PLOT_MAX_LINES;
            snprintf(p.subtitle, sizeof p.subtitle, all ? "all trials" : "the first %d of %d trials", PLOT_MAX_LINES,
                     c->variations.trials);
        }
        put(user, &p.plot);
    }
    panels_close(&p);
    return good;
}
