// shaders_bodies.c: the texts of shaders.h for rigid bodies (body_painter.c).
#include "shaders.h"

// clang-format off

// Where a vertex of a shape is in the world.
const char glsl_body_place[] = GLSL(
    layout(location = 0) in vec3 corner;
    layout(location = 1) in vec3 direction;
    layout(location = 2) in vec3 normal;
    layout(location = 3) in vec3 position; // of the shape
    layout(location = 4) in vec4 rotation;
    layout(location = 5) in vec4 size;     // half; w: the radius
    layout(location = 6) in vec4 tint;

    invariant gl_Position; // depths are drawn first, and must be the same again

    vec3 turned(vec3 a)
    {
        vec3 t = 2.0 * cross(rotation.xyz, a);
        return a + t * rotation.w + cross(rotation.xyz, t);
    }

    vec3 in_world()
    {
        return position + turned(corner * size.xyz + direction * size.w);
    }
);

const char glsl_body_vertex[] = GLSL(
    out vec3 at;
    out vec3 facing;
    out vec4 colour_of;
    out vec2 around; // across the axis of the shape

    void main()
    {
        at = in_world();
        facing = turned(normal);
        colour_of = tint;
        around = direction.xz;
        gl_Position = clip_from_world * vec4(at, 1.0);
    }
);

const char glsl_body_shade_vertex[] = GLSL(
    void main()
    {
        gl_Position = clip_from_world * vec4(in_world(), 1.0);
    }
);

// Balls and cylinders have two dark and two light quarters, so that one sees them rotate.
const char glsl_body_fragment[] = GLSL(
    uniform float striped;
    in vec3 at;
    in vec3 facing;
    in vec4 colour_of;
    in vec2 around;
    out vec4 colour;

    void main()
    {
        vec3 n = normalize(facing);
        vec3 to_eye = normalize(eye.xyz - at);
        float away = dot(n, to_eye);
        n = away < 0.0 ? normalize(n - to_eye * away) : n;
        vec3 albedo = from_srgb(colour_of.rgb);
        vec2 edge = clamp(around / max(fwidth(around), vec2(1e-5)), -0.5, 0.5); // half a pixel to either side
        albedo *= 1.0 - 0.38 * striped * (0.5 - 2.0 * edge.x * edge.y);
        colour = vec4(tone(shade(albedo, colour_of.a, at, n)), 1.0);
    }
);

// clang-format on
