// test_coarsen.c: coarser graphs of a regular sheet and of a random triangulation, against their plane positions.
#include "support/support.h"

#include "layout/coarsen.h"

#include <math.h>

typedef struct sheet
{
    memory memory;
    int side, nodes;
    double *x; // 2 for each node
    int32_t *number;
    length_graph graph[12];
    int count;
} sheet;

static uint32_t roll(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

static double straight(const sheet *s, int level, int32_t a, int32_t b)
{
    for (; level > 0; level--)
        a = s->graph[level].origin[a], b = s->graph[level].origin[b];
    return hypot(s->x[2 * a] - s->x[2 * b], s->x[2 * a + 1] - s->x[2 * b + 1]);
}

typedef struct pair
{
    int32_t a, b;
} pair;

static int add_pair(const sheet *s, pair *list, int count, int c, int r, int dc, int dr)
{
    int to_c = c + dc, to_r = r + dr;
    if (to_c < 0 || to_c >= s->side || to_r >= s->side)
        return count;
    list[count] = (pair){s->number[r * s->side + c], s->number[to_r * s->side + to_c]};
    return count + 1;
}

// A sheet of side x side nodes. Regular: with both diagonals and links to the next node but one. Otherwise: a random
// triangulation with random numbers.
static sheet make_sheet(int side, bool regular)
{
    sheet s = {.side = side, .nodes = side * side};
    uint32_t seed = 11;
    int links = 0;
    pl_allocator none = {0};
    memory_open(&s.memory, &none);
    s.x = calloc((size_t)s.nodes * 2, sizeof *s.x);
    s.number = calloc((size_t)s.nodes, sizeof *s.number);
    pair *list = calloc((size_t)s.nodes * 8, sizeof *list);
    for (int i = 0; i < s.nodes; i++)
        s.number[i] = i;
    for (int i = s.nodes - 1; i > 0 && !regular; i--)
    {
        int other = (int)(roll(&seed) % (uint32_t)(i + 1));
        int32_t keep = s.number[i];
        s.number[i] = s.number[other], s.number[other] = keep;
    }
    for (int r = 0; r < side; r++)
        for (int c = 0; c < side; c++)
        {
            double *x = s.x + 2 * (size_t)s.number[r * side + c];
            for (int k = 0; k < 2; k++)
                x[k] = (k ? r : c) + (regular ? 0.0 : 0.5 * ((double)roll(&seed) / 16777216.0 - 0.5));
            bool rising = roll(&seed) & 1;
            links = add_pair(&s, list, links, c, r, 1, 0);
            links = add_pair(&s, list, links, c, r, 0, 1);
            if (regular || rising)
                links = add_pair(&s, list, links, c, r, 1, 1);
            if (regular)
            {
                links = add_pair(&s, list, links, c, r, -1, 1);
                links = add_pair(&s, list, links, c, r, 2, 0);
                links = add_pair(&s, list, links, c, r, 0, 2);
            }
            else if (!rising && c + 1 < side && r + 1 < side)
                list[links++] = (pair){s.number[r * side + c + 1], s.number[(r + 1) * side + c]};
        }
    length_graph *g = &s.graph[0];
    assert_int_equal(graph_open(&s.memory, g, s.nodes, 2 * links), PL_OK);
    for (int i = 0; i < links; i++)
        g->start[list[i].a + 1]++, g->start[list[i].b + 1]++;
    for (int i = 0; i < s.nodes; i++)
        g->start[i + 1] += g->start[i];
    for (int i = 0; i < 2 * links; i++)
    {
        pair p = list[i / 2];
        int32_t from = i & 1 ? p.b : p.a, to = i & 1 ? p.a : p.b;
        graph_put(g, g->start[from]++, to, (float)straight(&s, 0, from, to), 0.0f);
    }
    for (int i = s.nodes; i > 0; i--)
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
    for (int i = 0; i < s.nodes; i++)
        g->mass[i] = 1.0f;
    g->pinned[s.number[s.nodes - 1]] = true;
    g->mass[s.number[s.nodes - 1]] = 0.0f;
    free(list);
    graph_sort(g);
    graph_prune(g);
    for (s.count = 1;; s.count++)
    {
        assert_true(s.count < 12);
        assert_int_equal(graph_coarsen(&s.memory, &s.graph[s.count - 1], &s.graph[s.count]), PL_OK);
        if (s.graph[s.count].nodes == 0)
            break;
    }
    return s;
}

static void free_sheet(sheet *s)
{
    for (int i = 0; i < s->count; i++)
        graph_free(&s->memory, &s->graph[i]);
    assert_true(s->memory.bytes == 0);
    free(s->x);
    free(s->number);
}

static void check_parents(const sheet *s, int level)
{
    const length_graph *g = &s->graph[level - 1], *c = &s->graph[level];
    for (int32_t i = 0; i < g->nodes; i++)
    {
        float sum = 0.0f;
        for (int k = 0; k < COARSE_PARENTS; k++)
            sum += g->part[i * COARSE_PARENTS + k];
        assert_float_equal(sum, 1.0f, 1e-6f); // so each has a parent
    }
    double mass = 0.0, fine = 0.0;
    int pinned = 0;
    for (int32_t i = 0; i < g->nodes; i++)
        fine += (double)g->mass[i];
    for (int32_t i = 0; i < c->nodes; i++)
        mass += (double)c->mass[i], pinned += c->pinned[i];
    assert_float_equal(mass, fine, (float)(1e-4 * fine));
    assert_int_equal(pinned, 1); // it is on every level
}

// Returns the mean of bounds over straight distances; least: the least of them. A way over coarse edges that are a little
// too long, since those take detours, may come out a little too short: their triangles do not fit together in a plane.
static double check_bounds(const sheet *s, int level, double least)
{
    const length_graph *g = &s->graph[level];
    double sum = 0.0;
    for (int32_t i = 0; i < g->nodes; i++)
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
        {
            double ratio = (double)g->length[k] / straight(s, level, i, g->to[k]);
            if (!(ratio > least))
                fail_msg("level %d: a bound is %.6f of the distance", level, ratio);
            assert_true(graph_find(g, g->to[k], i) >= 0);
            sum += ratio;
        }
    return sum / (double)g->edges;
}

static void regular_sheet(void **state)
{
    (void)state;
    sheet s = make_sheet(33, true);
    int side = 33;
    for (int level = 1; level < s.count; level++)
    {
        side = (side + 1) / 2;
        assert_int_equal(s.graph[level].nodes, side * side);
        assert_int_equal(s.graph[level].edges, 2 * (2 * side * (side - 1) + 2 * (side - 1) * (side - 1)));
        check_parents(&s, level);
        assert_float_equal(check_bounds(&s, level, 1.0 - 1e-5), 1.0, 1e-5);
    }
    assert_int_equal(side, 3);
    free_sheet(&s);
}

static void random_triangulation(void **state)
{
    (void)state;
    sheet s = make_sheet(40, false);
    assert_true(s.count > 4);
    for (int level = 1; level < s.count; level++)
    {
        check_parents(&s, level);
        double mean = check_bounds(&s, level, level == 1 ? 1.0 - 1e-5 : 0.93);
        print_message("level %d: %d nodes, %d bounds, %.4f of the distance\n", level, s.graph[level].nodes,
                      (int)s.graph[level].edges / 2, mean);
        assert_true(mean < 1.02);
        assert_true(s.graph[level].edges < 24 * (int64_t)s.graph[level].nodes);
    }
    free_sheet(&s);
}

// A chain keeps every second node; one of few nodes is not coarsened at all.
static void chains(void **state)
{
    (void)state;
    for (int nodes = 12; nodes <= 100; nodes += 88)
    {
        memory m;
        pl_allocator none = {0};
        memory_open(&m, &none);
        length_graph g, coarse;
        assert_int_equal(graph_open(&m, &g, nodes, 2 * nodes - 2), PL_OK);
        int64_t at = 0;
        for (int i = 0; i < nodes; i++)
        {
            g.start[i] = at;
            if (i > 0)
                graph_put(&g, at++, i - 1, 0.1f, 1.0f);
            if (i < nodes - 1)
                graph_put(&g, at++, i + 1, 0.1f, 1.0f);
        }
        g.start[nodes] = at;
        graph_sort(&g);
        graph_prune(&g);
        assert_int_equal(graph_coarsen(&m, &g, &coarse), PL_OK);
        assert_int_equal(coarse.nodes, nodes > 12 ? nodes / 2 : 0);
        for (int64_t k = 0; k < coarse.edges; k++)
        {
            assert_float_equal(coarse.length[k], 0.2f, 1e-6f);
            assert_float_equal(coarse.give[k], 2.0f, 1e-6f);
        }
        graph_free(&m, &g);
        graph_free(&m, &coarse);
        assert_true(m.bytes == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_sheet),
        cmocka_unit_test(random_triangulation),
        cmocka_unit_test(chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
