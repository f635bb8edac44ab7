// options.c: reads the arguments of `pliant run` from one table, which is also its help.
#include "options.h"

#include "cli.h"
#include "io/export.h"
#include "io/number.h"
#include "core/files.h"
#include "plots.h"
#include "pictures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_kind
{
    OPTION_INT,
    OPTION_NUMBER, // from min/1000 to max
    OPTION_TEXT,
    OPTION_LIST,
    OPTION_FLAG,
    OPTION_SETTING,     // short for --set of the field of the same name
    OPTION_SETTING_INT, // the same, and a whole number
};

struct option
{
    const char *name, *value; // value: its name in the help
    enum option_kind kind;
    size_t offset, count_offset;
    int min, max;
    const char *about;
};

#define AT(member) offsetof(struct options, member)

static const struct option table[] = {
    {"--frames", "N", OPTION_INT, AT(frames), 0, 0, 10000000, "number of steps (default: that of the scene)"},
    {"--threads", "N", OPTION_INT, AT(threads), 0, 0, 256, "number of threads; 0: one for each core (0)"},
    {"--lanes", "N", OPTION_INT, AT(lanes), 0, 0, 16, "SIMD width: 1, 4, 8 or 16; 0: the best of this machine (0)"},
    {"--backend", "NAME", OPTION_TEXT, AT(backend), 0, 0, 0, "cpu or cuda (cpu)"},
    {"--substeps", "N", OPTION_SETTING_INT, 0, 0, 1, 10000, "substeps of a frame"},
    {"--iterations", "N", OPTION_SETTING_INT, 0, 0, 1, 10000, "iterations of the solver in each substep"},
    {"--solver", "NAME", OPTION_SETTING, 0, 0, 0, 0, "xpbd or pbd"},
    {"--integrator", "NAME", OPTION_SETTING, 0, 0, 0, 0, "bdf1 or bdf2: first or second order in time"},
    {"--dt", "S", OPTION_SETTING, 0, 0, 0, 0, "duration of a frame in seconds"},
    {"--set", "PATH=VALUE", OPTION_LIST, AT(sets), AT(set_count), 0, 0,
     "change a field of the scene, such as cloth.size=[200,200]; repeatable"},
    {"--out", "FILE", OPTION_LIST, AT(outs), AT(out_count), 0, 0,
     "x.mp4 x.gif x.webp: a film; x.png x.ply x.obj x.vtp: the last frame; x_%04d.png and the like: every frame; "
     "x.pc2 x.pvd: all; repeatable"},
    {"--size", "WxH", OPTION_TEXT, AT(size), 0, 0, 0, "size of pictures and films in pixels (1280x720)"},
    {"--fps", "N", OPTION_INT, AT(fps), 0, 1, 240,
     "frames per second of a film (30) or of a cache x.pc2 (as the scene's own frames)"},
    {"--time-scale", "X", OPTION_NUMBER, AT(time_scale), 0, 1, 1000,
     "simulated seconds in a second of a film or a cache: 0.25 is slow motion (1)"},
    {"--samples", "N", OPTION_INT, AT(samples), 0, 1, 64, "samples for each pixel: 1, 2, 4 ... (4)"},
    {"--colour", "BY", OPTION_TEXT, AT(colour), 0, 0, 0,
     "colour by material, speed, strain, density, heat, residual, batch, tile or pressure (material)"},
    {"--show", "LINES", OPTION_TEXT, AT(show), 0, 0, 0,
     "draw lines over pictures: joints, contacts, constraints, velocities, wind, cells, boxes; particles: draw fluids "
     "as "
     "particles, not as a surface; separated by commas"},
    {"--stats", "FILE", OPTION_TEXT, AT(stats), 0, 0, 0,
     "write the statistics of the run as JSON, or with x.csv a table with a line for each frame; - is stdout"},
    {"--plot", "FILE.svg", OPTION_LIST, AT(plots), AT(plot_count), 0, 0,
     "plot energy, residual, step time and probes over time; energy,probes=FILE.svg: only these; repeatable"},
    {"--probe", "PARTICLES.Q", OPTION_LIST, AT(probes), AT(probe_count), 0, 0,
     "measure x, y, z, vx, vy, vz or speed of a particle, or the mean of several, such as cloth[390].y or ball.speed, "
     "for --stats and --plot; repeatable"},
    {"--events", "FILE", OPTION_TEXT, AT(events), 0, 0, 0,
     "write the contacts that begin and end, one JSON object for each line; - is stdout"},
    {"--save", "FILE", OPTION_TEXT, AT(save), 0, 0, 0, "write a snapshot at the end"},
    {"--resume", "FILE", OPTION_TEXT, AT(resume), 0, 0, 0,
     "continue from a snapshot of the same scene; settings given with --set apply from there on"},
    {"--checkpoint-every", "N", OPTION_INT, AT(checkpoint_every), 0, 1, 10000000,
     "write a snapshot every N frames to the file of --save or to out/SCENE.checkpoint"},
    {"--expect", NULL, OPTION_FLAG, AT(expect), 0, 0, 0,
     "check the expectations of the scene even in a changed or resumed run"},
    {"--quiet", NULL, OPTION_FLAG, AT(quiet), 0, 0, 0, "print no progress and no summary"},
};

