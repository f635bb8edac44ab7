// scene_robot.c: robots in scenes: their fields, their controls over time, and what is expected of their links.
#include "scene_robot.h"

#include "core/error.h"
#include "field_macros.h"
#include "robot/robot_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The controls of all actuators at a time.
struct scene_controls
{
    struct head head;
    float time;
    struct numbers values;
};

struct scene_robot
{
    struct head head;
    const char *name, *file;
    const struct json *xml;
    pl_vec3 rotation;
    int control;
    bool self_collide;
    struct records controls;
    pl_robot_def def;
    struct robot_model *model; // resolved
};

// ---- fields --------------------------------------------------------------------------------------------------------

// The order is that of pl_control.
static const char *const control_words[] = {"torque", "position", "velocity", "none", NULL};
static const char xml_schema[] =
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}";

#define THIS struct scene_controls
static const struct field controls_fields[] = {
    ENTRY("time", FIELD_NUMBER, time, .max = 1e9, .required = true, .about = "s"),
    ENTRY("values", FIELD_NUMBERS, values, .min = -BIG, .max = BIG, .required = true,
          .about = "one for each actuator, in their order: rad, m, N m, ..."),
    {0},
};
#undef THIS
static const struct record controls_record = {.name = "controls",
                                              .about = "The controls of a robot at a time.",
                                              .fields = controls_fields,
                                              .size = sizeof(struct scene_controls)};

#define THIS struct scene_robot
static const struct field robot_fields[] = {
    TEXT("name", name, "name for joints, constraints and expect; its bodies are its particles"),
    TEXT("file", file, "a URDF or MJCF file, beside the scene's file"),
    NODE("xml", xml, xml_schema, "the text itself, or a list of its lines; instead of a file"),
    VECTOR("position", def.position, "m; position of its root"),
    VECTOR("rotation", rotation, "degrees; rotation about the direction of this vector by its length"),
    BOOL("keep_axes", def.keep_axes, "keep the axes of the file; else its z, which is up, becomes y"),
    BOOL("fixed", def.fixed, "URDF: hold its root in place"),
    BOOL("keep_fixed", def.keep_fixed, "make bodies of their own of links that fixed joints hold"),
    CHOICE("control", control, control_words, "URDF: what the controls of its joints are"),
    NUMBER("kp", def.kp, TINY, BIG, "N m/rad or N/m; URDF: stiffness of \"control\" position"),
    NUMBER("kv", def.kv, 0, BIG, "N m s/rad or N s/m; URDF: damping of \"control\" position and velocity"),
    BOOL("gravity", def.gravity, "MJCF: take the gravity of the file for the whole scene"),
    BOOL("self_collide", self_collide, "let its links collide with each other, except those that a joint connects"),
    RECORDS("controls", controls, controls_record, "controls over time, linear in between"),
    {0},
};
#undef THIS
static void robot_defaults(void *values)
{
    struct scene_robot *r = values;
    r->def = pl_default_robot_def();
    r->control = (int)r->def.control;
    r->self_collide = true;
}
const struct record robot_record = {.name = "robot",
                                    .about = "A robot of a URDF or MJCF file.",
                                    .fields = robot_fields,
                                    .size = sizeof(struct scene_robot),
                                    .defaults = robot_defaults};

#define THIS struct scene_reach
static const struct field reach_fields[] = {
    ENTRY("of", FIELD_TEXT, of, .required = true, .about = "the name of a robot with \"controls\" of position"),
    ENTRY("link", FIELD_TEXT, link, .required = true, .about = "the name of a link"),
    NUMBER("within", within, 0, BIG, "m; largest distance from where forward kinematics puts it for the controls"),
    NUMBER("angle", angle, 0, 180, "degrees; largest angle from there"),
    {0},
};
#undef THIS
static void reach_defaults(void *values)
{
    ((struct scene_reach *)values)->within = 1e-3f;
    ((struct scene_reach *)values)->angle = 0.1f;
}
const struct record reach_record = {.name = "reach",
                                    .about = "A link that must be where the controls of its robot put it.",
                                    .fields = reach_fields,
                                    .size = sizeof(struct scene_reach),
                                    .defaults = reach_defaults};

// ---- reading -------------------------------------------------------------------------------------------------------

// Joins the lines of "xml".
static pl_result read_lines(pl_scene *scene, const struct json *node, const char **text)
{
    const struct json *first = node->type == JSON_ARRAY ? node->first : node;
    size_t size = 1;
    for (const struct json *line = first; line; line = line == node ? NULL : line->next)
    {
        if (line->type != JSON_STRING)
            return json_fail(line, "%s in \"xml\"; expected a text or a list of texts", json_type_name(line->type));
        size += strlen(line->text) + 1;
    }
    char *out = store_take(&scene->store, size);
    if (!out)
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    *text = out;
    for (const struct json *line = first; line; line = line == node ? NULL : line->next)
    {
        size_t length = strlen(line->text);
        memcpy(out, line->text, length);
        out[length] = '\n';
        out += length + 1;
    }
    return PL_OK;
}

