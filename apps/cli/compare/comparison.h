// comparison.h: the trials of `pliant sweep` and `pliant compare`, and what they are compared with.
#ifndef PLIANT_CLI_COMPARISON_H
#define PLIANT_CLI_COMPARISON_H

#include "arguments.h"
#include "progress.h"
#include "trial.h"
#include "variations.h"

#include <pthread.h>
#include <stdio.h>

enum reference_kind
{
    REFERENCE_NONE,
    REFERENCE_FINE,      // many substeps, second order in time: what the equations of motion do
    REFERENCE_CONVERGED, // the same substeps with many iterations: what the solver should find
    REFERENCE_NEWTON,    // the same substeps, each solved in double precision: the same, exactly
};

struct comparison
{
    const char *command; // "sweep" or "compare"
    struct option_texts texts;
    char title[128];
    const char *scene;
    const char **sets, **vary, **probes;
    int set_count, vary_count, probe_count;
    int frames; // -1: as the scene has
    int threads, lanes, jobs;
    const char *backend, *reference_name, *preset, *out;
    bool pictures, quiet;

    enum reference_kind reference;
    struct variations variations;
    struct trial *trials;
    struct trial_error *errors;
    struct trial *references; // of each trial that is the first with its reference
    int *reference_of;        // of each trial: the trial whose reference it uses
    pl_settings settings;     // of the scene
    double seconds, apart, scene_dt;
    struct progress progress;
    int64_t frames_done, frames_all;
    int next;              // trial to run
    pthread_mutex_t mutex; // of the three above
};

// Fills in what the scene says: title, duration, samples, and which trials share a reference. Returns an exit code, or -1.
int comparison_open(struct comparison *c);
// Runs references and trials.
void comparison_run(struct comparison *c);
void comparison_free(struct comparison *c);

// How often all constraints were solved in a frame of a trial.
int comparison_sweeps(const struct comparison *c, int trial);
// Writes how a reference was computed: "64 substeps of 32 iterations, BDF2".
void comparison_tell_reference(const struct comparison *c, int trial, char *out, size_t size);
// Whether a field is one of the program rather than of the scene: threads, lanes, backend. It changes no bits.
bool comparison_is_program_field(const char *field);
// Returns what a trial has as `field`: its own value if it is varied, else the scene's.
double comparison_value(const struct comparison *c, int trial, const char *field, double scene);
// command_line.c: writes the command that repeats a trial, or with -1 the whole comparison.
void comparison_tell_command(const struct comparison *c, int trial, FILE *to);

#endif
