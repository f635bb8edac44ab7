// advise.c: `pliant advise SCENE`: trials that tell which solver, substeps and iterations reach a wanted error with the least
// work (pl_try_solvers).
#include "arguments.h"
#include "cli.h"
#include "io/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TRIALS_SHOWN = 256,
};

struct advise
{
    struct option_texts texts;
    const char *scene, **sets;
    int set_count, frames, substeps, iterations;
    double error;
    bool all, portable;
};

#define AT(member) offsetof(struct advise, member)

static const struct option table[] = {
    {"--error", "PERCENT", OPTION_NUMBER, AT(error), 0, 1, 100,
     "the wanted error: the distance of the particles from a fine run, root mean square, in percent of the size of the "
     "scene (0.5)"},
    {"--frames", "N", OPTION_INT, AT(frames), 0, 1, 1000, "frames of a trial (12, or those of the scene)"},
    {"--substeps", "N", OPTION_INT, AT(substeps), 0, 1, 10000,
     "all trials have this number (1, 2, 4 ... 64 are tried)"},
    {"--iterations", "N", OPTION_INT, AT(iterations), 0, 1, 10000,
     "all trials have this number (1, 2, 4 ... 32 are tried)"},
    {"--portable", NULL, OPTION_FLAG, AT(portable), 0, 0, 0, "leave out solvers that a GPU does not have"},
    {"--all", NULL, OPTION_FLAG, AT(all), 0, 0, 0, "list all trials, not only the best of each solver"},
    {"--set", "PATH=VALUE", OPTION_LIST, AT(sets), AT(set_count), 0, 0, "change a field of the scene; repeatable"},
};

static const struct option_command command = {
    .name = "advise",
    .help = "usage: pliant advise SCENE [options]\n\nRuns short trials of a scene with several solvers, substeps and "
            "iterations, the cheapest first, until one comes as near\nto a fine run as is wanted. The work is counted, "
            "not measured, so the advice is the same on every machine.\n\n",
    .table = table,
    .count = sizeof table / sizeof *table,
    .scene = AT(scene),
    .sets = AT(sets),
    .set_count = AT(set_count),
    .texts = AT(texts),
};

static void print_trial(const pl_solver_trial *t)
{
    char size[32];
    snprintf(size, sizeof size, "%d x %d", t->substeps, t->iterations);
    printf("  %-10s %-22s %10.4g   ", scene_solver_word(t->solver), size, t->work * 1e-6);
    printf(t->error < INFINITY ? "%9.3g %%\n" : "diverged\n", 100.0 * t->error);
}

// The trials as a table: all of them, or for each solver the one with the least error.
static void print_trials(const pl_solver_trial *trials, int count, bool all)
{
    printf("  %-10s %-22s %10s   %9s\n", "solver", "substeps x iterations", "work, ms", "error");
    for (int i = 0; i < count; i++)
    {
        bool best = trials[i].error < INFINITY;
        for (int k = 0; k < count; k++)
        {
            best &= trials[k].solver != trials[i].solver || trials[k].error > trials[i].error || k >= i;
            best &= trials[k].solver != trials[i].solver || trials[k].error >= trials[i].error;
        }
        if (best || all)
        {
            print_trial(&trials[i]);
        }
    }
}

static void print_advice(const struct advise *a, const pl_solver_advice *advice)
{
    const pl_solver_trial *best = &advice->best;
    printf(advice->reached
               ? "\nadvice: \"solver\": \"%s\", \"substeps\": %d, \"iterations\": %d\n"
               : "\nno trial reaches the wanted error; the nearest is \"solver\": \"%s\", \"substeps\": %d, "
                 "\"iterations\": %d\n",
           scene_solver_word(best->solver), best->substeps, best->iterations);
    printf("        it leaves an error of %.3g %% for about %.3g ms of one thread for a frame\n", 100.0 * best->error,
           best->work * 1e-6);
    printf("        pliant run %s --solver %s --substeps %d --iterations %d\n", a->scene,
           scene_solver_word(best->solver), best->substeps, best->iterations);
}

static int advise(const struct advise *a, const pl_scene *scene, const pl_world *world)
{
    static pl_solver_trial trials[TRIALS_SHOWN];
    pl_scene_info info = pl_scene_describe(scene);
    pl_solver_trials_def def = pl_default_solver_trials_def();
    pl_solver_advice advice;
    def.dt = info.dt;
    def.frames = a->frames ? a->frames : info.frames > 0 && info.frames < def.frames ? info.frames : def.frames;
    def.error = a->error > 0.0 ? 0.01 * a->error : def.error;
    def.substeps = a->substeps, def.iterations = a->iterations, def.portable = a->portable;
    if (pl_try_solvers(world, &def, &advice, trials, TRIALS_SHOWN) != PL_OK)
    {
        return report_failure(EXIT_FAILED);
    }
    printf("%d trials of %d frames, compared with %s, %d x %d, second order; wanted error %.3g %%\n", advice.trials,
           def.frames, scene_solver_word(advice.reference.solver), advice.reference.substeps,
           advice.reference.iterations, 100.0 * def.error);
    print_trials(trials, advice.trials < TRIALS_SHOWN ? advice.trials : TRIALS_SHOWN, a->all);
    print_advice(a, &advice);
    return EXIT_GOOD;
}

int command_advise(int count, char **arguments)
{
    struct advise a = {0};
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    int code = arguments_read(&command, count, arguments, &a);
    if (code < 0 && !a.scene)
    {
        code = bad_usage("no scene is given; use `pliant advise SCENE`, and `pliant list` for the names of the scenes");
    }
    if (code < 0 && load_scene(a.scene, a.sets, a.set_count, &scene) != PL_OK)
    {
        code = EXIT_USAGE;
    }
    if (code < 0 && pl_scene_world(scene, NULL, &world) != PL_OK)
    {
        code = report_failure(EXIT_USAGE);
    }
    code = code < 0 ? advise(&a, scene, world) : code;
    pl_world_destroy(world);
    pl_scene_free(scene);
    arguments_free(&command, &a);
    return code;
}
