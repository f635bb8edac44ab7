// verify_kinds.c: checks the gradients of the kernels against finite differences, in double.
#define LANE_DOUBLE
#define UNROLL // speed does not matter here
#include "query/verify_kinds.h"

#include "elements/kinds.h"

#include <math.h>
#include <string.h>

// The common form of all kinds for the check: one number, its gradient and its weight. For a block the number is the
// energy at compliance 1, and the gradient is that of J^T S^-1 C: the forces of the parts must be the derivative of the
// energy.
typedef void check_eval(const point *p, const f32 *param, f32 ahead, row *c);
typedef void check_rest(const point *p, f32 *param);

typedef struct subject
{
    check_eval *eval;
    check_rest *rest;
    int arity, writes, params, parts;
} subject;

static void row_of_vector(const point *p, const vector_row *b, f32 energy, int points, int parts, row *c)
{
    f32 force[VECTOR_PARTS], soft[VECTOR_HALF];
    vec stress[VECTOR_COLUMNS];
    memcpy(force, b->value, sizeof force);
    memcpy(soft, b->soft, sizeof soft);
    half_solve(soft, force, parts);
    c->value = energy;
    c->norm = 1.0;
    vector_row_stress(b, force, points - 1, parts, stress);
    for (int i = 0; i < points; i++)
        c->g[i] = vector_row_push(b, stress, i, points - 1);
    c->weight = weigh(p, c->g, points);
}

// The kernels are always inlined; these wrappers have addresses.
#define WRAP_REST(name, stem)                                                                                          \
    static void rest_##name(const point *p, f32 *param) { stem##_rest(p, param); }
#define WRAP_ROW(name, NAME, arity, writes, params, bound, stem, scale, parts)                                         \
    static void eval_##name(const point *p, const f32 *param, f32 ahead, row *c) { stem##_eval(p, param, ahead, c); }  \
    WRAP_REST(name, stem)
#define WRAP_BLOCK(name, NAME, arity, writes, params, bound, stem, scale, parts)                                       \
    static void eval_##name(const point *p, const f32 *param, f32 ahead, row *c)                                       \
    {                                                                                                                  \
        vector_row b;                                                                                                  \
        (void)ahead;                                                                                                   \
        stem##_eval(p, param, &b);                                                                                     \
        row_of_vector(p, &b, stem##_energy(p, param), arity, parts, c);                                                \
    }                                                                                                                  \
    WRAP_REST(name, stem)
PL_ROW_KINDS(WRAP_ROW)
PL_VECTOR_KINDS(WRAP_BLOCK)

static const subject subjects[PL_KIND_COUNT] = {
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale, parts)                                            \
    [PL_KIND_##NAME] = {eval_##name, rest_##name, arity, writes, params, parts},
    PL_ROW_KINDS(ENTRY) PL_VECTOR_KINDS(ENTRY)
#undef ENTRY
};

static double dice(uint64_t *seed) // [-1, 1)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

// Places the points apart from each other: corners of a tetrahedron or a cube, randomly displaced.
static void shake(point *p, int count, uint64_t *seed)
{
    static const double corner[4][3] = {{0, 0, 0}, {1, 0.1, 0}, {0.3, 1, 0.1}, {0.5, -0.9, 0.2}};
    for (int i = 0; i < count; i++)
    {
        const double cube[3] = {i & 1, i >> 1 & 1, i >> 2}, *c = count > 4 ? cube : corner[i];
        p[i].x = c[0] + 0.3 * dice(seed);
        p[i].y = c[1] + 0.3 * dice(seed);
        p[i].z = c[2] + 0.3 * dice(seed);
        p[i].w = 1.0 + 0.9 * dice(seed);
    }
}

// Makes a random rest shape: tetrahedra of positive orientation that are not too flat.
static void upright(const subject *s, point *p, uint64_t *seed)
{
    do
        shake(p, s->arity, seed);
    while (s->parts > 1 && s->arity == 4 &&
           tet_volume_of(sub(at(p[1]), at(p[0])), sub(at(p[2]), at(p[0])), sub(at(p[3]), at(p[0]))) < 0.05);
}

static double *axis_of(point *p, int axis) { return axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z; }
static double part_of(vec v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double value_at(const subject *s, point *p, const f32 *param, int i, int axis, double offset)
{
    row c;
    double *x = axis_of(&p[i], axis), kept = *x;
    *x = kept + offset;
    s->eval(p, param, 0.25, &c);
    *x = kept;
    return c.value;
}

static void grow(double *most, double value) { *most = !(fabs(value) <= *most) ? fabs(value) : *most; }

static void check_sums(const subject *s, const point *p, const row *c, double scale, kind_check *out)
{
    double force[3] = {0}, torque[3] = {0}, weight = 0.0;
    for (int i = 0; i < s->writes; i++)
    {
        const double x[3] = {p[i].x, p[i].y, p[i].z};
        double g[3];
        for (int a = 0; a < 3; a++)
            force[a] += g[a] = part_of(c->g[i], a) / c->norm;
        for (int a = 0; a < 3; a++)
            torque[a] += x[(a + 1) % 3] * g[(a + 2) % 3] - x[(a + 2) % 3] * g[(a + 1) % 3];
        weight += p[i].w * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    }
    grow(&out->weight, (weight - c->weight) / weight);
    for (int a = 0; a < 3 && s->writes > 1; a++)
    {
        grow(&out->force, force[a] / scale);
        grow(&out->torque, torque[a] / scale);
    }
}

static void check_sample(const subject *s, uint64_t *seed, kind_check *out)
{
    const double step = 1e-5;
    point p[ROW_POINTS];
    f32 param[PL_MAX_PARAMS] = {0};
    row c;
    upright(s, p, seed);
    for (int i = 0; i < s->arity && s->parts == 1 && s->arity <= 4; i++)
        p[i].z = 0.25; // every row of up to four points can be at rest when flat
    s->rest(p, param);
    s->eval(p, param, 0.0, &c);
    grow(&out->rest, c.value);
    upright(s, p, seed);
    s->rest(p, param);
    shake(p, s->arity, seed); // deforms the rest shape
    s->eval(p, param, 0.25, &c);
    double scale = 0.0;
    for (int i = 0; i < s->writes; i++)
        for (int a = 0; a < 3; a++)
            grow(&scale, part_of(c.g[i], a) / c.norm);
    for (int i = 0; i < s->writes; i++)
        for (int a = 0; a < 3; a++)
        {
            double slope = (value_at(s, p, param, i, a, step) - value_at(s, p, param, i, a, -step)) / (2.0 * step);
            grow(&out->gradient, (part_of(c.g[i], a) / c.norm - slope) / scale);
        }
    check_sums(s, p, &c, scale, out);
}

kind_check verify_kind(pl_kind kind, int samples)
{
    kind_check out = {0};
    uint64_t seed = 12345;
    if (!subjects[kind].eval)
        return verify_frames(kind, samples);
    for (int i = 0; i < samples; i++)
        check_sample(&subjects[kind], &seed, &out);
    return out;
}
