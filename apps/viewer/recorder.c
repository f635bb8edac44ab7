// recorder.c: see recorder.h. All files of a run share one renderer and one size, so that each frame is drawn once.
#include "recorder.h"

#include "froth.h"

#include "film.h"
#include "core/files.h"
#include "io/series.h"
#include "message.h"
#include "offscreen.h"
#include "png_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sink_kind
{
    SINK_LAST,     // x.png
    SINK_SEQUENCE, // x_%04d.png
    SINK_FILM,
};

struct sink
{
    enum sink_kind kind;
    const char *path;
    struct film *film;
    int64_t written; // pictures
    int64_t last;    // the frame of the last, in a sequence
    bool lost;       // it could not be written, and was given up
};

struct recorder
{
    struct recorder_def def;
    struct offscreen offscreen;
    struct renderer *renderer;
    struct model model;
    struct frame frame;
    struct froth froth;
    struct camera camera;
    double began;
    uint8_t *rgb;
    struct sink *sinks;
    int sink_count;
    bool drawn; // the picture of the present frame is in rgb
};

// ---- names ---------------------------------------------------------------------------------------------------------

static const char *ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

bool recorder_takes(const char *path)
{
    return path_ends(path, "png") || path_ends(path, "mp4") || path_ends(path, "gif") || path_ends(path, "webp");
}

static bool check_sink(struct sink *s, const struct recorder_def *def, int64_t first)
{
    bool png = path_ends(s->path, "png"), numbered = series_numbered(s->path);
    if (!series_good(s->path))
    {
        return trouble("bad number in \"%s\"; use one %%d or %%04d", s->path);
    }
    if (numbered && !png)
    {
        return trouble("a .%s file holds every frame; write \"%s\" without %%d", ending(s->path), s->path);
    }
    s->kind = !png ? SINK_FILM : numbered ? SINK_SEQUENCE : SINK_LAST;
    if (path_ends(s->path, "mp4") && (def->width % 2 || def->height % 2))
    {
        return trouble("--size is %dx%d; an mp4 needs even numbers, such as %dx%d", def->width, def->height,
                       def->width + def->width % 2, def->height + def->height % 2);
    }
    return (series_check(s->path, first) == PL_OK || library_trouble()) && (s->kind != SINK_FILM || film_ready());
}

// ---- opening -------------------------------------------------------------------------------------------------------

static void fill_defaults(struct recorder_def *def)
{
    bool small = true;
    for (int i = 0; i < def->path_count; i++)
    {
        small = small && (path_ends(def->paths[i], "gif") || path_ends(def->paths[i], "webp"));
    }
    if (def->width == 0)
    {
        def->width = small ? 640 : 1280;
        def->height = small ? 360 : 720;
    }
    def->fps = def->fps ? def->fps : small ? 25 : 30;
}

static bool open_renderer(struct recorder *r, const pl_world *world)
{
    const struct recorder_def *def = &r->def;
    if (!offscreen_open(&r->offscreen) || !renderer_create(&r->renderer))
    {
        return false;
    }
    int most = renderer_max_samples(), samples = def->samples ? def->samples : most < 4 ? most : 4;
    if (!renderer_resize(r->renderer, def->width, def->height, samples) || !model_take(&r->model, world))
    {
        return false;
    }
    model_set_scene(&r->model, &def->scene);
    r->camera = model_camera(&r->model, &def->scene.camera, (float)def->width / (float)def->height);
    r->rgb = malloc(3 * (size_t)def->width * (size_t)def->height);
    if (!r->rgb)
    {
        return trouble("no memory for a picture of %d x %d; use --size with fewer pixels", def->width, def->height);
    }
    return renderer_set_model(r->renderer, &r->model);
}

static bool open_sinks(struct recorder *r, const pl_world *world)
{
    for (int i = 0; i < r->sink_count; i++)
    {
        if (!check_sink(&r->sinks[i], &r->def, pl_world_frame(world)))
        {
            return false;
        }
    }
    return true;
}

static bool open_films(struct recorder *r)
{
    for (int i = 0; i < r->sink_count; i++)
    {
        struct sink *s = &r->sinks[i];
        if (s->kind == SINK_FILM && !film_open(&s->film, s->path, r->def.width, r->def.height, r->def.fps))
        {
            return false;
        }
    }
    return true;
}

bool recorder_open(struct recorder **out, const struct recorder_def *def, const pl_world *world)
{
    struct recorder *r = calloc(1, sizeof *r);
    if (!r || !(r->sinks = calloc((size_t)def->path_count + 1, sizeof *r->sinks)))
    {
        free(r);
        return trouble("no memory for pictures; free some memory");
    }
    r->def = *def;
    r->sink_count = def->path_count;
    for (int i = 0; i < def->path_count; i++)
    {
        r->sinks[i].path = def->paths[i];
    }
    fill_defaults(&r->def);
    r->began = pl_world_time(world);
    froth_set_scene(&r->froth, &r->def.scene);
    struct wants wants = look_wants(&r->def.look);
    if (!open_sinks(r, world) || !open_renderer(r, world) || !frame_take(&r->frame, world, &wants) ||
        !froth_follow(&r->froth, world) || !open_films(r))
    {
        recorder_abort(r);
        return false;
    }
    *out = r;
    return true;
}

// ---- frames --------------------------------------------------------------------------------------------------------

