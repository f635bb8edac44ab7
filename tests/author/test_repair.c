// Repairs of meshes: every one, with its words; every refusal, with its place; and soups of random triangles.
#include "soup.h"

// ---- repairs -------------------------------------------------------------------------------------------------------

static void merging(void **state)
{
    (void)state;
    soup whole = {0}, s = {0};
    box(&whole, 0, 0, 0, 1);
    mends(&whole, 8.0, (mesh_repairs){0});
    for (int i = 0; i < 36; i++) // each triangle with corners of its own, a little off
    {
        const float *x = whole.x + 3 * whole.t[i];
        vertex(&s, x[0] + 1e-7f * (float)(i % 5), x[1], x[2]);
        s.t[i] = i;
    }
    s.triangles = 12;
    mends(&s, 8.0, (mesh_repairs){.merged = 28});
    vertex(&s, 9, 9, 9); // one that nothing uses
    mends(&s, 8.0, (mesh_repairs){.merged = 28});
    triangle(&s, 0, 4, 0);
    mends(&s, 8.0, (mesh_repairs){.merged = 28, .collapsed = 1});
    // Exactly, when the tolerance is 0: then the box is in pieces.
    mesh_repairs done;
    double volume;
    refused(mend(&s, 0.0, &done, &volume), PL_ERROR_ARGUMENT, "the mesh is open");
    good(mend(&whole, 0.0, &done, &volume));
}

static void doubles(void **state)
{
    (void)state;
    soup s = {0};
    box(&s, 0, 0, 0, 1);
    triangle(&s, s.t[9], s.t[10], s.t[11]);
    triangle(&s, s.t[10], s.t[11], s.t[9]);
    mends(&s, 8.0, (mesh_repairs){.doubled = 2});
    triangle(&s, 0, 7, 3); // back to back: enclose nothing
    triangle(&s, 0, 3, 7);
    mends(&s, 8.0, (mesh_repairs){.doubled = 4});
}

// An edge has a vertex on one side only; what closes the gap has no area.
static void slivers(void **state)
{
    (void)state;
    soup s = {0};
    box(&s, 0, 0, 0, 1);
    // Triangle 0 is 0 2 1: its edge from 2 to 1 is cut in the middle; triangle 1 (1 2 3) keeps it whole.
    int middle = vertex(&s, 0, 0, -1);
    memcpy(s.t, (int32_t[]){0, 2, middle}, 12);
    triangle(&s, 0, middle, 1);
    triangle(&s, middle, 2, 1);
    mends(&s, 8.0, (mesh_repairs){.slivers = 1});
    s.x[3 * middle + 1] = 1e-7f; // not quite on it
    mends(&s, 8.0, (mesh_repairs){.slivers = 1});
}

static void turning(void **state)
{
    (void)state;
    soup s = {0};
    box(&s, 0, 0, 0, 1);
    for (int t = 0; t < 12; t++)
        turn(&s, t);
    mends(&s, 8.0, (mesh_repairs){.shells = 1});
    for (int t = 0; t < 12; t++)
        turn(&s, t);
    const int few[3] = {0, 5, 11};
    for (int i = 0; i < 3; i++)
        turn(&s, few[i]);
    mends(&s, 8.0, (mesh_repairs){.flipped = 3});

    // Side by side, one of them inside out.
    soup two = {0};
    box(&two, 0, 0, 0, 1);
    box(&two, 3, 0, 0, 1);
    for (int t = 12; t < 24; t++)
        turn(&two, t);
    mends(&two, 16.0, (mesh_repairs){.shells = 1});

    // A cavity, and a solid in it. As they should be, then all turned about.
    soup nested = {0};
    box(&nested, 0, 0, 0, 2);
    box(&nested, 0.1f, 0.2f, 0.3f, 1);
    box(&nested, 0.1f, 0.2f, 0.3f, 0.5f);
    mends(&nested, 64.0 - 8.0 + 1.0, (mesh_repairs){.shells = 1});
    for (int t = 12; t < 24; t++)
        turn(&nested, t);
    mends(&nested, 57.0, (mesh_repairs){0});
    for (int t = 0; t < 36; t++)
        turn(&nested, t);
    mends(&nested, 57.0, (mesh_repairs){.shells = 3});
}

