// Rays and balls against shapes, particles and faces, held against closed forms in double; regions against brute force.
//
// A twin that is a little larger is met sooner and one a little smaller later: the answer must lie between the two, however
// much a grazing ray magnifies rounding.
#include "support/support.h"

#define NONE 1e30
#define SLACK 2e-5

typedef struct line
{
    double o[3], d[3];
} line;

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double sooner(double a, double b) { return a < b ? a : b; }

// ---- closed forms: when a line first meets a solid, 0 from within, NONE if it does not --------------------------------

static double meets_ball(const line *l, const double *c, double r)
{
    double s[3] = {l->o[0] - c[0], l->o[1] - c[1], l->o[2] - c[2]}, b = dot3(s, l->d), k = dot3(s, s) - r * r;
    if (r <= 0)
        return NONE;
    if (k <= 0)
        return 0;
    return b > 0 || b * b < k ? NONE : -b - sqrt(b * b - k);
}

// Everything within r of the segment a b.
static double meets_stick(const line *l, const double *a, const double *b, double r)
{
    double best = sooner(meets_ball(l, a, r), meets_ball(l, b, r)), u[3], s[3], len;
    for (int k = 0; k < 3; k++)
        u[k] = b[k] - a[k], s[k] = l->o[k] - a[k];
    len = sqrt(dot3(u, u));
    if (len <= 0 || r <= 0)
        return best;
    double ud = dot3(u, l->d) / len, us = dot3(u, s) / len, p[3], q[3];
    for (int k = 0; k < 3; k++)
        p[k] = s[k] - us * u[k] / len, q[k] = l->d[k] - ud * u[k] / len;
    double A = dot3(q, q), B = dot3(p, q), C = dot3(p, p) - r * r;
    if (C <= 0 && us >= 0 && us <= len)
        return 0;
    if (A > 0 && B * B >= A * C)
    {
        double t = (-B - sqrt(B * B - A * C)) / A, along = us + t * ud;
        if (t >= 0 && along >= 0 && along <= len)
            best = sooner(best, t);
    }
    return best;
}

static double meets_box(const line *l, const double *h)
{
    double in = 0, out = NONE;
    for (int k = 0; k < 3; k++)
    {
        if (h[k] <= 0 || (l->d[k] == 0 && fabs(l->o[k]) > h[k]))
            return NONE;
        if (l->d[k] == 0)
            continue;
        double a = (-h[k] - l->o[k]) / l->d[k], b = (h[k] - l->o[k]) / l->d[k];
        in = fmax(in, fmin(a, b));
        out = fmin(out, fmax(a, b));
    }
    return in <= out ? in : NONE;
}

// Everything within r of a box: three boxes and twelve sticks. r < 0: a smaller box.
static double meets_round_box(const line *l, const double *h, double r)
{
    double best = NONE;
    if (r <= 0)
        return meets_box(l, (double[3]){h[0] + r, h[1] + r, h[2] + r});
    for (int k = 0; k < 3; k++)
    {
        double g[3] = {h[0], h[1], h[2]};
        g[k] += r;
        best = sooner(best, meets_box(l, g));
        for (int e = 0; e < 4; e++)
        {
            double a[3], b[3];
            int i = (k + 1) % 3, j = (k + 2) % 3;
            a[k] = -h[k], b[k] = h[k];
            a[i] = b[i] = e & 1 ? h[i] : -h[i];
            a[j] = b[j] = e & 2 ? h[j] : -h[j];
            best = sooner(best, meets_stick(l, a, b, r));
        }
    }
    return best;
}

