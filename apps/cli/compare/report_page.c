// report_page.c: a comparison as one HTML page that needs no other file but the pictures.
#include "report.h"

#include "cli.h"

#include <stdlib.h>

static void put_text(FILE *f, const char *text)
{
    for (; *text; text++)
    {
        switch (*text)
        {
        case '&':
            fputs("&amp;", f);
            break;
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        default:
            fputc(*text, f);
        }
    }
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#222;max-width:960px;"
    "margin:2em auto;padding:0 1em;line-height:1.45}\ntable{border-collapse:collapse;font-size:13px;width:100%}\n"
    "th,td{text-align:right;padding:4px 8px;border-bottom:1px solid #e6e6e6;font-variant-numeric:tabular-nums}\n"
    "th:first-child,td:first-child{text-align:left}\nsvg{width:100%;height:auto}\n"
    "pre{background:#f6f6f6;padding:1em;overflow:auto;font-size:12px}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:12px}\n"
    "figure{margin:0}img{width:100%}figcaption{font-size:12px;color:#666}\n"
    ".failed{color:#a33}.wide{overflow-x:auto}\n</style>\n";

static void put_table(const struct comparison *c, FILE *f)
{
    char cells[REPORT_COLUMNS][48], label[200];
    fputs("<div class=\"wide\"><table>\n<tr><th>trial</th>", f);
    for (int i = 0; i < REPORT_COLUMNS; i++)
    {
        fprintf(f, "<th>%s</th>", report_columns[i]);
    }
    fputs("</tr>\n", f);
    for (int t = 0; t < c->variations.trials; t++)
    {
        bool failed = c->trials[t].state != TRIAL_DONE;
        report_cells(c, t, cells);
        variations_label(&c->variations, t, -1, label, sizeof label);
        fputs("<tr><td>", f);
        put_text(f, label);
        if (failed)
        {
            fputs("<br><span class=\"failed\">", f);
            put_text(f, c->trials[t].why);
            fputs("</span>", f);
        }
        fputs("</td>", f);
        for (int i = 0; i < REPORT_COLUMNS; i++)
        {
            fprintf(f, "<td>%s</td>", cells[i]);
        }
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

static void put_plot(void *user, const struct plot *plot) { plot_put(user, plot); }

static void put_pictures(const struct comparison *c, FILE *f)
{
    char label[200];
    fputs("<h2>The last frames</h2>\n<div class=\"pictures\">\n", f);
    for (int t = 0; t < c->variations.trials; t++)
    {
        if (c->trials[t].state != TRIAL_REFUSED)
        {
            variations_label(&c->variations, t, -1, label, sizeof label);
            fprintf(f, "<figure><img src=\"trial-%03d.png\" alt=\"\"><figcaption>", t);
            put_text(f, label);
            fputs("</figcaption></figure>\n", f);
        }
    }
    fputs("</div>\n", f);
}

static void put_meaning(const struct comparison *c, FILE *f)
{
    char reference[200];
    report_tell_reference(c, reference, sizeof reference);
    fprintf(f, "<p>%g s of the scene. ", c->seconds);
    put_text(f, reference);
    fputs(reference[0]
              ? ". <b>error</b>: root mean square of the distances of all particles from the reference over all "
                "samples, in mm and in % of the diagonal of the scene at the start; <b>centre</b>: the same of "
                "the mean position; <b>forces</b>: relative difference of the forces of all constraints with a "
                "compliance at the end. "
              : "",
          f);
    fputs("<b>ms</b>: median time of a frame; <b>stretch</b>: mean violation of the distance-like constraints at the "
          "end; "
          "<b>overlap</b>: mean overlap of contacts at the end, in % of the radius. The hash does not depend on the "
          "machine.</p>\n",
          f);
}

static void put_command(const struct comparison *c, int trial, FILE *f)
{
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (line)
    {
        comparison_tell_command(c, trial, line);
        fclose(line);
        put_text(f, text ? text : "");
        fputc('\n', f);
    }
    free(text);
}

void page_write(const struct comparison *c, FILE *f)
{
    static const char *const titles[REPORT_PLOTS] = {"Error against sweeps", "Error against time", "Over time"};
    fputs(head, f);
    fputs("<title>", f);
    put_text(f, c->title);
    fputs(": comparison</title>\n</head>\n<body>\n<h1>", f);
    put_text(f, c->title);
    fputs("</h1>\n", f);
    put_meaning(c, f);
    put_table(c, f);
    for (int i = 0; i < REPORT_PLOTS; i++)
    {
        fprintf(f, "<h2>%s</h2>\n", titles[i]);
        if (!report_plot(c, (enum report_plot)i, put_plot, f))
        {
            fputs("<p>Nothing to plot: nothing of it was measured.</p>\n", f);
        }
    }
    if (c->pictures)
    {
        put_pictures(c, f);
    }
    fputs("<h2>Repeat it</h2>\n<pre>", f);
    put_command(c, -1, f);
    fputs("</pre>\n<p>One trial alone:</p>\n<pre>", f);
    for (int t = 0; t < c->variations.trials; t++)
    {
        put_command(c, t, f);
    }
    fputs("</pre>\n</body>\n</html>\n", f);
}
