// urdf.c: reads a URDF text (http://wiki.ros.org/urdf/XML) into a robot_model. The links become a tree, parents first.
#include "robot_model.h"

#include <string.h>

// The file as a graph, before the order of the links is known.
struct graph
{
    const struct xml **links, **joints;
    int *up;           // of each link: the joint that moves it, or -1
    int *ends[2];      // of each joint: parent and child
    int *model, *from; // the model's number of a link; the file's link of a model's number
    int link_count, joint_count;
};

static struct robot_element element(struct robot_model *m, const struct xml *node)
{
    return (struct robot_element){.m = m, .node = node};
}

static void read_origin(struct robot_model *m, const struct xml *node, struct robot_pose *pose)
{
    static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double rpy[3] = {0.0, 0.0, 0.0}, turn[4];
    const struct xml *origin = xml_child(node, "origin");
    *pose = ROBOT_POSE_NONE;
    if (!origin)
        return;
    struct robot_element e = element(m, origin);
    robot_numbers(&e, "xyz", pose->p, 3, 3);
    if (robot_numbers(&e, "rpy", rpy, 3, 3) != 3)
        return;
    for (int c = 0; c < 3; c++) // roll, pitch and yaw about the axes of the parent, one after the other
    {
        if (!(rpy[c] >= -1e4 && rpy[c] <= 1e4))
            robot_fail(m, origin, NULL, "an angle of %g rad; expected -1e4 to 1e4", rpy[c]);
        robot_rotation(axes[c], rpy[c], turn);
        robot_times(turn, pose->q, pose->q);
    }
}

// ---- links ---------------------------------------------------------------------------------------------------------

static void read_inertial(struct robot_model *m, const struct xml *node, struct robot_link *link)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
    double i[6] = {0.0};
    struct robot_pose pose;
    const struct xml *inertial = xml_child(node, "inertial"), *mass, *inertia;
    if (!inertial)
        return;
    read_origin(m, inertial, &pose);
    mass = xml_child(inertial, "mass");
    inertia = xml_child(inertial, "inertia");
    if (!mass)
    {
        robot_fail(m, inertial, NULL, "an <inertial> without <mass>; add <mass value=\"...\"/>");
        return;
    }
    struct robot_element e = element(m, mass);
    if (!robot_number(&e, "value", 0.0, 1e12, &link->mass.mass))
        robot_fail(m, mass, NULL, "a <mass> without \"value\"; give it in kg");
    for (int c = 0; c < 6 && inertia; c++)
    {
        struct robot_element of = element(m, inertia);
        robot_number(&of, names[c], -1e12, 1e12, &i[c]);
    }
    double matrix[3][3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    robot_rotate_inertia(pose.q, matrix, link->mass.inertia);
    memcpy(link->mass.centre, pose.p, sizeof pose.p);
    link->has_mass = link->mass.mass > 0.0;
}

// The z axis of round shapes becomes the y axis that they have in pl_rigid_shape.
static void read_round(const struct robot_element *e, struct robot_shape *s, bool with_length)
{
    static const double x_axis[3] = {1.0, 0.0, 0.0};
    double radius = 0.0, length = 0.0, quarter[4];
    if (!robot_number(e, "radius", 1e-6, 1e6, &radius))
        robot_fail(e->m, e->node, NULL, "a <%.20s> without \"radius\"; give it in m", e->node->name);
    if (with_length && !robot_number(e, "length", 1e-6, 1e6, &length))
        robot_fail(e->m, e->node, NULL, "a <%.20s> without \"length\"; give it in m", e->node->name);
    s->shape.radius = (float)radius;
    s->shape.length = (float)length;
    robot_rotation(x_axis, ROBOT_PI / 2.0, quarter);
    robot_times(s->pose.q, quarter, s->pose.q);
}

