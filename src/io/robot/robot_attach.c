// robot_attach.c: finds a robot again in a world that was made from a scene, or loaded from a snapshot of one. Ids are given
// in order, and a snapshot keeps them: behind its bodies follow its constraints, in the order of robot_build.c.
#include "robot_world.h"

#include "core/error.h"

// Takes the next block of one row behind *at, which must be of this kind.
static pl_result take(const pl_world *world, uint32_t *at, pl_kind kind, pl_id *id)
{
    pl_kind found = PL_KIND_COUNT;
    int rows = 0, tries = 0;
    do
        *id = (pl_id){.index = ++*at, .generation = 1};
    while (++tries < 64 && pl_block_info(world, *id, &found, &rows) != PL_OK);
    return found == kind && rows == 1
               ? PL_OK
               : fail(PL_ERROR_ARGUMENT, "this world does not have the robot of the scene; use the scene that made it");
}

static pl_result take_joint(const pl_world *world, const struct robot_joint *j, uint32_t *at, pl_joint *joint)
{
    static const pl_kind kinds[] = {PL_KIND_FIXED_JOINT, PL_KIND_HINGE_JOINT, PL_KIND_SLIDER_JOINT, PL_KIND_BALL_JOINT};
    int first = j->kind == ROBOT_SLIDE ? PL_JOINT_SLIDE_LIMIT : PL_JOINT_TWIST_LIMIT;
    bool single = j->kind == ROBOT_HINGE || j->kind == ROBOT_SLIDE;
    if (j->kind == ROBOT_FREE)
        return PL_OK;
    pl_result result = take(world, at, kinds[j->kind], &joint->rows[PL_JOINT_BASE]);
    if (result == PL_OK && single && j->limited)
        result = take(world, at, robot_row_kind(j, true), &joint->rows[first]);
    if (result == PL_OK && single && j->friction > 0.0)
        result = take(world, at, robot_row_kind(j, false), &joint->rows[first + 3]);
    return result;
}

pl_result robot_attach(pl_robot *r, const pl_world *world, int first)
{
    const struct robot_model *m = r->m;
    pl_result result = PL_OK;
    uint32_t at = 0;
    for (int i = 0; i < m->bodies.count; i++)
    {
        r->bodies[i] = pl_rigid_of_particle(world, first + i);
        at = r->bodies[i].index;
    }
    for (int i = 0; i < m->joints.count && result == PL_OK; i++)
        result = take_joint(world, &m->joints.items[i], &at, &r->joints[i]);
    for (int i = 0; i < m->links.count && result == PL_OK; i++)
        if (robot_is_welded(m, i))
            result = take(world, &at, PL_KIND_FIXED_JOINT, &r->welds[i].rows[PL_JOINT_BASE]);
    for (int i = 0; i < m->joints.count && result == PL_OK; i++)
        if (robot_has_spring(&m->joints.items[i]))
            result = take(world, &at, robot_row_kind(&m->joints.items[i], true), &r->springs[i]);
    for (int i = 0; i < m->actuators.count && result == PL_OK; i++)
    {
        const struct robot_actuator *a = &m->actuators.items[i];
        pl_kind kind = robot_row_kind(&m->joints.items[a->joint], a->control == PL_CONTROL_POSITION);
        result = take(world, &at, kind, &r->actuators[i]);
    }
    return result;
}
