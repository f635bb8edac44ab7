// joint_edit.c: removes and drives joints.
#include "model/world.h"

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

pl_result pl_joint_broken(const pl_world *w, const pl_joint *joint, bool *broken)
{
    NEED(w);
    NEED(joint);
    NEED(broken);
    pl_damage damage;
    if (!alive(w, joint->rows[PL_JOINT_BASE]))
        return fail(PL_ERROR_ARGUMENT, "joint broken: the joint has been removed; use one that exists");
    pl_result result = pl_get_damage(w, joint->rows[PL_JOINT_BASE], 0, 1, &damage);
    if (result == PL_OK)
        *broken = damage.broken;
    return result;
}

pl_result pl_drive_joint(pl_world *w, const pl_joint *joint, pl_joint_row row, float value, float strength)
{
    NEED(w);
    NEED(joint);
    bool servo = row == PL_JOINT_SLIDE_SERVO || row == PL_JOINT_TWIST_SERVO;
    bool motor = row == PL_JOINT_SLIDE_MOTOR || row == PL_JOINT_TWIST_MOTOR;
    if (!(servo || motor) || !alive(w, joint->rows[row]))
        return fail(PL_ERROR_ARGUMENT,
                    "drive joint: the joint has no such motor or servo (row %d); give it one in its definition",
                    (int)row);
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
