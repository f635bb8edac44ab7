// queries.c: pliant_bench_queries, what queries, movers and a rollback cost. Times are medians.
//   pliant_bench_queries [BODIES...]     200 and 5,000 by default; beside them as many particles as 20 BODIES
#include "clock.h"

#include <math.h>

enum
{
    ROUNDS = 31,
    CASTS = 1000,
};

static uint64_t seed = 1;
static float roll(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(int32_t)(seed >> 32) / 2147483648.0);
}

static pl_world *make(int bodies, float side)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.settings.substeps = 4;
    def.threads = 1;
    need(pl_world_create(&def, &w));
    pl_shape_def floor = pl_default_shape_def();
    need(pl_add_shape(w, &floor, NULL));
    for (int i = 0; i < bodies; i++)
    {
        pl_rigid_shape s = pl_default_rigid_shape();
        s.kind = (pl_rigid_shape_kind)(i % 4);
        s.half = (pl_vec3){0.2f, 0.2f, 0.2f}, s.radius = 0.2f, s.length = 0.3f;
        pl_rigid_def d = pl_default_rigid_def();
        d.shapes = &s, d.shape_count = 1;
        d.position = (pl_vec3){side * roll(), 1.0f + side * 0.5f * (1.0f + roll()), side * roll()};
        need(pl_add_rigid(w, &d, NULL));
    }
    return w;
}

static double cast_time(pl_world *w, pl_cast_form form, float side, float distance)
{
    double t[ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
    {
        double start = now();
        for (int i = 0; i < CASTS; i++)
        {
            pl_cast_def c = pl_default_cast_def();
            pl_hit h;
            c.form = form;
            c.origin = (pl_vec3){side * roll(), 1.0f + side * 0.5f * (1.0f + roll()), side * roll()};
            c.direction = (pl_vec3){roll(), roll(), roll() + 0.01f};
            c.distance = distance;
            c.radius = form == PL_CAST_BALL ? 0.0f : 0.1f;
            c.half = (pl_vec3){0.1f, 0.2f, 0.1f}, c.length = 0.3f;
            need(pl_cast(w, &c, &h));
        }
        t[r] = 1e3 * (now() - start) / CASTS;
    }
    return median(t, ROUNDS);
}

static void measure_casts(int bodies)
{
    float side = 2.0f * cbrtf((float)bodies / 8.0f);
    pl_world *w = make(bodies, side);
    int particles = 20 * bodies;
    float *x = malloc(3 * sizeof *x * (size_t)particles), *r = malloc(sizeof *r * (size_t)particles);
    if (!x || !r)
        exit(1);
    for (int i = 0; i < particles; i++)
    {
        x[3 * i] = side * roll(), x[3 * i + 1] = 1.0f + side * 0.5f * (1.0f + roll()), x[3 * i + 2] = side * roll();
        r[i] = 0.02f;
    }
    pl_particles_def p = pl_default_particles_def();
    p.count = particles, p.position = x;
    pl_id object;
    int first, count;
    need(pl_add_particles(w, &p, &object));
    need(pl_object_range(w, object, &first, &count));
    need(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, r));
    printf("%d bodies, %d particles: one cast of 5 m, us: ray %.2f, capsule %.2f, box %.2f\n", bodies, particles,
           cast_time(w, PL_CAST_BALL, side, 5.0f), cast_time(w, PL_CAST_CAPSULE, side, 5.0f),
           cast_time(w, PL_CAST_BOX, side, 5.0f));
    double t[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
    {
        pl_cast_def c = pl_default_cast_def();
        pl_hit h;
        need(pl_world_step(w, 1e-4f));
        double start = now();
        need(pl_cast(w, &c, &h));
        t[i] = now() - start;
    }
    printf("  the first cast after a step, which refits the trees: %.3f ms\n", median(t, ROUNDS));
    pl_mover_def d = pl_default_mover_def();
    pl_mover m = {.position = {0.0f, 0.9f, 0.0f}, .grounded = true};
    for (int i = 0; i < ROUNDS; i++)
    {
        double start = now();
        for (int k = 0; k < 100; k++)
            need(pl_mover_move(w, &d, (pl_vec3){0.05f * (float)(k % 2 ? 1 : -1), 0.0f, 0.02f}, &m));
        t[i] = 10.0 * (now() - start);
    }
    printf("  a move of a mover: %.1f us\n", median(t, ROUNDS));
    free(x), free(r);
    pl_world_destroy(w);
}

static void measure_restore(int bodies)
{
    pl_world *w = make(bodies, 2.0f * cbrtf((float)bodies / 8.0f));
    double save[ROUNDS], restore[ROUNDS], first[ROUNDS], step[ROUNDS];
    void *data;
    size_t size = 0;
    for (int i = 0; i < 60; i++)
        need(pl_world_step(w, 1.0f / 60.0f));
    for (int i = 0; i < ROUNDS; i++)
    {
        double start = now();
        need(pl_world_save_memory(w, &data, &size));
        save[i] = now() - start;
        for (int k = 0; k < 3; k++)
        {
            start = now();
            need(pl_world_step(w, 1.0f / 60.0f));
            step[i] = now() - start;
        }
        start = now();
        need(pl_world_restore(w, data, size));
        restore[i] = now() - start;
        start = now();
        need(pl_world_step(w, 1.0f / 60.0f));
        first[i] = now() - start;
        pl_free(data);
    }
    printf("%d bodies: save %.3f ms, restore %.3f ms (%.0f KB); a step %.3f ms, the first after a restore %.3f ms\n",
           bodies, median(save, ROUNDS), median(restore, ROUNDS), 1e-3 * (double)size, median(step, ROUNDS),
           median(first, ROUNDS));
    pl_world_destroy(w);
}

int main(int argc, char **argv)
{
    const char *const usual[] = {"200", "5000"};
    const char *const *sizes = argc > 1 ? (const char *const *)(argv + 1) : usual;
    int count = argc > 1 ? argc - 1 : 2;
    for (int i = 0; i < count; i++)
    {
        int bodies = atoi(sizes[i]);
        if (bodies < 1 || bodies > 1000000)
        {
            fprintf(stderr, "error: %s is not a number of bodies from 1 to 1,000,000\n", sizes[i]);
            return 1;
        }
        measure_restore(bodies);
        measure_casts(bodies);
    }
    return 0;
}
