// author.h: what the tests of authored objects share.
#ifndef PLIANT_TESTS_AUTHOR_H
#define PLIANT_TESTS_AUTHOR_H

#include "support/support.h"

static inline double total_mass(const pl_world *w)
{
    int end = pl_particle_end(w);
    float *m = malloc((size_t)end * sizeof *m);
    double sum = 0.0;
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, end, m));
    for (int i = 0; i < end; i++)
        sum += (double)m[i];
    free(m);
    return sum;
}

static inline float *positions(const pl_world *w)
{
    float *x = malloc(3 * (size_t)pl_particle_end(w) * sizeof *x);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, pl_particle_end(w), x));
    return x;
}

// Everything is at rest as it was laid out.
static inline void at_rest(const pl_world *w, pl_id object)
{
    pl_id blocks[16];
    int count = pl_object_blocks(w, object, blocks, 16);
    assert_true(count > 0 && count <= 16);
    for (int b = 0; b < count; b++)
    {
        pl_kind kind;
        int rows;
        if (pl_block_info(w, blocks[b], &kind, &rows) != PL_OK)
            continue; // faces
        float *c = malloc((size_t)rows * sizeof *c);
        good(pl_get_rows(w, blocks[b], PL_ROW_VALUE, 0, rows, c));
        for (int i = 0; i < rows; i++)
            if (kind == PL_KIND_TETHER)
                assert_true(c[i] <= 0.0f);
            else
                near_to(pl_kind_describe(kind)->name, (double)c[i], 0.0, 1e-4);
        free(c);
    }
}

#endif
