// step.c: performs a step; read it from top to bottom.
//
//   plan_frame   writes a frame as a list of stages, once for each structure of the world; a backend runs it
//   step         brings the world up to date, lets the backend run the plan, and publishes events
//
// The parts of a substep are in substep.c, substep_contacts.c and, for groups, in groups/; an iteration is in solvers/;
// stages.def lists what each stage does.
#include "edit/tear.h"
#include "groups/body_particles.h"
#include "groups/emission.h"
#include "groups/group.h"
#include "groups/rigid_contacts.h"
#include "groups/rigid_sleep.h"
#include "layout/compile.h"
#include "model/fluid.h"
#include "neighbours/contact/events.h"
#include "neighbours/heat/heat.h"
#include "query/sensors.h"
#include "step/prepare.h"
#include "step/solvers/solver.h"

#include <stdio.h>
#include <string.h>

static void plan_substep(planner *p)
{
    const pl_world *w = p->world;
    plan_open_contacts(p);
    plan_stabilise(p);
    plan_wind(p);
    plan_slots(p, OP_PREDICT);
    plan_hook(p, PLAN_PREDICT, 0);
    plan_warm_start(p);
    plan_hook(p, PLAN_WARM_START, 0);
    for (int i = 0; i < w->settings.iterations; i++)
        plan_iteration(p, i);
    plan_guarantee(p);
    plan_hook(p, PLAN_SOLVED, 0);
    plan_slots(p, OP_VELOCITY);
    plan_hook(p, PLAN_VELOCITY, 0);
    plan_damage(p);
    plan_restitution(p);
    plan_internal_damping(p);
    plan_events(p);
    plan_reach(p);
}

static void plan_stages(pl_world *w)
{
    planner p = {w, &w->plan, 0};
    w->plan.count = 0;
    plan_slots(&p, OP_REMEMBER);
    plan_hook(&p, PLAN_FRAME, 0);
    w->plan.head = w->plan.count;
    for (p.substep = 0; p.substep < w->settings.substeps; p.substep++)
        plan_substep(&p);
    w->plan.body = (w->plan.count - w->plan.head) / w->settings.substeps;
    p.substep = w->settings.substeps - 1;
    plan_hook(&p, PLAN_END, 0);
    plan_slots(&p, OP_CHECK);
}

// Counts the stages, makes room, and writes them.
static pl_result plan_frame(pl_world *w)
{
    pl_result result = array_reserve(&w->memory, &w->state.substeps, &w->substep_capacity, w->settings.substeps,
                                     sizeof *w->state.substeps);
    if (result != PL_OK)
        return result;
    // Which stages there are depends on these three.
    w->state.second = w->settings.integrator == PL_INTEGRATOR_BDF2;
    w->state.contact.bouncy = has_contacts(w) && any_bounce(w);
    w->state.contact.rigid_bouncy = has_rigid_contacts(w) && any_bounce(w);
    plan_stages(w);
    if (w->plan.count <= w->plan.capacity)
        return PL_OK;
    result = array_reserve(&w->memory, &w->plan.stages, &w->plan.capacity, w->plan.count, sizeof *w->plan.stages);
    if (result == PL_OK)
        plan_stages(w);
    else
        w->plan.count = 0; // the stages were only counted
    return result;
}

// Marks pins as arrived at their targets.
static void settle_pins(pl_world *w)
{
    rows *r = &w->rows[PL_KIND_PIN];
    for (int64_t i = 0; i < r->count; i++)
        memset(r->param + 6 * i + 3, 0, 3 * sizeof(float));
    w->rows_stale[PL_KIND_PIN] = true;
    w->pins_travel = false;
}

// The work after a frame. It can fail although the frame itself succeeded.
static pl_result frame_part(pl_world *w, int part, float dt, bool torn)
{
    switch (part)
    {
    case 1:
        return torn ? tear_frame(w) : PL_OK;
    case 2:
        return heat_frame(w, dt, torn);
    case 3:
        return emission_frame(w, dt);
    default:
        return sensors_update(w);
    }
}

static const char *const part_names[AFTER_FRAME_PARTS + 1] = {NULL, "tearing", "heat", "emission", "sensors"};

static pl_result after_frame(pl_world *w, int from, float dt, bool torn)
{
    int64_t frame = w->frame;
    int part = from;
    pl_result result = PL_OK;
    w->unfinished.from = 0;
    while (part <= AFTER_FRAME_PARTS && (result = frame_part(w, part, dt, torn)) == PL_OK)
        part++;
    if (result == PL_ERROR_MEMORY && w->device_newer && w->backend->undo)
        w->backend->undo(w); // the data they need could not be read, and they have changed nothing yet
    if (result == PL_OK || result == PL_ERROR_DEVICE || w->frame != frame)
        return result;
    if (result == PL_ERROR_MEMORY)
        w->unfinished = (unfinished){part, dt, torn};
    char why[800];
    snprintf(why, sizeof why, "%s", pl_error_message());
    return fail(result, "frame %lld succeeded, but the work after it, %s, failed: %s; the next step completes it",
                (long long)frame - 1, part_names[part], why);
}