// Everything within r of a triangle: a prism and three sticks. r <= 0: the triangle, shrunk towards its middle by -r.
static double meets_face(const line *l, double (*c)[3], double r)
{
    double e[3], f[3], n[3], best = NONE, nn, small[3][3], far = 0;
    for (int k = 0; k < 3; k++)
    {
        double middle = (c[0][k] + c[1][k] + c[2][k]) / 3;
        for (int i = 0; i < 3; i++)
            small[i][k] = r < 0 ? c[i][k] + (middle - c[i][k]) * -r * 20 : c[i][k];
    }
    for (int k = 0; k < 3; k++)
        e[k] = small[1][k] - small[0][k], f[k] = small[2][k] - small[0][k];
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    nn = sqrt(dot3(n, n));
    for (int k = 0; k < 3; k++)
        n[k] /= nn, far += n[k] * (l->o[k] - small[0][k]);
    double nd = dot3(n, l->d), up = fmax(r, 0);
    for (int side = -1; side <= 1; side += 2)
    {
        double t = fabs(far) <= up ? 0 : (side * up - far) / nd, p[3], g[3], x[3];
        if (!(t >= 0 && t < NONE))
            continue;
        for (int k = 0; k < 3; k++)
            p[k] = l->o[k] + t * l->d[k];
        int inside = 1;
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
                g[k] = small[(i + 1) % 3][k] - small[i][k], x[k] = p[k] - small[i][k];
            double turn = 0;
            for (int k = 0; k < 3; k++)
                turn += n[k] * (g[(k + 1) % 3] * x[(k + 2) % 3] - g[(k + 2) % 3] * x[(k + 1) % 3]);
            inside &= turn >= 0;
        }
        if (inside)
            best = sooner(best, t);
    }
    for (int i = 0; i < 3 && r > 0; i++)
        best = sooner(best, meets_stick(l, c[i], c[(i + 1) % 3], r));
    return best;
}

// ---- dice ----------------------------------------------------------------------------------------------------------

static uint64_t seed = 11;
static float roll(void) { return dice(&seed); }
static float size(void) { return 0.15f + 0.4f * fabsf(roll()); }

static pl_quat any_turn(void)
{
    float q[4] = {roll(), roll(), roll(), roll() + 0.01f};
    float s = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (pl_quat){q[0] / s, q[1] / s, q[2] / s, q[3] / s};
}

static pl_cast_def any_cast(int i)
{
    pl_cast_def c = pl_default_cast_def();
    c.origin = (pl_vec3){2.0f * roll(), 2.0f * roll(), 2.0f * roll()};
    c.direction = (pl_vec3){0.6f * roll() - c.origin.x, 0.6f * roll() - c.origin.y, 0.6f * roll() - c.origin.z};
    c.radius = i % 2 ? 0.3f * fabsf(roll()) + 0.001f : 0.0f;
    return c;
}

static line line_of(const pl_cast_def *c)
{
    line l = {{c->origin.x, c->origin.y, c->origin.z}, {c->direction.x, c->direction.y, c->direction.z}};
    double s = sqrt(dot3(l.d, l.d));
    for (int k = 0; k < 3; k++)
        l.d[k] /= s;
    return l;
}

static void turn_back(pl_quat q, double *v)
{
    double x = -q.x, y = -q.y, z = -q.z, w = q.w, s = x * x + y * y + z * z + w * w;
    double t[3] = {2 * (y * v[2] - z * v[1]) / s, 2 * (z * v[0] - x * v[2]) / s, 2 * (x * v[1] - y * v[0]) / s};
    double u[3] = {v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
                   v[2] + w * t[2] + x * t[1] - y * t[0]};
    memcpy(v, u, sizeof u);
}

static void between(const char *what, const pl_hit *h, double larger, double smaller)
{
    if (!h->found && smaller >= NONE)
        return;
    if (!h->found || h->distance < larger - SLACK || h->distance > smaller + SLACK)
        fail_msg("%s: found %d at %.9g; between %.9g and %.9g was wanted", what, h->found, h->distance, larger,
                 smaller);
    double n =
        sqrt((double)h->normal.x * h->normal.x + (double)h->normal.y * h->normal.y + (double)h->normal.z * h->normal.z);
    near_to("length of a normal", n, 1.0, 1e-5);
}

