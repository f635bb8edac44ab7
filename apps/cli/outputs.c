// outputs.c: see outputs.h.
#include "outputs.h"

#include "cli.h"
#include "core/files.h"
#include "plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct output
{
    const char *option, *path;
    char *real; // NULL: not to be compared
};

// The one name of a file, however it was written; a device may be named as often as one likes.
static char *real_name(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
    {
        return S_ISREG(about.st_mode) ? realpath(path, NULL) : NULL;
    }
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL;
    size_t size = real ? strlen(real) + strlen(base) + 2 : 0;
    char *whole = real ? malloc(size) : NULL;
    if (whole)
    {
        snprintf(whole, size, "%s/%s", real, base);
    }
    free(folder);
    free(real);
    return whole;
}

static void add(struct output *all, int *count, const char *option, const char *path)
{
    if (path && path[0])
    {
        all[(*count)++] = (struct output){option, path, real_name(path)};
    }
}

int outputs_apart(const struct options *o, const char *checkpoint)
{
    int count = 0, code = EXIT_GOOD;
    struct output *all =
        calloc((size_t)o->out_count + (size_t)o->picture_count + (size_t)o->plot_count + 5, sizeof *all);
    if (!all)
    {
        return bad_usage("no memory for the names of the outputs; give fewer");
    }
    add(all, &count, "the scene", pl_builtin_scene(o->scene, NULL) ? NULL : o->scene);
    add(all, &count, "--stats", out_is_stdout(o->stats) ? NULL : o->stats);
    for (int i = 0; i < o->plot_count; i++)
    {
        const char *path;
        plot_is_known(o->plots[i], &path);
        add(all, &count, "--plot", path);
    }
    add(all, &count, "--events", out_is_stdout(o->events) ? NULL : o->events);
    add(all, &count, "--save", o->save);
    add(all, &count, "--checkpoint-every", o->save ? NULL : checkpoint); // else it is the file of --save
    for (int i = 0; i < o->out_count; i++)
    {
        add(all, &count, "--out", o->outs[i]);
    }
    for (int i = 0; i < o->picture_count; i++)
    {
        add(all, &count, "--out", o->pictures[i]);
    }
    for (int i = 0; i < count; i++)
    {
        for (int k = 0; k < i && code == EXIT_GOOD; k++)
        {
            if (all[i].real && all[k].real && strcmp(all[i].real, all[k].real) == 0)
            {
                code = bad_usage("\"%s\" is named twice, by %s and by %s; give each a name of its own", all[i].path,
                                 all[k].option, all[i].option);
            }
        }
    }
    for (int i = 0; i < count; i++)
    {
        free(all[i].real);
    }
    free(all);
    return code;
}

struct export_timing outputs_timing(const struct options *o, float dt)
{
    return (struct export_timing){.dt = dt, .fps = (double)o->fps, .speed = o->time_scale};
}

void outputs_tell(const struct options *o, float dt)
{
    for (int i = 0; i < o->out_count; i++)
    {
        char text[240];
        bool told = false;
        for (int k = 0; k < i; k++)
        {
            told |= strcmp(strrchr(o->outs[k], '.'), strrchr(o->outs[i], '.')) == 0;
        }
        export_hint(o->outs[i], outputs_timing(o, dt), text, sizeof text);
        if (text[0] && !told)
        {
            fprintf(stderr, "%s: %s\n", o->outs[i], text);
        }
    }
}
