// mjcf_joint.c: reads the joints of MJCF.
#include "mjcf.h"

#include <string.h>

static void read_limits(struct mjcf *f, const struct robot_element *e, struct robot_joint *j)
{
    double range[2];
    bool turns = j->kind == ROBOT_HINGE, limited;
    bool given = robot_numbers(e, "range", range, 2, 2) == 2;
    limited = given && f->limits;
    robot_bool(e, "limited", &limited);
    if (!limited)
        return;
    if (!given || !(range[0] <= range[1]))
    {
        robot_fail(f->m, e->node, NULL, "a limited joint without a \"range\" from low to high; give one");
        return;
    }
    j->limited = true;
    j->low = turns ? mjcf_angle(f, range[0]) : range[0];
    j->high = turns ? mjcf_angle(f, range[1]) : range[1];
}

void mjcf_joint(struct mjcf *f, const struct robot_element *e, int link)
{
    static const char *const words[] = {"", "hinge", "slide", "ball", "free"};
    const char *type = xml_is(e->node, "freejoint") ? "free" : robot_text(e, "type");
    int kind = ROBOT_HINGE;
    double ref = 0.0, spring = 0.0;
    while (type && kind <= ROBOT_FREE && strcmp(type, words[kind]) != 0)
        kind++;
    if (kind > ROBOT_FREE)
    {
        robot_fail(f->m, e->node, NULL, "a joint of type \"%.40s\"; known: hinge slide ball free", type);
        return;
    }
    struct robot_joint *j = robot_add_joint(f->m, robot_text(e, "name"), e->node, link, (enum robot_joint_kind)kind);
    if (!j)
        return;
    if (kind == ROBOT_FREE)
    {
        const struct robot_link *l = &f->m->links.items[link];
        if (l->parent != 0 || l->joints_of >= 0)
            robot_fail(f->m, e->node, NULL,
                       "a free joint here; only bodies of the world may have one, and no other joint");
        return;
    }
    robot_numbers(e, "pos", j->point, 3, 3);
    if (robot_numbers(e, "axis", j->axis, 3, 3) == 3 && !robot_normalise(j->axis, 3))
        robot_fail(f->m, e->node, NULL, "an axis without a direction; give one of a length above 0");
    robot_number(e, "ref", -1e6, 1e6, &ref);
    robot_number(e, "springref", -1e6, 1e6, &spring);
    j->zero = kind == ROBOT_HINGE ? mjcf_angle(f, ref) : ref;
    j->spring = kind == ROBOT_HINGE ? mjcf_angle(f, spring) : spring;
    robot_ignored(e, "armature solreflimit solimplimit solreffriction solimpfriction margin actuatorfrcrange "
                     "springdamper actuatorgravcomp");
    if (kind == ROBOT_BALL)
    {
        robot_ignored(e, "range damping stiffness frictionloss");
        return;
    }
    read_limits(f, e, j);
    robot_number(e, "damping", 0.0, 1e12, &j->damping);
    robot_number(e, "stiffness", 0.0, 1e12, &j->stiffness);
    robot_number(e, "frictionloss", 0.0, 1e12, &j->friction);
}
