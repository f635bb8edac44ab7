// robot_model.h: declares what a URDF or MJCF text is read into, before a world knows of it. Everything is in double and
// in the axes of the file. The readers (urdf.c, mjcf*.c) fill links, joints, actuators and sensors; robot_resolve.c
// finds bodies and masses; robot_build.c adds them to a world.
#ifndef PLIANT_IO_ROBOT_MODEL_H
#define PLIANT_IO_ROBOT_MODEL_H

#include "io/xml.h"
#include "robot_math.h"

#include <pliant/pliant.h>

enum
{
    ROBOT_MAX_LINKS = 4096,
    ROBOT_MAX_WARNINGS = 64,
    ROBOT_MAX_SHAPES = 1 << 16,
};

enum robot_joint_kind
{
    ROBOT_FIXED,
    ROBOT_HINGE,
    ROBOT_SLIDE,
    ROBOT_BALL,
    ROBOT_FREE,
};

struct robot_shape
{
    struct robot_pose pose; // in the link; after robot_resolve in the body
    pl_rigid_shape shape;
    bool plane;      // an infinite plane instead; its normal is the y axis of the pose
    bool collides;   // false: it has only a mass
    double friction; // coefficient of sliding friction; below 0: that of the world's first material
    double mass;     // kg; below 0: from the density of `shape`
    struct robot_shape *next;
};

struct robot_mass
{
    double mass, centre[3], inertia[3][3]; // about the centre
};

struct robot_link
{
    const char *name;
    const struct xml *node;
    int parent;             // -1: none
    struct robot_pose rest; // in the parent, with the joint at 0
    int joint;              // among the joints, -1: fixed
    struct robot_shape *first, *last;
    bool has_mass, holds;   // holds: it never moves
    bool keep;              // it becomes a body of its own
    struct robot_mass mass; // in the link
    int joints_of; // MJCF: the link whose further joint this one is for, or -1; it gets a part of the other's mass
    double friction;
    int body; // resolved
    struct robot_pose in_body;
};

// Rotates about, or slides along, `axis` through `point`, both in the link that it moves.
struct robot_joint
{
    const char *name;
    const struct xml *node;
    enum robot_joint_kind kind;
    int link;
    double point[3], axis[3];
    bool limited;
    double low, high, zero; // zero: the position that the file's pose has
    double damping, friction, stiffness, spring;
    double start;  // resolved: the position at which the joint is added to the world; within pi of both limits
    double placed; // resolved: the position at which the robot is placed: that of the file, within the limits
};

struct robot_actuator
{
    const char *name;
    int joint;
    pl_control control;
    double kp, kv, gear, least, most, strength;
};

struct robot_sensor
{
    const char *name;
    pl_sensor kind;
    int link, joint;
    struct robot_pose pose; // in the link
};

// A place on a link, for sensors.
struct robot_site
{
    const char *name;
    int link;
    struct robot_pose pose;
};

// A joint that closes a loop: a ball joint at a point of the first link, or a fixed joint. Or two links that do not
// collide.
struct robot_tie
{
    int links[2];
    bool weld, apart;
    double point[3];
};

struct robot_body
{
    int link; // whose frame it has
    bool holds;
    struct robot_mass mass;
    struct robot_shape *first, *last;
    int shapes;
};

#define ROBOT_LIST(type)                                                                                               \
    struct                                                                                                             \
    {                                                                                                                  \
        type *items;                                                                                                   \
        int count, capacity;                                                                                           \
    }

struct robot_model
{
    struct store *store;
    const struct xml *root;
    pl_robot_def def;
    pl_result result; // the first failure; later ones are dropped
    const char *name;
    bool mjcf, has_gravity;
    double gravity[3], timestep;
    struct robot_pose base; // of the file in the world
    int shape_count;
    ROBOT_LIST(struct robot_link) links;
    ROBOT_LIST(struct robot_joint) joints;
    ROBOT_LIST(struct robot_actuator) actuators;
    ROBOT_LIST(struct robot_sensor) sensors;
    ROBOT_LIST(struct robot_site) sites;
    ROBOT_LIST(struct robot_tie) ties;
    ROBOT_LIST(struct robot_body) bodies;
    const char *warnings[ROBOT_MAX_WARNINGS], *warned[ROBOT_MAX_WARNINGS];
    int warning_count;
};

