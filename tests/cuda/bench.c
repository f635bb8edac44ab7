// bench.c: milliseconds a frame on the GPU, by device events, with the share of each group of stages.      cuda_bench [CASE...]
// A case is a built-in scene and changes to it. The median and the least are over the frames after the first five, in which memory is
// taken and the graph is captured; the last column is over the last quarter, when things have come to rest.
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_case
{
    const char *name, *scene;
    int frames;
    const char *sets[6];
} bench_case;

static const bench_case cases[] = {
    {"sand5k", "sandpile", 150, {"grains.size=[17,17,17]"}},
    {"sand100k", "sandpile", 150, {"grains.size=[50,40,50]"}},
    {"sand1m", "sandpile", 150, {"grains.size=[125,64,125]"}},
    {"sand10m", "sandpile", 40, {"grains.size=[400,64,400]"}},
    {"glass", "glass", 300, {NULL}},
    {"flag", "flag", 100, {NULL}},
    {"conveyor", "conveyor", 150, {NULL}},
    {"tumbler", "tumbler", 150, {NULL}},
};

static void must(pl_result result)
{
    if (result == PL_OK)
        return;
    fprintf(stderr, "cuda_bench: %s: %s\n", pl_result_name(result), pl_error_message());
    exit(2);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *from, int count)
{
    double *copy = malloc((size_t)count * sizeof *copy);
    memcpy(copy, from, (size_t)count * sizeof *copy);
    qsort(copy, (size_t)count, sizeof *copy, by_value);
    double m = copy[count / 2];
    free(copy);
    return m;
}

static void report(const char *name, const pl_world *w, const double *ms, int frames, const double *groups)
{
    double least = ms[0];
    for (int i = 1; i < frames; i++)
        least = ms[i] < least ? ms[i] : least;
    printf("%-12s %9d particles  median %8.4f  least %8.4f  at rest %8.4f ms |", name, pl_particle_count(w),
           median(ms, frames), least, median(ms + frames - frames / 4 - 1, frames / 4 + 1));
    for (int g = 0; g < PL_STAGE_GROUP_COUNT; g++)
        if (groups[g] > 0.0)
            printf(" %s %.3f", pl_stage_name((pl_stage_group)g), groups[g] / frames);
    printf(" | hash %016llx\n", (unsigned long long)pl_world_hash(w));
    fflush(stdout);
}

static void run_frames(const char *name, pl_world *w, const pl_scene *scene, float dt, int frames)
{
    enum
    {
        WARM = 5
    };
    double *ms = malloc((size_t)frames * sizeof *ms), groups[PL_STAGE_GROUP_COUNT] = {0};
    for (int f = 0; f < frames + WARM; f++)
    {
        if (scene)
            must(pl_scene_before_step(scene, w));
        must(pl_world_step(w, dt));
        pl_timing t = pl_world_timing(w);
        if (f < WARM)
            continue;
        ms[f - WARM] = t.total;
        for (int g = 0; g < PL_STAGE_GROUP_COUNT; g++)
            groups[g] += t.stage[g];
    }
    report(name, w, ms, frames, groups);
    free(ms);
}

static void run_case(const bench_case *c)
{
    size_t length;
    const char *text = pl_builtin_scene(c->scene, &length);
    pl_scene *scene;
    pl_world *w;
    pl_world_def def = pl_default_world_def();
    int sets = 0;
    while (c->sets[sets])
        sets++;
    def.backend = PL_BACKEND_CUDA;
    must(pl_scene_parse(text, length, c->scene, c->sets, sets, &scene));
    must(pl_scene_world(scene, &def, &w));
    run_frames(c->name, w, scene, pl_scene_describe(scene).dt, c->frames);
    pl_world_destroy(w);
    pl_scene_free(scene);
}

// A hanging cloth of links, as in the table of the benchmarks: edges, diagonals, skip-one; two corners pinned; no air.
static void run_cloth(int size, int frames)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.backend = PL_BACKEND_CUDA;
    def.settings.substeps = 20;
    def.settings.wind.density = 0.0f;
    must(pl_world_create(&def, &w));
    pl_cloth_def c = pl_default_cloth_def();
    const int32_t corners[2] = {0, size - 1};
    c.columns = c.rows = size;
    c.u.x = c.v.z = 0.01f * (float)(size - 1);
    c.mass = 1e-3f * (float)size * (float)size;
    c.pinned = corners;
    c.pinned_count = 2;
    c.drag = 0.0f;
    must(pl_add_cloth(w, &c, NULL));
    char name[32];
    snprintf(name, sizeof name, "cloth%d", size);
    run_frames(name, w, NULL, 1.0f / 60.0f, frames);
    pl_world_destroy(w);
}

static bool wanted(const char *name, int count, char **words)
{
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return count == 1;
}

int main(int count, char **words)
{
    static const struct
    {
        const char *name;
        int size, frames;
    } cloths[] = {{"cloth70", 70, 200}, {"cloth200", 200, 200}, {"cloth1000", 1000, 50}, {"cloth4000", 4000, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (wanted(cases[i].name, count, words))
            run_case(&cases[i]);
    for (size_t i = 0; i < sizeof cloths / sizeof *cloths; i++)
        if (wanted(cloths[i].name, count, words))
            run_cloth(cloths[i].size, cloths[i].frames);
    return 0;
}
