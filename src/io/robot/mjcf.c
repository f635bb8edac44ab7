// mjcf.c: reads an MJCF text (https://mujoco.readthedocs.io/en/stable/XMLreference.html) into a robot_model: compiler,
// options, defaults and the tree of bodies. Geoms, joints, actuators and sensors are in mjcf_*.c.
#include "mjcf.h"

#include <string.h>

// ---- defaults ------------------------------------------------------------------------------------------------------

// Marks a whole tree as read, which is not told about: what has an effect in it is asked for, the rest is not.
static void mark_read(struct xml *top)
{
    struct xml *node = top;
    while (node)
    {
        node->read = true;
        for (struct xml_attribute *a = node->attributes; a; a = a->next)
            a->read = true;
        if (node->first)
        {
            node = node->first;
            continue;
        }
        while (node != top && !node->next)
            node = node->parent;
        node = node == top ? NULL : node->next;
    }
}

const struct xml *mjcf_class(struct mjcf *f, const struct xml *node, const char *name)
{
    for (struct xml *d = xml_child(f->m->root, "default"); d; d = xml_next(d)) // each section, depth first
        for (struct xml *at = d; at;)
        {
            const char *own = xml_value(at, "class");
            if (xml_is(at, "default") && strcmp(own ? own : "main", name) == 0)
                return at;
            if (at->first)
            {
                at = at->first;
                continue;
            }
            while (at != d && !at->next)
                at = at->parent;
            at = at == d ? NULL : at->next;
        }
    if (strcmp(name, "main") != 0)
        robot_fail(f->m, node, NULL, "no default class \"%.60s\"; a <default class=\"...\"> defines one", name);
    return NULL;
}

struct robot_element mjcf_element(struct mjcf *f, const struct xml *node, const struct xml *around)
{
    const char *own = xml_value(node, "class");
    return (struct robot_element){f->m, node, own ? mjcf_class(f, node, own) : around};
}

// ---- poses ---------------------------------------------------------------------------------------------------------

double mjcf_angle(const struct mjcf *f, double angle) { return f->radians ? angle : angle * (ROBOT_PI / 180.0); }

static void read_euler(struct mjcf *f, const double angles[3], double q[4])
{
    const double none[4] = {0.0, 0.0, 0.0, 1.0};
    memcpy(q, none, sizeof none);
    for (int i = 0; i < 3; i++)
    {
        char letter = f->euler[i];
        bool fixed = letter >= 'X' && letter <= 'Z'; // capital letters: about the axes of the parent
        double axis[3] = {0.0, 0.0, 0.0}, turn[4];
        axis[letter - (fixed ? 'X' : 'x')] = 1.0;
        robot_rotation(axis, mjcf_angle(f, angles[i]), turn);
        if (fixed)
            robot_times(turn, q, q);
        else
            robot_times(q, turn, q);
    }
}

// The rotation whose x and y axes are these; y is made orthogonal to x.
static bool axes_rotation(const double v[6], double q[4])
{
    double x[3] = {v[0], v[1], v[2]}, y[3] = {v[3], v[4], v[5]}, z[3], turn[4], turned[3];
    if (!robot_normalise(x, 3))
        return false;
    double along = robot_dot(x, y);
    for (int c = 0; c < 3; c++)
        y[c] -= along * x[c];
    if (!robot_normalise(y, 3))
        return false;
    robot_cross(x, y, z);
    robot_from_z(z, q); // then about z until x fits
    robot_unrotate(q, x, turned);
    const double z_axis[3] = {0.0, 0.0, 1.0};
    robot_rotation(z_axis, robot_angle(turned[1], turned[0]), turn);
    robot_times(q, turn, q);
    return true;
}

void mjcf_pose(struct mjcf *f, const struct robot_element *e, struct robot_pose *pose)
{
    double v[6];
    bool good = true;
    robot_numbers(e, "pos", pose->p, 3, 3);
    if (robot_numbers(e, "quat", v, 4, 4) == 4)
    {
        pose->q[0] = v[1], pose->q[1] = v[2], pose->q[2] = v[3], pose->q[3] = v[0];
        good = robot_normalise(pose->q, 4);
    }
    else if (robot_numbers(e, "axisangle", v, 4, 4) == 4)
    {
        good = robot_normalise(v, 3);
        robot_rotation(v, mjcf_angle(f, v[3]), pose->q);
    }
    else if (robot_numbers(e, "euler", v, 3, 3) == 3)
        read_euler(f, v, pose->q);
    else if (robot_numbers(e, "xyaxes", v, 6, 6) == 6)
        good = axes_rotation(v, pose->q);
    else if (robot_numbers(e, "zaxis", v, 3, 3) == 3)
    {
        good = robot_normalise(v, 3);
        robot_from_z(v, pose->q);
    }
    if (!good || !(pose->q[3] - pose->q[3] == 0.0))
        robot_fail(f->m, e->node, NULL, "a rotation without a direction; give axes and quaternions a length above 0");
}

