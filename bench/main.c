// main.c: pliant_bench, the benchmarks. `./dev bench` builds and runs it; docs/benchmarks.md says what is measured.
#define _POSIX_C_SOURCE 200112L
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MAX_RESULTS = 128,
};

typedef struct options
{
    const char *out;
    int rounds, steps, lanes, threads, substeps;
    bool gpu_alone;
    const char *names[MAX_RESULTS];
    int name_count;
} options;

static void usage(FILE *to)
{
    fprintf(to, "usage: pliant_bench [--out FILE.json] [--rounds N] [--steps N] [--lanes N] [--threads N] [--substeps "
                "N] [--gpu] [NAME...]\n\nbenches:\n");
    for (int i = 0; scene_name(i) != NULL; ++i)
    {
        scene s;
        if (scene_make(scene_name(i), &s))
        {
            fprintf(to, "  %-10s %s\n", s.name, s.about);
            scene_free(&s);
        }
    }
}

static bool known(const char *name)
{
    for (int i = 0; scene_name(i) != NULL; ++i)
    {
        if (strcmp(scene_name(i), name) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool positive(const char *text, int *out)
{
    char *end;
    long value = text ? strtol(text, &end, 10) : 0;
    if (text == NULL || *end != '\0' || value < 1 || value > 100000)
    {
        fprintf(stderr, "error: '%s' is not a count; a whole number from 1 to 100000 would be\n", text ? text : "");
        return false;
    }
    *out = (int)value;
    return true;
}

// The number that an option sets, or NULL.
static int *count_of(const char *option, options *o)
{
    return strcmp(option, "--rounds") == 0     ? &o->rounds
           : strcmp(option, "--steps") == 0    ? &o->steps
           : strcmp(option, "--lanes") == 0    ? &o->lanes
           : strcmp(option, "--threads") == 0  ? &o->threads
           : strcmp(option, "--substeps") == 0 ? &o->substeps
                                               : NULL;
}

// 0: go on; otherwise the exit status + 1.
static int parse(int argc, char **argv, options *o)
{
    *o = (options){.rounds = 5, .steps = 120};
    for (int i = 1; i < argc; ++i)
    {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--help") == 0)
        {
            usage(stdout);
            return 1;
        }
        if (strcmp(argv[i], "--out") == 0 && next != NULL)
        {
            o->out = argv[++i];
        }
        else if (strcmp(argv[i], "--gpu") == 0)
        {
            o->gpu_alone = true;
        }
        else if (count_of(argv[i], o) != NULL)
        {
            if (!positive(next, count_of(argv[i], o)))
            {
                return 3;
            }
            ++i;
        }
        else if (known(argv[i]) && o->name_count < MAX_RESULTS)
        {
            o->names[o->name_count++] = argv[i];
        }
        else
        {
            fprintf(stderr, "error: unknown bench or option '%s'\n", argv[i]);
            usage(stderr);
            return 3;
        }
    }
    for (int i = 0; o->name_count == 0 && scene_name(i) != NULL; ++i)
    {
        o->names[i] = scene_name(i);
        if (scene_name(i + 1) == NULL)
        {
            o->name_count = i + 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    options o;
    int stop = parse(argc, argv, &o);
    if (stop != 0)
    {
        return stop - 1;
    }
    engine engines[MAX_ENGINES];
    int engine_count = 0;
#ifdef PLIANT_BENCH_BULLET
    engines[engine_count++] = bullet_engine();
#else
    printf("Bullet is not here (libbullet-dev): no ratios.\n");
#endif
    engines[engine_count++] = pliant_engine(1, o.lanes);
    if (o.threads > 1 || (o.threads == 0 && sysconf(_SC_NPROCESSORS_ONLN) > 1))
    {
        engines[engine_count++] = pliant_engine(o.threads > 1 ? o.threads : 2, o.lanes);
    }

    const char *why;
    bool gpu = pliant_cuda_engine(&engines[engine_count], &why);
    if (gpu)
    {
        printf("%s, by its own clock\n", engines[engine_count].device);
    }
    else
    {
        printf("no GPU: %s\n", why);
    }
    result results[MAX_RESULTS];
    int count = 0;
    print_head();
    for (int i = 0; i < o.name_count && count + engine_count <= MAX_RESULTS; ++i)
    {
        scene s;
        if (!scene_make(o.names[i], &s))
        {
            fprintf(stderr, "error: no memory for %s\n", o.names[i]);
            return 1;
        }
        s.substeps = o.substeps > 0 ? o.substeps : s.substeps;
        // Large scenes are timed over longer stretches: two rounds of them say as much.
        int rounds = s.radius > 0.0f || s.spacing > 0.0f || s.bodies != NULL ? 1
                     : s.particles > 10000 && o.rounds > 2                   ? 2
                                                                             : o.rounds;
        // Grains settle first, and Bullet would take minutes to settle a hundred thousand.
        bool alone = s.alone || s.told != NULL || s.body_size > 0 || (s.radius > 0.0f && s.particles > 10000);
        int first = alone && engines[0].name[0] == 'b', used = engine_count - first;
        int steps = s.particles > 100000 && o.steps > 10 ? 10 : o.steps;
        // The GPU runs apart: the others need not wait for it to settle, and its clock is its own.
        used = s.for_gpu || o.gpu_alone ? 0 : used;
        bool good = used == 0 || measure(&s, engines + first, used, rounds, steps, results + count);
        if (good && gpu && count + used < MAX_RESULTS)
        {
            int frames = s.particles > 4000000 ? 5 : s.particles > 100000 ? 30 : steps;
            good = measure(&s, engines + engine_count, 1, 1, frames, results + count + used);
            ++used;
        }
        scene_free(&s);
        if (!good)
        {
            fprintf(stderr, "error: %s did not run\n", o.names[i]);
            return 1;
        }
        print_results(results + count, used);
        count += used;
    }
    print_growth(results, count);
    print_inverted(results, count);
    print_bodies(results, count);
    if (o.out != NULL && !write_json(o.out, results, count))
    {
        fprintf(stderr, "%s: error: cannot be written; a file in a folder that exists would be\n", o.out);
        return 1;
    }
    return 0;
}
