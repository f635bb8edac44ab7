// What holds for every kind of the table: gradients, momentum, one visit of a rigid row, the closed forms of XPBD, of
// damping and of PBD, the side on which an inequality acts.
#include "elements/kernel.h"

#include "query/verify_kinds.h"

static void gradients_and_sums(void **state)
{
    (void)state;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        kind_check c = verify_kind((pl_kind)kind, 500);
        print_message("%-15s gradient %.1e weight %.1e force %.1e torque %.1e rest %.1e\n",
                      pl_kind_describe((pl_kind)kind)->name, c.gradient, c.weight, c.force, c.torque, c.rest);
        below("gradient", c.gradient, 1e-6);
        below("weight", c.weight, 1e-6);
        below("force", c.force, 1e-6);
        below("torque", c.torque, 1e-6);
        below("rest", c.rest, 1e-6);
    }
}

static void the_table_in_words(void **state)
{
    (void)state;
    for (int kind = 0; kind < ROW_KINDS; kind++)
    {
        const pl_kind_info *info = pl_kind_describe((pl_kind)kind);
        assert_string_equal(info->name, kernels[kind].name);
        assert_int_equal(info->arity, kernels[kind].arity);
        assert_int_equal(info->params, kernels[kind].params);
        assert_int_equal(pl_kind_by_name(info->name), kind);
        assert_true(strlen(info->about) > 5);
        for (int i = 0; i < PL_MAX_PARAMS; i++)
            assert_int_equal(info->param_names[i] != NULL, i < info->params);
    }
    assert_null(pl_kind_describe(PL_KIND_COUNT));
    assert_null(pl_kind_describe((pl_kind)-1));
    assert_int_equal(pl_kind_by_name("spring"), PL_KIND_COUNT);
}

// A shape and the parameters of another one, such that the row is violated on its forbidden side.
static void violated(const kernel *k, point *p, float *param, uint64_t *seed)
{
    for (;;)
    {
        if (k->arity > 4)
            shake_cube(p, seed);
        else
            shake(p, k->eval == eval_isometric ? 0.0f : 1.0f, seed);
        k->rest(p, param);
        if (k->arity > 4)
            shake_cube(p, seed);
        else
            shake(p, 1.0f, seed);
        float c = value_of(k, p, param);
        if (k->bound == BOUND_EQUAL || (k->bound == BOUND_AT_MOST && c > 0.01f) ||
            (k->bound == BOUND_AT_LEAST && c < -0.01f))
            return;
    }
}

static void rigid_rows_are_solved(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (int sample = 0; sample < 200; sample++)
        {
            const kernel *k = &kernels[kind];
            point p[ROW_POINTS];
            float param[PL_MAX_PARAMS], lambda = 0.0f, first = 0.0f, last = 0.0f;
            violated(k, p, param, &seed);
            for (int visits = 0; visits < 30; visits++)
            {
                last = visit_once(k, p, param, &(softness){0}, &lambda, MODE_XPBD);
                first = visits == 0 ? last : first;
            }
            last = fabsf(value_of(k, p, param));
            bool linear = k->arity <= 2; // along one line: one visit is enough
            if (linear)
            {
                // again, one visit only
                violated(k, p, param, &seed);
                lambda = 0.0f;
                visit_once(k, p, param, &(softness){0}, &lambda, MODE_XPBD);
                below(k->name, (double)fabsf(value_of(k, p, param)), 1e-6);
            }
            if (k->eval != eval_dihedral || fabsf(first) < 1.5f) // a fold far from rest may turn over
                below(k->name, (double)last, 1e-4);
        }
}

// sum of w |g|^2 over the true gradient, in double
static double weight_of(const kernel *k, const point *p, const row *c)
{
    double sum = 0.0;
    for (int i = 0; i < k->writes; i++)
        sum += (double)p[i].w *
               ((double)c->g[i].x * c->g[i].x + (double)c->g[i].y * c->g[i].y + (double)c->g[i].z * c->g[i].z) /
               ((double)c->norm * c->norm);
    return sum;
}

static void closed_forms(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (int sample = 0; sample < 100; sample++)
        {
            const kernel *k = &kernels[kind];
            point p[ROW_POINTS];
            float param[PL_MAX_PARAMS], before = k->bound == BOUND_AT_LEAST ? 0.01f : -0.01f, lambda;
            row c;
            violated(k, p, param, &seed);
            k->eval(p, param, 0.0f, &c);
            double W = weight_of(k, p, &c), C = c.value, a = 0.3, gamma = 0.2, motion = 0.05, kk = 0.35;
            const softness soft = {(f32)a, (f32)gamma, (f32)motion, (f32)kk};
            double tolerance = 1e-5 * (1.0 + fabs(C) / W);

            lambda = before;
            visit(&c, &soft, &lambda, MODE_XPBD, k->bound);
            near_to("XPBD dlambda", (double)(lambda - before), -(C + a * (double)before) / (W + a), tolerance);
            lambda = before;
            visit(&c, &soft, &lambda, MODE_DAMPED, k->bound);
            double damped = -(C + a * (double)before + gamma * motion) / ((1.0 + gamma) * W + a);
            if (k->bound != BOUND_AT_LEAST || damped > -0.01)
                near_to("damped dlambda", (double)(lambda - before), damped, tolerance);
            lambda = before;
            float s = visit(&c, &soft, &lambda, MODE_PBD, k->bound);
            near_to("PBD dlambda", (double)(lambda - before), -kk * C / W, tolerance);
            near_to("PBD s", (double)s * (double)c.norm, -kk * C / W, tolerance);
        }
}

