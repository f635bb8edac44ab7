// pictures.c: see pictures.h.
#include "pictures.h"

#include "cli.h"
#include "core/files.h"

#include <stdio.h>
#include <string.h>

static bool is_picture(const char *path)
{
    static const char *const endings[] = {"png", "mp4", "gif", "webp"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    {
        if (path_ends(path, endings[i]))
        {
            return true;
        }
    }
    return false;
}

// As the viewer names them (colour_by_name), also where there is no viewer to ask.
static const char *const colours[] = {"material", "speed", "strain", "density", "heat",
                                      "residual", "batch", "tile",   "pressure"};

static const char *const lines[] = {"joints", "contacts", "constraints", "velocities",
                                    "wind",   "cells",    "boxes",       "particles"};

// Reads --show: words separated by commas. Returns an exit code, or -1 to go on.
static int check_lines(struct options *o)
{
    const char *word = o->show;
    while (word)
    {
        size_t length = strcspn(word, ","), i = 0;
        while (i < sizeof lines / sizeof *lines && (strlen(lines[i]) != length || memcmp(lines[i], word, length) != 0))
        {
            i++;
        }
        if (i == sizeof lines / sizeof *lines)
        {
            return bad_usage(
                "--show has \"%.*s\"; use joints, contacts, constraints, velocities, wind, cells, boxes or "
                "particles, separated by commas",
                (int)length, word);
        }
        o->shown |= 1u << i;
        word = word[length] ? word + length + 1 : NULL;
    }
    return -1;
}

// Options of pictures, where there are none.
static void warn_of_idle_options(const struct options *o)
{
    bool caches = false;
    for (int i = 0; i < o->out_count; i++)
    {
        caches |= path_ends(o->outs[i], "pc2");
    }
    static const char pictures[] = "pictures and films", films[] = "films and .pc2 caches";
    const struct
    {
        const char *name, *kind;
        bool given;
    } all[] = {{"--size", pictures, o->size},
               {"--fps", films, o->fps > 0 && !caches},
               {"--time-scale", films, o->time_scale > 0.0 && !caches},
               {"--samples", pictures, o->samples > 0},
               {"--colour", pictures, o->colour},
               {"--show", pictures, o->show}};
    for (size_t i = 0; i < sizeof all / sizeof *all && !o->quiet && o->picture_count == 0; i++)
    {
        if (all[i].given)
        {
            fprintf(stderr, "pliant: warning: %s has no effect here; it is only for %s\n", all[i].name, all[i].kind);
        }
    }
}

int pictures_check(struct options *o)
{
    int kept = 0;
    char rest = 0;
    for (int i = 0; i < o->out_count; i++)
    {
        if (is_picture(o->outs[i]))
        {
            o->pictures[o->picture_count++] = o->outs[i];
        }
        else
        {
            o->outs[kept++] = o->outs[i];
        }
    }
    o->out_count = kept;
    warn_of_idle_options(o);
    if (o->size && (sscanf(o->size, "%5dx%5d%c", &o->width, &o->height, &rest) != 2 || o->width < 16 ||
                    o->height < 16 || o->width > 8192 || o->height > 8192))
    {
        return bad_usage("--size is \"%s\"; use WIDTHxHEIGHT from 16x16 to 8192x8192, such as 1280x720", o->size);
    }
    int code = check_lines(o);
    if (code >= 0)
    {
        return code;
    }
    for (size_t i = 0; o->colour && i < sizeof colours / sizeof *colours; i++)
    {
        if (strcmp(o->colour, colours[i]) == 0)
        {
            return -1;
        }
    }
    return o->colour ? bad_usage("--colour is \"%s\"; use material, speed, strain, density, heat, residual, batch, "
                                 "tile or pressure",
                                 o->colour)
                     : -1;
}

#ifdef PLIANT_HAVE_VIEWER

#include "message.h"
#include "recorder.h"

static void tell(const char *what) { bad_usage("%s", what); }

int pictures_open(struct recorder **recorder, const struct options *o, const pl_scene_info *info, const pl_world *world)
{
    if (o->picture_count == 0)
    {
        return EXIT_GOOD;
    }
    struct recorder_def def = {.paths = o->pictures,
                               .path_count = o->picture_count,
                               .width = o->width,
                               .height = o->height,
                               .fps = o->fps,
                               .time_scale = o->time_scale,
                               .samples = o->samples,
                               .scene = *info,
                               .look = default_look(),
                               .tell = tell};
    for (int by = 0; o->colour && by < COLOUR_BY_COUNT; by++)
    {
        def.look.colour_by =
            strcmp(o->colour, colour_by_name((enum colour_by)by)) == 0 ? (enum colour_by)by : def.look.colour_by;
    }
    // In the order of `lines`.
    bool *const look[] = {&def.look.joints, &def.look.contacts, &def.look.constraints, &def.look.velocities,
                          &def.look.wind,   &def.look.cells,    &def.look.boxes,       &def.look.particles};
    for (size_t i = 0; i < sizeof look / sizeof *look; i++)
    {
        *look[i] = (o->shown >> i & 1u) != 0;
    }
    if (!recorder_open(recorder, &def, world))
    {
        return bad_usage("%s", viewer_message());
    }
    if (def.look.colour_by == COLOUR_HEAT && pl_world_heat(world).warm == 0 && !o->quiet)
    {
        fprintf(stderr, "pliant: warning: --colour heat has no effect here; it is only for scenes with \"heat\"\n");
    }
    if (def.look.colour_by == COLOUR_PRESSURE && pl_world_fluid(world).particles == 0 && !o->quiet)
    {
        fprintf(stderr,
                "pliant: warning: --colour pressure has no effect here; it is only for scenes with \"fluid\"\n");
    }
    return EXIT_GOOD;
}

bool pictures_frame(struct recorder *recorder, const pl_world *world)
{
    return !recorder || recorder_frame(recorder, world);
}

bool pictures_close(struct recorder *recorder, const pl_world *world)
{
    return !recorder || recorder_close(recorder, world);
}

void pictures_abort(struct recorder *recorder) { recorder_abort(recorder); }

#else

int pictures_open(struct recorder **recorder, const struct options *o, const pl_scene_info *info, const pl_world *world)
{
    (void)info;
    (void)world;
    *recorder = NULL;
    return o->picture_count == 0 ? EXIT_GOOD
                                 : bad_usage("cannot write \"%s\": this program was built without pictures; install "
                                             "libepoxy-dev libegl-dev libpng-dev "
                                             "and build it again, or write .ply, .obj, .pc2, .vtp or .pvd",
                                             o->pictures[0]);
}

bool pictures_frame(struct recorder *recorder, const pl_world *world)
{
    (void)recorder;
    (void)world;
    return true;
}

bool pictures_close(struct recorder *recorder, const pl_world *world)
{
    (void)world;
    (void)recorder;
    return true;
}

void pictures_abort(struct recorder *recorder) { (void)recorder; }

#endif
