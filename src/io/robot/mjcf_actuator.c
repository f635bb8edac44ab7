// mjcf_actuator.c: reads the actuators, sensors and equalities of MJCF.
#include "mjcf.h"

#include <string.h>

// ---- actuators -----------------------------------------------------------------------------------------------------

static void read_ranges(struct mjcf *f, const struct robot_element *e, struct robot_actuator *a)
{
    double control[2], force[2];
    bool has_control = robot_numbers(e, "ctrlrange", control, 2, 2) == 2,
         has_force = robot_numbers(e, "forcerange", force, 2, 2) == 2;
    bool clamp = has_control && f->limits, limit = has_force && f->limits;
    robot_bool(e, "ctrllimited", &clamp);
    robot_bool(e, "forcelimited", &limit);
    if ((clamp && !(has_control && control[0] <= control[1])) || (limit && !(has_force && force[0] <= force[1])))
    {
        robot_fail(f->m, e->node, NULL, "a limited actuator without a range from low to high; give one");
        return;
    }
    if (clamp)
        a->least = control[0], a->most = control[1];
    if (!limit)
        return;
    if (!(force[0] <= 0.0 && force[1] >= 0.0))
        robot_fail(f->m, e->node, NULL, "a \"forcerange\" that does not hold 0; give one on both sides of it");
    a->strength = -force[0] > force[1] ? -force[0] : force[1];
    if (-force[0] != force[1])
        robot_warn(f->m, e->node, NULL, "forcerange", "the larger end of \"forcerange\" limits both directions");
}

static void read_actuator(struct mjcf *f, const struct robot_element *e, pl_control control)
{
    struct robot_model *m = f->m;
    const char *name = robot_text(e, "joint");
    int joint = robot_find_joint(m, name);
    double gear[6] = {1.0};
    if (!name)
    {
        robot_warn(m, e->node, NULL, "transmission", "actuators of anything but a \"joint\" are ignored");
        return;
    }
    if (joint < 0)
    {
        robot_fail(m, e->node, xml_attribute(e->node, "joint"), "no joint called \"%.60s\"; an actuator names one",
                   name);
        return;
    }
    if (m->joints.items[joint].kind != ROBOT_HINGE && m->joints.items[joint].kind != ROBOT_SLIDE)
    {
        robot_warn(m, e->node, NULL, "ball actuator", "actuators of ball and free joints are ignored");
        return;
    }
    struct robot_actuator *a = ROBOT_ADD(m, actuators);
    if (!a)
        return;
    const char *own = robot_text(e, "name");
    *a = (struct robot_actuator){.name = own ? own : m->joints.items[joint].name,
                                 .joint = joint,
                                 .control = control,
                                 .kp = 1.0,
                                 .kv = control == PL_CONTROL_VELOCITY ? 1.0 : 0.0,
                                 .least = -1e30,
                                 .most = 1e30,
                                 .strength = 1e30};
    robot_numbers(e, "gear", gear, 1, 6);
    if (!(gear[0] != 0.0))
        robot_fail(m, e->node, NULL, "a gear of 0; it must be another number");
    a->gear = gear[0];
    robot_number(e, "kp", 1e-12, 1e12, &a->kp);
    robot_number(e, "kv", 0.0, 1e12, &a->kv);
    read_ranges(f, e, a);
    robot_ignored(e, "dampratio timeconst inheritrange lengthrange cranklength actlimited actrange");
}

void mjcf_actuators(struct mjcf *f)
{
    struct robot_model *m = f->m;
    for (struct xml *list = m->result == PL_OK ? xml_child(m->root, "actuator") : NULL; list; list = xml_next(list))
        for (struct xml *c = list->first; c && m->result == PL_OK; c = c->next)
        {
            pl_control control = xml_is(c, "motor")      ? PL_CONTROL_TORQUE
                                 : xml_is(c, "position") ? PL_CONTROL_POSITION
                                 : xml_is(c, "velocity") ? PL_CONTROL_VELOCITY
                                                         : PL_CONTROL_NONE;
            if (control == PL_CONTROL_NONE) // told about as unread
                continue;
            c->read = true;
            struct robot_element e = mjcf_element(f, c, mjcf_class(f, c, "main"));
            read_actuator(f, &e, control);
        }
}

// ---- sensors -------------------------------------------------------------------------------------------------------

