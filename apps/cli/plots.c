// plots.c: see plots.h.
#include "plots.h"

#include "cli.h"
#include "core/files.h"
#include "io/plot.h"

#include <stdio.h>
#include <string.h>

enum
{
    PANELS = 3,
    PANELS_MOST = 32,
};

// What --plot calls the panels, and a bit for each. The probes come last, in panels of their own.
static const char *const panel_words[PANELS + 1] = {"energy", "residual", "time", "probes"};
static const unsigned all_panels = (1u << (PANELS + 1)) - 1;

static bool read_panel(const char *word, size_t length, unsigned *panels)
{
    for (int i = 0; i <= PANELS; i++)
    {
        if (strlen(panel_words[i]) == length && memcmp(panel_words[i], word, length) == 0)
        {
            *panels |= 1u << i;
            return true;
        }
    }
    return false;
}

static bool read_plot(const char *plot, const char **path, unsigned *panels)
{
    const char *equals = strchr(plot, '=');
    *path = equals ? equals + 1 : plot;
    *panels = equals ? 0 : all_panels;
    for (const char *word = plot; equals && word < equals;)
    {
        size_t length = strcspn(word, ",=");
        if (!read_panel(word, length, panels))
        {
            return false;
        }
        word += length + 1;
    }
    return true;
}

bool plot_is_known(const char *plot, const char **path)
{
    unsigned panels;
    return read_plot(plot, path, &panels) && panels;
}

// Adds the probes of one unit after the other, as many to a panel as it holds.
static int add_probe_panels(const struct history *h, struct plot_panel *panels, int count)
{
    static const char *const units[] = {"m", "m/s"};
    for (int u = 0; u < 2; u++)
    {
        struct plot_panel *panel = NULL;
        for (int i = 0; i < h->probes->count; i++)
        {
            const struct probe *p = &h->probes->items[i];
            if (strcmp(probe_unit(p), units[u]) != 0)
            {
                continue;
            }
            if ((!panel || panel->count == PLOT_MAX_LINES) && count < PANELS_MOST)
            {
                panel = &panels[count++];
                *panel = (struct plot_panel){.title = u ? "probed velocity" : "probed position", .unit = units[u]};
            }
            if (panel->count < PLOT_MAX_LINES)
            {
                panel->lines[panel->count++] =
                    (struct plot_line){.name = p->text, .values = h->probed + (size_t)i * ((size_t)h->capacity + 1)};
            }
        }
    }
    return count;
}

static int choose_panels(const struct history *h, unsigned wanted, struct plot_panel *panels)
{
    const struct plot_panel known[PANELS] = {
        {.title = "energy",
         .unit = "J",
         .count = 4,
         .lines = {{.name = "kinetic", .values = h->kinetic},
                   {.name = "potential", .values = h->potential},
                   {.name = "elastic", .values = h->elastic},
                   {.name = "total", .values = h->total}}},
        {.title = "residual",
         .unit = "% of the rest length",
         .scale = 100.0,
         .from_zero = true,
         .count = 2,
         .lines = {{.name = "mean", .values = h->residual_mean}, {.name = "largest", .values = h->residual_max}}},
        {.title = "time per frame",
         .unit = "ms",
         .from_zero = true,
         .count = 1,
         .lines = {{.name = "step", .values = h->step_ms}}},
    };
    int count = 0;
    for (int i = 0; i < PANELS; i++)
    {
        if (wanted >> i & 1)
        {
            panels[count++] = known[i];
        }
    }
    return wanted >> PANELS & 1 ? add_probe_panels(h, panels, count) : count;
}

static pl_result write_plot(const struct history *h, const pl_world *world, const char *scene, const char *plot_text)
{
    struct plot_panel panels[PANELS_MOST];
    const char *path;
    unsigned wanted;
    read_plot(plot_text, &path, &wanted);
    char subtitle[240], particles[64], constraints[64];
    pl_settings s = pl_world_settings(world);
    long long total = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        total += pl_constraint_count(world, (pl_kind)k);
    }
    snprintf(subtitle, sizeof subtitle, "%s, %s, %d × %d (substeps × iterations), %s",
             counted(pl_particle_count(world), "particle", particles), counted(total, "constraint", constraints),
             s.substeps, s.iterations, s.integrator == PL_INTEGRATOR_BDF2 ? "BDF2" : "BDF1");
    struct plot plot = {.title = scene,
                        .subtitle = subtitle,
                        .x_title = "time, s",
                        .x = h->time,
                        .samples = h->samples,
                        .panels = panels,
                        .panel_count = choose_panels(h, wanted, panels)};
    return plot_write(path, &plot);
}

pl_result plots_check(const char *const *plots, int count)
{
    pl_result result = PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        const char *path;
        plot_is_known(plots[i], &path);
        result = out_check(path);
    }
    return result;
}

pl_result plots_write(const struct history *h, const pl_world *world, const char *scene, const char *const *plots,
                      int count)
{
    pl_result result = PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = write_plot(h, world, scene, plots[i]);
    }
    return result;
}
