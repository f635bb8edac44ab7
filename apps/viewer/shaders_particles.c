// shaders_particles.c: the texts of shaders.h for particles: balls, and specks where there are very many.
#include "shaders.h"

// clang-format off

const char glsl_ball_vertex[] = GLSL(
    layout(location = 0) in vec4 sphere;
    layout(location = 1) in vec4 tint;
    out vec4 ball;
    out vec4 ball_tint;

    void main()
    {
        ball = sphere;
        ball_tint = tint;
    }
);

// A square across the line of sight, just large enough for the silhouette.
const char glsl_ball_geometry[] = GLSL(
    layout(points) in;
    layout(triangle_strip, max_vertices = 4) out;
    in vec4 ball[];
    in vec4 ball_tint[];
    flat out vec4 centre;
    flat out vec4 tint;
    out vec3 at;

    void main()
    {
        vec3 to = ball[0].xyz - eye.xyz;
        float r = ball[0].w;
        float far = dot(to, to);
        vec3 d = eye.w > 0.5 ? normalize(to) : forward.xyz;
        float reach = eye.w > 0.5 ? r * sqrt(far / max(far - r * r, 1e-6 * far)) : r;
        reach *= 1.05; // room for the soft edge
        vec3 u = normalize(abs(d.y) < 0.9 ? cross(d, vec3(0.0, 1.0, 0.0)) : cross(d, vec3(1.0, 0.0, 0.0)));
        vec3 v = cross(u, d);
        for (int i = 0; i < 4; i++)
        {
            at = ball[0].xyz + reach * ((i & 1) == 0 ? -u : u) + reach * (i < 2 ? -v : v);
            centre = ball[0];
            tint = ball_tint[0];
            gl_Position = clip_from_world * vec4(at, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
);

// Where the ray meets the sphere. Near the silhouette the coverage falls off over a pixel.
const char glsl_ball_fragment[] = GLSL(
    flat in vec4 centre;
    flat in vec4 tint;
    in vec3 at;
    out vec4 colour;

    void main()
    {
        vec3 from = eye.w > 0.5 ? eye.xyz : at - forward.xyz * forward.w;
        vec3 d = eye.w > 0.5 ? normalize(at - eye.xyz) : forward.xyz;
        vec3 to = centre.xyz - from;
        float along = dot(to, d);
        vec3 miss = to - d * along;
        float away = length(miss);
        float width = fwidth(away);
        float cover = clamp((centre.w - away) / max(width, 1e-9) + 0.5, 0.0, 1.0);
        if (cover <= 0.0)
        {
            discard;
        }
        float depth = sqrt(max(centre.w * centre.w - away * away, 0.0));
        vec3 p = from + d * (along - depth);
        vec4 clip = clip_from_world * vec4(p, 1.0);
        gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
        vec3 n = normalize(p - centre.xyz);
        colour = vec4(tone(shade(from_srgb(tint.rgb), tint.a, p, n)), cover);
    }
);

// The same as the sun sees it: only the depth.
const char glsl_ball_shade_fragment[] = GLSL(
    flat in vec4 centre;
    in vec3 at;

    void main()
    {
        vec3 away = at - centre.xyz;
        float depth = centre.w * centre.w - dot(away, away);
        if (depth <= 0.0)
        {
            discard;
        }
        vec4 clip = clip_from_world * vec4(at - forward.xyz * sqrt(depth), 1.0);
        gl_FragDepth = clamp(0.5 + 0.5 * clip.z, 0.0, 1.0);
    }
);

// Very many, each only a few pixels wide: points with the depth of their middles. What is the same all over one is found here,
// once.
const char glsl_speck_vertex[] = GLSL(
    layout(location = 0) in vec4 sphere;
    layout(location = 1) in vec4 tint;
    uniform float pixels; // the height in pixels of one metre at a distance of one metre
    flat out vec4 speck; // its colour, and its share of sun

    void main()
    {
        vec3 q = (shadow_from_world * vec4(sphere.xyz + 1.6 * sphere.w * sun.xyz, 1.0)).xyz; // one look, from above itself
        bool open = ground.w == 0.0 || any(greaterThan(abs(q - 0.5), vec3(0.5)));
        speck = vec4(from_srgb(tint.rgb), open ? 1.0 : textureLod(shadow_map, q, 0.0));
        gl_Position = clip_from_world * vec4(sphere.xyz, 1.0);
        gl_PointSize = clamp(2.0 * sphere.w * pixels / max(eye.w > 0.5 ? gl_Position.w : 1.0, 1e-6), 1.0, 250.0);
    }
);

const char glsl_speck_fragment[] = GLSL(
    flat in vec4 speck;
    uniform vec3 picture_right;
    uniform vec3 picture_up;
    out vec4 colour;

    void main()
    {
        vec2 d = gl_PointCoord * 2.0 - 1.0;
        float z = 1.0 - dot(d, d);
        if (z < 0.0)
        {
            discard;
        }
        vec3 n = picture_right * d.x - picture_up * d.y - forward.xyz * sqrt(z);
        vec3 around = mix(ground_light, sky_light, 0.5 + 0.5 * n.y);
        colour = vec4(tone(speck.rgb * (around + sun_light * (speck.a * max(dot(n, sun.xyz), 0.0)))), 1.0);
    }
);

// As the sun sees them: squares.
const char glsl_speck_shade_vertex[] = GLSL(
    layout(location = 0) in vec4 sphere;
    uniform float pixels;

    void main()
    {
        gl_Position = clip_from_world * vec4(sphere.xyz, 1.0);
        gl_PointSize = clamp(2.0 * sphere.w * pixels, 1.0, 250.0);
    }
);

// clang-format on
