// shaders.c: the texts of shaders.h but those of particles, and nothing else. Colours are linear until tone(), which ends in sRGB.
#include "shaders.h"

// clang-format off

const char glsl_head[] = "#version 330 core\n" GLSL(
    layout(std140) uniform scene
    {
        mat4 clip_from_world;   // of this pass
        mat4 world_from_clip;
        mat4 shadow_from_world; // x, y and depth from 0 to 1
        vec4 eye;               // w: 1 in perspective, 0 for parallel rays
        vec4 forward;           // w: how far to go back to be before everything
        vec4 sun;               // the direction to it; w: how soft shadows are, in parts of the map
        vec4 screen;            // width, height in pixels; z: looks into the shadow map, from 1 to 16
        vec4 ground;            // height, width of a cell, where it fades out, 1 if there are shadows
        vec4 middle;            // centre of the scene; w: its radius
    };
);

const char glsl_light[] = GLSL(
    uniform sampler2DShadow shadow_map;

    const vec3 sun_light = vec3(2.55, 2.36, 2.1);
    const vec3 sky_light = vec3(0.50, 0.60, 0.74);
    const vec3 ground_light = vec3(0.30, 0.27, 0.24);

    vec3 sky(vec3 d)
    {
        float up = clamp(d.y, 0.0, 1.0);
        vec3 c = mix(vec3(0.62, 0.74, 0.86), vec3(0.10, 0.27, 0.58), 1.0 - (1.0 - up) * (1.0 - up) * (1.0 - up));
        float glow = max(dot(d, sun.xyz), 0.0);
        glow *= glow;
        return c + vec3(0.22, 0.17, 0.10) * glow * glow * glow;
    }

    vec3 tone(vec3 c)
    {
        c *= 0.64;
        c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
        vec3 s = sqrt(c); // sRGB's curve out of roots, which cost a tenth of pow in software
        vec3 q = sqrt(s);
        return clamp(0.662002687 * s + 0.684122060 * q - 0.323583601 * sqrt(q) - 0.0225411470 * c, 0.0, 1.0);
    }

    vec3 from_srgb(vec3 c)
    {
        return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
    }

    // Looks on a spiral of golden angles; each is itself a blend of four. Where there is nothing to look at the loop is left at once,
    // which a renderer in software does for whole groups of pixels.
    float lit(vec3 p, vec3 n)
    {
        float side = dot(n, sun.xyz) < 0.0 ? -1.0 : 1.0;
        float slope = 1.0 - abs(dot(n, sun.xyz));
        vec3 q = (shadow_from_world * vec4(p + n * side * middle.w * (0.004 + 0.010 * slope), 1.0)).xyz;
        float looks = ground.w == 0.0 || any(greaterThan(abs(q - 0.5), vec3(0.5))) ? 0.0 : screen.z;
        float sum = 0.0;
        vec2 d = vec2(1.0, 0.0);
        for (float i = 0.5; i < looks; i += 1.0)
        {
            sum += textureLod(shadow_map, vec3(q.xy + sun.w * sqrt(i / looks) * d, q.z), 0.0);
            d = vec2(-0.7373688 * d.x - 0.6754903 * d.y, 0.6754903 * d.x - 0.7373688 * d.y);
        }
        return looks == 0.0 ? 1.0 : sum / looks;
    }

    // material: 0 metal, 0.5 solid, 1 cloth.
    vec3 shade(vec3 albedo, float material, vec3 p, vec3 n)
    {
        vec3 to_eye = eye.w > 0.5 ? normalize(eye.xyz - p) : -forward.xyz;
        float cloth = step(0.75, material);
        float metal = 1.0 - step(0.25, material);
        float light = lit(p, n);
        float facing = dot(n, sun.xyz);
        float direct = max(facing, 0.0) + 0.30 * cloth * max(-facing, 0.0); // cloth lets some light through
        vec3 around = mix(ground_light, sky_light, 0.5 + 0.5 * n.y);
        vec3 h = normalize(sun.xyz + to_eye);
        float gloss = mix(mix(42.0, 14.0, cloth), 60.0, metal);
        float strength = mix(mix(0.20, 0.035, cloth), 0.55, metal);
        float rim = 1.0 - max(dot(n, to_eye), 0.0);
        rim *= rim;
        rim *= rim;
        vec3 shine = sun_light * strength * light * pow(max(dot(n, h), 0.0), gloss) * step(0.0, facing);
        return albedo * (around + sun_light * direct * light) + shine + around * rim * mix(0.10, 0.14, cloth) ;
    }
);

const char glsl_mesh_vertex[] = GLSL(
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 front;
    layout(location = 3) in vec4 back;
    out vec3 at;
    out vec3 facing;
    out vec4 front_colour;
    out vec4 back_colour;

    void main()
    {
        at = position;
        facing = normal;
        front_colour = front;
        back_colour = back;
        gl_Position = clip_from_world * vec4(position, 1.0);
    }
);

const char glsl_mesh_fragment[] = GLSL(
    in vec3 at;
    in vec3 facing;
    in vec4 front_colour;
    in vec4 back_colour;
    out vec4 colour;

    void main()
    {
        vec3 n = normalize(facing);
        vec3 to_eye = normalize(eye.xyz - at);
        // The triangle itself knows its side better than its smooth normal, which leans away near a fold.
        vec4 c = gl_FrontFacing ? front_colour : back_colour;
        n = gl_FrontFacing ? n : -n;
        float away = dot(n, to_eye);
        n = away < 0.0 ? normalize(n - to_eye * away) : n;
        colour = vec4(tone(shade(from_srgb(c.rgb), c.a, at, n)), 1.0);
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
        colour = vec4(tone(c), clamp(0.07 + 0.36 * mirror + 0.5 * spark + 0.22 * rim, 0.0, 0.9));
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
        float thin = 0.55 * line(at.xz / ground.y, 0.008);
        float thick = line(at.xz / (5.0 * ground.y), 0.0025);
        vec3 albedo = mix(vec3(0.33, 0.325, 0.315), vec3(0.20, 0.21, 0.225), max(thin, thick));
        vec3 c = albedo * (sky_light + 0.82 * sun_light * sun.y * lit(at, vec3(0.0, 1.0, 0.0)) * sun_through_fluid());
        float far = length(at.xz - middle.xz) / ground.z;
        float haze = smoothstep(0.06, 0.75, far);
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
        float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
        colour = vec4(c + (noise - 0.5) / 255.0, 1.0);
    }
);

// clang-format on
