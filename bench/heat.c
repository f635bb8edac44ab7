// heat.c: pliant_bench_heat, what heat costs: a cloud of grains that rest beside each other, with and without a temperature. Times are medians
// of one run, in turns, so that their ratios mean something on a busy machine.
//   pliant_bench_heat [--backend cuda] [GRAINS...]     20,000 and 100,000 by default
#include "clock.h"

#include <string.h>

#define RADIUS 0.01f

enum
{
    ROUNDS = 15,
    WORLDS = 3,
};

static pl_id add_grains(pl_world *w, int count)
{
    float *x = malloc(4 * (size_t)count * sizeof *x), *radius = x + 3 * (size_t)count;
    int side = 1;
    if (!x)
        exit(1);
    while (side * side * side < count)
        side++;
    for (int i = 0; i < count; i++)
    {
        const int cell[3] = {i % side, i / side / side, i / side % side};
        for (int c = 0; c < 3; c++)
            x[3 * i + c] = RADIUS * (1.0f + 2.2f * (float)cell[c] + 0.003f * (float)((i * (c + 5)) % 13));
        radius[i] = RADIUS;
    }
    pl_particles_def p = pl_default_particles_def();
    p.count = count, p.position = x, p.mass_each = 1e-3f;
    pl_id id;
    need(pl_add_particles(w, &p, &id));
    need(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, count, radius));
    free(x);
    return id;
}

// conductivity: 0: nobody has a temperature.
static pl_world *make(int count, float conductivity, pl_backend backend, int threads)
{
    pl_world_def def = pl_default_world_def();
    pl_shape_def floor = pl_default_shape_def();
    pl_heat_def h = pl_default_heat_def();
    pl_world *w;
    pl_id plate;
    def.threads = threads;
    def.settings.substeps = def.settings.iterations = 1;
    def.settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    need(pl_world_create(&def, &w));
    need(pl_world_set_backend(w, backend));
    pl_id grains = add_grains(w, count);
    need(pl_add_shape(w, &floor, &plate));
    h.conductivity = conductivity, h.capacity = 100.0f, h.exchange = 10.0f;
    if (conductivity > 0.0f)
    {
        need(pl_set_heat(w, grains, &h));
        need(pl_set_shape_heat(w, plate, true, 200.0f));
    }
    return w;
}

static void measure(int count, pl_backend backend, const char *what, float conductivity)
{
    pl_world *w[WORLDS] = {make(count, 0.0f, backend, 0), make(count, conductivity, backend, 1),
                           make(count, conductivity, backend, 0)};
    double times[WORLDS][ROUNDS], ms[WORLDS];
    for (int k = 0; k < WORLDS; k++)
        for (int i = 0; i < 3; i++)
            need(pl_world_step(w[k], 1.0f / 60.0f));
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < WORLDS; k++)
        {
            double since = now();
            need(pl_world_step(w[k], 1.0f / 60.0f));
            times[k][i] = now() - since;
        }
    for (int k = 0; k < WORLDS; k++)
    {
        ms[k] = median(times[k], ROUNDS);
        pl_world_destroy(w[k]);
    }
    printf("| %d | %s | %.3f | %.3f | %.3f | %.2f |\n", count, what, ms[0], ms[1], ms[2], ms[1] / ms[2]);
}

int main(int argc, char **argv)
{
    pl_backend backend = PL_BACKEND_CPU;
    int counts[8] = {20000, 100000}, count = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--backend") == 0 && i + 1 < argc)
            backend = strcmp(argv[++i], "cuda") == 0 ? PL_BACKEND_CUDA : PL_BACKEND_CPU;
        else if (count < 8)
            counts[count++] = atoi(argv[i]);
    printf("| grains | steps of conduction | ms without heat | with, one thread | with, all threads | one takes so "
           "many times that |\n");
    printf("| --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < (count ? count : 2); i++)
    {
        measure(counts[i], backend, "3", 50.0f);
        measure(counts[i], backend, "30", 600.0f);
    }
    return 0;
}