// The point lies on what was hit and, seen from the ball's centre, a radius along the normal.
static void touches(const pl_cast_def *c, const pl_hit *h)
{
    line l = line_of(c);
    const float p[3] = {h->point.x, h->point.y, h->point.z}, n[3] = {h->normal.x, h->normal.y, h->normal.z};
    for (int k = 0; h->found && h->distance > 0 && k < 3; k++)
        near_to("the point", l.o[k] + h->distance * l.d[k] - (double)c->radius * n[k], p[k], 1e-5);
}

// ---- tests ---------------------------------------------------------------------------------------------------------

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
    good(pl_set(w, PL_RADIUS, 0, N, r));
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
    good(pl_set(w, PL_RADIUS, dot, 1, &r));
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

static void regions(void **state)
{
    (void)state;
    enum
    {
        N = 400
    };
    static float x[3 * N], r[N];
    pl_world *w = make_world(1, 1);
    for (int i = 0; i < 3 * N; i++)
        x[i] = roll();
    for (int i = 0; i < N; i++)
        r[i] = 0.05f * fabsf(roll());
    pl_particles_def def = pl_default_particles_def();
    def.count = N;
    def.position = x;
    good(pl_add_particles(w, &def, NULL));
    good(pl_set(w, PL_RADIUS, 0, N, r));
    int64_t found = 0;
    for (int i = 0; i < 200; i++)
    {
        pl_region region = pl_default_region();
        region.position = (pl_vec3){roll(), roll(), roll()};
        region.rotation = any_turn();
        region.box = i % 2;
        region.radius = region.box ? 0.1f * (float)(i % 3) : size();
        region.half = (pl_vec3){size(), size(), size()};
        static int32_t out[N];
        int count, at = 0;
        good(pl_overlap(w, &region, out, N, &count));
        for (int n = 0; n < N; n++)
        {
            double d[3] = {(double)x[3 * n] - region.position.x, (double)x[3 * n + 1] - region.position.y,
                           (double)x[3 * n + 2] - region.position.z};
            const float h[3] = {region.half.x, region.half.y, region.half.z};
            turn_back(region.rotation, d);
            for (int k = 0; region.box && k < 3; k++)
                d[k] = fmax(fabs(d[k]) - h[k], 0);
            double gap = sqrt(dot3(d, d)) - region.radius - r[n];
            bool told = at < count && out[at] == n;
            at += told;
            if (fabs(gap) > 1e-6 && told != (gap <= 0))
                fail_msg("particle %d: gap %g, told %d", n, gap, told);
        }
        assert_int_equal(at, count); // rising, and nothing but these
        found += count;
        int again;
        good(pl_overlap(w, &region, out, 2, &again));
        assert_int_equal(again, count);
        region.mask = 0;
        good(pl_overlap(w, &region, NULL, 0, &again));
        assert_int_equal(again, 0);
    }
    assert_true(found > 2000);
    pl_region region = pl_default_region();
    int count = 5;
    region.radius = NAN;
    refused(pl_overlap(w, &region, NULL, 0, &count), PL_ERROR_ARGUMENT, "radius is");
    region = pl_default_region(), region.box = true, region.half.y = 0;
    refused(pl_overlap(w, &region, NULL, 0, &count), PL_ERROR_ARGUMENT, "half is (0.5, 0, 0.5)");
    region = pl_default_region(), region.mask = -1;
    refused(pl_overlap(w, &region, NULL, 0, &count), PL_ERROR_ARGUMENT, "mask is -1");
    assert_int_equal(count, 5);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes), cmocka_unit_test(sheets_and_hollows), cmocka_unit_test(particles),
        cmocka_unit_test(faces),  cmocka_unit_test(kinds_and_masks),    cmocka_unit_test(regions),
    };
    return cmocka_run_group_tests_name("cast", tests, NULL, NULL);
}
