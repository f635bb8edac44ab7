// mjcf_geom.c: reads the geoms of MJCF.
#include "mjcf.h"

#include <stdio.h>
#include <string.h>

// Ends of a capsule, cylinder or box along z: its pose and half its length.
static bool read_ends(const struct robot_element *e, struct robot_pose *pose, double *half)
{
    double ends[6], along[3];
    if (robot_numbers(e, "fromto", ends, 6, 6) != 6)
        return false;
    for (int c = 0; c < 3; c++)
    {
        pose->p[c] = 0.5 * (ends[c] + ends[c + 3]);
        along[c] = ends[c + 3] - ends[c];
    }
    *half = 0.5 * robot_length(along);
    if (!robot_normalise(along, 3))
        robot_fail(e->m, e->node, NULL, "\"fromto\" with equal ends; they must differ");
    else
        robot_from_z(along, pose->q);
    return true;
}

// Round shapes and planes are along y here and along z there.
static void turn_to_y(struct robot_pose *pose)
{
    static const double x_axis[3] = {1.0, 0.0, 0.0};
    double quarter[4];
    robot_rotation(x_axis, ROBOT_PI / 2.0, quarter);
    robot_times(pose->q, quarter, pose->q);
}

// Returns false if there is none.
static bool read_mesh(struct mjcf *f, const struct robot_element *e, struct robot_shape *s)
{
    const char *name = robot_text(e, "mesh");
    const struct xml *asset = xml_child(f->m->root, "asset");
    char path[512];
    for (; asset; asset = xml_next(asset))
        for (struct xml *c = xml_child(asset, "mesh"); c && name; c = xml_next(c))
        {
            struct robot_element of = mjcf_element(f, c, mjcf_class(f, c, "main"));
            const char *file = robot_text(&of, "file"), *own = robot_text(&of, "name");
            double scale[3] = {1.0, 1.0, 1.0};
            const char *slash = file ? strrchr(file, '/') : NULL, *base = slash ? slash + 1 : file;
            const char *dot = base ? strrchr(base, '.') : NULL;
            size_t stem = dot ? (size_t)(dot - base) : base ? strlen(base) : 0;
            bool same = own ? strcmp(own, name) == 0
                            : base && strlen(name) == stem && strncmp(name, base, stem) == 0; // the file names it
            if (!same)
                continue;
            if (!file)
            {
                robot_fail(f->m, c, NULL, "a mesh without \"file\"; name an OBJ or STL file");
                return false;
            }
            size_t size = strlen(f->mesh_folder);
            snprintf(path, sizeof path, "%s%s%s", f->mesh_folder, size && f->mesh_folder[size - 1] != '/' ? "/" : "",
                     file);
            robot_numbers(&of, "scale", scale, 3, 3);
            robot_ignored(&of, "refpos refquat");
            return robot_read_hull(f->m, c, xml_attribute(c, "file"), file[0] == '/' ? file : path, scale, &s->shape);
        }
    robot_fail(f->m, e->node, NULL, "no mesh \"%.60s\" in <asset>; a geom of type mesh names one", name ? name : "");
    return false;
}

// Sizes: the radius, half the length; or three half edges.
static void read_size(const struct robot_element *e, struct robot_shape *s, const char *type)
{
    double size[3] = {0.0}, half = 0.0;
    int count = robot_numbers(e, "size", size, 1, 3);
    bool ends = type[0] != 's' && read_ends(e, &s->pose, &half);
    int needed = type[0] == 's' || (ends && type[0] != 'b') ? 1 : type[0] == 'b' ? (ends ? 1 : 3) : 2;
    if (ends && type[0] != 'b')
        size[1] = half;
    if (ends && type[0] == 'b')
        size[1] = count > 1 ? size[1] : size[0], size[2] = half;
    bool good = count >= needed;
    for (int c = 0; c < (type[0] == 's' ? 1 : type[0] == 'b' ? 3 : 2); c++)
        good = good && size[c] > 0.0 && size[c] <= 1e6;
    if (!good)
        robot_fail(e->m, e->node, NULL, "a %s with %d sizes; it needs %d, above 0 and at most 1e6 m", type, count,
                   needed);
    s->shape.radius = (float)size[0];
    s->shape.length = (float)(2.0 * size[1]);
    s->shape.half = (pl_vec3){(float)size[0], (float)size[1], (float)size[2]};
}

// Returns false for a type that is not known.
static bool read_form(struct mjcf *f, const struct robot_element *e, struct robot_shape *s, const char *type)
{
    static const char *const words[] = {"sphere", "capsule", "box", "cylinder"};
    for (int k = 0; k < 4; k++)
        if (strcmp(type, words[k]) == 0)
        {
            s->shape.kind = (pl_rigid_shape_kind)k;
            read_size(e, s, type);
            if (k == PL_RIGID_CAPSULE || k == PL_RIGID_CYLINDER)
                turn_to_y(&s->pose);
            return true;
        }
    if (strcmp(type, "mesh") == 0)
        return read_mesh(f, e, s);
    if (strcmp(type, "plane") == 0)
    {
        double unused[3];
        robot_numbers(e, "size", unused, 1, 3);
        s->plane = true;
        turn_to_y(&s->pose);
    }
    else
    {
        robot_warn(f->m, e->node, NULL, type, "geoms of type \"%.40s\" are ignored, with their mass", type);
        return false;
    }
    return true;
}

void mjcf_geom(struct mjcf *f, const struct robot_element *e, int link)
{
    const char *type = robot_text(e, "type");
    struct robot_shape *s = robot_add_shape(f->m, link, e->node);
    double density = 1000.0, type_bits = 1.0, affinity = 1.0, friction[3];
    if (!s)
        return;
    mjcf_pose(f, e, &s->pose);
    bool known = read_form(f, e, s, type ? type : robot_text(e, "mesh") ? "mesh" : "sphere");
    robot_number(e, "density", 0.0, 1e12, &density);
    robot_number(e, "mass", 0.0, 1e12, &s->mass);
    robot_number(e, "contype", 0.0, 4294967295.0, &type_bits);
    robot_number(e, "conaffinity", 0.0, 4294967295.0, &affinity);
    s->shape.density = (float)density;
    s->mass = known ? s->mass : 0.0;
    if (!known || (type_bits == 0.0 && affinity == 0.0)) // only drawn and weighed
        s->collides = false;
    else if (type_bits != 1.0 || affinity != 1.0)
        robot_warn(f->m, e->node, NULL, "contype", "contype and conaffinity other than 0 and 1 are ignored");
    if (s->plane && link != 0)
        robot_fail(f->m, e->node, NULL, "a plane on a body; planes belong to the worldbody");
    struct robot_link *to = &f->m->links.items[link];
    if (robot_numbers(e, "friction", friction, 1, 3) >= 1)
    {
        if (!(friction[0] >= 0.0 && friction[0] <= 100.0))
            robot_fail(f->m, e->node, NULL, "a friction of %g; expected 0 to 100", friction[0]);
        s->friction = friction[0];
        to->friction = to->friction > friction[0] && to->first != s ? to->friction : friction[0];
    }
    robot_ignored(e, "condim solref solimp solmix margin gap priority fluidshape shellinertia");
}
