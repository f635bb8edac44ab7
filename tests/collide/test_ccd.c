// test_ccd.c: continuous detection against dense sampling in double. What must hold: nothing that crosses or comes within the
// thickness goes untold; a hit's time is not later than the first touch; a hit is near what it touches.
#include "collide.h"

enum
{
    SAMPLES = 400,
};

typedef struct motion
{
    vec from[4], to[4];
    float thickness, size;
} motion;

static double distance_at(const motion *m, double t, int edges)
{
    dvec x[4], on;
    for (int i = 0; i < 4; i++)
        x[i] = d_mix(d_of(m->from[i]), d_of(m->to[i]), t);
    return edges ? twin_edge_edge(x[0], x[1], x[2], x[3]) : twin_point_triangle(x[0], x[1], x[2], x[3], &on);
}

static motion draw(int form)
{
    motion m;
    float scale = (float)pow(10.0, one_of(9) - 4), speed = (float)pow(10.0, 0.5 * one_of(9) - 2.0) * scale;
    vec common = times(one_of(2) ? 20.0f * scale : 0.0f, in_cube(1.0f));
    for (int i = 0; i < 4; i++)
    {
        m.from[i] = times(scale, in_cube(1.0f));
        m.to[i] = add(m.from[i], times(speed, in_cube(1.0f)));
    }
    if (form == 1) // flat, all in one plane, moving in it
        for (int i = 0; i < 4; i++)
            m.from[i].y = m.to[i].y = 0.0f;
    if (form == 2) // parallel edges, a needle
        m.from[3] = add(m.from[2], sub(m.from[1], m.from[0])), m.to[3] = add(m.to[2], sub(m.to[1], m.to[0]));
    if (form == 3) // only one moves
        for (int i = 1; i < 4; i++)
            m.to[i] = m.from[i];
    if (form == 4) // coincident corners
        m.from[3] = m.from[2], m.to[3] = m.to[2];
    for (int i = 0; i < 4; i++)
    {
        m.to[i] = add(m.to[i], common);
        if (form == 5) // far off
            m.from[i] = add(m.from[i], times(50.0f, common)), m.to[i] = add(m.to[i], times(50.0f, common));
    }
    m.thickness = one_of(3) ? scale * (float)pow(10.0, -1.0 - one_of(4)) : 0.0f;
    m.size = 0.0f;
    for (int i = 1; i < 4; i++)
        m.size = most(m.size, most(reach_of(sub(m.from[i], m.from[0])), reach_of(sub(m.to[i], m.to[0]))));
    return m;
}

typedef struct tally
{
    int hits, excess, last;
    double worst;
} tally;

static void check_motion(const motion *m, const impact *r, int edges, tally *sum)
{
    double slack = (double)CCD_SLACK * ((double)m->size + (double)m->thickness), thick = (double)m->thickness;
    double start = distance_at(m, 0.0, edges), floor_of_it = fmin(start, thick) - 4.0 * slack;
    double first = 2.0, least_seen = start;
    for (int k = 0; k <= SAMPLES; k++)
    {
        double t = (double)k / SAMPLES, d = distance_at(m, t, edges);
        least_seen = fmin(least_seen, d);
        if (first > 1.5 && d < thick - slack && start > thick + 4.0 * slack)
            first = t;
    }
    if (!r->hit)
    {
        check(least_seen >= floor_of_it, "missed: came to %g from %g, thickness %g, slack %g", least_seen, start, thick,
              slack);
        check(r->time == 1.0f, "no hit at time %g", (double)r->time);
        return;
    }
    sum->hits++;
    check((double)r->time <= first + 1e-6, "late: told %g, touches before %g", (double)r->time, first);
    check(r->time >= 0.0f && r->time <= 1.0f, "time %g", (double)r->time);
    check(fabsf(square(r->normal) - 1.0f) < 1e-5f, "a normal of length %g", (double)length(r->normal));
    double over = (distance_at(m, (double)r->time, edges) - thick) / slack;
    sum->worst = fmax(sum->worst, over);
    sum->excess += over > 4.0;
}

