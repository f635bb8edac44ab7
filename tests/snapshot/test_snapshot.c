// A snapshot resumes bit for bit on other workers; damaged ones are refused, whatever the damage.
#include "support/support.h"

#include "model/world.h"

#include <unistd.h>

static pl_world *start(pl_integrator integrator)
{
    pl_world *w = make_world(3, 2);
    fill_world(w, 10);
    pl_settings s = pl_world_settings(w);
    s.integrator = integrator;
    good(pl_world_set_settings(w, &s));
    const int32_t index = 40;
    add_rows(w, PL_KIND_PIN, 1, &index, NULL, 1e-3f);
    return w;
}

static void resumes(pl_integrator integrator, int lanes, int threads)
{
    pl_world *a = start(integrator), *b;
    play(a, 100);
    pl_id pin = {1, 1};
    pl_kind kind;
    int count;
    while (pl_block_info(a, pin, &kind, &count) != PL_OK || kind != PL_KIND_PIN)
        pin.index++;
    const float target[3] = {0.4f, 0.5f, 0.4f};
    good(pl_move_pins(a, pin, 0, 1, target)); // under way when it is saved
    picture p = picture_of(a);
    pl_world_def def = small_def(1, 1);
    def.lanes = lanes;
    def.threads = threads;
    good(pl_world_load_memory(&def, p.data, p.size, &b));
    assert_true(pl_world_hash(a) == pl_world_hash(b));
    assert_int_equal(pl_world_frame(b), 100);
    assert_true(pl_world_time(a) == pl_world_time(b));
    same_picture(&p, b, "loading");
    float force[2];
    good(pl_get_rows(a, pin, PL_ROW_FORCE, 0, 1, &force[0]));
    good(pl_get_rows(b, pin, PL_ROW_FORCE, 0, 1, &force[1]));
    assert_true(force[0] == force[1]);
    for (int i = 0; i < 100; i++)
    {
        play(a, 1);
        play(b, 1);
        if (pl_world_hash(a) != pl_world_hash(b))
            fail_msg("the runs part at frame %d, integrator %d", 100 + i, (int)integrator);
    }
    pl_free(p.data);
    pl_world_destroy(a);
    pl_world_destroy(b);
}

static void other_workers(void **state)
{
    (void)state;
    resumes(PL_INTEGRATOR_BDF1, 1, 1);
    resumes(PL_INTEGRATOR_BDF2, 1, 3);
    resumes(PL_INTEGRATOR_BDF2, 0, 2);
}

// Saved right after an edit or a change of settings, before the world has been put in order again.
static void saved_between_edits(void **state)
{
    (void)state;
    for (int edit = 0; edit < 4; edit++)
    {
        pl_world *a = start(PL_INTEGRATOR_BDF1), *b;
        play(a, 20);
        pl_settings s = pl_world_settings(a);
        if (edit == 0)
            s.integrator = PL_INTEGRATOR_BDF2;
        if (edit == 1)
            s.substeps = 5, s.solver = PL_SOLVER_PBD;
        if (edit == 2)
            good(pl_remove(a, (pl_id){1, 1})); // the cloth
        if (edit == 3)
            add_one(a, 1, 1, 1, 1, NULL);
        good(pl_world_set_settings(a, &s));
        picture p = picture_of(a);
        pl_world_def def = small_def(1, 1);
        good(pl_world_load_memory(&def, p.data, p.size, &b));
        play(a, 10);
        play(b, 10);
        if (pl_world_hash(a) != pl_world_hash(b))
            fail_msg("edit %d: the runs part", edit);
        pl_free(p.data);
        pl_world_destroy(a);
        pl_world_destroy(b);
    }
}

// A force that somebody has set pushes on in a world that is loaded; one that nobody has is not looked at.
static void forces_push_on(void **state)
{
    (void)state;
    const float push[3] = {0.0f, 2.0f, 1.0f};
    uint64_t after[2];
    for (int pushed = 0; pushed < 2; pushed++)
    {
        pl_world *w = make_world(4, 2), *loaded;
        fill_world(w, 8);
        if (pushed)
            good(pl_set(w, PL_ATTRIBUTE_FORCE, 30, 1, push));
        play(w, 2);
        picture p = picture_of(w);
        pl_world_def def = small_def(1, 1);
        good(pl_world_load_memory(&def, p.data, p.size, &loaded));
        pl_free(p.data);
        play(w, 5);
        play(loaded, 5);
        assert_true(pl_world_hash(w) == pl_world_hash(loaded));
        after[pushed] = pl_world_hash(w);
        pl_world_destroy(w);
        pl_world_destroy(loaded);
    }
    assert_true(after[0] != after[1]);
}