// On the allowed side nothing happens; a multiplier that has pulled lets go again, but never pushes.
static void inequalities_let_go(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int kind = 0; kind < ROW_KINDS; kind++)
    {
        const kernel *k = &kernels[kind];
        if (k->bound == BOUND_EQUAL)
            continue;
        for (int mode = MODE_XPBD; mode <= MODE_PBD; mode++)
        {
            point p[ROW_POINTS], kept[ROW_POINTS];
            float param[PL_MAX_PARAMS], lambda = 0.0f;
            const softness soft = {.k = 1.0f};
            shake(p, 1.0f, &seed);
            k->rest(p, param);
            param[0] = k->bound == BOUND_AT_MOST ? 2.0f * param[0] : 0.5f * param[0];
            memcpy(kept, p, sizeof p);
            visit_once(k, p, param, &soft, &lambda, mode);
            assert_memory_equal(p, kept, sizeof p);
            assert_true(lambda == 0.0f);

            float pulled = k->bound == BOUND_AT_MOST ? -1e-3f : 1e-3f;
            lambda = pulled;
            visit_once(k, p, param, &soft, &lambda, mode);
            if (mode == MODE_PBD)
                assert_true(lambda == pulled); // classic PBD knows only this visit
            else
                assert_true(lambda == 0.0f); // all of it is given back, and no more
        }
    }
}

// x = x~ + w grad lambda: momentum is kept when masses are counted.
static void visits_keep_momentum(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (int sample = 0; sample < 100 && kernels[kind].writes > 1; sample++)
        {
            const kernel *k = &kernels[kind];
            point p[ROW_POINTS], q[ROW_POINTS];
            float param[PL_MAX_PARAMS], lambda = 0.0f;
            double linear[3] = {0}, angular[3] = {0};
            double size = k->arity > 4 ? 0.05 : 1e-3; // eight positions round off more than four
            violated(k, p, param, &seed);
            memcpy(q, p, sizeof q);
            visit_once(k, q, param, &(softness){.a = 0.1f}, &lambda, MODE_XPBD);
            for (int i = 0; i < k->writes; i++)
            {
                double m = 1.0 / (double)p[i].w, x[3] = {p[i].x, p[i].y, p[i].z};
                double d[3] = {m * ((double)q[i].x - x[0]), m * ((double)q[i].y - x[1]), m * ((double)q[i].z - x[2])};
                for (int c = 0; c < 3; c++)
                {
                    linear[c] += d[c];
                    angular[c] += x[(c + 1) % 3] * d[(c + 2) % 3] - x[(c + 2) % 3] * d[(c + 1) % 3];
                    size = fmax(size, fabs(d[c]));
                }
            }
            for (int c = 0; c < 3; c++)
            {
                below("linear momentum", fabs(linear[c]) / size, 1e-4);
                below("angular momentum", fabs(angular[c]) / size, 1e-4);
            }
        }
}

// Points that coincide, or that cannot move, are left alone.
static void dead_rows_do_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (int mode = MODE_XPBD; mode <= MODE_PBD; mode++)
        {
            const kernel *k = &kernels[kind];
            point p[ROW_POINTS], kept[ROW_POINTS];
            float param[PL_MAX_PARAMS] = {0}, lambda = 0.0f;
            const softness soft = {.k = 1.0f};
            for (int i = 0; i < ROW_POINTS; i++)
                p[i] = point_of(0.0f, 0.0f, 0.0f, 1.0f);
            memcpy(kept, p, sizeof p);
            visit_once(k, p, param, &soft, &lambda, mode);
            assert_memory_equal(p, kept, sizeof p);
            uint64_t seed = 9;
            violated(k, p, param, &seed);
            for (int i = 0; i < ROW_POINTS; i++)
                p[i].w = 0.0f;
            memcpy(kept, p, sizeof p);
            visit_once(k, p, param, &soft, &lambda, mode);
            assert_memory_equal(p, kept, sizeof p);
            assert_true(lambda == 0.0f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_and_sums),    cmocka_unit_test(the_table_in_words),
        cmocka_unit_test(rigid_rows_are_solved), cmocka_unit_test(closed_forms),
        cmocka_unit_test(inequalities_let_go),   cmocka_unit_test(visits_keep_momentum),
        cmocka_unit_test(dead_rows_do_nothing),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
