// Lattices: the sums that cost the same at any width equal those made region by region; bodies come back, keep momentum, and have the
// same bits everywhere.
#include "physics/physics.h"
#include "kernels/lattice_match.h"

// ---- window sums ---------------------------------------------------------------------------------------------------

static void windows_equal_plain_sums(void **state)
{
    (void)state;
    enum
    {
        MOST = 40
    };
    static float in[12 * MOST], ends[12 * MOST], out[12 * MOST];
    unsigned dice = 1;
    for (int count = 1; count <= MOST; count++)
        for (int half = 1; half <= 45; half += half < 8 ? 1 : 7)
        {
            for (int i = 0; i < 12 * count; i++)
            {
                dice = dice * 1664525u + 1013904223u;
                in[i] = (float)(int)(dice >> 20) - 2048.0f; // whole numbers: every order of summing gives the same
            }
            lattice_line line = {0, 1, count, half};
            for (int part = 0; part < LATTICE_PARTS; part++)
                lattice_windows(&line, part, in, ends, out);
            for (int cell = 0; cell < count; cell++)
                for (int k = 0; k < 12; k++)
                {
                    float wanted = 0.0f;
                    for (int other = cell - half; other <= cell + half; other++)
                        wanted += other >= 0 && other < count ? in[12 * other + k] : 0.0f;
                    if (out[12 * cell + k] != wanted)
                        fail_msg("%d cells, half width %d: the sum at %d is %g; %g was wanted", count, half, cell,
                                 (double)out[12 * cell + k], (double)wanted);
                }
        }
}

// ---- bodies --------------------------------------------------------------------------------------------------------

enum
{
    NX = 9,
    NY = 4,
    NZ = 3,
    MOST_MEMBERS = NX * NY * NZ
};

typedef struct block
{
    int count;
    float x[3 * MOST_MEMBERS], mass[MOST_MEMBERS];
    int32_t cell[3 * MOST_MEMBERS], member[MOST_MEMBERS];
} block;

// With a notch, and masses that differ.
static block make_block(void)
{
    block b = {0};
    for (int i = 0; i < MOST_MEMBERS; i++)
    {
        int32_t c[3] = {i % NX, i / NX % NY, i / NX / NY};
        if (c[0] > 3 && c[0] < 6 && c[1] > 1)
            continue;
        for (int k = 0; k < 3; k++)
        {
            b.cell[3 * b.count + k] = c[k] - 2;
            b.x[3 * b.count + k] = 0.1f * (float)c[k];
        }
        b.mass[b.count] = 0.1f + 0.01f * (float)(i % 7);
        b.member[b.count] = b.count;
        b.count++;
    }
    return b;
}

static pl_world *add_block(const block *b, int half, double stiffness, bool fast, int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    pl_id id;
    def.threads = threads;
    def.lanes = lanes;
    def.settings.substeps = 8;
    def.settings.iterations = 2;
    def.settings.gravity = (pl_vec3){0.0f, 0.0f, 0.0f};
    good(pl_world_create(&def, &w));
    add_particles(w, b->count, b->x, b->mass);
    pl_lattice_def d = pl_default_lattice_def();
    d.count = b->count;
    d.particles = b->member;
    d.cells = b->cell;
    d.half_width = half;
    d.stiffness = (float)stiffness;
    if (fast)
    {
        good(pl_add_lattice(w, &d, &id));
        return w;
    }
    // The same regions one by one, as clusters.
    static int32_t start[MOST_MEMBERS + 1], member[MOST_MEMBERS * MOST_MEMBERS];
    int count = 0;
    for (int i = 0; i < b->count; i++)
    {
        start[i] = count;
        for (int k = 0; k < b->count; k++)
        {
            bool within = true;
            for (int c = 0; c < 3; c++)
                within &= abs(b->cell[3 * i + c] - b->cell[3 * k + c]) <= half;
            if (within)
                member[count++] = k;
        }
    }
    start[b->count] = count;
    pl_clusters_def c = pl_default_clusters_def();
    c.count = b->count;
    c.start = start;
    c.particles = member;
    c.material.stiffness = (float)stiffness;
    good(pl_add_clusters(w, &c, &id));
    return w;
}

// Twisted, bent and thrown.
static void disturb(pl_world *w, const block *b)
{
    float x[3 * MOST_MEMBERS], v[3 * MOST_MEMBERS];
    for (int i = 0; i < b->count; i++)
    {
        const float *p = b->x + 3 * i;
        x[3 * i] = p[0], x[3 * i + 1] = p[1] + 0.2f * p[0] * p[0], x[3 * i + 2] = p[2] + 0.1f * p[0] * p[1];
        v[3 * i] = 0.3f, v[3 * i + 1] = 2.0f * (p[0] - 0.4f), v[3 * i + 2] = 0.0f;
    }
    good(pl_set(w, PL_ATTRIBUTE_POSITION, 0, b->count, x));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, b->count, v));
}