static void read_geometry(struct robot_model *m, struct xml *form, struct robot_shape *s)
{
    struct robot_element e = element(m, form);
    double size[3] = {1.0, 1.0, 1.0};
    form->read = true;
    if (xml_is(form, "box"))
    {
        s->shape.kind = PL_RIGID_BOX;
        if (robot_numbers(&e, "size", size, 3, 3) != 3 || !(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0))
            robot_fail(m, form, NULL, "a <box> without a \"size\" above 0; give its three edges in m");
        s->shape.half = (pl_vec3){(float)(0.5 * size[0]), (float)(0.5 * size[1]), (float)(0.5 * size[2])};
    }
    else if (xml_is(form, "sphere") || xml_is(form, "cylinder") || xml_is(form, "capsule"))
    {
        s->shape.kind = form->name[0] == 's'   ? PL_RIGID_SPHERE
                        : form->name[1] == 'y' ? PL_RIGID_CYLINDER
                                               : PL_RIGID_CAPSULE;
        read_round(&e, s, s->shape.kind != PL_RIGID_SPHERE);
    }
    else if (xml_is(form, "mesh"))
    {
        const char *path = robot_text(&e, "filename");
        robot_numbers(&e, "scale", size, 3, 3);
        if (!path)
            robot_fail(m, form, NULL, "a <mesh> without \"filename\"; name an OBJ or STL file");
        else if (!robot_read_hull(m, form, xml_attribute(form, "filename"), path, size, &s->shape))
            s->collides = false, s->mass = 0.0;
    }
    else
        robot_fail(m, form, NULL, "no geometry <%.40s>; known: box sphere cylinder capsule mesh", form->name);
}

static void read_link(struct robot_model *m, const struct xml *node, int number)
{
    read_inertial(m, node, &m->links.items[number]);
    for (struct xml *c = xml_child(node, "collision"); c && m->result == PL_OK; c = xml_next(c))
    {
        struct xml *geometry = xml_child(c, "geometry");
        struct robot_shape *s;
        if (!geometry || !geometry->first)
            robot_fail(m, c, NULL, "a <collision> without <geometry>; add one with a box, sphere, cylinder or mesh");
        else if ((s = robot_add_shape(m, number, c)) != NULL)
        {
            read_origin(m, c, &s->pose);
            read_geometry(m, geometry->first, s);
        }
    }
}

// ---- joints --------------------------------------------------------------------------------------------------------

static void add_actuator(struct robot_model *m, const struct robot_joint *j, int number, double effort, double velocity)
{
    if (m->def.control == PL_CONTROL_NONE)
        return;
    struct robot_actuator *a = ROBOT_ADD(m, actuators);
    if (!a)
        return;
    *a = (struct robot_actuator){.name = j->name,
                                 .joint = number,
                                 .control = m->def.control,
                                 .kp = (double)m->def.kp,
                                 .kv = (double)m->def.kv,
                                 .gear = 1.0,
                                 .least = -1e30,
                                 .most = 1e30,
                                 .strength = effort > 0.0 ? effort : 1e30};
    if (m->def.control == PL_CONTROL_TORQUE)
        a->least = -a->strength, a->most = a->strength;
    if (m->def.control == PL_CONTROL_POSITION && j->limited)
        a->least = j->low, a->most = j->high;
    if (m->def.control == PL_CONTROL_VELOCITY && velocity > 0.0)
        a->least = -velocity, a->most = velocity;
}

