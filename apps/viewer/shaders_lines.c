// shaders_lines.c: the texts of shaders.h for lines over the picture.
#include "shaders.h"

// clang-format off

const char glsl_line_vertex[] = GLSL(
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec4 tint;
    out vec4 line_tint;

    void main()
    {
        line_tint = tint;
        gl_Position = clip_from_world * vec4(position, 1.0);
        gl_Position.z -= 2e-4 * gl_Position.w; // on top of the cloth it runs along
    }
);

const char glsl_line_fragment[] = GLSL(
    in vec4 line_tint;
    out vec4 colour;

    void main()
    {
        colour = line_tint;
    }
);

// A strip along the line. What is behind the eye is cut off: it has no place in the picture.
const char glsl_wide_line_geometry[] = GLSL(
    layout(lines) in;
    layout(triangle_strip, max_vertices = 4) out;
    in vec4 line_tint[];
    out vec4 wide_tint;
    out float side; // -1 to 1 across the line

    void main()
    {
        const float width = 1.75; // pixels, from the middle to the rim
        vec4 a = gl_in[0].gl_Position;
        vec4 b = gl_in[1].gl_Position;
        float near = 1e-3 * max(abs(a.w), abs(b.w));
        if (max(a.w, b.w) <= near)
        {
            return;
        }
        vec4 from = a.w < near ? mix(b, a, (b.w - near) / (b.w - a.w)) : a;
        vec4 to = b.w < near ? mix(a, b, (a.w - near) / (a.w - b.w)) : b;
        vec2 d = (to.xy / to.w - from.xy / from.w) * screen.xy;
        d = dot(d, d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
        vec2 off = 2.0 * width * vec2(-d.y, d.x) / screen.xy;
        for (int i = 0; i < 4; i++)
        {
            vec4 p = i < 2 ? from : to;
            side = (i & 1) == 0 ? -1.0 : 1.0;
            wide_tint = line_tint[i / 2];
            gl_Position = vec4(p.xy + side * off * p.w, p.z, p.w);
            EmitVertex();
        }
        EndPrimitive();
    }
);

// With a dark rim, so that it is seen before anything.
const char glsl_wide_line_fragment[] = GLSL(
    in vec4 wide_tint;
    in float side;
    out vec4 colour;

    void main()
    {
        float rim = smoothstep(0.50, 0.75, abs(side));
        colour = vec4(mix(wide_tint.rgb, vec3(0.08, 0.08, 0.10), rim), 1.0);
    }
);

// clang-format on
