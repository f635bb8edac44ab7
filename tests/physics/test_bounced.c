// test_bounced.c: bodies that bounce off each other, a moving box and grains, one of them hung up by two of its particles: the same bytes of a
// snapshot at every lane width and number of threads, and a world that is loaded goes on as if it had never stopped.
#include "physics/bricks.h"

#include <stdio.h>
#include <unistd.h>

enum
{
    FRAMES = 40,
    BRICKS = 6,
};

static pl_world *make_yard(int lanes, int threads, pl_integrator integrator)
{
    brick_yard y = open_yard(12, 0.4f);
    pl_settings s = pl_world_settings(y.world);
    pl_material m = pl_default_material();
    s.integrator = integrator;
    good(pl_world_set_settings(y.world, &s));
    good(pl_world_set_workers(y.world, threads, lanes));
    m.restitution = 0.5f;
    good(pl_set_material(y.world, y.material, &m));
    pl_shape_def ram = pl_default_shape_def();
    ram.kind = PL_SHAPE_BOX;
    ram.material = y.material;
    ram.position = (pl_vec3){-1.2f, 0.4f, 0.0f};
    ram.half = (pl_vec3){0.2f, 0.4f, 0.6f};
    ram.velocity = (pl_vec3){1.5f, 0.0f, 0.0f};
    good(pl_add_shape(y.world, &ram, NULL));
    pl_vec3 at[BRICKS];
    pl_id id[BRICKS];
    for (int i = 0; i < BRICKS; i++)
        at[i] = (pl_vec3){0.13f * (float)(i % 3) - 0.1f, 0.2f + 0.33f * (float)i, 0.07f * (float)(i % 2)};
    lay(&y, (pl_vec3){0.3f, 0.2f, 0.25f}, BRICKS, at, id);
    int first, count;
    const float held = 0.0f;
    good(pl_object_range(y.world, id[2], &first, &count));
    good(pl_set(y.world, PL_ATTRIBUTE_MASS, first, 1, &held));
    good(pl_set(y.world, PL_ATTRIBUTE_MASS, first + 7, 1, &held));
    return y.world;
}

static void save(pl_world *w, const char *path, char **bytes, size_t *size)
{
    good(pl_world_save(w, path));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    *bytes = malloc(*size);
    assert_int_equal(fread(*bytes, 1, *size, f), *size);
    fclose(f);
}

static void same_bytes(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/pliant-bounced-%d.snap", (int)getpid());
    const int workers[][2] = {{1, 1}, {4, 1}, {8, 1}, {1, 3}, {4, 2}}; // lanes, threads
    for (int order = 0; order < 2; order++)
    {
        pl_integrator integrator = order ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
        char *first = NULL, *bytes;
        size_t size = 0, other;
        for (size_t i = 0; i < sizeof workers / sizeof *workers; i++)
        {
            pl_world *w = make_yard(workers[i][0], workers[i][1], integrator);
            steps(w, FRAMES, 1.0 / 60.0);
            save(w, path, &bytes, &other);
            if (i == 0)
                first = bytes, size = other;
            assert_int_equal(other, size);
            assert_memory_equal(bytes, first, size);
            if (i > 0)
                free(bytes);
            pl_world_destroy(w);
        }
        for (int cut = 7; cut < FRAMES; cut += 9)
        {
            pl_world *w = make_yard(4, 1, integrator), *again;
            steps(w, cut, 1.0 / 60.0);
            good(pl_world_save(w, path));
            pl_world_destroy(w);
            pl_world_def def = pl_default_world_def();
            good(pl_world_load(&def, path, &again));
            steps(again, FRAMES - cut, 1.0 / 60.0);
            w = make_yard(1, 1, integrator);
            steps(w, FRAMES, 1.0 / 60.0);
            assert_true(pl_world_hash(w) == pl_world_hash(again));
            pl_world_destroy(w);
            pl_world_destroy(again);
        }
        free(first);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes)};
    return cmocka_run_group_tests_name("bounced", tests, NULL, NULL);
}
