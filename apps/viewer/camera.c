// camera.c: see camera.h.
#include "camera.h"

struct bounds bounds_of(const float *position, int count)
{
    struct bounds b = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (count > 0)
    {
        b.min = b.max = v3_at(position);
    }
    for (int i = 1; i < count; i++)
    {
        const float *p = position + 3 * (size_t)i;
        b.min = v3(fminf(b.min.x, p[0]), fminf(b.min.y, p[1]), fminf(b.min.z, p[2]));
        b.max = v3(fmaxf(b.max.x, p[0]), fmaxf(b.max.y, p[1]), fmaxf(b.max.z, p[2]));
    }
    return b;
}

struct bounds bounds_join(const struct bounds *a, const struct bounds *b)
{
    return (struct bounds){
        v3(fminf(a->min.x, b->min.x), fminf(a->min.y, b->min.y), fminf(a->min.z, b->min.z)),
        v3(fmaxf(a->max.x, b->max.x), fmaxf(a->max.y, b->max.y), fmaxf(a->max.z, b->max.z)),
    };
}

vec3 bounds_centre(const struct bounds *b) { return scale(add(b->min, b->max), 0.5f); }

float bounds_radius(const struct bounds *b)
{
    float radius = 0.5f * length(sub(b->max, b->min));
    return radius > 1e-3f && radius < 1e9f ? radius : 1.0f;
}

void camera_frame(struct camera *c, const struct bounds *b, float aspect)
{
    // The narrower of the two angles decides.
    float half = tanf(c->fov * (float)M_PI / 360.0f);
    half = atanf(half * (aspect < 1.0f ? aspect : 1.0f));
    vec3 back = unit_or(sub(c->eye, c->target), v3(0.0f, 0.0f, 1.0f));
    c->target = bounds_centre(b);
    c->eye = add(c->target, scale(back, 0.98f * bounds_radius(b) / sinf(half)));
}

struct camera camera_fit(const struct bounds *b, float aspect)
{
    struct camera c = {.eye = v3(0.42f, 0.15f, 1.0f), .fov = 35.0f};
    camera_frame(&c, b, aspect);
    return c;
}

void camera_orbit(struct camera *c, float yaw, float pitch)
{
    vec3 d = sub(c->eye, c->target);
    float r = length(d), flat = sqrtf(d.x * d.x + d.z * d.z);
    float angle = atan2f(d.x, d.z) + yaw;
    float height = clampf(atan2f(d.y, flat) + pitch, -1.55f, 1.55f); // never quite overhead: "up" would be lost
    c->eye = add(c->target, v3(r * cosf(height) * sinf(angle), r * sinf(height), r * cosf(height) * cosf(angle)));
}

void camera_pan(struct camera *c, float right, float up)
{
    mat4 view = camera_view(c);
    float span = 2.0f * length(sub(c->eye, c->target)) * tanf(c->fov * (float)M_PI / 360.0f);
    vec3 x = v3(view.m[0], view.m[4], view.m[8]), y = v3(view.m[1], view.m[5], view.m[9]);
    vec3 shift = add(scale(x, right * span), scale(y, up * span));
    c->eye = add(c->eye, shift);
    c->target = add(c->target, shift);
}

void camera_zoom(struct camera *c, float factor)
{
    vec3 d = scale(sub(c->eye, c->target), factor);
    float l = length(d);
    c->eye = l > 1e-3f && l < 1e6f ? add(c->target, d) : c->eye;
}

mat4 camera_view(const struct camera *c) { return mat4_look(c->eye, c->target, v3(0.0f, 1.0f, 0.0f)); }

mat4 camera_clip_from_world(const struct camera *c, float aspect, vec3 centre, float radius)
{
    float distance = length(sub(centre, c->eye));
    float near =
        0.04f * fminf(distance, length(sub(c->target, c->eye))); // the ground before the scene is to be seen too
    mat4 projection = mat4_perspective(c->fov, aspect, near, distance + 60.0f * radius);
    mat4 view = camera_view(c);
    return mat4_multiply(&projection, &view);
}

void camera_ray(const struct camera *c, float aspect, float x, float y, vec3 *origin, vec3 *direction)
{
    mat4 view = camera_view(c);
    float t = tanf(c->fov * (float)M_PI / 360.0f);
    vec3 right = v3(view.m[0], view.m[4], view.m[8]), up = v3(view.m[1], view.m[5], view.m[9]);
    vec3 forward = v3(-view.m[2], -view.m[6], -view.m[10]);
    *origin = c->eye;
    *direction = unit(add(forward, add(scale(right, x * t * aspect), scale(up, y * t))));
}
