// kernel.h: what the tests of the kinds share: points, and one visit of a row as the solver does it.
#ifndef PLIANT_TESTS_KERNEL_H
#define PLIANT_TESTS_KERNEL_H

#include "support/support.h"

#include "elements/kinds.h"

static inline point point_of(float x, float y, float z, float w)
{
    point p = {x, y, z, w};
    return p;
}

#define KERNEL_WRAP(name, NAME, arity, writes, params, bound, stem, ...)                                               \
    static inline void eval_##name(const point *p, const float *param, float ahead, row *c)                            \
    {                                                                                                                  \
        stem##_eval(p, param, ahead, c);                                                                               \
    }                                                                                                                  \
    static inline void rest_##name(const point *p, float *param) { stem##_rest(p, param); }
PL_ROW_KINDS(KERNEL_WRAP)

typedef struct kernel
{
    const char *name;
    void (*eval)(const point *p, const float *param, float ahead, row *c);
    void (*rest)(const point *p, float *param);
    int arity, writes, params, bound;
} kernel;

enum
{
#define KERNEL_COUNT(...) +1
    ROW_KINDS = 0 PL_ROW_KINDS(KERNEL_COUNT) // they come first
#undef KERNEL_COUNT
};

static const kernel kernels[ROW_KINDS] = {
#define KERNEL_ENTRY(name, NAME, arity, writes, params, bound, ...)                                                    \
    [PL_KIND_##NAME] = {#name, eval_##name, rest_##name, arity, writes, params, bound},
    PL_ROW_KINDS(KERNEL_ENTRY)
#undef KERNEL_ENTRY
};

// One Gauss-Seidel visit; returns C before it.
static inline float visit_once(const kernel *k, point *p, const float *param, const softness *soft, float *lambda,
                               int mode)
{
    row c;
    k->eval(p, param, 0.0f, &c);
    float s = visit(&c, soft, lambda, mode, k->bound);
    for (int i = 0; i < k->writes; i++)
        move(&p[i], s, c.g[i]);
    return c.value;
}

static inline float value_of(const kernel *k, const point *p, const float *param)
{
    row c;
    k->eval(p, param, 0.0f, &c);
    return c.value;
}

// The eight corners of a cube, displaced by up to a fifth.
static inline void shake_cube(point *p, uint64_t *seed)
{
    for (int i = 0; i < 8; i++)
    {
        float x = (float)(i & 1) + 0.2f * dice(seed), y = (float)(i >> 1 & 1) + 0.2f * dice(seed);
        p[i] = point_of(x, y, (float)(i >> 2) + 0.2f * dice(seed), 1.0f + 0.9f * dice(seed));
    }
}

// Four points apart from each other, flat or not.
static inline void shake(point *p, float height, uint64_t *seed)
{
    static const float corner[4][3] = {{0, 0, 0}, {1, 0.1f, 0}, {0.3f, 1, 0.1f}, {0.5f, -0.9f, 0.2f}};
    for (int i = 0; i < 4; i++)
        p[i] = point_of(corner[i][0] + 0.2f * dice(seed), corner[i][1] + 0.2f * dice(seed),
                        height * (corner[i][2] + 0.5f * dice(seed)), 1.0f + 0.9f * dice(seed));
}

#endif