static void refuse(const void *data, size_t size)
{
    pl_world_def def = small_def(1, 1);
    pl_world *w = (pl_world *)&def;
    pl_result result = pl_world_load_memory(&def, data, size, &w);
    assert_int_equal(result, PL_ERROR_FORMAT);
    assert_null(w);
    assert_non_null(strstr(pl_error_message(), "snapshot"));
}

static pl_world *tiny(void)
{
    pl_world *w = make_world(1, 1);
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 3;
    good(pl_add_rope(w, &rope, NULL));
    const int32_t face[3] = {0, 1, 2};
    good(pl_add_faces(w, &(pl_faces_def){1, face, 1, 0}, NULL));
    good(pl_add_field(w, &(pl_field){.kind = PL_FIELD_UNIFORM, .vector = {1, 0, 0}}, NULL));
    play(w, 1);
    return w;
}

static void cut_off_anywhere(void **state)
{
    (void)state;
    pl_world *w = tiny();
    picture p = picture_of(w);
    for (size_t size = 0; size < p.size; size++)
    {
        char *cut = malloc(size + 1); // its own block, so that a read beyond it is seen
        memcpy(cut, p.data, size);
        refuse(cut, size);
        free(cut);
    }
    char *longer = calloc(1, p.size + 1);
    memcpy(longer, p.data, p.size);
    refuse(longer, p.size + 1);
    free(longer);
    pl_free(p.data);
    pl_world_destroy(w);
}

// One of another version is refused by its number, not as damaged.
static void other_versions(void **state)
{
    (void)state;
    pl_world *w = tiny();
    picture p = picture_of(w);
    char *version = (char *)p.data + 7, said[64];
    for (int step = -1; step <= 1; step += 2)
    {
        *version = (char)(*version + step);
        refuse(p.data, p.size);
        snprintf(said, sizeof said, "it has version %d; this program reads version %d", *version, *version - step);
        assert_non_null(strstr(pl_error_message(), said));
        *version = (char)(*version - step);
    }
    ((char *)p.data)[16] ^= 1; // the hash of the tables of arrays and kinds
    refuse(p.data, p.size);
    assert_non_null(strstr(pl_error_message(), "it has other arrays or kinds than this program"));
    pl_free(p.data);
    pl_world_destroy(w);
}

static uint64_t sum_of(const unsigned char *data, size_t size)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 16; i < size; i++)
        h = (h ^ data[i]) * 1099511628211u;
    return h;
}

// Every byte damaged, with the old check sum and with a forged one: refused, or a world that can be stepped.
static void damaged_anywhere(void **state)
{
    (void)state;
    pl_world *w = tiny();
    picture p = picture_of(w);
    unsigned char *bytes = p.data;
    static const unsigned char damage[] = {0xff, 0x80, 0x01};
    for (size_t at = 0; at < p.size; at++)
        for (int d = 0; d < 3; d++)
        {
            unsigned char kept = bytes[at], sum[8];
            memcpy(sum, bytes + 8, 8);
            bytes[at] ^= damage[d];
            refuse(bytes, p.size);
            uint64_t forged = sum_of(bytes, p.size);
            memcpy(bytes + 8, &forged, 8);
            pl_world_def def = small_def(1, 1);
            pl_world *loaded;
            if (pl_world_load_memory(&def, bytes, p.size, &loaded) == PL_OK)
            {
                pl_settings s = pl_world_settings(loaded);
                if (s.substeps * s.iterations < 1000)
                {
                    pl_result result = pl_world_step(loaded, 0.01f);
                    assert_true(result == PL_OK || result == PL_ERROR_DIVERGED);
                }
                pl_world_destroy(loaded);
            }
            memcpy(bytes + 8, sum, 8);
            bytes[at] = kept;
        }
    pl_free(p.data);
    pl_world_destroy(w);
}