static void print_help(void)
{
    fputs("usage: pliant run SCENE [options]\n\nSCENE is a built-in name (`pliant list`) or a path.\n\n", stdout);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    {
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", table[i].name, table[i].value ? " " : "",
                 table[i].value ? table[i].value : "");
        printf("  %-22s %s\n", left, table[i].about);
    }
}

static int take_int(const struct option *option, const char *text, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < option->min || number > option->max)
    {
        return bad_usage("%s is \"%s\"; use a whole number from %d to %d", option->name, text, option->min,
                         option->max);
    }
    *value = (int)number;
    return -1;
}

// The last of several settings of one field counts.
static void add_setting(const struct option *option, const char *text, struct options *o)
{
    char *set = o->texts[o->text_count++];
    snprintf(set, sizeof *o->texts, "%s=%.40s", option->name + 2, text);
    o->sets[o->set_count++] = set;
}

static int take_number(const struct option *option, const char *text, double *value)
{
    double least = option->min / 1000.0;
    if (!number_read(text, strlen(text), NUMBER_JSON, value) || *value < least || *value > option->max)
    {
        return bad_usage("%s is \"%s\"; use a number from %g to %d", option->name, text, least, option->max);
    }
    return -1;
}

static int take(const struct option *option, const char *text, struct options *o)
{
    char *base = (char *)o;
    int code = -1, number;
    switch (option->kind)
    {
    case OPTION_INT:
        return take_int(option, text, (int *)(base + option->offset));
    case OPTION_NUMBER:
        return take_number(option, text, (double *)(base + option->offset));
    case OPTION_SETTING_INT:
        code = take_int(option, text, &number);
        add_setting(option, text, o);
        return code;
    case OPTION_SETTING:
        add_setting(option, text, o);
        return text[0] ? -1 : bad_usage("%s is empty; expected %s", option->name, option->value);
    case OPTION_TEXT:
        *(const char **)(base + option->offset) = text;
        return text[0] ? -1 : bad_usage("%s is empty; expected %s", option->name, option->value);
    case OPTION_LIST:
        (*(const char ***)(base + option->offset))[(*(int *)(base + option->count_offset))++] = text;
        return -1;
    case OPTION_FLAG:
        *(bool *)(base + option->offset) = true;
        return -1;
    }
    return -1;
}

static const struct option *find(const char *argument, size_t length)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    {
        if (strlen(table[i].name) == length && memcmp(table[i].name, argument, length) == 0)
        {
            return &table[i];
        }
    }
    return NULL;
}

static const char *option_name(int number)
{
    return number < (int)(sizeof table / sizeof *table) ? table[number].name : NULL;
}

static int no_option(const char *argument, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    const char *nearest = nearest_word(name, option_name);
    return nearest ? bad_usage("no option \"%s\"; did you mean \"%s\"?", name, nearest)
                   : bad_usage("no option \"%s\"; `pliant run --help` lists them", name);
}