// Packs what edits have changed and, if that or a setting changed the list of stages, plans the frame again.
static pl_result bring_up_to_date(pl_world *w)
{
    pl_result result = compile(w);
    if (result != PL_OK || !w->plan_stale)
        return result;
    result = plan_frame(w);
    if (result == PL_OK)
        result = w->backend->plan(w);
    w->plan_stale = result != PL_OK;
    return result;
}

// The search for contacts failed because particles are too far away: most often because the frame diverged.
static pl_result name_frame(const pl_world *w)
{
    char why[800];
    snprintf(why, sizeof why, "%s", pl_error_message());
    return fail(PL_ERROR_DIVERGED, "frame %lld failed: %s", (long long)w->frame, why);
}

// Lists the contacts of rigid bodies, and lets islands fall asleep. If there are more contacts than fit, groups are packed
// again with more room.
static pl_result list_rigid_contacts(pl_world *w, float dt)
{
    bool again = true;
    pl_result result = PL_OK;
    while (result == PL_OK && again)
    {
        result = rigid_wake_marked(w);
        if (result == PL_OK)
            result = rigid_contacts_refresh(w, dt, &again);
        if (result == PL_OK && !again)
            result = body_particles_refresh(w, dt, &again);
        if (result == PL_OK && !again)
            result = rigid_sleep(w, &again);
        if (result == PL_OK && again)
            result = bring_up_to_date(w);
        if (result == PL_OK && again)
            prepare_frame(w, dt);
    }
    return result;
}

static pl_result step(pl_world *w, float dt)
{
    pl_result result = bring_up_to_date(w);
    if (result == PL_OK && fluid_follow_step(w, dt / (float)w->settings.substeps))
        result = bring_up_to_date(w);
    if (result == PL_OK)
        result = arrange_now_and_then(w);
    if (result != PL_OK)
        return result;
    w->order.settled = true;
    prepare_frame(w, dt);
    result = list_rigid_contacts(w, dt);
    if (result != PL_OK)
        return result;
    groups_keep(w);
    damage_unpack(w);
    result = shapes_place(w, dt);
    if (result != PL_OK)
        return result;
    result = w->backend->frame(w);
    if (result != PL_OK)
    {
        if (w->backend->which == PL_BACKEND_CPU) // other backends have restored the start themselves, if they could
            step_back(w);
        return result == PL_ERROR_DIVERGED ? name_frame(w) : result;
    }
    if (w->flow.bad)
        return go_back(w);
    result = rigid_events_collect(w);
    if (result == PL_OK)
        result = body_events_collect(w);
    if (result == PL_OK)
        result = events_publish(w);
    rigid_events_name(w);
    if (result != PL_OK)
    {
        bool undone = result == PL_ERROR_DEVICE || (w->device_newer && w->backend->undo && w->backend->undo(w));
        if (!undone && pull(w, ALL_ARRAYS) == PL_OK)
            step_back(w);
        return result;
    }
    shapes_arrive(w, dt);
    bool torn = w->flow.torn;
    w->force_scale = multiplier_force(w);
    if (w->pins_travel)
        settle_pins(w);
    w->last_dt = dt;
    w->time += (double)dt;
    w->frame++;
    for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
        w->timing.total += w->timing.stage[i];
    return after_frame(w, 1, dt, torn);
}

#define LEAST_SUBSTEP 1e-9f // s: its square is still large enough to divide by

pl_result pl_world_step(pl_world *w, float dt)
{
    NEED(w);
    if (!(dt > 0.0f && dt <= 100.0f))
        return fail(PL_ERROR_ARGUMENT, "dt is %g; it must be above 0 and at most 100 seconds", (double)dt);
    if (dt / (float)w->settings.substeps < LEAST_SUBSTEP)
        return fail(PL_ERROR_ARGUMENT, "dt is %g in %d substeps; a substep must be at least %g seconds", (double)dt,
                    w->settings.substeps, (double)LEAST_SUBSTEP);
    PLAIN_ROUNDING;
    if (w->backend->begin)
        w->backend->begin(w);
    w->stepping = true;
    world_changed(w, false);
    pl_result result =
        w->unfinished.from ? after_frame(w, w->unfinished.from, w->unfinished.dt, w->unfinished.torn) : step(w, dt);
    w->stepping = false;
    return result;
}
