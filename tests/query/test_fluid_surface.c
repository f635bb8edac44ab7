// The surface of a fluid: a closed mesh with the volume and the area of what it is around, the same on any threads.
// long: too
#include "support/faulty.h"
#include "support/long.h"

#include <stdio.h>
#include <string.h>

#define SPACING 0.02

static pl_world *water_world(int threads, int lanes)
{
    pl_world_def d = pl_default_world_def();
    pl_world *w = NULL;
    d.threads = threads, d.lanes = lanes;
    good(pl_world_create(&d, &w));
    pl_settings set = pl_world_settings(w);
    set.substeps = 10, set.iterations = 2;
    good(pl_world_set_settings(w, &set));
    return w;
}

// The shortest turn from y to the normal; it is not downwards.
static void add_plane(pl_world *w, pl_vec3 at, double x, double y, double z)
{
    pl_shape_def d = pl_default_shape_def();
    double size = sqrt(x * x + z * z + (1.0 + y) * (1.0 + y));
    d.kind = PL_SHAPE_PLANE;
    d.position = at;
    d.rotation = (pl_quat){(float)(z / size), 0.0f, (float)(-x / size), (float)((1.0 + y) / size)};
    good(pl_add_shape(w, &d, NULL));
}

// ---- what is measured ----------------------------------------------------------------------------------------------

typedef struct side
{
    int32_t low, high, up; // its ends; up: the triangle runs from the lower to the higher
} side;

static int by_ends(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return p->high != q->high ? (p->high < q->high ? -1 : 1) : p->up - q->up;
}