// Takes argument i, and its value; both "--frames 10" and "--frames=10" are understood.
static int take_argument(int count, char **arguments, int *i, struct options *o)
{
    const char *argument = arguments[*i];
    if (argument[0] != '-' || argument[1] == 0)
    {
        if (o->scene)
        {
            return bad_usage("two scenes, \"%s\" and \"%s\"; give one", o->scene, argument);
        }
        o->scene = argument;
        return -1;
    }
    size_t length = strcspn(argument, "=");
    const struct option *option = find(argument, length);
    if (!option)
    {
        return no_option(argument, length);
    }
    bool joined = argument[length] == '=';
    if (option->kind == OPTION_FLAG)
    {
        return joined ? bad_usage("%s takes no value", option->name) : take(option, "", o);
    }
    if (!joined && *i + 1 >= count)
    {
        return bad_usage("%s needs a value; use %s %s", option->name, option->name, option->value);
    }
    return take(option, joined ? argument + length + 1 : arguments[++*i], o);
}

static int check_lanes(int lanes)
{
    char known[64] = "";
    if (lanes == 0)
    {
        return -1;
    }
    for (const int *width = pl_lane_widths(); *width; width++)
    {
        char one[16];
        if (*width == lanes)
        {
            return -1;
        }
        snprintf(one, sizeof one, "%s%d", known[0] ? ", " : "", *width);
        strncat(known, one, sizeof known - strlen(known) - 1);
    }
    return bad_usage("--lanes is %d; this machine has %s", lanes, known);
}

// A name without an ending, a pipe's say, takes JSON.
static bool is_stats(const char *path)
{
    const char *slash = strrchr(path, '/');
    return path_ends(path, "json") || path_ends(path, "csv") || !strchr(slash ? slash : path, '.');
}

static int check(struct options *o)
{
    if (!o->scene)
    {
        return bad_usage("no scene is given; use `pliant run SCENE`, and `pliant list` for the names of the scenes");
    }
    if (o->backend && strcmp(o->backend, "cpu") != 0 && strcmp(o->backend, "cuda") != 0)
    {
        return bad_usage("--backend is \"%s\"; use cpu or cuda", o->backend);
    }
    for (int i = 0; i < o->plot_count; i++)
    {
        const char *path;
        if (!plot_is_known(o->plots[i], &path))
        {
            return bad_usage("--plot is \"%s\"; before a = only energy, residual, time and probes are known",
                             o->plots[i]);
        }
        if (!path_ends(path, "svg"))
        {
            return bad_usage("--plot is \"%s\"; use a name ending in .svg", o->plots[i]);
        }
    }
    if (o->stats && !is_stats(o->stats))
    {
        return bad_usage("--stats is \"%s\"; use a name ending in .json or .csv, or without an ending for JSON",
                         o->stats);
    }
    if (out_is_stdout(o->stats) && out_is_stdout(o->events))
    {
        return bad_usage("--stats - and --events - would mix on the standard output; use a file for one of them");
    }
    if (out_is_stdout(o->save))
    {
        return bad_usage("--save is \"-\"; a snapshot needs a file's name");
    }
    int code = pictures_check(o);
    for (int i = 0; i < o->out_count && code < 0; i++)
    {
        code = export_check(o->outs[i]) == PL_OK ? -1 : report_failure(EXIT_USAGE);
    }
    return code < 0 ? check_lanes(o->lanes) : code;
}

int options_read(int count, char **arguments, struct options *o)
{
    *o = (struct options){.frames = -1};
    const char ***lists[] = {&o->sets, &o->outs, &o->pictures, &o->probes, &o->plots};
    o->texts = calloc((size_t)count + 1, sizeof *o->texts);
    bool room = o->texts != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    {
        *lists[i] = calloc((size_t)count + 1, sizeof **lists[i]);
        room &= *lists[i] != NULL;
    }
    if (!room)
    {
        return bad_usage("no memory for the arguments; give fewer");
    }
    for (int i = 0; i < count; i++)
    {
        if (asks_for_help(arguments[i]))
        {
            print_help();
            return EXIT_GOOD;
        }
    }
    for (int i = 0; i < count; i++)
    {
        int code = take_argument(count, arguments, &i, o);
        if (code >= 0)
        {
            return code;
        }
    }
    o->changed = o->set_count > 0;
    return check(o);
}

void options_free(struct options *o)
{
    free(o->sets);
    free(o->outs);
    free(o->pictures);
    free(o->probes);
    free(o->plots);
    free(o->texts);
}