static void everything_at_once(void **state)
{
    (void)state;
    soup whole = {0}, s = {0};
    box(&whole, 0, 0, 0, 1);
    for (int i = 0; i < 36; i++)
    {
        const float *x = whole.x + 3 * whole.t[i];
        vertex(&s, x[0], x[1], x[2]);
        s.t[i] = i;
    }
    s.triangles = 12;
    turn(&s, 3);
    triangle(&s, 6, 7, 8);
    triangle(&s, 0, 0, 1);
    mends(&s, 8.0, (mesh_repairs){.merged = 28, .collapsed = 1, .doubled = 1, .flipped = 1});
}

// ---- words ---------------------------------------------------------------------------------------------------------

typedef struct told
{
    int lines;
    char text[2000];
} told;

static void listen_to(void *user, pl_log_level level, const char *text)
{
    told *t = user;
    assert_int_equal(level, PL_LOG_WARNING);
    t->lines++;
    strcat(t->text, text);
    strcat(t->text, "\n");
}

static void words(void **state)
{
    (void)state;
    soup s = {0};
    box(&s, 0, 0, 0, 1);
    pl_mesh mesh = {s.vertices, s.triangles, s.x, s.t}, out;
    told t = {0};
    const pl_log log = {listen_to, &t};
    good(pl_mesh_repair(&mesh, -1.0f, &log, &out));
    assert_int_equal(t.lines, 0); // nothing to do, nothing to tell
    assert_memory_equal(out.triangles, s.t, sizeof(int32_t) * 36);
    assert_memory_equal(out.vertices, s.x, sizeof(float) * 24);
    pl_mesh_free(&out);

    turn(&s, 4);
    turn(&s, 7);
    vertex(&s, 1, 1, 1);
    s.t[3 * 11 + 1] = 8; // was 7
    triangle(&s, s.t[0], s.t[1], s.t[2]);
    mesh = (pl_mesh){s.vertices, s.triangles, s.x, s.t};
    good(pl_mesh_repair(&mesh, 1e-5f, &log, &out));
    assert_string_equal(t.text, "mesh: 1 vertex was merged with another at the same place, within 1e-05 m\n"
                                "mesh: 1 triangle that lay there twice was removed\n"
                                "mesh: 2 triangles were flipped to match their neighbours\n");
    pl_mesh_free(&out);
    good(pl_mesh_repair(&mesh, 1e-5f, NULL, &out));
    pl_mesh_free(&out);
    refused(pl_mesh_repair(NULL, 0.0f, NULL, &out), PL_ERROR_ARGUMENT, "mesh");
    refused(pl_mesh_repair(&mesh, 0.0f, NULL, NULL), PL_ERROR_ARGUMENT, "out");
}

// ---- refusals ------------------------------------------------------------------------------------------------------

static void refusals(void **state)
{
    (void)state;
    soup s = {0};
    refuses(&s, "soup: the mesh has no triangles");
    box(&s, 0, 0, 0, 1);
    s.triangles = 11;
    refuses(&s, "the mesh is open: the edge from vertex 3 to 5, near (1, 0, 0), belongs to triangle 10 alone");
    // The numbers are the user's, also when triangles before it have gone.
    soup late = {0};
    triangle(&late, 1, 1, 2);
    box(&late, 0, 0, 0, 1);
    late.triangles = 12;
    refuses(&late, "belongs to triangle 11 alone");
    s.triangles = 12;
    int fin = vertex(&s, 3, 0, 0);
    triangle(&s, 1, 3, fin);
    refuses(&s, "the edge from vertex 1 to 3, near (1, 0, -1), belongs to 3 triangles");
    s.triangles = 12;
    s.t[4] = 77;
    refuses(&s, "triangle 1 names vertex 77; there are 9");
    s.t[4] = 2;
    s.x[4] = NAN;
    refuses(&s, "vertex 1 has the y coordinate nan");
    s.x[4] = -1.0f;

    mesh_repairs done;
    double volume;
    refused(mend(&s, NAN, &done, &volume), PL_ERROR_ARGUMENT, "the tolerance is nan m");
    refused(mend(&s, 1.0, &done, &volume), PL_ERROR_ARGUMENT, "the tolerance is 1 m, the mesh is 3.46");

    soup line = {0}; // a tetrahedron whose corners lie on a line
    for (int i = 0; i < 4; i++)
        vertex(&line, (float)i, (float)i, 0);
    triangle(&line, 0, 2, 1);
    triangle(&line, 0, 1, 3);
    triangle(&line, 1, 2, 3);
    triangle(&line, 2, 0, 3);
    refuses(&line, "is a sliver that flipping edges cannot remove; remesh that place");

    soup nothing = {0};
    box(&nothing, 0, 0, 0, 1);
    nothing.triangles = 1;
    triangle(&nothing, nothing.t[1], nothing.t[0], nothing.t[2]);
    refuses(&nothing, "no triangle has an area");
    soup dots = {0};
    vertex(&dots, 0, 0, 0);
    vertex(&dots, 1, 0, 0);
    triangle(&dots, 0, 1, 1);
    refuses(&dots, "no triangle has an area");
}