static pl_result read_model(pl_scene *scene, struct scene_robot *r)
{
    const char *file = scene->root->source->file, *slash = strrchr(file, '/'), *text = NULL, *name = r->file;
    char path[1024], *read = NULL;
    size_t length = 0;
    pl_result result;
    if (r->xml)
    {
        result = read_lines(scene, r->xml, &text);
        length = text ? strlen(text) : 0;
        name = "xml";
    }
    else
    {
        result = scene_read_file(scene, json_member(r->head.node, "file"), r->file, &read, &length);
        text = read;
    }
    int folder = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, file, name); // where its meshes are looked for
    if (result == PL_OK)
        result = robot_read(&scene->store, text, length, path, &r->def, &r->model);
    if (result != PL_OK && r->xml) // a message about a file names the place in it
        result = scene_trouble(r->head.node, NULL, result);
    free(read);
    return result;
}

static pl_result check_controls(const struct scene_robot *r)
{
    const struct scene_controls *c = r->controls.items;
    for (int i = 0; i < r->controls.count; i++)
    {
        if (c[i].values.count != r->model->actuators.count)
            return json_fail(c[i].head.node, "%d values; the robot has %d actuators", c[i].values.count,
                             r->model->actuators.count);
        if (i > 0 && !(c[i].time > c[i - 1].time))
            return json_fail(c[i].head.node, "controls that are not later than those before; times must grow");
    }
    return PL_OK;
}

static pl_result find_robot(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_robot *r = values;
    (void)limit;
    if ((r->file != NULL) == (r->xml != NULL))
        return json_fail(r->head.node, "a robot has a \"file\" or an \"xml\"; expected one of the two");
    r->def.control = (pl_control)r->control;
    r->def.rotation = scene_rotation(r->rotation);
    r->def.dt = scene->dt;
    r->def.allow_paths = scene->allow_paths;
    if (!r->self_collide) // a category of its own, beside the one of everything
    {
        r->def.category = (uint64_t)1 << (1 + (r - (struct scene_robot *)scene->robot.items) % 63);
        r->def.mask = ~r->def.category;
    }
    pl_result result = read_model(scene, r);
    result = result == PL_OK ? check_controls(r) : result;
    if (result != PL_OK)
        return result;
    need->particles = r->model->bodies.count;
    need->constraints = 4 * ((int64_t)r->model->links.count + r->model->actuators.count + r->model->ties.count);
    return PL_OK;
}

static pl_result make_robot(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_robot *r = values;
    pl_robot made = {0};
    pl_result result = robot_make(&made, r->model);
    result = result == PL_OK ? robot_build(&made, world) : result;
    result = result == PL_OK ? robot_give_gravity(r->model, world) : result;
    if (result == PL_OK)
        *id = made.bodies[0];
    store_free(&made.store);
    return result;
}

const struct object_kind robot_object = {
    .find = find_robot, .make = make_robot, .copies = true, .uncut = object_always};

// ---- in a world ----------------------------------------------------------------------------------------------------

static const struct scene_robot *robot_of(const struct scene_object *o)
{
    return (const struct scene_robot *)(const void *)o->values;
}

// Finds the robot of an object in a world. Free its store.
static pl_result attach(const struct scene_object *o, const pl_world *world, pl_robot *robot)
{
    pl_result result = robot_make(robot, robot_of(o)->model);
    return result == PL_OK ? robot_attach(robot, world, o->first) : result;
}

pl_result pl_scene_robot(const pl_scene *scene, const pl_world *world, const char *name, pl_robot **robot)
{
    const struct scene_object *found = NULL;
    if (!scene || !world || !robot)
        return fail(PL_ERROR_ARGUMENT, "pl_scene_robot without a scene, a world or a place for the robot; give all");
    for (int i = 0; i < scene->object_count && !found; i++)
    {
        const struct scene_object *o = &scene->objects[i];
        if (o->type == OBJECT_ROBOT && (name ? o->name && strcmp(o->name, name) == 0 : scene->robot.count == 1))
            found = o;
    }
    if (!found)
        return fail(PL_ERROR_ARGUMENT, "the scene has %d robots, none called \"%.60s\"; check its name",
                    scene->robot.count, name ? name : "");
    pl_robot *made = calloc(1, sizeof *made);
    pl_result result = made ? attach(found, world, made) : fail(PL_ERROR_MEMORY, "no memory for a robot; free some");
    if (result == PL_OK)
        *robot = made;
    else
        pl_robot_free(made);
    return result;
}

