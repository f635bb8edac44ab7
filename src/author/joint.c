// joint.c: adds joints: the frames of a joint in its two ends, and the constraints that it consists of.
#include "author/build.h"
#include "author/rigid_mass.h"
#include "elements/frame_row.h"
#include "groups/group.h"
#include "groups/joints.h"
#include "groups/oriented.h"
#include "groups/rigids.h"

#include <math.h>
#include <string.h>

pl_joint_def pl_default_joint_def(void)
{
    return (pl_joint_def){.ends = {-1, -1}, .axis = {1.0f, 0.0f, 0.0f}, .second = {0.0f, 1.0f, 0.0f}};
}

// ---- ends and frames -----------------------------------------------------------------------------------------------

// One end: its particle, and the joint's point and rotation in it.
typedef struct end
{
    int32_t particle;
    bool body;
    float point[3], rotation[3];
} end;

typedef struct making
{
    pl_world *w;
    const pl_joint_def *def;
    end ends[2];
    double_quat frame; // of the joint, in the world
    pl_joint out;
    pl_result result;
} making;

static bool names(pl_id id) { return id.index || id.generation; }

// Finds the particle of an end; the world gets a held body at the joint.
static void find_end(making *m, int e)
{
    const pl_joint_def *d = m->def;
    pl_id object = e ? d->b : d->a;
    int number = e ? d->b_particle : d->a_particle, first, count;
    if (d->ends[e] >= 0)
    {
        m->ends[e].particle = d->ends[e];
        if (slot_of(m->w, d->ends[e]) < 0)
            m->result = fail(PL_ERROR_ARGUMENT, "joint: particle %d does not exist", d->ends[e]);
        return;
    }
    if (!names(object))
    {
        // Nothing moves it, but it is drawn as a ball of this inertia: 16 mm.
        const pl_mass_properties small = {.mass = 1.0f, .inertia = {1e-4f, 1e-4f, 1e-4f}};
        pl_rigid_def anchor = pl_default_rigid_def();
        anchor.properties = &small;
        anchor.type = PL_RIGID_STATIC;
        anchor.position = e && d->kind == PL_JOINT_DISTANCE ? d->point_b : d->point;
        m->result = pl_add_rigid(m->w, &anchor, &m->out.anchor);
        object = m->out.anchor, number = 0;
    }
    if (m->result == PL_OK)
        m->result = pl_object_range(m->w, object, &first, &count);
    if (m->result == PL_OK && (number < 0 || number >= count))
        m->result = fail(PL_ERROR_ARGUMENT, "joint: %c_particle is %d; the object has %d particles, counted from 0",
                         e ? 'b' : 'a', number, count);
    if (m->result == PL_OK)
        m->ends[e].particle = first + number;
}

// The joint's frame: x along the axis, y along the part of `second` at a right angle to it.
static pl_result find_frame(making *m)
{
    const pl_joint_def *d = m->def;
    double x[3] = {(double)d->axis.x, (double)d->axis.y, (double)d->axis.z}, y[3], z[3];
    double up[3] = {(double)d->second.x, (double)d->second.y, (double)d->second.z}, size = 0.0, along = 0.0;
    for (int c = 0; c < 3; c++)
        size += x[c] * x[c];
    if (!(size > 1e-20 && size < 1e20))
        return fail(PL_ERROR_ARGUMENT, "joint: the axis has the length %g; it must be above 0", sqrt(size));
    for (int c = 0; c < 3; c++)
        x[c] /= sqrt(size);
    for (int c = 0; c < 3; c++)
        along += x[c] * up[c];
    for (int c = 0; c < 3; c++)
        y[c] = up[c] - along * x[c];
    size = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    if (!(size > 1e-6)) // `second` is along the axis: any other direction will do, unless it counts
    {
        if (d->kind == PL_JOINT_UNIVERSAL || d->kind == PL_JOINT_WHEEL)
            return fail(PL_ERROR_ARGUMENT, "joint: `second` is parallel to the axis; it must be at an angle to it");
        int k = x[0] * x[0] < 0.5 ? 0 : 2;
        for (int c = 0; c < 3; c++)
            y[c] = (c == k) - x[k] * x[c];
        size = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    }
    for (int c = 0; c < 3; c++)
        y[c] /= sqrt(size);
    for (int c = 0; c < 3; c++)
        z[c] = x[(c + 1) % 3] * y[(c + 2) % 3] - x[(c + 2) % 3] * y[(c + 1) % 3];
    double r[3][3], q[4];
    for (int c = 0; c < 3; c++)
        r[c][0] = x[c], r[c][1] = y[c], r[c][2] = z[c];
    rigid_quaternion(r, q);
    m->frame = (double_quat){{q[0], q[1], q[2]}, q[3]};
    return PL_OK;
}

