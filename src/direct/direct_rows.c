// direct_rows.c: see direct_rows.h. The kernels of the kinds are compiled once more, with double for a lane.
#define LANE_DOUBLE
#define UNROLL // the factorisation takes the time
#include "direct/direct_rows.h"

#include "elements/kinds.h"
#include "pliant/constraints.h"

#include <string.h>

typedef void evaluate_kind(const direct_input *in, const point *p, direct_value *out);

static void from_row(const direct_input *in, const row *c, int arity, direct_value *out)
{
    const double share = c->norm > 0.0 ? 1.0 / c->norm : 0.0;
    out->c[0] = c->value;
    out->soft[0][0] = 1.0;
    out->motion[0] = in->drift_share * c->drift * share;
    for (int i = 0; i < arity; i++)
    {
        double *g = out->gradient[0][i];
        g[0] = share * c->g[i].x, g[1] = share * c->g[i].y, g[2] = share * c->g[i].z;
        for (int a = 0; a < 3 && in->damped; a++)
            out->motion[0] += g[a] * in->moved[i][a];
    }
}

static void from_block(const direct_input *in, const vector_row *c, int points, int parts, direct_value *out)
{
    const int columns = points - 1;
    out->least_a = c->least_a;
    for (int i = 0; i < parts; i++)
    {
        out->c[i] = c->value[i];
        for (int j = 0; j <= i; j++)
            out->soft[i][j] = parts_are_coupled(columns, parts, i, j) ? c->soft[HALF_AT(i, j)] : 0.0;
        for (int k = 0; k < points; k++)
        {
            double *g = out->gradient[i][k];
            for (int m = 0; m < columns; m++)
                if (part_uses_column(columns, parts, i, m))
                {
                    g[0] += c->b[k][m] * c->h[i][m].x;
                    g[1] += c->b[k][m] * c->h[i][m].y;
                    g[2] += c->b[k][m] * c->h[i][m].z;
                }
            for (int a = 0; a < 3 && in->damped; a++)
                out->motion[i] += g[a] * in->moved[k][a];
        }
    }
}

// C = sum_i weight_i x_i - target, component by component.
static void from_vector(const direct_input *in, int points, const double *weight, const double *target,
                        const double *travel, direct_value *out)
{
    for (int a = 0; a < 3; a++)
    {
        out->c[a] = -target[a];
        out->soft[a][a] = 1.0;
        out->motion[a] = -in->drift_share * travel[a];
        for (int i = 0; i < points; i++)
        {
            out->c[a] += weight[i] * in->x[i][a];
            out->gradient[a][i][a] = weight[i];
            if (in->damped)
                out->motion[a] += weight[i] * in->moved[i][a];
        }
    }
}

#define ROW(name, NAME, arity, writes, params, bound, stem, scale, parts)                                              \
    static void evaluate_##name(const direct_input *in, const point *p, direct_value *out)                             \
    {                                                                                                                  \
        row c;                                                                                                         \
        c.drift = 0.0;                                                                                                 \
        stem##_eval(p, in->param, in->ahead, &c);                                                                      \
        from_row(in, &c, arity, out);                                                                                  \
    }
#define BLOCK(name, NAME, arity, writes, params, bound, stem, scale, parts)                                            \
    static void evaluate_##name(const direct_input *in, const point *p, direct_value *out)                             \
    {                                                                                                                  \
        vector_row c;                                                                                                  \
        stem##_eval(p, in->param, &c);                                                                                 \
        from_block(in, &c, arity, parts, out);                                                                         \
    }
PL_ROW_KINDS(ROW)
PL_VECTOR_KINDS(BLOCK)

typedef struct facts
{
    evaluate_kind *evaluate;
    int arity, parts;
} facts;

static const facts kinds[] = {
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale, parts)                                            \
    [PL_KIND_##NAME] = {evaluate_##name, arity, parts},
    PL_ROW_KINDS(ENTRY) PL_VECTOR_KINDS(ENTRY)
#undef ENTRY
};

int direct_parts(int kind) { return kind == PL_KIND_PIN || kind == PL_KIND_ISOMETRIC ? 3 : kinds[kind].parts; }

void direct_evaluate(int kind, const direct_input *in, direct_value *out)
{
    static const double one = 1.0, none[3];
    const double *param = in->param;
    point p[ROW_POINTS];
    memset(out, 0, sizeof *out);
    for (int i = 0; i < kinds[kind].arity; i++)
        p[i] = (point){in->x[i][0], in->x[i][1], in->x[i][2], in->inverse_mass[i]};
    if (kind == PL_KIND_PIN)
    {
        const double target[3] = {param[0] - in->ahead * param[3], param[1] - in->ahead * param[4],
                                  param[2] - in->ahead * param[5]};
        from_vector(in, 1, &one, target, param + 3, out);
    }
    else if (kind == PL_KIND_ISOMETRIC)
        from_vector(in, 4, param, none, none, out);
    else
        kinds[kind].evaluate(in, p, out);
}
