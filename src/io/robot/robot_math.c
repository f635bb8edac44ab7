// robot_math.c: implements robot_math.h. Only + - * / and sqrt: the same bits on every machine.
#include "robot_math.h"

#include <math.h>

// ---- trigonometry --------------------------------------------------------------------------------------------------

// Reduces to [-pi/4, pi/4]; returns the number of quarters modulo 4. pi/2 in parts of 33 bits: n times one is exact.
static int reduce(double x, double *rest)
{
    double n = floor(x * (2.0 / ROBOT_PI) + 0.5);
    *rest = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21;
    double quarter = n - 4.0 * floor(n * 0.25);
    return quarter >= 0.0 && quarter <= 3.0 ? (int)quarter : 0;
}

static double series(double x, double term, int first)
{
    double sum = term, s = x * x;
    for (int k = first; k < first + 18; k += 2)
    {
        term *= -s / (double)(k * (k + 1));
        sum += term;
    }
    return sum;
}

double robot_sine(double x)
{
    double r;
    int quarter = reduce(x, &r);
    double value = quarter % 2 ? series(r, 1.0, 1) : series(r, r, 2);
    return quarter >= 2 ? -value : value;
}

double robot_cosine(double x)
{
    double r;
    int quarter = reduce(x, &r);
    double value = quarter % 2 ? series(r, r, 2) : series(r, 1.0, 1);
    return quarter == 1 || quarter == 2 ? -value : value;
}

double robot_angle(double y, double x)
{
    double ax = fabs(x), ay = fabs(y), big = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
    if (!(big > 0.0))
        return 0.0;
    double a = small / big;
    bool high = a > 0.41421356237309503; // tan(pi/8)
    double t = high ? (a - 1.0) / (a + 1.0) : a, s = t * t, sum = 0.0;
    for (int k = 43; k >= 1; k -= 2)
        sum = 1.0 / (double)k - s * sum;
    double r = t * sum + (high ? ROBOT_PI / 4.0 : 0.0);
    r = ay > ax ? ROBOT_PI / 2.0 - r : r;
    r = x < 0.0 ? ROBOT_PI - r : r;
    return y < 0.0 ? -r : r;
}

// ---- vectors and rotations -----------------------------------------------------------------------------------------

double robot_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void robot_cross(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    out[0] = c[0], out[1] = c[1], out[2] = c[2];
}

double robot_length(const double a[3]) { return sqrt(robot_dot(a, a)); }

void robot_rotation(const double axis[3], double angle, double q[4])
{
    double s = robot_sine(0.5 * angle);
    q[0] = s * axis[0], q[1] = s * axis[1], q[2] = s * axis[2];
    q[3] = robot_cosine(0.5 * angle);
}

void robot_times(const double a[4], const double b[4], double out[4])
{
    const double c[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

void robot_conjugate(const double q[4], double out[4])
{
    out[0] = -q[0], out[1] = -q[1], out[2] = -q[2], out[3] = q[3];
}

void robot_rotate(const double q[4], const double in[3], double out[3])
{
    double t[3], u[3];
    const double x[3] = {in[0], in[1], in[2]};
    robot_cross(q, x, t);
    for (int c = 0; c < 3; c++)
        t[c] *= 2.0;
    robot_cross(q, t, u);
    for (int c = 0; c < 3; c++)
        out[c] = x[c] + q[3] * t[c] + u[c];
}

void robot_unrotate(const double q[4], const double in[3], double out[3])
{
    double back[4];
    robot_conjugate(q, back);
    robot_rotate(back, in, out);
}

bool robot_normalise(double *v, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; i++)
        size += v[i] * v[i];
    if (!(size > 1e-20 && size < 1e20))
        return false;
    for (int i = 0; i < count; i++)
        v[i] /= sqrt(size);
    return true;
}

// ---- poses ---------------------------------------------------------------------------------------------------------

void robot_place(const struct robot_pose *a, const double in[3], double out[3])
{
    robot_rotate(a->q, in, out);
    for (int c = 0; c < 3; c++)
        out[c] += a->p[c];
}

struct robot_pose robot_after(const struct robot_pose *a, const struct robot_pose *b)
{
    struct robot_pose out;
    robot_place(a, b->p, out.p);
    robot_times(a->q, b->q, out.q);
    robot_normalise(out.q, 4);
    return out;
}

struct robot_pose robot_inverse(const struct robot_pose *a)
{
    struct robot_pose out;
    robot_conjugate(a->q, out.q);
    robot_rotate(out.q, a->p, out.p);
    for (int c = 0; c < 3; c++)
        out.p[c] = -out.p[c];
    return out;
}

void robot_rotate_inertia(const double q[4], double m[3][3], double out[3][3])
{
    double half[3][3]; // the rows of m, rotated
    for (int r = 0; r < 3; r++)
        robot_rotate(q, m[r], half[r]);
    for (int c = 0; c < 3; c++)
    {
        double column[3] = {half[0][c], half[1][c], half[2][c]};
        robot_rotate(q, column, column);
        for (int r = 0; r < 3; r++)
            out[r][c] = column[r];
    }
}

void robot_from_z(const double d[3], double q[4])
{
    if (d[2] < -0.999999) // opposite: half a turn about x
    {
        q[0] = 1.0, q[1] = q[2] = q[3] = 0.0;
        return;
    }
    q[0] = -d[1], q[1] = d[0], q[2] = 0.0, q[3] = 1.0 + d[2];
    robot_normalise(q, 4);
}

pl_vec3 robot_vec3(const double v[3]) { return (pl_vec3){(float)v[0], (float)v[1], (float)v[2]}; }

pl_quat robot_quat(const double q[4]) { return (pl_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]}; }

void robot_from_state(pl_vec3 position, pl_quat rotation, struct robot_pose *out)
{
    *out = (struct robot_pose){{(double)position.x, (double)position.y, (double)position.z},
                               {(double)rotation.x, (double)rotation.y, (double)rotation.z, (double)rotation.w}};
    robot_normalise(out->q, 4);
}
