// shaders_mesh.c: the texts of shaders.h for meshes: cloth, solids, glass, and their shadows.
#include "shaders.h"

// clang-format off

const char glsl_mesh_vertex[] = GLSL(
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 front;
    layout(location = 3) in vec4 back;
    layout(location = 4) in vec3 rest;
    out vec3 at;
    out vec3 facing;
    out vec3 woven;
    out vec4 front_colour;
    out vec4 back_colour;

    void main()
    {
        at = position;
        facing = normal;
        woven = rest;
        front_colour = front;
        back_colour = back;
        gl_Position = clip_from_world * vec4(position, 1.0);
    }
);

// A cloth is a plain weave, laid out over its shape at the start: threads cross over and under each other. Where a thread is
// thinner than three pixels, only its mean is left, before it turns into moiré.
const char glsl_mesh_fragment[] = GLSL(
    in vec3 at;
    in vec3 facing;
    in vec3 woven;
    in vec4 front_colour;
    in vec4 back_colour;
    out vec4 colour;

    // The height of the threads, 0 to 1, and how much of it can be seen.
    vec2 weave(vec3 r, float thread)
    {
        vec3 n = abs(cross(dFdx(r), dFdy(r)));
        vec2 uv = (n.y >= n.x && n.y >= n.z ? r.xz : n.x >= n.z ? r.zy : r.xy) / thread;
        float width = max(max(fwidth(r.x), fwidth(r.y)), fwidth(r.z)) / thread;
        vec2 cell = floor(uv);
        vec2 across = abs(sin(3.14159265 * uv)); // of a thread along each
        bool over = mod(cell.x + cell.y, 2.0) < 0.5;
        float high = over ? across.x * (0.55 + 0.45 * across.y) : across.y * (0.55 + 0.45 * across.x);
        return vec2(high, 1.0 - smoothstep(0.14, 0.36, width));
    }

    void main()
    {
        vec3 n = normalize(facing);
        vec3 to_eye = normalize(eye.xyz - at);
        // The triangle itself knows its side better than its smooth normal, which leans away near a fold.
        vec4 c = gl_FrontFacing ? front_colour : back_colour;
        n = gl_FrontFacing ? n : -n;
        float away = dot(n, to_eye);
        n = away < 0.0 ? normalize(n - to_eye * away) : n;
        vec3 albedo = from_srgb(c.rgb);
        if (c.a > 0.75)
        {
            vec2 w = weave(woven, 0.0066 * middle.w);
            float bump = (w.x - 0.62) * w.y;
            albedo *= 1.0 + 0.45 * bump;
            vec3 right = dFdx(at);
            vec3 up = dFdy(at);
            vec3 slope = cross(up, n) * dFdx(bump) + cross(n, right) * dFdy(bump);
            float area = max(abs(dot(cross(right, up), n)), 1e-12);
            n = normalize(n - 0.0010 * middle.w * slope / area);
        }
        colour = vec4(tone(shade(albedo, c.a, at, n)), 1.0);
    }
);

// A wall that is looked through: the more it is seen edge on, the more it mirrors and the deeper its own colour. A box also
// shows its edges: the first two numbers of the back's colour say where on its side a point is.
const char glsl_glass_fragment[] = GLSL(
    in vec3 at;
    in vec3 facing;
    in vec4 front_colour;
    in vec4 back_colour;
    out vec4 colour;

    void main()
    {
        vec3 n = normalize(gl_FrontFacing ? facing : -facing);
        vec3 to_eye = normalize(eye.xyz - at);
        float edge = 1.0 - clamp(dot(n, to_eye), 0.0, 1.0);
        float mirror = edge * edge * edge;
        vec3 h = normalize(sun.xyz + to_eye);
        float spark = pow(max(dot(n, h), 0.0), 90.0);
        vec3 tint = from_srgb(front_colour.rgb) * (0.55 + 0.45 * max(dot(n, sun.xyz), 0.0));
        vec3 deep = tint * vec3(0.22, 0.40, 0.44);
        vec3 c = mix(tint, mix(deep, sky(reflect(-to_eye, n)), 0.35), min(1.6 * mirror, 1.0)) + sun_light * spark;
        vec2 inward = min(back_colour.rg, 1.0 - back_colour.rg) / max(fwidth(back_colour.rg), vec2(1e-5));
        float rim = 1.0 - smoothstep(0.6, 1.6, min(inward.x, inward.y));
        c = mix(c, 0.7 * deep, rim);
        colour = vec4(tone(c), clamp(0.03 + 0.26 * mirror + 0.5 * spark + 0.26 * rim, 0.0, 0.9));
    }
);

const char glsl_shade_vertex[] = GLSL(
    layout(location = 0) in vec3 position;

    void main()
    {
        gl_Position = clip_from_world * vec4(position, 1.0);
    }
);

const char glsl_shade_fragment[] = GLSL(
    void main() {}
);

// clang-format on
