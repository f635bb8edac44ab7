// robot_build.c: adds a robot to a world: its bodies, then the joints, springs and dampers, actuators and ties, then the
// planes. The bodies are placed where every joint is at its start, so that its rows count from there, and moved to the
// robot's pose at the end.
#include "robot_world.h"

#include "author/build.h"
#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOTOR_SPEED = 1000000, // rad/s or m/s: beyond any motion, so that a motor always acts with its whole strength
};

static pl_result no_memory(void) { return fail(PL_ERROR_MEMORY, "no memory for the robot; use a smaller one"); }

pl_result robot_make(pl_robot *r, const struct robot_model *m)
{
    r->m = m;
    r->bodies = store_take(&r->store, (size_t)m->bodies.count * sizeof *r->bodies);
    r->joints = store_take(&r->store, (size_t)m->joints.count * sizeof *r->joints);
    r->welds = store_take(&r->store, (size_t)m->links.count * sizeof *r->welds);
    r->ties = store_take(&r->store, (size_t)m->ties.count * sizeof *r->ties);
    r->springs = store_take(&r->store, (size_t)m->joints.count * sizeof *r->springs);
    r->actuators = store_take(&r->store, (size_t)m->actuators.count * sizeof *r->actuators);
    r->sensors = m->sensors.items;
    r->sensor_count = m->sensors.count;
    r->sensor_capacity = m->sensors.capacity;
    r->sensed_at = -1.0;
    return r->bodies && r->joints && r->welds && r->ties && r->springs && r->actuators ? PL_OK : no_memory();
}

// ---- bodies --------------------------------------------------------------------------------------------------------

// Says which link an error of the engine is about.
static pl_result trouble(const struct robot_model *m, int link, pl_result result)
{
    char why[600];
    int line, column;
    const struct xml *node = m->links.items[link].node;
    if (result == PL_OK)
        return PL_OK;
    snprintf(why, sizeof why, "%s", pl_error_message());
    source_place(node->source, node->offset, &line, &column);
    result = result == PL_ERROR_ARGUMENT ? PL_ERROR_FORMAT : result; // the file is wrong, not the call
    return fail(result, "%.150s:%d:%d: error: the link \"%.60s\": %s", node->source->file, line, column,
                m->links.items[link].name, why);
}

static pl_mass_properties properties_of(const struct robot_mass *mass)
{
    const double(*i)[3] = mass->inertia;
    return (pl_mass_properties){
        .mass = (float)mass->mass,
        .centre = robot_vec3(mass->centre),
        .inertia = {(float)i[0][0], (float)i[1][1], (float)i[2][2], (float)i[0][1], (float)i[1][2], (float)i[2][0]}};
}

// The material of a shape whose friction the file gives: one for each coefficient.
static pl_result find_material(pl_world *world, const struct robot_shape *s, int *number)
{
    pl_material material = pl_default_material();
    *number = 0;
    if (s->friction < 0.0)
        return PL_OK;
    material.static_friction = material.kinetic_friction = (float)s->friction;
    for (int i = 0; i < world->contacts.materials; i++)
        if (memcmp(&world->contacts.material[i], &material, sizeof material) == 0)
        {
            *number = i;
            return PL_OK;
        }
    return pl_add_material(world, &material, number);
}

static pl_result add_body(pl_robot *r, pl_world *world, int number, const struct robot_pose *poses)
{
    const struct robot_body *b = &r->m->bodies.items[number];
    pl_mass_properties mass = properties_of(&b->mass);
    pl_rigid_shape *shapes = store_take(&r->store, (size_t)b->shapes * sizeof *shapes);
    pl_rigid_def def = pl_default_rigid_def();
    pl_result result = PL_OK;
    int count = 0;
    if (!shapes)
        return no_memory();
    for (const struct robot_shape *s = b->first; s; s = s->next)
        if (!s->plane)
        {
            shapes[count] = s->shape;
            if (result == PL_OK)
                result = find_material(world, s, &shapes[count].material);
            shapes[count].position = robot_vec3(s->pose.p);
            shapes[count++].rotation = robot_quat(s->pose.q);
        }
    def.type = b->holds ? PL_RIGID_STATIC : PL_RIGID_DYNAMIC;
    def.position = robot_vec3(poses[b->link].p);
    def.rotation = robot_quat(poses[b->link].q);
    def.shapes = shapes, def.shape_count = count;
    def.properties = b->holds ? NULL : &mass;
    def.category = r->m->def.category, def.mask = r->m->def.mask;
    return trouble(r->m, b->link, result == PL_OK ? pl_add_rigid(world, &def, &r->bodies[number]) : result);
}