// ---- compiler and options ------------------------------------------------------------------------------------------

static void read_words(struct mjcf *f, const struct robot_element *e)
{
    const char *angle = robot_text(e, "angle"), *coordinate = robot_text(e, "coordinate");
    const char *euler = robot_text(e, "eulerseq"), *inertia = robot_text(e, "inertiafromgeom");
    const char *meshes = robot_text(e, "meshdir"), *assets = robot_text(e, "assetdir");
    if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
        robot_fail(f->m, e->node, NULL, "angle is \"%.40s\"; expected radian or degree", angle);
    f->radians = angle ? strcmp(angle, "radian") == 0 : f->radians;
    if (coordinate && strcmp(coordinate, "local") != 0)
        robot_fail(f->m, e->node, NULL, "coordinate is \"%.40s\"; only local is supported", coordinate);
    if (euler && (strlen(euler) != 3 || strspn(euler, "xyzXYZ") != 3))
        robot_fail(f->m, e->node, NULL, "eulerseq is \"%.40s\"; expected three of x y z X Y Z", euler);
    else if (euler)
        memcpy(f->euler, euler, 4);
    if (inertia && strcmp(inertia, "auto") != 0)
        f->from_geoms = strcmp(inertia, "true") == 0;
    f->mesh_folder = meshes ? meshes : assets ? assets : f->mesh_folder;
    robot_bool(e, "autolimits", &f->limits);
}

static void read_settings(struct mjcf *f)
{
    struct robot_model *m = f->m;
    for (struct xml *c = xml_child(m->root, "compiler"); c; c = xml_next(c))
    {
        struct robot_element e = {.m = m, .node = c};
        read_words(f, &e);
    }
    m->gravity[2] = -9.81;
    m->has_gravity = true;
    for (struct xml *c = xml_child(m->root, "option"); c; c = xml_next(c))
    {
        struct robot_element e = {.m = m, .node = c};
        robot_numbers(&e, "gravity", m->gravity, 3, 3);
        robot_number(&e, "timestep", 1e-9, 100.0, &m->timestep);
        for (int i = 0; i < 3; i++)
            if (!(m->gravity[i] >= -1e6 && m->gravity[i] <= 1e6))
                robot_fail(m, c, NULL, "a gravity of %g m/s^2; expected -1e6 to 1e6", m->gravity[i]);
    }
}

// ---- bodies --------------------------------------------------------------------------------------------------------

static void read_inertial(struct mjcf *f, const struct xml *node, int link)
{
    struct robot_element e = {.m = f->m, .node = node};
    struct robot_link *to = &f->m->links.items[link];
    struct robot_pose pose = ROBOT_POSE_NONE;
    double i[6] = {0.0}, matrix[3][3] = {{0.0}};
    mjcf_pose(f, &e, &pose);
    if (!robot_number(&e, "mass", 1e-12, 1e12, &to->mass.mass))
        robot_fail(f->m, node, NULL, "an <inertial> without \"mass\"; give it in kg");
    if (robot_numbers(&e, "fullinertia", i, 6, 6) != 6 && robot_numbers(&e, "diaginertia", i, 3, 3) != 3)
        robot_fail(f->m, node, NULL, "an <inertial> without \"diaginertia\" or \"fullinertia\"; give one of them");
    matrix[0][0] = i[0], matrix[1][1] = i[1], matrix[2][2] = i[2]; // xx yy zz xy xz yz
    matrix[0][1] = matrix[1][0] = i[3], matrix[0][2] = matrix[2][0] = i[4], matrix[1][2] = matrix[2][1] = i[5];
    robot_rotate_inertia(pose.q, matrix, to->mass.inertia);
    memcpy(to->mass.centre, pose.p, sizeof pose.p);
    to->has_mass = true;
}

static void read_site(struct mjcf *f, const struct robot_element *e, int link)
{
    double ends[6];
    struct robot_site *site = ROBOT_ADD(f->m, sites);
    if (!site)
        return;
    robot_text(e, "type"); // only drawn
    *site = (struct robot_site){.name = robot_text(e, "name"), .link = link, .pose = ROBOT_POSE_NONE};
    if (robot_numbers(e, "fromto", ends, 6, 6) == 6)
    {
        double along[3];
        for (int c = 0; c < 3; c++)
            site->pose.p[c] = 0.5 * (ends[c] + ends[c + 3]), along[c] = ends[c + 3] - ends[c];
        if (robot_normalise(along, 3))
            robot_from_z(along, site->pose.q);
    }
    else
        mjcf_pose(f, e, &site->pose);
}

