// worlds.c: pliant_bench_worlds, how a batch of small worlds scales over threads: each has a figure of 16 bodies and a
// cloth of 64 particles. Times are medians.
//   pliant_bench_worlds [WORLDS]     1,000 by default
#include "clock.h"

enum
{
    ROUNDS = 15,
    WARM_UP = 10,
    THREADS_MOST = 64,
};

static pl_world *make(int number)
{
    pl_world_def def = pl_default_world_def();
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_ragdoll_def figure = pl_default_ragdoll_def();
    pl_shape_def floor = pl_default_shape_def();
    pl_ragdoll parts;
    pl_world *w;
    def.settings.substeps = 4;
    def.threads = 1;
    need(pl_world_create(&def, &w));
    need(pl_add_shape(w, &floor, NULL));
    figure.position.y = 0.5f + 0.001f * (float)(number % 500); // they are not all alike
    need(pl_add_ragdoll(w, &figure, &parts));
    cloth.columns = cloth.rows = 8;
    cloth.origin = (pl_vec3){3.0f, 2.0f, 0.0f};
    need(pl_add_cloth(w, &cloth, NULL));
    return w;
}

static double time_of(pl_world **worlds, int count, int threads)
{
    pl_batch_def def = pl_default_batch_def();
    pl_batch *batch;
    double t[ROUNDS];
    def.threads = threads;
    need(pl_batch_create(&def, &batch));
    for (int r = 0; r < ROUNDS; r++)
    {
        double start = now();
        need(pl_batch_step(batch, worlds, count, 1.0f / 60.0f, NULL));
        t[r] = now() - start;
    }
    pl_batch_destroy(batch);
    return median(t, ROUNDS);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 1000;
    pl_batch_def def = pl_default_batch_def();
    pl_batch *batch;
    if (count < 1 || count > 1000000)
        return fprintf(stderr, "usage: pliant_bench_worlds [WORLDS], from 1 to 1000000\n"), 2;
    need(pl_batch_create(&def, &batch));
    const int most = pl_batch_threads(batch) < THREADS_MOST ? pl_batch_threads(batch) : THREADS_MOST;
    pl_world **worlds = malloc((size_t)count * sizeof *worlds);
    if (!worlds)
        return 1;
    for (int i = 0; i < count; i++)
        worlds[i] = make(i);
    for (int i = 0; i < WARM_UP; i++)
        need(pl_batch_step(batch, worlds, count, 1.0f / 60.0f, NULL));
    printf("%d worlds of a figure and a cloth, 4 substeps\n| threads | ms a step of all | µs a world | of perfect "
           "scaling |\n"
           "| --- | --- | --- | --- |\n",
           count);
    double one = 0.0;
    for (int threads = 1; threads <= most; threads = threads < most && 2 * threads > most ? most : 2 * threads)
    {
        double ms = time_of(worlds, count, threads);
        one = threads == 1 ? ms : one;
        printf("| %d | %.1f | %.1f | %.0f %% |\n", threads, ms, 1e3 * ms / count, 100.0 * one / (threads * ms));
    }
    for (int i = 0; i < count; i++)
        pl_world_destroy(worlds[i]);
    free(worlds);
    pl_batch_destroy(batch);
    return 0;
}
