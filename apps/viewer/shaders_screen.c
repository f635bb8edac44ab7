// shaders_screen.c: the texts of shaders.h for the ground, the sky and what is done to a whole picture.
#include "shaders.h"

// clang-format off

// The least depth of 8 x 8 texels of the shadow map.
const char glsl_blockers_fragment[] = GLSL(
    uniform sampler2D depths;
    out vec4 colour;

    void main()
    {
        ivec2 corner = 8 * ivec2(gl_FragCoord.xy);
        float least = 1.0;
        for (int y = 0; y < 8; y++)
        {
            for (int x = 0; x < 8; x++)
            {
                least = min(least, texelFetch(depths, corner + ivec2(x, y), 0).r);
            }
        }
        colour = vec4(least, 0.0, 0.0, 1.0);
    }
);

const char glsl_floor_vertex[] = GLSL(
    out vec3 at;

    void main()
    {
        vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
        at = vec3(middle.x + corner.x * ground.z, ground.x, middle.z + corner.y * ground.z);
        gl_Position = clip_from_world * vec4(at, 1.0);
    }
);

const char glsl_floor_fragment[] = GLSL(
    uniform sampler2D thickness; // of fluid before the sun
    uniform float clear;         // m; 0: there is none
    in vec3 at;
    out vec4 colour;

    // What fluid leaves of the sun: blurred as shadows are.
    vec3 sun_through_fluid()
    {
        vec3 q = (shadow_from_world * vec4(at, 1.0)).xyz;
        if (clear == 0.0 || ground.w == 0.0 || any(greaterThan(abs(q - 0.5), vec3(0.5))))
        {
            return vec3(1.0);
        }
        float sum = 0.0;
        vec2 d = vec2(1.0, 0.0);
        for (float i = 0.5; i < screen.z; i += 1.0)
        {
            sum += max(textureLod(thickness, q.xy + sun.w * sqrt(i / screen.z) * d, 0.0).r, 0.0);
            d = vec2(-0.7373688 * d.x - 0.6754903 * d.y, 0.6754903 * d.x - 0.7373688 * d.y);
        }
        float part = 1.0 - exp(-4.0 * sum / (screen.z * clear));
        return mix(vec3(1.0), vec3(0.45, 0.60, 0.66), part);
    }

    float line(vec2 p, float width)
    {
        vec2 w = fwidth(p);
        vec2 d = abs(fract(p - 0.5) - 0.5);
        vec2 on = clamp((width - d) / max(w, vec2(1e-6)) + 0.5, 0.0, 1.0);
        on *= clamp(1.5 - 3.0 * w, 0.0, 1.0); // cells smaller than a few pixels are left out
        return max(on.x, on.y);
    }

    void main()
    {
        vec3 d = normalize(at - eye.xyz);
        float thin = 0.35 * line(at.xz / ground.y, 0.006);
        float thick = 0.75 * line(at.xz / (5.0 * ground.y), 0.002);
        vec3 albedo = mix(vec3(0.152, 0.158, 0.168), vec3(0.088, 0.092, 0.100), max(thin, thick));
        vec3 c = albedo * (sky_light + 0.82 * sun_light * sun.y * lit(at, vec3(0.0, 1.0, 0.0)) * sun_through_fluid());
        float off = length(at.xz - middle.xz);
        float pool = off / (3.6 * middle.w); // the light falls off around the scene
        c *= mix(0.42, 1.0, exp(-pool * pool));
        float haze = smoothstep(0.10, 0.80, off / ground.z);
        colour = vec4(tone(mix(c, sky(normalize(vec3(d.x, 0.0, d.z))), haze)), 1.0);
    }
);

const char glsl_screen_vertex[] = GLSL(
    out vec2 uv;
    out vec3 ray; // from the eye to the far end

    void main()
    {
        uv = vec2(float((gl_VertexID & 1) * 2), float((gl_VertexID >> 1) * 2));
        vec4 p = world_from_clip * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
        ray = p.xyz / p.w - eye.xyz;
        gl_Position = vec4(uv * 2.0 - 1.0, 1.0, 1.0);
    }
);

const char glsl_sky_fragment[] = GLSL(
    in vec3 ray;
    out vec4 colour;

    void main()
    {
        colour = vec4(tone(sky(normalize(ray))), 1.0);
    }
);