// The joint's point and rotation in the axes of an end. A particle is joined where it is.
static void place_end(making *m, int e)
{
    end *to = &m->ends[e];
    const orient_pose *pose = pose_of(m->w, to->particle);
    const pl_vec3 p = e && m->def->kind == PL_JOINT_DISTANCE ? m->def->point_b : m->def->point;
    double x[3], arm[3] = {(double)p.x, (double)p.y, (double)p.z}, own[3];
    to->body = pose != NULL;
    memset(to->point, 0, sizeof to->point);
    memset(to->rotation, 0, sizeof to->rotation);
    if (!pose)
        return;
    double_quat q = rigid_axes_now(pose), rotation = double_quat_times(double_quat_conjugate(q), m->frame);
    slot_place(m->w, slot_of(m->w, to->particle), x);
    for (int c = 0; c < 3; c++)
        arm[c] -= x[c];
    rotate3(double_quat_conjugate(q), arm, own);
    for (int c = 0; c < 3; c++)
    {
        to->point[c] = (float)own[c];
        to->rotation[c] = (float)(rotation.w < 0.0 ? -rotation.v[c] : rotation.v[c]);
    }
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static void add_row(making *m, pl_joint_row which, pl_kind kind, const float *param, pl_softness soft)
{
    if (m->result != PL_OK)
        return;
    const int32_t index[2] = {m->ends[0].particle, m->ends[1].particle};
    pl_constraints_def def = pl_default_constraints_def();
    def.kind = kind, def.count = 1, def.index = index, def.param = param, def.soft = soft;
    m->result = pl_add_constraints(m->w, &def, &m->out.rows[which]);
    // Owned by what holds the joint in the world, so that they are removed together.
    if (m->result == PL_OK && names(m->out.anchor))
        m->w->entries[m->out.rows[which].index].owner = m->out.anchor.index;
}

// The parameters that the ends have in a kind.
static int end_params(const making *m, pl_kind kind, float *param)
{
    const end *a = &m->ends[0], *b = &m->ends[1];
    int rule = facts_of((int)kind)->rule, count = 0;
    const float *parts[4] = {rule == PARAM_TURNS ? NULL : a->point, rule == PARAM_POINTS ? NULL : a->rotation,
                             rule == PARAM_TURNS ? NULL : b->point,
                             rule == PARAM_POINTS || rule == PARAM_SLIDE ? NULL : b->rotation};
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3 && parts[i]; c++)
            param[count++] = parts[i][c];
    return count;
}

static void add_range(making *m, pl_joint_row which, pl_kind kind, float low, float high, float strength,
                      pl_softness soft)
{
    float param[PL_MAX_PARAMS];
    int n = end_params(m, kind, param);
    param[n] = low, param[n + 1] = high, param[n + 2] = strength;
    add_row(m, which, kind, param, soft);
}

static void add_motor(making *m, pl_joint_row which, pl_kind kind, float speed, float strength)
{
    float param[PL_MAX_PARAMS];
    int n = end_params(m, kind, param);
    param[n] = speed, param[n + 1] = strength;
    add_row(m, which, kind, param, (pl_softness){0});
}

