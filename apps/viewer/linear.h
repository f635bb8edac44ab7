// linear.h: vectors and matrices for looking at things. Matrices are column-major, as OpenGL takes them.
#ifndef PLIANT_VIEWER_LINEAR_H
#define PLIANT_VIEWER_LINEAR_H

#include <pliant/pliant.h>

#include <math.h>

typedef pl_vec3 vec3;

typedef struct mat4
{
    float m[16];
} mat4;

static inline vec3 v3(float x, float y, float z)
{
    vec3 r = {x, y, z};
    return r;
}
static inline vec3 v3_at(const float *p)
{
    vec3 r = {p[0], p[1], p[2]};
    return r;
}
static inline vec3 add(vec3 a, vec3 b)
{
    vec3 r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}
static inline vec3 sub(vec3 a, vec3 b)
{
    vec3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}
static inline vec3 scale(vec3 a, float s)
{
    vec3 r = {a.x * s, a.y * s, a.z * s};
    return r;
}
static inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 cross(vec3 a, vec3 b)
{
    vec3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
static inline float length(vec3 a) { return sqrtf(dot(a, a)); }
static inline vec3 unit_or(vec3 a, vec3 otherwise)
{
    float l = length(a);
    return l > 1e-20f ? scale(a, 1.0f / l) : otherwise;
}
static inline vec3 unit(vec3 a) { return unit_or(a, v3(0.0f, 1.0f, 0.0f)); }
static inline vec3 mix(vec3 a, vec3 b, float t) { return add(scale(a, 1.0f - t), scale(b, t)); }
// Some direction across a.
static inline vec3 across(vec3 a)
{
    return unit(fabsf(a.y) < 0.9f ? cross(a, v3(0.0f, 1.0f, 0.0f)) : cross(a, v3(1.0f, 0.0f, 0.0f)));
}
static inline vec3 turned(pl_quat q, vec3 a)
{
    vec3 axis = v3(q.x, q.y, q.z), t = scale(cross(axis, a), 2.0f);
    return add(a, add(scale(t, q.w), cross(axis, t)));
}
static inline float clampf(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

mat4 mat4_multiply(const mat4 *a, const mat4 *b);
bool mat4_invert(const mat4 *a, mat4 *out);
mat4 mat4_look(vec3 eye, vec3 target, vec3 up);
mat4 mat4_perspective(float fov_degrees, float aspect, float near, float far);
mat4 mat4_orthographic(float half_width, float half_height, float near, float far);
// a (p, 1), with the division.
vec3 mat4_project(const mat4 *a, vec3 p);

#endif
