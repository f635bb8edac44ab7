// options.h: what `pliant run` was asked for.
#ifndef PLIANT_CLI_OPTIONS_H
#define PLIANT_CLI_OPTIONS_H

#include <pliant/pliant.h>

struct options
{
    const char *scene;
    int frames; // -1: as the scene says
    int threads, lanes;
    int substeps, iterations; // 0: as the scene says
    const char *solver;
    const char *backend;
    const char **sets; // --set, then what the other options come to as such
    int set_count;
    const char **outs;
    int out_count;
    const char **pictures; // those of the outs that the viewer makes
    int picture_count;
    int width, height, fps, samples; // of pictures and films; 0: the recorder's own choice
    const char *size, *colour, *show;
    unsigned shown; // bits, in the order of the words of --show
    const char *stats, *plot, *events, *save, *resume;
    int checkpoint_every;
    bool quiet, expect, changed; // changed: the physics is not the scene's own
    char texts[3][64];
};

// Returns an exit code, or -1 to go on. Free with options_free in any case.
int options_read(int count, char **arguments, struct options *o);
void options_free(struct options *o);

#endif