static pl_result add_planes(const pl_robot *r, pl_world *world, const struct robot_pose *poses)
{
    pl_result result = PL_OK;
    for (int i = 0; i < r->m->bodies.count; i++)
        for (const struct robot_shape *s = r->m->bodies.items[i].first; s && result == PL_OK; s = s->next)
            if (s->plane)
            {
                struct robot_pose pose = robot_after(&poses[r->m->bodies.items[i].link], &s->pose);
                pl_shape_def def = pl_default_shape_def();
                def.position = robot_vec3(pose.p);
                def.rotation = robot_quat(pose.q);
                result = find_material(world, s, &def.material);
                result = result == PL_OK ? pl_add_shape(world, &def, NULL) : result;
            }
    return result;
}

// ---- joints --------------------------------------------------------------------------------------------------------

static pl_id body_of(const pl_robot *r, int link)
{
    return link < 0 ? (pl_id){0, 0} : r->bodies[r->m->links.items[link].body];
}

static pl_joint_def between(const pl_robot *r, int a, int b, pl_joint_kind kind, const double point[3])
{
    pl_joint_def def = pl_default_joint_def();
    def.kind = kind;
    def.a = body_of(r, a), def.b = body_of(r, b);
    def.point = robot_vec3(point);
    return def;
}

static pl_result add_joint(pl_robot *r, pl_world *world, int number, const struct robot_pose *poses)
{
    static const pl_joint_kind kinds[] = {PL_JOINT_FIXED, PL_JOINT_HINGE, PL_JOINT_SLIDER, PL_JOINT_BALL};
    const struct robot_joint *j = &r->m->joints.items[number];
    double point[3], axis[3];
    if (j->kind == ROBOT_FREE)
        return PL_OK;
    robot_place(&poses[j->link], j->point, point);
    robot_rotate(poses[j->link].q, j->axis, axis);
    pl_joint_def def = between(r, r->m->links.items[j->link].parent, j->link, kinds[j->kind], point);
    pl_joint_axis *along = j->kind == ROBOT_SLIDE ? &def.slide : &def.twist;
    def.axis = robot_vec3(axis);
    if (j->kind != ROBOT_BALL)
    {
        along->limited = j->limited;
        along->low = (float)(j->low - j->start), along->high = (float)(j->high - j->start);
        along->friction = (float)j->friction;
    }
    return trouble(r->m, j->link, pl_add_joint(world, &def, &r->joints[number]));
}

bool robot_has_spring(const struct robot_joint *j)
{
    return (j->kind == ROBOT_HINGE || j->kind == ROBOT_SLIDE) && (j->stiffness > 0.0 || j->damping > 0.0);
}

pl_kind robot_row_kind(const struct robot_joint *j, bool range)
{
    if (j->kind == ROBOT_SLIDE)
        return range ? PL_KIND_SLIDE_RANGE : PL_KIND_SLIDE_MOTOR;
    return range ? PL_KIND_TWIST_RANGE : PL_KIND_TWIST_MOTOR;
}

// Adds a row about or along the axis of a joint; `last` are its parameters behind those of the two frames.
static pl_result add_row(const pl_robot *r, pl_world *world, int joint, bool range, const float last[3],
                         pl_softness soft, pl_id *id)
{
    const struct robot_joint *j = &r->m->joints.items[joint];
    pl_constraints_def def = pl_default_constraints_def();
    float base[12], param[PL_MAX_PARAMS]; // base: point and rotation in a, then in b
    int32_t index[2];
    int count = 0, one, links[2] = {r->m->links.items[j->link].parent, j->link};
    pl_result result = pl_get_rows(world, r->joints[joint].rows[PL_JOINT_BASE], PL_ROW_PARAM, 0, 1, base);
    for (int e = 0; e < 2 && result == PL_OK; e++)
        result = pl_object_range(world, body_of(r, links[e]), &index[e], &one);
    for (int i = j->kind == ROBOT_SLIDE ? 0 : 3; i < (j->kind == ROBOT_SLIDE ? 9 : 12); i++)
        if (j->kind == ROBOT_SLIDE || i < 6 || i >= 9)
            param[count++] = base[i];
    for (int i = 0; i < (range ? 3 : 2); i++)
        param[count++] = last[i];
    def.kind = robot_row_kind(j, range), def.count = 1, def.index = index, def.param = param, def.soft = soft;
    return result == PL_OK ? pl_add_constraints(world, &def, id) : result;
}