// ---- robot_read.c --------------------------------------------------------------------------------------------------

// An element whose attributes may come from a <default> of MJCF instead.
struct robot_element
{
    struct robot_model *m;
    const struct xml *node, *defaults; // defaults: the innermost <default>, or NULL
};

// Returns a new zeroed item at the end of a list, or NULL after a failure.
void *robot_grow(struct robot_model *m, void *items, int *count, int *capacity, size_t size);
#define ROBOT_ADD(m, list)                                                                                             \
    robot_grow(m, &(m)->list.items, &(m)->list.count, &(m)->list.capacity, sizeof *(m)->list.items)

// Stores a failure at an attribute (NULL: at the element), unless there is one.
void robot_fail(struct robot_model *m, const struct xml *node, const struct xml_attribute *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Stores a warning, unless there is one of the same kind.
void robot_warn(struct robot_model *m, const struct xml *node, const struct xml_attribute *at, const char *kind,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
// Warns of every element and attribute that nothing has read. `silent`: names that need no warning, in blanks.
void robot_warn_unread(struct robot_model *m, const char *silent);

const char *robot_text(const struct robot_element *e, const char *name);
// Reads `least` to `most` numbers; returns how many there are, 0 if there is no such attribute.
int robot_numbers(const struct robot_element *e, const char *name, double *out, int least, int most);
// Reads one number from low to high; leaves *out if there is none.
bool robot_number(const struct robot_element *e, const char *name, double low, double high, double *out);
// Reads "true" or "false"; leaves *out if there is neither; "auto" is allowed.
void robot_bool(const struct robot_element *e, const char *name, bool *out);
// Warns of attributes, listed with blanks, that have a value but no effect here.
void robot_ignored(const struct robot_element *e, const char *names);

struct robot_link *robot_add_link(struct robot_model *m, const char *name, const struct xml *node, int parent);
// Adds a joint that moves the link, which must have none.
struct robot_joint *robot_add_joint(struct robot_model *m, const char *name, const struct xml *node, int link,
                                    enum robot_joint_kind kind);
struct robot_shape *robot_add_shape(struct robot_model *m, int link, const struct xml *node);
void robot_add_sensor(struct robot_model *m, const char *name, pl_sensor kind, int link, int joint,
                      const struct robot_pose *pose);
int robot_find_link(const struct robot_model *m, const char *name);
int robot_find_joint(const struct robot_model *m, const char *name);
bool robot_has_word(const char *words, const char *word);
int robot_sensor_width(pl_sensor kind);

// ---- the readers ---------------------------------------------------------------------------------------------------

void urdf_read(struct robot_model *m);
void mjcf_read(struct robot_model *m);
// robot_mesh.c: reads an OBJ or STL file beside the robot's as the vertices of a hull, scaled. Returns false if there is
// none: a failure, or a format that is left out.
bool robot_read_hull(struct robot_model *m, const struct xml *node, const struct xml_attribute *at, const char *path,
                     const double scale[3], pl_rigid_shape *shape);

// robot.c: reads a text. The model lives in the store.
pl_result robot_read(struct store *store, const char *text, size_t length, const char *file, const pl_robot_def *def,
                     struct robot_model **out);
// robot_resolve.c: finds bodies, masses and where joints start.
void robot_resolve(struct robot_model *m);
// robot_kinematics.c: the poses of all links in the world; positions: one for each joint, or NULL: as in the file.
// root: the pose of the file in the world.
void robot_forward(const struct robot_model *m, const struct robot_pose *root, const double *positions,
                   struct robot_pose *out);

#endif
