// forms.c: makes meshes of simple forms. A sheet is a grid; every other form is a profile line revolved around y. Sines
// come from our own polynomial, so that they are the same on every machine.
#include "author/forms.h"

#include "core/trig.h"

#include <math.h>

static float sine_of(double turns) { return sine_of_turns((float)(turns - floor(turns))); }
static float cosine_of(double turns) { return cosine_of_turns((float)(turns - floor(turns))); }

// ---- the profile line
// ------------------------------------------------------------------------------------------------

static int has_end(const form *f, int which)
{
    if (f->kind == FORM_LATHE)
        return f->profile[which ? 3 * (f->profile_count - 1) : 0] == 0.0f;
    return f->kind == FORM_BALL || (f->kind == FORM_BOWL && (which == 0 || f->thickness > 0.0f));
}

// Returns the number of points of the line between its ends on the axis (a torus has none there).
static int64_t line_points(const form *f)
{
    switch (f->kind)
    {
    case FORM_BALL:
        return f->cells[1] - 1;
    case FORM_TORUS:
        return f->cells[1];
    case FORM_LATHE:
        return f->cells[1] + 1 - has_end(f, 0) - has_end(f, 1);
    default: // a bowl: up the outer side with its rim, and down the inner one
        return f->thickness > 0.0f ? 2 * (int64_t)f->cells[1] : f->cells[1];
    }
}

// ---- the profile of a lathe: a Catmull-Rom curve, divided evenly by length -----------------------------------------

enum
{
    PROFILE_STEPS = 16, // straight pieces between two points of a profile, for its length
};

// Computes the point a fraction t of the way from point i to the next.
static void curve_point(const form *f, int i, double t, double at[3])
{
    int last = f->profile_count - 1;
    const float *p[4] = {f->profile + 3 * (i > 0 ? i - 1 : 0), f->profile + 3 * i, f->profile + 3 * (i + 1),
                         f->profile + 3 * (i + 2 < last ? i + 2 : last)};
    for (int k = 0; k < 3; k++)
    {
        double q[4];
        for (int j = 0; j < 4; j++)
            q[j] = (double)(k == 2 && p[j][2] == 0.0f ? p[j][0] : p[j][k]);
        double a = 2.0 * q[1], b = q[2] - q[0], c = 2.0 * q[0] - 5.0 * q[1] + 4.0 * q[2] - q[3],
               d = 3.0 * (q[1] - q[2]) + q[3] - q[0];
        at[k] = 0.5 * (a + t * (b + t * (c + t * d)));
    }
}

// Walks along the curve up to `target`, stores the point there, and returns the length that it walked.
static double walk_profile(const form *f, double target, double at[3])
{
    double length = 0.0, before[3], next[3];
    curve_point(f, 0, 0.0, before);
    for (int step = 0; step < PROFILE_STEPS * (f->profile_count - 1); step++)
    {
        int in_piece = step % PROFILE_STEPS + 1;
        curve_point(f, step / PROFILE_STEPS, (double)in_piece / PROFILE_STEPS, next);
        double out = next[0] - before[0], up = next[1] - before[1], piece = sqrt(out * out + up * up);
        double part = length + piece > target && piece > 0.0 ? (target - length) / piece : 1.0;
        for (int k = 0; k < 3; k++)
            before[k] += part * (next[k] - before[k]);
        length += part * piece;
        if (part < 1.0)
            break;
    }
    for (int k = 0; k < 3; k++)
        at[k] = before[k];
    return length;
}

static void lathe_point(const form *f, int64_t i, float *out, float *up, float *deep)
{
    double at[3], whole = walk_profile(f, 1e30, at);
    int64_t place = i + has_end(f, 0);
    if (place < f->cells[1])
        walk_profile(f, whole * (double)(place > 0 ? place : 0) / (double)f->cells[1], at);
    double least = 1e-6 * whole; // a smooth curve may pass the axis; a surface may not
    *out = (float)(at[0] > least ? at[0] : least);
    *up = (float)at[1];
    *deep = (float)((at[2] > least ? at[2] : least) / (at[0] > least ? at[0] : least));
}

// Computes point i of the line: its distance from the axis and its height. -1 and line_points: its ends on the axis.
// deep: the depth of its ring along z over the width along x.
static void line_point(const form *f, int64_t i, float *out, float *up, float *deep)
{
    *deep = f->kind == FORM_BALL ? f->size[2] / f->size[0] : 1.0f;
    if (f->kind == FORM_LATHE)
    {
        lathe_point(f, i, out, up, deep);
        return;
    }
    float n = (float)f->cells[1];
    if (f->kind == FORM_TORUS)
    {
        float tube = 0.5f * f->size[1], turns = -(float)i / n;
        *out = 0.5f * f->size[0] - tube + tube * cosine_of((double)-turns);
        *up = tube * sine_of((double)-turns);
        return;
    }
    int inner = f->kind == FORM_BOWL && i >= f->cells[1];
    float radius = 0.5f * f->size[0] - (inner ? f->thickness : 0.0f);
    float part = f->kind == FORM_BALL ? 0.5f * (float)(i + 1) / n
                 : inner              ? 0.25f * (float)(2 * (int64_t)f->cells[1] - i) / n
                                      : 0.25f * (float)(i + 1) / n;
    *out = radius * sine_of((double)part);
    *up = -(f->kind == FORM_BALL ? 0.5f * f->size[1] : radius) * cosine_of((double)part);
}

