// test_hierarchy.c: hierarchical position-based dynamics: with few iterations it beats Gauss-Seidel with many sweeps, on a
// stiff sheet, a random triangulation and a rope; torn, edited, saved and on other lanes and threads it gives equal bits.
#include "physics.h"

enum
{
    SIDE = 25,
};

static const pl_softness stiff = {.compliance = 1e-8f, .stiffness = 1.0f};

static pl_id add_sheet(pl_world *world, float strength)
{
    pl_cloth_def def = pl_default_cloth_def();
    def.columns = def.rows = SIDE;
    def.u = (pl_vec3){1.0f, 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.02f, 1.0f};
    def.mass = 0.2f;
    def.stretch = def.shear = stiff;
    def.bending = PL_BENDING_LINKS;
    def.bend = (pl_softness){.compliance = 1.0f, .stiffness = 1.0f};
    def.drag = def.lift = 0.0f;
    def.strength = strength;
    def.pinned = (int32_t[]){0, SIDE - 1};
    def.pinned_count = 2;
    pl_id id;
    good(pl_add_cloth(world, &def, &id));
    return id;
}

static pl_id add_plain_sheet(pl_world *world) { return add_sheet(world, 0.0f); }

static float jitter(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ((float)(*seed >> 8) / 16777216.0f - 0.5f) * 0.5f / (SIDE - 1);
}

// A square with vertices off the grid and diagonals at random.
static pl_id add_triangulation(pl_world *world)
{
    float vertices[3 * SIDE * SIDE];
    int32_t triangles[6 * SIDE * SIDE];
    uint32_t seed = 3;
    pl_cloth_def def = pl_default_cloth_def();
    for (int i = 0; i < SIDE * SIDE; i++)
    {
        vertices[3 * i] = (float)(i % SIDE) / (SIDE - 1) + jitter(&seed);
        vertices[3 * i + 1] = 0.0f;
        vertices[3 * i + 2] = (float)(i / SIDE) / (SIDE - 1) + jitter(&seed);
    }
    for (int r = 0; r < SIDE - 1; r++)
        for (int c = 0; c < SIDE - 1; c++)
        {
            int32_t p = r * SIDE + c, *t = triangles + 3 * def.triangle_count;
            bool rising = jitter(&seed) > 0.0f;
            t[0] = p, t[1] = p + SIDE, t[2] = rising ? p + SIDE + 1 : p + 1;
            t[3] = rising ? p : p + 1, t[4] = rising ? p + SIDE + 1 : p + SIDE, t[5] = rising ? p + 1 : p + SIDE + 1;
            def.triangle_count += 2;
        }
    def.vertices = vertices, def.vertex_count = SIDE * SIDE, def.triangles = triangles;
    def.mass = 0.2f;
    def.stretch = def.shear = stiff;
    def.bending = PL_BENDING_NONE;
    def.drag = def.lift = 0.0f;
    def.pinned = (int32_t[]){0, SIDE - 1};
    def.pinned_count = 2;
    pl_id id;
    good(pl_add_cloth(world, &def, &id));
    return id;
}

static pl_id add_rope(pl_world *world)
{
    pl_rope_def def = pl_default_rope_def();
    def.segments = 300;
    def.to = (pl_vec3){3.0f, 0.0f, 0.0f};
    def.mass = 0.3f;
    def.stretch = stiff;
    def.pin_first = true;
    pl_id id;
    good(pl_add_rope(world, &def, &id));
    return id;
}

// ---- few iterations ------------------------------------------------------------------------------------------------

typedef pl_id make_object(pl_world *world);

typedef struct trial
{
    double strain; // mean of the links that are stiff
    double *x;
    int count;
} trial;

static double strain_of(const pl_world *world, pl_id object)
{
    pl_id blocks[16];
    int count = pl_object_blocks(world, object, blocks, 16), links = 0;
    double sum = 0.0;
    for (int b = 0; b < count; b++)
    {
        pl_kind kind;
        int rows;
        float soft, *rest, *value;
        if (pl_block_info(world, blocks[b], &kind, &rows) != PL_OK || kind != PL_KIND_DISTANCE)
            continue;
        good(pl_get_rows(world, blocks[b], PL_ROW_COMPLIANCE, 0, 1, &soft));
        if (soft > 1e-3f)
            continue;
        rest = malloc((size_t)rows * sizeof *rest), value = malloc((size_t)rows * sizeof *value);
        good(pl_get_rows(world, blocks[b], PL_ROW_PARAM, 0, rows, rest));
        good(pl_get_rows(world, blocks[b], PL_ROW_VALUE, 0, rows, value));
        for (int i = 0; i < rows; i++)
            sum += fabs((double)value[i]) / (double)rest[i];
        links += rows;
        free(rest);
        free(value);
    }
    assert_true(links > 0);
    return sum / links;
}

