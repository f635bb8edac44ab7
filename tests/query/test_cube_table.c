// The table of marching cubes: two cells that share a face leave no gap, whatever is inside of them.
#include "query/fluid_surface/cube_table.h"
#include "support/support.h"

#include <string.h>

// The corners of two cells: 3 along the axis, 2 along each of the others.
typedef struct pair_of_cells
{
    int axis, step[3];
    int inside[2]; // of each cell, by its own corners
} pair_of_cells;

static int place_of(const pair_of_cells *p, int cell, int corner)
{
    int place = cell * p->step[p->axis];
    for (int c = 0; c < 3; c++)
        place += (corner >> c & 1) * p->step[c];
    return place;
}

static pair_of_cells pair_for(int axis, int bits)
{
    pair_of_cells p = {.axis = axis};
    for (int c = 0, next = 3; c < 3; c++)
    {
        p.step[c] = c == axis ? 1 : next;
        next *= c == axis ? 1 : 2;
    }
    for (int i = 0; i < 16; i++)
        p.inside[i / 8] |= (bits >> place_of(&p, i / 8, i % 8) & 1) << i % 8;
    return p;
}

// The vertex on an edge of a cell, as a number; -1: it is not on the face between the cells.
static int vertex_of(const cube_table *t, const pair_of_cells *p, int cell, int edge)
{
    int start = t->start[edge], axis = t->axis[edge];
    bool between = axis != p->axis && (start >> p->axis & 1) + cell == 1;
    return between ? 3 * place_of(p, cell, start) + axis : -1;
}

static void any_two_cells_fit(void **state)
{
    (void)state;
    cube_table t;
    cube_table_fill(&t);
    for (int i = 0; i < 3 * 4096; i++)
    {
        pair_of_cells p = pair_for(i / 4096, i % 4096);
        int runs[36][36] = {{0}};
        for (int cell = 0; cell < 2; cell++)
            for (int k = 0; k < 3 * t.count[p.inside[cell]]; k++)
            {
                const uint8_t *edge = t.edge[p.inside[cell]];
                int a = vertex_of(&t, &p, cell, edge[k]), b = vertex_of(&t, &p, cell, edge[k - k % 3 + (k + 1) % 3]);
                if (a >= 0 && b >= 0)
                    runs[a][b]++;
            }
        for (int a = 0; a < 36; a++) // one cell runs through the edge one way, the other one back
            for (int b = 0; b < a; b++)
                assert_true(runs[a][b] == runs[b][a] && runs[a][b] <= 1);
    }
}

// The vertices of a cell's triangles are where an edge leaves the inside, and all of those.
static void triangles_use_what_is_crossed(void **state)
{
    (void)state;
    cube_table t;
    cube_table_fill(&t);
    for (int inside = 0; inside < 256; inside++)
    {
        int used = 0, crossed = 0;
        for (int k = 0; k < 3 * t.count[inside]; k++)
            used |= 1 << t.edge[inside][k];
        for (int e = 0; e < CUBE_EDGES; e++)
        {
            int a = t.start[e], b = a | 1 << t.axis[e];
            crossed |= ((inside >> a ^ inside >> b) & 1) << e;
        }
        assert_int_equal(used, crossed);
        assert_true(t.count[inside] <= CUBE_TRIANGLES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_two_cells_fit),
                                       cmocka_unit_test(triangles_use_what_is_crossed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
