// view.c: `pliant view [SCENE]`.
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLIANT_HAVE_WINDOW

#include "edits.h"
#include "mesh_scene.h"
#include "message.h"
#include "window.h"

static void print_help(void)
{
    fputs("usage: pliant view [SCENE] [options]\n\nSCENE is a built-in name (`pliant list`), a path, or an OBJ mesh; "
          "without "
          "one, the flag. In the window, ? names the keys.\n\n"
          "  --size WxH             of the window (1280x720)\n"
          "  --set PATH=VALUE       changes any field of the scene; repeatable\n"
          "  --threads N            0: one for each core, the default\n"
          "  --scale N              of letters, from 0.5 to 4; as the screen has it, the default\n"
          "  --paused               waits for the space bar\n"
          "  --log FILE             a line for everything that is done in the window\n",
          stdout);
}

// Takes one argument, with its value; an exit code, or -1 to go on.
static int take(struct window_def *def, const char **sets, int count, char **arguments, int *i, bool *named)
{
    const char *name = arguments[*i];
    char rest;
    if (name[0] != '-')
    {
        if (*named)
        {
            return bad_usage("two scenes, \"%s\" and \"%s\"; give one", def->session.scene, name);
        }
        def->session.scene = name;
        *named = true;
        return -1;
    }
    if (strcmp(name, "--paused") == 0)
    {
        def->session.paused = true;
        return -1;
    }
    const char *value = *i + 1 < count ? arguments[++*i] : NULL;
    if (strcmp(name, "--set") == 0 && value)
    {
        sets[def->session.set_count++] = value;
        return -1;
    }
    if (strcmp(name, "--log") == 0 && value)
    {
        def->log = value;
        return -1;
    }
    if (strcmp(name, "--threads") == 0 && value)
    {
        bool number = sscanf(value, "%4d%c", &def->session.threads, &rest) == 1 && def->session.threads >= 0 &&
                      def->session.threads <= 256;
        return number ? -1 : bad_usage("--threads is \"%s\"; use a whole number from 0 to 256", value);
    }
    if (strcmp(name, "--scale") == 0 && value)
    {
        bool number = sscanf(value, "%9f%c", &def->scale, &rest) == 1 && def->scale >= 0.5f && def->scale <= 4.0f;
        return number ? -1 : bad_usage("--scale is \"%s\"; use a number from 0.5 to 4", value);
    }
    if (strcmp(name, "--size") == 0 && value)
    {
        bool size = sscanf(value, "%5dx%5d%c", &def->width, &def->height, &rest) == 2 && def->width >= 64 &&
                    def->height >= 64 && def->width <= 8192 && def->height <= 8192;
        return size ? -1
                    : bad_usage("--size is \"%s\"; use WIDTHxHEIGHT from 64x64 to 8192x8192, such as 1280x720", value);
    }
    return bad_usage("no option \"%s\", or no value for it; `pliant view --help` lists them", name);
}

static bool scene_is_good(const struct session_def *def)
{
    pl_scene *scene = NULL;
    pl_result result = PL_OK;
    if (!is_mesh_file(def->scene))
    {
        result = load_scene(def->scene, def->sets, def->set_count, &scene);
    }
    else if ((result = mesh_scene_load(def->scene, def->sets, def->set_count, &scene)) != PL_OK)
    {
        report_failure(EXIT_USAGE);
    }
    pl_scene_free(scene);
    return result == PL_OK;
}

int command_view(int count, char **arguments)
{
    const char **sets = calloc((size_t)count + 1, sizeof *sets);
    struct window_def def = {.session = {.scene = "flag", .sets = sets, .allow_paths = allow_paths}};
    bool named = false;
    int code = sets ? -1 : bad_usage("no memory for the arguments; give fewer");
    for (int i = 0; i < count && code < 0; i++)
    {
        if (asks_for_help(arguments[i]))
        {
            print_help();
            code = EXIT_GOOD;
        }
        else
        {
            code = take(&def, sets, count, arguments, &i, &named);
        }
    }
    if (code < 0)
    {
        // What is wrong with it is told before a window opens.
        code = scene_is_good(&def.session) ? window_run(&def) ? EXIT_GOOD : EXIT_FAILED : EXIT_USAGE;
        if (code == EXIT_FAILED)
        {
            fprintf(stderr, "pliant: error: %s\n", viewer_message());
        }
    }
    free(sets);
    return code;
}

#else

int command_view(int count, char **arguments)
{
    (void)arguments;
    (void)count;
    return bad_usage("this program was built without a window; install libglfw3-dev libimgui-dev g++ (and libepoxy-dev "
                     "libegl-dev libpng-dev) "
                     "and build it again, or `pliant run SCENE --out x.mp4`");
}

#endif
