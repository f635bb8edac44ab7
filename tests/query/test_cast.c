// Rays and balls against shapes, particles and faces, held against closed forms in double.
//
// A twin that is a little larger is met sooner and one a little smaller later: the answer must lie between the two,
// however much a grazing ray magnifies rounding.
#include "query/rays.h"

static double meets_shape(const pl_shape_def *s, line l, double r)
{
    const double p[3] = {s->position.x, s->position.y, s->position.z};
    for (int k = 0; k < 3; k++)
        l.o[k] -= p[k];
    turn_back(s->rotation, l.o);
    turn_back(s->rotation, l.d);
    double far = l.o[1] - r, half = 0.5 * s->length;
    if (s->kind == PL_SHAPE_PLANE)
        return far <= 0 ? 0 : l.d[1] < 0 ? -far / l.d[1] : NONE;
    if (s->kind == PL_SHAPE_SPHERE)
        return meets_ball(&l, (double[3]){0, 0, 0}, s->radius + r);
    if (s->kind == PL_SHAPE_CAPSULE)
        return meets_stick(&l, (double[3]){0, -half, 0}, (double[3]){0, half, 0}, s->radius + r);
    return meets_round_box(&l, (double[3]){s->half.x, s->half.y, s->half.z}, s->radius + r);
}

static void shapes(void **state)
{
    (void)state;
    int found = 0, missed = 0;
    for (int i = 0; i < 8000; i++)
    {
        pl_world *w = make_world(1, 1);
        pl_shape_def s = pl_default_shape_def();
        s.kind = (pl_shape_kind)(i / 2 % 4);
        s.position = (pl_vec3){0.2f * roll(), 0.2f * roll(), 0.2f * roll()};
        s.rotation = any_turn();
        s.radius = s.kind == PL_SHAPE_BOX && i % 3 ? 0.0f : 0.5f * size();
        s.length = i % 5 ? size() : 0.0f;
        s.half = (pl_vec3){size(), size(), size()};
        pl_id id;
        good(pl_add_shape(w, &s, &id));
        pl_cast_def c = any_cast(i);
        pl_hit h;
        good(pl_cast(w, &c, &h));
        line l = line_of(&c);
        between("a shape", &h, meets_shape(&s, l, c.radius + 1e-5), meets_shape(&s, l, c.radius - 1e-5));
        touches(&c, &h);
        assert_true(!h.found || (h.shape.index == id.index && h.face == -1 && h.particle == -1));
        found += h.found, missed += !h.found;
        pl_world_destroy(w);
    }
    assert_true(found > 2000 && missed > 500);
}

// A sheet stops from both sides, and a hollow ball holds a ray that begins in it.
static void sheets_and_hollows(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_shape_def s = pl_default_shape_def();
    pl_hit h;
    s.kind = PL_SHAPE_PLANE;
    s.two_sided = true;
    s.radius = 0.01f;
    s.position = (pl_vec3){0, -5, 0};
    good(pl_add_shape(w, &s, NULL));
    pl_cast_def c = pl_default_cast_def();
    c.radius = 0.25f;
    good(pl_cast(w, &c, &h));
    near_to("from above", h.distance, 5 - 0.26, 1e-5);
    near_to("normal", h.normal.y, 1, 1e-6);
    c.origin.y = -9;
    c.direction = (pl_vec3){0, 3, 0};
    good(pl_cast(w, &c, &h));
    near_to("from below", h.distance, 4 - 0.26, 1e-5);
    near_to("normal", h.normal.y, -1, 1e-6);
    s = pl_default_shape_def();
    s.kind = PL_SHAPE_SPHERE;
    s.radius = 2;
    s.inside = true;
    pl_id bowl;
    good(pl_add_shape(w, &s, &bowl));
    for (int i = 0; i < 200; i++)
    {
        c = any_cast(i);
        c.origin = (pl_vec3){roll(), roll(), roll()};
        good(pl_cast(w, &c, &h));
        line l = line_of(&c);
        double b = dot3(l.o, l.d), r = 2.0 - c.radius, k = dot3(l.o, l.o) - r * r;
        near_to("out of a hollow", h.distance, k >= 0 ? 0 : -b + sqrt(b * b - k), 2e-5);
        assert_int_equal(h.shape.index, bowl.index);
    }
    pl_world_destroy(w);
}

