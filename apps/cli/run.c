// run.c: `pliant run SCENE`.
#include "blades.h"
#include "cli.h"
#include "event_log.h"
#include "frame_table.h"
#include "history.h"
#include "io/export.h"
#include "core/files.h"
#include "io/scene.h"
#include "options.h"
#include "outputs.h"
#include "pictures.h"
#include "plots.h"
#include "progress.h"
#include "resume.h"
#include "stats.h"
#include "summary.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct run
{
    struct options options;
    pl_scene *scene;
    pl_world *world;
    pl_scene_info info;
    char name[128];    // for files
    const char *title; // as the scene calls itself, or the same
    int64_t first, last;
    char checkpoint[512];
    struct exporter **exporters; // NULL: one that came to its end before the run
    int exporter_count;
    bool cut_short;            // a file could not be written, or came to its end before the run
    bool checkpoint_lost;      // the last checkpoint was not written
    struct recorder *recorder; // NULL: no pictures
    struct probes probes;
    struct history history;
    struct event_log events;
    struct frame_table table;
    struct progress progress;
    struct blades blades;
};

// ---- before --------------------------------------------------------------------------------------------------------

static pl_world_def world_def(const struct options *o)
{
    pl_world_def def = pl_default_world_def();
    def.threads = o->threads;
    def.lanes = o->lanes;
    def.backend = o->backend && strcmp(o->backend, "cuda") == 0 ? PL_BACKEND_CUDA : PL_BACKEND_CPU;
    return def;
}

static int choose_checkpoint(struct run *r)
{
    const struct options *o = &r->options;
    if (!o->checkpoint_every)
    {
        return EXIT_GOOD;
    }
    if (o->save)
    {
        snprintf(r->checkpoint, sizeof r->checkpoint, "%s", o->save);
        return EXIT_GOOD;
    }
    if (mkdir("out", 0777) != 0 && errno != EEXIST)
    {
        return bad_usage("cannot make the folder out for checkpoints: %s; name a file with --save", strerror(errno));
    }
    snprintf(r->checkpoint, sizeof r->checkpoint, "out/%s.checkpoint", r->name);
    return EXIT_GOOD;
}

static int open_world(struct run *r)
{
    struct options *o = &r->options;
    pl_world_def def = world_def(o);
    if (load_scene(o->scene, o->sets, o->set_count, &r->scene) != PL_OK)
    {
        return EXIT_USAGE;
    }
    r->info = pl_scene_describe(r->scene);
    short_name(o->scene, r->name, sizeof r->name);
    r->title = r->scene->name && r->scene->name[0] ? r->scene->name : r->name;
    pl_result result =
        o->resume ? resume_world(r->scene, o, &def, &r->world) : pl_scene_world(r->scene, &def, &r->world);
    if (result != PL_OK)
    {
        return report_failure(EXIT_USAGE);
    }
    r->first = pl_world_frame(r->world);
    r->last = o->frames >= 0 ? o->frames : r->info.frames;
    if (!o->quiet)
    {
        warn(r->scene, r->world, PL_ADVICE_SCENE, r->last, NULL, stderr, "pliant: ");
    }
    if (r->first > r->last)
    {
        return bad_usage("the snapshot is at frame %lld and the run ends at %lld; use --frames %lld or more",
                         (long long)r->first, (long long)r->last, (long long)r->first);
    }
    int code = probes_open(&r->probes, r->scene, o->probes, o->probe_count);
    code = code == EXIT_GOOD ? choose_checkpoint(r) : code;
    return code == EXIT_GOOD ? outputs_apart(o, r->checkpoint) : code;
}

// A file that cannot take a frame ends with the one before; the others, and the run, go on.
static void export_frames(struct run *r)
{
    for (int i = 0; i < r->exporter_count; i++)
    {
        if (!r->exporters[i] || export_frame(r->exporters[i], r->world) == PL_OK)
        {
            continue;
        }
        report_failure(EXIT_FAILED);
        int64_t last = pl_world_frame(r->world) - 1;
        bool begun = last >= r->first;
        if (!begun)
        {
            export_abort(r->exporters[i]);
        }
        if (begun && export_close(r->exporters[i]) == PL_OK)
        {
            fprintf(stderr, "pliant: %s ends with frame %lld; the run continues\n", r->options.outs[i],
                    (long long)last);
        }
        else
        {
            fprintf(stderr, "pliant: %s is not written; the run continues\n", r->options.outs[i]);
        }
        r->exporters[i] = NULL;
        r->cut_short = true;
    }
}

