// comparison.c: see comparison.h.
#include "comparison.h"

#include "cli.h"
#include "sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SAMPLES_MOST = 60, // of the positions
    // Of a fine reference. More substeps would bring no more: forces are lambda/h^2, and a smaller h leaves less of them
    // above the rounding of lambda.
    FINE_FACTOR = 4, // substeps, times the most of a trial
    FINE_LEAST = 64,
    FINE_MOST = 1000,
    FINE_ITERATIONS = 2, // iterations, times the most of a trial
    FINE_ITERATIONS_LEAST = 4,
    CONVERGED_FACTOR = 50, // iterations of a converged reference, times the most iterations of a trial
    CONVERGED_LEAST = 500,
    CONVERGED_MOST = 10000,
};

// Fields of the program rather than of the scene: they change no bits.
static const char *const program_fields[] = {"threads", "lanes", "backend"};
// Fields that a reference sets itself, by kind. It is shared by all trials that differ in nothing else.
static const char *const reference_fields[][5] = {
    [REFERENCE_NONE] = {NULL},
    [REFERENCE_FINE] = {"iterations", "substeps", "solver", "integrator", "dt"},
    [REFERENCE_CONVERGED] = {"iterations", "solver", NULL},
    [REFERENCE_NEWTON] = {"iterations", "solver", NULL},
};

