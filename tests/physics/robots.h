// robots.h: what the tests of robots share: texts, worlds, and matrices in double for the answers.
#ifndef TESTS_PHYSICS_ROBOTS_H
#define TESTS_PHYSICS_ROBOTS_H

#include "support/support.h"

static const double pi = 3.14159265358979323846;

static inline pl_robot *add_text(pl_world *w, const char *text, const pl_robot_def *def)
{
    pl_robot *r = NULL;
    good(pl_add_robot(w, text, strlen(text), "t.xml", def, &r));
    return r;
}

static inline pl_rigid_state link_state(const pl_robot *r, const pl_world *w, const char *name)
{
    pl_rigid_state s;
    good(pl_robot_link_state(r, w, pl_robot_find_link(r, name), &s));
    return s;
}

static inline double position_of(const pl_robot *r, const pl_world *w, const char *joint)
{
    float x;
    good(pl_robot_joint_state(r, w, pl_robot_find_joint(r, joint), &x, NULL));
    return (double)x;
}

static inline double velocity_of(const pl_robot *r, const pl_world *w, const char *joint)
{
    float v;
    good(pl_robot_joint_state(r, w, pl_robot_find_joint(r, joint), NULL, &v));
    return (double)v;
}

static inline void control(const pl_robot *r, pl_world *w, const char *actuator, float value)
{
    good(pl_robot_set_control(r, w, pl_robot_find_actuator(r, actuator), value));
}

// Stores a sensor's numbers; returns the first.
static inline double sensed(pl_robot *r, const pl_world *w, const char *name, double out[4])
{
    float values[256];
    pl_robot_sensor s = pl_robot_sensor_at(r, pl_robot_find_sensor(r, name));
    assert_true(s.name != NULL && pl_robot_sensor_size(r) <= 256);
    good(pl_robot_sense(r, w, values));
    for (int c = 0; c < s.count; c++)
        out[c] = (double)values[s.first + c];
    return out[0];
}

static inline bool warns_of(const pl_robot *r, const char *words)
{
    for (int i = 0; pl_robot_warning(r, i); i++)
        if (strstr(pl_robot_warning(r, i), words))
            return true;
    return false;
}

// ---- 4 x 4 matrices, for forward kinematics that shares no code with the library -----------------------------------

typedef struct matrix
{
    double m[4][4];
} matrix;

static inline matrix times(matrix a, matrix b)
{
    matrix out = {{{0.0}}};
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 4; k++)
                out.m[r][c] += a.m[r][k] * b.m[k][c];
    return out;
}

static inline matrix moved(double x, double y, double z)
{
    return (matrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}

// About axis 0, 1 or 2.
static inline matrix turned(int axis, double angle)
{
    matrix out = moved(0.0, 0.0, 0.0);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    out.m[a][a] = out.m[b][b] = cos(angle);
    out.m[b][a] = sin(angle), out.m[a][b] = -sin(angle);
    return out;
}

// From the axes of a file, z up, to those of a world, y up.
static inline matrix upright(void) { return (matrix){{{1, 0, 0, 0}, {0, 0, 1, 0}, {0, -1, 0, 0}, {0, 0, 0, 1}}}; }

// How far a state is from a matrix: the largest difference of positions, m, and of the rotated axes.
static inline double differs(pl_rigid_state s, matrix m)
{
    const double x = (double)s.rotation.x, y = (double)s.rotation.y, z = (double)s.rotation.z, w = (double)s.rotation.w;
    const double r[3][4] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), (double)s.position.x},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), (double)s.position.y},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), (double)s.position.z}};
    double most = 0.0;
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 4; c++)
            most = fmax(most, fabs(r[i][c] - m.m[i][c]));
    return most;
}

#endif