static void the_fast_way_equals_region_by_region(void **state)
{
    (void)state;
    block b = make_block();
    for (int half = 1; half <= 4; half++)
    {
        pl_world *fast = add_block(&b, half, 0.7, true, 1, 0), *slow = add_block(&b, half, 0.7, false, 1, 0);
        disturb(fast, &b);
        disturb(slow, &b);
        for (int frame = 1; frame <= 6; frame++) // rounding grows: a substep adds to velocities what it adds to places
        {
            double worst = 0.0;
            steps(fast, 1, 1.0 / 60.0);
            steps(slow, 1, 1.0 / 60.0);
            for (int i = 0; i < b.count; i++)
            {
                pl_vec3 p = where(fast, i), q = where(slow, i);
                worst =
                    fmax(worst, fmax(fabs((double)p.x - q.x), fmax(fabs((double)p.y - q.y), fabs((double)p.z - q.z))));
            }
            if (frame % 5 == 1)
                print_message("half width %d: off by %.1e m after %d substeps\n", half, worst, 8 * frame);
            below("difference", worst, 2e-6 * frame * frame);
        }
        pl_world_destroy(fast);
        pl_world_destroy(slow);
    }
}

static void a_bent_block_comes_back(void **state)
{
    (void)state;
    block b = make_block();
    pl_world *w = add_block(&b, 1, 0.5, true, 1, 0);
    double linear[3], angular[3], before[3], far = 0.0;
    disturb(w, &b);
    pl_world_momentum(w, before, angular);
    steps(w, 30, 1.0 / 60.0);
    pl_world_momentum(w, linear, angular);
    for (int c = 0; c < 3; c++)
        near("momentum", linear[c], before[c], 2e-3);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 3.0);
    steps(w, 600, 1.0 / 60.0);
    for (int i = 0; i + 1 < b.count; i++)
    {
        pl_vec3 p = where(w, i), q = where(w, b.count - 1);
        const float *u = b.x + 3 * i, *v = b.x + 3 * (b.count - 1);
        double now = sqrt(pow((double)p.x - q.x, 2) + pow((double)p.y - q.y, 2) + pow((double)p.z - q.z, 2));
        double rest = sqrt(pow((double)u[0] - v[0], 2) + pow((double)u[1] - v[1], 2) + pow((double)u[2] - v[2], 2));
        far = fmax(far, fabs(now - rest));
    }
    print_message("distances are off by %.1e m\n", far);
    below("distances", far, 1e-3);
    pl_world_destroy(w);
}

static void the_same_bits(void **state)
{
    (void)state;
    static const int ways[][2] = {{1, 1}, {3, 4}, {2, 0}};
    block b = make_block();
    uint64_t wanted = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    {
        pl_world *w = add_block(&b, 2, 1.0, true, ways[i][0], ways[i][1]);
        disturb(w, &b);
        steps(w, 20, 1.0 / 60.0);
        wanted = i == 0 ? pl_world_hash(w) : wanted;
        assert_true(pl_world_hash(w) == wanted);
        pl_world_destroy(w);
    }
    pl_world *w = add_block(&b, 2, 1.0, true, 1, 0);
    disturb(w, &b);
    steps(w, 9, 1.0 / 60.0);
    w = saved_and_loaded(w);
    steps(w, 11, 1.0 / 60.0);
    assert_true(pl_world_hash(w) == wanted);
    pl_world_destroy(w);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    block b = make_block();
    pl_world *w = add_block(&b, 1, 1.0, true, 1, 0);
    const float x[6] = {0}, mass[2] = {1.0f, 1.0f};
    add_particles(w, 2, x, mass);
    int32_t list[2] = {b.count, b.count}, cells[6] = {0, 0, 0, 1, 0, 0};
    pl_lattice_def d = pl_default_lattice_def();
    pl_id id;
    d.count = 2;
    d.particles = list;
    d.cells = cells;
    refused_for(pl_add_lattice(w, &d, &id), "already");
    list[1] = b.count + 2;
    refused_for(pl_add_lattice(w, &d, &id), "does not exist");
    list[1] = 0;
    refused_for(pl_add_lattice(w, &d, &id), "already");
    list[1] = b.count + 1;
    cells[3] = 0;
    refused_for(pl_add_lattice(w, &d, &id), "two particles");
    cells[3] = 2000000000;
    refused_for(pl_add_lattice(w, &d, &id), "at most");
    cells[3] = 1;
    d.half_width = 0;
    refused_for(pl_add_lattice(w, &d, &id), "half_width");
    d.half_width = 1;
    d.stiffness = 0.0f;
    refused_for(pl_add_lattice(w, &d, &id), "stiffness");
    d.stiffness = 1.0f;
    good(pl_add_lattice(w, &d, &id));
    refused_for(pl_set_lattice(w, id, 2, 7.0f), "stiffness");
    good(pl_set_lattice(w, id, 2, 0.5f));
    steps(w, 2, 1.0 / 60.0);
    good(pl_remove(w, id));
    steps(w, 2, 1.0 / 60.0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_equal_plain_sums), cmocka_unit_test(the_fast_way_equals_region_by_region),
        cmocka_unit_test(a_bent_block_comes_back),  cmocka_unit_test(the_same_bits),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests_name("lattices", tests, NULL, NULL);
}
