// robot_resolve.c: finds what a robot becomes in a world: which links share a body, what the bodies weigh, and at which
// positions the joints are added.
#include "robot_model.h"

#include <stdio.h>
#include <string.h>

// ---- masses --------------------------------------------------------------------------------------------------------

// Adds m (x E - d d^T), the inertia of a mass at a distance d.
static void add_point(double inertia[3][3], double mass, const double d[3])
{
    double square = robot_dot(d, d);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inertia[r][c] += mass * ((r == c ? square : 0.0) - d[r] * d[c]);
}

// Adds a mass, given in a frame of this pose.
static void add_mass(struct robot_mass *to, const struct robot_mass *part, const struct robot_pose *pose)
{
    struct robot_mass other = *part;
    double total = to->mass + other.mass, a[3], b[3], rotated[3][3];
    if (!(other.mass > 0.0))
        return;
    robot_place(pose, part->centre, other.centre);
    robot_rotate_inertia(pose->q, other.inertia, rotated);
    for (int c = 0; c < 3; c++)
    {
        double centre = (to->mass * to->centre[c] + other.mass * other.centre[c]) / total;
        a[c] = to->centre[c] - centre;
        b[c] = other.centre[c] - centre;
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            to->inertia[r][c] += rotated[r][c];
    add_point(to->inertia, to->mass, a);
    add_point(to->inertia, other.mass, b);
    for (int c = 0; c < 3; c++)
        to->centre[c] = (to->mass * to->centre[c] + other.mass * other.centre[c]) / total;
    to->mass = total;
}

// Adds the mass of a shape, in the frame that its pose is in.
static void add_shape_mass(struct robot_model *m, const struct xml *node, const struct robot_shape *s,
                           struct robot_mass *to)
{
    pl_rigid_shape plain = s->shape;
    pl_mass_properties found;
    char why[400];
    if (s->plane || s->mass == 0.0 || (s->mass < 0.0 && !(plain.density > 0.0f)) || m->result != PL_OK)
        return;
    plain.position = (pl_vec3){0.0f, 0.0f, 0.0f};
    plain.rotation = (pl_quat){0.0f, 0.0f, 0.0f, 1.0f};
    plain.density = s->mass > 0.0 ? 1.0f : plain.density;
    if (pl_rigid_mass(&plain, 1, &found) != PL_OK)
    {
        snprintf(why, sizeof why, "%s", pl_error_message());
        robot_fail(m, node, NULL, "a shape cannot be used: %s", why);
        return;
    }
    double scale = s->mass > 0.0 ? s->mass / (double)found.mass : 1.0;
    const float *i = found.inertia;
    struct robot_mass mass = {
        .mass = scale * (double)found.mass,
        .centre = {(double)found.centre.x, (double)found.centre.y, (double)found.centre.z},
        .inertia = {{scale * (double)i[0], scale * (double)i[3], scale * (double)i[5]},
                    {scale * (double)i[3], scale * (double)i[1], scale * (double)i[4]},
                    {scale * (double)i[5], scale * (double)i[4], scale * (double)i[2]}},
    };
    add_mass(to, &mass, &s->pose);
}

static void ball_inertia(struct robot_mass *mass, double radius)
{
    memset(mass->inertia, 0, sizeof mass->inertia);
    for (int c = 0; c < 3; c++)
        mass->inertia[c][c] = 0.4 * mass->mass * radius * radius;
}

// A body that moves needs a mass and an inertia.
static void check_mass(struct robot_model *m, struct robot_body *b)
{
    const struct robot_link *link = &m->links.items[b->link];
    if (b->holds || link->joints_of >= 0)
        return;
    if (!(b->mass.mass > 0.0) && m->mjcf)
        robot_fail(m, link->node, NULL, "the body \"%.60s\" moves and has no mass; give it a geom or an inertial",
                   link->name);
    if (b->first && !(b->mass.mass > 0.0))
    {
        robot_warn(m, link->node, NULL, "no mass",
                   "the link \"%.60s\" moves and has no mass; that of its shapes at 1,000 kg/m^3 is taken", link->name);
        for (const struct robot_shape *s = b->first; s; s = s->next)
            add_shape_mass(m, link->node, s, &b->mass);
    }
    if (!(b->mass.mass > 0.0))
    {
        robot_warn(m, link->node, NULL, "no mass, no shape",
                   "the link \"%.60s\" moves and has neither mass nor shape; it gets 1 g", link->name);
        b->mass.mass = 1e-3;
        ball_inertia(&b->mass, 0.01);
    }
    if (!(b->mass.inertia[0][0] + b->mass.inertia[1][1] + b->mass.inertia[2][2] > 0.0))
    {
        robot_warn(m, link->node, NULL, "no inertia",
                   "the link \"%.60s\" has a mass and no inertia; that of a ball of 5 cm is taken", link->name);
        ball_inertia(&b->mass, 0.05);
    }
}

// ---- bodies --------------------------------------------------------------------------------------------------------

static void take_shapes(struct robot_link *link, struct robot_body *b)
{
    for (struct robot_shape *s = link->first, *next; s; s = next)
    {
        next = s->next;
        s->next = NULL;
        if (!s->collides)
            continue;
        s->pose = robot_after(&link->in_body, &s->pose);
        *(b->last ? &b->last->next : &b->first) = s;
        b->last = s;
        b->shapes += !s->plane;
    }
    link->first = link->last = NULL;
}

static void find_body(struct robot_model *m, int number)
{
    struct robot_link *link = &m->links.items[number];
    bool own = link->parent < 0 || link->joint >= 0 || link->keep || m->def.keep_fixed;
    if (own)
    {
        struct robot_body *b = ROBOT_ADD(m, bodies);
        if (!b)
            return;
        *b = (struct robot_body){.link = number, .holds = link->holds};
        link->body = m->bodies.count - 1;
    }
    else
    {
        const struct robot_link *parent = &m->links.items[link->parent];
        link->body = parent->body;
        link->in_body = robot_after(&parent->in_body, &link->rest);
    }
    struct robot_body *b = &m->bodies.items[link->body];
    if (m->mjcf && !link->has_mass)
        for (const struct robot_shape *s = link->first; s; s = s->next)
            add_shape_mass(m, link->node, s, &link->mass);
    add_mass(&b->mass, &link->mass, &link->in_body);
    take_shapes(link, b);
}

// A link for one more joint of a body takes a twentieth of that body's mass.
static void share_mass(struct robot_model *m)
{
    for (int i = m->links.count - 1; i >= 0; i--)
    {
        const struct robot_link *link = &m->links.items[i];
        if (link->joints_of < 0)
            continue;
        struct robot_mass *to = &m->bodies.items[link->body].mass,
                          *from = &m->bodies.items[m->links.items[link->joints_of].body].mass;
        double all = from->mass;
        for (int other = 0; other < m->links.count; other++) // those that have taken theirs
            all += other > i && m->links.items[other].joints_of == link->joints_of
                       ? m->bodies.items[m->links.items[other].body].mass.mass
                       : 0.0;
        double part = 0.05 * all / from->mass;
        *to = *from;
        to->mass *= part, from->mass *= 1.0 - part;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                to->inertia[r][c] *= part, from->inertia[r][c] *= 1.0 - part;
    }
}

// ---- joints --------------------------------------------------------------------------------------------------------

static void find_start(struct robot_model *m, struct robot_joint *j)
{
    const double pi = ROBOT_PI;
    if (j->limited && j->kind == ROBOT_HINGE && !(j->high - j->low < 2.0 * pi))
    {
        robot_warn(m, j->node, NULL, "wide limits",
                   "limits of a whole turn or more are ignored: joints are limited within 360 degrees");
        j->limited = false;
    }
    j->start = j->zero;
    if (j->limited && j->kind == ROBOT_HINGE && (j->low - j->zero < -pi || j->high - j->zero > pi))
        j->start = 0.5 * (j->low + j->high);
    j->placed = j->zero;
    if (j->limited && !(j->low <= j->placed && j->placed <= j->high))
    {
        j->placed = j->placed < j->low ? j->low : j->high;
        robot_warn(m, j->node, NULL, "outside",
                   "\"%.60s\" is outside of its limits in the file; it is placed at the nearer one", j->name);
    }
}

void robot_resolve(struct robot_model *m)
{
    for (int i = 0; i < m->joints.count && m->result == PL_OK; i++)
        find_start(m, &m->joints.items[i]);
    for (int i = 0; i < m->links.count && m->result == PL_OK; i++)
        find_body(m, i);
    for (int i = 0; i < m->bodies.count && m->result == PL_OK; i++)
        check_mass(m, &m->bodies.items[i]);
    if (m->result == PL_OK)
        share_mass(m);
}
