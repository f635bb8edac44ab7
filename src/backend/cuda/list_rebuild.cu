// list_rebuild.cu: decides when the contact lists are made again. Before each substep one warp tests whether the lists
// are still valid after the motion so far (stages/list_validity.h); only if not, the branch of the graph that makes
// them runs. The host is not involved. A speculative frame has no branches (speculative_frame.cu).
#include "backend/cuda/list_validity.h"

#include "stages/contact_stages.h"

// ---- decision ------------------------------------------------------------------------------------------------------

// One warp. It looks at the shapes while the previous kernel still runs.
static __global__ void decide(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
                              const __grid_constant__ launch_args g, branch make)
{
    float shapes = shapes_moved(s, l, g.substep), fall = look_ahead(s, l);
    wait_for_previous_kernel();
    stamp_time(g);
    if (threadIdx.x > 0)
        return;
    travel far = travel_of(&s, fall);
    bool active = substep_is_active(s.now, g), holds = active && lists_stand(l.now) && lists_reach(l, far, shapes);
    if (holds)
        travel_forget(&s);
    else if (active)
    {
        margins wanted = margins_for(far.stride, l.radius, l.now->sparse);
        l.now->search.margin = wanted.pairs;
        l.now->shape_contact_margin = wanted.shape_contacts;
    }
    decide_branch(make, active && !holds);
}

// Finds the greatest speed for a frame that begins with stale lists, as the substep before would have found it.
static __global__ void measure_speed(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    if (!l.now->stale || s.now->from > 0)
        return;
    float most = 0.0f;
    EACH(int32_t, i, l.live)
    {
        float speed = square(at(load_points(s.slot[SLOT_V] + 4 * (size_t)i)));
        most = speed > most ? speed : most;
    }
    raise_to(&s.now->far[FAR_SPEED], most);
}

static __global__ void forget_speed(const __grid_constant__ state s, const __grid_constant__ list_arrays l)
{
    if (l.now->stale && s.now->from <= 0)
        s.now->far[FAR_SPEED] = 0.0f;
}

static bool make_new_lists(device *d, cudaStream_t stream, int substep, device_error *why)
{
    return make_lists(d, stream, substep, false, why);
}

// Adds a branch to the graph under capture, taken if `decide` says so.
bool lists_refresh(device *d, int substep, device_error *why)
{
    branch make;
    launch_args g = {};
    g.substep = substep;
    g.gated = 1;
    g.stamp = d->stamp_count < STAMPS - 1 ? d->stamps + d->stamp_count : NULL;
    if (g.stamp)
        d->stamp_group[d->stamp_count++] = PL_STAGE_GRID;
    d->last_group = PL_STAGE_GRID;
    if (substep == 0 &&
        (!start(why, d->stream, false, 1, 1, 0, forget_speed, d->captured, d->lists) ||
         !start(why, d->stream, false, spread(d, d->lists.live), WIDE, 0, measure_speed, d->captured, d->lists)))
        return false;
    return open_branch(d, &make, why) &&
           start(why, d->stream, true, 32, 32, 0, decide, d->captured, d->lists, g, make) &&
           fill_branch(d, &make, make_new_lists, substep, why);
}
