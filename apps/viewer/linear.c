// linear.c: see linear.h.
#include "linear.h"

mat4 mat4_multiply(const mat4 *a, const mat4 *b)
{
    mat4 r;
    for (int c = 0; c < 4; c++)
    {
        for (int i = 0; i < 4; i++)
        {
            float s = 0.0f;
            for (int k = 0; k < 4; k++)
            {
                s += a->m[k * 4 + i] * b->m[c * 4 + k];
            }
            r.m[c * 4 + i] = s;
        }
    }
    return r;
}

// Gauss-Jordan with pivoting, in double: called a few times a frame, so clear beats fast.
bool mat4_invert(const mat4 *a, mat4 *out)
{
    double w[4][8] = {{0.0}};
    for (int i = 0; i < 4; i++)
    {
        for (int c = 0; c < 4; c++)
        {
            w[i][c] = (double)a->m[c * 4 + i];
        }
        w[i][4 + i] = 1.0;
    }
    for (int c = 0; c < 4; c++)
    {
        int best = c;
        for (int i = c + 1; i < 4; i++)
        {
            best = fabs(w[i][c]) > fabs(w[best][c]) ? i : best;
        }
        if (w[best][c] == 0.0)
        {
            return false;
        }
        for (int k = 0; k < 8; k++)
        {
            double t = w[c][k];
            w[c][k] = w[best][k];
            w[best][k] = t;
        }
        for (int i = 0; i < 4; i++)
        {
            double f = i == c ? 0.0 : w[i][c] / w[c][c];
            for (int k = 0; k < 8; k++)
            {
                w[i][k] -= f * w[c][k];
            }
        }
    }
    for (int i = 0; i < 4; i++)
    {
        for (int c = 0; c < 4; c++)
        {
            out->m[c * 4 + i] = (float)(w[i][4 + c] / w[i][i]);
        }
    }
    return true;
}

mat4 mat4_look(vec3 eye, vec3 target, vec3 up)
{
    vec3 f = unit_or(sub(target, eye), v3(0.0f, 0.0f, -1.0f));
    vec3 s = cross(f, up);
    s = length(s) > 1e-6f ? unit(s) : across(f);
    vec3 u = cross(s, f);
    return (mat4){{s.x, u.x, -f.x, 0.0f, s.y, u.y, -f.y, 0.0f, s.z, u.z, -f.z, 0.0f, -dot(s, eye), -dot(u, eye),
                   dot(f, eye), 1.0f}};
}

mat4 mat4_perspective(float fov_degrees, float aspect, float near, float far)
{
    float t = 1.0f / tanf(fov_degrees * (float)M_PI / 360.0f);
    mat4 r = {{0.0f}};
    r.m[0] = t / aspect;
    r.m[5] = t;
    r.m[10] = (near + far) / (near - far);
    r.m[11] = -1.0f;
    r.m[14] = 2.0f * near * far / (near - far);
    return r;
}

mat4 mat4_orthographic(float half_width, float half_height, float near, float far)
{
    mat4 r = {{0.0f}};
    r.m[0] = 1.0f / half_width;
    r.m[5] = 1.0f / half_height;
    r.m[10] = 2.0f / (near - far);
    r.m[14] = (near + far) / (near - far);
    r.m[15] = 1.0f;
    return r;
}

vec3 mat4_project(const mat4 *a, vec3 p)
{
    float r[4];
    for (int i = 0; i < 4; i++)
    {
        r[i] = a->m[i] * p.x + a->m[4 + i] * p.y + a->m[8 + i] * p.z + a->m[12 + i];
    }
    return v3(r[0] / r[3], r[1] / r[3], r[2] / r[3]);
}
