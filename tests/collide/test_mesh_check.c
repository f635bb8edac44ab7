// test_mesh_check.c: bad meshes are refused, in words that name the shape, the place and the fault; good ones are not. When
// memory runs out, at whatever moment, nothing leaks.
#include "collide.h"
#include "collide/heightfield.h"
#include "collide/hull.h"
#include "collide/sdf.h"

static pl_result try_mesh(const test_mesh *s, int solid)
{
    memory m = open_memory();
    mesh_view v = view(s);
    bvh b;
    pl_result result = bvh_build(&m, &v, solid, &b);
    if (result != PL_OK)
        check(!b.node && !b.corner && m.bytes == 0, "a refused mesh left %zu bytes", m.bytes);
    bvh_free(&m, &b);
    assert_int_equal(m.bytes, 0);
    return result;
}

static void good_meshes(void **state)
{
    (void)state;
    test_mesh all_of_them[] = {box_mesh(1.0f, 1.0f, 1.0f), torus_mesh(1.0, 0.2, 9, 7), sphere_mesh(1e-3, 4, 5),
                               sphere_mesh(1e6, 9, 12), sheet_mesh(1.0f, 0.1f, 3)};
    for (int i = 0; i < 5; i++)
    {
        good(try_mesh(&all_of_them[i], 0));
        if (i < 4)
            good(try_mesh(&all_of_them[i], 1));
        drop_mesh(&all_of_them[i]);
    }
    // A box whose faces have corners of their own, as files have them, is closed all the same.
    test_mesh box = box_mesh(1.0f, 2.0f, 3.0f), split = new_mesh(36, 12);
    for (int t = 0; t < 12; t++)
    {
        for (int i = 0; i < 3; i++)
        {
            vec p = mesh_corner(&box, t, i);
            put_vertex(&split, p.x, p.y, p.z);
        }
        put_triangle(&split, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    good(try_mesh(&split, 1));
    drop_mesh(&box);
    drop_mesh(&split);
}

static void bad_numbers(void **state)
{
    (void)state;
    test_mesh s = box_mesh(1.0f, 1.0f, 1.0f);
    s.x[3 * 5 + 1] = NAN;
    refused(try_mesh(&s, 0), "shape 'test': vertex 5 has the y coordinate nan");
    s.x[3 * 5 + 1] = -INFINITY;
    refused(try_mesh(&s, 0), "vertex 5 has the y coordinate -inf");
    s.x[3 * 5 + 1] = 1e12f;
    refused(try_mesh(&s, 0), "keep within 1e+09 m");
    s.x[3 * 5 + 1] = -1.0f;
    s.triangle[7] = 8;
    refused(try_mesh(&s, 0), "triangle 2 names vertex 8; there are 8, counted from 0");
    s.triangle[7] = -1;
    refused(try_mesh(&s, 0), "triangle 2 names vertex -1");
    s.triangle[7] = s.triangle[6];
    refused(try_mesh(&s, 0), "triangle 2 (vertices 4, 4, 6) has no area");
    s.triangles = 0;
    refused(try_mesh(&s, 0), "the mesh has no triangles");
    drop_mesh(&s);

    test_mesh line = new_mesh(3, 1); // collinear but for rounding
    put_vertex(&line, 0.1f, 0.1f, 0.1f);
    put_vertex(&line, 0.3f, 0.3f, 0.3f);
    put_vertex(&line, 0.7f, 0.7f, 0.70000005f);
    put_triangle(&line, 0, 1, 2);
    refused(try_mesh(&line, 0), "triangle 0 (vertices 0, 1, 2) has no area");
    drop_mesh(&line);
}

static void bad_solids(void **state)
{
    (void)state;
    test_mesh s = box_mesh(1.0f, 1.0f, 1.0f);
    s.triangles = 11;
    refused(
        try_mesh(&s, 1),
        "shape 'test': the mesh is open: the edge from vertex 3 to 5, near (1, 0, 0), belongs to triangle 10 alone");
    good(try_mesh(&s, 0));
    s.triangles = 12;
    int32_t swap = s.triangle[33]; // one triangle inside out
    s.triangle[33] = s.triangle[34];
    s.triangle[34] = swap;
    refused(try_mesh(&s, 1), "so one of them is inverted");
    s.triangle[34] = s.triangle[33];
    s.triangle[33] = swap;
    good(try_mesh(&s, 1));
    for (int t = 0; t < 12; t++) // all of them
    {
        swap = s.triangle[3 * t];
        s.triangle[3 * t] = s.triangle[3 * t + 1];
        s.triangle[3 * t + 1] = swap;
    }
    refused(try_mesh(&s, 1), "the mesh is inside out: its volume is -8 m^3");
    drop_mesh(&s);

    test_mesh fins = new_mesh(5, 3); // three triangles on one edge
    put_vertex(&fins, 0.0f, 0.0f, 0.0f);
    put_vertex(&fins, 1.0f, 0.0f, 0.0f);
    for (int i = 0; i < 3; i++)
    {
        put_vertex(&fins, 0.5f, (float)i, 1.0f);
        put_triangle(&fins, 0, 1, 2 + i);
    }
    refused(try_mesh(&fins, 1),
            "the edge from vertex 0 to 1, near (0.5, 0, 0), belongs to 3 triangles; a solid has two");
    drop_mesh(&fins);
    test_mesh sheet = sheet_mesh(1.0f, 0.1f, 3);
    refused(try_mesh(&sheet, 1), "the mesh is open");
    drop_mesh(&sheet);
}

// ---- memory that runs out ------------------------------------------------------------------------------------------

typedef struct miser
{
    int left, blocks;
} miser;

static void *give_few(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    miser *k = user;
    if (new_size == 0)
    {
        k->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (k->left-- <= 0)
        return NULL;
    k->blocks++;
    return malloc(new_size);
}

static pl_result build(memory *m, int what, const test_mesh *s)
{
    mesh_view v = view(s);
    bvh b;
    hull h;
    sdf d;
    heightfield f;
    pl_result result;
    if (what == 0)
    {
        result = bvh_build(m, &v, 1, &b);
        bvh_free(m, &b);
    }
    else if (what == 1)
    {
        result = hull_build(m, "shape 'test'", s->x, s->vertices, &h);
        hull_free(m, &h);
    }
    else if (what == 2)
    {
        sdf_def def = {0.2f, 0.1f, 0};
        result = sdf_build(m, &v, &def, &d);
        sdf_free(m, &d);
    }
    else
    {
        heightfield_def def = {"shape 'test'", s->x, 3, 3, {0.0f, 0.0f}, {1.0f, 1.0f}};
        result = heightfield_build(m, &def, &f);
        heightfield_free(m, &f);
    }
    return result;
}

static void memory_runs_out(void **state)
{
    (void)state;
    test_mesh s = sphere_mesh(1.0, 9, 11);
    for (int what = 0; what < 4; what++)
    {
        pl_result result = PL_ERROR_MEMORY;
        int given = 0;
        for (; result != PL_OK; given++)
        {
            miser k = {given, 0};
            pl_allocator hook = {give_few, &k};
            memory m;
            memory_open(&m, &hook);
            result = build(&m, what, &s);
            check(result == PL_OK || result == PL_ERROR_MEMORY, "%s", pl_error_message());
            check(k.blocks == 0 && m.bytes == 0, "shape %d with %d blocks left %d blocks, %zu bytes", what, given,
                  k.blocks, m.bytes);
        }
        check(what == 3 || given > 5, "only %d blocks", given);
    }
    drop_mesh(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_meshes), cmocka_unit_test(bad_numbers),
                                       cmocka_unit_test(bad_solids), cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