static void draw(struct recorder *r)
{
    if (r->drawn)
    {
        return;
    }
    struct camera c = r->camera;
    if (r->def.scene.camera.follow)
    {
        frame_follow(&r->frame, &c);
    }
    renderer_upload(r->renderer, &r->frame, &r->def.look);
    renderer_picture(r->renderer, &c, &r->def.look, r->rgb);
    r->drawn = true;
}

static bool write_numbered(struct recorder *r, struct sink *s)
{
    char path[4096];
    series_name(s->path, r->frame.number, path, sizeof path);
    draw(r);
    bool good = png_write(path, r->rgb, r->def.width, r->def.height);
    s->written += good;
    s->last = good ? r->frame.number : s->last;
    return good;
}

// Pictures of a film that are due at a time.
static double film_due(const struct recorder *r, double time)
{
    double speed = r->def.time_scale > 0.0 ? r->def.time_scale : 1.0;
    return (time - r->began) / speed * (double)r->def.fps + 1e-3;
}

// A film runs in real time: it takes as many pictures of this frame as are due by now, none or several.
static bool write_film(struct recorder *r, struct sink *s)
{
    bool good = true;
    double due = film_due(r, r->frame.time);
    while (good && (double)s->written <= due)
    {
        draw(r);
        good = film_frame(s->film, r->rgb);
        s->written++;
    }
    return good;
}

// What tears has another mesh.
static bool follow_tears(struct recorder *r, const pl_world *world)
{
    pl_tear_counts torn = pl_world_tears(world);
    struct model fresh;
    if (torn.splits + torn.broken == r->model.torn)
    {
        return true;
    }
    if (!model_take(&fresh, world))
    {
        return false;
    }
    model_set_scene(&fresh, &r->def.scene);
    model_keep_rest(&fresh, &r->model);
    model_free(&r->model);
    r->model = fresh;
    return renderer_set_model(r->renderer, &r->model);
}

static bool write_sink(struct recorder *r, struct sink *s)
{
    return s->kind == SINK_SEQUENCE ? write_numbered(r, s) : s->kind == SINK_FILM ? write_film(r, s) : true;
}

// A film is whole or not at all; of numbered pictures those before stay.
static void give_up(const struct recorder *r, struct sink *s)
{
    char what[1400], kept[64] = "it is not written";
    if (s->kind == SINK_SEQUENCE && s->written)
    {
        snprintf(kept, sizeof kept, "its last frame is %lld", (long long)s->last);
    }
    snprintf(what, sizeof what, "%s; %s; the run continues", viewer_message(), kept);
    if (s->film)
    {
        film_abort(s->film);
        s->film = NULL;
    }
    s->lost = true;
    if (r->def.tell)
    {
        r->def.tell(what);
    }
}

// Whether the frame of the world is drawn now: the surface of fluids is made only then.
static bool is_drawn_now(const struct recorder *r, const pl_world *world)
{
    bool drawn = false;
    for (int i = 0; i < r->sink_count; i++)
    {
        const struct sink *s = &r->sinks[i];
        drawn |= !s->lost && (s->kind == SINK_SEQUENCE ||
                              (s->kind == SINK_FILM && (double)s->written <= film_due(r, pl_world_time(world))));
    }
    return drawn;
}

bool recorder_frame(struct recorder *r, const pl_world *world)
{
    struct wants wants = look_wants(&r->def.look);
    bool now = is_drawn_now(r, world);
    wants.fluid = wants.fluid && now;
    wants.wax = wants.wax && now;
    bool taken = follow_tears(r, world) && frame_take(&r->frame, world, &wants) && froth_follow(&r->froth, world) &&
                 froth_copy(&r->froth, &r->frame);
    bool good = taken;
    r->drawn = false;
    for (int i = 0; i < r->sink_count; i++)
    {
        struct sink *s = &r->sinks[i];
        if (!s->lost && !(taken && write_sink(r, s)))
        {
            give_up(r, s);
            good = false;
        }
    }
    return good;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void recorder_free(struct recorder *r)
{
    for (int i = 0; i < r->sink_count; i++)
    {
        if (r->sinks[i].film)
        {
            film_abort(r->sinks[i].film);
        }
    }
    renderer_destroy(r->renderer);
    offscreen_close(&r->offscreen);
    model_free(&r->model);
    frame_free(&r->frame);
    froth_close(&r->froth);
    free(r->sinks);
    free(r->rgb);
    free(r);
}

// The last frame may lack what is made for drawing alone.
static void complete_frame(struct recorder *r, const pl_world *world)
{
    struct wants wants = look_wants(&r->def.look);
    bool lacks = (wants.fluid && !r->frame.has.fluid) || (wants.wax && !r->frame.has.wax);
    if (lacks && world && pl_world_frame(world) == r->frame.number)
    {
        r->drawn = frame_take(&r->frame, world, &wants) ? false : r->drawn;
    }
}

bool recorder_close(struct recorder *r, const pl_world *world)
{
    bool good = true;
    for (int i = 0; i < r->sink_count; i++) // one that fails does not cost the others
    {
        struct sink *s = &r->sinks[i];
        bool written = true;
        if (s->kind == SINK_LAST && !s->lost)
        {
            complete_frame(r, world);
            draw(r);
            written = png_write(s->path, r->rgb, r->def.width, r->def.height);
        }
        if (s->film)
        {
            written = film_close(s->film);
            s->film = NULL;
        }
        if (!written && r->def.tell)
        {
            r->def.tell(viewer_message());
        }
        good = good && written;
    }
    recorder_free(r);
    return good;
}

void recorder_abort(struct recorder *r)
{
    if (r)
    {
        recorder_free(r);
    }
}