// Returns the control of an actuator at a time, linear between the given ones.
static double control_at(const struct scene_robot *r, double time, int actuator)
{
    const struct scene_controls *c = r->controls.items;
    int i = 0;
    while (i < r->controls.count && (double)c[i].time <= time)
        i++;
    const struct scene_controls *a = &c[i ? i - 1 : 0], *b = &c[i < r->controls.count ? i : r->controls.count - 1];
    double part = b == a ? 0.0 : (time - (double)a->time) / ((double)b->time - (double)a->time);
    double from = (double)a->values.values[actuator], to = (double)b->values.values[actuator];
    return from + part * (to - from);
}

pl_result scene_control_robots(const pl_scene *scene, pl_world *world, double time)
{
    pl_result result = PL_OK;
    for (int i = 0; i < scene->object_count && scene->robot.count && result == PL_OK; i++)
    {
        const struct scene_object *o = &scene->objects[i];
        if (o->type != OBJECT_ROBOT || !robot_of(o)->controls.count)
            continue;
        pl_robot robot = {0};
        result = attach(o, world, &robot);
        for (int k = 0; k < robot_of(o)->model->actuators.count && result == PL_OK; k++)
            result = pl_robot_set_control(&robot, world, k, (float)control_at(robot_of(o), time, k));
        store_free(&robot.store);
    }
    return result;
}

const char *scene_robot_warning(const pl_scene *scene, int n)
{
    const struct scene_robot *r = scene->robot.items;
    for (int i = 0; i < scene->robot.count; i++)
    {
        if (n < r[i].model->warning_count)
            return r[i].model->warnings[n];
        n -= r[i].model->warning_count;
    }
    return NULL;
}

// ---- expectations --------------------------------------------------------------------------------------------------

pl_result scene_find_reaches(pl_scene *scene)
{
    struct scene_reach *reach = scene->expect.robot.items;
    for (int i = 0; i < scene->expect.robot.count; i++)
    {
        const struct scene_object *o = scene_object_by_name(scene, reach[i].of);
        if (!o || o->type != OBJECT_ROBOT || !robot_of(o)->controls.count)
            return json_fail(json_member(reach[i].head.node, "of"), "no robot with \"controls\" called \"%.40s\"",
                             reach[i].of);
        reach[i].object = o;
        reach[i].number = robot_find_link(robot_of(o)->model, reach[i].link);
        if (reach[i].number < 0)
            return json_fail(json_member(reach[i].head.node, "link"), "the robot has no link \"%.40s\"", reach[i].link);
    }
    return PL_OK;
}

pl_result scene_reach_error(const pl_scene *scene, const pl_world *world, const struct scene_reach *reach, double time,
                            double *distance, double *angle)
{
    const struct scene_robot *r = robot_of(reach->object);
    const struct robot_model *m = r->model;
    struct robot_pose *poses = calloc((size_t)m->links.count, sizeof *poses), now;
    double *positions = calloc((size_t)m->joints.count + 1, sizeof *positions), v[3], w[3];
    pl_robot robot = {0};
    (void)scene;
    pl_result result = poses && positions ? attach(reach->object, world, &robot)
                                          : fail(PL_ERROR_MEMORY, "no memory for a robot; free some");
    result = result == PL_OK ? robot_link_motion(&robot, world, reach->number, &now, v, w) : result;
    if (result == PL_OK)
    {
        for (int i = 0; i < m->joints.count; i++)
            positions[i] = m->joints.items[i].placed;
        for (int i = 0; i < m->actuators.count; i++)
            if (m->actuators.items[i].control == PL_CONTROL_POSITION)
                positions[m->actuators.items[i].joint] = control_at(r, time, i) / m->actuators.items[i].gear;
        robot_forward(m, &m->base, positions, poses);
        struct robot_pose back = robot_inverse(&poses[reach->number]), off = robot_after(&back, &now);
        *distance = robot_length(off.p);
        *angle = 2.0 * robot_angle(robot_length(off.q), off.q[3] < 0.0 ? -off.q[3] : off.q[3]) * (180.0 / ROBOT_PI);
    }
    store_free(&robot.store);
    free(positions);
    free(poses);
    return result;
}

// ---- files of robots -----------------------------------------------------------------------------------------------

char *scene_of_robot_file(const char *path)
{
    static const char head[] = "{\"name\": \"robot\", \"substeps\": 20, \"iterations\": 8, \"robot\": {\"name\": "
                               "\"robot\", \"gravity\": true, \"file\": \"",
                      tail[] = "\"}}";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *text = malloc(sizeof head + sizeof tail + 6 * strlen(name)), *at = text;
    if (!text)
        return NULL;
    at += sprintf(at, "%s", head);
    for (; *name; name++)
        at += (unsigned char)*name < 32 || *name == '"' || *name == '\\' ? sprintf(at, "\\u%04x", *name)
                                                                         : sprintf(at, "%c", *name);
    sprintf(at, "%s", tail);
    return text;
}