static pl_result add_spring(pl_robot *r, pl_world *world, int joint)
{
    const struct robot_joint *j = &r->m->joints.items[joint];
    float target = (float)(j->spring - j->start);
    const float last[3] = {target, target, 1e30f};
    // A damper alone is a spring that is too soft to matter: it would need 1e6 s to pull the joint back.
    double compliance = j->stiffness > 0.0 ? 1.0 / j->stiffness : 1e6 / j->damping;
    pl_softness soft = {.compliance = (float)compliance, .damping = (float)j->damping};
    return add_row(r, world, joint, true, last, soft, &r->springs[joint]);
}

float robot_velocity_compliance(const struct robot_model *m, const struct robot_actuator *a, const pl_world *world)
{
    double h = (double)m->def.dt / (double)pl_world_settings(world).substeps, kv = a->kv * a->gear * a->gear;
    return kv > 0.0 ? (float)(h / kv) : 0.0f;
}

static pl_result add_actuator(pl_robot *r, pl_world *world, int number)
{
    const struct robot_actuator *a = &r->m->actuators.items[number];
    const struct robot_joint *j = &r->m->joints.items[a->joint];
    float target = (float)(j->placed - j->start);
    double strength = a->strength < 1e29 ? a->strength * fabs(a->gear) : 1e30;
    pl_softness soft = {0};
    float last[3] = {0.0f, 0.0f, (float)strength};
    if (a->control == PL_CONTROL_POSITION)
    {
        soft.compliance = (float)(1.0 / (a->kp * a->gear * a->gear));
        soft.damping = (float)(a->kv * a->gear * a->gear);
        last[0] = last[1] = target;
    }
    if (a->control == PL_CONTROL_VELOCITY)
    {
        soft.compliance = robot_velocity_compliance(r->m, a, world);
        last[1] = (float)strength;
    }
    if (a->control == PL_CONTROL_TORQUE)
        last[0] = MOTOR_SPEED;
    return add_row(r, world, a->joint, a->control == PL_CONTROL_POSITION, last, soft, &r->actuators[number]);
}

// A motor without strength: bodies that a constraint between their frames connects do not collide.
static pl_result keep_from_colliding(pl_robot *r, pl_world *world, const struct robot_tie *t, pl_id *row)
{
    const float param[PL_MAX_PARAMS] = {0.0f}; // no rotations, speed or strength
    pl_constraints_def def = pl_default_constraints_def();
    int32_t index[2];
    int one;
    pl_result result = PL_OK;
    if (r->m->links.items[t->links[0]].body == r->m->links.items[t->links[1]].body)
        return PL_OK;
    for (int e = 0; e < 2 && result == PL_OK; e++)
        result = pl_object_range(world, body_of(r, t->links[e]), &index[e], &one);
    def.kind = PL_KIND_TWIST_MOTOR, def.count = 1, def.index = index, def.param = param;
    return result == PL_OK ? pl_add_constraints(world, &def, row) : result;
}

static pl_result add_tie(pl_robot *r, pl_world *world, int number, const struct robot_pose *poses)
{
    const struct robot_tie *t = &r->m->ties.items[number];
    double point[3];
    if (t->apart)
        return keep_from_colliding(r, world, t, &r->ties[number].rows[PL_JOINT_BASE]);
    robot_place(&poses[t->links[0]], t->point, point);
    pl_joint_def def = between(r, t->links[0], t->links[1], t->weld ? PL_JOINT_FIXED : PL_JOINT_BALL, point);
    return trouble(r->m, t->links[0], pl_add_joint(world, &def, &r->ties[number]));
}

