// advice.c: prints what looks like a mistake.
#include "advice/advice.h"
#include "cli.h"

#include <string.h>

int warn(const pl_scene *scene, const pl_world *world, unsigned about, int64_t frames, const pl_convergence *measured,
         FILE *to, const char *before)
{
    static char text[1 << 15];
    int count = scene_advice(scene, world, about, frames, measured, text, sizeof text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    {
        bool said = strstr(line, ": warning: ") != NULL; // behind a file and a line
        fprintf(to, "%s%s%s\n", before, said ? "" : "warning: ", line);
    }
    return count;
}
