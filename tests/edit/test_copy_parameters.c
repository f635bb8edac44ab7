// test_copy_parameters.c: a world that takes over another's parameters goes on as if it had had them from then on: changed at the start, it
// runs bit for bit like the other; and what does not fit changes nothing.
#include "support/support.h"

static pl_world *world_of(const char *text, const char *const *sets, int count)
{
    pl_scene *scene;
    pl_world *w;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    good(pl_scene_parse(text, strlen(text), "scene.json", sets, count, &scene));
    good(pl_scene_world(scene, &def, &w));
    pl_scene_free(scene);
    return w;
}

static const char scene_text[] = "{ \"substeps\": 4, \"gravity\": [0, -9.81, 0], \"wind\": { \"velocity\": [2, 0, 1] },"
                                 "  \"cloth\": { \"size\": [8, 8], \"origin\": [0, 1, 0], \"pinned\": \"top\", "
                                 "\"stretch\": { \"compliance\": 0.001 } },"
                                 "  \"grains\": { \"size\": [3, 3, 3], \"origin\": [3, 0.2, 0], \"radius\": 0.05, "
                                 "\"spacing\": 0.13, \"velocity\": [2, 0, 0] },"
                                 "  \"field\": { \"kind\": \"uniform\", \"vector\": [0.1, 0, 0] },"
                                 "  \"shape\": [ { \"kind\": \"plane\" }, { \"kind\": \"sphere\", \"radius\": 0.3, "
                                 "\"position\": [3, 0.1, 0.5] } ] }";

static void steps(pl_world *w, int count)
{
    for (int i = 0; i < count; i++)
        good(pl_world_step(w, 1.0f / 60.0f));
}

static void goes_on_like_the_other(void **state)
{
    (void)state;
    const char *const changes[] = {"gravity=[0,-3,1]",
                                   "substeps=7",
                                   "wind.velocity=[0,0,-4]",
                                   "cloth[0].stretch.compliance=0.02",
                                   "cloth[0].mass=3",
                                   "cloth[0].drag=2.5",
                                   "grains[0].radius=0.06",
                                   "grains[0].material.kinetic_friction=0.1",
                                   "field[0].vector=[1,2,0]",
                                   "shape[1].velocity=[0,0,-0.5]",
                                   "shape[1].material.restitution=0.5"};
    enum
    {
        COUNT = sizeof changes / sizeof *changes
    };
    uint64_t plain = 0;
    for (int i = -1; i < COUNT; i++)
    {
        pl_world *w = world_of(scene_text, NULL, 0), *o = world_of(scene_text, i < 0 ? NULL : &changes[i], i >= 0);
        bool fits = false;
        good(pl_world_copy_parameters(w, o, &fits));
        if (!fits)
            fail_msg("%s does not fit", i < 0 ? "the same scene" : changes[i]);
        steps(w, 60);
        steps(o, 60);
        if (pl_world_hash(w) != pl_world_hash(o))
            fail_msg("after %s the two differ", i < 0 ? "nothing" : changes[i]);
        if (i >= 0 && pl_world_hash(w) == plain)
            fail_msg("%s changes nothing", changes[i]);
        plain = i < 0 ? pl_world_hash(w) : plain;
        pl_world_destroy(w);
        pl_world_destroy(o);
    }
}

// In the middle of a run nothing jumps, a drag goes on, and the new gravity acts.
static void acts_in_the_middle_of_a_run(void **state)
{
    (void)state;
    const char *const change = "gravity=[0,0,0]";
    pl_world *w = world_of(scene_text, NULL, 0), *o = world_of(scene_text, &change, 1);
    float before[3], after[3], v[3];
    pl_id drag;
    bool fits = false;
    steps(w, 5);
    good(pl_drag_begin(w, 20, 1e-5f, &drag));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 70, 1, before));
    good(pl_world_copy_parameters(w, o, &fits));
    assert_true(fits);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 70, 1, after));
    assert_memory_equal(before, after, sizeof before);
    assert_true(pl_world_settings(w).gravity.y == 0.0f);
    assert_true(pl_world_time(w) > 0.0);
    good(pl_drag_move(w, drag, (pl_vec3){0.5f, 1.0f, 0.2f}));
    steps(w, 1);
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 70, 1, v));
    good(pl_drag_end(w, drag));
    steps(w, 1);
    pl_world_destroy(w);
    pl_world_destroy(o);
}

