// settings.c: changes the settings of a world.
#include "groups/group.h"
#include "model/rigid_rest.h"

// Has a setting changed that acts on rigid bodies?
static bool bodies_feel(const pl_settings *a, const pl_settings *b)
{
    return a->gravity.x != b->gravity.x || a->gravity.y != b->gravity.y || a->gravity.z != b->gravity.z ||
           a->substeps != b->substeps || a->iterations != b->iterations || a->contact_sweeps != b->contact_sweeps ||
           (a->solver == PL_SOLVER_PBD) != (b->solver == PL_SOLVER_PBD) || a->integrator != b->integrator ||
           a->damping != b->damping || a->sleep != b->sleep || a->sleep_speed != b->sleep_speed ||
           a->sleep_time != b->sleep_time;
}

pl_result pl_world_set_settings(pl_world *world, const pl_settings *settings)
{
    NEED(world);
    NEED(settings);
    pl_result result = check_settings(settings);
    if (result == PL_OK)
        result = check_solver_backend(settings, world->backend->which);
    if (result != PL_OK)
        return result;
    if (settings->iterations != world->settings.iterations)
        result = groups_restart(world);
    if (result != PL_OK)
        return result;
    if (settings->iterations != world->settings.iterations || settings->solver != world->settings.solver)
        for (int k = 0; k < PL_KIND_COUNT; k++)
            world->rows_stale[k] = true; // k' of classic PBD depends on the iterations
    if (settings->substeps != world->settings.substeps || settings->integrator != world->settings.integrator)
        world->flow.smooth = 0; // the substep changed: BDF2's history does not fit
    if (settings->integrator != world->settings.integrator)
    {
        // The active inequalities were not tracked; packing again determines them.
        pl_result unpacked = rows_unpack(world);
        if (unpacked != PL_OK)
            return unpacked;
        world->order_stale = true;
    }
    const pl_settings *before = &world->settings;
    bool other_colours = colour_cap(settings) != colour_cap(before);
    bool other_memory =
        settings->solver != before->solver && (solver_has_memory(settings) || solver_has_memory(before));
    if (other_colours || other_memory)
        result = unpack_all(world, other_colours, false);
    if (result != PL_OK)
        return result;
    // Gravity, wind and the like are read in each frame; only these change the list of stages.
    const pl_settings *old = &world->settings;
    world->plan_stale |= settings->sleep != old->sleep || settings->substeps != old->substeps ||
                         settings->iterations != old->iterations || settings->stabilise != old->stabilise ||
                         settings->solver != old->solver || settings->contact_sweeps != old->contact_sweeps ||
                         settings->integrator != old->integrator ||
                         (settings->internal_damping > 0.0f) != (old->internal_damping > 0.0f) ||
                         (settings->wind.density > 0.0f) != (old->wind.density > 0.0f);
    if (bodies_feel(old, settings))
        rigid_wake_all(world);
    world->settings = *settings;
    return PL_OK;
}