// Adds the links of a body: one for each joint but the last, and its own. Returns the number of its own, or -1.
static int add_links(struct mjcf *f, const struct xml *node, int parent, const struct xml *around)
{
    struct robot_model *m = f->m;
    struct robot_element e = {.m = m, .node = node};
    const struct xml *joints[8];
    int count = 0, own = -1;
    struct robot_pose rest = ROBOT_POSE_NONE;
    mjcf_pose(f, &e, &rest);
    for (struct xml *c = node->first; c; c = c->next)
        if (xml_is(c, "joint") || xml_is(c, "freejoint"))
        {
            if (count == 6)
                robot_fail(m, c, NULL, "more than 6 joints of one body; use fewer");
            c->read = true;
            joints[count < 6 ? count++ : 5] = c;
        }
    int first = m->links.count;
    for (int i = 0; i < (count ? count : 1) && m->result == PL_OK; i++)
    {
        bool last = i == (count ? count : 1) - 1;
        struct robot_link *link = robot_add_link(m, last ? xml_value(node, "name") : NULL, node, i ? own : parent);
        own = m->links.count - 1;
        if (!link)
            return -1;
        link->rest = i ? ROBOT_POSE_NONE : rest;
        link->joints_of = last ? -1 : first + count - 1;
        if (count)
        {
            struct robot_element j = mjcf_element(f, joints[i], around);
            mjcf_joint(f, &j, own);
        }
    }
    if (count > 1)
        robot_warn(m, node, NULL, "several joints",
                   "bodies with several joints are divided: each joint but the last gets a body with 5 %% of the mass");
    struct robot_tie *tie = count > 1 && parent > 0 ? ROBOT_ADD(m, ties) : NULL; // they overlap, as joined ones do
    if (tie)
        *tie = (struct robot_tie){.links = {parent, own}, .apart = true};
    return own;
}

static void read_body_parts(struct mjcf *f, const struct xml *node, int link, const struct xml *around)
{
    static const char refused_here[] = "frame replicate composite flexcomp attach include";
    struct robot_model *m = f->m;
    for (struct xml *c = node->first; c && m->result == PL_OK; c = c->next)
    {
        struct robot_element e;
        if (xml_is(c, "geom") || xml_is(c, "site"))
        {
            c->read = true;
            e = mjcf_element(f, c, around);
            if (c->name[0] == 'g')
                mjcf_geom(f, &e, link);
            else
                read_site(f, &e, link);
        }
        else if (xml_is(c, "inertial") && f->from_geoms != 1)
        {
            c->read = true;
            read_inertial(f, c, link);
        }
        else if (robot_has_word(refused_here, c->name))
            robot_fail(m, c, NULL, "<%.40s> is not supported; let MuJoCo save the compiled model and read that",
                       c->name);
    }
    if (m->result == PL_OK && link > 0 && f->from_geoms == 0)
        m->links.items[link].has_mass = true; // whatever the geoms weigh
}

// Walks the bodies without recursion: down to the first body inside, else to the next beside, else up.
static void read_bodies(struct mjcf *f, struct xml *world)
{
    struct robot_model *m = f->m;
    int links[XML_MAX_DEPTH + 1] = {0};
    const struct xml *around[XML_MAX_DEPTH + 1] = {mjcf_class(f, world, "main")};
    int depth = 0;
    struct xml *at = world;
    world->read = true;
    robot_add_link(m, "world", world, -1);
    while (m->result == PL_OK)
    {
        if (depth == 0)
            m->links.items[0].holds = true;
        read_body_parts(f, at, links[depth], around[depth]);
        struct xml *next = xml_child(at, "body");
        if (next)
            depth++;
        while (!next && depth > 0)
        {
            next = xml_next(at);
            at = at->parent;
            depth -= !next;
        }
        if (!next || m->result != PL_OK)
            return;
        at = next;
        const char *class = xml_value(at, "childclass");
        around[depth] = class ? mjcf_class(f, at, class) : around[depth - 1];
        links[depth] = m->result == PL_OK ? add_links(f, at, links[depth - 1], around[depth]) : 0;
    }
}

void mjcf_read(struct robot_model *m)
{
    struct mjcf f = {.m = m, .limits = true, .from_geoms = 2, .euler = "xyz", .mesh_folder = ""};
    struct xml *world = xml_child(m->root, "worldbody");
    m->mjcf = true;
    m->name = xml_value(m->root, "model");
    if (!world)
        robot_fail(m, m->root, NULL, "no <worldbody>; it holds the bodies of an MJCF file");
    if (xml_child(m->root, "include"))
        robot_fail(m, xml_child(m->root, "include"), NULL,
                   "<include> is not supported; let MuJoCo save the compiled model and read that");
    read_settings(&f);
    if (m->result != PL_OK)
        return;
    read_bodies(&f, world);
    mjcf_actuators(&f);
    mjcf_sensors(&f);
    mjcf_equalities(&f);
    for (struct xml *d = xml_child(m->root, "default"); d; d = xml_next(d))
        mark_read(d);
    robot_warn_unread(m, "name rgba material texture light camera visual statistic size asset custom group user "
                         "childclass class");
}
