// body_edits.h: random edits of a running world of rigid bodies, joints, attachments and shapes in contact. The dice of
// a player decide them, so that worlds with equal seeds get equal edits.
#pragma once
#include "edit/objects.h"

enum
{
    MOST_BODIES = 14,
    MOST_JOINTS = 14,
    MOST_OBJECTS = 4,
    MOST_TIES = 5,
    MOST_GROUNDS = 4,
};

// The ids of what a player's world holds.
typedef struct held
{
    pl_id body[MOST_BODIES], object[MOST_OBJECTS], tie[MOST_TIES], ground[MOST_GROUNDS];
    pl_joint joint[MOST_JOINTS];
    int bodies, joints, objects, ties, grounds, materials;
} held;

typedef struct player
{
    pl_world *w;
    uint64_t seed;
    held now, kept;   // kept: at the time of the snapshot
    picture saved;    // a snapshot to go back to
    pl_result result; // of the last edit
    uint64_t start;   // the dice before the last edit
    int diverged;     // frames that diverged and were undone
    pl_world_def def;
} player;

static inline int roll(player *p, int sides) { return (int)((0.5 + 0.5 * (double)dice(&p->seed)) * sides) % sides; }

static inline float between(player *p, float low, float high)
{
    return low + (high - low) * (0.5f + 0.5f * dice(&p->seed));
}

static inline pl_vec3 any_point(player *p, float size)
{
    return (pl_vec3){between(p, -size, size), between(p, 0.1f, 2.0f * size), between(p, -size, size)};
}

static inline pl_vec3 any_way(player *p, float size)
{
    return (pl_vec3){between(p, -size, size), between(p, -size, size), between(p, -size, size)};
}

static inline pl_quat any_turn(player *p)
{
    float q[4], length = 0.0f;
    for (int i = 0; i < 4; i++)
        q[i] = between(p, -1.0f, 1.0f), length += q[i] * q[i];
    length = sqrtf(length) + 1e-6f;
    return (pl_quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length + 1e-6f};
}

static inline pl_id any_body(player *p) { return p->now.bodies ? p->now.body[roll(p, p->now.bodies)] : (pl_id){0, 0}; }

static inline bool is_body(player *p, pl_id id)
{
    pl_rigid_state s;
    return pl_get_rigids(p->w, &id, 1, &s) == PL_OK;
}

// ---- bodies --------------------------------------------------------------------------------------------------------

static inline pl_rigid_shape any_shape(player *p, const float *corners, int corner_count)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = (pl_rigid_shape_kind)roll(p, PL_RIGID_HULL + 1);
    s.half = (pl_vec3){between(p, 0.1f, 0.2f), between(p, 0.1f, 0.2f), between(p, 0.1f, 0.2f)};
    s.radius = between(p, 0.1f, 0.15f), s.length = between(p, 0.1f, 0.3f);
    s.material = roll(p, p->now.materials);
    s.density = 300.0f;
    if (s.kind == PL_RIGID_HULL)
        s.vertices = corners, s.vertex_count = corner_count;
    return s;
}

static inline void add_body_edit(player *p)
{
    static const float corners[] = {0,    0.2f, 0,     0.15f,  -0.1f, 0.1f,   -0.15f, -0.1f,
                                    0.1f, 0,    -0.1f, -0.15f, 0,     -0.15f, 0};
    pl_rigid_shape shapes[2] = {any_shape(p, corners, 5), any_shape(p, corners, 5)};
    pl_rigid_def d = pl_default_rigid_def();
    int type = roll(p, 8), lock = roll(p, 6), filter = roll(p, 5);
    shapes[1].position.x = 0.2f;
    d.shapes = shapes, d.shape_count = 1 + roll(p, 2);
    d.type = type == 0 ? PL_RIGID_STATIC : type == 1 ? PL_RIGID_KINEMATIC : PL_RIGID_DYNAMIC;
    d.position = any_point(p, 0.5f), d.rotation = any_turn(p);
    d.mass = between(p, 0.5f, 4.0f);
    d.locks = lock == 0 ? roll(p, 64) : 0;
    d.gravity_scale = roll(p, 5) ? 1.0f : 0.3f;
    d.linear_damping = roll(p, 3) ? 0.0f : 0.5f, d.angular_damping = roll(p, 3) ? 0.0f : 0.5f;
    d.category = filter ? 1 : 2, d.mask = filter == 1 ? ~UINT64_C(2) : ~UINT64_C(0);
    if (d.type != PL_RIGID_STATIC)
        d.velocity = any_way(p, 1.0f), d.spin = any_way(p, 3.0f);
    if (p->now.bodies < MOST_BODIES)
        good(pl_add_rigid(p->w, &d, &p->now.body[p->now.bodies++]));
}

