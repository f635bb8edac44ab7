// test_polyhedron.c: polyhedra for contacts: closed, convex, their faces merged; many points reduced; a box's arrays.
#include "collide.h"
#include "collide/polyhedron.h"

static double size_of(const polyhedron *p)
{
    double s = 0.0;
    for (int i = 0; i < 3 * p->vertices; i++)
        s = fmax(s, fabs((double)p->vertex[i]));
    return s;
}

// Loops lie in their planes, edges in two loops in opposite directions, everything below every plane; Euler.
static void check_polyhedron(const polyhedron *p, double flat)
{
    double size = size_of(p);
    assert_int_equal(p->vertices - p->edges + p->faces, 2);
    assert_int_equal(p->first[p->faces], 2 * p->edges);
    for (int f = 0; f < p->faces; f++)
    {
        vec n = poly_normal(p, f);
        check(fabs((double)square(n) - 1.0) < 1e-6, "face %d: normal of length %g", f, (double)length(n));
        for (int i = 0; i < p->vertices; i++)
            check((double)dot(n, poly_vertex(p, i)) <= (double)p->plane[4 * f + 3] + 1e-6 * size, "above face %d", f);
        for (int i = p->first[f]; i < p->first[f + 1]; i++)
        {
            vec v = poly_vertex(p, p->loop[i]);
            check(fabs((double)dot(n, v) - (double)p->plane[4 * f + 3]) <= (2.0 * flat + 1e-6) * size,
                  "face %d: vertex %d lies %g below", f, p->loop[i], (double)p->plane[4 * f + 3] - (double)dot(n, v));
        }
    }
    for (int e = 0; e < p->edges; e++)
    {
        const uint8_t *d = p->edge + 4 * e;
        check(d[0] < d[1], "edge %d", e);
        for (int side = 0; side < 2; side++)
        {
            int f = d[2 + side], from = d[side], to = d[1 - side], found = 0, begin = p->first[f];
            for (int i = begin; i < p->first[f + 1]; i++)
                found += p->loop[i] == from && p->loop[i + 1 < p->first[f + 1] ? i + 1 : begin] == to;
            check(found == 1, "edge %d: face %d has it %d times", e, f, found);
        }
    }
}

static int draw(float *x, int form)
{
    int count = 4 + one_of(form == 4 ? 600 : 100);
    float scale = (float)pow(10.0, one_of(5) - 2);
    vec a = on_sphere(), b, c;
    float len;
    b = direction(cross(a, on_sphere()), a, &len), c = cross(a, b);
    if (form == 1 || form == 2)
        count = 8;
    for (int i = 0; i < count; i++)
    {
        vec p = form == 4 ? on_sphere() : in_cube(1.0f);
        if (form == 1) // a box that is turned: rounding takes its corners out of their planes
            p = add(times(i & 1 ? 1.0f : -1.0f, a),
                    add(times(i & 2 ? 0.5f : -0.5f, b), times(i & 4 ? 0.01f : -0.01f, c)));
        if (form == 2)
            p = vec_of(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 0.001f : -0.001f);
        if (form == 3) // a tilted lattice: flat faces full of points, edges too
            p = add(times((float)one_of(4), a), add(times((float)one_of(4), b), times((float)one_of(3), c)));
        x[3 * i] = scale * p.x, x[3 * i + 1] = scale * p.y, x[3 * i + 2] = scale * p.z;
    }
    return count;
}

static void polyhedra_of_points(void **state)
{
    (void)state;
    static float x[3 * 2100];
    memory m = open_memory();
    int boxes = 0;
    for (int n = 0; n < 250; n++)
    {
        int form = n % 5, count = draw(x, form);
        if (form == 4 && n > 30)
            continue;
        void *bytes;
        size_t size;
        pl_result result = polyhedron_build(&m, "test", x, count, POLY_VERTICES, &bytes, &size);
        if (result != PL_OK && form == 3)
            continue; // few lattice points may be flat
        good(result);
        polyhedron p = polyhedron_of(bytes);
        const poly_block *b = bytes;
        check_polyhedron(&p, POLY_FLAT);
        if (form == 1 || form == 2)
        {
            check(p.faces == 6 && p.edges == 12 && p.vertices == 8, "form %d: a box of %d faces", form, p.faces);
            boxes++;
        }
        // No given point is farther outside than it says.
        for (int i = 0; i < count; i++)
            for (int f = 0; f < p.faces; f++)
                check((double)dot(poly_normal(&p, f), vec_of(x[3 * i], x[3 * i + 1], x[3 * i + 2])) -
                              p.plane[4 * f + 3] <=
                          (double)b->lost + 2.0 * POLY_FLAT * size_of(&p),
                      "form %d: point %d lies outside", form, i);
        check(b->inner > 0.0f && b->reach >= b->inner, "inner %g, reach %g", (double)b->inner, (double)b->reach);
        polyhedron_free(&m, bytes, size);
    }
    check(boxes == 100, "%d boxes", boxes);
    assert_int_equal(m.bytes, 0);
}

// A sphere of many points keeps few of them, and tells what that costs.
static void reduction(void **state)
{
    (void)state;
    static float x[3 * 1000];
    memory m = open_memory();
    float lost[3];
    for (int i = 0; i < 1000; i++)
    {
        vec p = on_sphere();
        x[3 * i] = p.x, x[3 * i + 1] = p.y, x[3 * i + 2] = p.z;
    }
    const int most_of_them[3] = {4, 32, 128};
    for (int k = 0; k < 3; k++)
    {
        void *bytes;
        size_t size;
        good(polyhedron_build(&m, "test", x, 1000, most_of_them[k], &bytes, &size));
        polyhedron p = polyhedron_of(bytes);
        assert_int_equal(p.vertices, most_of_them[k]);
        check_polyhedron(&p, POLY_FLAT);
        lost[k] = ((poly_block *)bytes)->lost;
        polyhedron_free(&m, bytes, size);
    }
    print_message("a unit sphere with 4, 32, 128 vertices: points up to %g, %g, %g m outside\n", (double)lost[0],
                  (double)lost[1], (double)lost[2]);
    check(lost[1] < 0.2f && lost[2] < 0.05f && lost[2] > 0.0f, "lost %g %g", (double)lost[1], (double)lost[2]);
    void *bytes;
    size_t size;
    refused(polyhedron_build(&m, "test", x, 3, 128, &bytes, &size), "at least 4");
    refused(polyhedron_build(&m, "test", x, 1000, 129, &bytes, &size), "at most 128 vertices");
    check(!bytes, "a refused one left a block");
    assert_int_equal(m.bytes, 0);
}

// The arrays of a box are those that its points give, up to the numbering.
static void boxes(void **state)
{
    (void)state;
    box_arrays arrays;
    polyhedron p = polyhedron_of_box(vec_of(0.5f, 2.0f, 0.01f), &arrays);
    check_polyhedron(&p, 0.0);
    for (int e = 0; e < p.edges; e++)
    {
        vec along = sub(poly_vertex(&p, p.edge[4 * e + 1]), poly_vertex(&p, p.edge[4 * e]));
        vec turn_of = cross(poly_normal(&p, p.edge[4 * e + 2]), poly_normal(&p, p.edge[4 * e + 3]));
        check(dot(along, turn_of) > 0.0f, "edge %d: its faces are exchanged", e);
    }
    float h;
    assert_int_equal(poly_support(&p, vec_of(1.0f, 1.0f, -1.0f), &h), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(polyhedra_of_points), cmocka_unit_test(reduction),
                                       cmocka_unit_test(boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