bool comparison_is_program_field(const char *field)
{
    for (size_t i = 0; i < sizeof program_fields / sizeof *program_fields; i++)
    {
        if (strcmp(field, program_fields[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool reference_ignores(enum reference_kind kind, const char *field)
{
    bool ignored = comparison_is_program_field(field);
    for (int i = 0; i < 5 && reference_fields[kind][i]; i++)
    {
        ignored |= strcmp(field, reference_fields[kind][i]) == 0;
    }
    return ignored;
}

static bool same_reference(const struct comparison *c, int a, int b)
{
    for (int i = 0; i < c->variations.count; i++)
    {
        if (!reference_ignores(c->reference, c->variations.items[i].field) &&
            variation_choice(&c->variations, a, i) != variation_choice(&c->variations, b, i))
        {
            return false;
        }
    }
    return true;
}

// Returns what a trial has as `field`: its own value if it is varied, else the scene's.
double comparison_value(const struct comparison *c, int trial, const char *field, double scene)
{
    int i = variation_of(&c->variations, field);
    double value = i < 0 ? scene : c->variations.items[i].numbers[variation_choice(&c->variations, trial, i)];
    return value > 0.0 ? value : scene; // one that is no number is refused when the trial is made
}

enum
{
    OWN_SETS = 3, // that a reference adds
};

// ---- the settings of a run -----------------------------------------------------------------------------------------

// The values that a trial has of its own.
static void add_choices(const struct comparison *c, int trial, enum reference_kind without, struct sets *s)
{
    for (int i = 0; i < c->variations.count; i++)
    {
        const struct variation *v = &c->variations.items[i];
        if (!comparison_is_program_field(v->field) && !reference_ignores(without, v->field))
        {
            sets_add(s, v->field, v->values[variation_choice(&c->variations, trial, i)]);
        }
    }
}

// Returns the number that a trial has as a field of the program; 0 has a meaning.
static int program_number(const struct comparison *c, int trial, const char *field, int otherwise)
{
    int i = variation_of(&c->variations, field);
    return i < 0 ? otherwise : (int)c->variations.items[i].numbers[variation_choice(&c->variations, trial, i)];
}

static const char *choice_of(const struct comparison *c, int trial, const char *field)
{
    int i = variation_of(&c->variations, field);
    return i < 0 ? NULL : c->variations.items[i].values[variation_choice(&c->variations, trial, i)];
}

struct reference_settings
{
    int substeps, iterations; // 0: as the trial has
};

// The settings that make a reference good enough for every trial that uses it.
static struct reference_settings reference_settings(const struct comparison *c, int first)
{
    double substeps = 0.0, iterations = 0.0;
    for (int t = 0; t < c->variations.trials; t++)
    {
        if (c->reference_of[t] == first)
        {
            double frames = c->scene_dt / comparison_value(c, t, "dt", c->scene_dt);
            substeps = fmax(substeps, frames * comparison_value(c, t, "substeps", c->settings.substeps));
            iterations = fmax(iterations, comparison_value(c, t, "iterations", c->settings.iterations));
        }
    }
    if (c->reference == REFERENCE_FINE)
    {
        return (struct reference_settings){
            (int)fmin(fmax(FINE_FACTOR * substeps, FINE_LEAST), FINE_MOST),
            (int)fmin(fmax(FINE_ITERATIONS * iterations, FINE_ITERATIONS_LEAST), CONVERGED_MOST)};
    }
    return (struct reference_settings){0,
                                       (int)fmin(fmax(CONVERGED_FACTOR * iterations, CONVERGED_LEAST), CONVERGED_MOST)};
}

void comparison_tell_reference(const struct comparison *c, int trial, char *out, size_t size)
{
    struct reference_settings s = reference_settings(c, c->reference_of[trial]);
    if (c->reference == REFERENCE_FINE)
    {
        snprintf(out, size, "%d substeps of %d iterations, BDF2", s.substeps, s.iterations);
    }
    else if (c->reference == REFERENCE_CONVERGED)
    {
        snprintf(out, size, "%d iterations in each substep of the trial", s.iterations);
    }
    else
    {
        snprintf(out, size, "Newton's method in double precision in each substep of the trial");
    }
}

// ---- opening -------------------------------------------------------------------------------------------------------

int comparison_sweeps(const struct comparison *c, int trial)
{
    return c->trials[trial].settings.substeps * c->trials[trial].settings.iterations;
}

static int read_scene(struct comparison *c)
{
    pl_scene *scene = NULL;
    if (load_scene(c->scene, c->sets, c->set_count, &scene) != PL_OK)
    {
        return EXIT_USAGE;
    }
    pl_scene_info info = pl_scene_describe(scene);
    short_name(c->scene, c->title, sizeof c->title);
    int frames = c->frames >= 0 ? c->frames : info.frames;
    int stride = (frames + SAMPLES_MOST - 1) / SAMPLES_MOST;
    c->scene_dt = (double)info.dt;
    c->seconds = frames * c->scene_dt;
    c->apart = c->reference == REFERENCE_NONE ? 0.0 : (stride > 0 ? stride : 1) * c->scene_dt;
    struct probes probes = {0}; // only tried: each trial has its own
    int code = probes_open(&probes, scene, c->probes, c->probe_count);
    probes_free(&probes);
    pl_scene_free(scene);
    return code != EXIT_GOOD ? code : frames > 0 ? -1 : bad_usage("--frames is 0; a comparison needs at least 1");
}

// Reads the settings of the scene where nothing is varied: a reference needs them before any trial has run.
static int read_settings(struct comparison *c)
{
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    bool good = load_scene(c->scene, c->sets, c->set_count, &scene) == PL_OK;
    if (good && pl_scene_world(scene, NULL, &world) != PL_OK)
    {
        report_failure(EXIT_USAGE);
        good = false;
    }
    if (good)
    {
        c->settings = pl_world_settings(world);
    }
    pl_world_destroy(world);
    pl_scene_free(scene);
    return good ? -1 : EXIT_USAGE;
}

// The scene refuses wrong values of its own fields when a trial is made; those of the program are in no scene.
static int check_program_fields(const struct comparison *c)
{
    for (int i = 0; i < c->variations.count; i++)
    {
        const struct variation *v = &c->variations.items[i];
        bool backend = strcmp(v->field, "backend") == 0;
        for (int k = 0; k < v->count && comparison_is_program_field(v->field); k++)
        {
            double number = v->numbers[k];
            if (backend && strcmp(v->values[k], "cpu") != 0 && strcmp(v->values[k], "cuda") != 0)
            {
                return bad_usage("--vary backend has \"%.80s\"; use cpu or cuda", v->values[k]);
            }
            if (!backend && !(number >= 0.0 && number <= 256.0 && number == floor(number)))
            {
                return bad_usage("--vary %s has \"%.80s\"; use whole numbers from 0 to 256", v->field, v->values[k]);
            }
        }
    }
    return -1;
}

int comparison_open(struct comparison *c)
{
    int code = variations_read(&c->variations, c->vary, c->vary_count);
    code = code < 0 ? check_program_fields(c) : code;
    code = code < 0 ? read_scene(c) : code;
    if (code >= 0)
    {
        return code;
    }
    size_t count = (size_t)c->variations.trials;
    c->trials = calloc(count, sizeof *c->trials);
    c->errors = calloc(count, sizeof *c->errors);
    c->references = calloc(count, sizeof *c->references);
    c->reference_of = calloc(count, sizeof *c->reference_of);
    if (!c->trials || !c->errors || !c->references || !c->reference_of || pthread_mutex_init(&c->mutex, NULL) != 0)
    {
        return bad_usage("no memory for %d trials; give fewer values", c->variations.trials);
    }
    for (int t = 0; t < c->variations.trials; t++)
    {
        while (c->reference_of[t] < t && !same_reference(c, c->reference_of[t], t))
        {
            c->reference_of[t]++;
        }
        c->frames_all += (int64_t)floor(c->seconds / comparison_value(c, t, "dt", c->scene_dt) + 0.5);
        if (c->reference != REFERENCE_NONE && c->reference_of[t] == t)
        {
            c->frames_all += (int64_t)floor(c->seconds / c->scene_dt + 0.5);
        }
    }
    return c->reference == REFERENCE_NONE ? -1 : read_settings(c);
}

// ---- running -------------------------------------------------------------------------------------------------------

static void frame_done(void *user)
{
    struct comparison *c = user;
    pthread_mutex_lock(&c->mutex);
    progress_show(&c->progress, ++c->frames_done);
    pthread_mutex_unlock(&c->mutex);
}

static struct trial_def trial_def_of(struct comparison *c, const struct sets *sets)
{
    return (struct trial_def){.scene = c->scene,
                              .sets = sets->items,
                              .set_count = sets->count,
                              .seconds = c->seconds,
                              .apart = c->apart,
                              .threads = c->threads,
                              .lanes = c->lanes,
                              .backend = c->backend,
                              .probes = c->probes,
                              .probe_count = c->probe_count,
                              .frame = frame_done,
                              .user = c};
}

static bool refuse_memory(struct trial *t)
{
    t->state = TRIAL_REFUSED;
    snprintf(t->why, sizeof t->why, "no memory for its settings");
    return false;
}

static void run_reference(struct comparison *c, int first)
{
    struct reference_settings s = reference_settings(c, first);
    struct sets sets = {0};
    if (sets_open(&sets, c->sets, c->set_count, c->variations.count + OWN_SETS) || refuse_memory(&c->references[first]))
    {
        add_choices(c, first, c->reference, &sets);
        if (s.substeps)
        {
            sets_add_number(&sets, "substeps", s.substeps);
            sets_add(&sets, "integrator", "bdf2");
        }
        if (c->reference != REFERENCE_NEWTON)
        {
            sets_add_number(&sets, "iterations", s.iterations);
        }
        struct trial_def def = trial_def_of(c, &sets);
        def.newton = c->reference == REFERENCE_NEWTON;
        trial_run(&c->references[first], &def);
    }
    sets_free(&sets);
}

static void run_trial(struct comparison *c, int number)
{
    struct trial *t = &c->trials[number];
    struct sets sets = {0};
    char picture[600];
    if (sets_open(&sets, c->sets, c->set_count, c->variations.count + OWN_SETS) || refuse_memory(t))
    {
        add_choices(c, number, REFERENCE_NONE, &sets);
        struct trial_def def = trial_def_of(c, &sets);
        def.threads = program_number(c, number, "threads", c->threads);
        def.lanes = program_number(c, number, "lanes", c->lanes);
        def.backend = choice_of(c, number, "backend") ? choice_of(c, number, "backend") : c->backend;
        snprintf(picture, sizeof picture, "%s/trial-%03d.png", c->out, number);
        def.picture = c->pictures ? picture : NULL;
        trial_run(t, &def);
    }
    if (c->reference != REFERENCE_NONE)
    {
        c->errors[number] = trial_compare(t, &c->references[c->reference_of[number]]);
    }
    trial_forget_path(t);
    sets_free(&sets);
}

// Takes one trial after the other until none is left.
static void *work(void *user)
{
    struct comparison *c = user;
    for (;;)
    {
        pthread_mutex_lock(&c->mutex);
        int number = c->next < c->variations.trials ? c->next++ : -1;
        pthread_mutex_unlock(&c->mutex);
        if (number < 0)
        {
            return NULL;
        }
        run_trial(c, number);
    }
}

void comparison_run(struct comparison *c)
{
    progress_begin(&c->progress, !c->quiet, 0, c->frames_all);
    for (int t = 0; t < c->variations.trials && c->reference != REFERENCE_NONE; t++)
    {
        if (c->reference_of[t] == t)
        {
            run_reference(c, t);
        }
    }
    pthread_t *workers = calloc((size_t)c->jobs, sizeof *workers);
    int started = 0;
    while (workers && started + 1 < c->jobs && pthread_create(&workers[started], NULL, work, c) == 0)
    {
        started++;
    }
    work(c);
    for (int i = 0; i < started; i++)
    {
        pthread_join(workers[i], NULL);
    }
    free(workers);
    progress_end(&c->progress);
}

void comparison_free(struct comparison *c)
{
    for (int t = 0; c->trials && c->errors && c->references && c->reference_of && t < c->variations.trials; t++)
    {
        trial_free(&c->trials[t]);
        trial_free(&c->references[t]);
    }
    free(c->trials);
    free(c->errors);
    free(c->references);
    free(c->reference_of);
    variations_free(&c->variations);
}