static inline void remove_body(player *p)
{
    if (p->now.bodies <= 4)
        return;
    int which = roll(p, p->now.bodies);
    good(pl_remove(p->w, p->now.body[which]));
    p->now.body[which] = p->now.body[--p->now.bodies];
}

// Bodies that an explosion of joints has thrown far away come back, so that there are contacts.
static inline void gather_bodies(player *p)
{
    for (int i = 0; i < p->now.bodies; i++)
    {
        pl_rigid_state s;
        good(pl_get_rigids(p->w, &p->now.body[i], 1, &s));
        if (fabsf(s.position.x) + fabsf(s.position.y) + fabsf(s.position.z) < 6.0f)
            continue;
        s.position = any_point(p, 0.5f);
        s.velocity = s.spin = (pl_vec3){0.0f, 0.0f, 0.0f};
        good(pl_set_rigids(p->w, &p->now.body[i], 1, &s));
    }
}

static inline void set_states(player *p)
{
    pl_id id = any_body(p);
    pl_rigid_state s;
    pl_rigid_def d;
    int what = roll(p, 4);
    good(pl_get_rigids(p->w, &id, 1, &s));
    good(pl_get_rigid(p->w, id, &d));
    if (what == 0)
        s.position = any_point(p, 0.5f);
    else if (what == 1)
        s.rotation = any_turn(p);
    else if (d.type != PL_RIGID_STATIC)
        s.velocity = any_way(p, 2.0f), s.spin = any_way(p, 4.0f);
    p->result = pl_set_rigids(p->w, &id, 1, &s);
}

static inline void push_body(player *p)
{
    pl_id id = any_body(p);
    pl_vec3 impulse = any_way(p, 2.0f), at = any_point(p, 0.5f);
    switch (roll(p, 4))
    {
    case 0:
        p->result = pl_push_rigid(p->w, id, impulse, at);
        break;
    case 1:
        p->result = pl_spin_rigid(p->w, id, (pl_vec3){0.1f * impulse.x, 0.1f * impulse.y, 0.0f});
        break;
    case 2:
        p->result = pl_set_rigid_force(p->w, id, impulse, at);
        break;
    default:
        p->result = pl_add_rigid_force(p->w, id, impulse, at);
        break;
    }
}

static inline void set_body(player *p)
{
    pl_id id = any_body(p);
    pl_rigid_def d;
    good(pl_get_rigid(p->w, id, &d));
    d.gravity_scale = between(p, -0.2f, 1.5f);
    d.linear_damping = roll(p, 2) ? 0.0f : between(p, 0.0f, 2.0f);
    d.angular_damping = roll(p, 2) ? 0.0f : between(p, 0.0f, 2.0f);
    d.locks = roll(p, 3) ? 0 : roll(p, 64);
    d.user_data = (uint64_t)roll(p, 1000);
    p->result = pl_set_rigid(p->w, id, &d);
}

static inline void move_body(player *p)
{
    pl_vec3 to = any_point(p, 0.5f);
    pl_quat turn = any_turn(p);
    p->result = pl_move_rigid(p->w, any_body(p), to, turn, 1.0f / 60.0f + between(p, 0.2f, 1.0f)); // slow
}

static inline void set_particle_of_body(player *p)
{
    static const pl_attribute what[] = {PL_ATTRIBUTE_MASS, PL_ATTRIBUTE_VELOCITY, PL_ATTRIBUTE_POSITION,
                                        PL_ATTRIBUTE_FORCE};
    int first, count, which = roll(p, 4);
    float value[3];
    good(pl_object_range(p->w, any_body(p), &first, &count));
    good(pl_get(p->w, what[which], first, 1, value));
    for (int i = 0; i < (which ? 3 : 1); i++)
        value[i] += between(p, which ? -0.05f : 0.0f, 0.3f);
    p->result = pl_set(p->w, what[which], first, 1, value);
}

// ---- joints --------------------------------------------------------------------------------------------------------

static inline pl_joint_axis any_axis(player *p, float size)
{
    pl_joint_axis a = pl_default_joint_def().twist;
    if (roll(p, 2))
        a.limited = true, a.low = -between(p, 0.0f, size), a.high = between(p, 0.0f, size);
    if (roll(p, 3) == 0)
        a.limit.compliance = 1e-4f, a.limit.damping = 1.0f;
    if (roll(p, 3) == 0)
        a.motor = between(p, 0.5f, 5.0f), a.speed = between(p, -2.0f, 2.0f);
    else if (roll(p, 3) == 0)
        a.servo = between(p, 0.5f, 5.0f), a.target = between(p, -size, size), a.servo_soft.compliance = 1e-3f;
    if (roll(p, 3) == 0)
        a.friction = between(p, 0.0f, 0.5f);
    return a;
}

