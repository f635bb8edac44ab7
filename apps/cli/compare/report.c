// report.c: see report.h.
#include "report.h"

#include "cli.h"
#include "core/files.h"
#include "io/number.h"
#include "io/plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const report_columns[] = {"substeps",   "iterations", "ms",         "error, mm",  "error, %",
                                      "centre, mm", "forces, %",  "stretch, %", "overlap, %", "hash"};

static const char *const state_words[] = {"done", "diverged", "refused"};

static void put_cell(char cell[48], bool measured, double value)
{
    if (measured)
    {
        snprintf(cell, 48, "%.3g", value);
    }
    else
    {
        snprintf(cell, 48, "-");
    }
}

void report_cells(const struct comparison *c, int trial, char cells[][48])
{
    const struct trial *t = &c->trials[trial];
    const struct trial_error *e = &c->errors[trial];
    for (int i = 0; i < REPORT_COLUMNS; i++)
    {
        snprintf(cells[i], 48, "-");
    }
    if (t->state == TRIAL_REFUSED)
    {
        return;
    }
    snprintf(cells[0], 48, "%d", t->settings.substeps);
    snprintf(cells[1], 48, "%d", t->settings.iterations);
    if (t->state == TRIAL_DIVERGED)
    {
        return;
    }
    put_cell(cells[2], c->jobs == 1, t->ms.median);
    put_cell(cells[3], e->measured, 1e3 * e->position);
    put_cell(cells[4], e->measured && e->size > 0.0, 100.0 * e->position / e->size);
    put_cell(cells[5], e->measured, 1e3 * e->centre);
    put_cell(cells[6], e->force_measured, 100.0 * e->force);
    put_cell(cells[7], t->residual.count > 0, 100.0 * t->residual.mean);
    put_cell(cells[8], t->penetration.contacts > 0, 100.0 * t->penetration.mean);
    snprintf(cells[9], 48, "%016" PRIx64, t->hash);
}

void report_tell_reference(const struct comparison *c, char *out, size_t size)
{
    char one[120];
    out[0] = 0;
    if (c->reference != REFERENCE_NONE)
    {
        comparison_tell_reference(c, 0, one, sizeof one);
        snprintf(out, size, "errors against %s", one);
    }
}

void report_print(const struct comparison *c, FILE *to)
{
    char cells[REPORT_COLUMNS][48], label[200], reference[200];
    int wide = 5;
    for (int t = 0; t < c->variations.trials; t++)
    {
        variations_label(&c->variations, t, -1, label, sizeof label);
        wide = (int)strlen(label) > wide ? (int)strlen(label) : wide;
    }
    report_tell_reference(c, reference, sizeof reference);
    fprintf(to, "%s, %g s%s%s\n\n%-*s", c->title, c->seconds, reference[0] ? "; " : "", reference, wide, "trial");
    for (int i = 0; i < REPORT_COLUMNS; i++)
    {
        fprintf(to, "  %*s", i + 1 < REPORT_COLUMNS ? 11 : 16, report_columns[i]);
    }
    fputc('\n', to);
    for (int t = 0; t < c->variations.trials; t++)
    {
        report_cells(c, t, cells);
        variations_label(&c->variations, t, -1, label, sizeof label);
        fprintf(to, "%-*s", wide, label);
        for (int i = 0; i < REPORT_COLUMNS; i++)
        {
            fprintf(to, "  %*s", i + 1 < REPORT_COLUMNS ? 11 : 16, cells[i]);
        }
        fprintf(to, "%s%s\n", c->trials[t].state == TRIAL_DONE ? "" : "  ",
                c->trials[t].state == TRIAL_DONE ? "" : c->trials[t].why);
    }
}

// ---- the table as CSV ----------------------------------------------------------------------------------------------

static void put_field(FILE *f, const char *text)
{
    bool quoted = strpbrk(text, ",\"\n") != NULL;
    fputs(quoted ? "\"" : "", f);
    for (; *text; text++)
    {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, f);
    }
    fputs(quoted ? "\"" : "", f);
}

