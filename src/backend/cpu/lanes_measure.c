// lanes_measure.c: for every element kind, the constraint value C of its rows, and the parameters for which given
// points are at rest.
#include "backend/cpu/lanes_names.h"
#include "stages/element_stages.h"

#define DEFINE_MEASURE(name, ...)                                                                                      \
    extern measure_fn LANE_NAME(measure_##name);                                                                       \
    void LANE_NAME(measure_##name)(const state *s, int32_t begin, int32_t end, float *values)                          \
    {                                                                                                                  \
        measure_##name(s, begin, end, values);                                                                         \
    }
PL_KINDS(DEFINE_MEASURE)

#if LANES == 1 // scalar functions that all widths share
#define DEFINE_REST(name, NAME, arity, writes, params, bound, stem, ...)                                               \
    extern rest_fn rest_##name;                                                                                        \
    void rest_##name(const float *points, float *param)                                                                \
    {                                                                                                                  \
        point p[ROW_POINTS];                                                                                           \
        for (int i = 0; i < arity; i++)                                                                                \
            p[i] = load_points(points + 4 * i);                                                                        \
        stem##_rest(p, param);                                                                                         \
    }
PL_ROW_KINDS(DEFINE_REST)
PL_VECTOR_KINDS(DEFINE_REST)

#define DEFINE_FRAME_REST(name, NAME, arity, writes, params, bound, stem, ...)                                         \
    extern rest_fn rest_##name;                                                                                        \
    void rest_##name(const float *points, float *param)                                                                \
    {                                                                                                                  \
        frame_end e[FRAME_ENDS];                                                                                       \
        for (int i = 0; i < arity; i++)                                                                                \
        {                                                                                                              \
            quat q = quat_load(points + 4 * (arity + i));                                                              \
            e[i].p = load_points(points + 4 * i);                                                                      \
            e[i].world = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));                                                \
            e[i].rotates = square(q.v) + q.w * q.w > 0.0f;                                                             \
            e[i].q = pick_quat(e[i].rotates, q, quat_identity());                                                      \
        }                                                                                                              \
        stem##_rest(e, param);                                                                                         \
    }
PL_FRAME_KINDS(DEFINE_FRAME_REST)
#endif
