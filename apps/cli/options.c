// options.c: reads the arguments of `pliant run` from one table, which is also its help.
#include "options.h"

#include "cli.h"
#include "io/export.h"
#include "core/files.h"
#include "plots.h"
#include "pictures.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct options, member)

static const struct option table[] = {
    {"--frames", "N", OPTION_INT, AT(frames), 0, 0, 10000000, "number of steps (default: that of the scene)"},
    {"--threads", "N", OPTION_INT, AT(threads), 0, 0, 256, "number of threads; 0: one for each core (0)"},
    {"--lanes", "N", OPTION_INT, AT(lanes), 0, 0, 16, "SIMD width: 1, 4, 8 or 16; 0: the best of this machine (0)"},
    {"--backend", "NAME", OPTION_TEXT, AT(backend), 0, 0, 0, "cpu or cuda (cpu)"},
    {"--substeps", "N", OPTION_SETTING_INT, 0, 0, 1, 10000, "substeps of a frame"},
    {"--iterations", "N", OPTION_SETTING_INT, 0, 0, 1, 10000, "iterations of the solver in each substep"},
    {"--solver", "NAME", OPTION_SETTING, 0, 0, 0, 0, "xpbd, pbd, jacobi, hybrid, chebyshev, hierarchy or direct"},
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

static const struct option_command run_command = {
    .name = "run",
    .help = "usage: pliant run SCENE [options]\n\nSCENE is a built-in name (`pliant list`) or a path.\n\n",
    .table = table,
    .count = sizeof table / sizeof *table,
    .scene = AT(scene),
    .sets = AT(sets),
    .set_count = AT(set_count),
    .texts = AT(texts),
};

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
    int code = check_backend(o->backend);
    code = code < 0 ? pictures_check(o) : code;
    for (int i = 0; i < o->out_count && code < 0; i++)
    {
        code = export_check(o->outs[i]) == PL_OK ? -1 : report_failure(EXIT_USAGE);
    }
    return code < 0 ? check_lanes(o->lanes) : code;
}

int options_read(int count, char **arguments, struct options *o)
{
    *o = (struct options){.frames = -1};
    o->pictures = calloc((size_t)count + 1, sizeof *o->pictures);
    int code = o->pictures ? arguments_read(&run_command, count, arguments, o)
                           : bad_usage("no memory for the arguments; give fewer");
    o->changed = o->set_count > 0;
    return code < 0 ? check(o) : code;
}

void options_free(struct options *o)
{
    arguments_free(&run_command, o);
    free(o->pictures);
}