static void against_sampling(int edges)
{
    tally sum = {0};
    int count = 40000;
    for (int n = 0; n < count; n++)
    {
        motion m = draw(n % 6);
        impact r = edges ? edge_edge_ccd(m.from, m.to, m.thickness) : vertex_triangle_ccd(m.from, m.to, m.thickness);
        check_motion(&m, &r, edges, &sum);
    }
    print_message("%d of %d hit; %d of them told more than 4 slacks off, at most %.1f slacks\n", sum.hits, count,
                  sum.excess, sum.worst);
    check(sum.hits > count / 20, "only %d hits", sum.hits);
    check(sum.excess <= sum.hits / 2000, "%d of %d hits told from afar", sum.excess, sum.hits);
}

static void vertices(void **state) { (void)state, against_sampling(0); }
static void edges(void **state) { (void)state, against_sampling(1); }

// Built to cross at a known time: through a random point of the triangle, at no thickness, at any speed and scale.
static void crossings(void **state)
{
    (void)state;
    for (int n = 0; n < 40000; n++)
    {
        motion m = draw(n % 4 == 2 ? 0 : n % 4);
        float when = uniform(0.01f, 0.99f), a = uniform(0.0f, 1.0f), b = uniform(0.0f, 1.0f) * (1.0f - a);
        if (n % 5 == 0)
            b = 0.0f; // on an edge
        if (n % 15 == 0)
            a = 1.0f; // in a corner
        dvec x[4];
        for (int i = 0; i < 4; i++)
            x[i] = d_mix(d_of(m.from[i]), d_of(m.to[i]), (double)when);
        dvec q = d_add(x[1], d_add(d_times((double)a, d_sub(x[2], x[1])), d_times((double)b, d_sub(x[3], x[1]))));
        // p starts where it does and flies straight through q at that time.
        dvec end = d_add(d_of(m.from[0]), d_times(1.0 / (double)when, d_sub(q, d_of(m.from[0]))));
        m.to[0] = vec_of((float)end.x, (float)end.y, (float)end.z);
        impact r = vertex_triangle_ccd(m.from, m.to, 0.0f);
        check(r.hit, "crossing %d at %g was missed", n, (double)when);
        check(r.time <= when + 1e-5f, "crossing at %g told at %g", (double)when, (double)r.time);
    }
}

static void edge_crossings(void **state)
{
    (void)state;
    for (int n = 0; n < 40000; n++)
    {
        motion m = draw(n % 4 == 2 ? 0 : n % 4);
        float when = uniform(0.01f, 0.99f), a = uniform(0.0f, 1.0f), b = n % 7 ? uniform(0.0f, 1.0f) : 0.0f;
        dvec p[2], q[2];
        for (int i = 0; i < 2; i++)
        {
            p[i] = d_mix(d_of(m.from[i]), d_of(m.to[i]), (double)when);
            q[i] = d_mix(d_of(m.from[i + 2]), d_of(m.to[i + 2]), (double)when);
        }
        dvec miss = d_times(1.0 / (double)when, d_sub(d_mix(q[0], q[1], (double)b), d_mix(p[0], p[1], (double)a)));
        for (int i = 0; i < 2; i++)
        {
            dvec end = d_add(d_of(m.to[i]), miss);
            m.to[i] = vec_of((float)end.x, (float)end.y, (float)end.z);
        }
        impact r = edge_edge_ccd(m.from, m.to, 0.0f);
        check(r.hit, "crossing %d at %g was missed", n, (double)when);
        check(r.time <= when + 1e-5f, "crossing at %g told at %g", (double)when, (double)r.time);
    }
}

