// joint_rows.c: adds the constraints that a joint consists of, and checks its definition.
#include "author/joint_build.h"
#include "elements/frame_row.h"
#include "groups/rigids.h"

#include <math.h>

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_axis(const char *name, const pl_joint_axis *a, bool angle)
{
    const float numbers[] = {a->low, a->high, a->speed, a->target};
    int64_t where;
    if (!all_finite(numbers, 4, &where))
        return fail(PL_ERROR_ARGUMENT, "joint: low, high, speed or target of %s is not finite; give finite numbers",
                    name);
    if (a->limited && !(a->low <= a->high && (!angle || (a->low >= -3.1416f && a->high <= 3.1416f))))
        return fail(PL_ERROR_ARGUMENT, "joint: %s has limits from %g to %g; low must be at most high%s", name,
                    (double)a->low, (double)a->high, angle ? ", both from -pi to pi" : "");
    if (!(a->motor >= 0.0f && a->servo >= 0.0f && a->friction >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "joint: motor, servo and friction of %s are %g, %g and %g; none may be below 0",
                    name, (double)a->motor, (double)a->servo, (double)a->friction);
    return PL_OK;
}

// Checks what only some kinds have.
static pl_result check_kind(const pl_joint_def *d)
{
    const bool machine = d->kind == PL_JOINT_GEAR || d->kind == PL_JOINT_RACK;
    if (d->kind == PL_JOINT_SPRING && !(d->soft.compliance > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "joint: a spring has the compliance %g m/N; it must be above 0, or use a rod",
                    (double)d->soft.compliance);
    if (!(d->length >= 0.0f && CHECK_FINITE(d->length)))
        return fail(PL_ERROR_ARGUMENT, "joint: length is %g m; it must be above 0, or 0 for the present one",
                    (double)d->length);
    if (d->kind == PL_JOINT_CONE_TWIST && !(d->swing > 0.0f && d->twist.limited))
        return fail(PL_ERROR_ARGUMENT, "joint: a cone-twist joint needs a swing above 0 and limits of twist; without "
                                       "them use a ball joint");
    if (d->kind == PL_JOINT_GEAR && !(d->teeth[0] >= 1 && d->teeth[0] <= 10000 && d->teeth[1] != 0 &&
                                      d->teeth[1] >= -10000 && d->teeth[1] <= 10000))
        return fail(PL_ERROR_ARGUMENT,
                    "joint: a gear of %d and %d teeth; they must be from 1 to 10000, the second "
                    "negative for a belt",
                    d->teeth[0], d->teeth[1]);
    if (d->kind == PL_JOINT_RACK && !(d->radius > 0.0f && CHECK_FINITE(d->radius)))
        return fail(PL_ERROR_ARGUMENT, "joint: the pinion has the radius %g m; it must be above 0", (double)d->radius);
    if (d->kind == PL_JOINT_PULLEY &&
        !(d->ratio > 0.0f && CHECK_FINITE(d->ratio) && finite3(d->pulleys[0]) && finite3(d->pulleys[1])))
        return fail(PL_ERROR_ARGUMENT,
                    "joint: the ratio of the pulley is %g; it must be above 0, and the pulleys finite",
                    (double)d->ratio);
    if (d->direct && ((d->kind == PL_JOINT_DISTANCE && d->slide.limited && d->slide.low < d->slide.high) ||
                      d->kind == PL_JOINT_PULLEY))
        return fail(PL_ERROR_ARGUMENT, "joint: a distance with limits that differ, or a rope over pulleys, cannot be "
                                       "solved directly; direct must be false");
    if (machine && (d->break_force > 0.0f || d->break_torque > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "joint: a gear or a rack does not break; let its bearings break");
    return PL_OK;
}

pl_result joint_check(const pl_joint_def *d)
{
    pl_result result = PL_OK;
    if ((unsigned)d->kind >= PL_JOINT_KIND_COUNT)
        return fail(PL_ERROR_ARGUMENT, "joint: kind is %d; kinds go from 0 to %d", (int)d->kind,
                    PL_JOINT_KIND_COUNT - 1);
    if (!id_given(d->a) && !id_given(d->b) && d->ends[0] < 0 && d->ends[1] < 0)
        return fail(PL_ERROR_ARGUMENT, "joint: both ends are the world; one of them must be a body");
    if (!finite3(d->point) || !finite3(d->point_b) || !finite3(d->axis) || !finite3(d->second))
        return fail(PL_ERROR_ARGUMENT, "joint: a point or an axis is not finite; give finite numbers");
    if (!(d->swing >= 0.0f && d->swing <= 3.1416f))
        return fail(PL_ERROR_ARGUMENT, "joint: swing is %g rad; it must be from 0 to pi", (double)d->swing);
    if (!(d->break_force >= 0.0f && d->break_torque >= 0.0f && CHECK_FINITE(d->break_force) &&
          CHECK_FINITE(d->break_torque)))
        return fail(PL_ERROR_ARGUMENT, "joint: break_force is %g N and break_torque %g N m; both must be 0 or above",
                    (double)d->break_force, (double)d->break_torque);
    result = check_kind(d);
    if (result == PL_OK)
        result = check_axis("slide", &d->slide, false);
    return result == PL_OK ? check_axis("twist", &d->twist, true) : result;
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
    if (m->result == PL_OK && id_given(m->out.anchor))
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
        [PL_JOINT_BALL] = PL_KIND_BALL_JOINT,           [PL_JOINT_HINGE] = PL_KIND_HINGE_JOINT,
        [PL_JOINT_SLIDER] = PL_KIND_SLIDER_JOINT,       [PL_JOINT_CYLINDRICAL] = PL_KIND_CYLINDRICAL_JOINT,
        [PL_JOINT_UNIVERSAL] = PL_KIND_UNIVERSAL_JOINT, [PL_JOINT_FIXED] = PL_KIND_FIXED_JOINT,
        [PL_JOINT_WHEEL] = PL_KIND_WHEEL_JOINT,         [PL_JOINT_CONE_TWIST] = PL_KIND_BALL_JOINT};
    const pl_joint_def *d = m->def;
    float param[PL_MAX_PARAMS];
    end_params(m, kinds[d->kind], param);
    add_row(m, PL_JOINT_BASE, kinds[d->kind], param, d->soft);
}

// From the pulleys, or from the first point, to the points of the two ends now.
static void lengths_now(const making *m, const pl_vec3 *from, double length[2])
{
    double x[2][3];
    const pl_vec3 p[2] = {m->def->point, m->def->point_b};
    for (int e = 0; e < 2; e++)
    {
        x[e][0] = (double)p[e].x, x[e][1] = (double)p[e].y, x[e][2] = (double)p[e].z;
        if (!m->ends[e].body)
            slot_place(m->w, slot_of(m->w, m->ends[e].particle), x[e]);
        double to[3] = {x[0][0], x[0][1], x[0][2]}, sum = 0.0;
        if (from)
            to[0] = (double)from[e].x, to[1] = (double)from[e].y, to[2] = (double)from[e].z;
        for (int c = 0; c < 3; c++)
            sum += (x[e][c] - to[c]) * (x[e][c] - to[c]);
        length[e] = sqrt(sum);
    }
}

// A distance, a rod or a spring.
static void add_distance(making *m)
{
    const pl_joint_def *d = m->def;
    double length[2];
    lengths_now(m, NULL, length);
    float rest = d->kind == PL_JOINT_SPRING && d->length > 0.0f ? d->length : (float)length[1];
    bool limited = d->kind == PL_JOINT_DISTANCE && d->slide.limited;
    add_range(m, PL_JOINT_BASE, PL_KIND_DISTANCE_JOINT, limited ? d->slide.low : rest, limited ? d->slide.high : rest,
              ROW_UNLIMITED, d->soft);
}

// ---- machines ------------------------------------------------------------------------------------------------------

static void put_rotation(double_quat q, float *param)
{
    for (int c = 0; c < 3; c++)
        param[c] = (float)(q.w < 0.0 ? -q.v[c] : q.v[c]);
}

static void add_gear(making *m)
{
    const pl_joint_def *d = m->def;
    const pl_vec3 other = d->axis_b.x == 0.0f && d->axis_b.y == 0.0f && d->axis_b.z == 0.0f ? d->axis : d->axis_b;
    const double_quat first = m->frame;
    float param[PL_MAX_PARAMS];
    m->result = joint_frame_along(other, d->second, false, &m->frame);
    if (m->result != PL_OK)
        return;
    joint_place_end(m, 1);
    end_params(m, PL_KIND_GEAR, param);
    put_rotation(first, param + 6);
    put_rotation(m->frame, param + 9);
    param[12] = (float)d->teeth[0], param[13] = (float)d->teeth[1];
    add_row(m, PL_JOINT_BASE, PL_KIND_GEAR, param, d->soft);
}

static void add_rack(making *m)
{
    const double y[3] = {0.0, 1.0, 0.0};
    double u[3];
    float param[PL_MAX_PARAMS];
    end_params(m, PL_KIND_RACK, param);
    put_rotation(m->frame, param + 9);
    rotate3(m->frame, y, u);
    for (int c = 0; c < 3; c++)
        param[12 + c] = (float)u[c];
    param[15] = m->def->radius, param[16] = 0.0f;
    add_row(m, PL_JOINT_BASE, PL_KIND_RACK, param, m->def->soft);
}

// Without limits: a rope, which may be slack, of the present length.
static void add_pulley(making *m)
{
    const pl_joint_def *d = m->def;
    double length[2];
    float param[PL_MAX_PARAMS];
    lengths_now(m, d->pulleys, length);
    int n = end_params(m, PL_KIND_PULLEY, param);
    param[n] = d->slide.limited ? d->slide.low : 0.0f;
    param[n + 1] = d->slide.limited ? d->slide.high : (float)(length[0] + (double)d->ratio * length[1]);
    param[n + 2] = ROW_UNLIMITED;
    for (int e = 0; e < 2; e++)
        param[n + 3 + 3 * e] = d->pulleys[e].x, param[n + 4 + 3 * e] = d->pulleys[e].y,
                          param[n + 5 + 3 * e] = d->pulleys[e].z;
    param[n + 9] = d->ratio;
    add_row(m, PL_JOINT_BASE, PL_KIND_PULLEY, param, d->soft);
}

// ---- all constraints -----------------------------------------------------------------------------------------------

static bool slides(pl_joint_kind k) { return k == PL_JOINT_SLIDER || k == PL_JOINT_CYLINDRICAL || k == PL_JOINT_WHEEL; }
static bool twists(pl_joint_kind k)
{
    return k == PL_JOINT_BALL || k == PL_JOINT_HINGE || k == PL_JOINT_CYLINDRICAL || k == PL_JOINT_WHEEL ||
           k == PL_JOINT_CONE_TWIST;
}

// The suspension of a wheel is along the y axis of the joint: its slide has a frame of its own, turned by 90 degrees.
static void add_slide(making *m)
{
    const double_quat kept = m->frame, quarter = {{0.0, 0.0, 0.70710678118654752}, 0.70710678118654752};
    if (m->def->kind == PL_JOINT_WHEEL)
        m->frame = double_quat_times(kept, quarter);
    for (int e = 0; e < 2; e++)
        joint_place_end(m, e);
    add_axis(m, &m->def->slide, PL_JOINT_SLIDE_LIMIT, PL_KIND_SLIDE_RANGE, PL_KIND_SLIDE_MOTOR);
    m->frame = kept;
    for (int e = 0; e < 2; e++)
        joint_place_end(m, e);
}

void joint_add_rows(making *m)
{
    const pl_joint_def *d = m->def;
    if (m->result != PL_OK)
        return;
    switch (d->kind)
    {
    case PL_JOINT_DISTANCE:
    case PL_JOINT_ROD:
    case PL_JOINT_SPRING:
        add_distance(m);
        break;
    case PL_JOINT_GEAR:
        add_gear(m);
        break;
    case PL_JOINT_RACK:
        add_rack(m);
        break;
    case PL_JOINT_PULLEY:
        add_pulley(m);
        break;
    default:
        add_base(m);
    }
    if (m->result == PL_OK && slides(d->kind))
        add_slide(m);
    if (m->result == PL_OK && twists(d->kind))
        add_axis(m, &d->twist, PL_JOINT_TWIST_LIMIT, PL_KIND_TWIST_RANGE, PL_KIND_TWIST_MOTOR);
    bool ball = d->kind == PL_JOINT_BALL || d->kind == PL_JOINT_CONE_TWIST;
    if (m->result == PL_OK && ball && d->swing > 0.0f)
        add_range(m, PL_JOINT_SWING_LIMIT, PL_KIND_SWING_RANGE, 0.0f, d->swing, ROW_UNLIMITED, (pl_softness){0});
}
