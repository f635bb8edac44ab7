// shaders_fluid.c: the texts of shaders.h for the surface of fluids.
#include "shaders.h"

// clang-format off

const char glsl_thickness_fragment[] = GLSL(
    uniform sampler2D depths;
    in vec3 at;
    out vec4 colour;

    void main()
    {
        vec2 uv = gl_FragCoord.xy / screen.xy;
        vec4 p = world_from_clip * vec4(vec3(uv, textureLod(depths, uv, 0.0).r) * 2.0 - 1.0, 1.0);
        float away = min(length(at - eye.xyz), length(p.xyz / p.w - eye.xyz));
        colour = vec4(gl_FrontFacing ? -away : away, 0.0, 0.0, 0.0);
    }
);

// As the sun sees it: how far its rays go through the fluid, for the shade on the floor.
const char glsl_fluid_shade_fragment[] = GLSL(
    in vec3 at;
    out vec4 colour;

    void main()
    {
        float along = dot(at - middle.xyz, forward.xyz);
        colour = vec4(gl_FrontFacing ? -along : along, 0.0, 0.0, 0.0);
    }
);

// What is behind is seen where the bent ray leaves the fluid (Snell), less what the fluid takes on the way (Beer); the rest
// is mirrored (Schlick 1994). The tint is the colour that white has behind one clear length of fluid. The picture has been
// through tone() already, so light is mixed as it is shown.
const char glsl_fluid_fragment[] = GLSL(
    uniform sampler2D depths;
    uniform sampler2D picture;
    uniform sampler2D thickness;
    uniform float clear; // m
    in vec3 at;
    in vec3 facing;
    in vec4 front_colour;
    out vec4 colour;

    vec3 shown(vec3 light)
    {
        return from_srgb(tone(light));
    }

    vec3 around(vec3 d)
    {
        return mix(0.75 * ground_light + vec3(0.06), mirrored(d), smoothstep(-0.25, 0.12, d.y));
    }

    void main()
    {
        vec3 to_eye = normalize(eye.xyz - at);
        vec3 n = normalize(facing);
        float toward = dot(n, to_eye);
        n = toward < 0.02 ? normalize(n + to_eye * (0.02 - toward)) : n; // a smooth normal may lean away at an outline
        toward = max(toward, 0.02);

        vec2 here = gl_FragCoord.xy / screen.xy;
        float thick = max(textureLod(thickness, here, 0.0).r, 0.0);
        vec3 inward = refract(-to_eye, n, 1.0 / 1.33);
        vec4 leaves = clip_from_world * vec4(at + inward * min(thick, 0.6 * middle.w), 1.0);
        vec2 there = clamp(leaves.xy / leaves.w * 0.5 + 0.5, vec2(0.0), vec2(1.0));
        there = textureLod(depths, there, 0.0).r < gl_FragCoord.z ? here : there; // something before the fluid
        thick = mix(thick, max(textureLod(thickness, there, 0.0).r, 0.0), 0.5);

        vec3 tint = from_srgb(front_colour.rgb);
        vec3 passes = exp(log(max(tint, vec3(0.004))) * thick / clear);
        float lit_here = lit(at, n);
        vec3 own = tint * tint * (sky_light + sun_light * (0.3 + 0.4 * max(dot(n, sun.xyz), 0.0)) * lit_here);
        vec3 through = from_srgb(textureLod(picture, there, 0.0).rgb) * passes + shown(own) * 0.4 * (1.0 - passes);

        float edge = 1.0 - toward;
        float mirrors = 0.02 + 0.98 * edge * edge * edge * edge * edge;
        vec3 h = normalize(sun.xyz + to_eye);
        float glint = pow(max(dot(n, h), 0.0), 350.0) * 2.2 + pow(max(dot(n, h), 0.0), 40.0) * 0.06;
        vec3 c = mix(through, shown(around(reflect(-to_eye, n))), min(mirrors, 0.9)) + shown(sun_light) * glint * lit_here;
        vec3 s = sqrt(clamp(c, 0.0, 1.0));
        vec3 q = sqrt(s);
        colour = vec4(clamp(0.662002687 * s + 0.684122060 * q - 0.323583601 * sqrt(q) - 0.0225411470 * c, 0.0, 1.0), 1.0);
    }
);

// clang-format on