// How much of the surroundings a point sees, guessed from the depths around it: the cue for contacts and folds.
const char glsl_contact_fragment[] = GLSL(
    uniform sampler2D depths;
    out vec4 colour;

    const vec2 spiral[12] = vec2[12](
        vec2(0.2041, 0.0000), vec2(-0.2607, 0.2388), vec2(0.0399, -0.4547), vec2(0.3286, 0.4286),
        vec2(-0.6030, -0.1067), vec2(0.5712, -0.3634), vec2(-0.1911, 0.7107), vec2(-0.3644, -0.7016),
        vec2(0.7906, 0.2887), vec2(-0.8224, 0.3395), vec2(0.3965, -0.8472), vec2(0.2930, 0.9341));

    // Of the pixel that `at` lies in: its own centre, for its own depth.
    vec3 point(vec2 at)
    {
        at = (floor(at * screen.xy) + 0.5) / screen.xy;
        vec4 p = world_from_clip * vec4(vec3(at, textureLod(depths, at, 0.0).r) * 2.0 - 1.0, 1.0);
        return p.xyz / p.w;
    }

    void main()
    {
        vec2 pixel = 1.0 / screen.xy;
        vec2 here = (2.0 * floor(gl_FragCoord.xy) + 0.5) * pixel;
        float depth = textureLod(depths, here, 0.0).r;
        vec3 p = point(here);
        float away_from_eye = length(p - eye.xyz);
        float near = 1.0 - smoothstep(2.0, 4.0, length(p - middle.xyz) / middle.w); // far off, depths are too coarse
        colour = vec4(1.0, away_from_eye, 0.0, 1.0);
        if (depth == 1.0 || near == 0.0)
        {
            return;
        }
        // The flatter of the two sides, so that a silhouette does not bend the normal.
        vec3 r = point(here + vec2(pixel.x, 0.0)) - p;
        vec3 l = p - point(here - vec2(pixel.x, 0.0));
        vec3 t = point(here + vec2(0.0, pixel.y)) - p;
        vec3 b = p - point(here - vec2(0.0, pixel.y));
        vec3 dx = dot(r, r) < dot(l, l) ? r : l;
        vec3 dy = dot(t, t) < dot(b, b) ? t : b;
        vec3 n = normalize(cross(dx, dy));
        float reach = 0.16 * middle.w;
        vec4 edge = clip_from_world * vec4(p + reach * normalize(cross(normalize(p - eye.xyz), vec3(0.0, 1.0, 0.001))), 1.0);
        float size = min(length(edge.xy / edge.w * 0.5 + 0.5 - here), 0.12);
        float turn = 6.2831853 * fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
        vec2 x = size * vec2(cos(turn), sin(turn) * screen.x / screen.y);
        vec2 y = size * vec2(-sin(turn), cos(turn) * screen.x / screen.y);
        float sum = 0.0;
        for (int i = 0; i < 12; i++)
        {
            vec2 off = spiral[i].x * x + spiral[i].y * y;
            vec3 d = point(here + off) - p;
            float away = length(d);
            sum += max(dot(d, n) / max(away, 1e-9) - 0.08, 0.0) * (1.0 - smoothstep(0.5 * reach, 1.6 * reach, away));
        }
        colour.r = clamp(1.0 - 1.9 * near * sum / 12.0, 0.0, 1.0);
    }
);

// Puts the picture and its contact shade together. The noise that breaks up the sky's steps is the same in every frame.
const char glsl_final_fragment[] = GLSL(
    uniform sampler2D picture;
    uniform sampler2D contact;
    uniform float contact_on;
    in vec2 uv;
    out vec4 colour;

    void main()
    {
        vec3 c = textureLod(picture, uv, 0.0).rgb;
        if (contact_on > 0.5)
        {
            vec2 pixel = 1.0 / vec2(textureSize(contact, 0));
            // Every tap carries its distance, so that shade does not leak over an edge.
            float here = textureLod(contact, uv, 0.0).g;
            float sum = 0.0;
            float weight = 1e-4;
            for (int y = -2; y < 2; y++)
            {
                for (int x = -2; x < 2; x++)
                {
                    vec2 tap = textureLod(contact, uv + (vec2(float(x), float(y)) + 0.5) * pixel, 0.0).rg;
                    float w = 1.0 / (1e-3 + abs(tap.g - here) / middle.w);
                    w = min(w, 60.0);
                    sum += w * tap.r;
                    weight += w;
                }
            }
            c *= mix(vec3(0.30, 0.28, 0.33), vec3(1.0), sum / weight);
        }
        vec2 corner = uv - 0.5;
        c *= 1.0 - 0.55 * dot(corner, corner) * dot(corner, corner) * 4.0;
        float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
        colour = vec4(c + (noise - 0.5) / 255.0, 1.0);
    }
);

// clang-format on