// One that fails leaves the one before; the next may find room again. Told once, until one is written.
static void write_checkpoint(struct run *r)
{
    bool lost = pl_world_save(r->world, r->checkpoint) != PL_OK;
    if (lost && !r->checkpoint_lost)
    {
        report_failure(EXIT_FAILED);
        fprintf(stderr, "pliant: no checkpoint of frame %lld; the run continues\n",
                (long long)pl_world_frame(r->world));
    }
    r->checkpoint_lost = lost;
    r->cut_short |= lost;
}

static void write_events(struct run *r)
{
    if (event_log_frame(&r->events, r->world) != PL_OK)
    {
        report_failure(EXIT_FAILED);
        fprintf(stderr, "pliant: %s is not written; the run continues\n", r->options.events);
        event_log_abort(&r->events);
        r->cut_short = true;
    }
}

static int open_outputs(struct run *r)
{
    const struct options *o = &r->options;
    r->exporters = calloc((size_t)o->out_count + 1, sizeof *r->exporters);
    if (!r->exporters || !history_open(&r->history, (int)(r->last - r->first), o->plot_count > 0, &r->probes))
    {
        return bad_usage("no memory for %lld frames; use fewer --frames", (long long)(r->last - r->first));
    }
    const char *const files[] = {o->save, out_is_stdout(o->events) ? NULL : o->events,
                                 out_is_stdout(o->stats) ? NULL : o->stats, r->checkpoint[0] ? r->checkpoint : NULL};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    {
        if (files[i] && out_check(files[i]) != PL_OK)
        {
            return report_failure(EXIT_USAGE);
        }
    }
    if (plots_check(o->plots, o->plot_count) != PL_OK)
    {
        return report_failure(EXIT_USAGE);
    }
    for (int i = 0; i < o->out_count; i++)
    {
        if (export_open(o->outs[i], r->world, r->last, outputs_timing(o, r->info.dt), &r->exporters[i]) != PL_OK)
        {
            return report_failure(EXIT_USAGE);
        }
        r->exporter_count++;
    }
    if (event_log_open(&r->events, r->world, o->events) != PL_OK ||
        frame_table_open(&r->table, o->stats, r->world, &r->probes) != PL_OK)
    {
        return report_failure(EXIT_USAGE);
    }
    int code = pictures_open(&r->recorder, o, &r->info, r->world);
    if (code == EXIT_GOOD)
    {
        history_sample(&r->history, r->world, 0.0);
        frame_table_frame(&r->table, r->world, -1.0);
        export_frames(r);
        r->cut_short |= !pictures_frame(r->recorder, r->world);
    }
    return code;
}

// ---- the frames ----------------------------------------------------------------------------------------------------

static pl_result step(struct run *r)
{
    pl_result result = blades_before_step(&r->blades, r->scene, r->world);
    double began = milliseconds_now();
    result = result == PL_OK ? pl_world_step(r->world, r->info.dt) : result;
    if (result != PL_OK)
    {
        return result;
    }
    double ms = milliseconds_now() - began;
    history_frame(&r->history, r->world, ms);
    frame_table_frame(&r->table, r->world, ms);
    export_frames(r);
    int64_t frame = pl_world_frame(r->world);
    write_events(r);
    r->cut_short |= !pictures_frame(r->recorder, r->world);
    if (r->checkpoint[0] && frame % r->options.checkpoint_every == 0)
    {
        write_checkpoint(r);
    }
    progress_show(&r->progress, frame);
    return PL_OK;
}

static int walk(struct run *r)
{
    pl_result result = PL_OK;
    progress_begin(&r->progress, !r->options.quiet, r->first, r->last);
    while (pl_world_frame(r->world) < r->last && !signals_asked() && result == PL_OK)
    {
        result = step(r);
    }
    progress_end(&r->progress);
    if (result != PL_OK)
    {
        report_failure(EXIT_FAILED);
        fprintf(stderr, "pliant: the run stopped at frame %lld of %lld\n", (long long)pl_world_frame(r->world),
                (long long)r->last);
        warn(r->scene, r->world, PL_ADVICE_STATE, r->last, &(pl_convergence){0}, stderr, "pliant: ");
        return EXIT_FAILED;
    }
    return EXIT_GOOD;
}