static inline pl_joint_def any_joint(player *p)
{
    pl_joint_def d = pl_default_joint_def();
    d.kind = (pl_joint_kind)roll(p, PL_JOINT_KIND_COUNT);
    d.a = roll(p, 4) ? any_body(p) : (pl_id){0, 0}, d.b = any_body(p);
    d.point = any_point(p, 0.5f), d.point_b = any_point(p, 0.5f);
    d.axis = any_way(p, 1.0f), d.second = any_way(p, 1.0f), d.axis_b = any_way(p, 1.0f);
    d.pulleys[0] = any_point(p, 2.0f), d.pulleys[1] = any_point(p, 2.0f);
    d.direct = roll(p, 2), d.radius = 0.2f, d.teeth[0] = 1 + roll(p, 9), d.teeth[1] = roll(p, 2) ? 12 : -7;
    if (d.kind == PL_JOINT_SPRING || roll(p, 4) == 0)
        d.soft.compliance = between(p, 1e-5f, 1e-3f), d.soft.damping = between(p, 0.0f, 5.0f);
    if (d.kind == PL_JOINT_SLIDER || d.kind == PL_JOINT_CYLINDRICAL || d.kind == PL_JOINT_WHEEL)
        d.slide = any_axis(p, 0.2f);
    if (d.kind <= PL_JOINT_HINGE || d.kind == PL_JOINT_CYLINDRICAL || d.kind == PL_JOINT_WHEEL)
        d.twist = any_axis(p, 1.0f);
    if (d.kind == PL_JOINT_CONE_TWIST)
        d.swing = between(p, 0.2f, 1.0f), d.twist.limited = true, d.twist.low = -0.5f, d.twist.high = 0.5f;
    if (d.kind != PL_JOINT_GEAR && d.kind != PL_JOINT_RACK && roll(p, 3) == 0)
        d.break_force = between(p, 20.0f, 200.0f);
    return d;
}

// Also joints of a body with itself, of two that are held, and other things that are refused.
static inline void add_joint_edit(player *p)
{
    pl_joint_def d = any_joint(p);
    if (p->now.joints == MOST_JOINTS)
        return;
    p->result = pl_add_joint(p->w, &d, &p->now.joint[p->now.joints]);
    p->now.joints += p->result == PL_OK;
}

static inline void remove_joint_edit(player *p)
{
    if (p->now.joints == 0)
        return;
    int which = roll(p, p->now.joints);
    p->result = pl_remove_joint(p->w, &p->now.joint[which]);
    p->now.joint[which] = p->now.joint[--p->now.joints];
}

static inline void drive_joint(player *p)
{
    if (p->now.joints == 0)
        return;
    pl_joint_row row = (pl_joint_row)roll(p, PL_JOINT_ROWS);
    float value = between(p, -1.0f, 1.0f), strength = between(p, 0.0f, 5.0f);
    p->result = pl_drive_joint(p->w, &p->now.joint[roll(p, p->now.joints)], row, value, strength);
}

// Changes a parameter of any part of a joint a little: an anchor, a limit, an axis; often refused.
static inline void set_joint_rows(player *p)
{
    float param[PL_MAX_PARAMS], soft;
    pl_kind kind;
    int count;
    if (p->now.joints == 0)
        return;
    pl_id block = p->now.joint[roll(p, p->now.joints)].rows[roll(p, 3) ? PL_JOINT_BASE : roll(p, PL_JOINT_ROWS)];
    int what = roll(p, 3), which = roll(p, PL_MAX_PARAMS);
    float by = between(p, -0.05f, 0.05f);
    soft = between(p, 0.0f, 1e-3f);
    if (pl_block_info(p->w, block, &kind, &count) != PL_OK)
        return;
    good(pl_get_rows(p->w, block, PL_ROW_PARAM, 0, 1, param));
    if (what == 0 && pl_kind_describe(kind)->params)
        param[which % pl_kind_describe(kind)->params] += by;
    p->result = what < 2 ? pl_set_rows(p->w, block, PL_ROW_PARAM, 0, 1, param)
                         : pl_set_rows(p->w, block, PL_ROW_COMPLIANCE, 0, 1, &soft);
}

// ---- the rest of the world -----------------------------------------------------------------------------------------

static inline void add_object_edit(player *p)
{
    int sort = roll(p, OBJECT_SORTS);
    pl_vec3 at = any_point(p, 0.3f);
    if (p->now.objects < MOST_OBJECTS)
        good(make_object(p->w, sort, at, &p->now.object[p->now.objects++]));
}

