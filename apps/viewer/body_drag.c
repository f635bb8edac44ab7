// body_drag.c: see body_drag.h.
#include "body_drag.h"

#include "message.h"

#include <string.h>

#define PULL 18.0 // rad/s: half of the way is done after 0.1 s; gravity pulls it down by 3 cm
#define CALM 2.0  // 1/s: how quickly what hangs from the mouse stops to rotate

// ---- symmetric matrices ---------------------------------------------------------------------------------------------

typedef struct matrix
{
    double m[3][3];
} matrix;

// x with a x = b, by Cramer's rule; 0 if there is none.
static void solve(const matrix *a, const double b[3], double x[3])
{
    const double(*m)[3] = a->m;
    double c[3][3], size;
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[i][k] = m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
        }
    }
    size = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
    for (int k = 0; k < 3; k++)
    {
        x[k] = size != 0.0 ? (c[0][k] * b[0] + c[1][k] * b[1] + c[2][k] * b[2]) / size : 0.0;
    }
}

static void times(const matrix *a, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
    {
        out[i] = a->m[i][0] * x[0] + a->m[i][1] * x[1] + a->m[i][2] * x[2];
    }
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
    {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static void three(vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static vec3 vec3_of(const double x[3]) { return v3((float)x[0], (float)x[1], (float)x[2]); }

// ---- the body ------------------------------------------------------------------------------------------------------

static vec3 conjugate_turned(pl_quat q, vec3 v) { return turned((pl_quat){-q.x, -q.y, -q.z, q.w}, v); }

// The inertia about the centre of mass in the axes of the world: R I R^T.
static matrix inertia_in_world(const pl_mass_properties *p, pl_quat q)
{
    const float *i = p->inertia;
    const matrix own = {{{(double)i[0], (double)i[3], (double)i[5]},
                         {(double)i[3], (double)i[1], (double)i[4]},
                         {(double)i[5], (double)i[4], (double)i[2]}}};
    double axis[3][3];
    matrix out = {{{0}}};
    three(turned(q, v3(1.0f, 0.0f, 0.0f)), axis[0]);
    three(turned(q, v3(0.0f, 1.0f, 0.0f)), axis[1]);
    three(turned(q, v3(0.0f, 0.0f, 1.0f)), axis[2]);
    for (int r = 0; r < 9; r++)
    {
        for (int a = 0; a < 9; a++)
        {
            out.m[r / 3][r % 3] += own.m[a / 3][a % 3] * axis[a / 3][r / 3] * axis[a % 3][r % 3];
        }
    }
    return out;
}

// How the velocity of the point at r changes with an impulse there.
static matrix response(double mass, const matrix *inertia, const double r[3])
{
    matrix k;
    for (int i = 0; i < 3; i++)
    {
        double push[3] = {0.0, 0.0, 0.0}, torque[3], spin[3], moved[3];
        push[i] = 1.0;
        cross3(r, push, torque);
        solve(inertia, torque, spin);
        cross3(spin, r, moved);
        for (int c = 0; c < 3; c++)
        {
            k.m[c][i] = (c == i ? 1.0 / mass : 0.0) + moved[c];
        }
    }
    return k;
}

bool body_drag_begin(struct body_drag *d, const pl_world *world, pl_id body, vec3 point)
{
    pl_rigid_def def;
    *d = (struct body_drag){0};
    if (pl_get_rigid(world, body, &def) != PL_OK)
    {
        return library_trouble();
    }
    if (def.type != PL_RIGID_DYNAMIC)
    {
        return trouble("only dynamic bodies can be dragged; this one is %s",
                       def.type == PL_RIGID_STATIC ? "static" : "kinematic");
    }
    *d = (struct body_drag){
        .on = true, .body = body, .point = conjugate_turned(def.rotation, sub(point, def.position)), .goal = point};
    return true;
}

bool body_drag_point(const struct body_drag *d, const pl_world *world, vec3 *point)
{
    pl_rigid_state s;
    if (pl_get_rigids(world, &d->body, 1, &s) != PL_OK)
    {
        return library_trouble();
    }
    *point = add(s.position, turned(s.rotation, d->point));
    return true;
}

// The angular impulse that slows the rotation about the point at r, at which the body is held. spin: changes with it.
static void calm_down(double mass, const matrix *inertia, const double r[3], double h, double spin[3], double out[3])
{
    double around[3], of_mass[3], change[3];
    cross3(spin, r, around);
    cross3(r, around, of_mass); // r^2 spin - r (r . spin)
    times(inertia, spin, out);
    for (int c = 0; c < 3; c++)
    {
        out[c] = -(out[c] + mass * of_mass[c]) * CALM * h / (1.0 + CALM * h);
    }
    solve(inertia, out, change);
    for (int c = 0; c < 3; c++)
    {
        spin[c] += change[c];
    }
}

bool body_drag_pull(const struct body_drag *d, pl_world *world, float dt)
{
    pl_rigid_state s;
    pl_mass_properties p;
    if (pl_get_rigids(world, &d->body, 1, &s) != PL_OK || pl_get_rigid_mass(world, d->body, &p) != PL_OK)
    {
        return library_trouble();
    }
    matrix inertia = inertia_in_world(&p, s.rotation);
    double h = (double)dt, damped = 1.0 + h * PULL, spin[3], calm[3], r[3], around[3], v[3], way[3], change[3], push[3];
    vec3 point = add(s.position, turned(s.rotation, d->point));
    three(s.spin, spin);
    three(s.velocity, v);
    three(sub(d->goal, point), way);
    three(turned(s.rotation, sub(d->point, p.centre)), r);
    calm_down((double)p.mass, &inertia, r, h, spin, calm);
    cross3(spin, r, around);
    for (int c = 0; c < 3; c++)
    {
        double now = v[c] + around[c];
        change[c] = (now + h * PULL * PULL * way[c]) / (damped * damped) - now;
    }
    matrix k = response((double)p.mass, &inertia, r);
    solve(&k, change, push);
    return (pl_spin_rigid(world, d->body, vec3_of(calm)) == PL_OK &&
            pl_push_rigid(world, d->body, vec3_of(push), point) == PL_OK) ||
           library_trouble();
}