static void what_does_not_fit_changes_nothing(void **state)
{
    (void)state;
    const char *const changes[] = {"cloth[0].size=[9,8]", "cloth[0].bending=dihedral", "grains[0].size=[3,3,2]",
                                   "shape[1].radius=0.2", "shape[1].position=[3,0.2,0.5]"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    {
        pl_world *w = world_of(scene_text, NULL, 0), *o = world_of(scene_text, &changes[i], 1);
        uint64_t hash;
        bool fits = true;
        steps(w, 3);
        hash = pl_world_hash(w);
        good(pl_world_copy_parameters(w, o, &fits));
        if (fits)
            fail_msg("%s fits", changes[i]);
        assert_true(pl_world_hash(w) == hash);
        pl_world_destroy(w);
        pl_world_destroy(o);
    }
}

// ---- the fields of a scene -----------------------------------------------------------------------------------------

static const pl_scene_field *find(const pl_scene_field *all, int count, const char *path)
{
    for (int i = 0; i < count; i++)
        if (strcmp(all[i].path, path) == 0)
            return &all[i];
    fail_msg("no field %s", path);
    return NULL;
}

// Every field that is listed can be set to its own value, and changes nothing by that.
static void every_field_of_every_scene_can_be_set(void **state)
{
    (void)state;
    for (int n = 0; pl_builtin_scene_name(n); n++)
    {
        size_t length;
        const char *name = pl_builtin_scene_name(n), *text = pl_builtin_scene(name, &length);
        pl_scene *scene, *again;
        good(pl_scene_parse(text, length, name, NULL, 0, &scene));
        int count = pl_scene_fields(scene, NULL, 0);
        pl_scene_field *all = calloc((size_t)count, sizeof *all), *other = calloc((size_t)count, sizeof *other);
        assert_int_equal(pl_scene_fields(scene, all, count), count);
        char(*text_of)[160] = calloc((size_t)count, sizeof *text_of);
        const char **sets = calloc((size_t)count, sizeof *sets);
        int set_count = 0;
        for (int i = 0; i < count; i++)
        {
            const pl_scene_field *f = &all[i];
            if (!f->given || f->min >= f->max || strncmp(f->path, "script", 6) == 0)
                continue;
            char *set = text_of[set_count];
            if (f->count == 1)
                snprintf(set, sizeof *text_of, "%s=%.9g", f->path, f->value[0]);
            else if (f->count == 2)
                snprintf(set, sizeof *text_of, "%s=[%.9g,%.9g]", f->path, f->value[0], f->value[1]);
            else
                snprintf(set, sizeof *text_of, "%s=[%.9g,%.9g,%.9g]", f->path, f->value[0], f->value[1], f->value[2]);
            sets[set_count++] = set;
        }
        good(pl_scene_parse(text, length, name, sets, set_count, &again)); // at once: some scenes take long to read
        assert_int_equal(pl_scene_fields(again, other, count), count);
        for (int k = 0; k < count; k++)
            assert_memory_equal(all[k].value, other[k].value, sizeof all[k].value);
        pl_scene_free(again);
        free(text_of);
        free(sets);
        free(all);
        free(other);
        pl_scene_free(scene);
    }
}

static void fields_tell_what_a_scene_has(void **state)
{
    (void)state;
    pl_scene *scene;
    pl_scene_field all[400];
    good(pl_scene_parse(scene_text, strlen(scene_text), "scene.json", NULL, 0, &scene));
    int count = pl_scene_fields(scene, all, 400);
    assert_in_range(count, 40, 400);
    const pl_scene_field *f = find(all, count, "substeps");
    assert_true(f->type == PL_VALUE_INT && f->value[0] == 4.0 && f->given && f->min == 1.0);
    f = find(all, count, "gravity");
    assert_true(f->count == 3 && f->value[1] == (double)-9.81f && f->given);
    f = find(all, count, "cloth[0].stretch.compliance");
    assert_true(f->type == PL_VALUE_NUMBER && f->value[0] == (double)0.001f && f->given);
    f = find(all, count, "cloth[0].mass");
    assert_true(!f->given);
    f = find(all, count, "solver");
    assert_true(f->type == PL_VALUE_CHOICE && strcmp(f->choices[(int)f->value[0]], "xpbd") == 0);
    f = find(all, count, "shape[1].radius");
    assert_true(f->value[0] == (double)0.3f);
    for (int i = 0; i < count; i++)
        assert_true(strncmp(all[i].path, "expect", 6) != 0);
    pl_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_like_the_other),
        cmocka_unit_test(acts_in_the_middle_of_a_run),
        cmocka_unit_test(what_does_not_fit_changes_nothing),
        cmocka_unit_test(every_field_of_every_scene_can_be_set),
        cmocka_unit_test(fields_tell_what_a_scene_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
