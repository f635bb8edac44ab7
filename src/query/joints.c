// joints.c: reads the forces and positions of joints.
#include "elements/kinds.h"
#include "groups/oriented.h"
#include "groups/rigids.h"
#include "edit/add.h"

#include <string.h>

typedef void frame_eval(const frame_end *e, const f32 *param, frame_rows *c);

// The kernels are always inlined; these wrappers have addresses.
#define WRAP(name, NAME, arity, writes, params, bound, stem, scale, parts)                                             \
    static void eval_##name(const frame_end *e, const f32 *param, frame_rows *c) { stem##_eval(e, param, c); }
PL_FRAME_KINDS(WRAP)

static frame_eval *const evals[PL_KIND_COUNT] = {
#define ENTRY(name, NAME, ...) [PL_KIND_##NAME] = eval_##name,
    PL_FRAME_KINDS(ENTRY)
#undef ENTRY
};

// A row of a joint at the present positions: its parts with their gradients, and the arms from the centres to the point
// of the joint in b.
typedef struct joint_row
{
    frame_rows c;
    int kind;
    int64_t row;
    double place[2][3]; // of the ends
} joint_row;

static bool read_row(const pl_world *w, pl_id id, joint_row *out)
{
    if (!id.index || id.index >= w->entry_count || w->entries[id.index].generation != id.generation ||
        w->entries[id.index].type != ID_ROWS)
        return false;
    const id_entry *t = &w->entries[id.index];
    const kind_facts *k = facts_of(t->kind);
    if (!k->frames || t->count < 1)
        return false;
    frame_end e[FRAME_ENDS];
    memset(e, 0, sizeof e);
    out->kind = t->kind, out->row = t->first;
    out->c.grounded = 0;
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        int32_t number = w->rows[t->kind].index[(int64_t)t->first * FRAME_ENDS + i];
        const orient_pose *pose = pose_of(w, number);
        slot_place(w, slot_of(w, number), out->place[i]);
        e[0].world = vec_of((float)out->place[0][0], (float)out->place[0][1], (float)out->place[0][2]);
        e[i].q = pose ? quat_load(pose->rotation) : quat_identity();
        e[i].p.x = (float)(out->place[i][0] - out->place[0][0]);
        e[i].p.y = (float)(out->place[i][1] - out->place[0][1]);
        e[i].p.z = (float)(out->place[i][2] - out->place[0][2]);
    }
    evals[t->kind](e, w->rows[t->kind].param + (int64_t)t->first * k->info.params, &out->c);
    return true;
}

// The point of the base in b relative to b's centre.
static void joint_arm(const pl_world *w, const joint_row *base, double out[3])
{
    const kind_facts *k = facts_of(base->kind);
    const float *param = w->rows[base->kind].param + base->row * k->info.params + (k->rule == PARAM_POINTS ? 3 : 6);
    const orient_pose *pose = pose_of(w, w->rows[base->kind].index[base->row * FRAME_ENDS + 1]);
    vec arm = rotate_vec(pose ? quat_load(pose->rotation) : quat_identity(), vec_of(param[0], param[1], param[2]));
    out[0] = (double)arm.x, out[1] = (double)arm.y, out[2] = (double)arm.z;
}

static pl_result ready(const pl_world *w)
{
    pl_result result = rigid_pull(w);
    return result == PL_OK ? pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS)) : result;
}

pl_result pl_joint_force(const pl_world *w, const pl_joint *joint, pl_vec3 *force, pl_vec3 *torque)
{
    NEED(w);
    NEED(joint);
    joint_row r;
    double f[3] = {0}, t[3] = {0}, arm[3];
    pl_result result = ready(w);
    if (result != PL_OK)
        return result;
    if (!read_row(w, joint->rows[PL_JOINT_BASE], &r))
        return fail(PL_ERROR_ARGUMENT, "joint force: the joint has been removed; use one that exists");
    joint_arm(w, &r, arm);
    for (int i = 0; i < PL_JOINT_ROWS; i++)
    {
        if (!read_row(w, joint->rows[i], &r))
            continue;
        for (int p = 0; p < facts_of(r.kind)->info.parts; p++)
        {
            double lambda = (double)row_lambda(w, r.kind, r.row, p) * (double)w->force_scale;
            vec x = r.c.linear[p][1], q = r.c.angular[p][1];
            f[0] += lambda * (double)x.x, f[1] += lambda * (double)x.y, f[2] += lambda * (double)x.z;
            t[0] += lambda * (double)q.x, t[1] += lambda * (double)q.y, t[2] += lambda * (double)q.z;
        }
    }
    for (int c = 0; c < 3; c++) // about the point instead of the centre
        t[c] -= arm[(c + 1) % 3] * f[(c + 2) % 3] - arm[(c + 2) % 3] * f[(c + 1) % 3];
    if (force)
        *force = (pl_vec3){(float)f[0], (float)f[1], (float)f[2]};
    if (torque)
        *torque = (pl_vec3){(float)t[0], (float)t[1], (float)t[2]};
    return PL_OK;
}

// The position of the first row of an axis that the joint has.
static float position_of(const pl_world *w, const pl_joint *joint, int first)
{
    joint_row r;
    for (int i = first; i < first + 4; i++)
        if (read_row(w, joint->rows[i], &r))
        {
            const kind_facts *k = facts_of(r.kind);
            const float *param = w->rows[r.kind].param + r.row * k->info.params;
            return k->bound == BOUND_RANGE ? r.c.value[0] + param[k->info.params - 3] : r.c.value[0];
        }
    return 0.0f;
}

pl_result pl_joint_position(const pl_world *w, const pl_joint *joint, float *slide, float *twist)
{
    NEED(w);
    NEED(joint);
    pl_result result = ready(w);
    if (result == PL_OK && slide)
        *slide = position_of(w, joint, PL_JOINT_SLIDE_LIMIT);
    if (result == PL_OK && twist)
        *twist = position_of(w, joint, PL_JOINT_TWIST_LIMIT);
    return result;
}
