// list.c: `pliant list` and `pliant schema`.
#include "cli.h"

#include "io/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first sentence.
static int first_sentence(const char *about)
{
    const char *end = strstr(about, ". ");
    return end ? (int)(end - about) : (int)strcspn(about, "\n") - (about[0] && about[strlen(about) - 1] == '.');
}

int command_list(int count, char **arguments)
{
    if (count > 0)
    {
        if (asks_for_help(arguments[0]))
        {
            puts("usage: pliant list\n\nThe built-in scenes, one line each. `pliant run NAME` runs one.");
            return EXIT_GOOD;
        }
        return bad_usage("`pliant list` takes no arguments, not \"%s\"; leave it out", arguments[0]);
    }
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        pl_scene *scene;
        const char *name = pl_builtin_scene_name(i);
        if (load_scene(name, NULL, 0, &scene) != PL_OK)
        {
            return EXIT_FAILED;
        }
        const char *about = pl_scene_describe(scene).about;
        printf("%-16s %.*s\n", name, first_sentence(about), about);
        pl_scene_free(scene);
    }
    return EXIT_GOOD;
}

// Writes scenes/schema.json; a hidden command, since only the repository needs it.
int command_schema(int count, char **arguments)
{
    (void)arguments;
    char *text = count ? NULL : scene_schema();
    if (!text)
    {
        return bad_usage("`pliant schema` takes no arguments and writes the JSON Schema of scenes to stdout");
    }
    fputs(text, stdout);
    free(text);
    return EXIT_GOOD;
}
