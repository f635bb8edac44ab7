// robot_kinematics.c: the poses of links for given positions of the joints.
#include "robot_model.h"

// The motion of a joint, in the link that it moves.
static struct robot_pose motion(const struct robot_joint *j, double position)
{
    struct robot_pose out = ROBOT_POSE_NONE;
    double d = position - j->zero;
    if (j->kind == ROBOT_SLIDE)
        for (int c = 0; c < 3; c++)
            out.p[c] = d * j->axis[c];
    if (j->kind == ROBOT_HINGE)
    {
        robot_rotation(j->axis, d, out.q);
        robot_rotate(out.q, j->point, out.p);
        for (int c = 0; c < 3; c++) // the point stays where it is
            out.p[c] = j->point[c] - out.p[c];
    }
    return out;
}

void robot_forward(const struct robot_model *m, const struct robot_pose *root, const double *positions,
                   struct robot_pose *out)
{
    for (int i = 0; i < m->links.count; i++)
    {
        const struct robot_link *link = &m->links.items[i];
        out[i] = robot_after(link->parent < 0 ? root : &out[link->parent], &link->rest);
        if (link->joint >= 0)
        {
            const struct robot_joint *j = &m->joints.items[link->joint];
            struct robot_pose moved = motion(j, positions ? positions[link->joint] : j->placed);
            out[i] = robot_after(&out[i], &moved);
        }
    }
}
