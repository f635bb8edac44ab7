// test_cholesky.c: sparse factorisation against the matrix itself, and the order of nested dissection.
#include "core/cholesky.h"
#include "core/dissection.h"
#include "support/support.h"

#include <math.h>

static uint32_t seed = 1;

static double random_number(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

// A dense symmetric matrix with an entry wherever `linked` says so, dominated by its diagonal.
typedef struct matrix
{
    int n;
    double *dense;
    sparse_lower lower;
    memory memory;
} matrix;

static void matrix_open(matrix *m, int n, double density, int block)
{
    pl_allocator standard = {0};
    memory_open(&m->memory, &standard);
    m->n = n;
    m->dense = calloc((size_t)n * (size_t)n, sizeof *m->dense);
    m->lower = (sparse_lower){.rows = n};
    m->lower.start = calloc((size_t)n + 1, sizeof *m->lower.start);
    m->lower.column = calloc((size_t)n * (size_t)n, sizeof *m->lower.column);
    m->lower.value = calloc((size_t)n * (size_t)n, sizeof *m->lower.value);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (i / block == j / block || random_number() < density)
                m->dense[i * n + j] = m->dense[j * n + i] = random_number() - 0.5;
    int64_t entries = 0;
    for (int i = 0; i < n; i++)
    {
        for (int j = 0; j < n; j++)
            m->dense[i * n + i] += i == j ? 1.0 : fabs(m->dense[i * n + j]);
        for (int j = 0; j <= i; j++)
            if (m->dense[i * n + j] != 0.0)
            {
                m->lower.column[entries] = j;
                m->lower.value[entries++] = m->dense[i * n + j];
            }
        m->lower.start[i + 1] = entries;
    }
}

static void matrix_close(matrix *m)
{
    assert_int_equal(m->memory.bytes, 0);
    free(m->dense);
    free(m->lower.start);
    free(m->lower.column);
    free(m->lower.value);
}

// The largest |A x - b|.
static double residual(const matrix *m, const double *x, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < m->n; i++)
    {
        double sum = -b[i];
        for (int j = 0; j < m->n; j++)
            sum += m->dense[i * m->n + j] * x[j];
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

static void any_matrix_is_solved(void **state)
{
    (void)state;
    for (int trial = 0; trial < 60; trial++)
    {
        matrix m;
        cholesky c;
        int n = 1 + trial * 3;
        double b[200], x[200];
        matrix_open(&m, n, trial % 5 == 0 ? 0.0 : trial % 5 == 1 ? 0.9 : 2.0 / n, trial % 3 + 1);
        good(cholesky_open(&c, &m.memory, &m.lower, trial % 3 + 1));
        for (int again = 0; again < 2; again++) // the pattern is used again with other values
        {
            for (int i = 0; i < n; i++)
                b[i] = random_number() - 0.5;
            assert_int_equal(cholesky_factor(&c, &m.lower), 0);
            cholesky_solve(&c, b, x);
            assert_true(residual(&m, x, b) < 1e-13);
            cholesky_solve(&c, b, b); // in place
            assert_memory_equal(b, x, (size_t)n * sizeof *b);
            for (int i = 0; i < n * n; i++)
                m.dense[i] *= 2.0;
            for (int64_t e = 0; e < m.lower.start[n]; e++)
                m.lower.value[e] *= 2.0;
        }
        cholesky_close(&c);
        matrix_close(&m);
    }
}

static void signs_and_singular_matrices(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 3, 5};
    int32_t column[] = {0, 0, 1, 1, 2};
    double value[] = {2.0, 1.0, -3.0, 1.0, 5.0}; // eigenvalues: two positive, one negative
    sparse_lower a = {3, start, column, value};
    pl_allocator standard = {0};
    memory m;
    cholesky c;
    memory_open(&m, &standard);
    good(cholesky_open(&c, &m, &a, 1));
    assert_int_equal(cholesky_factor(&c, &a), 1);
    value[0] = NAN;
    assert_int_equal(cholesky_factor(&c, &a), -1);
    double singular[] = {1.0, 1.0, 2.0, 1.0, 1.0}; // the last row is the second less the first
    memcpy(value, singular, sizeof value);
    assert_int_equal(cholesky_factor(&c, &a), -1);
    cholesky_close(&c);
    assert_int_equal(m.bytes, 0);
}

// A grid of n x n vertices, each linked to its eight neighbours.
static void grid_lower(int n, sparse_lower *a)
{
    int64_t entries = 0;
    a->rows = n * n;
    a->start = calloc((size_t)a->rows + 1, sizeof *a->start);
    a->column = calloc(5 * (size_t)a->rows, sizeof *a->column);
    a->value = calloc(5 * (size_t)a->rows, sizeof *a->value);
    for (int i = 0; i < a->rows; i++)
    {
        static const int off[4][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}};
        for (int k = 0; k < 4; k++)
        {
            int x = i % n + off[k][0], y = i / n + off[k][1];
            if (x >= 0 && x < n && y >= 0)
            {
                a->column[entries] = y * n + x;
                a->value[entries++] = -1.0;
            }
        }
        a->column[entries] = i;
        a->value[entries++] = 8.5;
        a->start[i + 1] = entries;
    }
}