// Touching at the start: moving apart or sliding is no hit, moving in is one at once.
static void starting_in_touch(void **state)
{
    (void)state;
    vec tri[3] = {{-1.0f, 0.0f, -1.0f}, {-1.0f, 0.0f, 1.0f}, {2.0f, 0.0f, 0.0f}};
    for (int n = 0; n < 2000; n++)
    {
        float r = n % 2 ? 0.01f : 0.1f, deep = n % 3 ? r : 0.5f * r, side = n % 4 < 2 ? 1.0f : -1.0f;
        vec from = vec_of(uniform(-0.5f, 0.5f), side * deep, uniform(-0.3f, 0.3f));
        vec slide = vec_of(uniform(-0.1f, 0.1f), 0.0f, uniform(-0.1f, 0.1f));
        vec lift = vec_of(0.0f, side * uniform(1e-6f, 1.0f), 0.0f),
            press = vec_of(0.0f, -side * uniform(1e-3f, 1.0f), 0.0f);
        impact i = sphere_triangle_ccd(from, add(from, slide), r, tri[0], tri[1], tri[2]);
        check(!i.hit, "sliding is a hit at %g", (double)i.time);
        i = sphere_triangle_ccd(from, add(add(from, slide), lift), r, tri[0], tri[1], tri[2]);
        check(!i.hit, "lifting off is a hit at %g", (double)i.time);
        i = sphere_triangle_ccd(from, add(add(from, slide), press), r, tri[0], tri[1], tri[2]);
        check(i.hit && i.time < 1e-3f, "pressing in: hit %d, time %g", i.hit, (double)i.time);
        check(side * i.normal.y > 0.99f, "pushed to the wrong side");
    }
    vec on = vec_of(0.1f, 0.0f, 0.1f); // the centre on the very triangle: told, and pushed back where it came from
    impact i = sphere_triangle_ccd(on, vec_of(0.1f, -1.0f, 0.1f), 0.01f, tri[0], tri[1], tri[2]);
    check(i.hit && i.time == 0.0f && i.normal.y > 0.99f, "a centre on the triangle");
    i = sphere_triangle_ccd(on, on, 0.01f, tri[0], tri[1], tri[2]);
    check(i.hit, "a centre that stands on the triangle");
}

// A sphere that passes a corner, an edge or a face within a hair of its radius: told below it, not told above it.
static void grazing(void **state)
{
    (void)state;
    for (int n = 0; n < 20000; n++)
    {
        float r = 0.1f, off = (n % 2 ? 1.0f : -1.0f) * (float)pow(10.0, -1.0 - 0.5 * one_of(8)) * r;
        vec tri[3] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {-1.0f, 0.0f, 0.5f}};
        float z = n % 3 == 0 ? 0.5f : 0.0f; // over the edge, or over the corner
        vec flat = n % 3 == 1 ? vec_of(0.6f, 0.0f, -0.8f) : vec_of(1.0f, 0.0f, 0.0f);
        vec to_it = n % 3 == 2 ? vec_of(0.0f, 1.0f, 0.0f) : flat,
            along_it = n % 3 == 2 ? vec_of(1.0f, 0.0f, 0.0f) : vec_of(0.0f, 1.0f, 0.0f);
        vec middle = add(vec_of(0.0f, 0.0f, z), times(r + off, to_it));
        float reach = uniform(1.0f, 20.0f);
        vec from = sub(middle, times(reach, along_it)), to = add(middle, times(reach, along_it));
        impact i = sphere_triangle_ccd(from, to, r, tri[0], tri[1], tri[2]);
        float slack = CCD_SLACK * (2.0f * reach + r);
        if (off < -2.0f * slack)
            check(i.hit, "passes %g under the radius, slack %g", (double)-off, (double)slack);
        if (off > 2.0f * slack)
            check(!i.hit, "passes %g over the radius, slack %g", (double)off, (double)slack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vertices),          cmocka_unit_test(edges),
                                       cmocka_unit_test(crossings),         cmocka_unit_test(edge_crossings),
                                       cmocka_unit_test(starting_in_touch), cmocka_unit_test(grazing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