static void read_motion(struct robot_model *m, const struct xml *node, struct robot_joint *j, bool limits)
{
    double effort = 0.0, velocity = 0.0;
    const struct xml *axis = xml_child(node, "axis"), *limit = xml_child(node, "limit"),
                     *dynamics = xml_child(node, "dynamics");
    j->axis[0] = 1.0, j->axis[2] = 0.0;
    if (axis)
    {
        struct robot_element e = element(m, axis);
        robot_numbers(&e, "xyz", j->axis, 3, 3);
        if (!robot_normalise(j->axis, 3))
            robot_fail(m, axis, NULL, "an axis without a direction; give one of a length above 0");
    }
    if (limit)
    {
        struct robot_element e = element(m, limit);
        robot_number(&e, "lower", -1e6, 1e6, &j->low);
        robot_number(&e, "upper", -1e6, 1e6, &j->high);
        robot_number(&e, "effort", 0.0, 1e12, &effort);
        robot_number(&e, "velocity", 0.0, 1e12, &velocity);
        if (effort == 0.0 && xml_attribute(limit, "effort"))
            robot_warn(m, limit, NULL, "effort 0", "an \"effort\" of 0 counts as unlimited");
        if (velocity > 0.0 && m->def.control != PL_CONTROL_VELOCITY)
            robot_warn(m, limit, xml_attribute(limit, "velocity"), "limit velocity",
                       "\"velocity\" of <limit> is ignored: only controls of velocity are limited by it");
    }
    j->limited = limits && limit;
    if (limits && !limit)
        robot_fail(m, node, NULL, "a joint without <limit>; revolute and prismatic joints need one");
    if (j->limited && !(j->low <= j->high))
        robot_fail(m, limit, NULL, "limits from %g to %g; lower must be at most upper", j->low, j->high);
    if (dynamics)
    {
        struct robot_element e = element(m, dynamics);
        robot_number(&e, "damping", 0.0, 1e12, &j->damping);
        robot_number(&e, "friction", 0.0, 1e12, &j->friction);
    }
    int number = (int)(j - m->joints.items);
    add_actuator(m, j, number, effort, velocity);
    robot_add_sensor(m, j->name, PL_SENSOR_JOINT_POSITION, j->link, number, NULL);
    robot_add_sensor(m, j->name, PL_SENSOR_JOINT_VELOCITY, j->link, number, NULL);
}

static void read_joint(struct robot_model *m, const struct xml *node, int link)
{
    static const char *const types[] = {"fixed", "revolute", "continuous", "prismatic", "floating", "planar"};
    static const enum robot_joint_kind kinds[] = {ROBOT_FIXED, ROBOT_HINGE, ROBOT_HINGE,
                                                  ROBOT_SLIDE, ROBOT_FREE,  ROBOT_FIXED};
    struct robot_element e = element(m, node);
    const char *type = robot_text(&e, "type");
    int t = 0;
    while (t < 6 && (!type || strcmp(type, types[t]) != 0))
        t++;
    if (t == 6)
    {
        robot_fail(m, node, xml_attribute(node, "type"),
                   "a joint of type \"%.40s\"; known: fixed revolute continuous "
                   "prismatic floating planar",
                   type ? type : "");
        return;
    }
    read_origin(m, node, &m->links.items[link].rest);
    if (t == 5)
        robot_warn(m, node, NULL, "planar", "planar joints are not supported; this one is fixed");
    if (kinds[t] == ROBOT_FIXED)
    {
        const struct xml *const idle[3] = {xml_child(node, "axis"), xml_child(node, "limit"),
                                           xml_child(node, "dynamics")}; // without a meaning, and often there
        for (int i = 0; i < 3; i++)
            for (struct xml_attribute *a = idle[i] ? idle[i]->attributes : NULL; a; a = a->next)
                a->read = true;
        return;
    }
    struct robot_joint *j = robot_add_joint(m, robot_text(&e, "name"), node, link, kinds[t]);
    if (j && kinds[t] != ROBOT_FREE)
        read_motion(m, node, j, t == 1 || t == 3);
}

// ---- the tree ------------------------------------------------------------------------------------------------------

static const struct xml **list(struct robot_model *m, const char *name, int *count)
{
    *count = 0;
    for (const struct xml *c = xml_child(m->root, name); c; c = xml_next(c))
        ++*count;
    if (*count > ROBOT_MAX_LINKS)
        robot_fail(m, m->root, NULL, "%d elements <%s>; at most %d are allowed", *count, name, ROBOT_MAX_LINKS);
    const struct xml **out = store_take(m->store, ((size_t)*count + 1) * sizeof *out);
    int i = 0;
    for (const struct xml *c = xml_child(m->root, name); c && out; c = xml_next(c))
        out[i++] = c;
    return out;
}

