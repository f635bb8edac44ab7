// forms.c: makes meshes of simple forms. A sheet is a grid; every other form is a profile line revolved around y. Sines
// come from our own polynomial, so that they are the same on every machine.
#include "author/forms.h"

#include "core/trig.h"

#include <math.h>

static float sine_of(double turns) { return sine_of_turns((float)(turns - floor(turns))); }
static float cosine_of(double turns) { return cosine_of_turns((float)(turns - floor(turns))); }

// ---- the profile line
// ------------------------------------------------------------------------------------------------

// Returns the number of points of the line between its ends on the axis (a torus has none there).
static int64_t line_points(const form *f)
{
    switch (f->kind)
    {
    case FORM_BALL:
        return f->cells[1] - 1;
    case FORM_TORUS:
        return f->cells[1];
    default: // a bowl: up the outer side with its rim, and down the inner one
        return f->thickness > 0.0f ? 2 * (int64_t)f->cells[1] : f->cells[1];
    }
}

static int has_end(const form *f, int which)
{
    return f->kind == FORM_BALL || (f->kind == FORM_BOWL && (which == 0 || f->thickness > 0.0f));
}

// Computes point i of the line: its distance from the axis and its height. -1 and line_points: its ends on the axis.
static void line_point(const form *f, int64_t i, float *out, float *up)
{
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
    float deep = f->kind == FORM_BALL ? f->size[2] / f->size[0] : 1.0f, out, up;
    for (int64_t i = 0; i < lines; i++)
        for (int64_t k = 0; k < around; k++)
        {
            float *at = v + 3 * (k + around * i);
            line_point(f, i, &out, &up);
            at[0] = out * cosine_of((double)k / (double)around);
            at[1] = up;
            at[2] = deep * (out * sine_of((double)k / (double)around));
        }
    for (int which = 0; which < 2; which++)
        if (has_end(f, which))
        {
            line_point(f, which ? lines : -1, &out, &up);
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
