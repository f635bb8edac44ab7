// joint.c: adds joints: finds the two ends of a joint and its frames in them. joint_rows.c adds its constraints.
#include "author/build.h"
#include "author/joint_build.h"
#include "edit/add.h"
#include "groups/group.h"
#include "groups/joints.h"
#include "groups/oriented.h"
#include "groups/rigids.h"

#include <math.h>
#include <string.h>

pl_joint_def pl_default_joint_def(void)
{
    return (pl_joint_def){
        .ends = {-1, -1}, .axis = {1.0f, 0.0f, 0.0f}, .second = {0.0f, 1.0f, 0.0f}, .teeth = {1, 1}, .ratio = 1.0f};
}

// ---- ends and frames -----------------------------------------------------------------------------------------------

// Does the joint have a point of its own in the second end?
static bool has_two_points(pl_joint_kind k)
{
    return k == PL_JOINT_DISTANCE || k == PL_JOINT_ROD || k == PL_JOINT_SPRING || k == PL_JOINT_PULLEY;
}

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
            m->result = fail(PL_ERROR_ARGUMENT, "joint: particle %d does not exist; use a number below pl_particle_end",
                             d->ends[e]);
        return;
    }
    if (!id_given(object))
    {
        // Nothing moves it, but it is drawn as a ball of this inertia: 16 mm.
        const pl_mass_properties small = {.mass = 1.0f, .inertia = {1e-4f, 1e-4f, 1e-4f}};
        pl_rigid_def anchor = pl_default_rigid_def();
        anchor.properties = &small;
        anchor.type = PL_RIGID_STATIC;
        anchor.position = e && has_two_points(d->kind) ? d->point_b : d->point;
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
pl_result joint_frame_along(pl_vec3 axis, pl_vec3 second, bool needs_second, double_quat *frame)
{
    double x[3] = {(double)axis.x, (double)axis.y, (double)axis.z}, y[3], z[3];
    double up[3] = {(double)second.x, (double)second.y, (double)second.z}, size = 0.0, along = 0.0;
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
        if (needs_second)
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
    *frame = (double_quat){{q[0], q[1], q[2]}, q[3]};
    return PL_OK;
}

// The joint's point and rotation in the axes of an end. A particle is joined where it is.
void joint_place_end(making *m, int e)
{
    end *to = &m->ends[e];
    const orient_pose *pose = pose_of(m->w, to->particle);
    const pl_vec3 p = e && has_two_points(m->def->kind) ? m->def->point_b : m->def->point;
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

// ---- adding --------------------------------------------------------------------------------------------------------

// Keeps a record of a joint that is solved directly or can break, or whose bodies collide.
static void add_record(making *m)
{
    const int32_t ends[2] = {m->ends[0].particle, m->ends[1].particle};
    joint_record r = {.direct = m->def->direct, .collide = m->def->collide};
    if (m->def->break_force > 0.0f || m->def->break_torque > 0.0f)
        m->result = joint_strength(m->w, m->out.rows[PL_JOINT_BASE], m->def->break_force, m->def->break_torque);
    if (m->result != PL_OK)
        return;
    for (int i = 0; i < PL_JOINT_ROWS; i++)
        r.rows[i][0] = m->out.rows[i].index, r.rows[i][1] = m->out.rows[i].generation;
    m->result = joint_record_add(m->w, ends, &r, &m->out.record);
    if (m->result == PL_OK && id_given(m->out.anchor))
        m->w->entries[m->out.record.index].owner = m->out.anchor.index;
}

void joint_forget(pl_world *w, const pl_joint *j)
{
    for (int i = 0; i < PL_JOINT_ROWS; i++)
        if (id_given(j->rows[i]))
            w->entries[j->rows[i].index] = (id_entry){.generation = j->rows[i].generation - 1};
    if (id_given(j->record))
        w->entries[j->record.index] = (id_entry){.generation = j->record.generation - 1};
}

static void joint_undo(making *m, const build_mark *mark)
{
    pl_world *w = m->w;
    joint_forget(w, &m->out);
    build_undo(w, mark, &m->out.anchor, id_given(m->out.anchor), m->result);
}

static bool needs_second(pl_joint_kind k)
{
    return k == PL_JOINT_UNIVERSAL || k == PL_JOINT_WHEEL || k == PL_JOINT_RACK;
}

pl_result pl_add_joint(pl_world *w, const pl_joint_def *def, pl_joint *joint)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    making m = {.w = w, .def = def, .result = joint_check(def)};
    if (m.result == PL_OK)
        m.result = joint_frame_along(def->axis, def->second, needs_second(def->kind), &m.frame);
    if (m.result != PL_OK)
        return m.result;
    build_mark mark = build_begin(w);
    for (int e = 0; e < 2 && m.result == PL_OK; e++)
        find_end(&m, e);
    if (m.result == PL_OK)
        m.result = rigid_pull(w);
    for (int e = 0; e < 2 && m.result == PL_OK; e++)
        joint_place_end(&m, e);
    joint_add_rows(&m);
    if (m.result == PL_OK && (def->direct || def->collide || def->break_force > 0.0f || def->break_torque > 0.0f))
        add_record(&m);
    if (m.result != PL_OK)
        joint_undo(&m, &mark);
    else if (joint)
        *joint = m.out;
    return m.result;
}
