// compare.c: `pliant sweep SCENE` and `pliant compare SCENE`: the same scene with several settings, side by side. The two
// are one: compare measures the distance from a reference unless told otherwise, and varies substeps and iterations.
#include "cli.h"
#include "comparison.h"
#include "core/files.h"
#include "presets.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define AT(member) offsetof(struct comparison, member)

static const struct option table[] = {
    {"--vary", "FIELD=A,B,C", OPTION_LIST, AT(vary), AT(vary_count), 0, 0,
     "values of a field of the scene, such as iterations=20,40,80 or solver=xpbd,pbd, or of threads, lanes and "
     "backend; "
     "repeatable: every combination is a trial"},
    {"--reference", "KIND", OPTION_TEXT, AT(reference_name), 0, 0, 0,
     "what trials are compared with: fine (a run of many small substeps), converged (the same substeps with many "
     "iterations), newton (the same substeps, solved in double precision) or none"},
    {"--preset", "NAME", OPTION_TEXT, AT(preset), 0, 0, 0, "a comparison that is known from the literature; see below"},
    {"--set", "PATH=VALUE", OPTION_LIST, AT(sets), AT(set_count), 0, 0,
     "change a field of the scene in all trials; repeatable"},
    {"--substeps", "N", OPTION_SETTING_INT, 0, 0, 1, 10000, "substeps of a frame in all trials"},
    {"--iterations", "N", OPTION_SETTING_INT, 0, 0, 1, 10000, "iterations in each substep in all trials"},
    {"--frames", "N", OPTION_INT, AT(frames), 0, 1, 10000000,
     "frames of the scene; trials with another dt simulate the same time (default: that of the scene)"},
    {"--probe", "PARTICLES.Q", OPTION_LIST, AT(probes), AT(probe_count), 0, 0,
     "plot x, y, z, vx, vy, vz or speed of a particle, such as cloth[390].y; repeatable"},
    {"--pictures", NULL, OPTION_FLAG, AT(pictures), 0, 0, 0, "a picture of the last frame of each trial"},
    {"--jobs", "N", OPTION_INT, AT(jobs), 0, 1, 256,
     "trials that run at the same time; times are then not measured (1)"},
    {"--threads", "N", OPTION_INT, AT(threads), 0, 0, 256, "threads of a trial; 0: one for each core (0)"},
    {"--lanes", "N", OPTION_INT, AT(lanes), 0, 0, 16, "SIMD width: 1, 4, 8 or 16; 0: the best of this machine (0)"},
    {"--backend", "NAME", OPTION_TEXT, AT(backend), 0, 0, 0, "cpu or cuda (cpu)"},
    {"--out", "FOLDER", OPTION_TEXT, AT(out), 0, 0, 0,
     "where index.html, trials.csv and the plots go (out/COMMAND-SCENE)"},
    {"--quiet", NULL, OPTION_FLAG, AT(quiet), 0, 0, 0, "print no progress"},
};

static struct option_command command_of(const char *name)
{
    bool compare = strcmp(name, "compare") == 0;
    return (struct option_command){
        .name = name,
        .help = compare
                    ? "usage: pliant compare SCENE [options]\n       pliant compare --preset NAME [options]\n\nRuns a "
                      "scene with several settings and measures how far each is from a reference, and what it costs. "
                      "Without\n--vary: substeps=1,4,16 and iterations=1,4,16.\n\n"
                    : "usage: pliant sweep SCENE --vary FIELD=A,B,C [options]\n\nRuns a scene with several settings "
                      "and plots them together.\n\n",
        .table = table,
        .count = sizeof table / sizeof *table,
        .scene = AT(scene),
        .sets = AT(sets),
        .set_count = AT(set_count),
        .texts = AT(texts),
    };
}

