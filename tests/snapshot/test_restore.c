// A live world goes back to a snapshot: it continues with the bits of the world that was saved, whatever was done to it
// since; and a damaged snapshot changes nothing.
#include "query/forms.h"
#include "support/faulty.h"

static void fill_busy(pl_world *w)
{
    fill_world(w, 8);
    pl_shape_def plane = pl_default_shape_def();
    plane.position.y = -3;
    good(pl_add_shape(w, &plane, NULL));
    for (int i = 0; i < 12; i++)
    {
        pl_rigid_shape s = pl_default_rigid_shape();
        s.half = (pl_vec3){0.2f, 0.2f, 0.2f};
        pl_rigid_def d = pl_default_rigid_def();
        d.shapes = &s, d.shape_count = 1, d.position = (pl_vec3){0.1f * roll(), -2.7f + 0.45f * (float)i, 5};
        good(pl_add_rigid(w, &d, NULL));
    }
    float x[3 * 40], r[40];
    for (int i = 0; i < 120; i++)
        x[i] = 0.4f * roll() - (i % 3 == 1 ? 2.0f : 0.0f);
    for (int i = 0; i < 40; i++)
        r[i] = 0.06f;
    pl_particles_def p = pl_default_particles_def();
    pl_id grains;
    int first, count;
    p.count = 40, p.position = x;
    good(pl_add_particles(w, &p, &grains));
    good(pl_object_range(w, grains, &first, &count));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, r));
}

static pl_world *busy_world(void)
{
    pl_world *w = make_world(4, 2);
    fill_busy(w);
    return w;
}

static void same_bytes(const pl_world *w, const void *data, size_t size)
{
    void *own;
    size_t bytes;
    good(pl_world_save_memory(w, &own, &bytes));
    assert_int_equal(bytes, size);
    assert_memory_equal(own, data, size);
    pl_free(own);
}

static void rollback(void **state)
{
    (void)state;
    pl_world *w = busy_world();
    play(w, 20);
    void *data;
    size_t size;
    good(pl_world_save_memory(w, &data, &size));
    uint64_t hashes[8];
    for (int i = 0; i < 8; i++)
    {
        good(pl_world_step(w, 1.0f / 60.0f));
        hashes[i] = pl_world_hash(w);
    }
    for (int round = 0; round < 6; round++)
    {
        pl_cast_def c = pl_default_cast_def();
        pl_hit h;
        good(pl_cast(w, &c, &h));
        if (round == 1)
            fill_world(w, 5);
        if (round == 2)
            good(pl_remove(w, pl_shape_at(w, 0)));
        if (round == 3)
        {
            pl_id bodies[12];
            pl_world_rigids(w, bodies, 12);
            for (int i = 0; i < 7; i++)
                good(pl_remove(w, bodies[i]));
            add_box_as(w, AS_BODY_HULL, (pl_vec3){1, 1, 1}, (pl_vec3){9, 9, 9}, (pl_quat){0, 0, 0, 1});
        }
        if (round == 4)
            good(pl_world_set_workers(w, 2, 8));
        good(pl_world_restore(w, data, size));
        same_bytes(w, data, size);
        good(pl_cast(w, &c, &h));
        for (int i = 0; i < 8; i++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            assert_true(pl_world_hash(w) == hashes[i]);
        }
    }
    int threads, lanes;
    pl_world_workers(w, &threads, &lanes);
    assert_true(threads == 2 && lanes == 8);
    pl_free(data);
    pl_world_destroy(w);
}

// Memory is given back: the world does not grow by being restored.
static void memory(void **state)
{
    (void)state;
    pl_world *w = busy_world();
    play(w, 5);
    void *data;
    size_t size, most = 0;
    good(pl_world_save_memory(w, &data, &size));
    for (int i = 0; i < 12; i++)
    {
        good(pl_world_restore(w, data, size));
        good(pl_world_step(w, 1.0f / 60.0f));
        if (i == 2)
            most = pl_world_memory(w);
        assert_true(i < 3 || pl_world_memory(w) <= most);
    }
    pl_free(data);
    pl_world_destroy(w);
}