// The projective plane out of six vertices: every edge has two triangles, and yet it has but one side.
static void one_sided(void **state)
{
    (void)state;
    static const int32_t t[30] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 1, 5,
                                  1, 2, 4, 2, 3, 5, 3, 4, 1, 4, 5, 2, 5, 1, 3};
    soup s = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 6; i++)
        vertex(&s, dice(&seed), dice(&seed), dice(&seed));
    for (int i = 0; i < 10; i++)
        triangle(&s, t[3 * i], t[3 * i + 1], t[3 * i + 2]);
    refuses(&s, "the mesh is one-sided: triangles");
}

// ---- soups ---------------------------------------------------------------------------------------------------------

// Whatever comes in: a clean refusal, or a solid that can be filled.
static void random_soups(void **state)
{
    (void)state;
    uint64_t seed = 21;
    int mended = 0;
    for (int sample = 0; sample < 6000; sample++)
    {
        soup s = {0};
        int kind = sample % 6;
        if (kind < 5)
            box(&s, 0, 0, 0, 1);
        if (kind == 4)
            box(&s, 1.5f * dice(&seed), 0, 0, 0.6f + 0.4f * dice(&seed));
        for (int i = 0; kind == 5 && i < 6; i++)
            vertex(&s, dice(&seed), dice(&seed), dice(&seed));
        int hits = 1 + (int)(3.0f + 3.0f * dice(&seed));
        for (int i = 0; i < hits; i++)
        {
            int v = (int)((dice(&seed) + 1.0f) * 0.5f * (float)s.vertices);
            int t = s.triangles ? (int)((dice(&seed) + 1.0f) * 0.5f * 3.0f * (float)s.triangles) : 0;
            int what = kind == 5 ? 1 : (int)((dice(&seed) + 1.0f) * 3.0f);
            if (what == 0 && s.triangles)
                turn(&s, t / 3);
            else if (what == 1)
                triangle(&s, v, (v + 1) % s.vertices, (v + hits) % s.vertices);
            else if (what == 2)
                s.x[3 * v + t % 3] += 0.3f * dice(&seed);
            else if (what == 3 && kind == 1)
                s.t[t] = v - (sample % 50 == 1);
            else if (what == 4)
                triangle(&s, s.t[t / 3 * 3], s.t[t / 3 * 3 + 1], s.t[t / 3 * 3 + 2]);
            else if (what == 5 && sample % 30 == 2)
                s.x[3 * v] = sample % 60 == 2 ? NAN : 1e30f;
        }
        memory m = open_memory();
        mesh_view view_of_it = view(&s);
        mesh_repairs done;
        pl_mesh out;
        if (mesh_repair(&m, &view_of_it, -1.0, &out, &done) == PL_OK)
        {
            mesh_view fresh = view_of(&out, "mended");
            pl_tets t = {0};
            good(mesh_check(&m, &fresh, 1));
            if (sample % 20 < 2 && tetrahedralise(&m, &fresh, 0.3, &t) == PL_OK)
                assert_int_equal(tets_measure_all(&t).inverted, 0);
            tets_drop(&m, &t);
            mended++;
        }
        mesh_drop(&m, &out);
        assert_int_equal(m.bytes, 0);
    }
    assert_true(mended > 500);
}

static pl_result mend_a_box(memory *m)
{
    soup s = {0};
    box(&s, 0, 0, 0, 1);
    turn(&s, 2);
    triangle(&s, 0, 2, 1);
    mesh_view v = view(&s);
    mesh_repairs done;
    pl_mesh out;
    pl_result result = mesh_repair(m, &v, -1.0, &out, &done);
    mesh_drop(m, &out);
    return result;
}

static void out_of_memory(void **state)
{
    (void)state;
    fails_cleanly(mend_a_box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging),       cmocka_unit_test(doubles),   cmocka_unit_test(slivers),
        cmocka_unit_test(turning),       cmocka_unit_test(words),     cmocka_unit_test(everything_at_once),
        cmocka_unit_test(refusals),      cmocka_unit_test(one_sided), cmocka_unit_test(random_soups),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
