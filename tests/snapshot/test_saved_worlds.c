// test_saved_worlds.c: any world that steps can be saved; what was saved can be loaded; what was loaded steps to the same bits,
// restored into a live world too. Worlds of every kind (tests/worlds), at several ages, with strange but legal numbers.
// long: too
#include "support/faulty.h"
#include "support/long.h"
#include "support/support.h"
#include "worlds/strange.h"
#include "worlds/worlds.h"

enum
{
    AGES = 8,
    MOST_FRAMES = 3,
};

static pl_world_def def_of(void)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    def.memory_limit = 512 << 20;
    return def;
}

// Pressures, and the forces on bodies, can be read before the next step.
static void fluids_read_the_same(const pl_world *w, const pl_world *loaded, const char *what)
{
    pl_id body[64];
    pl_fluid_totals a = pl_world_fluid(w), b = pl_world_fluid(loaded);
    int bodies = pl_world_rigids(w, body, 64);
    bool same = memcmp(&a.pressure_max, &b.pressure_max, sizeof a.pressure_max) == 0;
    for (int i = 0; i < bodies && i < 64; i++)
    {
        pl_vec3 force[2], torque[2];
        good(pl_get_fluid_force(w, body[i], &force[0], &torque[0]));
        good(pl_get_fluid_force(loaded, body[i], &force[1], &torque[1]));
        same &= memcmp(&force[0], &force[1], sizeof *force) == 0 && memcmp(&torque[0], &torque[1], sizeof *torque) == 0;
    }
    if (!same)
        fail_msg("%s: fluids have other pressures or forces after the load: %g and %g Pa", what, a.pressure_max,
                 b.pressure_max);
}

// Saves and loads; both must give the same bits in the frames that follow. `what` names the world if they do not.
static void saved_and_loaded(const pl_scene *scene, pl_world *w, int frames, const char *what)
{
    pl_world_def def = def_of();
    pl_world *loaded = NULL;
    void *data = NULL;
    size_t size = 0;
    if (pl_world_save_memory(w, &data, &size) != PL_OK)
        fail_msg("%s: cannot be saved: %s", what, pl_error_message());
    if (pl_world_load_memory(&def, data, size, &loaded) != PL_OK)
        fail_msg("%s: cannot be loaded: %s", what, pl_error_message());
    if (pl_world_hash(w) != pl_world_hash(loaded))
        fail_msg("%s: another world was loaded", what);
    fluids_read_the_same(w, loaded, what);
    for (int i = 0; i < frames; i++)
    {
        pl_result a = small_world_play(scene, w, 1), b = small_world_play(scene, loaded, 1);
        if (a != b || pl_world_hash(w) != pl_world_hash(loaded))
            fail_msg("%s: the worlds part %d frames after the load (%s, %s)", what, i + 1, pl_result_name(a),
                     pl_result_name(b));
    }
    uint64_t after = pl_world_hash(w);
    if (pl_world_restore(w, data, size) != PL_OK)
        fail_msg("%s: cannot be restored: %s", what, pl_error_message());
    for (int i = 0; i < frames; i++)
        small_world_play(scene, w, 1);
    if (pl_world_hash(w) != after)
        fail_msg("%s: the restored world has other bits", what);
    pl_free(data);
    pl_world_destroy(loaded);
}

static void worlds_of_every_kind(void **state)
{
    (void)state;
    for (int which = 0; which < SMALL_WORLDS; which++)
    {
        pl_world_def def = def_of();
        pl_scene *scene = NULL;
        pl_world *w = NULL;
        good(small_world_scene(which, &scene));
        good(small_world_make(scene, &def, 0, &w));
        for (int age = 0; age < AGES; age++)
            saved_and_loaded(scene, w, MOST_FRAMES, small_worlds[which]);
        pl_world_destroy(w);
        pl_scene_free(scene);
    }
}

static char *text_of(int which, size_t *length)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/worlds/%s.json", PLIANT_SOURCE_DIR, small_worlds[which]);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    *length = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