static const struct
{
    const char *word;
    pl_sensor kind;
} sensors[] = {
    {"jointpos", PL_SENSOR_JOINT_POSITION},
    {"jointvel", PL_SENSOR_JOINT_VELOCITY},
    {"accelerometer", PL_SENSOR_ACCELEROMETER},
    {"gyro", PL_SENSOR_GYRO},
    {"force", PL_SENSOR_FORCE},
    {"torque", PL_SENSOR_TORQUE},
    {"framepos", PL_SENSOR_POSITION},
    {"framequat", PL_SENSOR_ROTATION},
};

static void read_sensor(struct mjcf *f, struct xml *node, pl_sensor kind)
{
    struct robot_model *m = f->m;
    struct robot_element e = {.m = m, .node = node};
    const char *name = robot_text(&e, "name"), *type = robot_text(&e, "objtype"), *of;
    int link = -1;
    struct robot_pose pose = ROBOT_POSE_NONE;
    if (kind <= PL_SENSOR_JOINT_VELOCITY)
    {
        of = robot_text(&e, "joint");
        int joint = robot_find_joint(m, of);
        if (joint < 0)
            robot_fail(m, node, NULL, "no joint called \"%.60s\"; the sensor names one", of ? of : "");
        else
            robot_add_sensor(m, name, kind, m->joints.items[joint].link, joint, NULL);
        return;
    }
    of = robot_text(&e, kind >= PL_SENSOR_POSITION ? "objname" : "site");
    bool body = kind >= PL_SENSOR_POSITION && type && (strcmp(type, "body") == 0 || strcmp(type, "xbody") == 0);
    if (body)
        link = robot_find_link(m, of);
    for (int i = 0; i < m->sites.count && !body && of; i++)
        if (m->sites.items[i].name && strcmp(m->sites.items[i].name, of) == 0)
        {
            link = m->sites.items[i].link;
            pose = m->sites.items[i].pose;
        }
    if (link < 0)
    {
        robot_fail(m, node, NULL, "no %s called \"%.60s\"; the sensor names one", body ? "body" : "site", of ? of : "");
        return;
    }
    if ((kind == PL_SENSOR_FORCE || kind == PL_SENSOR_TORQUE) && m->links.items[link].parent >= 0)
        m->links.items[link].keep = true; // what a fixed joint transmits can only be read where there is one
    robot_add_sensor(m, name, kind, link, -1, &pose);
}

void mjcf_sensors(struct mjcf *f)
{
    struct robot_model *m = f->m;
    for (struct xml *list = m->result == PL_OK ? xml_child(m->root, "sensor") : NULL; list; list = xml_next(list))
        for (struct xml *c = list->first; c && m->result == PL_OK; c = c->next)
            for (size_t k = 0; k < sizeof sensors / sizeof *sensors; k++)
                if (xml_is(c, sensors[k].word))
                {
                    c->read = true;
                    read_sensor(f, c, sensors[k].kind);
                }
}

// ---- equalities, exclusions ----------------------------------------------------------------------------------------------------

static void read_tie(struct mjcf *f, struct xml *node, bool weld, bool apart)
{
    struct robot_model *m = f->m;
    struct robot_element e = mjcf_element(f, node, mjcf_class(f, node, "main"));
    const char *second = robot_text(&e, "body2");
    struct robot_tie tie = {.weld = weld, .apart = apart};
    bool active = true;
    node->read = true;
    robot_bool(&e, "active", &active);
    robot_numbers(&e, "anchor", tie.point, 3, 3);
    robot_ignored(&e, "relpose solref solimp torquescale");
    tie.links[0] = robot_find_link(m, robot_text(&e, "body1"));
    tie.links[1] = second ? robot_find_link(m, second) : apart ? -1 : 0;
    if (tie.links[0] < 0 || tie.links[1] < 0)
        robot_fail(m, node, NULL, "<%.20s> without two bodies of the file; give \"body1\" and \"body2\"", node->name);
    struct robot_tie *to = active && m->result == PL_OK ? ROBOT_ADD(m, ties) : NULL;
    if (to)
        *to = tie;
}

void mjcf_equalities(struct mjcf *f)
{
    struct robot_model *m = f->m;
    for (struct xml *list = m->result == PL_OK ? xml_child(m->root, "equality") : NULL; list; list = xml_next(list))
        for (struct xml *c = list->first; c && m->result == PL_OK; c = c->next)
            if (xml_is(c, "connect") || xml_is(c, "weld"))
                read_tie(f, c, c->name[0] == 'w', false);
    for (struct xml *list = m->result == PL_OK ? xml_child(m->root, "contact") : NULL; list; list = xml_next(list))
        for (struct xml *c = list->first; c && m->result == PL_OK; c = c->next)
            if (xml_is(c, "exclude"))
                read_tie(f, c, false, true);
}
