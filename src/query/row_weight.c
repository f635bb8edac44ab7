// row_weight.c: computes W = sum w |grad C|^2 of rows with the gradients of the kernels: it compiles their headers with
// double as the lane type.
#define LANE_DOUBLE
#define UNROLL // speed does not matter here
#include "query/row_weight.h"

#include "elements/kinds.h"

// W of a row; of a block, the mean eigenvalue of S^-1 J W J^T.
typedef double weight_of(const point *p, const f32 *param);

static double block_weight(const point *p, const vector_row *b, int points, int parts)
{
    f32 weight[VECTOR_HALF], trace = 0.0;
    block_weigh(b, p, points, parts, weight);
    for (int i = 0; i < parts; i++)
    {
        f32 soft[VECTOR_HALF], column[VECTOR_PARTS];
        for (int k = 0; k < HALF_AT(parts, 0); k++)
            soft[k] = b->soft[k];
        for (int j = 0; j < parts; j++)
            column[j] = weight[j <= i ? HALF_AT(i, j) : HALF_AT(j, i)];
        half_solve(soft, column, parts);
        trace += column[i];
    }
    return trace / parts;
}

// The kernels are always inlined; these wrappers have addresses.
#define ROW_WEIGHT(name, NAME, arity, writes, params, bound, stem, scale, parts)                                       \
    static double weight_##name(const point *p, const f32 *param)                                                      \
    {                                                                                                                  \
        row c;                                                                                                         \
        stem##_eval(p, param, 0.0, &c);                                                                                \
        return c.weight;                                                                                               \
    }
#define BLOCK_WEIGHT(name, NAME, arity, writes, params, bound, stem, scale, parts)                                     \
    static double weight_##name(const point *p, const f32 *param)                                                      \
    {                                                                                                                  \
        vector_row b;                                                                                                  \
        stem##_eval(p, param, &b);                                                                                     \
        return block_weight(p, &b, arity, parts);                                                                      \
    }
PL_ROW_KINDS(ROW_WEIGHT)
PL_VECTOR_KINDS(BLOCK_WEIGHT)

static weight_of *const weights[PL_KIND_COUNT] = {
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale, parts) [PL_KIND_##NAME] = weight_##name,
    PL_ROW_KINDS(ENTRY) PL_VECTOR_KINDS(ENTRY)
#undef ENTRY
};

double row_weight(int kind, const double x[][4], const double *param)
{
    point p[ROW_POINTS] = {{0}};
    if (!weights[kind])
        return 0.0;
    for (int i = 0; i < ROW_POINTS; i++)
        p[i] = (point){x[i][0], x[i][1], x[i][2], x[i][3]};
    return weights[kind](p, param);
}