static int link_of(struct robot_model *m, const struct graph *g, const struct xml *joint, const char *end)
{
    const struct xml *node = xml_child(joint, end);
    const char *name = node ? xml_value(node, "link") : NULL;
    for (int i = 0; i < g->link_count && name; i++)
    {
        const char *other = xml_value(g->links[i], "name");
        if (other && strcmp(other, name) == 0)
            return i;
    }
    robot_fail(m, node ? node : joint, node ? xml_attribute(node, "link") : NULL,
               name ? "no link called \"%.60s\"; a joint names two links of the file"
                    : "a joint without <%.20s link=\"...\"/>; add it",
               name ? name : end);
    return 0;
}

static bool read_graph(struct robot_model *m, struct graph *g)
{
    g->links = list(m, "link", &g->link_count);
    g->joints = list(m, "joint", &g->joint_count);
    size_t n = (size_t)g->link_count + (size_t)g->joint_count + 1;
    int *numbers = store_take(m->store, 5 * n * sizeof *numbers);
    if (!g->links || !g->joints || !numbers)
        robot_fail(m, m->root, NULL, "no memory for the robot; use a smaller one");
    if (m->result != PL_OK)
        return false;
    g->up = numbers, g->ends[0] = numbers + n, g->ends[1] = numbers + 2 * n;
    g->model = numbers + 3 * n, g->from = numbers + 4 * n;
    for (int i = 0; i < g->link_count; i++)
    {
        g->up[i] = -1;
        if (!xml_value(g->links[i], "name"))
            robot_fail(m, g->links[i], NULL, "a link without \"name\"; give it one");
    }
    for (int j = 0; j < g->joint_count && m->result == PL_OK; j++)
    {
        g->ends[0][j] = link_of(m, g, g->joints[j], "parent");
        g->ends[1][j] = link_of(m, g, g->joints[j], "child");
        if (m->result == PL_OK && g->up[g->ends[1][j]] >= 0)
            robot_fail(m, g->joints[j], NULL, "the child has another parent already; the links of a URDF are a tree");
        g->up[g->ends[1][j]] = j;
    }
    return m->result == PL_OK;
}

// Adds the links, parents first, each with the joint that moves it.
static void add_tree(struct robot_model *m, struct graph *g)
{
    int root = -1, done = 0;
    for (int i = 0; i < g->link_count; i++)
        if (g->up[i] < 0 && root >= 0)
            robot_fail(m, g->links[i], NULL, "a second link without a parent; the links of a URDF are one tree");
        else if (g->up[i] < 0)
            root = i;
    if (root < 0)
        robot_fail(m, m->root, NULL,
                   g->link_count ? "every link has a parent; one must have none"
                                 : "no links in it; at least one is needed");
    if (m->result != PL_OK)
        return;
    robot_add_link(m, xml_value(g->links[root], "name"), g->links[root], -1);
    g->from[0] = root;
    for (; done < m->links.count && m->result == PL_OK; done++)
    {
        int file = g->from[done];
        read_link(m, g->links[file], done);
        if (g->up[file] >= 0)
            read_joint(m, g->joints[g->up[file]], done);
        for (int j = 0; j < g->joint_count && m->result == PL_OK; j++)
            if (g->ends[0][j] == file)
            {
                int child = g->ends[1][j];
                g->from[m->links.count] = child;
                robot_add_link(m, xml_value(g->links[child], "name"), g->links[child], done);
            }
    }
    if (done < g->link_count)
        robot_fail(m, m->root, NULL, "links that are their own parents; the links of a URDF are a tree");
}

void urdf_read(struct robot_model *m)
{
    struct graph g = {0};
    m->name = xml_value(m->root, "name");
    if (!read_graph(m, &g))
        return;
    add_tree(m, &g);
    if (m->result != PL_OK)
        return;
    if (m->def.fixed)
        m->links.items[0].holds = true;
    else
        robot_add_joint(m, NULL, m->root, 0, ROBOT_FREE);
    robot_warn_unread(m, "visual material name version xmlns:xacro xmlns type");
}