static void particles(void **state)
{
    (void)state;
    enum
    {
        N = 300
    };
    static float x[3 * N], r[N];
    pl_world *w = make_world(1, 1);
    for (int i = 0; i < 3 * N; i++)
        x[i] = roll();
    for (int i = 0; i < N; i++)
        r[i] = i % 10 ? 0.05f * fabsf(roll()) : 0.0f;
    pl_particles_def def = pl_default_particles_def();
    pl_id object;
    def.count = N;
    def.position = x;
    good(pl_add_particles(w, &def, &object));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, N, r));
    static pl_hit all[N];
    for (int i = 0; i < 500; i++)
    {
        pl_cast_def c = any_cast(i);
        c.radius *= 0.3f;
        c.distance = 1.5f;
        pl_hit h;
        int count, wanted = 0, nearest = -1;
        double best = NONE;
        good(pl_cast(w, &c, &h));
        good(pl_cast_all(w, &c, all, N, &count));
        line l = line_of(&c);
        for (int k = 0; k < N; k++)
        {
            double t = meets_ball(&l, (double[3]){x[3 * k], x[3 * k + 1], x[3 * k + 2]}, r[k] + (double)c.radius);
            if (t > c.distance)
                continue;
            wanted++;
            if (t < best)
                best = t, nearest = k;
        }
        assert_int_equal(count, wanted);
        assert_int_equal(h.found, wanted > 0);
        assert_int_equal(h.particle, nearest);
        if (wanted)
            near_to("distance", h.distance, best, 1e-6);
        for (int k = 0; k < count; k++)
            assert_true(k == 0 || all[k].distance > all[k - 1].distance ||
                        (all[k].distance == all[k - 1].distance && all[k].particle > all[k - 1].particle));
        touches(&c, &h);
        // With less room, the nearest are the same.
        pl_hit few[3];
        good(pl_cast_all(w, &c, few, 3, &count));
        assert_int_equal(count, wanted);
        for (int k = 0; k < 3 && k < count; k++)
            assert_int_equal(few[k].particle, all[k].particle);
        good(pl_cast_all(w, &c, few, 1, &count));
        assert_true(count == wanted && (!count || few[0].particle == h.particle));
        good(pl_cast_all(w, &c, NULL, 0, &count));
        assert_int_equal(count, wanted);
    }
    pl_cast_def c = any_cast(1);
    pl_hit h;
    c.ignore = object;
    good(pl_cast(w, &c, &h));
    assert_false(h.found);
    c.ignore = (pl_id){0, 0};
    c.mask = 0;
    good(pl_cast(w, &c, &h));
    assert_false(h.found);
    pl_world_destroy(w);
}

static void faces(void **state)
{
    (void)state;
    int found = 0, missed = 0;
    for (int i = 0; i < 6000; i++)
    {
        float x[9];
        double c[3][3];
        const int32_t index[3] = {0, 1, 2};
        for (int k = 0; k < 9; k++)
            c[k / 3][k % 3] = x[k] = 0.8f * roll();
        pl_world *w = make_world(1, 1);
        pl_particles_def def = pl_default_particles_def();
        def.count = 3;
        def.position = x;
        good(pl_add_particles(w, &def, NULL));
        pl_faces_def f = pl_default_faces_def();
        f.count = 1;
        f.index = index;
        good(pl_add_faces(w, &f, NULL));
        pl_cast_def cast = any_cast(i);
        cast.targets = PL_CAST_FACES;
        pl_hit h;
        good(pl_cast(w, &cast, &h));
        line l = line_of(&cast);
        double larger = meets_face(&l, c, cast.radius + 1e-5), smaller = meets_face(&l, c, cast.radius - 1e-5);
        between("a face", &h, larger, smaller);
        touches(&cast, &h);
        assert_true(!h.found || (h.face == 0 && h.particle >= 0 && h.shape.index == 0));
        found += h.found, missed += !h.found;
        pl_world_destroy(w);
    }
    assert_true(found > 1000 && missed > 1000);
}