static trial run(make_object *make, pl_solver solver, int substeps, int iterations)
{
    pl_world *world = make_world(substeps, iterations);
    pl_settings settings = pl_world_settings(world);
    settings.solver = solver;
    good(pl_world_set_settings(world, &settings));
    pl_id object = make(world);
    steps(world, 20, 1.0 / 60.0);
    trial t = {.strain = strain_of(world, object), .count = 3 * pl_particle_count(world)};
    float *x = malloc((size_t)t.count * sizeof *x);
    t.x = malloc((size_t)t.count * sizeof *t.x);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, t.count / 3, x));
    for (int i = 0; i < t.count; i++)
        t.x[i] = (double)x[i];
    free(x);
    pl_world_destroy(world);
    return t;
}

static double distance_of(const trial *a, const trial *b)
{
    double sum = 0.0;
    for (int i = 0; i < a->count; i++)
        sum += (a->x[i] - b->x[i]) * (a->x[i] - b->x[i]);
    return sqrt(3.0 * sum / a->count);
}

// An iteration solves as many links as 2.3 sweeps of a sheet, or as 8 of the rope (2 sweeps over half of the links, 4 over a
// fourth, ...). Gauss-Seidel gets 16 sweeps.
static void few_iterations_do(void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        make_object *make;
    } objects[] = {{"sheet", add_plain_sheet}, {"triangulation", add_triangulation}, {"rope", add_rope}};
    for (int i = 0; i < 3; i++)
    {
        trial truth = run(objects[i].make, PL_SOLVER_XPBD, 2, 2500);
        trial plain = run(objects[i].make, PL_SOLVER_XPBD, 2, 16),
              coarse = run(objects[i].make, PL_SOLVER_HIERARCHY, 2, 1);
        double plain_off = distance_of(&plain, &truth), coarse_off = distance_of(&coarse, &truth);
        print_message("%s: strain %.2e (16 sweeps: %.2e), %.1f mm off (%.1f)\n", objects[i].name, coarse.strain,
                      plain.strain, 1e3 * coarse_off, 1e3 * plain_off);
        below("strain", coarse.strain, plain.strain);
        below("distance from the converged answer", coarse_off, plain_off);
        free(truth.x), free(plain.x), free(coarse.x);
    }
}

// ---- tears, edits and snapshots ------------------------------------------------------------------------------------

static pl_world *make_torn(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 2, def.settings.iterations = 2;
    def.settings.solver = PL_SOLVER_HIERARCHY;
    pl_world *world;
    good(pl_world_create(&def, &world));
    add_sheet(world, 0.02f);
    return world;
}

static void equal_bits(void **state)
{
    (void)state;
    uint64_t wanted = 0;
    for (int k = 0; k < 4; k++)
    {
        const int *lanes = pl_lane_widths();
        pl_world *world = make_torn(1 + k % 3, k & 1 ? 1 : lanes[0]);
        steps(world, 12, 1.0 / 60.0);
        float mass = 0.05f;
        good(pl_set(world, PL_ATTRIBUTE_MASS, SIDE * SIDE / 2, 1, &mass));
        steps(world, 6, 1.0 / 60.0);
        if (k & 2)
            world = saved_and_loaded(world);
        pl_id rope = add_rope(world);
        steps(world, 6, 1.0 / 60.0);
        if (k & 1)
            world = saved_and_loaded(world);
        good(pl_remove(world, rope));
        steps(world, 12, 1.0 / 60.0);
        uint64_t hash = pl_world_hash(world);
        print_message("%d particles, hash %016llx\n", pl_particle_count(world), (unsigned long long)hash);
        assert_true(pl_particle_count(world) > SIDE * SIDE); // it has torn
        wanted = wanted ? wanted : hash;
        assert_true(hash == wanted);
        pl_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_iterations_do),
        cmocka_unit_test(equal_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
