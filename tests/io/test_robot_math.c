// The rotations of robots: trigonometry against libm, poses and inertias against matrices.
#include "io/robot/robot_math.h"

#include "physics/robots.h"

static void trigonometry(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double worst[3] = {0.0};
    for (int i = 0; i < 200000; i++)
    {
        double x = (double)dice(&seed) * (i % 2 ? 1e4 : 4.0), y = (double)dice(&seed), z = (double)dice(&seed);
        worst[0] = fmax(worst[0], fabs(robot_sine(x) - sin(x)));
        worst[1] = fmax(worst[1], fabs(robot_cosine(x) - cos(x)));
        worst[2] = fmax(worst[2], fabs(robot_angle(y, z) - atan2(y, z)));
    }
    print_message("sine %.1e, cosine %.1e, angle %.1e\n", worst[0], worst[1], worst[2]);
    below("sine", worst[0], 4e-16);
    below("cosine", worst[1], 4e-16);
    below("angle", worst[2], 5e-16);
    near_to("angle", robot_angle(0.0, -1.0), pi, 1e-15);
    near_to("angle", robot_angle(-1.0, 0.0), -pi / 2.0, 1e-15);
    assert_true(robot_angle(0.0, 0.0) == 0.0 && robot_sine(0.0) == 0.0 && robot_cosine(0.0) == 1.0);
}

static pl_rigid_state state_of(const struct robot_pose *p)
{
    return (pl_rigid_state){.position = robot_vec3(p->p), .rotation = robot_quat(p->q)};
}

static void poses(void **state)
{
    (void)state;
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    struct robot_pose all = ROBOT_POSE_NONE;
    matrix wanted = moved(0, 0, 0);
    for (int i = 0; i < 9; i++)
    {
        struct robot_pose one = {.p = {0.1 * i, -0.2, 0.05 * i * i}};
        robot_rotation(axes[i % 3], 0.7 * i - 2.0, one.q);
        all = robot_after(&all, &one);
        wanted = times(wanted, times(moved(one.p[0], one.p[1], one.p[2]), turned(i % 3, 0.7 * i - 2.0)));
    }
    below("pose", differs(state_of(&all), wanted), 1e-6);
    struct robot_pose back = robot_inverse(&all), none = robot_after(&back, &all);
    below("inverse", differs(state_of(&none), moved(0, 0, 0)), 1e-6);
    for (int i = 0; i < 3; i++)
        for (int sign = -1; sign <= 1; sign += 2)
        {
            double q[4], z[3], d[3] = {sign * axes[i][0], sign * axes[i][1], sign * axes[i][2]};
            robot_from_z(d, q);
            robot_rotate(q, axes[2], z);
            for (int c = 0; c < 3; c++)
                near_to("from z", z[c], d[c], 1e-12);
        }
}

// R I R^T, and a point mass: m (x^2 E - x x^T) rotates as its point does.
static void inertias(void **state)
{
    (void)state;
    double q[4] = {0.3, -0.5, 0.2, 0.7}, x[3] = {0.4, -1.2, 0.9}, rotated[3], m[3][3], out[3][3];
    robot_normalise(q, 4);
    robot_rotate(q, x, rotated);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m[r][c] = (r == c ? robot_dot(x, x) : 0.0) - x[r] * x[c];
    robot_rotate_inertia(q, m, out);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            near_to("inertia", out[r][c], (r == c ? robot_dot(x, x) : 0.0) - rotated[r] * rotated[c], 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trigonometry), cmocka_unit_test(poses),
                                       cmocka_unit_test(inertias)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