// Nested dissection of a grid of n^2 vertices fills about 31/4 n^2 log2 n entries (George 1973); the rows in their own order
// would fill n^3.
static void the_factor_of_a_grid_is_sparse(void **state)
{
    (void)state;
    pl_allocator standard = {0};
    for (int n = 32; n <= 128; n *= 2)
    {
        sparse_lower a;
        memory m;
        cholesky c;
        grid_lower(n, &a);
        memory_open(&m, &standard);
        good(cholesky_open(&c, &m, &a, 1));
        double bound = 31.0 / 4.0 * n * n * log2((double)n);
        print_message("grid of %d: %lld entries, bound %.0f, in rows %d\n", n, (long long)c.factor_entries, bound,
                      n * n * n);
        assert_true((double)c.factor_entries < bound);
        assert_int_equal(cholesky_factor(&c, &a), 0);
        cholesky_close(&c);
        assert_int_equal(m.bytes, 0);
        free(a.start);
        free(a.column);
        free(a.value);
    }
}

// Every graph gives an order with each vertex once: complete graphs, stars, paths, separate parts and single vertices.
static void every_vertex_has_one_place(void **state)
{
    (void)state;
    enum
    {
        MOST = 60,
    };
    pl_allocator standard = {0};
    memory m;
    memory_open(&m, &standard);
    for (int form = 0; form < 5; form++)
        for (int n = 0; n <= MOST; n++)
        {
            int64_t start[MOST + 1] = {0};
            int32_t neighbour[MOST * MOST], order[MOST];
            bool seen[MOST] = {false};
            int count = 0;
            for (int i = 0; i < n; i++)
            {
                for (int j = 0; j < n; j++)
                {
                    bool linked = form == 0   ? true
                                  : form == 1 ? i == 0 || j == 0
                                  : form == 2 ? i - j == 1 || j - i == 1
                                  : form == 3 ? i % 3 == j % 3
                                              : false;
                    if (linked && i != j)
                        neighbour[count++] = j;
                }
                start[i + 1] = count;
            }
            good(dissect(&m, n, start, neighbour, order));
            for (int i = 0; i < n; i++)
            {
                assert_in_range(order[i], 0, n - 1);
                assert_false(seen[order[i]]);
                seen[order[i]] = true;
            }
        }
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_matrix_is_solved),
        cmocka_unit_test(signs_and_singular_matrices),
        cmocka_unit_test(the_factor_of_a_grid_is_sparse),
        cmocka_unit_test(every_vertex_has_one_place),
    };
    return cmocka_run_group_tests_name("cholesky", tests, NULL, NULL);
}