static pl_result check_axis(const char *name, const pl_joint_axis *a, bool angle)
{
    const float numbers[] = {a->low, a->high, a->speed, a->target};
    int64_t where;
    if (!all_finite(numbers, 4, &where))
        return fail(PL_ERROR_ARGUMENT, "joint: low, high, speed or target of %s is not finite", name);
    if (a->limited && !(a->low <= a->high && (!angle || (a->low >= -3.1416f && a->high <= 3.1416f))))
        return fail(PL_ERROR_ARGUMENT, "joint: %s has limits from %g to %g; low must be at most high%s", name,
                    (double)a->low, (double)a->high, angle ? ", both from -pi to pi" : "");
    if (!(a->motor >= 0.0f && a->servo >= 0.0f && a->friction >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "joint: motor, servo and friction of %s are %g, %g and %g; none may be below 0",
                    name, (double)a->motor, (double)a->servo, (double)a->friction);
    return PL_OK;
}

// Adds limits, motor, servo and friction along or about an axis. first: the row of its limit.
static void add_axis(making *m, const pl_joint_axis *a, int first, pl_kind range, pl_kind motor)
{
    if (a->limited)
        add_range(m, (pl_joint_row)first, range, a->low, a->high, ROW_UNLIMITED, a->limit);
    if (a->motor > 0.0f)
        add_motor(m, (pl_joint_row)(first + 1), motor, a->speed, a->motor);
    if (a->servo > 0.0f)
        add_range(m, (pl_joint_row)(first + 2), range, a->target, a->target, a->servo, a->servo_soft);
    if (a->friction > 0.0f)
        add_motor(m, (pl_joint_row)(first + 3), motor, 0.0f, a->friction);
}

static void add_base(making *m)
{
    static const pl_kind kinds[PL_JOINT_KIND_COUNT] = {
        PL_KIND_BALL_JOINT,      PL_KIND_HINGE_JOINT, PL_KIND_SLIDER_JOINT,   PL_KIND_CYLINDRICAL_JOINT,
        PL_KIND_UNIVERSAL_JOINT, PL_KIND_FIXED_JOINT, PL_KIND_DISTANCE_JOINT, PL_KIND_WHEEL_JOINT};
    const pl_joint_def *d = m->def;
    float param[PL_MAX_PARAMS];
    end_params(m, kinds[d->kind], param);
    add_row(m, PL_JOINT_BASE, kinds[d->kind], param, d->soft);
}

// The distance of the two points now.
static float distance_now(const making *m)
{
    double x[2][3], sum = 0.0;
    const pl_vec3 p[2] = {m->def->point, m->def->point_b};
    for (int e = 0; e < 2; e++)
    {
        x[e][0] = (double)p[e].x, x[e][1] = (double)p[e].y, x[e][2] = (double)p[e].z;
        if (!m->ends[e].body)
            slot_place(m->w, slot_of(m->w, m->ends[e].particle), x[e]);
    }
    for (int c = 0; c < 3; c++)
        sum += (x[1][c] - x[0][c]) * (x[1][c] - x[0][c]);
    return (float)sqrt(sum);
}

static void add_distance(making *m)
{
    const pl_joint_axis *s = &m->def->slide;
    float now = distance_now(m);
    add_range(m, PL_JOINT_BASE, PL_KIND_DISTANCE_JOINT, s->limited ? s->low : now, s->limited ? s->high : now,
              ROW_UNLIMITED, m->def->soft);
}

static bool slides(pl_joint_kind k) { return k == PL_JOINT_SLIDER || k == PL_JOINT_CYLINDRICAL || k == PL_JOINT_WHEEL; }
static bool twists(pl_joint_kind k)
{
    return k == PL_JOINT_BALL || k == PL_JOINT_HINGE || k == PL_JOINT_CYLINDRICAL || k == PL_JOINT_WHEEL;
}

// The suspension of a wheel is along the y axis of the joint: its slide has a frame of its own, turned by 90 degrees.
static void add_slide(making *m)
{
    const double_quat kept = m->frame, quarter = {{0.0, 0.0, 0.70710678118654752}, 0.70710678118654752};
    if (m->def->kind == PL_JOINT_WHEEL)
        m->frame = double_quat_times(kept, quarter);
    for (int e = 0; e < 2; e++)
        place_end(m, e);
    add_axis(m, &m->def->slide, PL_JOINT_SLIDE_LIMIT, PL_KIND_SLIDE_RANGE, PL_KIND_SLIDE_MOTOR);
    m->frame = kept;
    for (int e = 0; e < 2; e++)
        place_end(m, e);
}

static pl_result check_def(const pl_joint_def *d)
{
    pl_result result = PL_OK;
    if ((unsigned)d->kind >= PL_JOINT_KIND_COUNT)
        return fail(PL_ERROR_ARGUMENT, "joint: kind is %d; kinds go from 0 to %d", (int)d->kind,
                    PL_JOINT_KIND_COUNT - 1);
    if (!names(d->a) && !names(d->b) && d->ends[0] < 0 && d->ends[1] < 0)
        return fail(PL_ERROR_ARGUMENT, "joint: both ends are the world; one of them must be a body");
    if (!finite3(d->point) || !finite3(d->point_b) || !finite3(d->axis) || !finite3(d->second))
        return fail(PL_ERROR_ARGUMENT, "joint: a point or an axis is not finite");
    if (!(d->swing >= 0.0f && d->swing <= 3.1416f))
        return fail(PL_ERROR_ARGUMENT, "joint: swing is %g rad; it must be from 0 to pi", (double)d->swing);
    result = check_axis("slide", &d->slide, false);
    return result == PL_OK ? check_axis("twist", &d->twist, true) : result;
}

// Keeps a record of a joint that is solved directly.
static void add_record(making *m)
{
    const int32_t ends[2] = {m->ends[0].particle, m->ends[1].particle};
    joint_record r = {.direct = m->def->direct};
    for (int i = 0; i < PL_JOINT_ROWS; i++)
        r.rows[i][0] = m->out.rows[i].index, r.rows[i][1] = m->out.rows[i].generation;
    m->result = joint_record_add(m->w, ends, &r, &m->out.record);
    if (m->result == PL_OK && names(m->out.anchor))
        m->w->entries[m->out.record.index].owner = m->out.anchor.index;
}

static void joint_undo(making *m, const build_mark *mark)
{
    pl_world *w = m->w;
    for (int i = 0; i < PL_JOINT_ROWS; i++)
        if (names(m->out.rows[i]))
            w->entries[m->out.rows[i].index] = (id_entry){.generation = m->out.rows[i].generation - 1};
    build_undo(w, mark, &m->out.anchor, names(m->out.anchor), m->result);
}

pl_result pl_add_joint(pl_world *w, const pl_joint_def *def, pl_joint *joint)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    making m = {.w = w, .def = def, .result = check_def(def)};
    if (m.result == PL_OK)
        m.result = find_frame(&m);
    if (m.result != PL_OK)
        return m.result;
    build_mark mark = build_begin(w);
    for (int e = 0; e < 2 && m.result == PL_OK; e++)
        find_end(&m, e);
    if (m.result == PL_OK)
        m.result = rigid_pull(w);
    for (int e = 0; e < 2 && m.result == PL_OK; e++)
        place_end(&m, e);
    if (m.result == PL_OK && def->kind == PL_JOINT_DISTANCE)
        add_distance(&m);
    else
        add_base(&m);
    if (m.result == PL_OK && slides(def->kind))
        add_slide(&m);
    if (m.result == PL_OK && twists(def->kind))
        add_axis(&m, &def->twist, PL_JOINT_TWIST_LIMIT, PL_KIND_TWIST_RANGE, PL_KIND_TWIST_MOTOR);
    if (m.result == PL_OK && def->kind == PL_JOINT_BALL && def->swing > 0.0f)
        add_range(&m, PL_JOINT_SWING_LIMIT, PL_KIND_SWING_RANGE, 0.0f, def->swing, ROW_UNLIMITED, (pl_softness){0});
    if (m.result == PL_OK && def->direct)
        add_record(&m);
    if (m.result != PL_OK)
        joint_undo(&m, &mark);
    else if (joint)
        *joint = m.out;
    return m.result;
}

