// wind.h: lift and drag on a triangle, treated as a thin plate in gusty wind.
//   u = velocity of the triangle through the air,  n its unit normal,  A its area,  cos = n . u/|u|
//   drag = -1/2 rho Cd A |cos| |u| u              lift = -1/2 rho Cl A cos |u|^2 (n - cos u/|u|)
// These are the two parts of the pressure on a flat plate (as in Keckeisen and others 2004; Macklin's slides, cloth).
// Each corner gets a third. A particle's force is divided by 1 + h K w, where K is the sum over its triangles of k, the
// largest possible |force|/|u|. So the air can stop a light cloth within one substep, but never reverse its motion,
// however strong the wind is.
//
// Gusts are sums of travelling sine waves, one set along the wind and one for each axis. Their period is much larger
// than a scene. They are smooth, and eight sines a face and substep would cost more than the rest of a cloth. So a face
// samples the wind a few times a frame, at the end of each of GUST_SAMPLES or more intervals, where it will be by then,
// and takes what lies between on a straight line.
#pragma once
#include "core/trig.h"
#include "core/vec.h"

#define GUST_WAVES 8

typedef struct air
{
    float velocity[3];
    float swing; // gust * |velocity|, m/s
    float gust;
    float half_density;      // rho/2
    float inverse_size;      // 1/gust_size
    float phase[GUST_WAVES]; // turns, at the frame's start
} air;

// When a substep needs the wind between the samples of a face.
typedef struct gust_moment
{
    int32_t until; // the substep at whose end the interval ends, if this one begins it; otherwise -1
    float reach;   // s: until then
    float share;   // of the interval, at the end of this substep
} gust_moment;

// Intervals in the time in which the mean wind crosses gust_size; the fastest wave turns by 0.1 in one.
#define GUST_SAMPLES 20

// Direction and size of wave k: fixed numbers without common factors. Each row holds three components of the direction,
// then the speed in sizes/s for a wind of one size/s (used where the phases are computed).
#define GUST_TABLE                                                                                                     \
    {                                                                                                                  \
        {0.62f, 0.17f, 0.31f, 0.71f}, {-0.23f, 0.41f, 1.13f, 1.31f}, {0.91f, -0.37f, 0.19f, 0.93f},                    \
            {0.13f, 0.83f, -0.53f, 1.57f}, {-0.47f, 0.29f, 0.73f, 0.83f}, {1.21f, 0.11f, -0.43f, 1.73f},               \
            {0.37f, -0.59f, 0.67f, 1.07f},                                                                             \
        {                                                                                                              \
            -0.79f, 0.97f, 0.23f, 1.91f                                                                                \
        }                                                                                                              \
    }

PL_FN f32 gust_wave(const air *wind, const float *phase, vec x, int k)
{
    const float wave[GUST_WAVES][4] = GUST_TABLE;
    f32 along = wave[k][0] * x.x + wave[k][1] * x.y + wave[k][2] * x.z;
    return sine_of_turns(clamp(along * wind->inverse_size, -1e6f, 1e6f) - phase[k]);
}

// The wind at x when the waves have these phases.
PL_FN vec wind_at(const air *wind, const float *phase, vec x)
{
#define WAVE(k) gust_wave(wind, phase, x, k)
    vec u = vec_of(splat(wind->velocity[0]), splat(wind->velocity[1]), splat(wind->velocity[2]));
    if (wind->gust == 0.0f)
        return u;
    f32 along = 0.5f * wind->gust * (WAVE(0) + WAVE(1));
    f32 side = splat(0.2f * wind->swing);
    vec swirl = vec_of(WAVE(2) + WAVE(3), WAVE(4) + WAVE(5), WAVE(6) + WAVE(7));
#undef WAVE
    return add(add(u, times(along, u)), times(side, swirl));
}

PL_FN point wind_point(vec u)
{
    point p = {u.x, u.y, u.z, splat(0.0f)};
    return p;
}

// Returns the wind at a face that is at x and moves with v. from, to: its samples at both ends of the interval, of which
// the first substep of an interval takes the second one, and the first substep of a frame both. end: the phases at the
// end of an interval that begins.
PL_FN vec wind_between(const air *wind, const gust_moment *m, bool first, const float *end, float *from, float *to,
                       vec x, vec v)
{
    if (wind->gust == 0.0f)
        return wind_at(wind, end, x);
    point a = load_points(m->until < 0 ? from : to), b;
    if (m->until < 0)
        b = load_points(to);
    else
    {
        if (first)
            a = wind_point(wind_at(wind, wind->phase, x));
        b = wind_point(wind_at(wind, end, add(x, times(splat(m->reach), v))));
        store_points(from, a);
        store_points(to, b);
    }
    return add(at(a), times(splat(m->share), sub(at(b), at(a))));
}

// The mean of the three corners.
PL_FN vec face_mean(const point *corner)
{
    return times(splat(1.0f / 3.0f), add(at(corner[0]), add(at(corner[1]), at(corner[2]))));
}

// Returns the force on each corner of a triangle in wind of velocity u; w holds its largest possible value for each m/s
// of the triangle's velocity through the air.
PL_FN point wind_on_face(const air *wind, vec u, const point *x, const point *v, f32 drag, f32 lift)
{
    const float third = 1.0f / 3.0f;
    u = sub(face_mean(v), u);
    vec normal = cross(sub(at(x[1]), at(x[0])), sub(at(x[2]), at(x[0]))); // of length 2 A
    f32 size = length(normal), speed = length(u);
    i32 live = (size > 0.0f) & (speed > 0.0f);
    f32 flow = dot(normal, u); // 2 A |u| cos

    f32 along = drag * magnitude(flow) - keep(live, lift * flow * flow / (size * speed));
    f32 across = keep(live, lift * flow * speed / size);
    vec f = add(times(along, u), times(across, normal));

    const float half = 0.5f * wind->half_density * third;
    point r = {-half * f.x, -half * f.y, -half * f.z, half * (drag + lift) * size * speed};
    return r;
}