// ---- after ---------------------------------------------------------------------------------------------------------

// What was asked for is written also when a run was interrupted: it is whole up to the frame it came to.
static int write_outputs(struct run *r)
{
    const struct options *o = &r->options;
    int code = r->cut_short ? EXIT_FAILED : EXIT_GOOD;
    while (r->exporter_count > 0)
    {
        struct exporter *e = r->exporters[--r->exporter_count];
        if (e && export_close(e) != PL_OK)
        {
            code = report_failure(EXIT_FAILED);
        }
    }
    code = event_log_close(&r->events) == PL_OK ? code : report_failure(EXIT_FAILED);
    code = frame_table_close(&r->table) == PL_OK ? code : report_failure(EXIT_FAILED);
    code = pictures_close(r->recorder, r->world) ? code : EXIT_FAILED;
    r->recorder = NULL;
    if (o->save && pl_world_save(r->world, o->save) != PL_OK)
    {
        code = report_failure(EXIT_FAILED);
    }
    if (plots_write(&r->history, r->world, r->title, o->plots, o->plot_count) != PL_OK)
    {
        code = report_failure(EXIT_FAILED);
    }
    if (o->stats && !frame_table_named(o->stats) && stats_write(o->stats, r->title, r->world, &r->history) != PL_OK)
    {
        code = report_failure(EXIT_FAILED);
    }
    return code;
}

static int check_expectations(struct run *r)
{
    const struct options *o = &r->options;
    char report[4096], words[64];
    int checked = 0, failed = 0;
    bool whole = pl_world_frame(r->world) == r->info.frames;
    if (!o->expect && (!whole || o->changed || o->resume))
    {
        return EXIT_GOOD;
    }
    if (pl_scene_expect(r->scene, r->world, report, sizeof report, &checked, &failed) != PL_OK)
    {
        return report_failure(EXIT_FAILED);
    }
    if (failed)
    {
        fprintf(stderr, "pliant: error: %d of %s of %s failed:\n%s", failed, counted(checked, "expectation", words),
                r->title, report);
        return EXIT_FAILED;
    }
    if (!o->quiet)
    {
        fprintf(stderr, "%s %s\n", counted(checked, "expectation", words), checked == 1 ? "holds" : "hold");
    }
    return EXIT_GOOD;
}

static void close_run(struct run *r)
{
    if (frame_table_close(&r->table) != PL_OK) // of a run that failed too: it shows what led there
    {
        report_failure(EXIT_FAILED);
    }
    while (r->exporter_count > 0)
    {
        struct exporter *e = r->exporters[--r->exporter_count];
        if (e)
        {
            export_abort(e);
        }
    }
    pictures_abort(r->recorder);
    event_log_abort(&r->events);
    free(r->exporters);
    blades_free(&r->blades);
    history_free(&r->history);
    probes_free(&r->probes);
    pl_world_destroy(r->world);
    pl_scene_free(r->scene);
    options_free(&r->options);
}

int command_run(int count, char **arguments)
{
    struct run r = {0};
    int code = options_read(count, arguments, &r.options);
    bool go = code < 0;
    if (go)
    {
        code = open_world(&r);
        code = code == EXIT_GOOD ? open_outputs(&r) : code;
        go = code == EXIT_GOOD;
    }
    if (go)
    {
        signals_ask();
        code = walk(&r);
    }
    bool walked = go && code == EXIT_GOOD;
    if (walked)
    {
        code = write_outputs(&r);
        if (!r.options.quiet)
        {
            blades_tell(&r.blades, r.scene, r.world);
            print_summary(r.title, r.world, &r.history);
            warn_of_run(r.scene, r.world, &r.history);
            outputs_tell(&r.options, r.info.dt);
        }
        int expectations = signals_asked() ? EXIT_GOOD : check_expectations(&r);
        code = code == EXIT_GOOD ? expectations : code;
    }
    if (walked && signals_asked())
    {
        fprintf(stderr, "pliant: stopped at frame %lld of %lld\n", (long long)pl_world_frame(r.world),
                (long long)r.last);
        code = EXIT_FAILED;
    }
    close_run(&r);
    return code;
}