// ---- the mesh ------------------------------------------------------------------------------------------------------

void form_count(const form *f, int64_t *vertices, int64_t *triangles)
{
    int64_t a = f->cells[0], b = f->cells[1], lines = f->kind == FORM_SHEET ? 0 : line_points(f);
    int ends = has_end(f, 0) + has_end(f, 1);
    if (f->kind == FORM_SHEET)
    {
        *vertices = (a + 1) * (b + 1);
        *triangles = 2 * a * b;
        return;
    }
    *vertices = a * lines + ends;
    *triangles = 2 * a * (lines - 1 + (f->kind == FORM_TORUS)) + a * ends;
}

static void put(int32_t *t, int64_t *count, int64_t a, int64_t b, int64_t c)
{
    t[3 * *count] = (int32_t)a;
    t[3 * *count + 1] = (int32_t)b;
    t[3 * *count + 2] = (int32_t)c;
    (*count)++;
}

static void fill_sheet(const form *f, float *v, int32_t *t)
{
    int64_t n = 0, across = f->cells[0] + 1;
    for (int j = 0; j <= f->cells[1]; j++)
        for (int i = 0; i <= f->cells[0]; i++, v += 3)
        {
            v[0] = f->size[0] * ((float)i / (float)f->cells[0] - 0.5f);
            v[1] = 0.0f;
            v[2] = f->size[2] * ((float)j / (float)f->cells[1] - 0.5f);
        }
    for (int64_t j = 0; j < f->cells[1]; j++)
        for (int64_t i = 0; i < f->cells[0]; i++)
        {
            int64_t a = i + across * j, b = a + 1, c = a + across, d = c + 1;
            put(t, &n, a, c, b);
            put(t, &n, b, c, d);
        }
}

static void fill_turned(const form *f, float *v, int32_t *t)
{
    int64_t n = 0, around = f->cells[0], lines = line_points(f), last = around * lines;
    float deep, out, up;
    for (int64_t i = 0; i < lines; i++)
    {
        line_point(f, i, &out, &up, &deep);
        for (int64_t k = 0; k < around; k++)
        {
            float *at = v + 3 * (k + around * i);
            at[0] = out * cosine_of((double)k / (double)around);
            at[1] = up;
            at[2] = deep * (out * sine_of((double)k / (double)around));
        }
    }
    for (int which = 0; which < 2; which++)
        if (has_end(f, which))
        {
            line_point(f, which ? lines : -1, &out, &up, &deep);
            v[3 * last] = v[3 * last + 2] = 0.0f;
            v[3 * last + 1] = up;
            for (int64_t k = 0; k < around; k++)
            {
                int64_t a = k + (which ? around * (lines - 1) : 0), b = (k + 1) % around + (a - k);
                put(t, &n, last, which ? b : a, which ? a : b);
            }
            last++;
        }
    for (int64_t i = 0; i < lines - (f->kind != FORM_TORUS); i++)
        for (int64_t k = 0; k < around; k++)
        {
            int64_t a = k + around * i, b = (k + 1) % around + around * i;
            int64_t c = k + around * ((i + 1) % lines), d = (k + 1) % around + around * ((i + 1) % lines);
            put(t, &n, a, c, b);
            put(t, &n, b, c, d);
        }
}

void form_fill(const form *f, float *vertices, int32_t *triangles)
{
    if (f->kind == FORM_SHEET)
        fill_sheet(f, vertices, triangles);
    else
        fill_turned(f, vertices, triangles);
    if (f->kind == FORM_LATHE && f->profile[3 * (f->profile_count - 1) + 1] < f->profile[1])
    {
        int64_t vertex_count, count;
        form_count(f, &vertex_count, &count);
        for (int64_t i = 0; i < count; i++) // a profile from the top down would be inside out
        {
            int32_t other = triangles[3 * i + 1];
            triangles[3 * i + 1] = triangles[3 * i + 2];
            triangles[3 * i + 2] = other;
        }
    }
}

int form_grid(const form *f, int *columns, int *rows)
{
    *columns = f->kind == FORM_SHEET ? f->cells[0] + 1 : f->cells[0];
    *rows = f->kind == FORM_SHEET ? f->cells[1] + 1 : (int)line_points(f);
    return f->kind == FORM_SHEET || f->kind == FORM_LATHE;
}

void form_waves(int columns, int rows, float spacing, float height, float length, float *heights)
{
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
        {
            double x = (double)spacing * (i - 0.5 * (columns - 1)), z = (double)spacing * (j - 0.5 * (rows - 1));
            *heights++ = height * (sine_of(x / (double)length) * sine_of(z / (double)length));
        }
}