static int read_reference(struct comparison *c, const char *name)
{
    static const char *const words[] = {[REFERENCE_NONE] = "none",
                                        [REFERENCE_FINE] = "fine",
                                        [REFERENCE_CONVERGED] = "converged",
                                        [REFERENCE_NEWTON] = "newton"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    {
        if (strcmp(name, words[i]) == 0)
        {
            c->reference = (enum reference_kind)i;
            return -1;
        }
    }
    return bad_usage("--reference is \"%.80s\"; use fine, converged, newton or none", name);
}

// What the options leave open, a preset fills in.
static int apply_preset(struct comparison *c)
{
    const struct preset *p = c->preset ? preset_find(c->preset) : NULL;
    if (c->preset && !p)
    {
        const char *nearest = nearest_word(c->preset, preset_name);
        return nearest ? bad_usage("no preset \"%.80s\"; did you mean \"%s\"?", c->preset, nearest)
                       : bad_usage("no preset \"%.80s\"; `pliant compare --help` lists them", c->preset);
    }
    if (!p)
    {
        return -1;
    }
    if (c->vary_count)
    {
        return bad_usage("--preset %s has its own --vary; use one of the two", c->preset);
    }
    for (int i = 0; i < PRESET_VARIES && p->vary[i]; i++)
    {
        c->vary[c->vary_count++] = p->vary[i];
    }
    if (p->set)
    {
        c->sets[c->set_count++] = p->set;
    }
    if (p->probe && c->probe_count == 0)
    {
        c->probes[c->probe_count++] = p->probe;
    }
    c->scene = c->scene ? c->scene : p->scene;
    c->reference_name = c->reference_name ? c->reference_name : p->reference;
    c->frames = c->frames >= 0 || p->frames == 0 ? c->frames : p->frames;
    return -1;
}

static int apply_defaults(struct comparison *c, bool compare)
{
    if (!c->scene)
    {
        return bad_usage("no scene is given; use `pliant %s SCENE`, and `pliant list` for the names of the scenes",
                         c->command);
    }
    if (c->vary_count == 0 && !compare)
    {
        return bad_usage("nothing is varied; use --vary FIELD=A,B,C, such as --vary iterations=20,40,80");
    }
    if (c->vary_count == 0)
    {
        c->vary[c->vary_count++] = "substeps=1,4,16";
        c->vary[c->vary_count++] = "iterations=1,4,16";
    }
    c->reference_name = c->reference_name ? c->reference_name : compare ? "fine" : "none";
    c->jobs = c->jobs ? c->jobs : 1;
    int code = read_reference(c, c->reference_name);
    code = code < 0 ? check_backend(c->backend) : code;
    return code < 0 ? check_lanes(c->lanes) : code;
}

static int make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? -1
               : bad_usage("cannot make the folder %s: %s; name another with --out", path, strerror(errno));
}

static int choose_folder(struct comparison *c, char *folder, size_t size)
{
    char name[128];
    int code = -1;
    if (!c->out)
    {
        short_name(c->scene, name, sizeof name);
        snprintf(folder, size, "out/%s-%s", c->command, c->preset ? c->preset : name);
        code = make_folder("out");
        c->out = folder;
    }
    return code < 0 ? make_folder(c->out) : code;
}

static int finish(const struct comparison *c)
{
    int done = 0;
    for (int t = 0; t < c->variations.trials; t++)
    {
        done += c->trials[t].state == TRIAL_DONE;
    }
    for (int t = 0; t < c->variations.trials; t++)
    {
        if (c->references[t].state != TRIAL_DONE)
        {
            fprintf(stderr, "pliant: warning: no errors are measured: the reference of trial %d failed: %s\n", t,
                    c->references[t].why);
            break;
        }
    }
    report_print(c, stdout);
    int code = report_write(c);
    if (code == EXIT_GOOD)
    {
        fprintf(stderr, "\n%s/index.html, trials.csv and plots are written\n", c->out);
    }
    return done > 0 ? code : EXIT_FAILED;
}

static int compare(const char *name, int count, char **arguments)
{
    struct comparison c = {.command = name, .frames = -1};
    struct option_command command = command_of(name);
    char folder[200];
    int code = arguments_read(&command, count, arguments, &c);
    code = code < 0 ? apply_preset(&c) : code;
    code = code < 0 ? apply_defaults(&c, strcmp(name, "compare") == 0) : code;
    code = code < 0 ? comparison_open(&c) : code;
    code = code < 0 ? choose_folder(&c, folder, sizeof folder) : code;
    if (code < 0)
    {
        comparison_run(&c);
        code = finish(&c);
    }
    comparison_free(&c);
    arguments_free(&command, &c);
    return code;
}

int command_sweep(int count, char **arguments) { return compare("sweep", count, arguments); }

int command_compare(int count, char **arguments)
{
    int code = compare("compare", count, arguments);
    for (int i = 0; i < count; i++)
    {
        if (asks_for_help(arguments[i]))
        {
            fputs("\nPresets:\n", stdout);
            presets_print();
            break;
        }
    }
    return code;
}
