// options.h: what `pliant run` was asked for.
#ifndef PLIANT_CLI_OPTIONS_H
#define PLIANT_CLI_OPTIONS_H

#include "arguments.h"

#include <pliant/pliant.h>

struct options
{
    const char *scene;
    int frames; // -1: as the scene says
    int threads, lanes;
    const char *backend;
    const char **sets; // --set, and the options that are short for it, in the order in which they were given
    int set_count;
    const char **probes; // --probe
    int probe_count;
    const char **plots; // --plot: a file, or panels=file
    int plot_count;
    const char **outs;
    int out_count;
    const char **pictures; // those of the outs that the viewer makes
    int picture_count;
    int width, height, fps, samples; // of pictures, films and caches; 0: their own choice
    double time_scale;               // 0: 1
    const char *size, *colour, *show;
    unsigned shown; // bits, in the order of the words of --show
    const char *stats, *events, *save, *resume;
    int checkpoint_every;
    bool quiet, expect, changed; // changed: the physics is not the scene's own
    struct option_texts texts;   // the sets that other options are short for
};

// Returns an exit code, or -1 to go on. Free with options_free in any case.
int options_read(int count, char **arguments, struct options *o);
void options_free(struct options *o);

#endif