// The nearest of all kinds, and each kind by itself.
static void kinds_and_masks(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 5;
    cloth.origin = (pl_vec3){-0.5f, -2, -0.5f};
    pl_id sheet, ball;
    good(pl_add_cloth(w, &cloth, &sheet));
    int dot = add_one(w, 0.01f, -3, 0.02f, 1, NULL);
    const float r = 0.1f;
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, dot, 1, &r));
    pl_shape_def s = pl_default_shape_def();
    s.kind = PL_SHAPE_SPHERE;
    s.radius = 0.5f;
    s.position = (pl_vec3){0, -5, 0};
    s.mask = 2;
    good(pl_add_shape(w, &s, &ball));
    pl_cast_def c = pl_default_cast_def();
    c.origin = (pl_vec3){0.03f, 0, 0.01f};
    pl_hit h[4];
    int count;
    good(pl_cast_all(w, &c, h, 4, &count));
    assert_int_equal(count, 3);
    assert_true(h[0].face >= 0 && h[1].particle == dot && h[1].face == -1 && h[2].shape.index == ball.index);
    near_to("the cloth", h[0].distance, 2, 1e-6);
    near_to("the cloth's normal, towards the ray", h[0].normal.y, 1, 1e-6);
    c.ignore = sheet;
    good(pl_cast(w, &c, &h[0]));
    assert_int_equal(h[0].particle, dot);
    c.mask = 2;
    pl_phase phase = pl_default_phase();
    phase.mask = 5;
    good(pl_set_phase(w, dot, 1, &phase));
    good(pl_cast(w, &c, &h[0]));
    assert_int_equal(h[0].shape.index, ball.index);
    c.ignore = ball;
    c.targets = PL_CAST_SHAPES;
    good(pl_cast(w, &c, &h[0]));
    assert_false(h[0].found);
    c.ignore = (pl_id){0, 0};
    c.distance = 4.49f;
    good(pl_cast(w, &c, &h[0]));
    assert_false(h[0].found);

    c = pl_default_cast_def();
    pl_hit before = h[0];
    const pl_result no = PL_ERROR_ARGUMENT;
    c.direction.y = 0;
    refused(pl_cast(w, &c, h), no, "the direction not 0");
    c = pl_default_cast_def(), c.distance = INFINITY;
    refused(pl_cast(w, &c, h), no, "distance is inf");
    c = pl_default_cast_def(), c.radius = -1;
    refused(pl_cast(w, &c, h), no, "radius is -1");
    c = pl_default_cast_def(), c.targets = 0;
    refused(pl_cast(w, &c, h), no, "targets is 0");
    c = pl_default_cast_def(), c.mask = 300;
    refused(pl_cast(w, &c, h), no, "mask is 300");
    c = pl_default_cast_def(), c.ignore = (pl_id){99, 1};
    refused(pl_cast(w, &c, h), no, "names nothing");
    c = pl_default_cast_def();
    refused(pl_cast_all(w, &c, NULL, 2, &count), no, "capacity is 2 with out NULL");
    refused(pl_cast(NULL, &c, h), no, "world is NULL");
    assert_memory_equal(&before, h, sizeof before);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes), cmocka_unit_test(sheets_and_hollows), cmocka_unit_test(particles),
        cmocka_unit_test(faces),  cmocka_unit_test(kinds_and_masks),
    };
    return cmocka_run_group_tests_name("cast", tests, NULL, NULL);
}
