// shaders.c: the texts of shaders.h that all programs share: what is known of the scene, and its light. Colours are linear until
// tone(), which ends in sRGB.
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
        vec4 screen;            // width, height in pixels; z: looks into the shadow map; w: how fast shadows blur with distance
        vec4 ground;            // height, width of a cell, where it fades out, 1 if there are shadows
        vec4 middle;            // centre of the scene; w: its radius
    };
);

// The light is that of a studio outdoors: a warm sun, a cool sky, a light from behind that draws the outlines, and a wide window
// overhead, which only mirrors show.
const char glsl_light[] = GLSL(
    uniform sampler2DShadow shadow_map;

    const vec3 sun_light = vec3(2.65, 2.40, 2.06);
    const vec3 sky_light = vec3(0.34, 0.41, 0.52);
    const vec3 ground_light = vec3(0.26, 0.225, 0.19);
    const vec3 back_light = vec3(0.42, 0.52, 0.66);

    vec3 sky(vec3 d)
    {
        float low = 1.0 - clamp(d.y, 0.0, 1.0);
        float low2 = low * low;
        vec3 c = mix(vec3(0.040, 0.075, 0.135), vec3(0.235, 0.275, 0.315), low2 * low2 * low);
        float glow = max(dot(d, sun.xyz), 0.0);
        glow *= glow;
        return c + vec3(0.22, 0.17, 0.10) * glow * glow * glow;
    }

    // What smooth things mirror.
    vec3 mirrored(vec3 d)
    {
        vec3 c = mix(0.55 * ground_light, sky(d), smoothstep(-0.2, 0.15, d.y));
        return c + vec3(1.35, 1.32, 1.28) * smoothstep(0.70, 0.92, dot(d, vec3(0.40, 0.86, 0.31)));
    }

    vec3 tone(vec3 c)
    {
        c *= 0.62;
        c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
        vec3 s = sqrt(c); // sRGB's curve out of roots, which cost a tenth of pow in software
        vec3 q = sqrt(s);
        return clamp(0.662002687 * s + 0.684122060 * q - 0.323583601 * sqrt(q) - 0.0225411470 * c, 0.0, 1.0);
    }

    vec3 from_srgb(vec3 c)
    {
        return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
    }
);

// Sun and shadow, for fragments.
const char glsl_lit[] = GLSL(
    uniform sampler2D blockers; // the least depth of each 8 x 8 texels of the shadow map

    // How far the edge of a shadow is blurred at q, in parts of the map: the farther away what casts it, the softer (Fernando 2005).
    // Of what casts it the least depths of 8 x 8 texels are enough, and miss nothing. Below 0: nothing does.
    float blur(vec3 q)
    {
        float sum = 0.0;
        float count = 0.0;
        float step_size = sun.w;
        for (int y = -2; y <= 2; y++)
        {
            for (int x = -2; x <= 2; x++)
            {
                float z = textureLod(blockers, q.xy + step_size * vec2(float(x), float(y)), 0.0).r;
                float before = step(z, q.z);
                sum += before * z;
                count += before;
            }
        }
        return count == 0.0 ? -1.0 : clamp((q.z - sum / count) * screen.w, 0.22 * sun.w, 2.0 * sun.w);
    }

    // Looks on a spiral of golden angles; each is itself a blend of four. Where there is nothing to look at the loop is left at once,
    // which a renderer in software does for whole groups of pixels.
    float lit(vec3 p, vec3 n)
    {
        float side = dot(n, sun.xyz) < 0.0 ? -1.0 : 1.0;
        float slope = 1.0 - abs(dot(n, sun.xyz));
        vec3 q = (shadow_from_world * vec4(p + n * side * middle.w * (0.004 + 0.010 * slope), 1.0)).xyz;
        float looks = ground.w == 0.0 || any(greaterThan(abs(q - 0.5), vec3(0.5))) ? 0.0 : screen.z;
        float reach = looks > 8.0 ? blur(q) : sun.w;
        looks = reach < 0.0 ? 0.0 : looks;
        float turn = 6.2831853 * fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
        float sum = 0.0;
        vec2 d = looks > 8.0 ? vec2(cos(turn), sin(turn)) : vec2(1.0, 0.0);
        for (float i = 0.5; i < looks; i += 1.0)
        {
            sum += textureLod(shadow_map, vec3(q.xy + reach * sqrt(i / looks) * d, q.z), 0.0);
            d = vec2(-0.7373688 * d.x - 0.6754903 * d.y, 0.6754903 * d.x - 0.7373688 * d.y);
        }
        return looks == 0.0 ? 1.0 : sum / looks;
    }

    // material: 0 metal, 0.25 wax, 0.5 solid, 1 cloth.
    vec3 shade(vec3 albedo, float material, vec3 p, vec3 n)
    {
        vec3 to_eye = eye.w > 0.5 ? normalize(eye.xyz - p) : -forward.xyz;
        float cloth = step(0.75, material);
        float metal = 1.0 - step(0.12, material);
        float wax = step(0.12, material) * (1.0 - step(0.38, material));
        float facing = dot(n, sun.xyz);
        float light = mix(lit(p, n), 1.0, wax * (1.0 - smoothstep(-0.1, 0.35, facing)));
        float toward = max(dot(n, to_eye), 0.0);
        // Cloth lets some light through; in wax it spreads around the edge of the shade, and turns warmer on the way.
        vec3 direct = vec3(light * (max(facing, 0.0) + 0.26 * cloth * max(-facing, 0.0)));
        vec3 spread = vec3(0.55, 0.38, 0.30) * wax;
        direct = mix(direct, mix(light, 1.0, 0.25) * max((facing + spread) / (1.0 + spread), vec3(0.0)), wax);
        vec3 around = mix(ground_light, sky_light, 0.5 + 0.5 * n.y);
        around += back_light * max(dot(n, vec3(0.64, 0.28, -0.71)), 0.0);
        vec3 diffuse = albedo * (1.0 - 0.75 * metal) * (around + sun_light * direct);

        float edge = 1.0 - toward;
        float edge2 = edge * edge;
        float mirror = mix(0.04 + 0.60 * edge2 * edge2 * edge, 0.55, metal) * (1.0 - cloth);
        vec3 tint = mix(vec3(1.0), albedo * 1.6, metal);
        vec3 h = normalize(sun.xyz + to_eye);
        float gloss = mix(mix(70.0, 10.0, cloth), 110.0, metal);
        float strength = mix(mix(0.30, 0.03, cloth), 1.1, metal);
        vec3 shine = sun_light * strength * light * pow(max(dot(n, h), 0.0), gloss) * step(0.0, facing);
        shine += mirrored(reflect(-to_eye, n)) * mirror * mix(0.45 + 0.55 * light, 1.0, metal);
        // The nap of a cloth shows at its outlines (sheen).
        vec3 nap = cloth * 0.22 * edge2 * edge * (0.35 + 0.65 * albedo) * (around + 0.35 * sun_light * light);
        vec3 inner = wax * 0.16 * albedo * (0.4 + edge2) * sun_light * (0.4 + 0.6 * light);
        return diffuse + tint * shine + nap + inner;
    }
);

// clang-format on