static void put_number(FILE *f, bool measured, double value)
{
    char text[NUMBER_TEXT];
    fprintf(f, ",%s", measured ? number_write(value, text) : "");
}

static void put_line(FILE *f, const struct comparison *c, int trial)
{
    const struct trial *t = &c->trials[trial];
    const struct trial_error *e = &c->errors[trial];
    bool done = t->state == TRIAL_DONE, made = t->state != TRIAL_REFUSED;
    for (int i = 0; i < c->variations.count; i++)
    {
        const struct variation *v = &c->variations.items[i];
        put_field(f, v->values[variation_choice(&c->variations, trial, i)]);
        fputc(',', f);
    }
    fputs(state_words[t->state], f);
    put_number(f, made, t->settings.substeps);
    put_number(f, made, t->settings.iterations);
    put_number(f, made, t->dt);
    put_number(f, made, t->particles);
    put_number(f, made, (double)t->constraints);
    put_number(f, done && c->jobs == 1, t->ms.median);
    put_number(f, e->measured, e->position);
    put_number(f, e->measured, e->end);
    put_number(f, e->measured, e->centre);
    put_number(f, e->measured && e->size > 0.0, e->position / e->size);
    put_number(f, e->force_measured, e->force);
    put_number(f, done && t->convergence.measured, t->convergence.force_error);
    put_number(f, done && t->residual.count > 0, t->residual.mean);
    put_number(f, done && t->residual.count > 0, t->residual.max);
    put_number(f, done && t->penetration.contacts > 0, t->penetration.mean);
    put_number(f, done, t->energy_first);
    put_number(f, done, t->energy_last);
    for (int k = 0; k < 3; k++)
    {
        put_number(f, done, t->momentum[k]);
    }
    fputc(',', f);
    if (done)
    {
        fprintf(f, "%016" PRIx64, t->hash);
    }
    fputc(',', f);
    put_field(f, t->why);
    fputc('\n', f);
}

static void put_csv(const struct comparison *c, FILE *f)
{
    for (int i = 0; i < c->variations.count; i++)
    {
        put_field(f, c->variations.items[i].field);
        fputc(',', f);
    }
    fputs("state,substeps_used,iterations_used,dt_used,particles,constraints,ms_per_frame,position_error,"
          "position_error_end,centre_error,position_error_relative,force_error,force_error_estimated,residual_mean,"
          "residual_max,penetration_mean,energy_first,energy_last,momentum_x,momentum_y,momentum_z,hash,message\n",
          f);
    for (int t = 0; t < c->variations.trials; t++)
    {
        put_line(f, c, t);
    }
}

// ---- the folder ----------------------------------------------------------------------------------------------------

static const char *const plot_files[REPORT_PLOTS] = {"sweeps.svg", "cost.svg", "time.svg"};

static void put_plot_file(void *user, const struct plot *plot) { plot_put(user, plot); }

// Writes one file of the folder by the function for it.
static int write_file(const struct comparison *c, const char *name, int plot)
{
    char path[600];
    struct out_file out;
    snprintf(path, sizeof path, "%s/%s", c->out, name);
    if (out_open(&out, path) != PL_OK)
    {
        return report_failure(EXIT_FAILED);
    }
    if (plot >= 0 && !report_plot(c, (enum report_plot)plot, put_plot_file, out.stream))
    {
        out_abort(&out);
        return EXIT_GOOD;
    }
    if (plot < 0)
    {
        (path_ends(name, "csv") ? put_csv : page_write)(c, out.stream);
    }
    return out_finish(&out) == PL_OK ? EXIT_GOOD : report_failure(EXIT_FAILED);
}

int report_write(const struct comparison *c)
{
    int code = write_file(c, "trials.csv", -1);
    for (int i = 0; i < REPORT_PLOTS && code == EXIT_GOOD; i++)
    {
        code = write_file(c, plot_files[i], i);
    }
    return code == EXIT_GOOD ? write_file(c, "index.html", -1) : code;
}
