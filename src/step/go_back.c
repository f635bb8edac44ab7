// go_back.c: restores the world to the start of a frame that failed.
#include "groups/group.h"
#include "model/columns.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/contact/events.h"
#include "step/prepare.h"

#include <stdio.h>
#include <string.h>

// Restores positions and velocities to the frame's start. The multipliers of the failed frame are useless: they are set
// to 0, and the rows are packed again.
void step_back(pl_world *w)
{
    for (int a = 0; a < SLOT_ARRAYS; a++)
        if (slot_columns[a].undo >= 0)
            memcpy(w->state.slot[a], w->state.slot[slot_columns[a].undo], 16 * (size_t)w->state.slots);
    // Displacements and the positions for which lists were built may be NaN. Nothing reads them, but snapshots have them.
    for (int32_t i = 0; i < w->state.slots; i++)
    {
        memset(w->state.slot[SLOT_D] + 4 * (size_t)i, 0, 3 * sizeof(float));
        memset(w->state.slot[SLOT_BUILD] + 4 * (size_t)i, 0, 3 * sizeof(float));
    }
    memset(w->state.slot[SLOT_SURFACE], 0, 16 * (size_t)w->state.slots);
    memset(w->state.slot[SLOT_SURFACE_V], 0, 16 * (size_t)w->state.slots);
    memset(w->flow.far, 0, sizeof w->flow.far);
    w->contacts.margin = w->contacts.shape_contact_margin = w->surfaces.margin = w->surfaces.horizon = 0.0f;
    w->flow.drifted = w->flow.surface_age = 0.0f;
    for (int32_t i = 0; w->gases && i < w->state.slots; i++)
    {
        float *gas = w->state.slot[SLOT_GAS] + 4 * (size_t)i;
        gas[GAS_START] = gas[GAS_NOW] = gas[GAS_FRAME];
    }
    for (int32_t i = 0; w->state.fluid.dyed && i < w->state.slots; i++)
        w->state.slot[SLOT_DYE][4 * (size_t)i] = w->state.slot[SLOT_DYE][4 * (size_t)i + 1];
    memset(w->state.slot[SLOT_PRESSURE], 0, 16 * (size_t)w->state.slots);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        if (w->rows[kind].count)
            memset(w->rows[kind].lambda, 0,
                   (size_t)(w->rows[kind].count * facts_of(kind)->info.parts) * sizeof *w->rows[kind].lambda);
    groups_back(w);
    w->order_stale = true; // groups are packed again too, from the poses of the frame's start
    w->flow.smooth = 0;
    contacts_forget(w);
    events_drop(w);
}

// Returns a particle whose position, velocity or spin is not finite or beyond the limit; -1: there is none.
static int32_t find_diverged(const pl_world *w)
{
    for (int32_t i = 0; i < w->state.particles; i++)
    {
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)i, *v = w->state.slot[SLOT_V] + 4 * (size_t)i;
        if (!(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 1e30f))
            return w->number_of[i];
    }
    return groups_trouble(w);
}

pl_result go_back(pl_world *w)
{
    if (w->backend->start_poses)
        w->backend->start_poses(w);
    pl_result result = pull(w, ALL_ARRAYS);
    if (result != PL_OK)
        return result;
    int32_t particle = find_diverged(w);
    char where[32] = "";
    if (particle >= 0)
        snprintf(where, sizeof where, " at particle %d", particle);
    step_back(w);
    return fail(
        PL_ERROR_DIVERGED,
        "frame %lld diverged%s; the world is as it was before that frame; use more substeps, a larger compliance or "
        "smaller forces",
        (long long)w->frame, where);
}
