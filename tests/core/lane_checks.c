// Every operation of lane.h at one width, against plain floats. Compiled once for each width: LANES and LANE_CHECKS.
// Returns NULL, or the name of what is wrong.
#include "core/mat3.h"

#include "core/lane_checks.h"

#include <math.h>

static float put_in(f32 a, int i)
{
    float all_of[LANES];
    store(all_of, a);
    return all_of[i];
}

static const char *check_moves(void)
{
    _Alignas(64) float x[4 * 64], y[4 * 64] = {0}, wanted[4 * 64] = {0};
    uint32_t index[LANES];
    for (int i = 0; i < 4 * 64; i++)
        x[i] = (float)(i * i) - 7.0f;
    for (int i = 0; i < LANES; i++)
        index[i] = 4 * (uint32_t)((i * 29 + 3) % 64);
    point p = gather(x, index);
    for (int i = 0; i < LANES; i++)
        if (put_in(p.x, i) != x[index[i]] || put_in(p.y, i) != x[index[i] + 1] || put_in(p.z, i) != x[index[i] + 2] ||
            put_in(p.w, i) != x[index[i] + 3])
            return "gather";
    scatter(y, index, p);
    for (int i = 0; i < LANES; i++)
        memcpy(wanted + index[i], x + index[i], 16);
    if (memcmp(y, wanted, sizeof y) != 0)
        return "scatter";
    p = load_points(x + 16);
    for (int i = 0; i < LANES; i++)
        if (put_in(p.x, i) != x[16 + 4 * i] || put_in(p.w, i) != x[16 + 4 * i + 3])
            return "load_points";
    memset(y, 0, sizeof y);
    store_points(y + 32, p);
    return memcmp(y + 32, x + 16, 16 * LANES) == 0 && y[31] == 0.0f && y[32 + 4 * LANES] == 0.0f ? NULL
                                                                                                 : "store_points";
}

static int same(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

// What is compared with NaN is the second one; so it is with zeros of two signs.
static const char *check_extremes(void)
{
    float a[16], b[16];
    for (int i = 0; i < 16; i++)
    {
        a[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? 0.0f : -0.0f;
        b[i] = i % 4 == 0 ? 2.0f : i % 4 == 1 ? -0.0f : i % 4 == 2 ? 0.0f : NAN;
    }
    f32 va = load(a), vb = load(b);
    for (int i = 0; i < LANES; i++)
    {
        if (!same(put_in(least(va, vb), i), a[i] < b[i] ? a[i] : b[i]))
            return "least of NaN or zeros";
        if (!same(put_in(most(va, vb), i), a[i] > b[i] ? a[i] : b[i]))
            return "most of NaN or zeros";
    }
    return NULL;
}

static const char *check_choice(void)
{
    float a[16], b[16];
    for (int i = 0; i < 16; i++)
    {
        a[i] = (float)(i % 5) - 2.0f;
        b[i] = (float)(i % 3) - 1.0f;
    }
    a[3] = -0.0f, b[3] = 0.0f;
    a[4] = 0.0f, b[4] = -0.0f;
    f32 va = load(a), vb = load(b);
    for (int i = 0; i < LANES; i++)
    {
        if (!same(put_in(keep(va < vb, va), i), a[i] < b[i] ? a[i] : 0.0f))
            return "keep";
        if (!same(put_in(pick(va < vb, va, vb), i), a[i] < b[i] ? a[i] : b[i]))
            return "pick";
        if (!same(put_in(least(va, vb), i), a[i] < b[i] ? a[i] : b[i]))
            return "least";
        if (!same(put_in(most(va, vb), i), a[i] > b[i] ? a[i] : b[i]))
            return "most";
        if (put_in(clamp(va, -0.5f, 1.0f), i) != fmaxf(-0.5f, fminf(1.0f, a[i])))
            return "clamp";
        if (put_in(magnitude(va), i) != fabsf(a[i]))
            return "magnitude";
        if (!same(put_in(root(va * va + 0.1f), i), sqrtf(a[i] * a[i] + 0.1f)))
            return "root";
        if (!same(put_in(splat(-0.0f), i), -0.0f) || put_in(splat(3.5f), i) != 3.5f)
            return "splat";
    }
    return NULL;
}

// `all` must see one false lane wherever it is, and a NaN as false.
static const char *check_all(void)
{
    float a[16] = {0};
    if (!everywhere(load(a) < 1.0f))
        return "all";
    for (int i = 0; i < LANES; i++)
    {
        a[i] = 2.0f;
        if (everywhere(load(a) < 1.0f))
            return "all with one false";
        a[i] = NAN;
        if (everywhere(load(a) < 1.0f))
            return "all with a NaN";
        a[i] = 0.0f;
    }
    return NULL;
}

const char *LANE_CHECKS(void)
{
    const char *wrong = check_moves();
    if (!wrong)
        wrong = check_choice();
    if (!wrong)
        wrong = check_extremes();
    return wrong ? wrong : check_all();
}

// Matrix n, by chance.
static void some_matrix(int n, float *a)
{
    uint32_t dice = 12345u + 977u * (uint32_t)n;
    for (int i = 0; i < 9; i++)
    {
        dice = dice * 1664525u + 1013904223u;
        float by_chance = (float)(dice >> 8) * 0x1p-23f - 1.0f;
        a[i] = n % 5 == 0 ? by_chance : 0.3f * by_chance + (i % 4 == 0 ? 1.0f : 0.0f);
    }
    for (int i = 0; i < 3; i++)
        a[6 + i] = n % 7 == 1 ? a[i] - a[3 + i] : n % 7 == 2 ? -a[6 + i] : a[6 + i];
    if (n % 11 == 3)
        memset(a, 0, 9 * sizeof *a);
}

#define NAME_OF(a, b) a##b
#define OF_WIDTH(a, b) NAME_OF(a, b)

void OF_WIDTH(lane_turns_, LANES)(float (*out)[9])
{
    for (int first = 0; first < LANE_TURNS; first += LANES)
    {
        float part[9][LANES], a[9];
        for (int i = 0; i < LANES; i++)
        {
            some_matrix(first + i, a);
            for (int k = 0; k < 9; k++)
                part[k][i] = a[k];
        }
        mat3 m;
        for (int k = 0; k < 3; k++)
            m.c[k] = vec_of(load(part[3 * k]), load(part[3 * k + 1]), load(part[3 * k + 2]));
        mat3 r = mat_nearest(&m);
        for (int i = 0; i < LANES; i++)
            for (int k = 0; k < 3; k++)
            {
                out[first + i][3 * k] = put_in(r.c[k].x, i);
                out[first + i][3 * k + 1] = put_in(r.c[k].y, i);
                out[first + i][3 * k + 2] = put_in(r.c[k].z, i);
            }
    }
}
