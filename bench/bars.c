// bars.c: the benchmark scenes of tetrahedra: bars of cells in five each, one end held, and how many of them are inside out.
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static int bar_node(const int *cells, int x, int y, int z) { return (x * (cells[1] + 1) + y) * (cells[2] + 1) + z; }

// A cell's five tetrahedra; cells alternate, so that the diagonals of neighbours meet.
static void add_cell(scene *s, const int *cells, int x, int y, int z)
{
    static const int even[5][4] = {{0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}};
    for (int t = 0; t < 5; ++t)
    {
        for (int c = 0; c < 4; ++c)
        {
            int flip = (x + y + z) & 1; // mirrored along x in odd cells, and so the other way round
            int corner = even[t][flip && c > 1 ? 5 - c : c];
            int cx = (corner & 1) ^ flip, cy = corner >> 1 & 1, cz = corner >> 2 & 1;
            s->tet[4 * s->tets + c] = bar_node(cells, x + cx, y + cy, z + cz);
        }
        ++s->tets;
    }
}

// Of the orders tried, the one with which Bullet is fastest and leaves the least error.
static int compare_links(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : p[1] != q[1] ? (p[1] < q[1] ? -1 : 1) : 0;
}

bool make_bar(scene *s, const int *cells)
{
    int across = (cells[1] + 1) * (cells[2] + 1), particles = (cells[0] + 1) * across;
    int count = cells[0] * cells[1] * cells[2];
    if (!scene_reserve(s, particles, count * 5 * 6, count * 5))
    {
        return false;
    }
    for (int i = 0; i < particles; ++i)
    {
        s->position[3 * i] = 0.1f * (float)(i / across);
        s->position[3 * i + 1] = 0.1f * (float)(i / (cells[2] + 1) % (cells[1] + 1));
        s->position[3 * i + 2] = 0.1f * (float)(i % (cells[2] + 1));
        s->mass[i] = i < across ? 0.0f : 0.1f;
    }
    for (int i = 0; i < count; ++i)
    {
        add_cell(s, cells, i / (cells[1] * cells[2]), i / cells[2] % cells[1], i % cells[2]);
    }
    for (int t = 0; t < s->tets; ++t)
    {
        for (int e = 0; e < 6; ++e)
        {
            static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            int a = s->tet[4 * t + pair[e][0]], b = s->tet[4 * t + pair[e][1]];
            scene_add_link(s, a < b ? a : b, a < b ? b : a);
        }
    }
    qsort(s->link, (size_t)s->links, 2 * sizeof *s->link, compare_links);
    int kept = 0;
    for (int k = 0; k < s->links; ++k)
    {
        if (kept == 0 || compare_links(s->link + 2 * k, s->link + 2 * (kept - 1)) != 0)
        {
            memmove(s->link + 2 * kept++, s->link + 2 * k, 2 * sizeof *s->link);
        }
    }
    s->links = kept;
    return true;
}

int tets_inverted(const scene *s, const float *x)
{
    int inverted = 0;
    for (int t = 0; t < s->tets; ++t)
    {
        double e[3][3];
        const float *a = x + 3 * (size_t)s->tet[4 * t];
        for (int k = 0; k < 9; ++k)
        {
            e[k / 3][k % 3] = (double)x[3 * (size_t)s->tet[4 * t + 1 + k / 3] + (size_t)(k % 3)] - (double)a[k % 3];
        }
        double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                        e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                        e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        inverted += !(volume > 0.0);
    }
    return inverted;
}
