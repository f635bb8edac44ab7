// test_patches.c: patch tests: of whatever elements a body consists, it can be strained evenly, and says so.
// labels: slow
#include "elements.h"

#include "reference.h"

enum
{
    PATCH = 3, // cells along an edge
    PATCH_POINTS = (PATCH + 1) * (PATCH + 1) * (PATCH + 1),
};

static double roll(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

// What a patch is strained by: stretched, sheared and turned, but for its share of the unit matrix.
static const double map[3][3] = {{1.08, -0.15, 0.05}, {0.12, 0.95, -0.1}, {-0.06, 0.04, 1.1}};

static void mapped(const float *x, float *out)
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = (float)(map[c][0] * (double)x[0] + map[c][1] * (double)x[1] + map[c][2] * (double)x[2]);
    }
}

// Light particles move far within a sweep, and gradients turn meanwhile, which XPBD leaves out; heavy ones come to rest where a
// force moves them by less than a float can tell. In between a thousandth of the 0.1 m by which the surface moves is asked for.
#define PATCH_ERROR 1e-4

// A cube of irregular tetrahedra whose surface is held at the map of where it was: inside everything must follow the map, and
// every element must have the stress of that strain.
static void solid_patch(pl_kind kind)
{
    static const int cut[2][5][4] = {{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}},
                                     {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}, {0, 3, 6, 5}}};
    float x[3 * PATCH_POINTS], mass[PATCH_POINTS], now[3 * PATCH_POINTS];
    int32_t index[PATCH * PATCH * PATCH * 20];
    uint64_t seed = 7;
    int count = 0;
    for (int i = 0; i < PATCH_POINTS; ++i)
    {
        int at[3] = {i % (PATCH + 1), i / (PATCH + 1) % (PATCH + 1), i / (PATCH + 1) / (PATCH + 1)};
        bool inside = true;
        for (int c = 0; c < 3; ++c)
        {
            inside = inside && at[c] > 0 && at[c] < PATCH;
        }
        for (int c = 0; c < 3; ++c)
        {
            x[3 * i + c] = (float)((at[c] + (inside ? 0.2 * roll(&seed) : 0.0)) / PATCH - 0.5);
        }
        mass[i] = inside ? 3.0f : 0.0f;
    }
    for (int i = 0; i < PATCH * PATCH * PATCH; ++i)
    {
        int a = i % PATCH, b = i / PATCH % PATCH, c = i / PATCH / PATCH;
        for (int k = 0; k < 20; ++k)
        {
            int corner = cut[(a + b + c) % 2][k / 4][k % 4];
            index[count++] =
                ((c + (corner >> 2)) * (PATCH + 1) + b + (corner >> 1 & 1)) * (PATCH + 1) + a + (corner & 1);
        }
    }
    pl_world *world = make_world(10, 10);
    weightless(world);
    add_particles(world, PATCH_POINTS, x, mass);
    pl_id block = add_rows(world, kind, count / 4, index, NULL, 1e-4, 1.0);
    for (int i = 0; i < PATCH_POINTS; ++i)
    {
        mapped(x + 3 * i, now + 3 * i);
        if (mass[i] > 0.0f)
        {
            memcpy(now + 3 * i, x + 3 * i, 3 * sizeof *x);
        }
    }
    good(pl_set(world, PL_ATTRIBUTE_POSITION, 0, PATCH_POINTS, now));
    settle(world, 180, 20.0);

    double worst = 0.0, wrong = 0.0, size = 0.0;
    for (int i = 0; i < PATCH_POINTS; ++i)
    {
        float wanted[3];
        pl_vec3 is = where(world, i);
        mapped(x + 3 * i, wanted);
        worst = fmax(worst, fabs((double)(is.x - wanted[0])) + fabs((double)(is.y - wanted[1])) +
                                fabs((double)(is.z - wanted[2])));
    }
    int parts = pl_kind_describe(kind)->parts;
    float *force = read_rows(world, block, PL_ROW_FORCE, count / 4, parts);
    float *param = read_rows(world, block, PL_ROW_PARAM, count / 4, 11);
    for (int t = 0; t < count / 4; ++t)
    {
        judge_row row = {.kind = kind, .compliance = 1e-4};
        double p[12], pushed[12], lambda[JUDGE_MAX_PARTS];
        for (int k = 0; k < 12; ++k)
        {
            float wanted[3];
            mapped(x + 3 * index[4 * t + k / 3], wanted);
            p[k] = (double)wanted[k % 3];
            row.param[k % 11] = (double)param[11 * t + k % 11];
        }
        judge_element_force(&row, p, pushed, lambda);
        for (int k = 0; k < parts; ++k)
        {
            wrong = fmax(wrong, fabs((double)force[parts * t + k] - lambda[k]));
            size = fmax(size, fabs(lambda[k]));
        }
    }
    print_message("patch of %s: positions to %.1e m, stresses to %.1e\n", pl_kind_describe(kind)->name, worst,
                  wrong / size);
    below("positions", worst, PATCH_ERROR);
    below("stresses", wrong / size, 1e-3);
    free(force);
    free(param);
    pl_world_destroy(world);
}