static inline pl_result remove_any(player *p, pl_id *list, int *count)
{
    if (*count == 0)
        return PL_OK;
    int which = roll(p, *count);
    pl_result result = pl_remove(p->w, list[which]); // a tie may have gone with a body
    list[which] = list[--*count];
    return result;
}

static inline void remove_object_edit(player *p) { p->result = remove_any(p, p->now.object, &p->now.objects); }

static inline void tie(player *p)
{
    pl_attach_def d = pl_default_attach_def();
    int first, count;
    if (p->now.objects == 0 || p->now.ties == MOST_TIES)
        return;
    d.object = p->now.object[roll(p, p->now.objects)];
    d.to = p->now.grounds && roll(p, 4) == 0 ? p->now.ground[roll(p, p->now.grounds)] : any_body(p);
    bool soft = roll(p, 2);
    d.soft.compliance = soft ? 1e-3f : 0.0f;
    if (pl_object_range(p->w, d.object, &first, &count) != PL_OK)
        return;
    const int32_t one[] = {roll(p, count)};
    d.particles = one, d.count = 1;
    p->result = pl_attach(p->w, &d, &p->now.tie[p->now.ties]);
    p->now.ties += p->result == PL_OK;
}

static inline void untie(player *p) { p->result = remove_any(p, p->now.tie, &p->now.ties); }

static inline void cut_all(player *p)
{
    pl_vec3 at = any_point(p, 0.3f);
    pl_blade b = {{at.x, at.y - 1.0f, at.z}, {0.3f, 0.01f, 0.2f * dice(&p->seed)}, {0.0f, 2.0f, 0.0f}};
    p->result = pl_cut(p->w, (pl_id){0, 0}, &b, NULL);
}

static inline void change_ground(player *p)
{
    pl_shape_def d = pl_default_shape_def();
    int what = roll(p, 4), kind = roll(p, 3);
    pl_quat turn = any_turn(p);
    d.position = (pl_vec3){between(p, -0.5f, 0.5f), between(p, -0.1f, 0.2f), between(p, -0.5f, 0.5f)};
    d.kind = kind == 0 ? PL_SHAPE_SPHERE : kind == 1 ? PL_SHAPE_BOX : PL_SHAPE_CAPSULE;
    d.radius = kind == 1 ? 0.0f : 0.15f, d.length = 0.3f, d.half = (pl_vec3){0.2f, 0.1f, 0.2f};
    d.material = roll(p, p->now.materials), d.mask = roll(p, 4) ? 255 : 2;
    if (what == 0 && p->now.grounds < MOST_GROUNDS)
        p->result = pl_add_shape(p->w, &d, &p->now.ground[p->now.grounds++]);
    else if (what == 1)
        p->result = remove_any(p, p->now.ground, &p->now.grounds);
    else if (p->now.grounds)
    {
        pl_id id = p->now.ground[roll(p, p->now.grounds)];
        pl_vec3 v = any_way(p, 0.3f);
        p->result = what == 2 ? pl_set_shape_pose(p->w, id, d.position, turn) : pl_set_shape_velocity(p->w, id, v, v);
    }
}

static inline void change_material(player *p)
{
    pl_material m = pl_default_material();
    int number, which = roll(p, p->now.materials), other = roll(p, p->now.materials), what = roll(p, 3);
    m.static_friction = between(p, 0.2f, 1.0f), m.kinetic_friction = between(p, 0.0f, 0.2f);
    m.restitution = roll(p, 2) ? 0.0f : between(p, 0.0f, 0.9f);
    m.rolling_friction = roll(p, 2) ? 0.0f : 0.01f, m.torsional_friction = roll(p, 2) ? 0.0f : 0.01f;
    if (what == 0 && p->now.materials < 8)
        good(pl_add_material(p->w, &m, &number)), p->now.materials++;
    else
        p->result = what == 1 ? pl_set_material(p->w, which, &m) : pl_set_material_pair(p->w, which, other, &m);
}

static inline void change_world(player *p)
{
    pl_settings s = pl_world_settings(p->w);
    s.substeps = 1 + roll(p, 5), s.iterations = 1 + roll(p, 3);
    s.integrator = roll(p, 2) ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
    s.gravity.x = between(p, -2.0f, 2.0f);
    p->result = pl_world_set_settings(p->w, &s);
}

static inline void shift(player *p) { p->result = pl_world_shift_origin(p->w, any_way(p, 0.05f)); }

static inline void keep_copy(player *p)
{
    pl_free(p->saved.data);
    p->saved = picture_of(p->w);
    p->kept = p->now;
}

static inline void go_back(player *p)
{
    if (!p->saved.data)
        return;
    good(pl_world_restore(p->w, p->saved.data, p->saved.size));
    p->now = p->kept;
}
