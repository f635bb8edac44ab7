// Stuffing: no cell, however it is cut, gives a bad angle; cells fit together.
#include "solids.h"

static const double corners[4][3] = {{1, 1, -1}, {1, 1, 1}, {0, 0, 0}, {2, 0, 0}}; // in half spacings
static const int ways[14][3] = {{2, 0, 0},  {-2, 0, 0},  {0, 2, 0},   {0, -2, 0},  {0, 0, 2},
                                {0, 0, -2}, {1, 1, 1},   {-1, 1, 1},  {1, -1, 1},  {-1, -1, 1},
                                {1, 1, -1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}};

static double unit(uint64_t *seed) { return 0.5 * ((double)dice(seed) + 1.0); }

// 0 or 1 as often as something in between: the worst is at the ends.
static double extreme(uint64_t *seed)
{
    double r = unit(seed);
    return r < 0.35 ? 0.0 : r < 0.7 ? 1.0 : unit(seed);
}

// Any cell that warping can leave behind. False: two points cannot have moved towards each other.
static int random_cell(uint64_t *seed, stuffing_cell *c)
{
    int way[4] = {-1, -1, -1, -1}, odd = unit(seed) < 0.5, odder = unit(seed) < 0.5;
    const int parity[4] = {odd, !odd, odder, !odder};
    for (int i = 0; i < 4; i++)
    {
        c->sign[i] = (int)(unit(seed) * 3.0) - 1;
        c->odd[i] = parity[i];
        way[i] = c->sign[i] == 0 ? (int)(unit(seed) * 14.0) : -1;
        double part = way[i] < 0 ? 0.0 : extreme(seed) * (way[i] < 6 ? ALPHA_LONG : ALPHA_SHORT);
        if (part == 0.0)
            way[i] = -1;
        for (int k = 0; k < 3; k++)
            c->x[i][k] = corners[i][k] + (way[i] < 0 ? 0.0 : part * ways[way[i]][k]);
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
        {
            int facing = i != k && way[i] >= 0 && way[k] >= 0;
            double a = i / 2 == k / 2 ? ALPHA_LONG : ALPHA_SHORT, t = a + (1.0 - 2.0 * a) * extreme(seed);
            for (int d = 0; d < 3; d++)
            {
                facing = facing && corners[i][d] + ways[way[i]][d] == corners[k][d] &&
                         corners[k][d] + ways[way[k]][d] == corners[i][d];
                c->cut[i][k][d] = c->x[i][d] + t * (c->x[k][d] - c->x[i][d]);
            }
            if (facing)
                return 0;
        }
    return 1;
}

static const double *place(const stuffing_cell *c, stuffing_corner v)
{
    return v.a == v.b ? c->x[v.a] : c->cut[v.a][v.b];
}

static double measure(const stuffing_cell *c, double *smallest, double *largest)
{
    stuffing_corner t[STUFFING_MOST][4];
    double sum = 0.0;
    int count = stuff_cell(c, t);
    for (int i = 0; i < count; i++)
    {
        const double *p[4] = {place(c, t[i][0]), place(c, t[i][1]), place(c, t[i][2]), place(c, t[i][3])};
        double small, large, volume = box_product(p[0], p[1], p[2], p[3]) / 6.0;
        dihedral_range(p, &small, &large);
        if (!(volume > 0.0))
            fail_msg("a tetrahedron has the volume %g", volume);
        sum += volume;
        *smallest = fmin(*smallest, degrees(small));
        *largest = fmax(*largest, degrees(large));
    }
    return sum;
}

static void no_slivers(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double smallest = 180.0, largest = 0.0;
    for (int i = 0; i < 1000000; i++)
    {
        stuffing_cell c;
        if (random_cell(&seed, &c))
            measure(&c, &smallest, &largest);
    }
    if (!(smallest > 10.6 && largest < 164.3))
        fail_msg("dihedral angles reach from %.3f to %.3f degrees", smallest, largest);
    if (!(smallest < 10.9)) // the dice do find the worst
        fail_msg("the smallest angle tried is %.3f degrees", smallest);
}

// What is inside and what is outside make up the whole cell.
static void nothing_lost(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 100000; i++)
    {
        stuffing_cell c, other;
        if (!random_cell(&seed, &c))
            continue;
        int plus = 0, minus = 0;
        other = c;
        for (int k = 0; k < 4; k++)
        {
            plus += c.sign[k] > 0;
            minus += c.sign[k] < 0;
            other.sign[k] = -c.sign[k];
            for (int j = 0; j < 4; j++)
                memcpy(other.cut[k][j], c.cut[j][k], sizeof c.cut[j][k]);
        }
        if (plus + minus == 0 || (plus == 2 && minus == 2)) // both may cut the curved side their own way
            continue;
        double a = 180.0, b = 0.0, whole = fabs(box_product(c.x[0], c.x[1], c.x[2], c.x[3]) / 6.0);
        near_to("the volume of the parts", measure(&c, &a, &b) + measure(&other, &a, &b), whole, 1e-9);
    }
}

// ---- a solid without a mesh ----------------------------------------------------------------------------------------

static double ball_value(void *user, const double x[3])
{
    (void)user;
    return sqrt(dot3(x, x)) - 1.0;
}

static void ball(void **state)
{
    (void)state;
    const solid_field f = {ball_value, NULL, {-1, -1, -1}, {1, 1, 1}};
    const double wanted = 4.0 / 3.0 * 3.141592653589793;
    double error[2];
    for (int i = 0; i < 2; i++)
    {
        memory m = open_memory();
        pl_tets t;
        good(stuff_solid(&m, "ball", &f, i ? 0.05 : 0.2, &t));
        good(tets_find_surface(&m, "ball", &t));
        tets_measure r = tets_measure_all(&t);
        error[i] = fabs(1.0 - r.volume / wanted);
        assert_int_equal(r.inverted, 0);
        for (int k = 0; k < 3 * t.triangle_count; k++)
        {
            double x[3];
            widen(t.vertices + 3 * t.triangles[k], x);
            near_to("a vertex of the surface", sqrt(dot3(x, x)), 1.0, 1e-6);
        }
        tets_drop(&m, &t);
        assert_int_equal(m.bytes, 0);
    }
    below("the error at 0.2 m", error[0], 0.02);
    near_to("the order of convergence", error[0] / error[1], 16.0, 2.5); // second
}

static void refusals(void **state)
{
    (void)state;
    const solid_field f = {ball_value, NULL, {-1, -1, -1}, {1, 1, 1}};
    memory m = open_memory();
    pl_tets t;
    refused(stuff_solid(&m, "ball", &f, 0.0, &t), PL_ERROR_ARGUMENT, "ball: the spacing of the tetrahedra is 0 m");
    refused(stuff_solid(&m, "ball", &f, NAN, &t), PL_ERROR_ARGUMENT, "give a positive number");
    refused(stuff_solid(&m, "ball", &f, 1e-4, &t), PL_ERROR_ARGUMENT, "use a spacing of 0.0069 m");
    refused(stuff_solid(&m, "ball", &f, 1e-30, &t), PL_ERROR_ARGUMENT, "use a spacing of");
    // The one point inside is moved onto the surface, too.
    refused(stuff_solid(&m, "ball", &f, 100.0, &t), PL_ERROR_ARGUMENT,
            "no point of a lattice with the spacing 100 m lies inside");
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_slivers), cmocka_unit_test(nothing_lost),
                                       cmocka_unit_test(ball), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("stuffing", tests, NULL, NULL);
}