static void solid_patches(void **state)
{
    (void)state;
    for (int kind = PL_KIND_STVK_TET; kind <= PL_KIND_STRAIN_TET; ++kind)
    {
        solid_patch((pl_kind)kind);
    }
}

// The same in the plane, with a fabric whose warp and weft differ.
static void cloth_patches(void **state)
{
    (void)state;
    for (int model = PL_CLOTH_STVK; model <= PL_CLOTH_STRAIN; ++model)
    {
        enum
        {
            SIDE = 5
        };
        float x[3 * SIDE * SIDE], now[3 * SIDE * SIDE];
        int32_t triangle[(SIDE - 1) * (SIDE - 1) * 6], pinned[SIDE * SIDE];
        uint64_t seed = 9;
        int corners = 0, held = 0;
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            bool inside = i % SIDE > 0 && i % SIDE < SIDE - 1 && i / SIDE > 0 && i / SIDE < SIDE - 1;
            x[3 * i] = (float)((i % SIDE + (inside ? 0.25 * roll(&seed) : 0.0)) / (SIDE - 1));
            x[3 * i + 1] = 0.0f;
            x[3 * i + 2] = (float)((i / SIDE + (inside ? 0.25 * roll(&seed) : 0.0)) / (SIDE - 1));
            if (!inside)
            {
                pinned[held++] = i;
            }
            if (i % SIDE < SIDE - 1 && i / SIDE < SIDE - 1)
            {
                const int32_t two[6] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
                memcpy(triangle + corners, two, sizeof two);
                corners += 6;
            }
        }
        pl_cloth_def def = pl_default_cloth_def();
        def.vertices = x;
        def.vertex_count = SIDE * SIDE;
        def.triangles = triangle;
        def.triangle_count = corners / 3;
        def.u = (pl_vec3){0.8f, 0.0f, 0.6f};
        def.pinned = pinned;
        def.pinned_count = held;
        def.bending = PL_BENDING_NONE;
        def.model = (pl_cloth_model)model;
        def.fabric = (pl_fabric){4e4f, 1e4f, 5e3f, 0.3f, 1e-3f, 0.0f};
        def.drag = 0.0f;
        pl_world *world = make_world(10, 10);
        pl_id id;
        weightless(world);
        good(pl_add_cloth(world, &def, &id));
        memcpy(now, x, sizeof x);
        for (int i = 0; i < held; ++i)
        {
            mapped(x + 3 * pinned[i], now + 3 * pinned[i]);
        }
        good(pl_set(world, PL_ATTRIBUTE_POSITION, 0, SIDE * SIDE, now));
        settle(world, 240, 10.0);
        double worst = 0.0;
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            float wanted[3];
            pl_vec3 is = where(world, i);
            mapped(x + 3 * i, wanted);
            worst = fmax(worst, fabs((double)(is.x - wanted[0])) + fabs((double)(is.y - wanted[1])) +
                                    fabs((double)(is.z - wanted[2])));
        }
        print_message("patch of cloth, model %d: positions to %.1e m\n", model, worst);
        below("positions", worst, PATCH_ERROR);
        pl_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solid_patches),
        cmocka_unit_test(cloth_patches),
    };
    return cmocka_run_group_tests_name("patches", tests, NULL, NULL);
}