bool robot_is_welded(const struct robot_model *m, int link)
{
    const struct robot_link *l = &m->links.items[link];
    return l->parent >= 0 && l->joint < 0 && m->bodies.items[l->body].link == link;
}

// ---- all -----------------------------------------------------------------------------------------------------------

static pl_result add_all(pl_robot *r, pl_world *world, const struct robot_pose *poses)
{
    const struct robot_model *m = r->m;
    pl_result result = PL_OK;
    for (int i = 0; i < m->bodies.count && result == PL_OK; i++)
        result = add_body(r, world, i, poses);
    for (int i = 0; i < m->joints.count && result == PL_OK; i++)
        result = add_joint(r, world, i, poses);
    for (int i = 0; i < m->links.count && result == PL_OK; i++)
        if (robot_is_welded(m, i))
        {
            pl_joint_def def = between(r, m->links.items[i].parent, i, PL_JOINT_FIXED, poses[i].p);
            result = trouble(m, i, pl_add_joint(world, &def, &r->welds[i]));
        }
    for (int i = 0; i < m->joints.count && result == PL_OK; i++)
        if (robot_has_spring(&m->joints.items[i]))
            result = add_spring(r, world, i);
    for (int i = 0; i < m->actuators.count && result == PL_OK; i++)
        result = add_actuator(r, world, i);
    return result;
}

static void undo_rows(pl_world *w, const pl_id *rows, int count)
{
    for (int i = 0; i < count; i++)
        if (rows[i].index)
            w->entries[rows[i].index] = (id_entry){.generation = rows[i].generation - 1};
}

static void undo(pl_robot *r, pl_world *w, const build_mark *mark, pl_result why)
{
    const struct robot_model *m = r->m;
    int made = 0;
    for (int i = 0; i < m->joints.count; i++)
        undo_rows(w, r->joints[i].rows, PL_JOINT_ROWS);
    for (int i = 0; i < m->links.count; i++)
        undo_rows(w, r->welds[i].rows, PL_JOINT_ROWS);
    for (int i = 0; i < m->ties.count; i++)
        undo_rows(w, r->ties[i].rows, PL_JOINT_ROWS);
    undo_rows(w, r->springs, m->joints.count);
    undo_rows(w, r->actuators, m->actuators.count);
    while (made < m->bodies.count && r->bodies[made].index)
        made++;
    build_undo(w, mark, r->bodies, made, why);
}

pl_result robot_build(pl_robot *r, pl_world *world)
{
    const struct robot_model *m = r->m;
    struct robot_pose *poses = store_take(&r->store, (size_t)m->links.count * sizeof *poses);
    double *start = store_take(&r->store, (size_t)m->joints.count * sizeof *start);
    pl_rigid_state *states = store_take(&r->store, (size_t)m->bodies.count * sizeof *states);
    char why[1000];
    int shapes = pl_shape_count(world), materials = world->contacts.materials;
    if (!poses || !start || !states)
        return no_memory();
    for (int i = 0; i < m->joints.count; i++)
        start[i] = m->joints.items[i].start;
    build_mark mark = build_begin(world);
    robot_forward(m, &m->base, start, poses);
    pl_result result = add_all(r, world, poses);
    robot_forward(m, &m->base, NULL, poses);
    for (int i = 0; i < m->bodies.count; i++)
    {
        const struct robot_pose *pose = &poses[m->bodies.items[i].link];
        states[i] = (pl_rigid_state){.position = robot_vec3(pose->p), .rotation = robot_quat(pose->q)};
    }
    result = result == PL_OK ? pl_set_rigids(world, r->bodies, m->bodies.count, states) : result;
    for (int i = 0; i < m->ties.count && result == PL_OK; i++)
        result = add_tie(r, world, i, poses);
    result = result == PL_OK ? add_planes(r, world, poses) : result;
    if (result != PL_OK)
    {
        snprintf(why, sizeof why, "%s", pl_error_message());
        while (pl_shape_count(world) > shapes)
            pl_remove(world, pl_shape_at(world, pl_shape_count(world) - 1));
        undo(r, world, &mark, result);
        world->contacts.materials = materials;
        fail(result, "%s", why);
    }
    return result;
}
