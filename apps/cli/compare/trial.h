// trial.h: one run of a comparison, and what was measured of it.
#ifndef PLIANT_CLI_TRIAL_H
#define PLIANT_CLI_TRIAL_H

#include "history.h"

// What to run. Strings are not copied.
struct trial_def
{
    const char *scene;
    const char **sets;
    int set_count;
    double seconds; // simulated
    double apart;   // seconds from one sample of the positions to the next; 0: none are kept
    int threads, lanes;
    const char *backend; // NULL: cpu
    const char *const *probes;
    int probe_count;
    bool newton;               // solve each substep by Newton's method in double precision instead of the engine
    const char *picture;       // NULL: none; else the file of the last frame
    void (*frame)(void *user); // called after each frame, by the thread that runs the trial; may be NULL
    void *user;
};

enum trial_state
{
    TRIAL_DONE,
    TRIAL_DIVERGED, // the frame named in `why` failed
    TRIAL_REFUSED,  // the scene cannot be made with these settings
};

struct trial
{
    enum trial_state state;
    char why[320];
    pl_settings settings;
    double dt;
    int frames, particles;
    int64_t constraints;
    struct probes probes;
    struct history history;
    struct ms_summary ms;
    pl_residual residual; // of the last frame
    pl_penetration penetration;
    double energy_first, energy_last; // kinetic, potential and elastic, J
    double momentum[3];               // kg m/s, at the end
    pl_convergence convergence;
    uint64_t hash;

    float *path; // positions of all particles at each sample, NAN where the time is no frame's end
    int samples, particle_end;
    double *force; // of all constraints with a compliance, at the end; none with classic PBD
    int64_t forces;
};

// Runs it. A trial that fails is a result too: `state` and `why` tell. Free it in any case.
void trial_run(struct trial *t, const struct trial_def *def);
// Frees the positions and forces, which take the most memory.
void trial_forget_path(struct trial *t);
void trial_free(struct trial *t);

// For newton.c: where the positions at this time are kept (NULL: they are not), and that a trial failed, which returns false.
float *trial_sample(struct trial *t, const struct trial_def *def, double time);
bool trial_give_up(struct trial *t, enum trial_state state, const char *why);

// How far a trial is from another.
struct trial_error
{
    bool measured, force_measured;
    double position; // root mean square of the distances of all particles in all samples, m
    double end;      // the same of the last sample, m
    double centre;   // of the mean position in all samples, m
    double size;     // diagonal of the box around the other at the start, m
    double force;    // |f - g|/|g| of the forces at the end
};

// Compares a trial with the reference, sample by sample; not measured if they do not have the same particles.
struct trial_error trial_compare(const struct trial *t, const struct trial *reference);

#endif