// Returns whether the scene was accepted and its world small enough to be stepped.
static bool try_strange(const char *text, size_t length, const char *what)
{
    pl_world_def def = def_of();
    pl_scene *scene = NULL;
    pl_world *w = NULL;
    bool tried = false;
    if (pl_scene_parse(text, length, "strange", NULL, 0, &scene) != PL_OK)
        return false;
    if (pl_scene_world(scene, &def, &w) == PL_OK && pl_particle_count(w) < 2000)
    {
        pl_settings s = pl_world_settings(w);
        s.substeps = s.substeps < 6 ? s.substeps : 6;
        s.iterations = s.iterations < 3 ? s.iterations : 3;
        s.contact_sweeps = s.contact_sweeps < 4 ? s.contact_sweeps : 4;
        pl_result result = pl_world_set_settings(w, &s);
        if (result == PL_OK)
            result = small_world_play(scene, w, 2);
        tried = result == PL_OK || result == PL_ERROR_DIVERGED;
        if (tried)
            saved_and_loaded(scene, w, 2, what);
    }
    pl_world_destroy(w);
    pl_scene_free(scene);
    return tried;
}

static void strange_numbers(void **state)
{
    (void)state;
    int accepted = 0, all = is_long() ? 20000 : 400;
    size_t length[SMALL_WORLDS];
    char *text[SMALL_WORLDS];
    for (int i = 0; i < SMALL_WORLDS; i++)
        text[i] = text_of(i, &length[i]);
    for (int n = 0; n < all; n++)
    {
        uint64_t seed = 977 + (uint64_t)n;
        char what[64];
        scene_text t = strange_scene(text[n % SMALL_WORLDS], length[n % SMALL_WORLDS], &seed, false);
        snprintf(what, sizeof what, "%s, seed %d", small_worlds[n % SMALL_WORLDS], 977 + n);
        accepted += try_strange(t.data, t.length, what);
        free(t.data);
    }
    print_message("%d of %d strange worlds were stepped\n", accepted, all);
    assert_true(accepted > all / 4);
    for (int i = 0; i < SMALL_WORLDS; i++)
        free(text[i]);
}

// Strengths so small that the load they stand for is no float32: bars of tetrahedra, cloth, joints and ropes.
static void tiny_strength(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"bar\": {\"cells\": [2, 1, 1], \"model\": \"stvk\", \"plastic\": {\"yield\": 1e-30, \"creep\": 1e12}, "
        "\"strength\": 1e-38}}",
        "{\"rope\": {\"segments\": 3, \"pin_first\": true, \"strength\": 1e-38}}",
        "{\"cloth\": {\"size\": [3, 3], \"pinned\": \"corners\", \"strength\": 1e-38}}",
        "{\"rigid\": {\"name\": \"a\", \"shapes\": {\"half\": [0.1, 0.1, 0.1]}}, \"joint\": {\"kind\": \"fixed\", "
        "\"a\": \"a\","
        " \"break_force\": 1e-38, \"break_torque\": 1e-38}}",
    };
    int tried = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        tried += try_strange(texts[i], strlen(texts[i]), texts[i]);
    assert_int_equal(tried, 4);
}