static void damaged(void **state)
{
    (void)state;
    pl_world *w = busy_world();
    play(w, 3);
    void *data, *now;
    size_t size, bytes;
    good(pl_world_save_memory(w, &data, &size));
    good(pl_world_step(w, 1.0f / 60.0f));
    good(pl_world_save_memory(w, &now, &bytes));
    uint64_t dice_now = 5;
    for (int i = 0; i < 60; i++)
    {
        char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, data, size);
        size_t at = (size_t)(fabsf(dice(&dice_now)) * (float)(size - 1)), used = i % 3 ? size : at;
        copy[at] = (char)(copy[at] ^ 0x21);
        assert_int_equal(pl_world_restore(w, copy, used), PL_ERROR_FORMAT);
        free(copy);
    }
    same_bytes(w, now, bytes);
    refused(pl_world_restore(w, NULL, 3), PL_ERROR_ARGUMENT, "data is NULL");
    refused(pl_world_restore(NULL, data, 3), PL_ERROR_ARGUMENT, "world is NULL");
    good(pl_world_step(w, 1.0f / 60.0f));
    pl_free(data);
    pl_free(now);
    pl_world_destroy(w);
}

// Without memory the world stays as it was, and nothing is leaked.
static void without_memory(void **state)
{
    (void)state;
    faulty f = {0};
    pl_world_def def = small_def(4, 2);
    pl_world *w;
    def.allocator = (pl_allocator){faulty_resize, &f};
    good(pl_world_create(&def, &w));
    fill_busy(w);
    play(w, 2);
    void *data, *now;
    size_t size, bytes;
    good(pl_world_save_memory(w, &data, &size));
    play(w, 1);
    good(pl_world_save_memory(w, &now, &bytes));
    int64_t failed = 0;
    for (int64_t at = 1;; at++)
    {
        f.calls = 0, f.fail_at = at;
        pl_result result = pl_world_restore(w, data, size);
        f.fail_at = 0;
        if (result == PL_OK)
            break;
        assert_int_equal(result, PL_ERROR_MEMORY);
        same_bytes(w, now, bytes);
        failed++;
    }
    assert_true(failed > 10);
    same_bytes(w, data, size);
    pl_cast_def c = pl_default_cast_def();
    pl_hit h;
    c.origin.y = 9;
    for (int64_t at = 1; at < 40; at++) // queries answer, or tell that there is no memory
    {
        play(w, at % 8 == 0);
        f.calls = 0, f.fail_at = at % 8 + 1;
        pl_result result = pl_cast(w, &c, &h);
        assert_true(result == PL_OK || result == PL_ERROR_MEMORY);
        f.fail_at = 0;
        good(pl_cast(w, &c, &h));
        assert_true(h.found);
    }
    pl_free(data);
    pl_free(now);
    pl_world_destroy(w);
    assert_true(f.blocks == 0 && f.bytes == 0);
}

// On a GPU, where there is one: the bits of the CPU, also after a restore, an edit and a shift of the origin.
static void on_device(void **state)
{
    (void)state;
    uint64_t hashes[2][16];
    for (int device = 0; device < 2; device++)
    {
        pl_world *w = make_world(4, 2);
        void *data;
        size_t size;
        fill_world(w, 8);
        if (device && pl_world_set_backend(w, PL_BACKEND_CUDA) != PL_OK)
        {
            print_message("no GPU: only the CPU is tested\n");
            pl_world_destroy(w);
            return;
        }
        play(w, 10);
        good(pl_world_save_memory(w, &data, &size));
        for (int i = 0; i < 16; i++)
        {
            good(pl_world_step(w, 1.0f / 60.0f));
            hashes[device][i] = pl_world_hash(w);
            if (i == 8)
                fill_world(w, 4);
            if (i == 4 || i == 9)
                good(pl_world_restore(w, data, size));
            if (i == 12)
                good(pl_world_shift_origin(w, (pl_vec3){1, -2, 0.5f}));
        }
        pl_free(data);
        pl_world_destroy(w);
    }
    assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rollback),       cmocka_unit_test(memory),    cmocka_unit_test(damaged),
        cmocka_unit_test(without_memory), cmocka_unit_test(on_device),
    };
    return cmocka_run_group_tests_name("restore", tests, NULL, NULL);
}