// ---- changing ------------------------------------------------------------------------------------------------------

static bool alive(const pl_world *w, pl_id id)
{
    return id.index && id.index < w->entry_count && w->entries[id.index].generation == id.generation &&
           w->entries[id.index].type != ID_FREE;
}

pl_result pl_remove_joint(pl_world *w, const pl_joint *joint)
{
    NEED(w);
    NEED(joint);
    pl_result result = PL_OK;
    for (int i = 0; i < PL_JOINT_ROWS && result == PL_OK; i++)
        if (alive(w, joint->rows[i]))
            result = pl_remove(w, joint->rows[i]);
    if (result == PL_OK && alive(w, joint->record))
        result = pl_remove(w, joint->record);
    return result == PL_OK && alive(w, joint->anchor) ? pl_remove(w, joint->anchor) : result;
}

pl_result pl_drive_joint(pl_world *w, const pl_joint *joint, pl_joint_row row, float value, float strength)
{
    NEED(w);
    NEED(joint);
    bool servo = row == PL_JOINT_SLIDE_SERVO || row == PL_JOINT_TWIST_SERVO;
    bool motor = row == PL_JOINT_SLIDE_MOTOR || row == PL_JOINT_TWIST_MOTOR;
    if (!(servo || motor) || !alive(w, joint->rows[row]))
        return fail(PL_ERROR_ARGUMENT, "drive joint: the joint has no such motor or servo (row %d)", (int)row);
    if (!CHECK_FINITE(value) || !(strength >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "drive joint: value %g, strength %g; the strength must be 0 or above",
                    (double)value, (double)strength);
    float param[PL_MAX_PARAMS];
    int count = facts_of(w->entries[joint->rows[row].index].kind)->info.params;
    pl_result result = pl_get_rows(w, joint->rows[row], PL_ROW_PARAM, 0, 1, param);
    param[count - 1] = strength;
    param[count - 2] = value;
    if (servo)
        param[count - 3] = value;
    return result == PL_OK ? pl_set_rows(w, joint->rows[row], PL_ROW_PARAM, 0, 1, param) : result;
}