// How often contacts of bodies are swept depends on the stacks that were there when their pairs were found, which a loaded world
// took from the poses of its first frame.
static void stacks_keep_their_sweeps(void **state)
{
    (void)state;
    static const char text[] =
        "{\"iterations\": 2, \"substeps\": 3, \"rigid\": ["
        "{\"name\": \"a\", \"position\": [0, 0.2, 0], \"shapes\": {\"half\": [0.2, 0.2, 0.001]}},"
        "{\"position\": [0, 0.61, 0], \"shapes\": [{\"half\": [0.2, 0.2, 0.2]},"
        " {\"kind\": \"sphere\", \"radius\": 0.1, \"position\": [0, 0.3, 0]}]},"
        "{\"name\": \"i\", \"position\": [3.5, 1, 0], \"shapes\": {\"kind\": \"sphere\", \"radius\": 0.1}},"
        "{\"name\": \"j\", \"position\": [4, 1, 0], \"shapes\": {\"kind\": \"sphere\", \"radius\": 0.1}}],"
        "\"rope\": {\"name\": \"line\", \"bending\": true, \"segments\": 4, \"from\": [5, 1, 0], \"to\": [6, 1, 0]},"
        "\"joint\": [{\"kind\": \"fixed\", \"a\": \"i\", \"b\": \"j\", \"point\": [3.7, 1, 0], \"break_force\": 500},"
        " {\"kind\": \"ball\", \"a\": \"line[-1]\", \"b\": \"j\"}], \"shape\": {\"kind\": \"plane\"}}";
    pl_world_def def = def_of();
    pl_scene *scene = NULL;
    pl_world *w = NULL;
    good(pl_scene_parse(text, sizeof text - 1, "stack", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    for (int age = 0; age < 6; age++)
        saved_and_loaded(scene, w, 2, "a thin body below a heavy one");
    pl_world_destroy(w);
    pl_scene_free(scene);
}

// A point of a strand comes back from everywhere, so that a world may go on in which something moved at any speed.
static void a_strand_at_any_speed(void **state)
{
    (void)state;
    static const char text[] = "{\"substeps\": 4, \"hair\": {\"count\": 5, \"points\": 5, \"length\": 0.3},"
                               " \"shape\": {\"kind\": \"sphere\", \"radius\": 0.09}}";
    pl_world_def def = def_of();
    pl_scene *scene = NULL;
    pl_world *w = NULL;
    const float velocity[3] = {0.0f, -1e20f, 0.0f};
    good(pl_scene_parse(text, sizeof text - 1, "strand", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    good(small_world_play(scene, w, 2));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 20, 1, velocity));
    good(small_world_play(scene, w, 1));
    saved_and_loaded(scene, w, 2, "a strand at 1e20 m/s");
    pl_world_destroy(w);
    pl_scene_free(scene);
}

// A frame whose tearing found no memory is saved with what is left of it.
static void unfinished_frames(void **state)
{
    (void)state;
    static const char text[] = "{\"substeps\": 2, \"iterations\": 4, \"bar\": {\"cells\": [5, 2, 2], \"strength\": 5,"
                               " \"pin_start\": true}}";
    faulty f = {0};
    pl_world_def def = def_of(), other = def_of();
    pl_scene *scene = NULL;
    pl_world *w = NULL, *loaded = NULL;
    void *data = NULL;
    size_t size = 0;
    def.allocator = (pl_allocator){faulty_resize, &f};
    good(pl_scene_parse(text, sizeof text - 1, "bar", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    int64_t unfinished = -1;
    for (int i = 0; i < 10 && unfinished < 0; i++)
    {
        f.fail_at = f.calls + 1; // the first allocation of a frame without edits is the guard of its tearing
        if (small_world_play(scene, w, 1) == PL_OK)
            continue;
        if (strstr(pl_error_message(), "tearing"))
            unfinished = pl_world_frame(w);
        else
            good(small_world_play(scene, w, 1));
    }
    f.fail_at = 0;
    assert_true(unfinished > 0);
    good(pl_world_save_memory(w, &data, &size));
    good(pl_world_load_memory(&other, data, size, &loaded));
    good(small_world_play(scene, w, 1));
    good(small_world_play(scene, loaded, 1)); // only completes it
    assert_int_equal(pl_world_frame(loaded), unfinished);
    assert_true(pl_world_tears(loaded).splits > 0);
    assert_true(pl_world_hash(w) == pl_world_hash(loaded));
    good(small_world_play(scene, w, 2));
    good(small_world_play(scene, loaded, 2));
    assert_true(pl_world_hash(w) == pl_world_hash(loaded));
    pl_free(data);
    pl_world_destroy(w);
    pl_world_destroy(loaded);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_of_every_kind),     cmocka_unit_test(tiny_strength),
        cmocka_unit_test(stacks_keep_their_sweeps), cmocka_unit_test(unfinished_frames),
        cmocka_unit_test(a_strand_at_any_speed),    cmocka_unit_test(strange_numbers),
    };
    return cmocka_run_group_tests_name("saved_worlds", tests, NULL, NULL);
}