// Every edge has two triangles, which run through it in opposite directions.
static void is_closed(const int32_t *triangle, int triangles)
{
    int count = 3 * triangles;
    side *s = malloc(((size_t)count + 1) * sizeof *s);
    for (int i = 0; i < count; i++)
    {
        int32_t a = triangle[i], b = triangle[3 * (i / 3) + (i + 1) % 3];
        s[i] = (side){a < b ? a : b, a < b ? b : a, a < b};
    }
    qsort(s, (size_t)count, sizeof *s, by_ends);
    assert_int_equal(count % 2, 0);
    for (int i = 0; i < count; i += 2)
    {
        assert_true(s[i].low == s[i + 1].low && s[i].high == s[i + 1].high && s[i].up == 0 && s[i + 1].up == 1);
        assert_true(i + 2 >= count || s[i].low != s[i + 2].low || s[i].high != s[i + 2].high);
    }
    free(s);
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static int components(const pl_fluid_surface *s)
{
    int *parent = malloc(((size_t)s->vertex_count + 1) * sizeof *parent), found = 0;
    for (int i = 0; i < s->vertex_count; i++)
        parent[i] = i;
    for (int i = 0; i < 3 * s->triangle_count; i++)
        parent[root_of(parent, s->triangles[i])] = root_of(parent, s->triangles[i - i % 3]);
    for (int i = 0; i < s->vertex_count; i++)
        found += parent[i] == i;
    free(parent);
    return found;
}

// Each vertex is a corner, no triangle is flat, normals look out.
static void is_sound(const pl_fluid_surface *s)
{
    is_closed(s->triangles, s->triangle_count);
    for (int i = 0; i < s->triangle_count; i++)
    {
        const int32_t *t = s->triangles + 3 * (size_t)i;
        const float *a = s->vertices + 3 * (size_t)t[0], *b = s->vertices + 3 * (size_t)t[1],
                    *c = s->vertices + 3 * (size_t)t[2], *n = s->normals + 3 * (size_t)t[0];
        double u[3], v[3], cross[3], square = 0.0;
        for (int k = 0; k < 3; k++)
            u[k] = (double)b[k] - (double)a[k], v[k] = (double)c[k] - (double)a[k];
        for (int k = 0; k < 3; k++)
        {
            cross[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            square += cross[k] * cross[k];
        }
        assert_true(square > 0.0);
        near_to("unit", (double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1.0, 1e-5);
    }
}

static pl_fluid_surface surface_of(const pl_world *w)
{
    pl_fluid_surface_def def = pl_default_fluid_surface_def();
    pl_fluid_surface s;
    good(pl_make_fluid_surface(w, &def, &s));
    return s;
}

static pl_id add_ball(pl_world *w, double radius, pl_vec3 origin)
{
    pl_fluid_def d = pl_default_fluid_def();
    float side = (float)(2.0 * radius * SPACING);
    pl_id id;
    d.form = PL_FLUID_BALL;
    d.size = (pl_vec3){side, side, side};
    d.origin = origin;
    d.velocity = (pl_vec3){1.0f, 2.0f, 3.0f};
    good(pl_add_fluid(w, &d, &id));
    return id;
}

// ---- balls, drops and tanks ----------------------------------------------------------------------------------------

// radius: in spacings; at: where, m.
static void ball_is_right(double radius, float at)
{
    pl_world *w = water_world(1, 0);
    add_ball(w, radius, (pl_vec3){at, at, -at});
    pl_fluid_surface s = surface_of(w);
    double volume = pl_particle_count(w) * SPACING * SPACING * SPACING, r = cbrt(0.75 * volume / M_PI);
    printf("ball of %g spacings at %g m: volume %+.2f %%, area %+.2f %%, %d triangles\n", radius, (double)at,
           100.0 * (s.volume / volume - 1.0), 100.0 * (s.area / (4.0 * M_PI * r * r) - 1.0), s.triangle_count);
    near_to("volume", s.volume / volume, 1.0, 0.05);
    near_to("area", s.area / (4.0 * M_PI * r * r), 1.0, 0.05);
    is_sound(&s);
    assert_int_equal(s.vertex_count - s.triangle_count / 2, 2); // Euler: V - E + F, with E = 3 F/2
    assert_int_equal(components(&s), 1);
    for (int i = 0; i < s.vertex_count; i++)
    {
        near_to("velocity", (double)s.velocities[3 * i + 2], 3.0, 1e-5);
        assert_true(s.particles[i] >= 0 && s.particles[i] < pl_particle_count(w));
    }
    pl_free_fluid_surface(&s);
    pl_world_destroy(w);
}

static void balls_have_their_volume(void **state)
{
    (void)state;
    ball_is_right(3.0, 0.0f);
    ball_is_right(6.0, 0.0f);
    ball_is_right(6.0, 64.0f);
    ball_is_right(is_long() ? 16.0 : 10.0, 0.0f);
}

static void every_option_gives_a_closed_mesh(void **state)
{
    (void)state;
    for (int i = 0; i < 27; i++)
    {
        pl_world *w = water_world(1, 0);
        pl_id id = add_ball(w, 4.0, (pl_vec3){0.0f, 0.0f, 0.0f});
        pl_fluid_surface_def def = pl_default_fluid_surface_def();
        def.object = id;
        def.cell = (float[]){0.2f, 0.7f, 2.0f}[i % 3];
        def.anisotropy = 0.5f * (float)(i / 3 % 3);
        def.smoothing = 0.5f * (float)(i / 9);
        pl_fluid_surface s;
        good(pl_make_fluid_surface(w, &def, &s));
        is_sound(&s);
        double volume = pl_particle_count(w) * SPACING * SPACING * SPACING;
        near_to("volume", s.volume / volume, 1.0, i % 3 == 2 ? 0.25 : 0.08);
        pl_free_fluid_surface(&s);
        pl_world_destroy(w);
    }
}

static void drops_are_apart(void **state)
{
    (void)state;
    pl_world *w = water_world(1, 0);
    pl_fluid_surface s = surface_of(w); // no fluid
    assert_true(s.vertex_count == 0 && s.triangle_count == 0 && !s.vertices && s.volume == 0.0);
    pl_free_fluid_surface(&s);
    pl_id first = add_ball(w, 0.5, (pl_vec3){0.0f, 0.0f, 0.0f}); // one particle
    assert_int_equal(pl_particle_count(w), 1);
    s = surface_of(w);
    is_sound(&s);
    printf("one particle: %.2f of its volume\n", s.volume / (SPACING * SPACING * SPACING));
    near_to("one", s.volume / (SPACING * SPACING * SPACING), 1.0, 0.4);
    assert_int_equal(s.vertex_count - s.triangle_count / 2, 2);
    pl_free_fluid_surface(&s);
    add_ball(w, 3.0, (pl_vec3){0.3f, 0.0f, 0.0f});
    add_ball(w, 3.0, (pl_vec3){900.0f, 5.0f, -400.0f}); // memory does not depend on the distance
    s = surface_of(w);
    is_sound(&s);
    assert_int_equal(components(&s), 3);
    pl_free_fluid_surface(&s);
    pl_fluid_surface_def def = pl_default_fluid_surface_def();
    def.object = first;
    good(pl_make_fluid_surface(w, &def, &s));
    assert_int_equal(components(&s), 1);
    pl_free_fluid_surface(&s);
    pl_free_fluid_surface(NULL);
    pl_world_destroy(w);
}

// A cube of 20 spacings around a void of 6: where fluid is deep inside, no value is needed, but the void is found.
static void a_void_has_a_surface(void **state)
{
    (void)state;
    const int side = 20;
    float *x = malloc(3 * 8000 * sizeof *x);
    int count = 0;
    for (int i = 0; i < side * side * side; i++)
    {
        int at[3] = {i % side, i / side % side, i / (side * side)};
        bool inside = at[0] >= 7 && at[0] < 13 && at[1] >= 7 && at[1] < 13 && at[2] >= 7 && at[2] < 13;
        for (int c = 0; c < 3 && !inside; c++)
            x[3 * count + c] = (float)(((double)at[c] + 0.5) * SPACING);
        count += !inside;
    }
    pl_world *w = water_world(2, 0);
    pl_fluid_def d = pl_default_fluid_def();
    d.position = x;
    d.count = count;
    good(pl_add_fluid(w, &d, NULL));
    free(x);
    pl_fluid_surface s = surface_of(w);
    is_sound(&s);
    assert_int_equal(components(&s), 2);
    near_to("volume", s.volume / (count * SPACING * SPACING * SPACING), 1.0, 0.03);
    pl_free_fluid_surface(&s);
    pl_world_destroy(w);
}

// A tank of 10 x 8 x 10 spacings after some frames; off: where its least corner is, m.
static pl_world *tank(int threads, int lanes, float off, int frames)
{
    pl_world *w = water_world(threads, lanes);
    const float side = (float)(10.0 * SPACING);
    pl_fluid_def d = pl_default_fluid_def();
    d.origin = (pl_vec3){off, off, off};
    d.size = (pl_vec3){side, (float)(8.0 * SPACING), side};
    good(pl_add_fluid(w, &d, NULL));
    add_plane(w, d.origin, 0.0f, 1.0f, 0.0f);
    add_plane(w, d.origin, 1.0f, 0.0f, 0.0f);
    add_plane(w, d.origin, 0.0f, 0.0f, 1.0f);
    add_plane(w, (pl_vec3){off + side, off, off + side}, -1.0f, 0.0f, 0.0f);
    add_plane(w, (pl_vec3){off + side, off, off + side}, 0.0f, 0.0f, -1.0f);
    for (int i = 0; i < frames; i++)
        good(pl_world_step(w, 1.0f / 60.0f));
    return w;
}

static void a_still_tank_is_flat(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++)
    {
        double off = far ? 64.0 : 0.0, sum = 0.0, low = 1e9, high = -1e9;
        pl_world *w = tank(1, 0, (float)off, 240);
        pl_fluid_surface s = surface_of(w);
        int count = 0;
        is_sound(&s);
        assert_int_equal(components(&s), 1);
        for (int i = 0; i < s.vertex_count; i++)
        {
            const float *x = s.vertices + 3 * (size_t)i;
            double u = ((double)x[0] - off) / SPACING, v = ((double)x[2] - off) / SPACING, y = (double)x[1] - off;
            if (u < 2.5 || u > 7.5 || v < 2.5 || v > 7.5 || y < 4.0 * SPACING) // away from the edges
                continue;
            sum += y, count++;
            low = y < low ? y : low, high = y > high ? y : high;
        }
        printf("tank at %g m: top at %.3f spacings, from %+.3f to %+.3f; volume %+.2f %%\n", off, sum / count / SPACING,
               (low - sum / count) / SPACING, (high - sum / count) / SPACING,
               100.0 * (s.volume / (800 * SPACING * SPACING * SPACING) - 1.0));
        near_to("height", sum / count / SPACING, 8.0, 0.25);
        assert_true(low - sum / count > -0.1 * SPACING && high - sum / count < 0.1 * SPACING);
        near_to("volume", s.volume / (800 * SPACING * SPACING * SPACING), 1.0, 0.05);
        pl_free_fluid_surface(&s);
        pl_world_destroy(w);
    }
}

// ---- bits, memory, mistakes ----------------------------------------------------------------------------------------

static void same_arrays(const pl_fluid_surface *a, const pl_fluid_surface *b)
{
    size_t v = (size_t)a->vertex_count * sizeof(float), t = 3 * (size_t)a->triangle_count * sizeof(int32_t);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->vertices, b->vertices, 3 * v);
    assert_memory_equal(a->normals, b->normals, 3 * v);
    assert_memory_equal(a->velocities, b->velocities, 3 * v);
    assert_memory_equal(a->particles, b->particles, v);
    assert_memory_equal(a->triangles, b->triangles, t);
    assert_true(a->volume == b->volume && a->area == b->area);
}

static void threads_and_lanes_change_no_bit(void **state)
{
    (void)state;
    pl_world *one = tank(1, 1, 0.0f, 10), *two = tank(2, 0, 0.0f, 10);
    uint64_t before = pl_world_hash(one);
    pl_fluid_surface a = surface_of(one), b = surface_of(two);
    same_arrays(&a, &b);
    assert_int_equal(pl_world_hash(one), before);
    pl_free_fluid_surface(&a);
    pl_free_fluid_surface(&b);
    pl_world_destroy(one);
    pl_world_destroy(two);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    faulty f = {0};
    pl_world_def d = pl_default_world_def();
    pl_world *w = NULL;
    d.threads = 1;
    d.allocator = (pl_allocator){faulty_resize, &f};
    good(pl_world_create(&d, &w));
    add_ball(w, 3.0, (pl_vec3){0.0f, 0.0f, 0.0f});
    int64_t blocks = f.blocks, bytes = f.bytes;
    pl_fluid_surface s = surface_of(w);
    int64_t used = f.calls;
    pl_free_fluid_surface(&s);
    assert_true(f.blocks == blocks && f.bytes == bytes);
    f.calls = 0;
    s = surface_of(w);
    used = f.calls;
    pl_free_fluid_surface(&s);
    for (int64_t i = 1; i <= used; i++)
    {
        pl_fluid_surface_def def = pl_default_fluid_surface_def();
        f.calls = 0, f.fail_at = i;
        refused(pl_make_fluid_surface(w, &def, &s), PL_ERROR_MEMORY, "memory");
        assert_true(s.vertex_count == 0 && !s.vertices && f.blocks == blocks && f.bytes == bytes);
    }
    f.fail_at = 0;
    pl_world_destroy(w);
}

// The particles of a body are wrapped like those of a fluid: a block of spheres fills the cubes around them.
static void solids_are_wrapped(void **state)
{
    (void)state;
    pl_world *w = water_world(1, 0);
    pl_mesh_def form = pl_default_mesh_def();
    pl_body_def body = pl_default_body_def();
    pl_fluid_surface_def def = pl_default_fluid_surface_def();
    pl_fluid_surface s;
    pl_mesh mesh;
    form.shape = "box";
    good(pl_mesh_make(&form, &mesh));
    body.mesh = &mesh;
    body.kind = PL_BODY_RIGID;
    body.spacing = 0.1f;
    body.position = (pl_vec3){3.0f, 2.0f, 1.0f};
    pl_id id;
    good(pl_add_body(w, &body, &id));
    pl_mesh_free(&mesh);
    def.object = id;
    refused(pl_make_fluid_surface(w, &def, &s), PL_ERROR_ARGUMENT, "or set solid");
    def.solid = true;
    good(pl_make_fluid_surface(w, &def, &s));
    near_to("the volume", s.volume, 1.0, 0.06);
    double middle[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < s.vertex_count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += (double)s.vertices[3 * i + k] / s.vertex_count;
    near_to("x", middle[0], 3.0, 0.01), near_to("y", middle[1], 2.0, 0.01), near_to("z", middle[2], 1.0, 0.01);
    pl_free_fluid_surface(&s);
    def.object = (pl_id){0, 0};
    refused(pl_make_fluid_surface(w, &def, &s), PL_ERROR_ARGUMENT, "solid without an object");
    pl_world_destroy(w);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    pl_world *w = water_world(1, 0);
    pl_fluid_surface_def def = pl_default_fluid_surface_def(), bad;
    pl_fluid_surface s;
    pl_rope_def rope = pl_default_rope_def();
    pl_id id;
    good(pl_add_rope(w, &rope, &id));
    bad = def, bad.cell = 0.1f;
    refused(pl_make_fluid_surface(w, &bad, &s), PL_ERROR_ARGUMENT, "cell is 0.1; it must be from 0.2 to 2");
    bad = def, bad.anisotropy = NAN, refused(pl_make_fluid_surface(w, &bad, &s), PL_ERROR_ARGUMENT, "anisotropy");
    bad = def, bad.smoothing = 1.5f, refused(pl_make_fluid_surface(w, &bad, &s), PL_ERROR_ARGUMENT, "smoothing is 1.5");
    bad = def, bad.object = id, refused(pl_make_fluid_surface(w, &bad, &s), PL_ERROR_ARGUMENT, "not a fluid");
    bad = def, bad.object = (pl_id){77, 1}, refused(pl_make_fluid_surface(w, &bad, &s), PL_ERROR_ARGUMENT, "");
    refused(pl_make_fluid_surface(w, NULL, &s), PL_ERROR_ARGUMENT, "def is NULL");
    refused(pl_make_fluid_surface(w, &def, NULL), PL_ERROR_ARGUMENT, "surface is NULL");
    refused(pl_make_fluid_surface(NULL, &def, &s), PL_ERROR_ARGUMENT, "world is NULL");
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_have_their_volume), cmocka_unit_test(every_option_gives_a_closed_mesh),
        cmocka_unit_test(drops_are_apart),         cmocka_unit_test(a_void_has_a_surface),
        cmocka_unit_test(a_still_tank_is_flat),    cmocka_unit_test(threads_and_lanes_change_no_bit),
        cmocka_unit_test(memory_may_run_out),      cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(solids_are_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
