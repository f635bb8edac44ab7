// verify_frame_kinds.c: checks kinds whose ends are frames: gradients by position and by rotation against finite
// differences, in double.
#define LANE_DOUBLE
#define UNROLL // speed does not matter here
#include "query/verify_kinds.h"

#include "elements/kinds.h"

#include <math.h>

typedef void frame_eval(const frame_end *e, const f32 *param, frame_rows *c);
typedef void frame_rest(const frame_end *e, f32 *param);

typedef struct subject
{
    frame_eval *eval;
    frame_rest *rest;
    int parts;
} subject;

// The kernels are always inlined; these wrappers have addresses.
#define WRAP(name, NAME, arity, writes, params, bound, stem, scale, parts)                                             \
    static void eval_##name(const frame_end *e, const f32 *param, frame_rows *c) { stem##_eval(e, param, c); }         \
    static void rest_##name(const frame_end *e, f32 *param) { stem##_rest(e, param); }
PL_FRAME_KINDS(WRAP)

static const subject subjects[PL_KIND_COUNT] = {
#define ENTRY(name, NAME, arity, writes, params, bound, stem, scale, parts)                                            \
    [PL_KIND_##NAME] = {eval_##name, rest_##name, parts},
    PL_FRAME_KINDS(ENTRY)
#undef ENTRY
};

static double dice(uint64_t *seed) // [-1, 1)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

static vec dice_vec(double size, uint64_t *seed)
{
    double x = dice(seed), y = dice(seed), z = dice(seed);
    return vec_of(size * x, size * y, size * z);
}

// Places two ends apart from each other, with random rotations.
static void shake(frame_end *e, uint64_t *seed)
{
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        vec x = dice_vec(0.5, seed);
        e[i].p = (point){x.x + i, x.y, x.z, 1.0 + 0.9 * dice(seed)};
        e[i].q.v = dice_vec(1.0, seed);
        e[i].q.w = dice(seed);
        e[i].q = quat_unit(e[i].q);
        e[i].half = quat_axes(e[i].q);
        e[i].ease = vec_of(1.0 + 0.9 * dice(seed), 1.0 + 0.9 * dice(seed), 1.0 + 0.9 * dice(seed));
        e[i].rotates = 1;
        e[i].world = vec_of(0.0, 0.0, 0.0);
    }
}

// Moves and rotates the ends, by up to about a radian: far beyond what a joint allows.
static void stir(frame_end *e, uint64_t *seed)
{
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        vec by = dice_vec(0.3, seed);
        e[i].p.x += by.x, e[i].p.y += by.y, e[i].p.z += by.z;
        e[i].q = orient_advance(e[i].q, dice_vec(0.4, seed), 1.0f);
        e[i].half = quat_axes(e[i].q);
    }
}

static double part_of(vec v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
static vec along(int axis, double size)
{
    return vec_of(axis == 0 ? size : 0.0, axis == 1 ? size : 0.0, axis == 2 ? size : 0.0);
}
static void grow(double *most, double value) { *most = !(fabs(value) <= *most) ? fabs(value) : *most; }

// Returns the parts of C after end i is moved, or rotated, by a step along an axis.
static frame_rows beside(const subject *s, const frame_end *e, const f32 *param, int i, int axis, bool turned,
                         double step)
{
    frame_end near[FRAME_ENDS] = {e[0], e[1]};
    vec by = along(axis, step);
    if (turned)
        near[i].q = orient_advance(near[i].q, by, 1.0f);
    else
        near[i].p.x += by.x, near[i].p.y += by.y, near[i].p.z += by.z;
    frame_rows c = {.grounded = 0};
    s->eval(near, param, &c);
    return c;
}

static void check_gradients(const subject *s, const frame_end *e, const f32 *param, const frame_rows *c,
                            kind_check *out)
{
    const double step = 1e-5;
    for (int i = 0; i < FRAME_ENDS; i++)
        for (int axis = 0; axis < 3; axis++)
            for (int turned = 0; turned < 2; turned++)
            {
                frame_rows after = beside(s, e, param, i, axis, turned, step);
                frame_rows before = beside(s, e, param, i, axis, turned, -step);
                for (int p = 0; p < s->parts; p++)
                {
                    double slope = (after.value[p] - before.value[p]) / (2.0 * step);
                    grow(&out->gradient, part_of(turned ? c->angular[p][i] : c->linear[p][i], axis) - slope);
                }
            }
}

// Checks that a push conserves both momenta: at the positions of the ends and, balanced, at their start positions.
static void check_sums(const frame_end *e, const frame_rows *c, int parts, const vec *from, kind_check *out)
{
    for (int p = 0; p < parts && !c->grounded; p++)
    {
        vec force = add(c->linear[p][0], c->linear[p][1]), torque = add(c->angular[p][0], c->angular[p][1]);
        for (int i = 0; i < FRAME_ENDS; i++)
            torque = add(torque, cross(from ? from[i] : at(e[i].p), c->linear[p][i]));
        for (int a = 0; a < 3; a++)
        {
            grow(&out->force, part_of(force, a));
            grow(&out->torque, part_of(torque, a));
        }
    }
}

static void check_weights(const frame_end *e, const frame_rows *c, int parts, kind_check *out)
{
    f32 m[VECTOR_HALF];
    frame_weigh(c, e, parts, m);
    for (int p = 0; p < parts; p++)
    {
        double sum = 0.0;
        for (int i = 0; i < FRAME_ENDS; i++)
        {
            mat3 r = quat_axes(e[i].q);
            sum += e[i].p.w * square(c->linear[p][i]);
            for (int a = 0; a < 3; a++)
                sum += part_of(e[i].ease, a) * dot(r.c[a], c->angular[p][i]) * dot(r.c[a], c->angular[p][i]);
        }
        grow(&out->weight, (m[HALF_AT(p, p)] - sum) / sum);
    }
}

kind_check verify_frames(pl_kind kind, int samples)
{
    const subject *s = &subjects[kind];
    kind_check out = {0};
    uint64_t seed = 12345;
    for (int sample = 0; sample < samples; sample++)
    {
        frame_end e[FRAME_ENDS];
        f32 param[PL_MAX_PARAMS] = {0};
        frame_rows c = {.grounded = 0};
        vec moved[FRAME_ENDS], from[FRAME_ENDS];
        shake(e, &seed);
        s->rest(e, param);
        s->eval(e, param, &c);
        for (int p = 0; p < s->parts; p++)
            grow(&out.rest, c.value[p]);
        check_sums(e, &c, s->parts, NULL, &out); // for a vector C this holds only where C is 0
        check_gradients(s, e, param, &c, &out);
        check_weights(e, &c, s->parts, &out);
        stir(e, &seed); // now away from rest
        s->eval(e, param, &c);
        check_gradients(s, e, param, &c, &out);
        for (int i = 0; i < FRAME_ENDS; i++)
        {
            moved[i] = dice_vec(0.3, &seed);
            from[i] = sub(at(e[i].p), moved[i]);
        }
        frame_balance(&c, e, moved, s->parts);
        check_sums(e, &c, s->parts, from, &out);
    }
    return out;
}