// A row of each kind with a damage that the calls of the API refuse for that kind: so does the reader.
static void damage_of_the_wrong_kind(void **state)
{
    (void)state;
    static const float x[3 * PL_MAX_ARITY] = {0,    0, 0, 1, 0, 0, 0, 1, 0, 0.2f, 0.3f, 1,
                                              0.1f, 0, 1, 1, 0, 1, 0, 1, 1, 1,    1,    1};
    static const int32_t corners[PL_MAX_ARITY] = {0, 1, 2, 3, 4, 5, 6, 7};
    int refused = 0, loaded = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int breaks = 0; breaks < 2; breaks++)
        {
            pl_world_def def = small_def(1, 1);
            pl_world *w, *again;
            good(pl_world_create(&def, &w));
            pl_particles_def particles = pl_default_particles_def();
            particles.count = PL_MAX_ARITY, particles.position = x;
            good(pl_add_particles(w, &particles, NULL));
            pl_orient_def turns = pl_default_orient_def();
            pl_id id;
            turns.count = PL_MAX_ARITY, turns.particles = corners, turns.radii_each = (pl_vec3){0.1f, 0.1f, 0.1f};
            good(pl_orient(w, &turns, &id));
            id = add_rows(w, (pl_kind)kind, 1, corners, NULL, 1e-3f);
            good(damage_reserve(w, kind, 1));
            *(breaks ? &w->rows[kind].damage->strength : &w->rows[kind].damage->yield) = 0.5f;
            picture p = picture_of(w);
            pl_plastic plastic = pl_default_plastic();
            plastic.yield = 0.5f;
            pl_result set = breaks ? pl_set_strength(w, id, 0, 1, 0.5f) : pl_set_plastic(w, id, 0, 1, &plastic);
            if (set == PL_OK)
            {
                good(pl_world_load_memory(&def, p.data, p.size, &again));
                good(pl_world_step(again, 0.01f));
                pl_world_destroy(again);
                loaded++;
            }
            else
                refuse(p.data, p.size), refused++;
            pl_free(p.data);
            pl_world_destroy(w);
        }
    assert_true(refused > 10 && loaded > 10);
}

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/pliant_snapshot_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    pl_world *w = tiny(), *b;
    pl_world_def def = small_def(1, 1);
    good(pl_world_save(w, path));
    good(pl_world_load(&def, path, &b));
    assert_true(pl_world_hash(w) == pl_world_hash(b));
    pl_world_destroy(b);
    assert_int_equal(truncate(path, 50), 0);
    refused(pl_world_load(&def, path, &b), PL_ERROR_FORMAT, path);
    assert_null(b);
    unlink(path);
    refused(pl_world_load(&def, path, &b), PL_ERROR_FILE, path);
    refused(pl_world_save(w, "/nowhere/at/all"), PL_ERROR_FILE, "/nowhere/at/all");
    pl_world_destroy(w);
}

static pl_id add_block(pl_world *w, int count)
{
    float *x = calloc(3 * (size_t)count, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < count; i++)
        x[3 * i] = (float)(i % 300), x[3 * i + 1] = (float)(i / 300);
    pl_particles_def p = pl_default_particles_def();
    pl_id id;
    p.count = count, p.position = x;
    good(pl_add_particles(w, &p, &id));
    free(x);
    return id;
}

// Whatever a world can be, it can be saved and loaded: tiles that went stale, numbers with a great hole.
static void tiles_and_holes(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1), *b;
    pl_world_def def = small_def(1, 1);
    pl_id large = add_block(w, 70000);
    add_block(w, 1);
    play(w, 1);
    good(pl_remove(w, large));
    for (int settled = 0; settled < 2; settled++)
    {
        picture p = picture_of(w);
        good(pl_world_load_memory(&def, p.data, p.size, &b));
        assert_true(pl_world_hash(w) == pl_world_hash(b));
        play(w, 1);
        play(b, 1);
        assert_true(pl_world_hash(w) == pl_world_hash(b));
        pl_free(p.data);
        pl_world_destroy(b);
    }
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_workers),
        cmocka_unit_test(saved_between_edits),
        cmocka_unit_test(forces_push_on),
        cmocka_unit_test(tiles_and_holes),
        cmocka_unit_test(cut_off_anywhere),
        cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(files),
        cmocka_unit_test(damage_of_the_wrong_kind),
        cmocka_unit_test(other_versions),
    };
    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
